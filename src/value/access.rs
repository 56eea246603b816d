//! Looking into a value: kinds, indexing, pointers.

use super::{Ext, List, Map, Value};
use crate::decode::Kind;
use alloc::borrow::Cow;
use alloc::string::String;
use core::ops::{Index, IndexMut};

impl<'a> Value<'a> {
    /// What kind of value it is.
    pub fn kind(&self) -> Kind {
        match self {
            Value::Null => Kind::Null,
            Value::Bool(_) => Kind::Bool,
            Value::Int(_) => Kind::Int,
            Value::Float(_) => Kind::Float,
            Value::String(_) => Kind::String,
            Value::Bytes(_) => Kind::Bytes,
            Value::List(_) => Kind::List,
            Value::Map(_) => Kind::Map,
            Value::Ext(_) => Kind::Ext,
        }
    }

    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// The boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(on) => Some(*on),
            _ => None,
        }
    }

    /// The int as an `i64`, if it is one that fits.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Int(int) => int.as_i64(),
            _ => None,
        }
    }

    /// The int as a `u64`, if it is one that fits.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Value::Int(int) => int.as_u64(),
            _ => None,
        }
    }

    /// The float, or the int if a double holds it exactly.
    ///
    /// ```
    /// use wbin::Value;
    /// assert_eq!(Value::from(3).as_f64(), Some(3.0));
    /// assert_eq!(Value::from(u64::MAX).as_f64(), None);
    /// ```
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Float(f) => Some(*f),
            Value::Int(int) => int.as_exact_f64(),
            _ => None,
        }
    }

    /// The text, if it is a string.
    #[inline]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The bytes, if it is bytes.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Value::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The list, if it is one.
    pub fn as_list(&self) -> Option<&List<'a>> {
        match self {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

    /// The list, if it is one, to change it.
    pub fn as_list_mut(&mut self) -> Option<&mut List<'a>> {
        match self {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

    /// The map, if it is one.
    pub fn as_map(&self) -> Option<&Map<'a>> {
        match self {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The map, if it is one, to change it.
    pub fn as_map_mut(&mut self) -> Option<&mut Map<'a>> {
        match self {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The extension, if it is one.
    pub fn as_ext(&self) -> Option<&Ext<'a>> {
        match self {
            Value::Ext(ext) => Some(ext),
            _ => None,
        }
    }

    /// The item of a list, or the value of a key of a map; `None` if there is none.
    ///
    /// ```
    /// use wbin::wbin;
    /// let value = wbin!({"a": [10, 20]});
    /// assert_eq!(value.get("a").and_then(|a| a.get(1)).and_then(|n| n.as_i64()), Some(20));
    /// assert_eq!(value.get(0), None);
    /// ```
    pub fn get<I: ValueIndex>(&self, index: I) -> Option<&Value<'a>> {
        index.get(self)
    }

    /// Like [`get`](Value::get), to change what is there.
    pub fn get_mut<I: ValueIndex>(&mut self, index: I) -> Option<&mut Value<'a>> {
        index.get_mut(self)
    }

    /// The value at a JSON pointer (RFC 6901): text keys and list indices, each after a `/`.
    ///
    /// `~1` stands for `/` in a key and `~0` for `~`. The empty pointer is the value itself.
    ///
    /// ```
    /// use wbin::wbin;
    /// let value = wbin!({"a": [10, {"b/c": true}]});
    /// assert_eq!(value.pointer("/a/1/b~1c").and_then(|v| v.as_bool()), Some(true));
    /// assert_eq!(value.pointer("/a/2"), None);
    /// ```
    pub fn pointer(&self, pointer: &str) -> Option<&Value<'a>> {
        pointer_steps(pointer)?.try_fold(self, |value, step| match value {
            Value::List(list) => list.get(pointer_index(&step)?),
            Value::Map(map) => map.get(&step),
            _ => None,
        })
    }

    /// Like [`pointer`](Value::pointer), to change what is there.
    pub fn pointer_mut(&mut self, pointer: &str) -> Option<&mut Value<'a>> {
        pointer_steps(pointer)?.try_fold(self, |value, step| match value {
            Value::List(list) => list.get_mut(pointer_index(&step)?),
            Value::Map(map) => map.get_mut(&step),
            _ => None,
        })
    }

    /// Takes the value out, and leaves null.
    pub fn take(&mut self) -> Value<'a> {
        core::mem::take(self)
    }
}

/// The steps of a JSON pointer, or `None` if it is none.
pub(crate) fn pointer_steps(pointer: &str) -> Option<impl Iterator<Item = Cow<'_, str>>> {
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return None;
    }
    let steps = pointer.split('/').skip(1);
    Some(steps.map(|step| match step.contains('~') {
        true => Cow::Owned(step.replace("~1", "/").replace("~0", "~")),
        false => Cow::Borrowed(step),
    }))
}

/// The index that a step of a pointer is: digits, with no zero before others.
pub(crate) fn pointer_index(step: &str) -> Option<usize> {
    let digits = step.bytes().all(|byte| byte.is_ascii_digit());
    (digits && (step == "0" || !step.starts_with('0'))).then(|| step.parse().ok())?
}

/// What a [`Value`] can be indexed with: a position in a list, or a key of a map.
pub trait ValueIndex: private::Sealed {
    #[doc(hidden)]
    fn get<'v, 'a>(&self, value: &'v Value<'a>) -> Option<&'v Value<'a>>;
    #[doc(hidden)]
    fn get_mut<'v, 'a>(&self, value: &'v mut Value<'a>) -> Option<&'v mut Value<'a>>;
}

mod private {
    pub trait Sealed {}
    impl Sealed for usize {}
    impl Sealed for str {}
    impl Sealed for alloc::string::String {}
    impl<T: Sealed + ?Sized> Sealed for &T {}
}

impl ValueIndex for usize {
    fn get<'v, 'a>(&self, value: &'v Value<'a>) -> Option<&'v Value<'a>> {
        value.as_list()?.get(*self)
    }

    fn get_mut<'v, 'a>(&self, value: &'v mut Value<'a>) -> Option<&'v mut Value<'a>> {
        value.as_list_mut()?.get_mut(*self)
    }
}

impl ValueIndex for str {
    fn get<'v, 'a>(&self, value: &'v Value<'a>) -> Option<&'v Value<'a>> {
        value.as_map()?.get(self)
    }

    fn get_mut<'v, 'a>(&self, value: &'v mut Value<'a>) -> Option<&'v mut Value<'a>> {
        value.as_map_mut()?.get_mut(self)
    }
}

impl ValueIndex for String {
    fn get<'v, 'a>(&self, value: &'v Value<'a>) -> Option<&'v Value<'a>> {
        ValueIndex::get(self.as_str(), value)
    }

    fn get_mut<'v, 'a>(&self, value: &'v mut Value<'a>) -> Option<&'v mut Value<'a>> {
        ValueIndex::get_mut(self.as_str(), value)
    }
}

impl<T: ValueIndex + ?Sized> ValueIndex for &T {
    fn get<'v, 'a>(&self, value: &'v Value<'a>) -> Option<&'v Value<'a>> {
        (**self).get(value)
    }

    fn get_mut<'v, 'a>(&self, value: &'v mut Value<'a>) -> Option<&'v mut Value<'a>> {
        (**self).get_mut(value)
    }
}

impl<'a, I: ValueIndex> Index<I> for Value<'a> {
    type Output = Value<'a>;

    /// The item or entry, or null where there is none.
    fn index(&self, index: I) -> &Value<'a> {
        static NULL: Value<'static> = Value::Null;
        index.get(self).unwrap_or(&NULL)
    }
}

impl<I: ValueIndex> IndexMut<I> for Value<'_> {
    /// # Panics
    ///
    /// If there is no such item or entry.
    fn index_mut(&mut self, index: I) -> &mut Self::Output {
        index.get_mut(self).expect("an index into a value that has no such item or entry")
    }
}
