//! An allocator that counts, for each thread, the bytes that are taken and the most that were. Where nothing is to be
//! counted it costs a look at one cell.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, with a count.
pub(crate) struct Counting;

thread_local! {
    /// Whether anything is counted now.
    static ON: Cell<bool> = const { Cell::new(false) };
    /// Bytes taken now, since the count began; what was taken before may be given back meanwhile.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    /// The most that there were.
    static PEAK: Cell<isize> = const { Cell::new(0) };
    /// All that were taken, whether they were given back or not.
    static TAKEN: Cell<usize> = const { Cell::new(0) };
}

fn count(by: isize) {
    // While a thread ends its counters are gone, and nobody asks for them any more.
    if !ON.try_with(Cell::get).unwrap_or(false) {
        return;
    }
    let _ = LIVE.try_with(|live| {
        live.set(live.get() + by);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(live.get())));
        let _ = TAKEN.try_with(|taken| taken.set(taken.get() + usize::try_from(by).unwrap_or(0)));
    });
}

// SAFETY: every call goes to the system's allocator as it came; counting touches no memory but two
// cells of the thread, which need no allocation.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise is the one that is asked for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // For a moment there may be both.
        count(size as isize);
        count(-(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.realloc(block, layout, size) }
    }
}

/// The most memory that a call took at once, in bytes, above what was taken before it.
pub(crate) fn peak_of<T>(call: impl FnOnce() -> T) -> usize {
    LIVE.with(|live| live.set(0));
    PEAK.with(|peak| peak.set(0));
    ON.set(true);
    let result = call();
    ON.set(false);
    let most = PEAK.with(Cell::get);
    drop(result);
    most as usize
}

/// How many bytes of memory a call took in all: a measure of its work that no clock disturbs.
pub(crate) fn work_of<T>(call: impl FnOnce() -> T) -> usize {
    TAKEN.set(0);
    ON.set(true);
    drop(call());
    ON.set(false);
    TAKEN.get()
}
