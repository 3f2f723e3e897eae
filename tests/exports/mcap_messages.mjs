// `saltus export --to mcap`: Foxglove's reader finds by the index of the file, and decodes by the definitions in it, messages that
// say what the result says.
//     mcap_messages.mjs EXAMPLE...
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { saltus, solved } from '../oracle/motion.mjs';
import { check, done, fetched, near, oracle, run } from '../oracle/mujoco.mjs';

const mujoco = await oracle();
const common = async (name) => (await fetched(name))?.default ?? null; // modules of the older kind
const mcap = await common('@mcap/core/dist/cjs/index.js'), rosmsg = await common('@foxglove/rosmsg/dist/index.js'),
      cdr = await common('@foxglove/rosmsg2-serialization/dist/index.js');
const build = process.env.SALTUS_BUILD ?? 'build';
const work = path.join(build, 'tests', 'mcap_messages');
const BEGIN = 1000000000n, SCALAR = [2, 3]; // ns; mjtJoint: slide, hinge

// What the command writes with a frame for each row, and the rows
function make(example)
{
    const made = solved(mujoco, work, example), file = path.join(work, `${example}.mcap`);
    execFileSync(saltus, ['export', made.out, '--to', 'mcap', '--rate', `${1 / made.h}`, '-o', file]);
    return { ...made, bytes: fs.readFileSync(file) };
}

// { topic: [{ time, message }] }, by the index
async function read(bytes)
{
    const readable = { size: async () => BigInt(bytes.length),
                       read: async (offset, size) => new Uint8Array(bytes.subarray(Number(offset), Number(offset + size))) };
    const reader = await mcap.McapIndexedReader.Initialize({ readable });
    const decoders = new Map(), found = {};
    for (const [id, schema] of reader.schemasById)
        decoders.set(id, new cdr.MessageReader(rosmsg.parse(new TextDecoder().decode(schema.data), { ros2: true })));
    for await (const { channelId, logTime, data } of reader.readMessages()) {
        const { topic, schemaId } = reader.channelsById.get(channelId);
        (found[topic] ??= []).push({ time: logTime, message: decoders.get(schemaId).readMessage(data) });
    }
    return { found, statistics: reader.statistics, profile: reader.header.profile, chunks: reader.chunkIndexes.length };
}

// How far transforms are from where MuJoCo has the bodies, m and of quaternions 1, at most
function farthest({ m, motion }, transforms)
{
    const d = new mujoco.MjData(m);
    let most = 0;
    transforms.forEach(({ message }, t) => {
        d.qpos.set(motion.qpos[t]);
        mujoco.mj_kinematics(m, d);
        message.transforms.forEach(({ child_frame_id, transform: { translation: x, rotation: q } }, i) => {
            const b = i + 1, at = d.xpos.slice(3 * b, 3 * b + 3), turn = d.xquat.slice(4 * b, 4 * b + 4);
            check(child_frame_id === m.body(b).name, child_frame_id);
            [x.x - at[0], x.y - at[1], x.z - at[2], q.w - turn[0], q.x - turn[1], q.y - turn[2], q.z - turn[3]]
                .forEach((off) => { most = Math.max(most, Math.abs(off)); });
        });
    });
    d.delete();
    return most;
}

if (mcap === null || rosmsg === null || cdr === null) {
    console.log('skip all: the npm packages @mcap/core, @foxglove/rosmsg and @foxglove/rosmsg2-serialization are not there');
    console.log('0 passed, 0 failed, 1 skipped');
    process.exit(77);
}
for (const example of process.argv.slice(2)) {
    const made = make(example), rows = made.motion.qpos.length, { m } = made;
    const { found, statistics, profile, chunks } = await read(made.bytes);
    const contacts = Object.keys(found).filter((topic) => topic.startsWith('/contact/'));
    run(`${example}_is_indexed`, () => {
        check(profile === 'ros2' && chunks >= rows / 61, `${chunks} chunks`);
        const total = Object.values(found).reduce((sum, list) => sum + list.length, 0);
        check(statistics.messageCount === BigInt(total) && found['/tf'].length === rows, `${total} messages`);
        found['/tf'].forEach(({ time }, t) => near(Number(time - BEGIN), t * made.h * 1e9, 1, 'ns'));
    });
    run(`${example}_has_the_poses_of_bodies`, () => near(farthest(made, found['/tf']), 0, 1e-12, 'poses'));
    run(`${example}_has_the_joints`, () => {
        let n = 0;
        found['/joint_states'].forEach(({ message }, t) => {
            message.name.forEach((name, i) => {
                const j = m.jnt(name);
                check(SCALAR.includes(m.jnt_type[j.id]), name);
                near(message.position[i], made.motion.qpos[t][m.jnt_qposadr[j.id]], 1e-12, `${name} in row ${t}`);
                check(Number.isFinite(message.velocity[i]) && Number.isFinite(message.effort[i]), name);
                n++;
            });
        });
        check(n > 0, 'joints');
    });
    run(`${example}_has_shapes`, () => {
        const { markers } = found['/shapes'][0].message;
        check(found['/shapes'].length === 1 && markers.length === m.ngeom, `${markers.length} markers`);
        check(markers.every(({ points, type }) => type === 11 && points.length % 3 === 0 && points.length > 0), 'triangles');
    });
    if (contacts.length > 0) {
        run(`${example}_is_carried_by_the_ground`, () => {
            let sum = 0, weight = 0;
            contacts.forEach((topic) => found[topic].slice(0, -1).forEach(({ message }) => { sum += message.wrench.force.z; }));
            for (let b = 1; b < m.nbody; b++)
                weight += 9.81 * m.body_mass[b];
            near(sum / (rows - 1) / weight, 1, 1e-3, 'mean vertical force over the weight'); // over a period
        });
    }
}
done();
