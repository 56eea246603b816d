//! What the tests have: the tree that holds every value, the naive twin of the crate, and the writers of
//! documents in any legal form.
#![allow(dead_code)] // the tests use more of it

#[path = "../../tests/support/columns.rs"]
pub(crate) mod columns;
#[path = "../../tests/support/loose.rs"]
pub(crate) mod loose;
#[path = "../../tests/support/reference.rs"]
pub(crate) mod reference;
#[path = "../../tests/support/tree.rs"]
mod tree;

pub(crate) use tree::Tree;

/// What these files ask for.
fn unhex(digits: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("hex digits");
    (0..digits.len()).step_by(2).map(digit).collect()
}
