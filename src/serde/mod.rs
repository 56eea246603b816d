//! Everything that works with serde; nothing outside of this folder names it.

mod api;
mod buffer;
mod columns;
mod de;
mod error;
#[cfg(feature = "json")]
pub mod json;
mod raw;
mod rows;
mod ser;
mod stream;
pub(crate) mod tagged;
mod value;
pub mod with;

pub use api::{deserialize, from_slice, serialize, take_from_slice, to_vec};
#[cfg(feature = "std")]
pub use api::{from_reader, to_writer};
pub use buffer::Buffer;
pub use de::Deserializer;
pub use ser::Serializer;
pub use stream::{Iter, iter};
#[cfg(feature = "std")]
pub use stream::{ReaderIter, iter_reader};
pub use value::{OwnedValue, from_value, to_value};
