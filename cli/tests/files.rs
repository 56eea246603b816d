//! Is nothing lost, whatever happens to the files?

mod support;

use std::fs;
use std::io::Read;
use std::path::Path;
use support::{command, folder, wbin};

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn run(folder: &Path, args: &[&str]) -> support::Ran {
    let output = command(args).current_dir(folder).stdin(std::process::Stdio::null()).output().unwrap();
    support::Ran {
        code: output.status.code().unwrap(),
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn outputs_are_written_in_whole() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("shop.json"), b"{\"a\": [1, 2, 3]}").unwrap();
    let ran = run(folder, &["encode", "shop.json", "-o", "shop.wbin", "--verbose"]);
    assert_eq!((ran.code, ran.text()), (0, ""));
    assert_eq!(ran.stderr, "shop.json: 16 bytes → shop.wbin: 7 bytes (43.8 %)\n");
    assert_eq!(fs::read(folder.join("shop.wbin")).unwrap(), [0x91, 0x41, b'a', 0x83, 1, 2, 3]);
    // Without a terminal nothing is told unless asked.
    assert_eq!(run(folder, &["encode", "shop.json", "-o", "shop.wbin"]).ok(), b"");
    assert_eq!(run(folder, &["decode", "shop.wbin", "-o", "back.json"]).ok(), b"");
    assert_eq!(fs::read(folder.join("back.json")).unwrap(), b"{\"a\":[1,2,3]}\n");
    assert_eq!(run(folder, &["get", "shop.wbin", "/a", "-o", "part.json"]).ok(), b"");
    assert_eq!(run(folder, &["diag", "shop.wbin", "--output", "shop.diag"]).ok(), b"");
    assert_eq!(run(folder, &["undiag", "shop.diag", "-o", "again.wbin"]).ok(), b"");
    assert_eq!(run(folder, &["canon", "again.wbin", "-o", "canon.wbin"]).ok(), b"");
    let expected =
        ["again.wbin", "back.json", "canon.wbin", "part.json", "shop.diag", "shop.json", "shop.wbin"];
    assert_eq!(names(folder), expected);
}

#[test]
fn an_error_leaves_the_old_output_alone() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("bad.json"), b"[1, 2").unwrap();
    // Good values first, so that some output is written before the error.
    let mut bad = vec![0x05; 100_000];
    bad.push(0xD4);
    fs::write(folder.join("bad.wbin"), bad).unwrap();
    fs::write(folder.join("bad.diag"), b"[1, 2").unwrap();
    fs::write(folder.join("out"), b"precious").unwrap();
    for args in [
        ["encode", "bad.json", "-o", "out"],
        ["decode", "bad.wbin", "-o", "out"],
        ["canon", "bad.wbin", "-o", "out"],
        ["diag", "bad.wbin", "-o", "out"],
        ["undiag", "bad.diag", "-o", "out"],
    ] {
        let ran = run(folder, &args);
        assert_eq!((ran.code, ran.text()), (1, ""), "{args:?}");
        assert!(ran.stderr.starts_with(&format!("error: {}: ", args[1])), "{}", ran.stderr);
        assert_eq!(fs::read(folder.join("out")).unwrap(), b"precious", "{args:?}");
    }
    assert_eq!(names(folder), ["bad.diag", "bad.json", "bad.wbin", "out"]);
}

#[test]
fn the_input_may_be_the_output() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("a"), b"{\"b\": 1, \"a\": 2}").unwrap();
    run(folder, &["encode", "a", "-o", "a"]).ok();
    run(folder, &["canon", "a", "-o", "./a"]).ok();
    run(folder, &["decode", "a", "-o", "a"]).ok();
    assert_eq!(fs::read(folder.join("a")).unwrap(), b"{\"a\":2,\"b\":1}\n");
    assert_eq!(names(folder), ["a"]);
}

#[test]
fn names_tell_ndjson() {
    let folder = folder();
    let folder = folder.path();
    for name in ["a.ndjson", "a.jsonl", "a.NDJSON"] {
        fs::write(folder.join(name), b"1\n2\n").unwrap();
        assert_eq!(run(folder, &["encode", name]).ok(), [1, 2], "{name}");
    }
    fs::write(folder.join("a.json"), b"1\n2\n").unwrap();
    assert_eq!(run(folder, &["encode", "a.json"]).code, 1);
}

#[test]
fn what_cannot_be_read_or_written_is_exit_code_3() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("a.json"), b"1").unwrap();
    fs::create_dir(folder.join("dir")).unwrap();
    let start = |ran: support::Ran, message: &str| {
        assert_eq!((ran.code, ran.text()), (3, ""), "{}", ran.stderr);
        assert!(ran.stderr.starts_with(&format!("error: {message}")), "{}", ran.stderr);
    };
    start(run(folder, &["encode", "none.json"]), "none.json: cannot open it: ");
    start(run(folder, &["check", "dir"]), "dir: cannot open it: it is a directory");
    start(run(folder, &["encode", "a.json", "-o", "none/a.wbin"]), "none/a.wbin: cannot write it: ");
    start(run(folder, &["encode", "a.json", "-o", "dir"]), "dir: cannot write it: it is a directory");
    if Path::new("/dev/full").exists() {
        let full = || fs::File::options().write(true).open("/dev/full").unwrap();
        for args in [&["encode", "a.json"][..], &["stats", "one"], &["inspect", "one"], &["check", "one"]] {
            fs::write(folder.join("one"), [1]).unwrap();
            let output = command(args).current_dir(folder).stdout(full()).output().unwrap();
            assert_eq!(output.status.code(), Some(3), "{args:?}");
            let message = String::from_utf8(output.stderr).unwrap();
            assert!(message.starts_with("error: standard output: cannot write it: "), "{message}");
        }
        start(run(folder, &["encode", "a.json", "-o", "/dev/full"]), "/dev/full: cannot write it: ");
    }
}

#[cfg(unix)]
#[test]
fn devices_links_and_modes_stay_what_they_are() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("a.json"), b"1").unwrap();
    run(folder, &["encode", "a.json", "-o", "/dev/null"]).ok();
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());

    fs::write(folder.join("real"), b"").unwrap();
    fs::set_permissions(folder.join("real"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real", folder.join("link")).unwrap();
    run(folder, &["encode", "a.json", "-o", "link"]).ok();
    assert!(fs::symlink_metadata(folder.join("link")).unwrap().is_symlink());
    assert_eq!(fs::read(folder.join("real")).unwrap(), [1]);
    assert_eq!(fs::metadata(folder.join("real")).unwrap().permissions().mode() & 0o777, 0o640);

    // A new file is as readable as any other new file.
    run(folder, &["encode", "a.json", "-o", "new"]).ok();
    fs::write(folder.join("other"), b"").unwrap();
    let mode = |name| fs::metadata(folder.join(name)).unwrap().permissions().mode();
    assert_eq!(mode("new"), mode("other"));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let values = vec![0x05; 1_000_000];
    let folder = folder();
    let file = folder.path().join("many.wbin");
    fs::write(&file, values).unwrap();
    for name in ["decode", "inspect", "diag"] {
        let mut child = command(&[name.as_ref(), file.as_os_str()]).spawn().unwrap();
        let mut first = [0; 1];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        // The pipe is closed here, long before all is written.
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{name}");
    }
}

#[test]
fn the_standard_input_has_no_size() {
    let many = vec![0x05; 3_000_000];
    let shown = wbin(&["check", "--sequence", "-"], &many).ok_text();
    assert_eq!(shown, "standard input: ok, 3,000,000 values, 3,000,000 bytes\n");
}

/// Terminals are made by `script` of util-linux.
#[cfg(target_os = "linux")]
#[test]
fn terminals_get_no_binary_but_colours_and_sizes() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("a.json"), b"[1, 2]").unwrap();
    let program = env!("CARGO_BIN_EXE_wbin");
    let on_terminal = |args: &str| {
        let output = std::process::Command::new("script")
            .args(["-qec", &format!("'{program}' {args}"), "/dev/null"])
            .current_dir(folder)
            .env_remove("NO_COLOR")
            .env("TERM", "xterm")
            .stdin(std::process::Stdio::null())
            .output();
        output.ok().map(|output| (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned()))
    };
    let Some((code, text)) = on_terminal("encode a.json") else {
        println!("skipped: there is no `script` to make a terminal");
        return;
    };
    assert_eq!(code, Some(2));
    assert!(text.contains("binary is not written to a terminal; use -o FILE, a pipe, or --force"), "{text}");
    let (code, text) = on_terminal("encode a.json --force --quiet").unwrap();
    assert_eq!((code, text.as_str()), (Some(0), "\u{fffd}\u{1}\u{2}"));
    let (_, text) = on_terminal("encode a.json -o a.wbin").unwrap();
    assert_eq!(text, "a.json: 6 bytes → a.wbin: 3 bytes (50.0 %)\r\n");
    let (_, text) = on_terminal("inspect a.wbin").unwrap();
    assert!(text.contains("\u{1b}["), "{text}");
    let (_, text) = on_terminal("inspect a.wbin --color never").unwrap();
    assert!(!text.contains("\u{1b}["), "{text}");
}
