//! The plain layer: heads and scalars, one value's tag at a time.

mod read;
mod write;

pub(crate) use read::{Token, bad_ext_type, bad_tag, invalid_utf8, str_from};
