//! Are the figures in README.md and COMPARE.md those of the record that they name?
#![cfg(all(feature = "std", feature = "serde"))]

mod support;

use std::collections::BTreeMap;
use support::read;

/// The cells of a line of a table.
fn cells(line: &str) -> Option<Vec<&str>> {
    let row = line.strip_prefix('|')?.strip_suffix('|')?;
    Some(row.split('|').map(str::trim).collect())
}

/// The text of the record that a text links to first.
fn record_of(text: &str) -> String {
    // Charts stand in the same folder.
    let mut links = text.split("(benches/record/").skip(1).filter_map(|rest| rest.split(')').next());
    let record = links.find(|file| file.ends_with(".md")).expect("a link to a record");
    read(&format!("benches/record/{record}"))
}

/// A figure without the commas between its digits.
fn number(text: &str) -> Option<f64> {
    text.replace(',', "").parse().ok()
}

/// The figures of a record by data set, codec and column. Of the tables of one set the first counts.
fn figures(record: &str) -> BTreeMap<(String, String, String), f64> {
    let mut found = BTreeMap::new();
    let mut set = String::new();
    let mut head = Vec::new();
    for line in record.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            set = title.split(':').next().unwrap_or_default().to_owned();
        }
        let Some(row) = cells(line) else { continue };
        if row[0] == "codec" {
            head = row;
            continue;
        }
        for (column, figure) in head.iter().zip(&row).skip(1) {
            let key = (set.clone(), row[0].to_owned(), (*column).to_owned());
            if let Some(figure) = number(figure) {
                found.entry(key).or_insert(figure);
            }
        }
    }
    assert!(found.len() > 1000, "the record is written in another way now: {} figures", found.len());
    found
}

#[test]
fn tables_of_compare_are_those_of_the_record() {
    let text = read("COMPARE.md");
    let figures = figures(&record_of(&text));
    let mut head: Vec<&str> = Vec::new();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for row in text.lines().filter_map(cells) {
        if ["bytes", "encode, µs", "decode, µs"].contains(&row[0]) {
            head = row;
            continue;
        }
        if head.is_empty() || row[0].starts_with('-') {
            continue;
        }
        let (column, is_time) = match head[0].strip_suffix(", µs") {
            Some(column) => (column, true),
            None => (head[0], false),
        };
        for (set, shown) in head.iter().zip(&row).skip(1) {
            let key = ((*set).to_owned(), row[0].to_owned(), column.to_owned());
            let recorded = figures.get(&key).map(|figure| if is_time { figure / 1000.0 } else { *figure });
            if recorded.map(f64::round) != number(shown) {
                wrong.push(format!("{key:?}: {shown}, but {recorded:?}"));
            }
            seen += 1;
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(seen, 240);
}

/// Sizes are written out in README.md; times are rounded in several ways there.
#[test]
fn sizes_in_the_readme_are_in_the_record() {
    let text = read("README.md");
    let speed = text.split("\n## ").find(|chapter| chapter.starts_with("Speed\n")).expect("a chapter");
    let record = record_of(speed);
    let recorded: Vec<&str> = record.lines().filter_map(cells).flatten().collect();
    let shown = speed.lines().filter_map(cells).flat_map(|row| row.into_iter().skip(1));
    let sizes: Vec<&str> =
        shown.filter(|cell| cell.contains(',') && number(cell).is_some_and(|n| n.fract() == 0.0)).collect();
    let wrong: Vec<_> = sizes.iter().filter(|size| !recorded.contains(size)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(sizes.len() > 20, "{sizes:?}");
}
