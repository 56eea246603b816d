//! The properties that the fuzz targets check. A target only hands its input over; what must hold is
//! said here, so that a crash can be replayed from a test or a debugger as well.

mod differential;
mod structured;
mod typed;
mod value;

// The tree that holds every value, and the naive twin of the crate: those of the tests.
#[path = "../../tests/support/reference.rs"]
#[allow(dead_code)]
mod reference;
#[path = "../../tests/support/tree.rs"]
#[allow(dead_code)]
mod tree;

pub use differential::differential;
pub use structured::{Plan, structured};
pub use typed::typed;
pub use value::value;

use reference::Fault;
use tree::Tree;

/// What the support of the tests asks for.
fn unhex(digits: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("hex digits");
    (0..digits.len()).step_by(2).map(digit).collect()
}

/// The name and the offset of an error: what SPEC.md fixes of it.
fn fault(error: &wbin::Error) -> Fault {
    (error.name(), error.offset().expect("an error of reading has an offset"))
}
