//! Any bytes, and whether they are canonical.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wbin_fuzz::canonical(bytes));
