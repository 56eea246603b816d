//! How the time of encoding and decoding grows with the size of what is encoded: linearly, if nothing is wrong.

use crate::figures::Figures;
use crate::table::{NOTHING, number, table};

/// A size: its name, and the lines of a log that take as many bytes of JSON.
pub struct Size {
    pub name: &'static str,
    pub rows: usize,
}

/// From 1 kB to 100 MB.
pub const SIZES: [Size; 6] = [
    Size { name: "1 kB", rows: 6 },
    Size { name: "10 kB", rows: 57 },
    Size { name: "100 kB", rows: 567 },
    Size { name: "1 MB", rows: 5_670 },
    Size { name: "10 MB", rows: 56_700 },
    Size { name: "100 MB", rows: 567_000 },
];

/// The codec whose bytes the sizes are.
const MEASURE: &str = "serde_json";

/// What is measured.
pub const CODECS: [&str; 4] = ["wbin", "wbin plain", "rmp-serde named", MEASURE];

/// The name of the workload of a size.
pub fn workload(size: &Size) -> String {
    format!("growth {}", size.name)
}

/// One codec's figures for all sizes.
pub struct Series<'a> {
    pub codec: &'a str,
    /// The bytes as JSON.
    pub sizes: Vec<f64>,
    pub bytes: Vec<f64>,
    pub encode: Vec<f64>,
    pub decode: Vec<f64>,
}

impl Series<'_> {
    /// The power of the size that the figures grow with.
    pub fn exponent(&self, figures: &[f64]) -> f64 {
        exponent(self.sizes.iter().copied().zip(figures.iter().copied()))
    }
}

/// The slope of the line through the logarithms that has the least squares.
fn exponent(points: impl Iterator<Item = (f64, f64)>) -> f64 {
    let logs: Vec<(f64, f64)> = points.map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let (x, y) = logs.iter().fold((0.0, 0.0), |(x, y), log| (x + log.0 / count, y + log.1 / count));
    let covariance: f64 = logs.iter().map(|log| (log.0 - x) * (log.1 - y)).sum();
    let variance: f64 = logs.iter().map(|log| (log.0 - x).powi(2)).sum();
    covariance / variance
}

/// The series in a record: none, if it has less than two sizes.
pub fn series(figures: &[Figures]) -> Vec<Series<'_>> {
    let find = |size: &Size, codec: &str| {
        let workload = workload(size);
        figures.iter().find(|line| line.workload == workload && line.codec == codec)
    };
    let mut all = Vec::new();
    for codec in CODECS {
        let mut series = Series { codec, sizes: vec![], bytes: vec![], encode: vec![], decode: vec![] };
        for size in &SIZES {
            if let Some((measure, line)) = find(size, MEASURE).zip(find(size, codec)) {
                series.sizes.push(measure.bytes as f64);
                series.bytes.push(line.bytes as f64);
                series.encode.push(line.encode_ns);
                series.decode.push(line.decode_ns);
            }
        }
        if series.sizes.len() > 1 {
            all.push(series);
        }
    }
    all
}

/// The section of a report; nothing if there are no series.
pub fn section(figures: &[Figures]) -> String {
    let all = series(figures);
    let Some(first) = all.first() else { return String::new() };
    let sizes = first.sizes.iter().map(|bytes| format!("{} B", number(*bytes)));
    let head: Vec<String> = [String::new()].into_iter().chain(sizes).chain(["exponent".to_owned()]).collect();
    let mut body = Vec::new();
    for series in &all {
        for (name, figures) in
            [("bytes", &series.bytes), ("encode", &series.encode), ("decode", &series.decode)]
        {
            let mut cells = vec![format!("{}, {name}", series.codec)];
            cells.extend(figures.iter().map(|figure| number(*figure)));
            cells.resize(head.len() - 1, NOTHING.to_owned());
            cells.push(format!("{:.2}", series.exponent(figures)));
            body.push(cells);
        }
    }
    format!(
        "## Growth\n\nThe first lines of an endless log of a web server, by their bytes as JSON. The exponent is the power of \
         the size that the figures grow with: the slope of the line through their logarithms that has the least squares.\n\n{}",
        table(&head, &body)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codecs::Class;

    #[test]
    fn exponents_are_fitted() {
        let fit = |y: fn(f64) -> f64| exponent([1e3, 1e4, 1e5, 1e6].into_iter().map(|x| (x, y(x))));
        assert!((fit(|x| 3.0 * x) - 1.0).abs() < 1e-12);
        assert!((fit(|x| 0.1 * x * x) - 2.0).abs() < 1e-12);
        assert!((fit(|_| 7.0)).abs() < 1e-12);
        assert!((1.05..1.2).contains(&fit(|x| x * x.ln())));
        // Least squares: y = 1, 1, 8 at x = 1, e, e² has the slope ln 8 / 2.
        let points = [(1.0, 1.0), (1.0_f64.exp(), 1.0), (2.0_f64.exp(), 8.0)];
        assert!((exponent(points.into_iter()) - 8.0_f64.ln() / 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_section_has_what_was_measured() {
        let mut figures = Vec::new();
        assert_eq!(section(&figures), "");
        for (place, size) in SIZES.iter().take(2).enumerate() {
            let scale = [1, 100][place];
            let times = [5.0, 7.0].map(|time| time * scale as f64);
            figures.push(Figures::new(&workload(size), "serde_json", Class::Names, 1000 * scale, times));
            figures.push(Figures::new(&workload(size), "wbin", Class::Subject, 300, [60.0, 70.5]));
        }
        let text = section(&figures).replace(' ', "");
        assert!(text.contains("||1,000B|100,000B|exponent|"), "{text}");
        assert!(text.contains("|wbin,bytes|300|300|0.00|"), "{text}");
        assert!(text.contains("|serde_json,decode|7|700|1.00|"), "{text}");
        assert!(!text.contains("rmp"), "{text}");
    }
}
