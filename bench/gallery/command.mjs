// The command saltus, run in a folder of the gallery's cache, and what it leaves there.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
export { draft, fail, figures, lines_of, recall_json, saltus, solve };

function fail(message) {
    console.error(`gallery: ${message}`);
    process.exit(2);
}

// What a file holds; {}: it is not there.
function recall_json(file) {
    return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : {};
}

function saltus(asked, words, folder, limit) {
    const environment = { ...process.env, OPENBLAS_NUM_THREADS: "1", NO_COLOR: "1" };
    const done = spawnSync(asked.saltus, words, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28, env: environment,
        timeout: limit === undefined ? undefined : 1000 * limit, killSignal: "SIGINT" });
    if (done.error && done.error.code !== "ETIMEDOUT") fail(`cannot run ${asked.saltus}: ${done.error.message}`);
    return done;
}

const lines_of = (text) => text.split("\n").filter((line) => line !== "").map((line) => line.replace(/^saltus: /, ""));

// What is known of a result: the figures of `info` and of run.json.
function figures(asked, folder, name) {
    const info = saltus(asked, ["info", name, "--json"], folder);
    const { seconds, threads, git } = JSON.parse(fs.readFileSync(path.join(folder, name, "run.json"), "utf8"));
    return { ...JSON.parse(info.stdout), seconds, threads, git };
}

// What `saltus new` writes for a line of the table, with further options; key: of the draft and of its model.
function draft(asked, line, options, folder) {
    const file = path.join(asked.corpus, line.model);
    const done = saltus(asked, ["new", file, "--task", line.task, ...line.options, ...options], folder);
    const key = createHash("sha256").update(done.stdout + fs.readFileSync(file, "utf8")).digest("hex");
    return { key, refused: done.status !== 0, notes: lines_of(done.stderr.replaceAll(asked.corpus, "..")), text: done.stdout };
}

// Solves a problem of the folder: its figures, and what saltus finds to say about them; or why there is no result.
function solve(asked, folder, problem, name, settings) {
    fs.rmSync(path.join(folder, name), { recursive: true, force: true }); // an older one is not its result
    const words = ["solve", problem, "-o", name, "-q", "--json", "--threads", String(asked.threads), ...settings];
    const done = saltus(asked, words, folder, asked.limit);
    const run = path.join(folder, name, "run.json");
    if (!fs.existsSync(run)) return { failed: lines_of(done.stderr)[0] ?? `ended by ${done.signal}` };
    const { diagnosis } = JSON.parse(done.stdout || "{}");
    return { ...figures(asked, folder, name), diagnosis, late: done.error !== undefined };
}
