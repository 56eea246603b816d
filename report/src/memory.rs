//! The most memory that a call takes at once. Nothing is timed meanwhile, and nothing is counted while times are taken.

use serde::{Deserialize, Serialize};

use crate::codecs::Codec;
use crate::measure::{CHECKED, Subject};
use crate::typed::{Sample, Typed};

// An allocator cannot be written without it.
#[allow(unsafe_code, dead_code)] // and what only the tests count is there, too
#[path = "../../tests/support/alloc.rs"]
mod alloc;

use alloc::{Counting, peak_of};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// In bytes, what is made included: all calls start without a buffer.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Peaks {
    pub encode: usize,
    pub decode: usize,
}

/// Of a codec for the common value: of the documents, which are encoded and decoded apart, the one that takes the most.
pub fn of<C: Codec>(subject: &Subject<'_>) -> Peaks {
    let encode = subject.docs.iter().map(|doc| peak_of(|| C::encode(doc).expect(CHECKED)));
    let decode =
        subject.bytes.iter().map(|bytes| peak_of(|| C::decode(bytes, &mut Vec::new()).expect(CHECKED)));
    Peaks { encode: encode.max().unwrap_or(0), decode: decode.max().unwrap_or(0) }
}

/// Of a codec for typed data.
pub fn of_typed<C: Typed, S: Sample>(sample: &S, bytes: &[u8]) -> Peaks {
    Peaks {
        encode: peak_of(|| C::encode_once(sample).expect(CHECKED)),
        decode: peak_of(|| C::decode::<S>(bytes, &mut C::Buffer::default()).expect(CHECKED)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codecs::Result;
    use crate::value::Value;

    /// Takes a known amount of memory.
    struct Greedy;

    impl Codec for Greedy {
        const NAME: &'static str = "greedy";
        type Own<'a> = ();

        fn encode(_: &Value) -> Result<Vec<u8>> {
            drop(vec![0_u8; 3000]);
            Ok(vec![0; 1000])
        }

        fn decode(bytes: &[u8], scratch: &mut Vec<u8>) -> Result<Value> {
            scratch.reserve_exact(500);
            Ok(Value::Bytes(vec![0; bytes.len()]))
        }
    }

    #[test]
    fn the_most_that_is_taken_at_once_is_counted() {
        let subject = Subject { docs: &[Value::Null, Value::Null], bytes: &[vec![0; 20], vec![0; 10]] };
        for _ in 0..2 {
            assert_eq!(of::<Greedy>(&subject), Peaks { encode: 3000, decode: 520 });
        }
    }
}
