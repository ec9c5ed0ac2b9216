//! Axes, rotations, hips and world positions of known poses; each test names the worst deviation when it fails.

use crate::fixture::Fixture;
use sinew::humanoid::Transform;

/// The largest of named deviations.
#[derive(Default)]
struct Worst(f64, String);

impl Worst {
    fn see(&mut self, value: f64, place: impl Fn() -> String) {
        if value.is_nan() || value > self.0 {
            *self = Worst(value, place());
        }
    }

    fn within(&self, what: &str, bound: f64) {
        println!("{what}: worst {:.3e} at {}", self.0, self.1);
        assert!(self.0 <= bound, "{what}: {:e} at {}, {bound:e} allowed", self.0, self.1);
    }
}

#[test]
fn axes_derived_from_a_t_pose_agree() {
    let fixture = Fixture::read();
    let (mut turn, mut length) = (Worst::default(), Worst::default());
    assert_eq!(fixture.skeletons.len(), 3);
    for (name, skeleton) in &fixture.skeletons {
        let avatar = fixture.avatar(name);
        assert_eq!(avatar.bones().len(), skeleton.axes.len());
        assert!((avatar.human_scale() - skeleton.scale).abs() < 1e-8, "{name}: {}", avatar.human_scale());
        for &(bone, pre, post, length_m) in &skeleton.axes {
            let row = avatar.bone(bone).expect("the skeleton has it");
            let place = || format!("{name}, {}", bone.name());
            turn.see(row.pre.angle_to(pre).max(row.post.angle_to(post)), place);
            length.see((row.length - length_m).abs(), place);
        }
    }
    turn.within("axes, radians", 1e-8);
    length.within("lengths, metres", 1e-8);
}

#[test]
fn muscles_give_the_known_rotations_hips_and_positions() {
    let fixture = Fixture::read();
    let [mut turn, mut hips_m, mut hips_turn, mut place_m] = std::array::from_fn(|_| Worst::default());
    assert_eq!(fixture.cases.len(), 26);
    for (name, case) in &fixture.cases {
        let avatar = fixture.avatar(&case.avatar);
        let local = avatar.local_rotations(&case.muscles).unwrap();
        assert_eq!(case.rotations.len(), avatar.bones().len() - 1, "{name}: all bones but the hips");
        for &(bone, rotation) in &case.rotations {
            turn.see(local[bone as usize].angle_to(rotation), || format!("{name}, {}", bone.name()));
        }
        let hips = avatar.hips_of(&local, &case.root).unwrap();
        hips_m.see((hips.position - case.hips.position).length(), || name.clone());
        hips_turn.see(hips.rotation.angle_to(case.hips.rotation), || name.clone());
        let pose = avatar.pose(&case.muscles, &case.root).unwrap();
        assert!(case.positions.len() >= 6);
        for &(bone, position) in &case.positions {
            place_m.see((pose.position(bone) - position).length(), || format!("{name}, {}", bone.name()));
        }
    }
    // The T-pose's muscles are known to six digits only.
    turn.within("local rotations, radians", 1e-6);
    hips_turn.within("hips rotation, radians", 1e-8);
    hips_m.within("hips position, metres", 1e-7);
    place_m.within("world positions, metres", 1e-6);
}

#[test]
fn known_rotations_give_the_muscles_back() {
    let fixture = Fixture::read();
    let mut worst = Worst::default();
    for (name, case) in &fixture.cases {
        let avatar = fixture.avatar(&case.avatar);
        let muscles = avatar.muscles(&case.local()).unwrap();
        for bone in sinew::humanoid::Bone::ALL {
            for muscle in bone.info().muscles.into_iter().flatten().map(usize::from) {
                let expected = if avatar.bone(bone).is_some() { case.muscles[muscle] } else { 0.0 };
                let place = || format!("{name}, {}", sinew::MUSCLES[muscle].property);
                worst.see((muscles[muscle] - expected).abs(), place);
            }
        }
    }
    worst.within("muscles", 1e-4);
}

#[test]
fn the_root_of_a_known_pose_is_the_one_it_was_made_of() {
    let fixture = Fixture::read();
    let (mut way, mut turn) = (Worst::default(), Worst::default());
    for (name, case) in &fixture.cases {
        let avatar = fixture.avatar(&case.avatar);
        let hips = Transform { rotation: case.hips.rotation.normalized().unwrap(), ..case.hips };
        let pose = avatar.pose_of_rotations(&case.local(), &hips).unwrap();
        let root = avatar.root_of(&pose).unwrap();
        way.see((root.position - case.root.position).length(), || name.clone());
        turn.see(root.rotation.angle_to(case.root.rotation.normalized().unwrap()), || name.clone());
    }
    way.within("root position, human scales", 1e-7);
    turn.within("root rotation, radians", 1e-7);
}
