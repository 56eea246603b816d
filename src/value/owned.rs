//! Values that no longer borrow: what they hold is converted where it is, so that it is never there twice.

use super::build::Builder;
use super::map::{Entries, Keys};
use super::{Ext, List, Map, Value};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::{IntoIter, Vec};
use core::mem;

/// So many levels are converted where they are, one inside of the other; what is nested deeper is put together anew.
const LEVELS: u32 = 64;

impl<'a> Value<'a> {
    /// The same value, which no longer borrows. Text and bytes that it owns already are moved.
    ///
    /// ```
    /// # fn main() -> wbin::Result<()> {
    /// use wbin::Value;
    /// fn read(bytes: &[u8]) -> wbin::Result<Value<'static>> {
    ///     Ok(Value::from_slice(bytes)?.into_owned())
    /// }
    /// assert_eq!(read(&[0x41, b'a'])?, "a");
    /// # Ok(())
    /// # }
    /// ```
    pub fn into_owned(self) -> Value<'static> {
        Owner { keys: BTreeMap::new() }.value(self, LEVELS)
    }
}

/// Knows which keys of tables were converted, by their address: each list of them with what it became.
struct Owner<'a> {
    keys: BTreeMap<usize, (Keys<'a>, Keys<'static>)>,
}

impl<'a> Owner<'a> {
    fn value(&mut self, value: Value<'a>, levels: u32) -> Value<'static> {
        match value {
            Value::Null => Value::Null,
            Value::Bool(on) => Value::Bool(on),
            Value::Int(int) => Value::Int(int),
            Value::Float(f) => Value::Float(f),
            Value::String(text) => Value::String(text.into_owned().into()),
            Value::Bytes(bytes) => Value::Bytes(bytes.into_owned().into()),
            container if levels == 0 => self.deep(container),
            Value::List(list) => Value::List(List::from(self.values(list.into_vec(), levels - 1))),
            Value::Map(map) => Value::Map(match map.into_parts() {
                Entries::Own(entries) => Map::trusted(
                    entries
                        .into_iter()
                        .map(|(key, value)| (self.value(key, levels - 1), self.value(value, levels - 1)))
                        .collect(),
                ),
                Entries::Row(keys, values) => {
                    Map::row(self.keys(keys), self.values(values.into_vec(), levels - 1))
                }
            }),
            Value::Ext(mut ext) => {
                let value = self.value(mem::take(&mut ext.value), levels - 1);
                Value::Ext(Box::new(Ext { ext_type: ext.ext_type, value }))
            }
        }
    }

    /// The vector keeps its memory: what goes out of it takes as much as what comes in.
    fn values(&mut self, values: Vec<Value<'a>>, levels: u32) -> Vec<Value<'static>> {
        values.into_iter().map(|value| self.value(value, levels)).collect()
    }

    fn keys(&mut self, keys: Keys<'a>) -> Keys<'static> {
        let address = Arc::as_ptr(&keys).addr();
        if let Some((from, own)) = self.keys.get(&address) {
            let own = own.clone();
            if Arc::strong_count(from) == 2 {
                // This is the last row.
                self.keys.remove(&address);
            }
            return own;
        }
        match Arc::try_unwrap(keys) {
            Ok(keys) => Arc::new(self.values(keys, 0)),
            Err(keys) => {
                let own = Arc::new(keys.iter().map(|key| self.value(key.clone(), 0)).collect());
                self.keys.insert(address, (keys, Arc::clone(&own)));
                own
            }
        }
    }

    /// A container of any depth.
    fn deep(&mut self, container: Value<'a>) -> Value<'static> {
        enum Rest<'a> {
            List(IntoIter<Value<'a>>),
            Map(IntoIter<(Value<'a>, Value<'a>)>, Option<Value<'a>>),
            One(Option<Value<'a>>),
        }
        let mut builder = Builder::default();
        let mut stack = Vec::new();
        let mut rest = Rest::One(Some(container));
        loop {
            let next = match &mut rest {
                Rest::List(items) => items.next(),
                Rest::One(item) => item.take(),
                Rest::Map(entries, due) => match due.take() {
                    Some(value) => Some(value),
                    None => entries.next().map(|(key, value)| {
                        *due = Some(value);
                        key
                    }),
                },
            };
            let inner = match next {
                None => match stack.pop() {
                    Some(outer) => {
                        rest = outer;
                        builder.end();
                        continue;
                    }
                    None => return builder.finish(),
                },
                Some(Value::List(list)) => {
                    builder.list(list.len());
                    Rest::List(list.into_iter())
                }
                Some(Value::Map(map)) => match map.into_parts() {
                    Entries::Own(entries) => {
                        builder.map(entries.len());
                        Rest::Map(entries.into_iter(), None)
                    }
                    Entries::Row(keys, values) => {
                        builder.row(self.keys(keys));
                        Rest::List(values.into_vec().into_iter())
                    }
                },
                Some(Value::Ext(mut ext)) => {
                    builder.ext(ext.ext_type);
                    Rest::One(Some(mem::take(&mut ext.value)))
                }
                Some(scalar) => {
                    builder.add(self.value(scalar, 0));
                    continue;
                }
            };
            stack.push(mem::replace(&mut rest, inner));
        }
    }
}
