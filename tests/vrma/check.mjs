// Loads .vrma files as web players do and holds them against the Khronos validator and our own joints:
// node check.mjs FILE.vrma [PLACES.json] ...   PLACES.json is what the example `joint_places` writes.
import { readFileSync } from "node:fs";
import * as THREE from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { VRMHumanoid } from "@pixiv/three-vrm";
import { createVRMAnimationClip, VRMAnimationLoaderPlugin } from "@pixiv/three-vrm-animation";
import validator from "gltf-validator";

// Metres that hips and hands may be off.
const BOUND = 1e-3;
const CHECKED = { hips: "Hips", leftHand: "LeftHand", rightHand: "RightHand" };
globalThis.self ??= globalThis;

async function check(file, places) {
  const bytes = new Uint8Array(readFileSync(file));
  // 1. The validator.
  const { issues } = await validator.validateBytes(bytes);
  const { numErrors, numWarnings } = issues;
  if (numErrors + numWarnings > 0) {
    const first = issues.messages.find((message) => message.severity < 2);
    throw new Error(`${numErrors} errors, ${numWarnings} warnings, first ${JSON.stringify(first)}`);
  }
  // 2. The loader.
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMAnimationLoaderPlugin(parser));
  const gltf = await loader.parseAsync(bytes.buffer, "");
  const animation = gltf.userData.vrmAnimations?.[0];
  if (!animation) throw new Error("the loader finds no animation");
  const tracks = animation.humanoidTracks.rotation.size;
  if (tracks < 15) throw new Error(`the loader finds ${tracks} bones`);
  if (!places) return `${tracks} bones, ${animation.duration.toFixed(3)} s`;

  // 3. Played on a model of the file's own T-pose.
  const names = gltf.parser.json.extensions.VRMC_vrm_animation.humanoid.humanBones;
  const bones = {};
  for (const [name, { node }] of Object.entries(names)) {
    bones[name] = { node: await gltf.parser.getDependency("node", node) };
  }
  gltf.scene.updateMatrixWorld(true);
  const humanoid = new VRMHumanoid(bones);
  const scene = new THREE.Group();
  scene.add(gltf.scene, humanoid.normalizedHumanBonesRoot);
  const clip = createVRMAnimationClip(animation, { humanoid, scene, meta: { metaVersion: "1" } });
  const mixer = new THREE.AnimationMixer(scene);
  mixer.clipAction(clip).setLoop(THREE.LoopOnce).play().clampWhenFinished = true;
  const { times, joints } = JSON.parse(readFileSync(places, "utf8"));
  let worst = { off: -1 };
  for (const [frame, time] of times.entries()) {
    mixer.setTime(time - times[0]);
    humanoid.update();
    scene.updateMatrixWorld(true);
    for (const [bone, joint] of Object.entries(CHECKED)) {
      const found = humanoid.getRawBoneNode(bone).getWorldPosition(new THREE.Vector3());
      const off = found.distanceTo(new THREE.Vector3(...joints[joint][frame]));
      if (!(off <= worst.off)) worst = { off, bone, frame };
    }
  }
  const text = `${(worst.off * 1e3).toFixed(4)} mm at most (${worst.bone}, frame ${worst.frame})`;
  if (!(worst.off < BOUND)) throw new Error(`hips and hands are off by ${text}`);
  return `${tracks} bones, ${times.length} frames, hips and hands off by ${text}`;
}

const args = process.argv.slice(2);
for (let at = 0; at < args.length; at++) {
  const file = args[at];
  const places = args[at + 1]?.endsWith(".json") ? args[++at] : undefined;
  try {
    console.log(`${file}: ${await check(file, places)}`);
  } catch (error) {
    console.error(`${file}: ${error.message}`);
    process.exitCode = 1;
  }
}
if (args.length === 0) process.exitCode = 2;
