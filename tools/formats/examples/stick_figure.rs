//! Draws stick figures of a clip as an SVG: `stick_figure IN OUT.svg [RIG]`. Frames from left to right, seen from the
//! front (above) and from the figure's left (below); its left side is red, its right side blue, the ground a line.
//!
//! `cargo run --release -p sinew-formats --example stick_figure -- take.bvh take.svg`

use sinew::humanoid::Vec3;
use sinew_formats::skeleton::{FigureJoints, HumanRig, RigHints, UpAxis, read_rig};
use sinew_formats::{ReadOptions, read};
use std::error::Error;
use std::fmt::Write;
use std::path::Path;

/// Figures in a row, and pixels for each.
const FIGURES: usize = 8;
const WIDTH: f64 = 170.0;
const HEIGHT: f64 = 220.0;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [input, output, rig @ ..] = args.as_slice() else {
        return Err("usage: stick_figure IN OUT.svg [RIG]".into());
    };
    let clip = read(Path::new(input), None, &ReadOptions::default())?.clip;
    let given = rig.first().map(|rig| read_rig(Path::new(rig), None)).transpose()?;
    let joints = FigureJoints::of(&clip, given.as_ref().unwrap_or_else(|| HumanRig::reference()))?;
    let z_up = HumanRig::of_clip(&clip, &RigHints::default()).is_ok_and(|rig| rig.up() == UpAxis::Z);

    // 1. Where everything is in the chosen frames.
    let last = clip.frames().checked_sub(1).ok_or("the clip has no frames")?;
    let chosen: Vec<usize> = (0..FIGURES).map(|figure| figure * last / (FIGURES - 1)).collect();
    let upright = |v: Vec3| if z_up { Vec3::new(v.x, v.z, -v.y) } else { v };
    let mut poses = Vec::new();
    for &frame in &chosen {
        let places: Vec<Vec3> = joints.frame(frame)?.into_iter().map(upright).collect();
        poses.push(places);
    }
    let heights = poses.iter().map(|places| {
        let ys = places.iter().map(|place| place.y);
        ys.clone().fold(f64::NEG_INFINITY, f64::max) - ys.fold(f64::INFINITY, f64::min)
    });
    let scale = 0.8 * HEIGHT / heights.fold(0.0, f64::max);
    let ground = poses.iter().flatten().map(|place| place.y).fold(f64::INFINITY, f64::min).min(0.0);

    // 2. Two rows of them.
    let mut svg = String::new();
    let (width, height) = (WIDTH * FIGURES as f64, 2.0 * HEIGHT + 20.0);
    writeln!(svg, r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">"#)?;
    writeln!(svg, r#"<rect width="100%" height="100%" fill="white"/>"#)?;
    for (column, (places, frame)) in poses.iter().zip(&chosen).enumerate() {
        let middle = places[0];
        for (row, view) in [front as fn(Vec3) -> f64, left].into_iter().enumerate() {
            let x0 = WIDTH * (column as f64 + 0.5);
            let y0 = HEIGHT * (row as f64 + 1.0) - 10.0;
            let at = |place: Vec3| (x0 + scale * view(place - middle), y0 - scale * (place.y - ground));
            let (x, end) = (x0 - WIDTH / 2.0, x0 + WIDTH / 2.0);
            let level = y0 + scale * ground;
            writeln!(svg, r##"<line x1="{x}" y1="{level:.1}" x2="{end}" y2="{level:.1}" stroke="#bbb"/>"##)?;
            for (joint, parent) in joints.parents().iter().enumerate() {
                let Some(parent) = *parent else { continue };
                let ((x1, y1), (x2, y2)) = (at(places[parent]), at(places[joint]));
                let colour = colour(&joints.names()[joint], &joints.names()[parent]);
                writeln!(
                    svg,
                    r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="{colour}" stroke-width="2"/>"#
                )?;
            }
        }
        writeln!(
            svg,
            r#"<text x="{:.0}" y="{}" font-size="12">frame {frame}</text>"#,
            WIDTH * column as f64 + 8.0,
            height - 6.0
        )?;
    }
    svg.push_str("</svg>\n");
    std::fs::write(output, svg)?;
    Ok(())
}

/// Seen from +z: the left side of a figure that faces there is on the right.
fn front(place: Vec3) -> f64 {
    place.x
}

/// Seen from +x: what is in front is on the left.
fn left(place: Vec3) -> f64 {
    -place.z
}

fn colour(name: &str, parent: &str) -> &'static str {
    let is = |side: &str, letter: char| {
        [name, parent].iter().any(|name| {
            let own = name.rsplit(':').next().unwrap_or(name);
            own.to_lowercase().contains(side)
                || own.ends_with([letter.to_ascii_uppercase()]) && own.contains(['_', '.'])
                || own.starts_with(letter.to_ascii_uppercase())
                    && own.chars().nth(1).is_some_and(char::is_uppercase)
        })
    };
    match (is("left", 'l'), is("right", 'r')) {
        (true, false) => "#d03020",
        (false, true) => "#2040d0",
        _ => "#333",
    }
}
