//! The charts of a record.
//!
//! They are looked at on light and on dark pages, so nothing is painted behind them, and all colours are of a middle
//! lightness. Formats with field names and those that need a schema are never in one ranking.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::codecs::{Class, SUBJECT};
use crate::figures::Figures;
use crate::growth;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Result<T> = std::result::Result<T, String>;

const TEXT: RGBColor = RGBColor(0x76, 0x7c, 0x84);
const GRID: RGBAColor = RGBAColor(0x76, 0x7c, 0x84, 0.3);
const OURS: RGBColor = RGBColor(0xe8, 0x59, 0x0c);
const NAMES: RGBColor = RGBColor(0x5c, 0x8f, 0xc4);
const SCHEMA: RGBColor = RGBColor(0x4f, 0xa0, 0x78);
/// The lines of growth.
const LINES: [RGBColor; growth::CODECS.len()] =
    [OURS, RGBColor(0xd0, 0xa0, 0x30), NAMES, RGBColor(0x9a, 0x6f, 0xb8)];

fn colour(class: Class) -> RGBColor {
    match class {
        Class::Subject => OURS,
        Class::Names => NAMES,
        Class::Schema => SCHEMA,
    }
}

fn fail(error: impl Display) -> String {
    error.to_string()
}

/// A kind of figure: its name, how it is read and how it is written.
type Kind = (&'static str, fn(&Figures) -> f64, fn(f64) -> String);

const KINDS: [Kind; 3] = [
    ("bytes", |line| line.bytes as f64, |bytes| scaled(bytes, &["B", "kB", "MB"])),
    ("encode", |line| line.encode_ns, time),
    ("decode", |line| line.decode_ns, time),
];

/// Three digits and a unit; each unit is a thousand of the one before.
fn scaled(figure: f64, units: &[&str]) -> String {
    let mut figure = figure;
    let mut units = units.iter();
    let mut unit = units.next().unwrap_or(&"");
    while figure >= 999.5
        && let Some(next) = units.next()
    {
        figure /= 1000.0;
        unit = next;
    }
    let digits = if figure.fract() == 0.0 || figure >= 99.95 {
        0
    } else if figure >= 9.995 {
        1
    } else {
        2
    };
    format!("{figure:.digits$} {unit}")
}

fn time(ns: f64) -> String {
    scaled(ns, &["ns", "µs", "ms", "s"])
}

/// The four workloads that the benches have, too.
const TYPED: [&str; 4] = ["logs", "mesh", "save", "updates"];
const DOCUMENTS: [&str; 3] = ["twitter.json", "citm_catalog.json", "canada.json"];

/// The form that is in the tables alone: to encode it takes a pass that sorts, which no other format has, and beside which
/// all other bars would be short.
const NOT_DRAWN: &str = "wbin canonical";

/// Draws the charts into the folder; those of what was not measured are left out.
pub fn draw(figures: &[Figures], folder: &Path) -> Result<()> {
    let figures: Vec<Figures> = figures.iter().filter(|line| line.codec != NOT_DRAWN).cloned().collect();
    let figures = &figures[..];
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let charts = [
        ("names.svg", bars(figures, &TYPED, Class::Names)?),
        ("schema.svg", bars(figures, &TYPED, Class::Schema)?),
        ("documents.svg", bars(figures, &DOCUMENTS, Class::Names)?),
        ("size-speed.svg", size_and_speed(figures)?),
        ("growth.svg", growth_lines(figures)?),
    ];
    for (name, chart) in charts {
        if let Some(chart) = chart {
            let path = folder.join(name);
            std::fs::write(&path, chart).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}

fn drawn(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Result<()>) -> Result<Option<String>> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        draw(&area)?;
        area.present().map_err(fail)?;
    }
    // One element a line, without what is the default.
    let svg = svg.replace(">\n", ">").replace("\n</text>", "</text>").replace("/><", "/>\n<");
    let svg =
        svg.replace("</text><", "</text>\n<").replace(" opacity=\"1\"", "").replace(" stroke=\"none\"", "");
    let font = " font-family=\"sans-serif\"";
    Ok(Some(svg.replace(font, "").replacen("<svg", &format!("<svg{font}"), 1)))
}

/// Text of so many pixels; the library counts them in another way.
fn font<'a>(size: f64, colour: RGBColor) -> TextStyle<'a> {
    ("sans-serif", size * 1.24).into_font().color(&colour)
}

const TITLE: f64 = 12.0;
const LABEL: f64 = 10.5;

fn write(area: &Area<'_>, text: &str, at: (i32, i32), size: f64, colour: RGBColor, side: HPos) -> Result<()> {
    let style = font(size, colour).pos(Pos::new(side, VPos::Center));
    area.draw(&Text::new(text.to_owned(), at, style)).map_err(fail)
}

/// Sorted bars: a row for each workload, a column for each kind of figure.
fn bars(figures: &[Figures], workloads: &[&str], class: Class) -> Result<Option<String>> {
    const CELL: i32 = 320;
    const BAR: i32 = 16;
    const HEAD: i32 = 26;
    const NAME: i32 = 132;
    const LONGEST: i32 = 110;

    let ranking = |workload: &str, figure: fn(&Figures) -> f64| {
        let shown = |line: &&Figures| line.class == class || line.class == Class::Subject;
        let mut lines: Vec<&Figures> =
            figures.iter().filter(|line| line.workload == workload).filter(shown).collect();
        lines.sort_by(|a, b| figure(a).total_cmp(&figure(b)));
        lines
    };
    let shown: Vec<&str> = workloads
        .iter()
        .filter(|name| ranking(name, KINDS[0].1).iter().any(|line| line.class == class))
        .copied()
        .collect();
    if shown.is_empty() {
        return Ok(None);
    }
    let heights: Vec<i32> =
        shown.iter().map(|name| HEAD + BAR * ranking(name, KINDS[0].1).len() as i32 + 10).collect();
    let size = (CELL as u32 * KINDS.len() as u32, heights.iter().sum::<i32>() as u32);
    drawn(size, |area| {
        let mut top = 0;
        for (workload, height) in shown.iter().zip(heights) {
            for (column, (name, figure, text)) in KINDS.iter().enumerate() {
                let left = CELL * column as i32;
                let title = format!("{workload}: {name}");
                write(area, &title, (left + NAME, top + HEAD / 2), TITLE, TEXT, HPos::Left)?;
                let lines = ranking(workload, *figure);
                let most = lines.last().map_or(1.0, |line| figure(line));
                for (place, line) in lines.iter().enumerate() {
                    let middle = top + HEAD + BAR * place as i32 + BAR / 2;
                    let paint = colour(line.class);
                    let right =
                        left + NAME + (figure(line) / most * f64::from(LONGEST)).round().max(1.0) as i32;
                    let bar = [(left + NAME, middle - BAR / 2 + 2), (right, middle + BAR / 2 - 2)];
                    area.draw(&Rectangle::new(bar, paint.filled())).map_err(fail)?;
                    let text_colour = if line.class == Class::Subject { OURS } else { TEXT };
                    write(area, &line.codec, (left + NAME - 5, middle), LABEL, text_colour, HPos::Right)?;
                    write(area, &text(figure(line)), (right + 5, middle), LABEL, text_colour, HPos::Left)?;
                }
            }
            top += height;
        }
        Ok(())
    })
}

/// The mean of a codec's ratios to wbin over the typed workloads: of size and of a time.
fn beside_us(figures: &[Figures], codec: &str, figure: fn(&Figures) -> f64) -> Option<f64> {
    let find = |workload: &str, codec: &str| {
        figures.iter().find(|line| line.workload == workload && line.codec == codec).map(figure)
    };
    let mut sum = 0.0;
    for workload in TYPED {
        sum += (find(workload, codec)? / find(workload, SUBJECT)?).ln();
    }
    Some((sum / TYPED.len() as f64).exp())
}

/// The range of an axis on which all figures have room.
fn room(figures: impl Iterator<Item = f64>, factor: f64) -> std::ops::Range<f64> {
    let (least, most) =
        figures.fold((f64::INFINITY, 0.0_f64), |(least, most), figure| (least.min(figure), most.max(figure)));
    least / factor..most * factor
}

/// A panel with two logarithmic axes.
struct Panel {
    title: String,
    x: std::ops::Range<f64>,
    y: std::ops::Range<f64>,
    x_label: fn(f64) -> String,
    y_label: fn(f64) -> String,
    x_name: &'static str,
    labels: usize,
}

type Plane<'a, 'b> = ChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<plotters::coord::combinators::LogCoord<f64>, plotters::coord::combinators::LogCoord<f64>>,
>;

impl Panel {
    fn draw<'a, 'b>(&self, area: &'a Area<'b>) -> Result<Plane<'a, 'b>> {
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .margin_right(24)
            .caption(&self.title, font(TITLE, TEXT))
            .x_label_area_size(42)
            .y_label_area_size(56)
            .build_cartesian_2d(self.x.clone().log_scale(), self.y.clone().log_scale())
            .map_err(fail)?;
        chart
            .configure_mesh()
            .x_labels(self.labels)
            .y_labels(self.labels)
            .max_light_lines(1)
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(TEXT)
            .label_style(font(LABEL, TEXT))
            .x_label_formatter(&|x| (self.x_label)(*x))
            .y_label_formatter(&|y| (self.y_label)(*y))
            .x_desc(self.x_name)
            .axis_desc_style(font(LABEL, TEXT))
            .draw()
            .map_err(fail)?;
        Ok(chart)
    }
}

/// Each codec as a point: how large and how slow it is, in the mean over the typed workloads.
fn size_and_speed(figures: &[Figures]) -> Result<Option<String>> {
    let [bytes, times @ ..] = KINDS;
    let mut codecs: BTreeMap<&str, Class> = BTreeMap::new();
    for line in figures.iter().filter(|line| line.workload == TYPED[0]) {
        codecs.insert(&line.codec, line.class);
    }
    let points = |figure: fn(&Figures) -> f64| -> Vec<(&str, Class, f64, f64)> {
        codecs
            .iter()
            .filter_map(|(codec, class)| {
                Some((
                    *codec,
                    *class,
                    beside_us(figures, codec, bytes.1)?,
                    beside_us(figures, codec, figure)?,
                ))
            })
            .collect()
    };
    if points(bytes.1).len() < 2 {
        return Ok(None);
    }
    drawn((960, 420), |area| {
        for ((name, figure, _), half) in times.iter().zip(area.split_evenly((1, 2))) {
            let points = points(*figure);
            let times = |ratio: f64| format!("{} ×", (ratio * 100.0).round() / 100.0);
            let panel = Panel {
                title: format!("time to {name}, and size: {SUBJECT} is 1"),
                x: room(points.iter().map(|point| point.2), 1.3),
                y: room(points.iter().map(|point| point.3), 1.3),
                x_label: times,
                y_label: times,
                x_name: "bytes (triangles: formats that need a schema)",
                labels: 20,
            };
            let chart = panel.draw(&half)?;
            let place = |x: f64, y: f64| chart.backend_coord(&(x, y));
            let mut dots: Vec<((i32, i32), &str, Class)> =
                points.iter().map(|(codec, class, x, y)| (place(*x, *y), *codec, *class)).collect();
            dots.sort_by_key(|((x, y), ..)| (*y, *x));
            let mut labels: Vec<(i32, i32)> = Vec::new();
            for ((x, y), codec, class) in dots {
                let dot = match class {
                    Class::Schema => TriangleMarker::new((x, y), 5, colour(class).filled()).into_dyn(),
                    _ => Circle::new((x, y), 4, colour(class).filled()).into_dyn(),
                };
                area.draw(&dot).map_err(fail)?;
                // Labels of dots that lie close together are moved apart.
                let mut label = (x + 8, y);
                while labels.iter().any(|(x, y)| (x - label.0).abs() < 90 && (y - label.1).abs() < 12) {
                    label.1 += 1;
                }
                labels.push(label);
                write(area, codec, label, LABEL, colour(class), HPos::Left)?;
            }
        }
        Ok(())
    })
}

/// How times grow with the size, a line for each codec.
fn growth_lines(figures: &[Figures]) -> Result<Option<String>> {
    let series = growth::series(figures);
    if series.is_empty() {
        return Ok(None);
    }
    drawn((960, 420), |area| {
        type Times = for<'a> fn(&'a growth::Series<'_>) -> &'a Vec<f64>;
        let times: [(&str, Times); 2] =
            [("encode", |series| &series.encode), ("decode", |series| &series.decode)];
        for ((name, figure), half) in times.iter().zip(area.split_evenly((1, 2))) {
            let panel = Panel {
                title: format!("time to {name}, and the power of the size that it grows with"),
                x: room(series.iter().flat_map(|series| series.sizes.iter().copied()), 1.5),
                y: room(series.iter().flat_map(|series| figure(series).iter().copied()), 2.0),
                x_label: |bytes| scaled(bytes, &["B", "kB", "MB"]),
                y_label: time,
                x_name: "lines of a log, by their bytes as JSON",
                labels: 7,
            };
            let mut chart = panel.draw(&half)?;
            for (series, paint) in series.iter().zip(LINES) {
                let points: Vec<(f64, f64)> =
                    series.sizes.iter().copied().zip(figure(series).iter().copied()).collect();
                let exponent = series.exponent(figure(series));
                chart
                    .draw_series(LineSeries::new(points, paint.stroke_width(2)).point_size(3))
                    .map_err(fail)?
                    .label(format!("{}: {exponent:.2}", series.codec))
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], paint.stroke_width(2)));
            }
            chart
                .configure_series_labels()
                .position(SeriesLabelPosition::UpperLeft)
                .label_font(font(LABEL, TEXT))
                .draw()
                .map_err(fail)?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures() -> Vec<Figures> {
        let line = |workload: &str, codec: &str, class, bytes, time| {
            Figures::new(workload, codec, class, bytes, [time, 2.0 * time])
        };
        let workload = |workload: &str| {
            [
                line(workload, SUBJECT, Class::Subject, 1000, 300.0),
                line(workload, "long", Class::Names, 40_000, 100.0),
                line(workload, "short", Class::Names, 2000, 12_340.0),
                line(workload, "bare", Class::Schema, 500, 50.0),
            ]
        };
        TYPED.into_iter().flat_map(workload).collect()
    }

    /// The texts of a chart in their order.
    fn texts(svg: &str) -> Vec<&str> {
        svg.lines().filter_map(|line| line.strip_suffix("</text>")?.rsplit('>').next()).collect()
    }

    #[test]
    fn figures_are_short() {
        let bytes = |bytes| scaled(bytes, &["B", "kB", "MB"]);
        assert_eq!([bytes(7.0), bytes(999.0), bytes(999.6)], ["7 B", "999 B", "1.00 kB"]);
        assert_eq!([bytes(12_340.0), bytes(9_999_000_000.0)], ["12.3 kB", "9999 MB"]);
        assert_eq!([time(0.25), time(99.96), time(2_510_000.0)], ["0.25 ns", "100 ns", "2.51 ms"]);
    }

    #[test]
    fn bars_are_sorted_and_classes_apart() {
        let names = bars(&figures(), &TYPED, Class::Names).unwrap().unwrap();
        let first: Vec<&str> = texts(&names).into_iter().take(14).collect();
        assert_eq!(
            first,
            [
                "logs: bytes",
                SUBJECT,
                "1 kB",
                "short",
                "2 kB",
                "long",
                "40 kB",
                "logs: encode",
                "long",
                "100 ns",
                SUBJECT,
                "300 ns",
                "short",
                "12.3 µs",
            ]
        );
        assert!(!names.contains("bare"));
        let schema = bars(&figures(), &TYPED, Class::Schema).unwrap().unwrap();
        assert!(schema.contains(">bare<") && !schema.contains(">short<"));
        assert!(bars(&figures(), &DOCUMENTS, Class::Names).unwrap().is_none());
    }

    #[test]
    fn means_are_beside_wbin() {
        let figures = figures();
        let mean = |codec| beside_us(&figures, codec, |line| line.bytes as f64);
        assert!((mean("short").unwrap() - 2.0).abs() < 1e-9);
        assert_eq!(mean("unknown"), None);
        assert!(size_and_speed(&figures).unwrap().unwrap().contains(">bare<"));
    }

    #[test]
    fn what_was_measured_is_drawn() {
        let folder = tempfile::tempdir().unwrap();
        let drawn = |figures: &[Figures], name: &str| {
            draw(figures, &folder.path().join(name)).unwrap();
            let mut names: Vec<String> = folder
                .path()
                .join(name)
                .read_dir()
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        };
        assert_eq!(drawn(&figures(), "typed"), ["names.svg", "schema.svg", "size-speed.svg"]);
        let grown = growth::SIZES.iter().flat_map(|size| {
            let bytes = 176 * size.rows as u64;
            [("serde_json", Class::Names), (SUBJECT, Class::Subject)].map(|(codec, class)| {
                Figures::new(&growth::workload(size), codec, class, bytes, [bytes as f64; 2])
            })
        });
        assert_eq!(drawn(&grown.collect::<Vec<_>>(), "growth"), ["growth.svg"]);
        let growth = std::fs::read_to_string(folder.path().join("growth/growth.svg")).unwrap();
        assert!(growth.contains(">wbin: 1.00<"), "{growth}");

        let mut more = figures();
        more.push(Figures { codec: NOT_DRAWN.to_owned(), bytes: 90_000, ..more[0].clone() });
        drawn(&more, "more");
        let read = |name: &str| std::fs::read(folder.path().join(name).join("names.svg")).unwrap();
        assert_eq!(read("typed"), read("more"));
    }
}
