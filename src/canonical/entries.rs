//! The entries of maps, put in the order of their keys (CAN-5).

use crate::error::Result;
use crate::keys;
use crate::num::ends;
use crate::write::Output;
use alloc::vec::Vec;

/// The entries of all maps that are being written: those of the innermost one are the last.
#[derive(Default)]
pub(super) struct Entries {
    pub(super) all: Vec<Entry>,
    /// For each level the order of the map that was sorted last: the next one has the same keys more often than not.
    orders: Vec<Vec<(u64, usize)>>,
    /// Memory that is used again.
    sorted: Vec<u8>,
}

/// A map entry in the output, and where its key stood in the input.
pub(super) struct Entry {
    key: usize,
    value: usize,
    source: usize,
}

impl Entries {
    /// Notes where a key or value of the innermost map begins in the output.
    #[inline(always)]
    pub(super) fn value_begins(&mut self, start: usize, source: usize, is_key: bool) {
        match self.all.last_mut() {
            Some(entry) if !is_key => entry.value = start,
            _ => self.all.push(Entry { key: start, value: start, source }),
        }
    }

    /// Puts the entries of the innermost map, which are those after the first `outer` and reach to the end of the
    /// output, in order. It is in so many lists and maps.
    pub(super) fn sort(&mut self, outer: usize, level: usize, out: &mut Output) -> Result<()> {
        let entries = &self.all[outer..];
        let Some(first) = entries.first().map(|first| first.key) else { return Ok(()) };
        let body = &out.as_bytes()[first..];
        let key = |index: usize| &body[entries[index].key - first..entries[index].value - first];
        if self.orders.len() <= level {
            self.orders.resize_with(level + 1, Vec::new);
        }
        let order = &mut self.orders[level];
        let rises = |order: &[(u64, usize)]| order.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let mut is_known = order.len() == entries.len();
        if is_known {
            order.iter_mut().for_each(|(start, index)| *start = start_of(key(*index)));
            is_known = rises(order);
        }
        if !is_known {
            order.clear();
            order.extend((0..entries.len()).map(|index| (start_of(key(index)), index)));
            if !rises(order) {
                order.sort_unstable_by(|a, b| {
                    let keys = || key(a.1).cmp(key(b.1));
                    a.0.cmp(&b.0).then_with(keys).then(a.1.cmp(&b.1))
                });
                let twice = order.windows(2).filter(|pair| key(pair[0].1) == key(pair[1].1));
                if let Some(source) = twice.map(|pair| entries[pair[1].1].source).min() {
                    return Err(keys::duplicate(source));
                }
            }
        }
        if !order.windows(2).all(|pair| pair[0].1 < pair[1].1) {
            self.sorted.clear();
            self.sorted.reserve_exact(body.len());
            for (_, index) in order {
                let end = entries.get(*index + 1).map_or(body.len(), |next| next.key - first);
                self.sorted.extend_from_slice(&body[entries[*index].key - first..end]);
            }
            out.truncate(first);
            out.slice(&self.sorted);
        }
        self.all.truncate(outer);
        Ok(())
    }
}

/// What is compared first: the first bytes of a key as a number that is in the same order. No key is the beginning of
/// another.
#[inline(always)]
fn start_of(key: &[u8]) -> u64 {
    match key.first_chunk::<8>() {
        Some(start) => u64::from_be_bytes(*start),
        None => ends(key).0.swap_bytes(),
    }
}
