//! [`List`]: a vector of values that can be dropped at any depth.

use super::Value;
use super::walk::{self, Part};
use alloc::vec::Vec;
use core::fmt;
use core::mem;
use core::ops::{Deref, DerefMut};

/// The items of a list: a `Vec<Value>`, to which it dereferences.
///
/// It is a type of its own so that dropping a value nested a million deep does not overflow the
/// stack.
///
/// ```
/// use wbin::{List, Value};
/// let mut list: List = [1, 2].into_iter().map(Value::from).collect();
/// list.push("three".into());
/// assert_eq!(list.len(), 3);
/// assert_eq!(list[2], "three");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct List<'a> {
    items: Vec<Value<'a>>,
}

impl<'a> List<'a> {
    /// A list of no items.
    pub const fn new() -> List<'a> {
        List { items: Vec::new() }
    }

    /// The items as a plain vector.
    pub fn into_vec(mut self) -> Vec<Value<'a>> {
        mem::take(&mut self.items)
    }
}

impl Drop for List<'_> {
    #[inline]
    fn drop(&mut self) {
        if !self.items.is_empty() {
            walk::drop_part(Part::List(mem::take(&mut self.items)));
        }
    }
}

impl<'a> Deref for List<'a> {
    type Target = Vec<Value<'a>>;

    #[inline]
    fn deref(&self) -> &Vec<Value<'a>> {
        &self.items
    }
}

impl<'a> DerefMut for List<'a> {
    fn deref_mut(&mut self) -> &mut Vec<Value<'a>> {
        &mut self.items
    }
}

impl<'a> From<Vec<Value<'a>>> for List<'a> {
    #[inline]
    fn from(items: Vec<Value<'a>>) -> List<'a> {
        List { items }
    }
}

impl<'a> FromIterator<Value<'a>> for List<'a> {
    fn from_iter<I: IntoIterator<Item = Value<'a>>>(iter: I) -> List<'a> {
        List { items: iter.into_iter().collect() }
    }
}

impl<'a> IntoIterator for List<'a> {
    type Item = Value<'a>;
    type IntoIter = alloc::vec::IntoIter<Value<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

impl<'v, 'a> IntoIterator for &'v List<'a> {
    type Item = &'v Value<'a>;
    type IntoIter = core::slice::Iter<'v, Value<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl fmt::Debug for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.items).finish()
    }
}
