//! Rate and distortion as a picture: an SVG with one panel a clip, drawn by plotters, which needs no fonts for SVG.

use crate::report::ClipReport;
use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;

/// Size of a panel in pixels.
const PANEL: (u32, u32) = (900, 520);
/// Colours of codecs that are not this project's, in order of appearance.
const RIVALS: [RGBColor; 6] = [
    RGBColor(150, 150, 150),
    RGBColor(90, 120, 160),
    RGBColor(160, 130, 90),
    RGBColor(120, 90, 140),
    RGBColor(90, 140, 110),
    RGBColor(110, 110, 110),
];
/// Colours of this project's efforts.
const OWN: [RGBColor; 3] = [RGBColor(240, 150, 30), RGBColor(215, 60, 40), RGBColor(150, 10, 70)];

/// One codec's points: bits a value and largest error, by falling error.
struct Series {
    codec: String,
    points: Vec<(f64, f64)>,
}

/// Draws bits a value against the largest error of every lossy row, both on logarithmic axes; further left and lower
/// is better. Clips without lossy rows get no panel.
///
/// # Errors
/// None in practice; the drawing library's.
pub fn rate_distortion_svg(reports: &[ClipReport]) -> Result<String> {
    let panels: Vec<(&ClipReport, Vec<Series>)> = reports
        .iter()
        .map(|report| (report, series_of(report)))
        .filter(|(_, series)| !series.is_empty())
        .collect();
    let mut svg = String::new();
    {
        let height = PANEL.1 * panels.len().max(1) as u32;
        let page = SVGBackend::with_string(&mut svg, (PANEL.0, height)).into_drawing_area();
        page.fill(&WHITE).map_err(drawing)?;
        for (area, (report, series)) in page.split_evenly((panels.len().max(1), 1)).iter().zip(&panels) {
            draw(area, &report.summary.clip, series)?;
        }
        page.present().map_err(drawing)?;
    }
    Ok(svg)
}

fn drawing(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("the plot cannot be drawn: {error}")
}

fn series_of(report: &ClipReport) -> Vec<Series> {
    let values = report.summary.raw_bytes as f64 / 4.0;
    let mut all: Vec<Series> = Vec::new();
    for row in &report.rows {
        let (Some(bytes), Some(error)) = (row.bytes, row.max_abs) else { continue };
        if error <= 0.0 || bytes == 0 {
            continue;
        }
        let point = (bytes as f64 * 8.0 / values, error);
        match all.iter_mut().find(|series| series.codec == row.codec) {
            Some(series) => series.points.push(point),
            None => all.push(Series { codec: row.codec.clone(), points: vec![point] }),
        }
    }
    for series in &mut all {
        series.points.sort_by(|a, b| b.1.total_cmp(&a.1));
    }
    all
}

/// The least and largest of some positive numbers, with a tenth of room on a logarithmic axis.
fn range(values: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let (low, high) = values.fold((f64::INFINITY, 0.0f64), |(low, high), v| (low.min(v), high.max(v)));
    low / 1.25..high * 1.25
}

fn draw(area: &DrawingArea<SVGBackend<'_>, Shift>, clip: &str, series: &[Series]) -> Result<()> {
    let points = || series.iter().flat_map(|series| &series.points);
    let (rates, errors) = (range(points().map(|p| p.0)), range(points().map(|p| p.1)));
    let mut chart = ChartBuilder::on(area)
        .caption(format!("{clip}: largest error at a rate"), ("sans-serif", 22))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(84)
        .build_cartesian_2d(rates.log_scale(), errors.log_scale())
        .map_err(drawing)?;
    chart
        .configure_mesh()
        .x_desc("bits a value")
        .y_desc("largest error, muscle units")
        .x_label_formatter(&|bits| format!("{bits:.2}"))
        .y_label_formatter(&|error| format!("{error:.0e}"))
        .light_line_style(WHITE)
        .draw()
        .map_err(drawing)?;
    let (mut rivals, mut own) = (RIVALS.iter().cycle(), OWN.iter().cycle());
    for series in series {
        let ours = series.codec.starts_with("sinew");
        let Some(&colour) = (if ours { own.next() } else { rivals.next() }) else { continue };
        let style = colour.stroke_width(if ours { 3 } else { 1 });
        chart
            .draw_series(LineSeries::new(series.points.iter().copied(), style).point_size(3))
            .map_err(drawing)?
            .label(series.codec.as_str())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 22, y)], style));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE)
        .border_style(BLACK)
        .label_font(("sans-serif", 15))
        .draw()
        .map_err(drawing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BenchOptions, bench_clip, test_clips};

    #[test]
    fn every_lossy_codec_has_its_line_and_lossless_ones_have_none() {
        let options = BenchOptions { bounds: vec![0.01, 0.001], quick: true, ..BenchOptions::default() };
        let report =
            bench_clip("sine & <co>", &test_clips::smooth(60), &options, &mut |_| ()).expect("valid");
        let svg = rate_distortion_svg(std::slice::from_ref(&report)).expect("draws");
        assert!(svg.starts_with("<svg") && svg.contains("sine &amp; &lt;co&gt;"), "{}", &svg[..400]);
        for row in &report.rows {
            let lossy = row.max_abs.is_some_and(|error| error > 0.0);
            let label = format!("\n{}\n</text>", row.codec);
            let other =
                report.rows.iter().any(|o| o.codec == row.codec && o.max_abs.is_some_and(|e| e > 0.0));
            assert!(!lossy || svg.contains(&label), "{} is missing", row.codec);
            assert!(other || !svg.contains(&label), "{} is drawn", row.codec);
        }
        assert_eq!(svg, rate_distortion_svg(&[report]).expect("draws"), "the same picture every time");
    }

    #[test]
    fn nothing_to_draw_is_an_empty_page() {
        let options = BenchOptions { bounds: Vec::new(), quick: true, ..BenchOptions::default() };
        let report = bench_clip("empty", &test_clips::smooth(0), &options, &mut |_| ()).expect("valid");
        assert!(rate_distortion_svg(&[report]).expect("draws").contains("</svg>"));
        assert!(rate_distortion_svg(&[]).expect("draws").contains("</svg>"));
    }
}
