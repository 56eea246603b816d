//! Memory of columns that were written, for those that come next.

use super::collect::{Bits, Column, Ints, Store, Texts};
use alloc::vec::Vec;

/// Vectors without elements, of which the memory is kept.
#[derive(Default)]
pub(super) struct Pool {
    bytes: Vec<Vec<u8>>,
    ends: Vec<Vec<usize>>,
    small: Vec<Vec<i32>>,
    numbers: Vec<Vec<u64>>,
    floats: Vec<Vec<f64>>,
    /// Lengths, the bits of binary32 floats, and which elements are null.
    words: Vec<Vec<u32>>,
}

fn keep<T>(kept: &mut Vec<Vec<T>>, mut vector: Vec<T>) {
    vector.clear();
    kept.push(vector);
}

impl Pool {
    pub(super) fn bits(&mut self) -> Bits {
        Bits { bytes: self.bytes.pop().unwrap_or_default(), len: 0 }
    }

    pub(super) fn small(&mut self) -> Vec<i32> {
        self.small.pop().unwrap_or_default()
    }

    pub(super) fn ints(&mut self) -> Ints {
        Ints { numbers: self.numbers.pop().unwrap_or_default(), ..Ints::default() }
    }

    pub(super) fn floats(&mut self) -> Vec<f64> {
        self.floats.pop().unwrap_or_default()
    }

    pub(super) fn words(&mut self) -> Vec<u32> {
        self.words.pop().unwrap_or_default()
    }

    pub(super) fn texts(&mut self) -> Texts {
        Texts { bytes: self.bytes.pop().unwrap_or_default(), ends: self.ends.pop().unwrap_or_default() }
    }

    pub(super) fn keep_words(&mut self, words: Vec<u32>) {
        keep(&mut self.words, words);
    }

    /// Takes the memory of columns. If columns of the same kinds come again, each gets its own: what was kept
    /// last is taken first.
    pub(super) fn recycle(&mut self, columns: Vec<Column<'_>>) {
        for column in columns.into_iter().rev() {
            match column.store {
                Store::Bool(bits) => keep(&mut self.bytes, bits.bytes),
                Store::Small(numbers) => keep(&mut self.small, numbers),
                Store::Int(ints) => keep(&mut self.numbers, ints.numbers),
                Store::Float(floats) => keep(&mut self.floats, floats),
                Store::Single(words) | Store::List { lengths: words, .. } => keep(&mut self.words, words),
                Store::Text(texts) | Store::Blob(texts) => {
                    keep(&mut self.bytes, texts.bytes);
                    keep(&mut self.ends, texts.ends);
                }
                _ => {}
            }
        }
    }
}
