//! Reads `poses.tsv`: skeletons and poses worked out by an independent implementation, as tab-separated lines
//! `name, kind, bone or avatar, numbers...`.

use sinew::humanoid::{Avatar, BONE_COUNT, Bone, Quat, Transform, Vec3};
use std::collections::BTreeMap;

/// One skeleton: its T-pose (none for the built-in one) and what was derived from it.
#[derive(Default)]
pub struct Skeleton {
    pub rest: Vec<(Bone, Transform)>,
    pub axes: Vec<(Bone, Quat, Quat, f64)>,
    pub scale: f64,
}

/// One pose.
pub struct Case {
    pub avatar: String,
    pub muscles: [f64; 95],
    pub root: Transform,
    pub hips: Transform,
    pub rotations: Vec<(Bone, Quat)>,
    pub positions: Vec<(Bone, Vec3)>,
}

pub struct Fixture {
    pub skeletons: BTreeMap<String, Skeleton>,
    pub cases: BTreeMap<String, Case>,
}

impl Fixture {
    pub fn read() -> Fixture {
        let mut fixture = Fixture { skeletons: BTreeMap::new(), cases: BTreeMap::new() };
        for line in include_str!("poses.tsv").lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let (name, kind, key) = (fields[0].to_owned(), fields[1], fields[2]);
            let numbers: Vec<Vec<f64>> = fields[3..]
                .iter()
                .map(|f| f.split(' ').map(|n| n.parse().expect("a number")).collect())
                .collect();
            let bone = || Bone::from_name(key).unwrap_or_else(|| panic!("{line}"));
            if kind == "muscles" {
                let muscles = numbers[0].as_slice().try_into().expect("95 values");
                let case = Case {
                    avatar: key.to_owned(),
                    muscles,
                    root: Transform::IDENTITY,
                    hips: Transform::IDENTITY,
                    rotations: Vec::new(),
                    positions: Vec::new(),
                };
                assert!(fixture.cases.insert(name, case).is_none(), "two poses of one name");
                continue;
            }
            if let Some(case) = fixture.cases.get_mut(&name) {
                match kind {
                    "root" => {
                        case.root = Transform { position: vec3(&numbers[0]), rotation: quat(&numbers[1]) }
                    }
                    "hips" => {
                        case.hips = Transform { position: vec3(&numbers[0]), rotation: quat(&numbers[1]) }
                    }
                    "rotation" => case.rotations.push((bone(), quat(&numbers[0]))),
                    "position" => case.positions.push((bone(), vec3(&numbers[0]))),
                    _ => panic!("{line}"),
                }
                continue;
            }
            let skeleton = fixture.skeletons.entry(name).or_default();
            match kind {
                "rest" => {
                    let at = Transform { position: vec3(&numbers[0]), rotation: quat(&numbers[1]) };
                    skeleton.rest.push((bone(), at));
                }
                "axes" => skeleton.axes.push((bone(), quat(&numbers[0]), quat(&numbers[1]), numbers[2][0])),
                "scale" => skeleton.scale = numbers[0][0],
                _ => panic!("{line}"),
            }
        }
        fixture
    }

    pub fn avatar(&self, name: &str) -> Avatar {
        let rest = &self.skeletons[name].rest;
        if rest.is_empty() {
            Avatar::reference().clone()
        } else {
            Avatar::from_t_pose(rest).expect("a T-pose")
        }
    }
}

impl Case {
    /// The rotations by bone number.
    pub fn local(&self) -> [Quat; BONE_COUNT] {
        let mut local = [Quat::IDENTITY; BONE_COUNT];
        for &(bone, rotation) in &self.rotations {
            local[bone as usize] = rotation;
        }
        local
    }
}

fn vec3(n: &[f64]) -> Vec3 {
    Vec3::new(n[0], n[1], n[2])
}

fn quat(n: &[f64]) -> Quat {
    Quat::new(n[0], n[1], n[2], n[3])
}
