//! [`Map`]: entries in order, no key twice.

use super::Value;
use super::walk::{self, Part};
use crate::canonical::Form;
use crate::error::Result;
use crate::keys;
use crate::write::Output;
use alloc::vec::Vec;
use core::fmt;
use core::mem;

/// The entries of a map, in order, each key once (MAP-5).
///
/// Looking a key up and [`insert`](Map::insert) go through the entries, as they are few in most maps;
/// to build a large one, collect its entries with [`try_from_entries`](Map::try_from_entries).
///
/// ```
/// use wbin::{Map, Value};
/// let mut map = Map::new();
/// map.insert("b", 1);
/// map.insert("a", 2);
/// assert_eq!(map.insert("b", 3), Some(Value::from(1)));
/// assert_eq!(map.get("a"), Some(&Value::from(2)));
/// assert_eq!(map.keys().filter_map(Value::as_str).collect::<Vec<_>>(), ["b", "a"]);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Map<'a> {
    entries: Vec<(Value<'a>, Value<'a>)>,
}

impl<'a> Map<'a> {
    /// A map of no entries.
    pub const fn new() -> Map<'a> {
        Map { entries: Vec::new() }
    }

    /// A map of these entries, in this order.
    ///
    /// ```
    /// use wbin::Map;
    /// let map = Map::try_from_entries(vec![("a".into(), 1.into()), (5.into(), 2.into())]).unwrap();
    /// assert_eq!(map.len(), 2);
    /// let twice = Map::try_from_entries(vec![("a".into(), 1.into()), ("a".into(), 2.into())]);
    /// assert_eq!(twice.unwrap_err().name(), "duplicate-key");
    /// ```
    ///
    /// # Errors
    ///
    /// If two keys are equal (MAP-5).
    pub fn try_from_entries(entries: Vec<(Value<'a>, Value<'a>)>) -> Result<Map<'a>> {
        match find_duplicate(&entries) {
            Some(_) => Err(crate::encode::duplicate_key()),
            None => Ok(Map { entries }),
        }
    }

    /// Entries of which the keys were compared already.
    #[inline]
    pub(crate) fn trusted(entries: Vec<(Value<'a>, Value<'a>)>) -> Map<'a> {
        Map { entries }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value of a text key.
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        self.entries.iter().find(|(k, _)| k.as_str() == Some(key)).map(|(_, value)| value)
    }

    /// The value of a text key, to change it.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value<'a>> {
        self.entries.iter_mut().find(|(k, _)| k.as_str() == Some(key)).map(|(_, value)| value)
    }

    /// The value of any key.
    ///
    /// ```
    /// use wbin::{Value, wbin};
    /// let value = wbin!({7: "seven"});
    /// assert_eq!(value.as_map().unwrap().get_value(&Value::from(7)), Some(&Value::from("seven")));
    /// ```
    pub fn get_value(&self, key: &Value<'_>) -> Option<&Value<'a>> {
        let index = self.position(key)?;
        self.entries.get(index).map(|(_, value)| value)
    }

    fn position(&self, key: &Value<'_>) -> Option<usize> {
        self.entries.iter().position(|(k, _)| k == key)
    }

    /// Sets the value of a key; a new key goes to the end. Gives the value that it had.
    pub fn insert(&mut self, key: impl Into<Value<'a>>, value: impl Into<Value<'a>>) -> Option<Value<'a>> {
        let (key, value) = (key.into(), value.into());
        match self.position(&key) {
            Some(index) => Some(mem::replace(&mut self.entries[index].1, value)),
            None => {
                self.entries.push((key, value));
                None
            }
        }
    }

    /// Takes a key out, and gives its value. The order of the others stays.
    pub fn remove(&mut self, key: &Value<'_>) -> Option<Value<'a>> {
        let index = self.position(key)?;
        Some(self.entries.remove(index).1)
    }

    /// The entries, in order.
    pub fn iter(&self) -> core::slice::Iter<'_, (Value<'a>, Value<'a>)> {
        self.entries.iter()
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = &Value<'a>> {
        self.entries.iter().map(|(key, _)| key)
    }

    /// The values, in order.
    pub fn values(&self) -> impl Iterator<Item = &Value<'a>> {
        self.entries.iter().map(|(_, value)| value)
    }

    /// The values, in order, to change them.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Value<'a>> {
        self.entries.iter_mut().map(|(_, value)| value)
    }

    /// The entries as a plain vector.
    pub fn into_entries(mut self) -> Vec<(Value<'a>, Value<'a>)> {
        mem::take(&mut self.entries)
    }
}

/// The index of an entry whose key one before it has.
pub(super) fn find_duplicate(entries: &[(Value<'_>, Value<'_>)]) -> Option<usize> {
    let mut out = Output::default();
    let mut ranges = Vec::new();
    for (key, _) in entries {
        let start = out.len();
        key.write_any_depth(&mut out);
        ranges.push((start, out.len()));
    }
    keys::find_duplicate(out.as_bytes(), &ranges, Form::Preferred)
}

impl Drop for Map<'_> {
    #[inline]
    fn drop(&mut self) {
        if !self.entries.is_empty() {
            walk::drop_part(Part::Map(mem::take(&mut self.entries)));
        }
    }
}

impl<'a> IntoIterator for Map<'a> {
    type Item = (Value<'a>, Value<'a>);
    type IntoIter = alloc::vec::IntoIter<(Value<'a>, Value<'a>)>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_entries().into_iter()
    }
}

impl<'v, 'a> IntoIterator for &'v Map<'a> {
    type Item = &'v (Value<'a>, Value<'a>);
    type IntoIter = core::slice::Iter<'v, (Value<'a>, Value<'a>)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter()
    }
}

impl<'a, K: Into<Value<'a>>, V: Into<Value<'a>>> FromIterator<(K, V)> for Map<'a> {
    /// Collects entries; of a key that occurs more than once the last value counts, as in the
    /// standard library's maps, at the place where the key stood first.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(iter: I) -> Map<'a> {
        let entries: Vec<_> = iter.into_iter().map(|(k, v)| (k.into(), v.into())).collect();
        if find_duplicate(&entries).is_none() {
            return Map { entries };
        }
        let mut map = Map::new();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

impl fmt::Debug for Map<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.entries.iter().map(|(key, value)| (key, value))).finish()
    }
}
