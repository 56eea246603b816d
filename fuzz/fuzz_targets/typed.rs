//! Any bytes into types of serde that are easy to get wrong.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wbin_fuzz::typed(bytes));
