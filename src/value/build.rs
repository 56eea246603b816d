//! Putting a value together from its parts, without recursion.

use super::map::Keys;
use super::{Ext, List, Map, Value};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// A container that is not complete yet.
enum Open<'a> {
    List(Vec<Value<'a>>),
    Map(Vec<(Value<'a>, Value<'a>)>, Option<Value<'a>>),
    /// A row of a table, of which the values are still to come.
    Row(Keys<'a>, Vec<Value<'a>>),
    Ext(u64, Value<'a>),
}

/// Takes parts in the order in which an encoder would; the keys of maps were compared before.
#[derive(Default)]
pub(super) struct Builder<'a> {
    stack: Vec<Open<'a>>,
    done: Value<'a>,
}

impl<'a> Builder<'a> {
    /// A part that is complete.
    pub(super) fn add(&mut self, value: Value<'a>) {
        match self.stack.last_mut() {
            None => self.done = value,
            Some(Open::List(items) | Open::Row(_, items)) => items.push(value),
            Some(Open::Ext(_, payload)) => *payload = value,
            Some(Open::Map(entries, key)) => match key.take() {
                None => *key = Some(value),
                Some(key) => entries.push((key, value)),
            },
        }
    }

    pub(super) fn list(&mut self, n: usize) {
        self.stack.push(Open::List(Vec::with_capacity(n)));
    }

    pub(super) fn map(&mut self, n: usize) {
        self.stack.push(Open::Map(Vec::with_capacity(n), None));
    }

    /// A map of which only the values follow.
    pub(super) fn row(&mut self, keys: Keys<'a>) {
        let values = Vec::with_capacity(keys.len());
        self.stack.push(Open::Row(keys, values));
    }

    pub(super) fn ext(&mut self, ext_type: u64) {
        self.stack.push(Open::Ext(ext_type, Value::Null));
    }

    /// Completes the container that was opened last.
    pub(super) fn end(&mut self) {
        let value = match self.stack.pop() {
            None => return,
            Some(Open::List(items)) => Value::List(List::from(items)),
            Some(Open::Map(entries, _)) => Value::Map(Map::trusted(entries)),
            Some(Open::Row(keys, values)) => Value::Map(Map::row(keys, values)),
            Some(Open::Ext(ext_type, value)) => Value::Ext(Box::new(Ext { ext_type, value })),
        };
        self.add(value);
    }

    pub(super) fn finish(self) -> Value<'a> {
        self.done
    }
}
