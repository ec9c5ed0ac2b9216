//! What must hold for any pose: round trips, mirror symmetry, levers, and no NaN whatever comes in.

use proptest::prelude::*;
use sinew::humanoid::{Avatar, BONE_COUNT, Bone, Quat, Transform, TwistShares, Vec3};
use sinew::{MUSCLES, muscle_index};

fn muscles(limit: f64) -> impl Strategy<Value = [f64; 95]> {
    prop::array::uniform32(-limit..limit)
        .prop_flat_map(move |a| {
            (Just(a), prop::array::uniform32(-limit..limit), prop::array::uniform31(-limit..limit))
        })
        .prop_map(|(a, b, c)| {
            std::array::from_fn(|i| match i {
                0..32 => a[i],
                32..64 => b[i - 32],
                _ => c[i - 64],
            })
        })
}

fn root() -> impl Strategy<Value = Transform> {
    let unit =
        prop::array::uniform4(-1.0..1.0f64).prop_filter_map("a direction", |q| Quat::from(q).normalized());
    (prop::array::uniform3(-3.0..3.0f64), unit)
        .prop_map(|(position, rotation)| Transform { position: position.into(), rotation })
}

/// Whether an elbow or knee is so nearly straight that its twist is rounding noise.
fn nearly_straight(muscles: &[f64; 95]) -> bool {
    MUSCLES.iter().zip(muscles).any(|(muscle, value)| {
        (muscle.property.ends_with("Forearm Stretch") || muscle.property.ends_with("Lower Leg Stretch"))
            && (value - 1.0).abs() < 1e-3
    })
}

/// The muscle values of the mirror image.
fn mirrored(muscles: &[f64; 95]) -> [f64; 95] {
    let mut out = *muscles;
    for (index, muscle) in MUSCLES.iter().enumerate() {
        let name = muscle.trait_name;
        let other = match (name.strip_prefix("Left "), name.strip_prefix("Right ")) {
            (Some(part), _) => format!("Right {part}"),
            (_, Some(part)) => format!("Left {part}"),
            _ => name.to_owned(),
        };
        let sign = if other == name && name.ends_with("Left-Right") { -1.0 } else { 1.0 };
        out[muscle_index(&other).expect("muscles come in pairs")] = sign * muscles[index];
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn muscles_survive_rotations(values in muscles(1.5), shares in prop::array::uniform4(0.4..=1.0f64)) {
        // A limb bone hands on at most 1.5 x 90 degrees x 0.6, less than the quarter turn that can be told apart.
        prop_assume!(!nearly_straight(&values));
        let [upper_arm, lower_arm, upper_leg, lower_leg] = shares;
        let shares = TwistShares { upper_arm, lower_arm, upper_leg, lower_leg };
        let avatar = Avatar::reference().clone().with_twist_shares(shares).unwrap();
        let back = avatar.muscles(&avatar.local_rotations(&values).unwrap()).unwrap();
        for (index, (x, y)) in values.iter().zip(&back).enumerate() {
            prop_assert!((x - y).abs() < 1e-9, "{}: {} became {}", MUSCLES[index].property, x, y);
        }
    }

    #[test]
    fn any_rotations_are_reached_again_by_their_muscles(values in muscles(1.0)) {
        // Straight limbs included: muscles may differ there, rotations may not.
        let mut values = values;
        for (value, muscle) in values.iter_mut().zip(&MUSCLES) {
            if muscle.property.ends_with("Stretch") {
                *value = 1.0 - 1e-5 * *value;
            }
        }
        let avatar = Avatar::reference();
        let local = avatar.local_rotations(&values).unwrap();
        let again = avatar.local_rotations(&avatar.muscles(&local).unwrap()).unwrap();
        for bone in Bone::ALL {
            let turn = local[bone as usize].angle_to(again[bone as usize]);
            prop_assert!(turn < 1e-6, "{}: {} rad", bone.name(), turn);
        }
    }

    #[test]
    fn the_mirrored_muscles_give_the_mirror_image(values in muscles(1.5)) {
        let avatar = Avatar::reference();
        let (a, b) =
            (avatar.local_rotations(&values).unwrap(), avatar.local_rotations(&mirrored(&values)).unwrap());
        for bone in Bone::ALL {
            let q = a[bone as usize];
            let image = Quat::new(q.x, -q.y, -q.z, q.w);
            prop_assert!(image.angle_to(b[bone.mirrored() as usize]) < 1e-9, "{}", bone.name());
        }
    }

    #[test]
    fn root_and_hips_lead_to_each_other(values in muscles(1.0), root in root()) {
        let avatar = Avatar::reference();
        let found = avatar.root_of(&avatar.pose(&values, &root).unwrap()).unwrap();
        prop_assert!((found.position - root.position).length() < 1e-9);
        prop_assert!(found.rotation.angle_to(root.rotation) < 1e-9);
    }

    #[test]
    fn bones_keep_their_lengths_in_any_pose(values in muscles(4.0), root in root()) {
        let avatar = Avatar::reference();
        let (pose, rest) = (avatar.pose(&values, &root).unwrap(), avatar.rest_pose());
        for &bone in avatar.bones() {
            let Some(parent) = avatar.bone(bone).unwrap().parent else { continue };
            let length = |pose: &sinew::humanoid::Pose| (pose.position(bone) - pose.position(parent)).length();
            prop_assert!((length(&pose) - length(&rest)).abs() < 1e-9, "{}", bone.name());
            for point in pose.shell(bone) {
                prop_assert!(((point - pose.position(bone)).length() - 0.03).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn what_comes_in_broken_is_refused_or_stays_finite(
        bits in prop::collection::vec(any::<u64>(), 95),
        kind in 0..4u8,
        index in 0..95usize,
        root in prop::array::uniform7(any::<f64>()),
    ) {
        let avatar = Avatar::reference();
        let values: [f64; 95] = std::array::from_fn(|i| match kind {
            0 => f64::from_bits(bits[i]),
            1 => f64::from(f32::from_bits(bits[i] as u32)),
            2 if i == index => f64::NAN,
            _ => (bits[i] as f64) / (u64::MAX as f64) * 2e3 - 1e3,
        });
        let root = Transform {
            position: Vec3::new(root[0], root[1], root[2]),
            rotation: Quat::new(root[3], root[4], root[5], root[6]),
        };
        if let Ok(local) = avatar.local_rotations(&values) {
            prop_assert!(values.iter().all(|value| value.is_finite()));
            prop_assert!(local.iter().all(|q| (q.dot(*q) - 1.0).abs() < 1e-6));
            prop_assert!(avatar.muscles(&local).unwrap().iter().all(|value| value.is_finite()));
        }
        for root in [root, avatar.rest_root()] {
            if let Ok(pose) = avatar.pose(&values, &root) {
                prop_assert!(Bone::ALL.iter().all(|&bone| pose.position(bone).is_finite()));
                prop_assert!(Bone::ALL.iter().all(|&bone| pose.rotation(bone).is_finite()));
            }
        }
        let any_rotations: [Quat; BONE_COUNT] = std::array::from_fn(|i| {
            let part = |k: usize| f64::from_bits(bits[(4 * i + k) % 95]);
            Quat::new(part(0), part(1), part(2), part(3))
        });
        if let Ok(found) = avatar.muscles(&any_rotations) {
            prop_assert!(found.iter().all(|value| value.is_finite()));
        }
    }
}

#[test]
fn a_step_of_the_spine_moves_the_hand_more_than_one_of_a_finger() {
    let avatar = Avatar::reference();
    let hand_moved_by = |name: &str| {
        let mut values = [0.0; 95];
        let before = avatar.pose(&values, &avatar.rest_root()).unwrap();
        values[muscle_index(name).unwrap()] = 0.01;
        let after = avatar.pose(&values, &avatar.rest_root()).unwrap();
        (after.position(Bone::LeftHand) - before.position(Bone::LeftHand)).length()
    };
    let (spine, finger) = (hand_moved_by("Spine Front-Back"), hand_moved_by("LeftHand.Index.1 Stretched"));
    assert!(spine > 0.001 && finger < 1e-12, "spine {spine} m, finger {finger} m");
}

#[test]
fn the_t_pose_reads_as_its_known_muscle_values() {
    let rest = Avatar::reference().rest_muscles();
    let near = |name: &str, expected: f64, slack: f64| {
        let value = rest[muscle_index(name).unwrap()];
        assert!((value - expected).abs() < slack, "{name}: {value}, not {expected}");
    };
    near("Left Arm Down-Up", 0.40003, 1e-5);
    near("Right Arm Front-Back", 0.30005, 1e-5);
    near("Left Forearm Stretch", 0.99992, 1e-5);
    near("Right Lower Leg Stretch", 0.99992, 1e-5);
    near("Left Upper Leg Front-Back", 0.60011, 1e-5);
    near("LeftHand.Index.1 Stretched", 0.668, 1e-3);
    near("RightHand.Little.3 Stretched", 0.812, 1e-3);
    near("Spine Front-Back", 0.0, 1e-9);
    near("Left Foot Up-Down", 0.0, 1e-9);
}

#[test]
fn twist_shares_move_no_hand() {
    let even = Avatar::reference();
    let uneven = even
        .clone()
        .with_twist_shares(TwistShares { upper_arm: 1.0, lower_arm: 0.0, upper_leg: 0.2, lower_leg: 0.9 })
        .unwrap();
    let values: [f64; 95] = std::array::from_fn(|i| ((i * 37) % 19) as f64 / 10.0 - 0.9);
    let (a, b) =
        (even.pose(&values, &even.rest_root()).unwrap(), uneven.pose(&values, &uneven.rest_root()).unwrap());
    for bone in [Bone::LeftHand, Bone::RightFoot, Bone::LeftIndexDistal] {
        assert!((a.position(bone) - b.position(bone)).length() < 1e-9, "{}", bone.name());
        assert!(a.rotation(bone).angle_to(b.rotation(bone)) < 1e-9, "{}", bone.name());
    }
    assert!(a.rotation(Bone::LeftLowerArm).angle_to(b.rotation(Bone::LeftLowerArm)) > 0.1);
}
