//! Records that are nearly alike, by every writer and in any columns.
#![no_main]

libfuzzer_sys::fuzz_target!(|rows: wbin_fuzz::Rows| wbin_fuzz::columns(&rows));
