//! [`Map`]: entries in order, no key twice.

use super::Value;
use super::walk::{self, Part};
use crate::canonical::Form;
use crate::error::Result;
use crate::keys;
use crate::write::Output;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::iter::FusedIterator;
use core::mem;
use core::slice;

/// The entries of a map, in order, each key once (MAP-5).
///
/// Looking a key up and [`insert`](Map::insert) go through the entries, as they are few in most maps;
/// to build a large one, collect its entries with [`try_from_entries`](Map::try_from_entries).
///
/// Maps that were rows of a table share their keys, until a key is put in or taken out; it cannot be told but by
/// the memory that they take.
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
#[derive(Clone, Default)]
pub struct Map<'a> {
    entries: Entries<'a>,
}

/// The keys of a row, which are text. (A vector, as its address is one word: so a `Value` takes four.)
pub(crate) type Keys<'a> = Arc<Vec<Value<'a>>>;

#[derive(Clone)]
pub(super) enum Entries<'a> {
    Own(Vec<(Value<'a>, Value<'a>)>),
    /// A row of a table: its keys are those of others, too. It has as many values.
    Row(Keys<'a>, Box<[Value<'a>]>),
}

impl Default for Entries<'_> {
    #[inline(always)]
    fn default() -> Self {
        Entries::Own(Vec::new())
    }
}

impl<'a> Map<'a> {
    /// A map of no entries.
    pub const fn new() -> Map<'a> {
        Map { entries: Entries::Own(Vec::new()) }
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
            None => Ok(Map::trusted(entries)),
        }
    }

    /// Entries of which the keys were compared already.
    #[inline]
    pub(crate) fn trusted(entries: Vec<(Value<'a>, Value<'a>)>) -> Map<'a> {
        Map { entries: Entries::Own(entries) }
    }

    /// A row of a table: as many values as keys.
    #[inline]
    pub(crate) fn row(keys: Keys<'a>, values: Vec<Value<'a>>) -> Map<'a> {
        Map { entries: Entries::Row(keys, values.into_boxed_slice()) }
    }

    #[inline(always)]
    pub(super) fn parts(&self) -> &Entries<'a> {
        &self.entries
    }

    #[inline(always)]
    pub(super) fn into_parts(mut self) -> Entries<'a> {
        mem::take(&mut self.entries)
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        match &self.entries {
            Entries::Own(entries) => entries.len(),
            Entries::Row(_, values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a text key.
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        self.iter().find(|(k, _)| k.as_str() == Some(key)).map(|(_, value)| value)
    }

    /// The value of a text key, to change it.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value<'a>> {
        let index = self.keys().position(|k| k.as_str() == Some(key))?;
        self.value_mut(index)
    }

    /// The value of any key.
    ///
    /// ```
    /// use wbin::{Value, wbin};
    /// let value = wbin!({7: "seven"});
    /// assert_eq!(value.as_map().unwrap().get_value(&Value::from(7)), Some(&Value::from("seven")));
    /// ```
    pub fn get_value(&self, key: &Value<'_>) -> Option<&Value<'a>> {
        self.iter().find(|(k, _)| *k == key).map(|(_, value)| value)
    }

    fn position(&self, key: &Value<'_>) -> Option<usize> {
        self.keys().position(|k| k == key)
    }

    fn value_mut(&mut self, index: usize) -> Option<&mut Value<'a>> {
        match &mut self.entries {
            Entries::Own(entries) => entries.get_mut(index).map(|(_, value)| value),
            Entries::Row(_, values) => values.get_mut(index),
        }
    }

    /// Changes which entries there are: from now on the keys are its own.
    fn change<T>(&mut self, change: impl FnOnce(&mut Vec<(Value<'a>, Value<'a>)>) -> T) -> T {
        let mut entries = mem::take(self).into_entries();
        let result = change(&mut entries);
        *self = Map::trusted(entries);
        result
    }

    /// Sets the value of a key; a new key goes to the end. Gives the value that it had.
    pub fn insert(&mut self, key: impl Into<Value<'a>>, value: impl Into<Value<'a>>) -> Option<Value<'a>> {
        let (key, value) = (key.into(), value.into());
        match self.position(&key).and_then(|index| self.value_mut(index)) {
            Some(place) => Some(mem::replace(place, value)),
            None => {
                self.change(|entries| entries.push((key, value)));
                None
            }
        }
    }

    /// Takes a key out, and gives its value. The order of the others stays.
    pub fn remove(&mut self, key: &Value<'_>) -> Option<Value<'a>> {
        let index = self.position(key)?;
        Some(self.change(|entries| entries.remove(index).1))
    }

    /// The entries, in order.
    #[inline]
    pub fn iter(&self) -> MapIter<'_, 'a> {
        MapIter(match &self.entries {
            Entries::Own(entries) => Iter::Own(entries.iter()),
            Entries::Row(keys, values) => Iter::Row(keys.iter(), values.iter()),
        })
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = &Value<'a>> {
        self.iter().map(|(key, _)| key)
    }

    /// The values, in order.
    pub fn values(&self) -> impl Iterator<Item = &Value<'a>> {
        self.iter().map(|(_, value)| value)
    }

    /// The values, in order, to change them.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Value<'a>> {
        let (own, row) = match &mut self.entries {
            Entries::Own(entries) => (&mut entries[..], &mut [][..]),
            Entries::Row(_, values) => (&mut [][..], &mut values[..]),
        };
        own.iter_mut().map(|(_, value)| value).chain(row)
    }

    /// The entries as a plain vector.
    pub fn into_entries(self) -> Vec<(Value<'a>, Value<'a>)> {
        match self.into_parts() {
            Entries::Own(entries) => entries,
            Entries::Row(keys, values) => {
                Arc::unwrap_or_clone(keys).into_iter().zip(values.into_vec()).collect()
            }
        }
    }
}

/// The entries of a [`Map`], in order.
#[derive(Clone)]
pub struct MapIter<'v, 'a>(Iter<'v, 'a>);

#[derive(Clone)]
enum Iter<'v, 'a> {
    Own(slice::Iter<'v, (Value<'a>, Value<'a>)>),
    Row(slice::Iter<'v, Value<'a>>, slice::Iter<'v, Value<'a>>),
}

impl<'v, 'a> Iterator for MapIter<'v, 'a> {
    type Item = (&'v Value<'a>, &'v Value<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Iter::Own(entries) => entries.next().map(|(key, value)| (key, value)),
            Iter::Row(keys, values) => keys.next().zip(values.next()),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.0 {
            Iter::Own(entries) => entries.size_hint(),
            Iter::Row(_, values) => values.size_hint(),
        }
    }
}

impl DoubleEndedIterator for MapIter<'_, '_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Iter::Own(entries) => entries.next_back().map(|(key, value)| (key, value)),
            Iter::Row(keys, values) => keys.next_back().zip(values.next_back()),
        }
    }
}

impl ExactSizeIterator for MapIter<'_, '_> {}

impl FusedIterator for MapIter<'_, '_> {}

impl fmt::Debug for MapIter<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.clone()).finish()
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
        if !self.is_empty() {
            walk::drop_part(Part::from(mem::take(&mut self.entries)));
        }
    }
}

impl PartialEq for Map<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Eq for Map<'_> {}

impl Hash for Map<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        self.iter().for_each(|entry| entry.hash(state));
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
    type Item = (&'v Value<'a>, &'v Value<'a>);
    type IntoIter = MapIter<'v, 'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, K: Into<Value<'a>>, V: Into<Value<'a>>> FromIterator<(K, V)> for Map<'a> {
    /// Collects entries; of a key that occurs more than once the last value counts, as in the
    /// standard library's maps, at the place where the key stood first.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(iter: I) -> Map<'a> {
        let entries: Vec<_> = iter.into_iter().map(|(k, v)| (k.into(), v.into())).collect();
        if find_duplicate(&entries).is_none() {
            return Map::trusted(entries);
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
        f.debug_map().entries(self).finish()
    }
}
