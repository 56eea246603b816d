//! Any bytes as values one after the other, delivered in any way.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wbin_fuzz::stream(bytes));
