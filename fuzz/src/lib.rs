//! The properties that the fuzz targets check. A target only hands its input over; what must hold is
//! said here, so that tests/fuzz.rs can check it as well, and a crash can be replayed from a test or a
//! debugger.

mod canonical;
mod columns;
mod differential;
mod stream;
mod structured;
mod support;
mod typed;
mod value;

pub use canonical::canonical;
pub use columns::{Rows, columns};
pub use differential::differential;
pub use stream::stream;
pub use structured::{Plan, structured};
pub use typed::typed;
pub use value::value;

use support::reference::Fault;

/// The name and the offset of an error: what SPEC.md fixes of it.
fn fault(error: &wbin::Error) -> Fault {
    (error.name(), error.offset().expect("an error of reading has an offset"))
}
