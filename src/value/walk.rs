//! Going through a value of any depth without recursion: comparing, hashing, printing, dropping.

use super::map::Entries;
use super::{Ext, List, Map, Value};
use crate::decode::Event;
use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::mem;

/// What is left of a container that is being walked through.
pub(super) enum Items<'v, 'a> {
    List(core::slice::Iter<'v, Value<'a>>),
    Map(core::slice::Iter<'v, (Value<'a>, Value<'a>)>, Option<&'v Value<'a>>),
    /// The keys and the values of a row of a table.
    Row(core::slice::Iter<'v, Value<'a>>, core::slice::Iter<'v, Value<'a>>),
    One(Option<&'v Value<'a>>),
}

impl<'v, 'a> Items<'v, 'a> {
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<&'v Value<'a>> {
        match self {
            Items::List(items) => items.next(),
            Items::One(item) => item.take(),
            // Where there is a key less, its value is due.
            Items::Row(keys, values) if keys.len() < values.len() => values.next(),
            Items::Row(keys, _) => keys.next(),
            Items::Map(entries, due) => match due.take() {
                Some(value) => Some(value),
                None => {
                    let (key, value) = entries.next()?;
                    *due = Some(value);
                    Some(key)
                }
            },
        }
    }

    #[inline(always)]
    fn of_map(map: &'v Map<'a>) -> Items<'v, 'a> {
        match map.parts() {
            Entries::Own(entries) => Items::Map(entries.iter(), None),
            Entries::Row(keys, values) => Items::Row(keys.iter(), values.iter()),
        }
    }

    /// The parts of a container, or `None` for a scalar.
    #[inline(always)]
    pub(super) fn of(value: &'v Value<'a>) -> Option<Items<'v, 'a>> {
        match value {
            Value::List(list) => Some(Items::List(list.iter())),
            Value::Map(map) => Some(Items::of_map(map)),
            Value::Ext(ext) => Some(Items::One(Some(&ext.value))),
            _ => None,
        }
    }
}

/// The events of a value, as a decoder would give them.
pub(super) struct Walk<'v, 'a> {
    stack: Vec<Items<'v, 'a>>,
    root: Option<&'v Value<'a>>,
}

impl<'v, 'a> Walk<'v, 'a> {
    pub(super) fn new(root: &'v Value<'a>) -> Walk<'v, 'a> {
        Walk { stack: Vec::new(), root: Some(root) }
    }
}

impl<'v> Iterator for Walk<'v, '_> {
    type Item = Event<'v>;

    #[inline(always)]
    fn next(&mut self) -> Option<Event<'v>> {
        let value = match (self.root.take(), self.stack.last_mut()) {
            (Some(root), _) => root,
            (None, Some(items)) => match items.next() {
                Some(value) => value,
                None => {
                    self.stack.pop();
                    return Some(Event::End);
                }
            },
            (None, None) => return None,
        };
        self.stack.extend(Items::of(value));
        Some(match value {
            Value::Null => Event::Null,
            Value::Bool(on) => Event::Bool(*on),
            Value::Int(int) => Event::Int(*int),
            Value::Float(f) => Event::Float(*f),
            Value::String(text) => Event::String(text),
            Value::Bytes(bytes) => Event::Bytes(bytes),
            Value::List(list) => Event::List(Some(list.len())),
            Value::Map(map) => Event::Map(Some(map.len())),
            Value::Ext(ext) => Event::Ext(ext.ext_type),
        })
    }
}

impl Value<'_> {
    /// Whether the value nests more levels than these.
    #[cfg(feature = "json")]
    pub(crate) fn is_deeper_than(&self, levels: u32) -> bool {
        let mut walk = Walk::new(self);
        core::iter::from_fn(|| walk.next().map(|_| walk.stack.len())).any(|depth| depth > levels as usize)
    }
}

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        let mut stack = Vec::new();
        let mut items = (Items::One(Some(self)), Items::One(Some(other)));
        loop {
            // There are as many on both sides: counts are compared first.
            while let (Some(a), Some(b)) = (items.0.next(), items.1.next()) {
                let inner = match (a, b) {
                    (Value::String(a), Value::String(b)) if a == b => continue,
                    (Value::Int(a), Value::Int(b)) if a == b => continue,
                    // Its bits (VAL-3).
                    (Value::Float(a), Value::Float(b)) if a.to_bits() == b.to_bits() => continue,
                    (Value::Bool(a), Value::Bool(b)) if a == b => continue,
                    (Value::Bytes(a), Value::Bytes(b)) if a == b => continue,
                    (Value::Null, Value::Null) => continue,
                    (Value::List(a), Value::List(b)) if a.len() == b.len() => {
                        (Items::List(a.iter()), Items::List(b.iter()))
                    }
                    (Value::Map(a), Value::Map(b)) if a.len() == b.len() => match (a.parts(), b.parts()) {
                        (Entries::Row(keys, a), Entries::Row(same, b)) if Arc::ptr_eq(keys, same) => {
                            (Items::List(a.iter()), Items::List(b.iter()))
                        }
                        _ => (Items::of_map(a), Items::of_map(b)),
                    },
                    (Value::Ext(a), Value::Ext(b)) if a.ext_type == b.ext_type => {
                        (Items::One(Some(&a.value)), Items::One(Some(&b.value)))
                    }
                    _ => return false,
                };
                stack.push(mem::replace(&mut items, inner));
            }
            match stack.pop() {
                Some(outer) => items = outer,
                None => return true,
            }
        }
    }
}

impl Eq for Value<'_> {}

impl Hash for Value<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for event in Walk::new(self) {
            mem::discriminant(&event).hash(state);
            match event {
                Event::Bool(on) => on.hash(state),
                Event::Int(int) => int.hash(state),
                Event::Float(f) => f.to_bits().hash(state),
                Event::String(text) => text.hash(state),
                Event::Bytes(bytes) => bytes.hash(state),
                Event::List(n) | Event::Map(n) => n.hash(state),
                Event::Ext(ext_type) => ext_type.hash(state),
                Event::Null | Event::Some | Event::End => {}
            }
        }
    }
}

impl fmt::Display for Value<'_> {
    /// The diagnostic notation (DIA-1); `{:#}` on several lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indent = f.alternate().then_some(2);
        let mut printer = crate::diag::Printer::new(f, indent);
        Walk::new(self).try_for_each(|event| printer.event(event))
    }
}

impl fmt::Debug for Value<'_> {
    /// The same as `Display`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A container that was taken out of the one around it, to be dropped.
pub(super) enum Part<'a> {
    List(Vec<Value<'a>>),
    Map(Vec<(Value<'a>, Value<'a>)>),
    One(Value<'a>),
}

impl<'a> From<Entries<'a>> for Part<'a> {
    #[inline(always)]
    fn from(entries: Entries<'a>) -> Part<'a> {
        match entries {
            Entries::Own(entries) => Part::Map(entries),
            // Its keys are text.
            Entries::Row(_, values) => Part::List(values.into_vec()),
        }
    }
}

/// Drops a container and all in it, one after the other and not one inside of the other: no stack is
/// needed, and each value is looked at once.
#[inline]
pub(super) fn drop_part(part: Part<'_>) {
    let mut waiting = Vec::new();
    let mut next = Some(part);
    while let Some(part) = next {
        match part {
            Part::List(items) => items.into_iter().for_each(|item| drop_value(item, &mut waiting)),
            Part::Map(entries) => entries.into_iter().for_each(|(key, value)| {
                drop_value(key, &mut waiting);
                drop_value(value, &mut waiting);
            }),
            Part::One(value) => drop_value(value, &mut waiting),
        }
        next = waiting.pop();
    }
}

/// Drops a scalar; a container waits.
#[inline(always)]
fn drop_value<'a>(value: Value<'a>, waiting: &mut Vec<Part<'a>>) {
    match value {
        Value::List(list) => waiting.push(Part::List(list.into_vec())),
        Value::Map(map) => waiting.push(Part::from(map.into_parts())),
        Value::Ext(mut ext) => waiting.push(Part::One(mem::take(&mut ext.value))),
        Value::String(Cow::Owned(text)) => drop(text),
        Value::Bytes(Cow::Owned(bytes)) => drop(bytes),
        Value::Null
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::String(Cow::Borrowed(_))
        | Value::Bytes(Cow::Borrowed(_)) => {}
    }
}

impl<'a> Clone for Value<'a> {
    fn clone(&self) -> Value<'a> {
        match self {
            Value::Null => Value::Null,
            Value::Bool(on) => Value::Bool(*on),
            Value::Int(int) => Value::Int(*int),
            Value::Float(f) => Value::Float(*f),
            Value::String(text) => Value::String(text.clone()),
            Value::Bytes(bytes) => Value::Bytes(bytes.clone()),
            _ => clone_container(self),
        }
    }
}

fn clone_container<'a>(root: &Value<'a>) -> Value<'a> {
    let mut builder = super::build::Builder::default();
    let mut stack = Vec::new();
    let mut items = Items::One(Some(root));
    loop {
        while let Some(value) = items.next() {
            let Some(mut inner) = Items::of(value) else {
                builder.add(value.clone());
                continue;
            };
            match value {
                Value::List(list) => builder.list(list.len()),
                Value::Map(map) => match map.parts() {
                    Entries::Own(entries) => builder.map(entries.len()),
                    Entries::Row(keys, values) => {
                        builder.row(keys.clone());
                        inner = Items::List(values.iter());
                    }
                },
                Value::Ext(ext) => builder.ext(ext.ext_type),
                _ => {}
            }
            stack.push(mem::replace(&mut items, inner));
        }
        match stack.pop() {
            Some(outer) => items = outer,
            None => return builder.finish(),
        }
        builder.end();
    }
}

impl<'a> From<Ext<'a>> for Value<'a> {
    fn from(ext: Ext<'a>) -> Value<'a> {
        Value::Ext(alloc::boxed::Box::new(ext))
    }
}

impl<'a> From<List<'a>> for Value<'a> {
    fn from(list: List<'a>) -> Value<'a> {
        Value::List(list)
    }
}

impl<'a> From<Map<'a>> for Value<'a> {
    fn from(map: Map<'a>) -> Value<'a> {
        Value::Map(map)
    }
}
