// The text of docs/robots.md, from what `gallery.mjs` knows of each line of its table.
import { anchor, bold, digits, figure, required, title, yes } from "./cells.mjs";
import { finish_notes, finish_part, try_notes } from "./page_finish.mjs";
export { page };

// What is desired of a motion on feet beyond what its problem file requires: a figure outside is set in bold.
const MOST_LOAD = { walk: 3, run: 5 }, STANCE = [0.48, 0.52];
const FAST = new Set(["run", "hop", "jump", "bound"]);

function stance(record) {
    const x = record.found.stance_left;
    if (x === null || x === undefined) return "-";
    return bold(digits(100 * x, 3), record.mirrored && (x < STANCE[0] || x > STANCE[1]));
}

function load(record) {
    const x = record.found.peak_load;
    return x === null || x === undefined || x < 0.01 ? "-" : bold(digits(x, 3), x > MOST_LOAD[FAST.has(record.task) ? "run" : "walk"]);
}

function strays(found) {
    const r = required(found, "only");
    return r === undefined ? "-" : r.met ? "nothing" : bold(r.what.replace(/ and .*/, ""), true);
}

// Of a draft that asks for it
const finished = (f) => (f.finished === undefined ? "-" : f.finished ? "yes" : "no");

function row(r) {
    const f = r.found, link = anchor(r), task = [r.task, ...r.options].join(" ");
    if (f.failed !== undefined) return `| ${link} | ${r.kind} | ${task} | - | **no** | **no** | - | - | - | - | - | - | - |`;
    const cells = [link, r.kind, task, f.speed > 0 ? digits(f.speed, 3) : "-", yes(f.physical), yes(f.as_asked),
        finished(f), digits(f.seconds, 2), figure(f, "penetration", 1000, 2), figure(f, "slip", 1, 2), stance(r), load(r), strays(f)];
    return `| ${cells.join(" | ")} |`;
}

const HEAD = `| robot | kind | task | speed, m/s | physical | as asked | finished | time, s | penetration, mm | slip, m/s | stance left, % | peak load, W | other than feet |
|---|---|---|---|---|---|---|---|---|---|---|---|---|`;

function came_out(f) {
    if (f.failed !== undefined) return `No result: ${f.failed}.`;
    const unmet = (f.requirements ?? []).filter((r) => !r.met)
        .map((r) => `${r.name} ${digits(r.found, 3)} ${r.unit}, allowed ${digits(r.allowed, 3)} (${r.what})`);
    const late = f.late ? ", stopped at the time limit" : "";
    return `${f.verdict} (${f.status}${late}).${unmet.length > 0 ? ` Not satisfied: ${unmet.join("; ")}.` : ""}`;
}

function section(r) {
    const picture = r.picture === null ? "" : `\n![${title(r)}: the motion as a strip of figures](robots/${r.name}.svg)\n`;
    return `### ${title(r)}
${picture}
    saltus new ${r.model} --task ${[r.task, ...r.options].join(" ")}

${r.notes.map((note) => `- ${note}\n`).join("")}- ${came_out(r.found)}
${[...try_notes(r), ...finish_notes(r)].map((note) => `- ${note}\n`).join("")}`;
}

function seeds_row(r) {
    const all = r.seeds.map((seed) => seed.found), times = all.map((f) => f.seconds ?? 0).sort((a, b) => a - b);
    const costs = all.filter((f) => f.as_asked).map((f) => f.cost).sort((a, b) => a - b);
    const middle = (list) => list[Math.floor(list.length / 2)];
    const cells = [title(r), all.length, all.filter((f) => f.physical).length, all.filter((f) => f.as_asked).length,
        `${digits(costs[0], 3)}, ${digits(middle(costs), 3)}, ${digits(costs.at(-1), 3)}`,
        `${digits(middle(times), 2)}, ${digits(times.at(-1), 2)}`];
    return `| ${cells.join(" | ")} |`;
}

function seeds_part(records) {
    const tried = records.filter((r) => r.seeds.length > 0);
    return tried.length === 0 ? "" : `
## Other seeds

The same drafts, their starts drawn by other seeds (\`./dev gallery --seeds N\`), solved by
${[...new Set(tried.flatMap((r) => r.seeds.map((seed) => `\`${(seed.found.git ?? "?").slice(0, 7)}\``)))].join(", ")}.

| motion | seeds | physical | as asked | cost of these: least, median, most | time: median, most, s |
|---|---|---|---|---|---|
${tried.map(seeds_row).join("\n")}
`;
}

function page(records, missing, processor) {
    const drafted = records.filter((r) => !r.refused), refused = records.filter((r) => r.refused);
    const good = drafted.filter((r) => r.found.as_asked), count = (list) => new Set(list.map((r) => r.robot)).size;
    const later = missing.length === 0 ? "" : `\nNot tried yet: ${missing.map(title).join(", ")}.\n`;
    const tried = good.filter((r) => r.found.finished !== undefined), done = tried.filter((r) => r.found.finished);
    const share = tried.length === 0 ? "" : `\n${done.length} of ${tried.length} of these are finished, too.`;
    const times = drafted.map((r) => r.found.seconds ?? 0), within = times.filter((t) => t <= 60).length;
    return `# Robots

This page shows what \`saltus new\` drafts for robots of other people, and what \`saltus solve\` makes of the drafts.
Nobody has edited them:

    saltus new MODEL --task TASK --speed V > p.xml && saltus solve p.xml

\`./dev gallery\` writes this page; \`bench/gallery/robots.txt\` lists what it tries. The models are not part of saltus.

**${good.length} of ${drafted.length} motions are as asked**, of ${count(drafted)} robots.${share} ${within} of ${drafted.length} took at most 60 s, with 8 starts or
fewer and 2 threads (${processor}).

- *physical*: the actuators can produce this motion. *As asked*: it also satisfies what the draft requires
  ([\`<require>\`](problem_file.md#what-is-required)): penetration at most 10 mm (20 mm where the robot is meant to
  leave the floor), mean slip at most 0.1 m/s, and nothing but feet on the floor.
- *finished*: it is a motion of [the model as it is](problem_file.md#in-the-model-as-it-is), with its own contacts and
  time step; feet may then sink as deep as these contacts do under a landing. *No*: the draft tries no longer than about a
  minute (\`finish="try"\`), and the motion in the contacts of the smoothing table is kept.
- *stance left*: share of the left feet in the time that feet bear load; 48 to 52 % is desired where the motion is a
  mirrored cycle. *Peak load*: largest force of the floor, over the weight W; at most 3 W is desired, 5 W where the
  robot runs, hops, jumps or bounds.
- *time*: of the whole solve, which depends on what else the machine does.
- A figure in bold is not as required or desired.

${HEAD}
${drafted.map(row).join("\n")}
${later}
## Not drafted

These robots are not counted.

${refused.map((r) => `- ${title(r)}: ${r.notes.filter((n) => !/^feet|^no task/.test(n))[0]}`).join("\n")}
${seeds_part(records)}${finish_part(records)}
## The motions

Seen from the side, left limbs blue, right limbs orange, the force of the floor green. Each figure is made of the geoms
that the model collides with.

${drafted.map(section).join("\n")}`;
}
