//! The columns of a `.csv` file: which of them make which track, both ways.

use crate::csv_table::TIME_COLUMN;
use crate::quote::shown;
use sinew::{Clip, MUSCLE_COUNT, ROOT_POSITION, ROOT_ROTATION, Role, Track, TrackKind, muscle_index};
use std::collections::HashMap;

const SUFFIXES: [&str; 4] = [".x", ".y", ".z", ".w"];

/// Which column holds what.
pub(crate) struct Layout {
    /// Column of the frame times.
    pub time: Option<usize>,
    /// The tracks, each with the column of every component.
    pub tracks: Vec<(Track, Vec<usize>)>,
}

impl Layout {
    /// Whether a column of this name marks a table as a clip's.
    pub fn is_known_column(name: &str) -> bool {
        name == TIME_COLUMN || muscle_index(name).is_some()
    }

    /// Sorts columns into tracks. Tracks keep the columns' order, but a humanoid's 95 muscles and root come first,
    /// in the built-in order, so that any order of columns gives the same clip.
    ///
    /// The error names the column (from 0).
    pub fn of_columns(names: &[String]) -> Result<Layout, (usize, String)> {
        let mut column_of: HashMap<&str, usize> = HashMap::new();
        for (column, name) in names.iter().enumerate() {
            // The two spellings of a finger muscle are one column.
            let key = muscle_index(name).and_then(Track::muscle).map_or(name.as_str(), |_| canonical(name));
            if let Some(first) = column_of.insert(key, column) {
                return Err((column, format!("{} is also column {}", shown(name), first + 1)));
            }
        }
        let mut layout = Layout { time: column_of.get(TIME_COLUMN).copied(), tracks: Vec::new() };
        let mut done = vec![false; names.len()];
        if let Some(time) = layout.time {
            done[time] = true;
        }
        for (column, name) in names.iter().enumerate() {
            if done[column] {
                continue;
            }
            let (track, columns) = match group_of(name, &column_of)? {
                Some((stem, columns)) => {
                    let kind = if columns.len() == 4 { TrackKind::Rotation } else { TrackKind::Vector };
                    (Track::new(stem, kind), columns)
                }
                None => (Track::new(name, TrackKind::Scalar), vec![column]),
            };
            columns.iter().for_each(|&column| done[column] = true);
            layout.tracks.push((track, columns));
        }
        let muscles = layout.tracks.iter().filter(|(track, _)| track.muscle_index().is_some()).count();
        if muscles == MUSCLE_COUNT {
            layout.tracks.sort_by_key(|(track, _)| match track.role() {
                Role::Muscle(index) => usize::from(index),
                Role::RootPosition => MUSCLE_COUNT,
                Role::RootRotation => MUSCLE_COUNT + 1,
                Role::Other => MUSCLE_COUNT + 2,
            });
        }
        Ok(layout)
    }
}

/// The property name of a muscle in either spelling; any other name as it is.
fn canonical(name: &str) -> &str {
    muscle_index(name).map_or(name, |index| sinew::MUSCLES[index].property)
}

type Group<'a> = Option<(&'a str, Vec<usize>)>;

/// The vector or rotation that the column `name` is a component of, with the columns of all its components.
fn group_of<'a>(name: &'a str, column_of: &HashMap<&str, usize>) -> Result<Group<'a>, (usize, String)> {
    let Some(stem) = SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix)) else { return Ok(None) };
    let find = |suffix: &str| column_of.get(format!("{stem}{suffix}").as_str()).copied();
    let found: Vec<Option<usize>> = SUFFIXES.iter().map(|suffix| find(suffix)).collect();
    let needed = match stem {
        ROOT_POSITION => 3,
        ROOT_ROTATION => 4,
        _ if found[3].is_some() => 4,
        _ => 3,
    };
    let columns: Vec<usize> = found[..needed].iter().flatten().copied().collect();
    if columns.len() == needed && (needed == 4 || found[3].is_none()) {
        return Ok(Some((stem, columns)));
    }
    if stem == ROOT_POSITION || stem == ROOT_ROTATION {
        let column = column_of.get(name).copied().unwrap_or(0);
        let wanted: Vec<String> = SUFFIXES[..needed].iter().map(|suffix| format!("{stem}{suffix}")).collect();
        return Err((column, format!("{stem} needs exactly the columns {}", wanted.join(", "))));
    }
    Ok(None)
}

/// Header names of a clip's components, `time` first.
pub(crate) fn column_names(clip: &Clip) -> Vec<String> {
    let mut names = vec![TIME_COLUMN.to_owned()];
    for track in &clip.tracks {
        match track.kind() {
            TrackKind::Scalar => names.push(track.name().to_owned()),
            _ => names.extend(
                SUFFIXES[..track.components()].iter().map(|suffix| format!("{}{suffix}", track.name())),
            ),
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(names: &[&str]) -> Result<Layout, (usize, String)> {
        Layout::of_columns(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn components_form_tracks_in_any_order() {
        let layout = layout(&[
            "RootQ.w", "RootT.z", "a.x", "RootQ.z", "time", "RootT.x", "RootQ.y", "RootT.y", "RootQ.x",
        ])
        .map_err(|(_, what)| what)
        .expect("a good header");
        assert_eq!(layout.time, Some(4));
        let tracks: Vec<(&str, Vec<usize>)> =
            layout.tracks.iter().map(|(track, columns)| (track.name(), columns.clone())).collect();
        assert_eq!(tracks, [("RootQ", vec![8, 6, 3, 0]), ("RootT", vec![5, 7, 1]), ("a.x", vec![2])]);
    }

    #[test]
    fn faults_of_a_header_name_the_column() {
        let fault = |names: &[&str]| layout(names).err().expect("a fault");
        assert_eq!(fault(&["time", "a", "a"]).0, 2);
        assert_eq!(fault(&["Left Thumb Spread", "LeftHand.Thumb.Spread"]).0, 1);
        assert!(fault(&["time", "RootT.x", "RootT.y"]).1.contains("RootT.z"));
        assert!(fault(&["RootQ.x", "RootQ.y", "RootQ.z"]).1.contains("RootQ.w"));
        assert!(fault(&["RootT.x", "RootT.y", "RootT.z", "RootT.w"]).1.contains("exactly"));
    }

    #[test]
    fn a_shuffled_humanoid_is_put_in_order() {
        let mut names: Vec<&str> = sinew::MUSCLES.iter().rev().map(|muscle| muscle.trait_name).collect();
        names.insert(3, "extra");
        let layout = layout(&names).map_err(|(_, what)| what).expect("a good header");
        assert!((0..95).all(|i| layout.tracks[i].0.muscle_index() == Some(i)));
        assert_eq!(layout.tracks[95].0.name(), "extra");
    }
}
