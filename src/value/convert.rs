//! Values from Rust's own types, and comparing with them.

use super::{List, Map, Value};
use crate::num::Int;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

macro_rules! from_int {
    ($($int:ident)*) => {
        $(impl From<$int> for Value<'_> {
            fn from(n: $int) -> Self {
                Value::Int(Int::from(n))
            }
        }

        impl PartialEq<$int> for Value<'_> {
            fn eq(&self, other: &$int) -> bool {
                matches!(self, Value::Int(int) if *int == Int::from(*other))
            }
        })*
    };
}
from_int!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl From<Int> for Value<'_> {
    fn from(int: Int) -> Self {
        Value::Int(int)
    }
}

impl From<bool> for Value<'_> {
    fn from(on: bool) -> Self {
        Value::Bool(on)
    }
}

impl From<f64> for Value<'_> {
    fn from(f: f64) -> Self {
        Value::Float(f)
    }
}

impl From<f32> for Value<'_> {
    fn from(f: f32) -> Self {
        Value::Float(crate::num::widen(f.to_bits()))
    }
}

impl From<()> for Value<'_> {
    fn from((): ()) -> Self {
        Value::Null
    }
}

impl From<char> for Value<'_> {
    fn from(c: char) -> Self {
        Value::String(Cow::Owned(String::from(c)))
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Value::String(Cow::Borrowed(text))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Value::String(Cow::Owned(text))
    }
}

impl<'a> From<Cow<'a, str>> for Value<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Value::String(text)
    }
}

impl<'a> From<&'a [u8]> for Value<'a> {
    /// Bytes, not a list.
    fn from(bytes: &'a [u8]) -> Self {
        Value::Bytes(Cow::Borrowed(bytes))
    }
}

impl<'a, T: Into<Value<'a>>> From<Vec<T>> for Value<'a> {
    /// A list.
    fn from(items: Vec<T>) -> Self {
        Value::List(items.into_iter().map(Into::into).collect())
    }
}

impl<'a, T: Into<Value<'a>>, const N: usize> From<[T; N]> for Value<'a> {
    /// A list.
    fn from(items: [T; N]) -> Self {
        Value::List(items.into_iter().map(Into::into).collect())
    }
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    /// The value, or null.
    fn from(option: Option<T>) -> Self {
        option.map_or(Value::Null, Into::into)
    }
}

impl<'a> FromIterator<Value<'a>> for Value<'a> {
    /// A list.
    fn from_iter<I: IntoIterator<Item = Value<'a>>>(iter: I) -> Self {
        Value::List(List::from_iter(iter))
    }
}

impl<'a, K: Into<Value<'a>>, V: Into<Value<'a>>> FromIterator<(K, V)> for Value<'a> {
    /// A map.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(iter: I) -> Self {
        Value::Map(Map::from_iter(iter))
    }
}

impl PartialEq<str> for Value<'_> {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == Some(other)
    }
}

impl PartialEq<&str> for Value<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == Some(*other)
    }
}

impl PartialEq<bool> for Value<'_> {
    fn eq(&self, other: &bool) -> bool {
        self.as_bool() == Some(*other)
    }
}

impl PartialEq<f64> for Value<'_> {
    /// As numbers compare, so NaN is not equal to itself; an int is not equal to a float.
    fn eq(&self, other: &f64) -> bool {
        matches!(self, Value::Float(f) if f == other)
    }
}
