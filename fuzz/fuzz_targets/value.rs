//! Any bytes as a value, by every way of reading and writing one.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wbin_fuzz::value(bytes));
