//! The clock and the rounds.
//!
//! Time is the CPU time of this thread, so that other processes do not count. What they still do to caches and clock
//! rates is met by going through all codecs in turn, round after round, and keeping the least time of each.
//!
//! Results are shown to `black_box` by reference and dropped in place: moving them through it would cost a tenth of what
//! the smallest workload takes.

use std::hint::black_box;

use rustix::time::{ClockId, clock_gettime};

use crate::codecs::Codec;
use crate::typed::{Sample, Typed};
use crate::value::Value;

/// The CPU time of this thread in nanoseconds.
fn now() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    // Neither part is ever negative for a CPU clock.
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Documents and what one codec made of them.
pub struct Subject<'a> {
    pub docs: &'a [Value],
    pub bytes: &'a [Vec<u8>],
}

pub const CHECKED: &str = "the round trip was checked before";

/// The time of `batch` encodings of all documents, each into a fresh vector that is freed again.
pub fn encode<C: Codec>(subject: &Subject<'_>, batch: u64) -> u64 {
    let start = now();
    for _ in 0..batch {
        for doc in subject.docs {
            let bytes = C::encode(black_box(doc)).expect(CHECKED);
            black_box(bytes.as_slice());
        }
    }
    now() - start
}

/// The time of `batch` decodings of all documents into the common value, dropping it included.
pub fn decode<C: Codec>(subject: &Subject<'_>, batch: u64) -> u64 {
    let mut scratch = Vec::new();
    let start = now();
    for _ in 0..batch {
        for bytes in subject.bytes {
            let value = C::decode(black_box(bytes), &mut scratch).expect(CHECKED);
            black_box(&value);
        }
    }
    now() - start
}

/// The time of `batch` encodings from the codec's own value, which is made beforehand.
pub fn encode_own<C: Codec>(subject: &Subject<'_>, batch: u64) -> u64 {
    let mut scratch = vec![Vec::new(); subject.bytes.len()];
    let owns: Vec<C::Own<'_>> = subject
        .bytes
        .iter()
        .zip(&mut scratch)
        .map(|(bytes, scratch)| C::decode_own(bytes, scratch).expect(CHECKED))
        .collect();
    let start = now();
    for _ in 0..batch {
        for own in &owns {
            let bytes = C::encode_own(black_box(own)).expect(CHECKED);
            black_box(bytes.as_slice());
        }
    }
    now() - start
}

/// The time of `batch` decodings into the codec's own value, dropping it included.
pub fn decode_own<C: Codec>(subject: &Subject<'_>, batch: u64) -> u64 {
    let mut scratch = Vec::new();
    let start = now();
    for _ in 0..batch {
        for bytes in subject.bytes {
            let own = C::decode_own(black_box(bytes), &mut scratch).expect(CHECKED);
            black_box(&own);
        }
    }
    now() - start
}

/// The time of `batch` encodings of a typed sample, into a buffer that has grown before.
pub fn encode_typed<C: Typed, S: Sample>(sample: &S, batch: u64) -> u64 {
    let mut buffer = C::Buffer::default();
    C::encode(sample, &mut buffer).expect(CHECKED);
    let start = now();
    for _ in 0..batch {
        let bytes = C::encode(black_box(sample), &mut buffer).expect(CHECKED);
        black_box(bytes);
    }
    now() - start
}

/// The time of `batch` decodings of a typed sample into the type that owns, dropping it included.
pub fn decode_typed<C: Typed, S: Sample>(bytes: &[u8], batch: u64) -> u64 {
    let mut scratch = C::Buffer::default();
    let start = now();
    for _ in 0..batch {
        let sample: S = C::decode(black_box(bytes), &mut scratch).expect(CHECKED);
        black_box(&sample);
    }
    now() - start
}

/// The time of `batch` decodings of a typed sample into the type that borrows, dropping it included.
pub fn borrow_typed<C: Typed, S: Sample>(bytes: &[u8], batch: u64) -> u64 {
    let start = now();
    for _ in 0..batch {
        let sample: S::Ref<'_> = C::borrow(black_box(bytes)).expect(CHECKED);
        black_box(&sample);
    }
    now() - start
}

/// The time of `batch` walks to the end of all bytes.
pub fn skip<C: Typed, B: AsRef<[u8]>>(bytes: &[B], batch: u64) -> u64 {
    let mut scratch = C::Buffer::default();
    let start = now();
    for _ in 0..batch {
        for bytes in bytes {
            C::skip(black_box(bytes.as_ref()), &mut scratch).expect(CHECKED);
        }
    }
    now() - start
}

/// A limit: no decoder into an owned value can beat cloning and dropping it by much.
pub fn clone_and_drop<T: Clone>(docs: &[T], batch: u64) -> u64 {
    let start = now();
    for _ in 0..batch {
        for doc in docs {
            let value = black_box(doc).clone();
            black_box(&value);
        }
    }
    now() - start
}

/// A limit: the encoded bytes, copied into memory that is ready.
pub fn copy(bytes: &[Vec<u8>], batch: u64) -> u64 {
    let mut ready = bytes.to_vec();
    let start = now();
    for _ in 0..batch {
        for (to, from) in ready.iter_mut().zip(bytes) {
            to.copy_from_slice(black_box(from));
            black_box(to);
        }
    }
    now() - start
}

/// A limit: the encoded bytes, copied into a fresh vector, which is what an encoder must fill at least.
pub fn copy_fresh(bytes: &[Vec<u8>], batch: u64) -> u64 {
    let start = now();
    for _ in 0..batch {
        for from in bytes {
            let bytes = black_box(from).to_vec();
            black_box(bytes.as_slice());
        }
    }
    now() - start
}

/// How long to measure.
#[derive(Clone, Copy)]
pub struct Plan {
    pub rounds: u32,
    /// What one workload may take in nanoseconds: a large one is measured in fewer rounds,
    pub budget: u64,
    /// but in so many at least.
    pub fewest: u32,
    /// The least time of one batch in nanoseconds, far above the clock's own cost of some 200.
    pub batch_time: u64,
}

/// One thing to be timed: given a number of repetitions, it returns their time.
pub type Task<'a> = Box<dyn Fn(u64) -> u64 + 'a>;

/// The least time of each task in nanoseconds per repetition.
pub fn run(tasks: &[Task<'_>], plan: Plan) -> Vec<f64> {
    let batches: Vec<Batch> = tasks.iter().map(|task| batch(task, plan.batch_time)).collect();
    let round: u64 = batches.iter().map(|batch| batch.time).sum();
    // As many for each task, so that none has more chances than another.
    let rounds = (plan.budget / round.max(1)).max(plan.fewest.into()).min(plan.rounds.into());
    let mut least = vec![f64::INFINITY; tasks.len()];
    for round in 0..rounds as usize {
        for place in 0..tasks.len() {
            // Each round begins with another task, so that none always follows the same break.
            let index = (place + round * 5) % tasks.len();
            let batch = batches[index].repetitions;
            let time = tasks[index](batch) as f64 / batch as f64;
            least[index] = least[index].min(time);
        }
    }
    least
}

/// Repetitions that are timed together.
struct Batch {
    repetitions: u64,
    /// What they take in nanoseconds.
    time: u64,
}

/// What takes so many times the least time is not called twice to find that it is called once.
const LONG: u64 = 50;

/// The repetitions that take `least_time`. Finding them warms the task up.
fn batch(task: &Task<'_>, least_time: u64) -> Batch {
    let mut repetitions = 1;
    let time = task(repetitions);
    if time >= LONG * least_time {
        return Batch { repetitions, time };
    }
    loop {
        let time = task(repetitions).max(1);
        if time >= least_time {
            return Batch { repetitions, time };
        }
        // Grows tenfold at most, because the first times are of cold code; a tenth more than seems needed.
        repetitions = (repetitions * least_time * 11 / (time * 10) + 1).min(repetitions * 10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_time_per_repetition_is_kept() {
        let tasks: [Task<'_>; 2] = [Box::new(|batch| batch * 70), Box::new(|batch| batch * 9_000_000)];
        let plan = Plan { rounds: 3, batch_time: 200_000, budget: 0, fewest: 9 };
        assert_eq!(run(&tasks, plan), [70.0, 9_000_000.0]);
        assert!(batch(&tasks[0], plan.batch_time).repetitions * 70 >= plan.batch_time);
        assert_eq!(batch(&tasks[1], plan.batch_time).repetitions, 1);
    }

    #[test]
    fn what_is_long_is_called_once() {
        let calls = |time: u64| {
            let calls = std::cell::Cell::new(0);
            let task: Task<'_> = Box::new(|batch| {
                calls.set(calls.get() + 1);
                batch * time
            });
            assert_eq!(batch(&task, 1000).repetitions, 1);
            calls.get()
        };
        assert_eq!([calls(49_999), calls(50_000)], [2, 1]);
    }

    #[test]
    fn a_large_workload_has_fewer_rounds() {
        let rounds = |budget| {
            let calls = std::cell::Cell::new(0);
            let tasks: [Task<'_>; 1] = [Box::new(|batch| {
                calls.set(calls.get() + 1);
                batch * 1_000_000
            })];
            run(&tasks, Plan { rounds: 51, batch_time: 200_000, budget, fewest: 9 });
            // Two calls find the batch.
            calls.get() - 2
        };
        assert_eq!(rounds(0), 9);
        assert_eq!(rounds(20_000_000), 20);
        assert_eq!(rounds(u64::MAX), 51);
    }
}
