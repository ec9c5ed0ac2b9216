//! What of a motion is lost between skeletons, one line each with its size.

use super::human_rig::HumanRig;
use crate::error::Result;
use crate::note::Note;
use sinew::humanoid::{Avatar, Bone, HumanFrame, HumanTracks, Quat};
use sinew::{Clip, MUSCLES, Role};

/// Most frames that are looked at.
const SAMPLED_FRAMES: usize = 512;
/// Turns below this are not worth a line. Degrees.
const SMALL_DEG: f64 = 0.1;
/// Changes of length below this are not worth a line. Metres.
const SMALL_M: f64 = 1e-4;

/// What muscles and root do not hold of a skeleton clip: joints that are no bone and lie on no way between bones, and
/// bones that change their length.
pub(super) fn of_solving(clip: &Clip, rig: &HumanRig) -> Result<Vec<Note>> {
    let tree = &rig.kinematics.tree;
    // 1. Joints that turn nothing that is a bone.
    let mut carries = vec![false; tree.len()];
    for (_, joint) in rig.map.bones() {
        tree.upwards(joint).for_each(|at| carries[at] = true);
    }
    let loose: Vec<usize> = (0..tree.len())
        .filter(|&joint| !carries[joint] && !rig.rig().joints[joint].axes.is_empty())
        .collect();
    // 2. How far they turn, and how much bones stretch.
    let mut turned: Vec<(usize, f64)> = loose.iter().map(|&joint| (joint, 0.0)).collect();
    let mut stretched: Option<(Bone, f64)> = None;
    let step = clip.frames().div_ceil(SAMPLED_FRAMES).max(1);
    for frame in (0..clip.frames()).step_by(step) {
        let world = rig.kinematics.in_frame(clip, frame)?;
        for (joint, most) in &mut turned {
            let parent = tree.parents[*joint].map_or(Quat::IDENTITY, |parent| world[parent].rotation);
            let local = parent.conjugate() * world[*joint].rotation;
            *most = most.max(local.angle_to(rig.base_local(*joint).rotation).to_degrees());
        }
        for (bone, joint) in rig.map.bones() {
            let Some(parent) = rig.avatar.bone(bone).and_then(|row| row.parent) else { continue };
            let parent = rig.map.joint(parent).expect("an avatar's bones are mapped");
            let length = |places: &[sinew::humanoid::Transform]| {
                (places[joint].position - places[parent].position).length()
            };
            let change = (length(&world) * rig.space.metres - length(&rig.t_pose.joints)).abs();
            if change > stretched.map_or(SMALL_M, |(_, most)| most) {
                stretched = Some((bone, change));
            }
        }
    }
    // 3. The lines.
    let mut notes = Vec::new();
    turned.retain(|&(_, most)| most > SMALL_DEG);
    if let Some(&(joint, most)) = turned.iter().max_by(|a, b| a.1.total_cmp(&b.1)) {
        notes.push(Note::loss(format!(
            "the turns of {} joints that are no human bone, {} by up to {most:.1} degrees",
            turned.len(),
            super::shown(&tree.names[joint])
        )));
    }
    if let Some((bone, change)) = stretched {
        notes.push(Note::loss(format!(
            "changes of bone lengths: the joint of {} is up to {:.1} mm nearer or farther than in the T-pose",
            bone.name(),
            change * 1e3
        )));
    }
    Ok(notes)
}

/// How far the body of a humanoid clip gets from where it starts, and how far it turns, in words: metres on the
/// reference skeleton. `None` without a root.
pub(crate) fn travel(clip: &Clip) -> Option<String> {
    let tracks = HumanTracks::of(clip).ok().filter(HumanTracks::has_any_root)?;
    let avatar = Avatar::reference();
    let rest = HumanFrame::at_rest(avatar);
    let mut start = None;
    let (mut way, mut turn) = (0.0f64, 0.0f64);
    for frame in 0..clip.frames() {
        let root = tracks.frame(frame, &rest).root;
        let (Some(rotation), true) = (root.rotation.normalized(), root.position.is_finite()) else {
            continue;
        };
        let (from, at_first) = *start.get_or_insert((root.position, rotation));
        way = way.max((root.position - from).length() * avatar.human_scale());
        turn = turn.max(rotation.angle_to(at_first).to_degrees());
    }
    Some(format!("up to {way:.2} m and turned by up to {turn:.0} degrees"))
}

/// What a rig does not show of a humanoid clip: muscles of bones that it lacks, and tracks that are no muscle.
pub(super) fn of_posing(clip: &Clip, rig: &HumanRig) -> Vec<Note> {
    let mut notes: Vec<Note> = of_muscles(clip, rig).into_iter().collect();
    let others: Vec<&str> =
        clip.tracks.iter().filter(|track| track.role() == Role::Other).map(|track| track.name()).collect();
    if let Some(first) = others.first() {
        notes.push(Note::loss(format!(
            "{} tracks that are no muscle, {} first",
            others.len(),
            super::shown(first)
        )));
    }
    notes
}

/// Muscles of bones that a rig lacks.
pub(super) fn of_muscles(clip: &Clip, rig: &HumanRig) -> Option<Note> {
    let (mut count, mut most, mut name) = (0, 0.0f32, "");
    let mut first = 0;
    for track in &clip.tracks {
        if let Role::Muscle(number) = track.role() {
            let (bone, _) = Bone::of_muscle(usize::from(number)).expect("every muscle turns a bone");
            let largest = clip.samples[first].iter().fold(0.0f32, |most, value| most.max(value.abs()));
            if rig.avatar.bone(bone).is_none() && largest > 0.0 {
                count += 1;
                if largest > most {
                    (most, name) = (largest, MUSCLES[usize::from(number)].property);
                }
            }
        }
        first += track.components();
    }
    (count > 0).then(|| {
        Note::loss(format!(
            "{count} muscles of bones that the rig has no joint for, {name:?} up to {most:.3}"
        ))
    })
}
