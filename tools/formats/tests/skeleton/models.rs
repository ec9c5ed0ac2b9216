//! Rigs of glTF models: the humanoid map of VRM in both versions, names without one, and models that mean harm.

use crate::rig_files::{refusal, rig_of};
use serde_json::{Value, json};
use sinew::humanoid::{Bone, Quat, Vec3};
use sinew_formats::skeleton::{HumanRig, MapSource, reference_rig};
use std::time::{Duration, Instant};

/// A binary glTF of this JSON and a chunk of other bytes.
fn glb(json: &str) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = 12 + 8 + json.len() + 8 + 4;
    let mut bytes = b"glTF".to_vec();
    bytes.extend(2u32.to_le_bytes());
    bytes.extend((length as u32).to_le_bytes());
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes.extend(4u32.to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend([0xff; 4]);
    bytes
}

/// Nodes of the reference skeleton in metres below a node that is scaled and turned, under the names that are given.
/// Every joint is turned at rest, as in models of most programs.
fn nodes(name_of: &dyn Fn(&str) -> String, facing: Quat) -> Vec<Value> {
    let rig = reference_rig();
    let turn = |number: usize| Quat::about_y(0.3 * number as f64) * Quat::about_x(0.2);
    // World rotations of the joints; the root node has the facing.
    let mut nodes: Vec<Value> = vec![
        json!({"name": "Armature", "children": [1], "scale": [0.01, 0.01, 0.01], "rotation": numbers(facing)}),
    ];
    for (number, joint) in rig.joints.iter().enumerate() {
        let above = joint.parent.map_or(Quat::IDENTITY, turn);
        let Vec3 { x, y, z } = above.conjugate().rotate(Vec3::from(joint.offset.map(f64::from)));
        let own = above.conjugate() * turn(number);
        let children: Vec<usize> = (0..rig.joints.len())
            .filter(|&child| rig.joints[child].parent == Some(number))
            .map(|child| child + 1)
            .collect();
        let mut node = json!({"translation": [x, y, z], "rotation": numbers(own), "children": children});
        let name = if joint.name == "End Site" { format!("end{number}") } else { name_of(&joint.name) };
        node["name"] = name.into();
        nodes.push(node);
    }
    nodes
}

fn numbers(q: Quat) -> [f64; 4] {
    [q.x, q.y, q.z, q.w]
}

/// The node of each bone that VRM knows.
fn bone_nodes() -> impl Iterator<Item = (Bone, usize)> {
    let rig = reference_rig();
    Bone::ALL.into_iter().filter_map(move |bone| {
        let number = rig.joints.iter().position(|joint| joint.name == bone.name())?;
        Some((bone, number + 1))
    })
}

#[track_caller]
fn assert_is_reference(what: &str, rig: &HumanRig) {
    let reference = HumanRig::reference().avatar();
    for &bone in reference.bones() {
        let (a, b) = (reference.bone(bone).expect("there"), rig.avatar().bone(bone).expect(what));
        let off = a.pre.angle_to(b.pre).max(a.post.angle_to(b.post));
        assert!(off < 1e-4, "{what}: {bone:?} {off}");
        assert!((a.rest_position - b.rest_position).length() < 1e-4, "{what}: {bone:?}");
    }
}

#[test]
fn vrm_1_tells_its_bones() {
    let bones: serde_json::Map<String, Value> =
        bone_nodes().map(|(bone, node)| (bone.info().vrm1_name.to_owned(), json!({"node": node}))).collect();
    for extension in ["VRMC_vrm", "VRMC_vrm_animation"] {
        let model = json!({
            "asset": {"version": "2.0"},
            "nodes": nodes(&|name| format!("n-{}", name.len()), Quat::IDENTITY),
            "extensions": {extension: {"humanoid": {"humanBones": bones.clone()}}},
        });
        for (name, bytes) in [("a.vrm", glb(&model.to_string())), ("a.gltf", model.to_string().into_bytes())]
        {
            let rig = rig_of(name, bytes);
            assert_eq!(rig.map().source(), MapSource::Given);
            assert_is_reference(name, &rig);
        }
    }
}

#[test]
fn vrm_0_faces_the_other_way() {
    let bones: Vec<Value> = bone_nodes()
        .map(|(bone, node)| {
            let name = bone.name();
            let name = format!("{}{}", name[..1].to_lowercase(), &name[1..]);
            json!({"bone": name, "node": node, "useDefaultValues": true})
        })
        .collect();
    let model = json!({
        "asset": {"version": "2.0"},
        "nodes": nodes(&|_| "bone".into(), Quat::about_y(std::f64::consts::PI)),
        "extensions": {"VRM": {"humanoid": {"humanBones": bones}}},
    });
    let rig = rig_of("a.glb", glb(&model.to_string()));
    assert_is_reference("VRM 0", &rig);
    let left = rig.map().joint(Bone::LeftUpperArm).expect("mapped");
    let right = rig.map().joint(Bone::RightUpperArm).expect("mapped");
    assert!(
        left != right && rig.notes().iter().all(|note| !note.text.contains("faces")),
        "{:?}",
        rig.notes()
    );
}

#[test]
fn a_model_without_a_map_is_told_by_names() {
    let mixamo = |name: &str| {
        let own = match name {
            "Chest" => "Spine1",
            "UpperChest" => "Spine2",
            "LeftUpperArm" => "LeftArm",
            "RightUpperArm" => "RightArm",
            "LeftLowerArm" => "LeftForeArm",
            "RightLowerArm" => "RightForeArm",
            "LeftUpperLeg" => "LeftUpLeg",
            "RightUpperLeg" => "RightUpLeg",
            "LeftLowerLeg" => "LeftLeg",
            "RightLowerLeg" => "RightLeg",
            other => other,
        };
        format!("mixamorig:{own}")
    };
    let model = json!({"asset": {"version": "2.0"}, "nodes": nodes(&mixamo, Quat::IDENTITY)});
    let rig = rig_of("a.glb", glb(&model.to_string()));
    assert_eq!(rig.map().source(), MapSource::Names);
    assert_is_reference("Mixamo", &rig);
}

fn model(nodes: Value) -> Vec<u8> {
    glb(&json!({"asset": {"version": "2.0"}, "nodes": nodes}).to_string())
}

#[test]
fn faults_of_models_are_named() {
    let whole = model(json!([{"name": "a"}]));
    let mut version = whole.clone();
    version[4] = 1;
    let mut chunk = whole.clone();
    chunk[16..20].copy_from_slice(b"BIN\0");
    let mut long = whole.clone();
    long[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    for (bytes, expected) in [
        (version, "only version 2"),
        (chunk, "first chunk is not JSON"),
        (long, "cut: its JSON has 4294967295 bytes"),
        (whole[..10].to_vec(), "cut"),
        (whole[..30].to_vec(), "cut"),
        (model(json!([{"children": [1]}, {"children": [0]}])), "ring"),
        (model(json!([{"children": [0]}])), "ring"),
        (model(json!([{"children": [2]}, {"children": [2]}, {}])), "node 2 has two parents"),
        (model(json!([{"children": [1, 1]}, {}])), "node 1 has two parents"),
        (model(json!([{"children": [7]}])), "there is no node 7"),
        (model(json!([{"children": [-1]}])), "a child is no node's number"),
        (model(json!([{"children": [0.5]}])), "a child is no node's number"),
        (model(json!([{"children": ["0"]}])), "a child is no node's number"),
        (model(json!([{"translation": [1, 2]}])), "translation is not 3 numbers"),
        (model(json!([{"translation": [1, null, 2]}])), "translation is not 3 numbers"),
        (model(json!([{"rotation": [0, 0, 0, 0]}])), "rotation is none"),
        (model(json!([{"matrix": vec![0; 16]}])), "matrix is flat"),
        (model(json!([{"matrix": [1, 2, 3]}])), "matrix is not 16 numbers"),
        (model(json!([])), "Hips"),
        (model(json!({})), "it has no nodes"),
        (glb("{\"asset\": {}"), "not JSON"),
        (glb("{\"asset\": {}, \"nodes\": [{\"translation\": [1e999, 0, 0]}]}"), "not JSON"),
    ] {
        let error = refusal("a.glb", bytes);
        assert!(error.contains(expected) && error.len() < 400, "{expected:?}: {error}");
    }
    // A map to nowhere, and one bone or node twice.
    for (bones, expected) in [
        (json!({"hips": {"node": 99}}), "Hips: no such node"),
        (json!({"hips": {}}), "Hips: no such node"),
        (json!({"hips": {"node": 0}, "spine": {"node": 0}}), "comes twice"),
        (json!({"hips": {"node": 0}}), "LeftUpperLeg"),
    ] {
        let json = json!({"asset": {}, "nodes": [{}], "extensions": {"VRMC_vrm": {"humanoid": {"humanBones": bones}}}});
        let error = refusal("a.glb", glb(&json.to_string()));
        assert!(error.contains(expected), "{expected:?}: {error}");
    }
}

#[test]
fn huge_numbers_and_many_nodes_give_an_answer_soon() {
    let start = Instant::now();
    for value in [1e300, -1e38, 1e-300] {
        let mut nodes = nodes(&|name| name.to_owned(), Quat::IDENTITY);
        for node in &mut nodes {
            node["scale"] = json!([value, value, value]);
        }
        refusal("a.glb", model(nodes.into()));
    }
    let chain = |count: usize| -> Value {
        (0..count).map(|n| if n + 1 < count { json!({"children": [n + 1]}) } else { json!({}) }).collect()
    };
    refusal("a.glb", model(chain(90_000)));
    let fan: Vec<Value> = std::iter::once(json!({"children": (1..90_000).collect::<Vec<usize>>()}))
        .chain((1..90_000).map(|_| json!({"name": "LeftArm"})))
        .collect();
    refusal("a.glb", model(fan.into()));
    assert!(refusal("a.glb", model(chain(1_000_000))).contains("1000000 nodes"));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
