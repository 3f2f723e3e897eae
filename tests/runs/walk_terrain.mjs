// Walks over ground that no one had prepared: the bowl with bumps of the dm_control suite's task `escape`, in its size (60 m x 60 m, 201 x 201
// elevations, 5 m high), and a staircase. Found with a guess from level ground; each step must be one of MuJoCo's.
//     walk_terrain.mjs [CASE]
//     walk_terrain.mjs record > walker_terrain.csv    the guess of the case `walker`, found anew
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { oneStep, table } from '../oracle/motion.mjs';
import { check, done, near, oracle, root, run } from '../oracle/mujoco.mjs';

const mujoco = await oracle();
const build = process.env.SALTUS_BUILD ?? 'build', saltus = path.join(build, 'cli', 'saltus');
const work = path.join(build, 'tests', 'walk_terrain');
const most = { encoding: 'utf8', maxBuffer: 1 << 28 };

// ---- ground: { file: bytes of a height field, xml: the asset, height(x, y) } ----

const SIDE = 201, HALF = 30, TOP = 5, BUMPS = 30;

// 0 .. 1 (Park and Miller's generator)
function* uniform(seed)
{
    for (let x = seed;; x = 16807 * x % 2147483647) {
        yield x / 2147483647;
    }
}

// Catmull-Rom through f(-1), f(0), f(1), f(2), at 0 <= t <= 1
function through(f, t)
{
    const [a, b, c, d] = [f(-1), f(0), f(1), f(2)];
    return b + t / 2 * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

// The bowl (1 - cos(2 pi r))/2, r the distance from the middle over 30 m, within .04 .. 1; times numbers in .15 .. 1 that are independent every 2 m,
// smooth in between.
function bowl(seed)
{
    const next = uniform(seed), knots = Array.from({ length: BUMPS * BUMPS }, () => .15 + .85 * next.next().value);
    const knot = (i, j) => knots[Math.min(Math.max(i, 0), BUMPS - 1) * BUMPS + Math.min(Math.max(j, 0), BUMPS - 1)];
    const z = new Float32Array(SIDE * SIDE);
    for (let row = 0; row < SIDE; row++) {
        for (let column = 0; column < SIDE; column++) {
            const [v, u] = [row, column].map(k => k / (SIDE - 1) * (BUMPS - 1)), [i, j] = [Math.floor(v), Math.floor(u)];
            const bumps = through(di => through(dj => knot(i + di, j + dj), u - j), v - i);
            const r = Math.min(Math.max(Math.hypot(row / 100 - 1, column / 100 - 1), .04), 1);
            z[SIDE * row + column] = (.5 - .5 * Math.cos(2 * Math.PI * r)) * bumps;
        }
    }
    const least = Math.min(...z), greatest = Math.max(...z);
    const e = z.map(x => (x - least) / (greatest - least));
    const at = x => (x + HALF) / (2 * HALF) * (SIDE - 1);
    const height = (x, y) => { // between four elevations
        const [u, v] = [at(x), at(y)], [j, i] = [Math.floor(u), Math.floor(v)], f = (di, dj) => e[SIDE * (i + di) + j + dj];
        const [s, t] = [u - j, v - i];
        return TOP * ((1 - t) * ((1 - s) * f(0, 0) + s * f(0, 1)) + t * ((1 - s) * f(1, 0) + s * f(1, 1)));
    };
    return { file: Buffer.concat([Buffer.from(new Int32Array([SIDE, SIDE]).buffer), Buffer.from(e.buffer)]),
        asset: `<hfield name="ground" file="ground.bin" size="${HALF} ${HALF} ${TOP} .1"/>`, height };
}

// Treads of .6 m, risers of .06 m over .2 m, from x = -1.4, -.6 and .2 m on
function stairs()
{
    const level = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3], row = level.join(' ');
    const height = x => {
        const u = Math.min(Math.max((x + 2) * 5, 0), 20 - 1e-9), j = Math.floor(u);
        return .06 * (level[j] + (u - j) * (level[j + 1] - level[j]));
    };
    return { asset: `<hfield name="ground" nrow="2" ncol="21" size="2 1 .18 1" elevation="${row} ${row}"/>`, height };
}

// ---- the quadruped on it, from the place x0 on ----

const FEET = 'left_front_foot right_front_foot left_hind_foot right_hind_foot', LENGTH = 1.2, NSTEP = 90;
const touch = 'friction=".7 .005 .0001" solref=".04 1" solimp=".8 .9 .005 .5 2"'; // of the model's floor

function problem(model, slip, init)
{
    return `<problem name="over_ground"><model file="${model}"/><time nstep="${NSTEP}" duration="3"/><boundary type="open"/>
  <cost>
    <term name="effort" ctrl="all" weight=".01"/>
    <term name="upright" joint="root" component="3 4" weight="2"/>
    <term name="pose" joint="all" component="6 7 8 9 10 11 12 13 14 15 16 17" target="${' 0 .7 -1.4'.repeat(4)}" weight=".05"/>
    <term name="slip" slip="${FEET}" near="force" weight="${slip}"/>
    <term name="impact" impact="${FEET}" near="force" weight="3"/>
  </cost>
  <constraints>
    <constraint name="here" joint="root" component="0 1" at="start" target="0 0"/>
    <constraint name="rest" joint="all" of="vel" at="start" target="0"/>
    <constraint name="there" joint="root" component="0 1" at="end" target="${LENGTH} 0"/>
    <constraint name="going" joint="root" of="vel" component="0 2 4" at="end" target=".6 0 0"/>
    <constraint name="level" joint="root" component="3 4 5" at="end" target="0 0 0" tol=".4"/>
  </constraints>
  <require penetration=".03" slip=".1"/>
  ${init}
</problem>`;
}

function product(a, b)
{
    return [a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]];
}

// A walk on level ground, lifted by the mean height under the feet and tilted by their slope, as a table
function lifted(motion, height)
{
    const rows = [['time', ...motion.qpos[0].map((_, k) => `qpos${k}`)].join(',')];
    motion.qpos.forEach((level, t) => {
        const q = [...level], under = x => (height(q[0] + x, q[1] + .12) + height(q[0] + x, q[1] - .12)) / 2;
        const front = under(.2), rear = under(-.2), pitch = -Math.atan2(front - rear, .4);
        q[2] += (front + rear) / 2;
        q.splice(3, 4, ...product([Math.cos(pitch / 2), 0, Math.sin(pitch / 2), 0], q.slice(3, 7)));
        rows.push([3 * t / NSTEP, ...q].map(x => x.toFixed(6)).join(','));
    });
    return rows.join('\n');
}

function write(name, text)
{
    fs.writeFileSync(path.join(work, name), text);
}

function exported(out, to)
{
    return execFileSync(saltus, ['export', out, '--to', to], most);
}

// The answer, whatever its verdict
function answer(name)
{
    const out = path.join(work, `${name}.saltus`), line = ['solve', path.join(work, `${name}.xml`), '-q', '--json', '-o', out];
    return { out, ...JSON.parse(spawnSync(saltus, line, { ...most, stdio: ['ignore', 'pipe', 'ignore'] }).stdout) };
}

function solved(name)
{
    const { out, physical, as_asked, verdict } = answer(name);
    check(physical && as_asked, `${name}: verdict: ${verdict}`);
    return { out, motion: table(exported(out, 'csv')) };
}

function replayed(out, motion)
{
    mujoco.FS.writeFile('/model.xml', exported(out, 'mjcf'));
    const m = mujoco.MjModel.from_xml_path('/model.xml');
    const { qpos, qvel } = oneStep(mujoco, m, motion);
    console.log(`largest one-step error ${qpos.toExponential(1)} in q, ${qvel.toExponential(1)} in v`);
    near(qpos, 0, 1e-8, 'error in q');
    near(qvel, 0, 1e-8, 'error in v');
    m.delete();
}

// Feet of the guess stand on the field as they did on the floor.
function walk(name, ground, x0)
{
    run(name, () => {
        fs.mkdirSync(work, { recursive: true });
        const quadruped = path.resolve(root, 'models', 'quadruped.xml'), z0 = ground.height(x0, 0);
        write('level.xml', problem(quadruped, 4, '<init key="stand" noise=".05" seed="3"/>'));
        const height = (x, y) => ground.height(x0 + x, y) - z0;
        write(`${name}_guess.csv`, lifted(solved('level').motion, height));
        if (ground.file !== undefined) {
            write('ground.bin', ground.file);
        }
        const bare = fs.readFileSync(quadruped, 'utf8').replace(/<geom name="floor".*/, `<geom name="ground" type="hfield" hfield="ground"
            pos="${-x0} 0 ${-z0}" conaffinity="1" condim="3" ${touch}/>`);
        write(`${name}_model.xml`, bare.replace('<worldbody>', `<asset>${ground.asset}</asset><worldbody>`));
        write(`${name}.xml`, problem(`${name}_model.xml`, 12, `<init file="${name}_guess.csv" noise=".05" nstart="8"/>
  <solver softness=".7"><smoothing width=".15 .002" dmax=".6 .985" acceleration=".3 .005"/></solver>`));
        const { out, motion } = solved(name);
        const lowest = Math.min(...motion.qpos.map(q => height(q[0], q[1]))), highest = Math.max(...motion.qpos.map(q => height(q[0], q[1])));
        console.log(`the ground under the trunk goes from ${lowest.toFixed(2)} to ${highest.toFixed(2)} m`);
        replayed(out, motion);
    });
}

// ---- the planar walker, from the flat middle of the bowl outwards ----

const SOLES = 'left_heel left_toe right_heel right_toe', MIDDLE = 1.2, WAY = 1.8;
const guessFile = path.join(root, 'tests', 'runs', 'walker_terrain.csv');

function walkerProblem(init)
{
    return `<problem name="walker_terrain"><model file="walker_model.xml"/><time nstep="90" duration="3"/>
  <boundary type="open"><start key="stand"/></boundary>
  <cost>
    <term name="effort" ctrl="all" weight="1"/>
    <term name="upright" joint="rooty" weight="2"/>
    <term name="slip" slip="${SOLES}" near="force" weight="4"/>
    <term name="impact" impact="${SOLES}" near="force" weight="3"/>
  </cost>
  <constraints>
    <constraint name="there" joint="rootx" at="end" target="${WAY}"/>
    <constraint name="going" joint="rootx rooty" of="vel" at="end" target=".5 0"/>
    <constraint name="level" joint="rooty" at="end" target="0" tol=".2"/>
  </constraints>
  <require penetration=".03" slip=".1" only="${SOLES}"/>
  ${init}
</problem>`;
}

// The bowl at a part of its height; 0: the model's own floor
function writeWalker(ground, part)
{
    const model = fs.readFileSync(path.join(root, 'models', 'walker_stairs.xml'), 'utf8')
        .replace(/<geom name="stairs"[^>]*>/, '').replace(/<hfield[^>]*>/, part === 0 ? '' : ground.asset.replace(` ${TOP} .1"`, ` ${TOP * part} .1"`));
    const field = `type="hfield" hfield="ground" pos="${-MIDDLE} 0 ${-part * ground.height(MIDDLE, 0)}"`;
    write('walker_model.xml', part === 0 ? model : model.replace(/(<geom name="floor") type="plane" size="0 0 .1"/, `$1 ${field}`));
}

function walker(ground)
{
    run('walker', () => {
        fs.mkdirSync(work, { recursive: true });
        write('ground.bin', ground.file);
        writeWalker(ground, 1);
        write('walker.xml', walkerProblem(`<init file="${guessFile}" noise="0"/><solver softness="0"/>`));
        const { out, motion } = solved('walker'), end = motion.qpos.at(-1)[0];
        console.log(`the ground rises by ${(ground.height(MIDDLE + end, 0) - ground.height(MIDDLE, 0)).toFixed(2)} m on ${end.toFixed(2)} m`);
        replayed(out, motion);
    });
}

// A walk on the floor; then the ground grows by a tenth of its height a time, and the last walk, lifted by the mean of what has grown under it, its feet
// tilted with it, is the next guess, as asked or not.
function record(ground)
{
    fs.mkdirSync(work, { recursive: true });
    write('ground.bin', ground.file);
    writeWalker(ground, 0);
    write('walker.xml', walkerProblem('<init key="stand" nstart="4" noise=".1"/>'));
    let { motion } = solved('walker');
    const row = (t, q) => [(t / 30).toFixed(4), ...q.map(x => x.toFixed(4))].join(',');
    const text = () => `time,${motion.qpos[0].map((_, k) => `qpos${k}`).join(',')}\n${motion.qpos.map((q, t) => row(t, q)).join('\n')}\n`;
    const grown = x => .1 * (ground.height(MIDDLE + x, 0) - ground.height(MIDDLE, 0));
    for (let tenth = 1; tenth <= 10; tenth++) {
        for (const q of motion.qpos) {
            const [ahead, here, behind] = [.2, 0, -.2].map(d => grown(q[0] + d)), tilt = Math.atan2(ahead - behind, .4);
            q[1] += (ahead + here + behind) / 3;
            q[5] += tilt;
            q[8] += tilt;
        }
        write('guess.csv', text());
        writeWalker(ground, tenth / 10);
        write('walker.xml', walkerProblem(`<init file="guess.csv" noise="0"/>
  <solver softness=".5"><smoothing width=".15 .002" dmax=".6 .985" acceleration=".3 .005"/></solver>`));
        const { out, physical, verdict, cost } = answer('walker');
        console.error(`${tenth / 10} of the height: ${verdict}, cost ${cost}`);
        motion = physical ? table(exported(out, 'csv')) : motion;
    }
    process.stdout.write(text());
}

if (process.argv.includes('record')) {
    record(bowl(2));
    process.exit(0);
}
const wanted = name => process.argv.length < 3 || process.argv.includes(name);
const cases = { bowl: [bowl(1), 2], staircase: [stairs(), -1.7] };
for (const [name, [ground, x0]] of Object.entries(cases)) {
    if (wanted(name)) {
        walk(name, ground, x0);
    }
}
if (wanted('walker')) {
    walker(bowl(2));
}
done();
