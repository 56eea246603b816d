//! How much the columns of a list or map may give out for their bytes (COL-44), and how many there may be (COL-45).

use crate::tag::column;

/// What was counted of the columns of a list or map.
#[derive(Clone, Copy, Default)]
pub(super) struct Load {
    /// How many elements they have, counting exts twice.
    pub(super) elements: u64,
    /// How many bytes of text dictionaries give out.
    pub(super) text: u64,
    /// The bytes of plain columns, less one for each of their values.
    pub(super) plain: u64,
    /// How many columns there are.
    pub(super) columns: u64,
}

impl Load {
    /// A plain column of `n` values in so many bytes.
    pub(super) fn add_plain(&mut self, n: u64, length: u64) {
        self.plain += length - n;
    }

    /// Whether so many bytes, from the tag to the end of the columns, bear so much. The tag pays for the list or map
    /// itself.
    pub(super) fn is_allowed(&self, bytes: usize) -> bool {
        let weight = self.elements.saturating_mul(column::ELEMENT_WEIGHT).saturating_add(self.text);
        weight <= (bytes as u64).saturating_sub(1 + self.plain).saturating_mul(column::WEIGHT_PER_BYTE)
    }
}
