// The part of docs/robots.md about motions in the model as it is, from what finish.mjs knows of them.
import { anchor, bold, digits, figure, small, title, yes } from "./cells.mjs";
export { finish_notes, finish_part, try_notes };

const EXACT = 1e-8; // m, rad; of the largest velocity
const HELD = 0.2;   // m, rad: a foot may land a step earlier or later for ever

const most = (e) => (e === undefined ? null : Math.max(e.qpos, e.qvel, e.act));
const is_exact = (e) => e !== undefined && most(e) <= EXACT;
const holds = (run) => run !== undefined && run.last !== null && run.last <= HELD;
const share = (list, test) => `${list.filter(test).length} of ${list.length}`;

const error = (e) => (e === undefined ? "-" : bold(small(most(e)), !is_exact(e)));
const deviation = (run) => (run === undefined ? "-" : bold(run.largest === null ? "lost" : small(run.largest), !holds(run)));

function after_push(run) {
    return run === undefined ? "-" : bold(run.largest === null ? "lost" : `${small(run.largest)}, ${small(run.last)}`, !holds(run));
}

function row(r) {
    const { found: f, finished, judged } = r.finish, begin = [anchor(r), title(r).slice(r.robot.length + 1), yes(finished)];
    if (!finished) return `| ${[...begin, ...Array(10).fill("-")].join(" | ")} |`;
    const now = judged.now ?? {}, old = judged.old ?? {};
    const cells = [...begin, f.nstep, digits(1000 * f.timestep, 4), now.integrator ?? error(now.asItIs), error(now.converged), error(old.as_it_is),
        deviation(now.free), after_push(now.pushed), figure(f, "penetration", 1000, 2), figure(f, "slip", 1, 2), yes(f.as_asked)];
    return `| ${cells.join(" | ")} |`;
}

// ---- reasons, listed under the motion -------------------------------------------------------------------------------

// What `--compat` changes, by the arrays of the compiled model in which it shows
const CHANGES = [
    [/^pair_(detect|include)$/, "margins of geoms"],
    [/_limited$/, "`autolimits`"],
    [/_invweight0$/, "invweight0 of lone slide joints"],
    [/^actuator_lengthrange$/, "length ranges of muscles"],
    [/^body_(ipos|inertia|mass)$/, "masses of meshes and massless geoms"],
];

function old_note({ failed, as_it_is: error, converged, compat, differs, rough }) {
    if (failed !== undefined) return `MuJoCo 2.2.2 does not read the model: ${failed.replace(/^steps_222: /, "")}`;
    if (is_exact(error)) return null;
    const by = `one step in MuJoCo 2.2.2 differs by ${small(most(error))}`;
    if (is_exact(converged)) return `${by}, since its solver stops early, and by ${small(most(converged))} if it may go on`;
    if (rough.length > 0 && !is_exact(compat)) return `${by}: it finds contacts of ${rough.join(", ")} only approximately`;
    if (!is_exact(compat)) return `${by}, and we do not know why: saltus with \`--compat 2.2.2\` differs by ${small(most(compat))}`;
    const named = CHANGES.filter(([pattern]) => differs.some((name) => pattern.test(name))).map(([, what]) => what);
    return `${by}, as [\`--compat 2.2.2\`](compatibility.md#what---compat-changes) says${named.length > 0 ? ` (${named.join(", ")})` : ""}; ` +
        `with it, saltus steps like 2.2.2 within ${small(most(compat))}`;
}

function now_notes({ failed, integrator, solver, asItIs, converged, unheld, free, pushed }) {
    if (failed !== undefined) return [`MuJoCo 3.12 does not play it: ${failed}`];
    const notes = [];
    if (integrator !== undefined) {
        notes.push(`the model's own integrator, ${integrator}, takes other steps than the motion was found with: only feedback is judged`);
    } else if (!is_exact(asItIs) && is_exact(converged)) {
        notes.push(`MuJoCo's solver stops early (iterations ${solver.iterations}, tolerance ${solver.tolerance}): one step differs by ` +
            `${small(most(asItIs))}, and by ${small(most(converged))} if it may go on`);
    } else if (!is_exact(converged)) {
        notes.push(`one step in MuJoCo 3.12 differs by ${small(most(converged))} (row ${converged.row})`);
    }
    if (unheld !== undefined) notes.push(`no feedback: ${unheld}`);
    if (free !== undefined && !holds(free)) notes.push("feedback does not hold it");
    if (holds(free) && !holds(pushed)) notes.push("after the push it does not come back");
    return notes;
}

const ADVICE = /: see whether feedback .*/; // the same for all

// Why a draft that only tries is not finished; what was solved with --finish says it itself.
function try_notes(r) {
    const why = r.finish ? undefined : r.found.diagnosis?.find((d) => d.kind === "not finished");
    return why === undefined ? [] : [`not finished: ${why.text.replace(ADVICE, "")}`];
}

// What is to be said of a motion in the model as it is
function finish_notes(r) {
    if (!r.finish) return [];
    const { finished, why, found: f, judged } = r.finish, unmet = (f.requirements ?? []).filter((q) => !q.met);
    if (!finished) return [`in the model as it is: not finished: ${why.replace(ADVICE, "")}`];
    const asked = unmet.map((q) => `${q.name} ${digits(q.found, 3)} ${q.unit}, allowed ${digits(q.allowed, 3)} (${q.what})`);
    const notes = [...(asked.length > 0 ? [`not satisfied: ${asked.join("; ")}`] : []), ...(judged.now ? now_notes(judged.now) : []),
        ...(judged.old ? [old_note(judged.old)] : [])].filter((note) => note !== null);
    return notes.map((note) => `in the model as it is: ${note}`);
}

// ---- the section ----------------------------------------------------------------------------------------------------

const HEAD = `| robot | task | finished | steps | h, ms | one step, 3.12 | converged | one step, 2.2.2 | 10 s with feedback | pushed | penetration, mm | slip, m/s | as asked |
|---|---|---|---|---|---|---|---|---|---|---|---|---|`;

function summary(tried) {
    const done = tried.filter((r) => r.finish.finished), now = done.map((r) => r.finish.judged.now).filter((x) => x !== undefined);
    const stepped = now.filter((x) => x.asItIs), old = done.map((r) => r.finish.judged.old).filter((x) => x?.as_it_is);
    return `**${done.length} of ${tried.length} motions are finished**, ${share(done, (r) => r.finish.found.as_asked)} as asked. In MuJoCo 3.12, each step leads to the next
within ${EXACT} in ${share(stepped, (x) => is_exact(x.converged))}, if MuJoCo's solver converges (in ${share(stepped, (x) => is_exact(x.asItIs))} as the file sets it); feedback holds
${share(now, (x) => holds(x.free))}, and brings back ${share(now, (x) => holds(x.pushed))} after a push. In MuJoCo 2.2.2, which reads the models of ${old.length}, each step
leads to the next in ${share(old, (x) => is_exact(x.as_it_is))}.`;
}

function finish_part(records) {
    const tried = records.filter((r) => r.finish);
    return tried.length === 0 ? "" : `
## In the model as it is

The motions that are as asked, drafted with \`saltus new --finish\`, so that they are brought into
[the model as it is](problem_file.md#in-the-model-as-it-is) (\`./dev gallery --finish\`), and judged in simulators of others, opened from the robot's own file.

${summary(tried)}

- *one step*: MuJoCo is set to a row of the motion and its controls; how far is the state after one step from the next
  row? The largest difference of all rows: positions in m and rad, velocities over the largest one (or over 1). It is
  desired to be at most ${EXACT}. *Converged*: if MuJoCo's solver may go on until nothing is left (its \`tolerance\` is 0),
  whatever the file says.
- *10 s with feedback*: the largest deviation of a joint, m or rad, with the gains of \`saltus export --to gains\`. Cycles
  are repeated for 10 s, other motions last as long as they last. *Pushed*: the same with a push of a tenth of the weight
  on the heaviest body, for 0.1 s, after a fifth of the time; then the deviation in the last tenth of the time. The motion is held if
  that is at most ${HELD}.
- *RK4*, *implicit*: the model's own integrator, whose steps the motion does not take, since they cannot be inverted.
  *-*: not judged. The reason is listed under the motion.

${HEAD}
${tried.map(row).join("\n")}
`;
}
