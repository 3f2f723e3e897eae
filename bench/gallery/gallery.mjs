// Drafts a motion for every line of robots.txt (`saltus new`), solves it with no edit, and writes what came out:
// docs/robots.md, with pictures in docs/robots/. What is kept of each line stays in a folder of CACHE, so that a run
// that was stopped goes on where it was, and only drafts that have changed are solved again.
//
//     node gallery.mjs SALTUS CORPUS CACHE DOCS [--anew] [--limit SECONDS] [--seeds N] [--finish] [--threads N]
//                      [--steps-222 PROGRAM] [--so-far] [WORD...]
//
// --anew: solves again what is done; --limit: how long a solve may take (one that was stopped is tried again by the next
// run); --seeds: also solves each draft with the seeds 1 .. N; --finish: also solves it in the model as it is, and judges
// that in other simulators (finish.mjs; --steps-222: the program that asks libmujoco 2.2.2); --threads: for each solve
// (2); WORD: only lines whose robot or task has it. The page is written once every line has been tried; --so-far: of those
// that have been.
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { draft, fail, figures, recall_json, saltus, solve } from "./command.mjs";
import { finish, recall_finish } from "./finish.mjs";
import { page } from "./page.mjs";

const here = path.dirname(new URL(import.meta.url).pathname);

// ---- what is asked for ----------------------------------------------------------------------------------------------

function parse(words) {
    const asked = { anew: false, partial: false, finish: false, limit: 600, seeds: 0, threads: 2, steps222: null,
        table: path.join(here, "robots.txt"), only: [], place: [] };
    for (let i = 0; i < words.length; i++) {
        if (words[i] === "--anew") asked.anew = true;
        else if (words[i] === "--so-far") asked.partial = true;
        else if (words[i] === "--finish") asked.finish = true;
        else if (words[i] === "--threads") asked.threads = Number(words[++i]);
        else if (words[i] === "--steps-222") asked.steps222 = path.resolve(words[++i]);
        else if (words[i] === "--limit") asked.limit = Number(words[++i]);
        else if (words[i] === "--seeds") asked.seeds = Number(words[++i]);
        else if (words[i] === "--table") asked.table = words[++i];
        else if (words[i].startsWith("--")) fail(`unknown option ${words[i]}; see ./dev help`);
        else (asked.place.length < 4 ? asked.place : asked.only).push(words[i]);
    }
    if (!(asked.limit > 0)) fail("--limit needs a number of seconds");
    if (!(Number.isInteger(asked.seeds) && asked.seeds >= 0)) fail("--seeds needs a whole number");
    if (!(Number.isInteger(asked.threads) && asked.threads > 0)) fail("--threads needs a whole number");
    [asked.saltus, asked.corpus, asked.cache, asked.docs] = asked.place.map((name) => path.resolve(name));
    return asked;
}

// The lines of the table: {model, robot, kind, task, options, name}.
function read_table(file) {
    return fs.readFileSync(file, "utf8").split("\n").filter((line) => /^[^#\s]/.test(line)).map((line) => {
        const [model, kind, task, ...options] = line.trim().split(/\s+/);
        const robot = path.basename(model, ".xml");
        return { model, robot, kind, task, options, name: [robot, task, ...options].join("_").replace(/[^\w.]+/g, "") };
    });
}

// ---- one line -------------------------------------------------------------------------------------------------------

// What is known of a line: from its folder if the draft is still the same, else drafted and solved.
function try_line(asked, line) {
    const folder = path.join(asked.cache, line.name), kept = path.join(folder, "record.json");
    fs.mkdirSync(folder, { recursive: true });
    const { text, ...drafted } = draft(asked, line, [], folder), record = { ...line, ...drafted };
    const before = recall_json(kept);
    if (before.key === record.key && !before.found?.late && !asked.anew) return { ...before, ...record };
    fs.rmSync(kept, { force: true });
    fs.writeFileSync(path.join(folder, "problem.xml"), text);
    record.mirrored = / mirror="/.test(text);
    if (!record.refused) {
        record.found = solve(asked, folder, "problem.xml", "result", []);
    }
    fs.writeFileSync(kept, JSON.stringify(record, null, 1));
    return record;
}

function say(line, found, refused) {
    const seconds = found?.seconds === undefined ? "" : ` (${found.seconds.toFixed(1)} s)`;
    console.error(`${line.name}: ${refused ? "no draft" : found.verdict ?? found.failed}${seconds}`);
}

// ---- all of them ----------------------------------------------------------------------------------------------------

// Every seed of a line; those known of an unchanged draft are kept. Whether a motion is as asked is known before it is
// brought into the model as it is: finish="try" keeps it otherwise.
function try_seeds(asked, line, record) {
    const folder = path.join(asked.cache, line.name);
    for (let seed = 1; seed <= asked.seeds && !record.refused; seed++) {
        const kept = path.join(folder, `seed_${seed}.json`);
        const before = recall_json(kept);
        if (before.key === record.key && !asked.anew) continue;
        const found = solve(asked, folder, "problem.xml", "seed",
            ["--set", `init/seed=${seed}`, "--set", "solver/finish=none"]);
        fs.writeFileSync(kept, JSON.stringify({ key: record.key, seed, found }, null, 1));
        say({ name: `${line.name}, seed ${seed}` }, found);
    }
}

// The record of a line with its picture and all that is kept of its seeds; null: it has not been tried.
function recall(asked, line) {
    const folder = path.join(asked.cache, line.name), kept = path.join(folder, "record.json");
    if (!fs.existsSync(kept)) return null;
    const record = { ...JSON.parse(fs.readFileSync(kept, "utf8")), ...line };
    const files = fs.readdirSync(folder).filter((name) => /^seed_\d+\.json$/.test(name));
    record.seeds = files.map((name) => JSON.parse(fs.readFileSync(path.join(folder, name), "utf8")))
        .filter((seed) => seed.key === record.key).sort((a, b) => a.seed - b.seed);
    record.finish = recall_finish(asked, record);
    record.picture = null;
    if (record.found !== undefined && record.found.failed === undefined) {
        Object.assign(record.found, figures(asked, folder, "result")); // those of today's command
        saltus(asked, ["report", "result", "-o", "picture.svg"], folder);
        record.picture = path.join(folder, "picture.svg");
    }
    return record;
}

function write_page(asked, lines) {
    const recalled = lines.map((line) => recall(asked, line)), records = recalled.filter((record) => record !== null);
    const missing = lines.filter((_, i) => recalled[i] === null);
    if (missing.length > 0 && !asked.partial) {
        console.error(`gallery: ${missing.length} of ${lines.length} lines have not been tried: the page is not written`);
        return;
    }
    const pictures = path.join(asked.docs, "robots");
    fs.rmSync(pictures, { recursive: true, force: true });
    fs.mkdirSync(pictures, { recursive: true });
    for (const record of records.filter((r) => r.picture !== null)) {
        fs.copyFileSync(record.picture, path.join(pictures, `${record.name}.svg`));
    }
    fs.writeFileSync(path.join(asked.docs, "robots.md"), page(records, missing, os.cpus()[0]?.model ?? "a processor"));
    console.error(`gallery: ${path.join(asked.docs, "robots.md")}`);
}

const asked = parse(process.argv.slice(2));
if (asked.place.length < 4) fail("usage: gallery.mjs SALTUS CORPUS CACHE DOCS [--anew] [--limit S] [--seeds N] [WORD...]");
const lines = read_table(asked.table);
const wanted = lines.filter((line) => asked.only.length === 0 || asked.only.some((word) => line.name.includes(word)));
if (wanted.length === 0) fail(`no line of ${asked.table} has ${asked.only.join(" or ")}`);
const absent = wanted.filter((line) => !fs.existsSync(path.join(asked.corpus, line.model)));
if (absent.length > 0) {
    fail(`${absent.length} of ${wanted.length} models are not in ${asked.corpus}, such as ${absent[0].model}: name the ` +
        "folder by --corpus");
}
for (const line of wanted) {
    const record = try_line(asked, line);
    say(line, record.found, record.refused);
    if (asked.seeds > 0) try_seeds(asked, line, record);
    if (asked.finish && record.found?.as_asked) finish(asked, line, record);
}
write_page(asked, lines);
