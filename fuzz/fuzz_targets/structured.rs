//! Values first and bytes after: every writer, then every reader.
#![no_main]

libfuzzer_sys::fuzz_target!(|plan: wbin_fuzz::Plan| wbin_fuzz::structured(&plan));
