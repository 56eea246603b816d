//! The program's reader of JSON.
#![no_main]

#[path = "../src/cli_json.rs"]
mod cli_json;
#[path = "../../cli/src/json.rs"]
#[allow(dead_code)]
mod json;
#[path = "../../cli/src/text.rs"]
#[allow(dead_code)]
mod text;

// What the reader asks of the rest of the program: no progress is shown, and nothing is written to files.
mod progress {
    pub(crate) struct Progress;
    impl Progress {
        pub(crate) fn none() -> Progress {
            Progress
        }
        pub(crate) fn reached(&self, _: u64) {}
    }
}
mod fail {
    pub(crate) type Result<T> = std::result::Result<T, String>;
}
mod io {
    #[derive(Default)]
    pub(crate) struct Output(Vec<u8>);
    impl Output {
        pub(crate) fn put(&mut self, text: &str) -> crate::fail::Result<()> {
            self.0.extend(text.bytes());
            Ok(())
        }
        pub(crate) fn failure(&self, error: &std::io::Error) -> String {
            error.to_string()
        }
    }
    impl std::io::Write for Output {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    pub(crate) struct Input {
        pub(crate) bytes: Vec<u8>,
    }
    impl Input {
        pub(crate) fn bad(&self, what: impl std::fmt::Display) -> String {
            what.to_string()
        }
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| cli_json::cli_json(bytes));
