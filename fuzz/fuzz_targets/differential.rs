//! Any bytes, judged by the naive twin.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wbin_fuzz::differential(bytes));
