//! The structure of lists and maps by columns, for programs that show it or count its bytes.
//!
//! Nothing here is needed to read or write: values by columns are values like any others (COL-4), and
//! [`Decoder`](crate::Decoder), [`Cursor`](crate::Cursor) and all the rest take both. [`Config::plain`] turns
//! columns off for writing.
//!
//! [`Config::plain`]: crate::Config::plain

// - `packed`: numbers of a few bits each.
// - `walk`: the structure of columns, in one place: what finds their end and what reads them use it.
// - `load`: how much columns may give out for their bytes.
// - `layout`: the same, for others to look at.
// - `content`: what is checked of a column beyond its form.
// - `plan`: columns that were read, and access to each of their elements.
// - `check`: columns that are only checked.
// - `apart`: the keys of maps told apart.
// - `collect`: values of the plain layer taken apart into columns.
// - `choose`: each of these in its cheapest kind.
// - `compact`: documents of the plain layer, by columns where that is shorter.
// - `rows`: values taken apart into columns while they are serialized, without bytes in between.
// - `pool`: memory for them.
// - `emit`, `measure`: such columns back in the plain layer, and how many bytes they would take there.

mod apart;
mod check;
// Half of these four is for rows, which only serde gives.
#[cfg_attr(not(feature = "serde"), allow(dead_code))]
mod choose;
#[cfg_attr(not(feature = "serde"), allow(dead_code))]
mod collect;
mod compact;
mod content;
#[cfg_attr(not(feature = "serde"), allow(dead_code))]
mod emit;
mod layout;
mod load;
#[cfg_attr(not(feature = "serde"), allow(dead_code))]
mod measure;
mod packed;
mod plan;
#[cfg(feature = "serde")]
mod pool;
#[cfg(feature = "serde")]
mod rows;
mod walk;

pub(crate) use check::{Check, Values};
pub(crate) use compact::compact;
pub use layout::{Column, Kind, Layout, Place, layout};
pub(crate) use plan::{Columns, Element, Entry, Mark, Node, Part, Parts, Run, Shape};
pub(crate) use walk::skip;
#[cfg(feature = "serde")]
pub(crate) use {
    collect::{DEEPEST, Kind as ValueKind},
    compact::{CONTAINER_MIN, ENTRIES_MIN, SCALARS_MIN},
    rows::{END, Found, Items, Rows, Scalar},
};

use crate::error::{Code, Error};

/// The error of a column that begins at `start` and is not what it should be (COL-39).
#[cold]
#[inline(never)]
fn invalid(start: usize, what: &'static str) -> Error {
    Error::new(Code::InvalidColumn, start, alloc::format!("invalid column: {what}"))
}
