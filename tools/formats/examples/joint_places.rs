//! Writes where the joints of a humanoid clip are on the reference skeleton, as JSON: `joint_places IN OUT.json`.
//! Right-handed, y up, metres; `times` in seconds, `joints` a list of places for each name.
//!
//! `cargo run --release -p sinew-formats --example joint_places -- take.data places.json`

use serde_json::{Value, json};
use sinew_formats::skeleton::{FigureJoints, HumanRig};
use sinew_formats::{ReadOptions, read};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [input, output] = args.as_slice() else { return Err("usage: joint_places IN OUT.json".into()) };
    let clip = read(Path::new(input), None, &ReadOptions::default())?.clip;
    let figure = FigureJoints::of(&clip, HumanRig::reference())?;
    let mut places: Vec<Vec<Value>> = vec![Vec::new(); figure.names().len()];
    for frame in 0..clip.frames() {
        for (places, at) in places.iter_mut().zip(figure.frame(frame)?) {
            places.push(json!([at.x, at.y, at.z]));
        }
    }
    let joints: serde_json::Map<String, Value> =
        figure.names().iter().cloned().zip(places.into_iter().map(Value::from)).collect();
    let times: Vec<f64> = clip.times.iter().collect();
    std::fs::write(output, json!({"times": times, "joints": joints}).to_string())?;
    Ok(())
}
