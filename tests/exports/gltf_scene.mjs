// `saltus export --to gltf`: the Khronos validator finds nothing, and three.js plays a scene in which the bodies are where MuJoCo
// 3.12 has them in the rows of the motion.
//     gltf_scene.mjs EXAMPLE...
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { saltus, solved } from '../oracle/motion.mjs';
import { check, done, fetched, near, oracle, run } from '../oracle/mujoco.mjs';

const mujoco = await oracle();
const validator = await fetched('gltf-validator/index.js'), three = await fetched('three/build/three.module.js'),
      loader = await fetched('three/examples/jsm/loaders/GLTFLoader.js');
const build = process.env.SALTUS_BUILD ?? 'build';
const work = path.join(build, 'tests', 'gltf_scene');

// The rows of the motion, a file of the scene with a frame for each, and the model
function make(example)
{
    const made = solved(mujoco, work, example), file = path.join(work, `${example}.glb`);
    execFileSync(saltus, ['export', made.out, '--to', 'gltf', '--rate', `${1 / made.h}`, '-o', file]);
    return { ...made, bytes: new Uint8Array(fs.readFileSync(file)) };
}

const parse = (bytes) => new Promise((yes, no) => new loader.GLTFLoader().parse(bytes.buffer, '', yes, no));

// Largest distance, m, of a body from where MuJoCo has it, over all rows. x, y, z there are x, z, -y of MuJoCo.
function farthest(scene, { m, h, motion })
{
    const mixer = new three.AnimationMixer(scene.scene), d = new mujoco.MjData(m), at = new three.Vector3();
    mixer.clipAction(scene.animations[0]).setLoop(three.LoopOnce).play();
    let most = 0;
    for (let t = 0; t + 1 < motion.qpos.length; t++) {
        mixer.setTime(t * h);
        scene.scene.updateMatrixWorld(true);
        d.qpos.set(motion.qpos[t]);
        mujoco.mj_kinematics(m, d);
        for (let b = 1; b < m.nbody; b++) {
            scene.scene.getObjectByName(three.PropertyBinding.sanitizeNodeName(m.body(b).name)).getWorldPosition(at);
            const x = Array.from(d.xpos.slice(3 * b, 3 * b + 3));
            most = Math.max(most, Math.abs(at.x - x[0]), Math.abs(at.y - x[2]), Math.abs(at.z + x[1]));
        }
    }
    d.delete();
    return most;
}

if (validator === null || three === null || loader === null) {
    console.log('skip all: the npm packages gltf-validator and three are not there');
    console.log('0 passed, 0 failed, 1 skipped');
    process.exit(77);
}
for (const example of process.argv.slice(2)) {
    const made = make(example);
    const { issues, info } = await validator.default.validateBytes(made.bytes);
    const scene = await parse(made.bytes);
    run(`${example}_plays`, () => {
        issues.messages.forEach(({ code, message, pointer }) => console.log(code, message, pointer));
        check(issues.numErrors + issues.numWarnings === 0 && info.animationCount === 1, 'the validator');
        check(info.totalTriangleCount > 0 && made.motion.qpos.length > 10, 'something to see');
        const most = farthest(scene, made);
        console.log(`${example}: ${made.motion.qpos.length} rows, bodies within ${most.toExponential(1)} m`);
        near(most, 0, 1e-5, 'places of bodies'); // numbers of 4 bytes
    });
}
done();
