//! The clock and the rounds.

use std::time::{Duration, Instant};

/// Something to be timed. What it gives back is dropped within the time.
pub(super) type Task<'a> = Box<dyn Fn() + 'a>;

/// What is timed at once takes so long at least, which is far more than asking the clock.
const BATCH: Duration = Duration::from_micros(200);

/// Each task has so many turns at least.
const FEWEST: u32 = 5;

/// The least time of each task in nanoseconds, and how many turns it had.
///
/// All tasks are done in turn, round after round, so that whatever else the machine does meets all of them; the
/// least time is that of a turn that was not disturbed.
pub(super) fn least(tasks: &[Task<'_>], budget: Duration) -> (Vec<f64>, u32) {
    let start = Instant::now();
    let repetitions: Vec<u32> = tasks.iter().map(repetitions).collect();
    let mut least = vec![f64::INFINITY; tasks.len()];
    let mut rounds = 0;
    while rounds < FEWEST || start.elapsed() < budget {
        for ((task, repetitions), least) in tasks.iter().zip(&repetitions).zip(&mut least) {
            let time = time(task, *repetitions).as_secs_f64() * 1e9 / f64::from(*repetitions);
            *least = least.min(time);
        }
        rounds += 1;
    }
    (least, rounds)
}

fn time(task: &Task<'_>, repetitions: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..repetitions {
        task();
    }
    start.elapsed()
}

/// How often a task is to be repeated in a batch; finding out warms it up.
fn repetitions(task: &Task<'_>) -> u32 {
    let mut repetitions = 1;
    while time(task, repetitions) < BATCH {
        repetitions *= 2;
    }
    repetitions
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn tasks_take_turns() {
        let calls: [Cell<u32>; 2] = Default::default();
        let wait = |nanoseconds: u64, calls: &Cell<u32>| {
            calls.set(calls.get() + 1);
            let start = Instant::now();
            while start.elapsed() < Duration::from_nanos(nanoseconds) {}
        };
        let tasks: [Task<'_>; 2] =
            [Box::new(|| wait(50_000, &calls[0])), Box::new(|| wait(1_000_000, &calls[1]))];
        let (times, rounds) = least(&tasks, Duration::ZERO);
        assert_eq!(rounds, FEWEST);
        // One call warms the slow one up; the other is repeated until it takes as long as a batch.
        assert_eq!(calls[1].get(), 1 + rounds);
        assert!(calls[0].get() > 3 * rounds, "{calls:?}");
        assert!(times[0] >= 50_000.0 && times[1] >= 1_000_000.0, "{times:?}");
    }
}
