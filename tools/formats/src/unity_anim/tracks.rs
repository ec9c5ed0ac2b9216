//! Names: which curves make which track, and which curve each component of a track becomes.

use super::attributes::{COMPONENT_SUFFIXES, components_of_stem};
use super::document::{Binding, CLASS_ANIMATOR, CLASS_SKINNED_MESH};
use sinew::{MUSCLE_COUNT, MUSCLES, Role, Track, TrackKind};
use std::collections::HashMap;

/// Start of a blend shape's property name.
pub(super) const BLEND_SHAPE: &str = "blendShape.";

/// The track name of a single curve. The path of a blend shape's mesh is part of it, the Animator's is not.
pub(super) fn name_of(binding: &Binding) -> String {
    match sinew::muscle_index(&binding.attribute) {
        _ if binding.class_id == CLASS_SKINNED_MESH && !binding.path.is_empty() => {
            format!("{}/{}", binding.path, binding.attribute)
        }
        Some(index) if binding.class_id == CLASS_ANIMATOR => MUSCLES[index].property.to_owned(),
        _ => binding.attribute.clone(),
    }
}

/// What each component of a track moves, in order: the reverse of [`name_of`] and [`group`].
pub(super) fn bindings_of(track: &Track) -> Vec<Binding> {
    let name = track.name();
    if track.kind() != TrackKind::Scalar {
        let of_suffix = |suffix: &&str| animator(format!("{name}{suffix}"));
        return COMPONENT_SUFFIXES[..track.components()].iter().map(of_suffix).collect();
    }
    let shape = name.find(BLEND_SHAPE).filter(|&at| at == 0 || name[..at].ends_with('/'));
    vec![match shape {
        None => animator(name.to_owned()),
        Some(at) => Binding {
            path: name[..at].trim_end_matches('/').to_owned(),
            attribute: name[at..].to_owned(),
            class_id: CLASS_SKINNED_MESH,
            script: None,
        },
    }]
}

fn animator(attribute: String) -> Binding {
    Binding { attribute, class_id: CLASS_ANIMATOR, ..Binding::default() }
}

/// Makes tracks of curves: names that differ in `.x .y .z .w` only are one vector or rotation.
///
/// Gives each track with the numbers of its curves: muscles in order, the root, then the others as they come. All
/// names differ.
pub(super) fn group(names: &[String]) -> Vec<(Track, Vec<usize>)> {
    let index_of: HashMap<&str, usize> =
        names.iter().enumerate().map(|(index, name)| (name.as_str(), index)).collect();
    let mut done = vec![false; names.len()];
    let mut tracks = Vec::new();
    for (index, name) in names.iter().enumerate() {
        if done[index] {
            continue;
        }
        let (track, members) =
            vector_of(name, &index_of).unwrap_or_else(|| (Track::new(name, TrackKind::Scalar), vec![index]));
        members.iter().for_each(|&member| done[member] = true);
        tracks.push((track, members));
    }
    tracks.sort_by_key(|(track, _)| match track.role() {
        Role::Muscle(index) => usize::from(index),
        Role::RootPosition => MUSCLE_COUNT,
        Role::RootRotation => MUSCLE_COUNT + 1,
        Role::Other => MUSCLE_COUNT + 2,
    });
    tracks
}

/// The vector or rotation that a component's name belongs to, if all its components are there.
fn vector_of(name: &str, index_of: &HashMap<&str, usize>) -> Option<(Track, Vec<usize>)> {
    let stem = COMPONENT_SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix))?;
    // A blend shape may be called anything, `mouth.x` too.
    if stem.is_empty() || index_of.contains_key(stem) || name.contains(BLEND_SHAPE) {
        return None;
    }
    let found: Vec<Option<usize>> = COMPONENT_SUFFIXES
        .iter()
        .map(|suffix| index_of.get(format!("{stem}{suffix}").as_str()).copied())
        .collect();
    let needed = components_of_stem(stem).unwrap_or(if found[3].is_some() { 4 } else { 3 });
    let members: Vec<usize> = found[..needed].iter().copied().collect::<Option<_>>()?;
    let kind = if needed == 4 { TrackKind::Rotation } else { TrackKind::Vector };
    members.contains(index_of.get(name)?).then(|| (Track::new(stem, kind), members))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grouped(names: &[&str]) -> Vec<(String, TrackKind, Vec<usize>)> {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        group(&names)
            .into_iter()
            .map(|(track, members)| (track.name().to_owned(), track.kind(), members))
            .collect()
    }

    #[test]
    fn components_form_tracks_in_any_order() {
        let names = [
            "RootQ.w",
            "RootT.z",
            "blink",
            "RootQ.z",
            "Jaw Close",
            "RootT.x",
            "RootQ.y",
            "RootT.y",
            "RootQ.x",
        ];
        let expected = [
            ("Jaw Close".to_owned(), TrackKind::Scalar, vec![4]),
            ("RootT".to_owned(), TrackKind::Vector, vec![5, 7, 1]),
            ("RootQ".to_owned(), TrackKind::Rotation, vec![8, 6, 3, 0]),
            ("blink".to_owned(), TrackKind::Scalar, vec![2]),
        ];
        assert_eq!(grouped(&names), expected);
    }

    #[test]
    fn incomplete_or_ambiguous_vectors_stay_single() {
        for names in [
            &["RootT.x", "RootT.y"][..],
            &["RootQ.x", "RootQ.y", "RootQ.z"],
            &["p", "p.x", "p.y", "p.z"],
            &["Face/blendShape.p.x", "Face/blendShape.p.y", "Face/blendShape.p.z"],
        ] {
            assert!(grouped(names).iter().all(|(_, kind, _)| *kind == TrackKind::Scalar), "{names:?}");
        }
        let four = grouped(&["RootT.x", "RootT.y", "RootT.z", "RootT.w"]);
        assert_eq!((four[0].1, four[1].0.as_str()), (TrackKind::Vector, "RootT.w"));
    }

    #[test]
    fn bindings_and_names_are_the_reverse_of_each_other() {
        for (track, first) in [
            (Track::new("Left Thumb Spread", TrackKind::Scalar), "LeftHand.Thumb.Spread"),
            (Track::root_rotation(), "RootQ.x"),
            (Track::new("LeftFootT", TrackKind::Vector), "LeftFootT.x"),
            (Track::new("Body/Face/blendShape.\u{3c9}", TrackKind::Scalar), "blendShape.\u{3c9}"),
            (Track::new("blendShape.a", TrackKind::Scalar), "blendShape.a"),
            (Track::new("blink", TrackKind::Scalar), "blink"),
        ] {
            let bindings = bindings_of(&track);
            assert_eq!(bindings[0].attribute, first);
            let names: Vec<String> = bindings.iter().map(name_of).collect();
            assert_eq!(group(&names), [(track, (0..names.len()).collect())]);
        }
    }
}
