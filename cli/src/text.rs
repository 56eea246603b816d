//! Small things about text for people.

use std::fmt::Write;

/// A number with its digits in groups of three.
pub(crate) fn thousands(n: impl TryInto<u64>) -> String {
    let digits = n.try_into().unwrap_or(u64::MAX).to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count and its noun: `1 item`, `2 items`, `1 entry`, `2 entries`.
pub(crate) fn count(n: usize, noun: &str) -> String {
    let n_text = thousands(n as u64);
    match (n, noun.strip_suffix('y')) {
        (1, _) => format!("{n_text} {noun}"),
        (_, Some(stem)) => format!("{n_text} {stem}ies"),
        (_, None) => format!("{n_text} {noun}s"),
    }
}

/// A part of a whole in percent: `12.5 %`.
pub(crate) fn percent(part: usize, whole: usize) -> String {
    share(part as f64, whole as f64)
}

/// [`percent`] of what is no count.
pub(crate) fn share(part: f64, whole: f64) -> String {
    match whole {
        0.0 => "-".into(),
        _ => format!("{:.1} %", part * 100.0 / whole),
    }
}

/// A time with three digits or so: `15.4 ns`, `1.23 ms`.
pub(crate) fn duration(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        ..1e3 => (nanoseconds, "ns"),
        ..1e6 => (nanoseconds / 1e3, "µs"),
        ..1e9 => (nanoseconds / 1e6, "ms"),
        _ => (nanoseconds / 1e9, "s"),
    };
    let decimals = match value {
        ..10.0 => 2,
        ..100.0 => 1,
        _ => 0,
    };
    format!("{value:.decimals$} {unit}")
}

/// Text in quotes with at most `max` of its characters, safe to show on a terminal: what could move
/// the cursor or turn the direction of writing is escaped.
pub(crate) fn quoted(text: &str, max: usize) -> String {
    let mut out = String::from("\"");
    for (at, c) in text.chars().enumerate() {
        if at == max {
            out.push('…');
            break;
        }
        push_escaped(&mut out, c);
    }
    out.push('"');
    out
}

fn push_escaped(out: &mut String, c: char) {
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if c.is_control()
            || matches!(c, '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}') =>
        {
            // Writing to a `String` cannot fail.
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        }
        c => out.push(c),
    }
}

/// A file's name or other text from outside, safe to show on a terminal.
pub(crate) fn printable(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' | '\\' => out.push(c),
            c => push_escaped(&mut out, c),
        }
    }
    out
}

/// One step of a path for people: `.name`, or `["a name"]` where the name is no word.
pub(crate) fn key_step(key: &str) -> String {
    let mut chars = key.chars();
    let head = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    let word = head && chars.all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    match word && key.len() <= KEY_MAX {
        true => format!(".{key}"),
        false => format!("[{}]", quoted(key, KEY_MAX)),
    }
}

/// A path with its first steps left out if it is too long for a message.
pub(crate) fn shorten_path(path: String) -> String {
    let Some((end, _)) = path.char_indices().rev().nth(PATH_MAX) else {
        return path;
    };
    let rest = &path[end..];
    let step = rest.find(['.', '[']).unwrap_or(0);
    format!("…{}", &rest[step..])
}

/// Longer paths are shortened, to so many characters.
const PATH_MAX: usize = 160;

/// Longer keys are shortened in paths.
pub(crate) const KEY_MAX: usize = 64;

/// Line and column, from 1 on, of an offset in bytes: columns are characters.
pub(crate) fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let pairs = [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (123456, "123,456"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ];
        for (n, text) in pairs {
            assert_eq!(thousands(n), text);
        }
        assert_eq!(count(1, "entry"), "1 entry");
        assert_eq!(count(2000, "entry"), "2,000 entries");
        assert_eq!(count(0, "item"), "0 items");
        assert_eq!(percent(1, 8), "12.5 %");
        assert_eq!(percent(0, 0), "-");
        assert_eq!(share(0.5, 0.25), "200.0 %");
        let times = [(15.44, "15.4 ns"), (1234.0, "1.23 µs"), (999_000.0, "999 µs"), (2.5e10, "25.0 s")];
        for (nanoseconds, text) in times {
            assert_eq!(duration(nanoseconds), text);
        }
    }

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        assert_eq!(quoted("a\"\u{1b}[31m\u{9b}\u{202e}é\n", 99), "\"a\\\"\\u001b[31m\\u009b\\u202eé\\n\"");
        assert_eq!(quoted("abcdef", 3), "\"abc…\"");
        assert_eq!(quoted("abc", 3), "\"abc\"");
        assert_eq!(printable("a \"b\"\u{7}"), "a \"b\"\\u0007");
    }

    #[test]
    fn steps() {
        assert_eq!(key_step("name"), ".name");
        assert_eq!(key_step("a b"), "[\"a b\"]");
        assert_eq!(key_step(""), "[\"\"]");
        assert_eq!(key_step("0"), "[\"0\"]");
    }

    #[test]
    fn long_paths_keep_their_end() {
        assert_eq!(shorten_path(".a[0]".into()), ".a[0]");
        let short = shorten_path("[10]".repeat(100));
        assert_eq!(short, format!("…{}", "[10]".repeat(40)));
    }

    #[test]
    fn places() {
        assert_eq!(line_and_column("ab\ncdé!", 0), (1, 1));
        assert_eq!(line_and_column("ab\ncdé!", 3), (2, 1));
        assert_eq!(line_and_column("ab\ncdé!", 7), (2, 4));
    }
}
