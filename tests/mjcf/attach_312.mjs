// Models with sub-models (tests/mjcf/attach), compiled by us and by MuJoCo 3.12: the same arrays and names; what we write moves alike.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { compiledDifferences } from '../oracle/compiled.mjs';
import { check, done, modelWithFiles, oracle, root, run } from '../oracle/mujoco.mjs';

const mujoco = await oracle();
const dump = path.join(process.env.SALTUS_BUILD ?? 'build', 'tests/mjcf/dump-models');
const file = path.join(root, 'tests/mjcf/attach/scene.xml');
const ours = JSON.parse(execFileSync(dump, [file], { maxBuffer: 1 << 30 }).toString()), m = modelWithFiles(mujoco, file);

run('sub_models_compile_the_same', () => {
    check(!ours.error, ours.error);
    for (const size of ['nq', 'nv', 'nu', 'nbody', 'njnt', 'ngeom', 'nsite', 'nsensor', 'nkey'])
        check(ours[size] === m[size], `${size} = ${ours[size]}, MuJoCo ${m[size]}`);
    for (const d of compiledDifferences(ours, m, 1e-12))
        check(false, `${d.what}[${d.at}] = ${d.ours}, MuJoCo ${d.theirs}`);
});

// each name that MuJoCo knows is in what we write, which has neither materials nor excludes
run('names_get_the_prefixes', () => {
    const names = new TextDecoder().decode(m.names).split('\0').filter(name => name && name !== 'scene' && name !== 'world');
    const unknown = names.filter(name => !ours.written.includes(`"${name}"`));
    check(names.length > 40, `${names.length} names`);
    check(unknown.every(name => /red$|near$/.test(name)), `not known: ${unknown}`);
});

let seed = 1;
const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff;

run('what_we_write_moves_alike', () => {
    mujoco.FS.writeFile('/written.xml', ours.written);
    const w = mujoco.MjModel.from_xml_path('/written.xml'), d = new mujoco.MjData(m), dw = new mujoco.MjData(w);
    m.opt.disableflags = w.opt.disableflags;
    for (let state = 0; state < 20; state++) {
        mujoco.mj_resetData(m, d);
        d.qvel.set(Array.from({ length: m.nv }, () => 2 * random() - 1));
        mujoco.mj_integratePos(m, d.qpos, d.qvel, random());
        dw.qpos.set(d.qpos);
        dw.qvel.set(d.qvel);
        mujoco.mj_inverse(m, d);
        mujoco.mj_inverse(w, dw);
        const scale = Math.max(...d.qfrc_inverse.map(Math.abs));
        check(d.ncon === dw.ncon, `${d.ncon} contacts, written ${dw.ncon}`);
        check(d.qfrc_inverse.every((x, i) => Math.abs(x - dw.qfrc_inverse[i]) <= 1e-9 * scale), `forces in state ${state}`);
    }
});

// Sub-models that are URDF files, with the settings of the model around them; and the world of a sub-model as a body of its own
run('robots_and_worlds_are_attached', () => {
    const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'saltus-attach-')), robots = path.join(root, 'tests/mjcf/urdf');
    const put = (name, text) => {
        fs.writeFileSync(path.join(scratch, name), text);
        mujoco.FS.writeFile(`/${name}`, text);
    };
    for (const name of ['arm', 'cart', 'chain', 'gripper', 'hand', 'humanoid', 'turned'])
        put(`${name}.urdf`, fs.readFileSync(path.join(robots, `${name}.urdf`), 'utf8'));
    put('room.xml', `<mujoco><worldbody><geom name="g" size=".1"/><body name="b"><joint name="j"/><geom size=".2"/></body></worldbody>
        <sensor><framepos objtype="body" objname="world"/></sensor></mujoco>`);
    const whole = (file, attr, around) => `<mujoco><compiler angle="degree"/><asset><model name="m" file="${file}"/></asset><worldbody>
        <body pos="1 2 3" euler="10 20 30">${around}<geom size=".1"/><attach model="m" ${attr} prefix="p_"/></body></worldbody></mujoco>`;
    const cases = ['arm', 'cart', 'chain', 'gripper', 'hand', 'humanoid', 'turned'].map(name => [`${name}.urdf`, '', '']);
    cases.push(['arm.urdf', '', '<freejoint/>'], ['room.xml', 'body="world"', ''], ['room.xml', 'body="world"', '<freejoint/>'], ['room.xml', '', '']);
    cases.forEach((it, i) => put(`robots${i}.xml`, whole(...it)));
    const lines = execFileSync(dump, cases.map((_, i) => path.join(scratch, `robots${i}.xml`)), { maxBuffer: 1 << 30 }).toString().trim().split('\n');
    fs.rmSync(scratch, { recursive: true });
    cases.forEach((it, i) => {
        const ours = JSON.parse(lines[i]);
        let model = null;
        try {
            model = mujoco.MjModel.from_xml_path(`/robots${i}.xml`);
        } catch {
        }
        check(!ours.error === !!model, `${it}: ${ours.error ?? 'read'}, MuJoCo ${model ? 'read' : 'refused'}`);
        for (const d of model && !ours.error ? compiledDifferences(ours, model, 1e-12) : [])
            check(false, `${it}: ${d.what}[${d.at}] = ${d.ours}, MuJoCo ${d.theirs}`);
        model?.delete();
    });
});

// Controls and activations in keyframes of sub-models, of which all is attached, or a part without some of the actuators
run('keyframes_have_the_numbers_of_their_actuators', () => {
    const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'saltus-attach-'));
    const lists = [['integrator', 'motor'], ['motor', 'filter', 'muscle'], ['other', 'integrator', 'motor'], ['otherfilter', 'integrator', 'muscle'], ['integrator', 'otherfilter'], ['motor']];
    const actuators = { integrator: '<general joint="j" dyntype="integrator"/>', motor: '<motor joint="j"/>', filter: '<general joint="j" dyntype="filter"/>', muscle: '<muscle joint="j"/>',
        other: '<motor joint="k"/>', otherfilter: '<general joint="k" dyntype="filter"/>' };
    const put = (name, text) => {
        fs.writeFileSync(path.join(scratch, name), text);
        mujoco.FS.writeFile(`/${name}`, text);
    };
    const cases = [];
    lists.forEach((list, i) => ['body="b"', ''].forEach((part, k) => [0, 1].forEach(more => {
        const na = list.filter(name => !/motor|^other$/.test(name)).length, numbers = n => Array.from({ length: n }, (_, i) => .1 * (i + 1)).join(' ');
        put(`keyed${i}${more}.xml`, `<mujoco><worldbody><body name="b"><joint name="j" range="-1 1"/><geom size=".2"/></body><body><joint name="k"/><geom size=".1"/></body></worldbody>
            <actuator>${list.map(name => actuators[name]).join('')}</actuator><keyframe><key ctrl="${numbers(list.length + more)}" act="${numbers(na)}"/></keyframe></mujoco>`);
        put(`keys${i}${k}${more}.xml`, `<mujoco><asset><model name="m" file="keyed${i}${more}.xml"/></asset><worldbody><body><joint name="own"/><geom size="1"/></body>
            <attach model="m" ${part} prefix="p_"/></worldbody><actuator><general joint="own" dyntype="filter"/></actuator></mujoco>`);
        cases.push(`keys${i}${k}${more}.xml`);
    })));
    const lines = execFileSync(dump, cases.map(name => path.join(scratch, name)), { maxBuffer: 1 << 30 }).toString().trim().split('\n');
    fs.rmSync(scratch, { recursive: true });
    cases.forEach((name, i) => {
        const ours = JSON.parse(lines[i]);
        let model = null;
        try {
            model = mujoco.MjModel.from_xml_path(`/${name}`);
        } catch {
        }
        check(!ours.error === !!model, `${name}: ${ours.error ?? 'read'}, MuJoCo ${model ? 'read' : 'refused'}`);
        for (const d of model && !ours.error ? compiledDifferences(ours, model, 1e-12) : [])
            check(false, `${name}: ${d.what}[${d.at}] = ${d.ours}, MuJoCo ${d.theirs}`);
        model?.delete();
    });
});

// <option> of a sub-model beside that of the model, as conflict in its <compiler> says: each option in neither order, and in one of the two only
const options = { timestep: ['.001', '.005'], impratio: ['2', '3'], tolerance: ['1e-5', '1e-4'], ls_tolerance: ['.02', '.03'], noslip_tolerance: ['1e-4', '1e-5'], ccd_tolerance: ['1e-4', '1e-5'],
    sleep_tolerance: ['.001', '.01'], gravity: ['0 0 -1', '0 0 -2'], wind: ['1 0 0', '2 0 0'], density: ['1', '2'], viscosity: ['1', '2'], magnetic: ['1 0 0', '2 0 0'],
    o_margin: ['1', '2'], o_solref: ['.03 1', '.04 1'], o_solimp: ['.8 .9 .01 .5 2', '.7 .9 .01 .5 2'], o_friction: ['1 1 .1 .1 .1', '2 2 .1 .1 .1'], integrator: ['RK4', 'implicit'],
    cone: ['elliptic', 'pyramidal'], jacobian: ['dense', 'sparse'], solver: ['CG', 'PGS'], iterations: ['7', '9'], ls_iterations: ['7', '9'], noslip_iterations: ['7', '9'],
    ccd_iterations: ['7', '9'], sdf_iterations: ['7', '9'], actuatorgroupdisable: ['1', '2 3'] };
const flags = ['constraint', 'equality', 'frictionloss', 'limit', 'contact', 'spring', 'damper', 'gravity', 'clampctrl', 'warmstart', 'filterparent', 'actuation', 'refsafe', 'eulerdamp',
    'multiccd', 'nativeccd', 'island', 'midphase', 'override', 'energy', 'invdiscrete', 'sleep', 'fwdinv'];
const written = ['timestep', 'impratio', 'gravity', 'wind', 'density', 'viscosity', 'magnetic', 'integrator', 'cone', 'solver', 'disableactuator']; // the others we keep for ourselves
// With "error" MuJoCo does not always see that a flag is turned off in one and on in the other
const seenElsewhere = ({ policy, name, flag }) => policy === 'error' && (flag || name === 'actuatorgroupdisable');

run('options_of_sub_models_are_met_as_conflict_says', () => {
    const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'saltus-attach-')), cases = [];
    const option = ({ name, flag }, value) => value === null ? '' : flag ? `<option><flag ${name}="${value}"/></option>` : `<option ${name}="${value}"/>`;
    for (const policy of ['merge', 'error', 'warning'])
        for (const [name, [a, b], flag] of [...Object.entries(options), ...flags.map(flag => [flag, ['enable', 'disable'], true])])
            for (const [own, other] of [[a, b], [b, a], [a, a], [null, a], [null, b], [a, null]])
                cases.push({ policy, name, flag, own, other });
    cases.push({ policy: 'mergee', name: 'cone', own: null, other: null });
    cases.forEach((it, i) => {
        fs.writeFileSync(path.join(scratch, `part${i}.xml`), `<mujoco>${option(it, it.other)}<worldbody><body name="b"><joint/><geom size="1"/></body></worldbody></mujoco>`);
        it.text = `<mujoco><compiler conflict="${it.policy}"/>${option(it, it.own)}<asset><model name="c" file="part${i}.xml"/></asset><worldbody><attach model="c" body="b" prefix="q"/></worldbody></mujoco>`;
        it.file = path.join(scratch, `whole${i}.xml`);
        fs.writeFileSync(it.file, it.text);
        mujoco.FS.writeFile(`/part${i}.xml`, fs.readFileSync(path.join(scratch, `part${i}.xml`)));
    });
    const lines = execFileSync(dump, cases.map(it => it.file), { maxBuffer: 1 << 30 }).toString().trim().split('\n');
    fs.rmSync(scratch, { recursive: true });
    const read = text => {
        try {
            mujoco.FS.writeFile('/whole.xml', text);
            const model = mujoco.MjModel.from_xml_path('/whole.xml'), opt = model.opt;
            const value = Object.fromEntries(written.map(name => [name, opt[name].length === undefined ? opt[name] : Array.from(opt[name]).join(' ')]));
            value.disable = opt.disableflags & (1 << 9) - 1; // those up to clampctrl
            model.delete();
            return value;
        } catch {
            return null;
        }
    };
    cases.forEach((it, i) => {
        const ours = JSON.parse(lines[i]), theirs = read(it.text), what = `${it.policy} ${it.name} ${it.own} ${it.other}`;
        if (seenElsewhere(it))
            return;
        check(!ours.error === !!theirs, `${what}: ${ours.error ?? 'read'}, MuJoCo ${theirs ? 'read' : 'refused'}`);
        const again = ours.error || !theirs ? null : read(ours.written);
        for (const name of Object.keys(again ?? {}))
            check(String(again[name]) === String(theirs[name]), `${what}: ${name} ${again[name]}, MuJoCo ${theirs[name]}`);
    });
});
done();
