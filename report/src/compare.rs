//! Two records beside each other: what of wbin got worse.
//!
//! Sizes, memory and counts of instructions are the same in every run, so each counts by itself. Times are not: the
//! machine is another one, or busy, or the linker put the code elsewhere. So the change of a time is taken beside the
//! median of what the peers' times changed by, for the same workload and figure, and counts only where it is far outside
//! of what the peers differ by among themselves. What is spread over many workloads, too little in each of them to tell,
//! shows in the mean, which is judged in the same way.

use std::fmt::Write;

use crate::codecs::Class;
use crate::figures::Figures;

/// One kind of figure, by its name in the file.
type Kind = (&'static str, fn(&Figures) -> Option<f64>);

const EXACT: [Kind; 5] = [
    ("bytes", |line| Some(line.bytes as f64)),
    ("encode_peak", |line| line.encode_peak.map(|bytes| bytes as f64)),
    ("decode_peak", |line| line.decode_peak.map(|bytes| bytes as f64)),
    ("encode_instructions", |line| line.encode_instructions.map(|count| count as f64)),
    ("decode_instructions", |line| line.decode_instructions.map(|count| count as f64)),
];

const TIMES: [Kind; 6] = [
    ("encode_ns", |line| Some(line.encode_ns)),
    ("decode_ns", |line| Some(line.decode_ns)),
    ("own_encode_ns", |line| line.own_encode_ns),
    ("own_decode_ns", |line| line.own_decode_ns),
    ("borrowed_ns", |line| line.borrowed_ns),
    ("skip_ns", |line| line.skip_ns),
];

/// The peers that it takes to tell what the machine did.
const FEWEST_PEERS: usize = 3;

/// How many times farther out than the peers a time must be. Of the peers' own times in two records that are a day's work
/// apart one in a hundred is.
const OUTSIDE: f64 = 6.0;

/// A codec's line in both records.
struct Pair<'a> {
    old: &'a Figures,
    new: &'a Figures,
}

impl Pair<'_> {
    /// The new figure as a multiple of the old one.
    fn change(&self, figure: fn(&Figures) -> Option<f64>) -> Option<f64> {
        let (old, new) = (figure(self.old)?, figure(self.new)?);
        (old > 0.0).then_some(new / old)
    }

    fn is_subject(&self) -> bool {
        self.new.class == Class::Subject
    }
}

/// By what one codec's times changed.
struct Change<'a> {
    codec: &'a str,
    subject: bool,
    ratio: f64,
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    let half = figures.len() / 2;
    if figures.len().is_multiple_of(2) { (figures[half - 1] + figures[half]) / 2.0 } else { figures[half] }
}

/// Each change beside the median of the peers', and how much these differ; nothing if the peers are too few.
fn beside_the_peers<'a>(changes: Vec<Change<'a>>) -> Option<(Vec<Change<'a>>, f64)> {
    let peers = |changes: &[Change<'_>], figure: fn(f64) -> f64| {
        changes.iter().filter(|change| !change.subject).map(|change| figure(change.ratio)).collect::<Vec<_>>()
    };
    let ratios = peers(&changes, |ratio| ratio);
    if ratios.len() < FEWEST_PEERS {
        return None;
    }
    let middle = median(ratios);
    let changes: Vec<_> =
        changes.into_iter().map(|change| Change { ratio: change.ratio / middle, ..change }).collect();
    // The median absolute deviation, scaled to the standard deviation of what is normally distributed.
    let spread = 1.48 * median(peers(&changes, |ratio| (ratio - 1.0).abs()));
    Some((changes, spread))
}

/// What came out.
pub struct Comparison {
    /// What got worse, a line for each.
    pub worse: Vec<String>,
    compared: usize,
    percent: f64,
}

impl Comparison {
    fn judge(&mut self, ratio: f64, spread: f64, what: impl FnOnce() -> String) {
        self.compared += 1;
        if ratio > 1.0 + (self.percent / 100.0).max(OUTSIDE * spread) {
            self.worse.push(format!("{}: +{:.1} %", what(), (ratio - 1.0) * 100.0));
        }
    }

    /// The comparison as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for line in &self.worse {
            let _ = writeln!(text, "{line}");
        }
        let Comparison { worse, compared, percent } = self;
        let _ = writeln!(text, "{} of {compared} figures are worse by more than {percent} %", worse.len());
        text
    }
}

/// Compares all figures of wbin that both records have.
pub fn compare(old: &[Figures], new: &[Figures], percent: f64) -> Result<Comparison, String> {
    let pairs: Vec<Pair<'_>> = new
        .iter()
        .filter_map(|new| {
            let old = old.iter().find(|old| old.workload == new.workload && old.codec == new.codec)?;
            Some(Pair { old, new })
        })
        .collect();
    let mut comparison = Comparison { worse: Vec::new(), compared: 0, percent };

    for pair in pairs.iter().filter(|pair| pair.is_subject()) {
        for (name, figure) in EXACT {
            if let Some(ratio) = pair.change(figure) {
                comparison.judge(ratio, 0.0, || format!("{}, {}, {name}", pair.new.workload, pair.new.codec));
            }
        }
    }

    let mut workloads: Vec<&str> = pairs.iter().map(|pair| pair.new.workload.as_str()).collect();
    workloads.dedup();
    for (name, figure) in TIMES {
        let mut all: Vec<Change<'_>> = Vec::new();
        for workload in &workloads {
            let changes = pairs.iter().filter(|pair| pair.new.workload == *workload).filter_map(|pair| {
                let ratio = pair.change(figure)?;
                Some(Change { codec: &pair.new.codec, subject: pair.is_subject(), ratio })
            });
            let Some((changes, spread)) = beside_the_peers(changes.collect()) else { continue };
            for change in changes.iter().filter(|change| change.subject) {
                comparison.judge(change.ratio, spread, || {
                    format!("{workload}, {}, {name} beside the peers", change.codec)
                });
            }
            all.extend(changes);
        }
        if let Some((means, spread)) = beside_the_peers(means(&all)) {
            for mean in means.iter().filter(|mean| mean.subject) {
                comparison.judge(mean.ratio, spread, || {
                    format!("all workloads, {}, the mean of {name} beside the peers", mean.codec)
                });
            }
        }
    }
    if comparison.compared == 0 {
        return Err("the records have no figure of wbin in common".to_owned());
    }
    Ok(comparison)
}

/// The geometric mean of each codec's changes.
fn means<'a>(changes: &[Change<'a>]) -> Vec<Change<'a>> {
    let mut codecs: Vec<(&str, bool)> = changes.iter().map(|change| (change.codec, change.subject)).collect();
    codecs.sort_unstable();
    codecs.dedup();
    let mean = |(codec, subject)| {
        let logs = changes.iter().filter(|change| change.codec == codec).map(|change| change.ratio.ln());
        let logs: Vec<f64> = logs.collect();
        Change { codec, subject, ratio: (logs.iter().sum::<f64>() / logs.len() as f64).exp() }
    };
    codecs.into_iter().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two workloads of wbin and three peers.
    fn record() -> Vec<Figures> {
        let codecs =
            [("wbin", Class::Subject), ("a", Class::Names), ("b", Class::Names), ("c", Class::Schema)];
        let line = |workload, (codec, class)| Figures {
            encode_instructions: Some(1000),
            encode_peak: Some(500),
            ..Figures::new(workload, codec, class, 100, [200.0, 300.0])
        };
        ["logs", "mesh"].into_iter().flat_map(|workload| codecs.map(|codec| line(workload, codec))).collect()
    }

    fn worse(change: impl Fn(&mut Figures)) -> Vec<String> {
        let mut new = record();
        new.iter_mut().for_each(change);
        compare(&record(), &new, 3.0).unwrap().worse
    }

    fn is_wbin(line: &Figures, workload: &str) -> bool {
        line.codec == "wbin" && line.workload == workload
    }

    #[test]
    fn nothing_is_worse_than_itself() {
        let comparison = compare(&record(), &record(), 3.0).unwrap();
        // Three exact figures and two times of each workload, and two means.
        assert_eq!(comparison.text(), "0 of 12 figures are worse by more than 3 %\n");
    }

    #[test]
    fn exact_figures_are_worse_above_the_limit() {
        assert_eq!(worse(|line| line.bytes = 103), [""; 0]);
        assert_eq!(
            worse(|line| line.bytes = 104),
            ["logs, wbin, bytes: +4.0 %", "mesh, wbin, bytes: +4.0 %"]
        );
        let count = |line: &mut Figures| {
            if is_wbin(line, "mesh") {
                line.encode_instructions = Some(1031);
                line.encode_peak = None;
            }
        };
        assert_eq!(worse(count), ["mesh, wbin, encode_instructions: +3.1 %"]);
        assert_eq!(worse(|line| line.bytes = 50), [""; 0]);
    }

    #[test]
    fn a_slow_machine_is_no_fault() {
        assert_eq!(worse(|line| (line.encode_ns, line.decode_ns) = (900.0, 900.0)), [""; 0]);
    }

    #[test]
    fn what_is_slower_than_the_peers_is_worse() {
        let slower = |line: &mut Figures| {
            line.encode_ns *= if is_wbin(line, "logs") { 2.2 } else { 2.0 };
        };
        assert_eq!(
            worse(slower),
            [
                "logs, wbin, encode_ns beside the peers: +10.0 %",
                "all workloads, wbin, the mean of encode_ns beside the peers: +4.9 %",
            ]
        );
    }

    #[test]
    fn what_the_peers_differ_by_is_noise() {
        let noisy = |by: f64| {
            move |line: &mut Figures| {
                line.encode_ns *= match line.codec.as_str() {
                    "wbin" => by,
                    "a" => 0.95,
                    "b" => 1.0,
                    _ => 1.05,
                };
            }
        };
        // Six times 1.48 times 5 %.
        assert_eq!(worse(noisy(1.4)), [""; 0]);
        assert_eq!(worse(noisy(1.5)).len(), 3);
    }

    #[test]
    fn records_without_common_figures_are_not_compared() {
        let mut other = record();
        other.iter_mut().for_each(|line| line.workload += " of another kind");
        assert!(compare(&record(), &other, 3.0).is_err());
    }
}
