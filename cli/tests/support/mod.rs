//! Running the program, and reading JSON token by token.
#![allow(dead_code)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use struson::reader::{JsonReader, JsonStreamReader, ReaderSettings, ValueType};

pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("UTF-8 on the standard output")
    }

    /// The output of a run that went well and said nothing else.
    #[track_caller]
    pub(crate) fn ok(self) -> Vec<u8> {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""));
        self.stdout
    }

    #[track_caller]
    pub(crate) fn ok_text(self) -> String {
        String::from_utf8(self.ok()).expect("UTF-8 on the standard output")
    }

    /// A run that failed with this code and this message, and wrote nothing.
    #[track_caller]
    pub(crate) fn fails(self, code: i32, message: &str) {
        assert_eq!(self.stderr, format!("error: {message}\n"));
        assert_eq!((self.code, self.text()), (code, ""));
    }
}

pub(crate) fn command<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wbin"));
    command.args(args).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program with some standard input.
pub(crate) fn wbin<S: AsRef<std::ffi::OsStr>>(args: &[S], input: &[u8]) -> Ran {
    let mut child = command(args).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let output = std::thread::scope(|scope| {
        // On a thread of its own, as the program may write before it has read everything; it may also
        // stop before.
        scope.spawn(move || stdin.write_all(input).ok());
        child.wait_with_output().expect("the program ends")
    });
    Ran {
        code: output.status.code().expect("an exit code"),
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).expect("UTF-8 on the standard error"),
    }
}

pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

pub(crate) fn unhex(digits: &str) -> Vec<u8> {
    let pairs = (0..digits.len()).step_by(2);
    pairs.map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hex digits")).collect()
}

/// The bytes of a value in diagnostic notation.
pub(crate) fn bytes_of(notation: &str) -> Vec<u8> {
    wbin::diag::parse(notation).expect("notation")
}

/// The real documents, if they are there.
pub(crate) fn documents() -> Vec<PathBuf> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let mut found = Vec::new();
    for folder in [data.clone(), data.join("schemastore")] {
        let Ok(entries) = std::fs::read_dir(folder) else {
            continue;
        };
        let files = entries.map(|entry| entry.expect("an entry").path());
        found.extend(files.filter(|path| path.extension().is_some_and(|extension| extension == "json")));
    }
    found.sort();
    if found.is_empty() {
        println!("skipped: the real documents are not here");
    }
    found
}

#[derive(Debug, PartialEq)]
pub(crate) enum Token {
    Open(char),
    Close(char),
    Name(String),
    String(String),
    /// A number without point and exponent, but not -0.
    Int(String),
    /// The bits of any other.
    Float(u64),
    Word(&'static str),
}

/// The tokens of a JSON text.
pub(crate) fn tokens(text: &[u8]) -> Vec<Token> {
    let settings = ReaderSettings {
        max_nesting_depth: None,
        restrict_number_values: false,
        ..ReaderSettings::default()
    };
    let mut json = JsonStreamReader::new_custom(text, settings);
    let mut tokens = Vec::new();
    let mut open: Vec<char> = Vec::new();
    loop {
        while let Some(innermost) = open.last() {
            if json.has_next().expect("JSON") {
                if *innermost == '{' {
                    tokens.push(Token::Name(json.next_name_owned().expect("a name")));
                }
                break;
            }
            match open.pop() {
                Some('[') => {
                    json.end_array().expect("an end");
                    tokens.push(Token::Close(']'));
                }
                _ => {
                    json.end_object().expect("an end");
                    tokens.push(Token::Close('}'));
                }
            }
        }
        if open.is_empty() && !tokens.is_empty() {
            json.consume_trailing_whitespace().expect("nothing more");
            return tokens;
        }
        tokens.push(match json.peek().expect("a value") {
            ValueType::Array => {
                json.begin_array().expect("an array");
                open.push('[');
                Token::Open('[')
            }
            ValueType::Object => {
                json.begin_object().expect("an object");
                open.push('{');
                Token::Open('{')
            }
            ValueType::String => Token::String(json.next_string().expect("a string")),
            ValueType::Boolean => {
                Token::Word(if json.next_bool().expect("a bool") { "true" } else { "false" })
            }
            ValueType::Null => {
                json.next_null().expect("null");
                Token::Word("null")
            }
            ValueType::Number => {
                let digits = json.next_number_as_string().expect("a number");
                match digits.contains(['.', 'e', 'E']) || digits == "-0" {
                    true => Token::Float(digits.parse::<f64>().expect("a float").to_bits()),
                    false => Token::Int(digits),
                }
            }
        });
    }
}

/// The shortest text with these tokens.
pub(crate) fn minified(tokens: &[Token]) -> String {
    let quoted = |text: &str| serde_json::to_string(text).expect("a string");
    let mut out = String::new();
    for token in tokens {
        let comma = !matches!(token, Token::Close(_)) && !out.is_empty() && !out.ends_with(['[', '{', ':']);
        if comma {
            out.push(',');
        }
        match token {
            Token::Open(c) | Token::Close(c) => out.push(*c),
            Token::Name(name) => out.extend([&quoted(name), ":"]),
            Token::String(text) => out.push_str(&quoted(text)),
            Token::Int(digits) => out.push_str(digits),
            Token::Float(bits) => {
                out.push_str(&serde_json::to_string(&f64::from_bits(*bits)).expect("a float"));
            }
            Token::Word(word) => out.push_str(word),
        }
    }
    out
}
