// A motion of the gallery in the model as it is: drafted with --finish, then judged in simulators of others, opened
// from the user's own model file. Kept beside the motion: finish.json, what came out; judged.json, how it was judged.
import { createHash } from "node:crypto";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { draft, figures, lines_of, recall_json, solve } from "./command.mjs";
export { finish, recall_finish };

const here = path.dirname(new URL(import.meta.url).pathname);
const JUDGES = ["own_simulator.mjs", "steps_222.c", "../../tests/oracle/motion.mjs"]; // a change of them judges anew
const PATIENCE = 600; // s, for a judge

// A motion whose search was stopped is kept as far as it came, which may be physical.
const is_finished = (found) => found.physical === true && found.status !== "interrupted" &&
    !found.requirements.some((r) => r.name === "solver/finish");
const why_not = (found) => found.failed ?? (found.late ? "stopped at the time limit" :
    found.diagnosis?.find((d) => d.kind === "not finished")?.text ?? found.verdict);

function judge(asked, words) {
    const done = spawnSync(words[0], words.slice(1), { encoding: "utf8", maxBuffer: 1 << 28, timeout: 1000 * PATIENCE });
    if (done.status === 0) return JSON.parse(done.stdout);
    const said = lines_of(done.stderr ?? "").map((line) => line.trim()).filter((line) => !/^at |^node|^\^|^throw/i.test(line));
    return { failed: said.join(" ").replaceAll(asked.corpus, "..") || `ended by ${done.signal ?? done.error?.message}` };
}

// How it fares in MuJoCo 3.12, and in 2.2.2 where that is there.
function judge_all(asked, line, folder) {
    const model = path.join(asked.corpus, line.model), result = path.join(folder, "finished");
    const open = /<boundary type="open"/.test(fs.readFileSync(path.join(folder, "problem.xml"), "utf8"));
    const judged = { now: judge(asked, [process.execPath, path.join(here, "own_simulator.mjs"), asked.saltus, result, model,
        ...(open ? ["--open"] : [])]) };
    if (asked.steps222 !== null && judged.now.integrator === undefined) {
        judged.old = judge(asked, [asked.steps222, path.join(result, "result.h5"), model]);
    }
    return { open, ...judged };
}

// One line that came out as asked: what is kept of it if nothing has changed, else tried and judged.
function finish(asked, line, record) {
    const folder = path.join(asked.cache, line.name);
    let known = recall_json(path.join(folder, "finish.json"));
    const { text, key: drafted } = draft(asked, line, ["--finish"], folder);
    if (known.key !== record.key || known.drafted !== drafted || known.found.late || asked.anew) {
        fs.rmSync(path.join(folder, "finish.json"), { force: true }); // its result is solved again
        fs.writeFileSync(path.join(folder, "problem_finish.xml"), text);
        known = { key: record.key, drafted, found: solve(asked, folder, "problem_finish.xml", "finished", []) };
        fs.writeFileSync(path.join(folder, "finish.json"), JSON.stringify(known, null, 1));
    }
    if (!is_finished(known.found)) {
        console.error(`${line.name}: not finished: ${why_not(known.found)}`);
        return;
    }
    const hash = createHash("sha256").update(String(asked.steps222 !== null)).update(fs.readFileSync(path.join(folder, "finished", "result.h5")));
    JUDGES.forEach((name) => hash.update(fs.readFileSync(path.join(here, name))));
    const key = hash.digest("hex"), kept = path.join(folder, "judged.json");
    if (recall_json(kept).key !== key) {
        fs.writeFileSync(kept, JSON.stringify({ key, ...judge_all(asked, line, folder) }, null, 1));
    }
    console.error(`${line.name}: finished (${known.found.seconds.toFixed(1)} s)`);
}

// What is kept of a line: { found, finished, why (not), judged }; null: it has not been tried.
function recall_finish(asked, record) {
    const folder = path.join(asked.cache, record.name), { key, found } = recall_json(path.join(folder, "finish.json"));
    if (key !== record.key || !record.found?.as_asked) return null;
    if (found.failed !== undefined) return { found, finished: false, why: found.failed };
    Object.assign(found, figures(asked, folder, "finished")); // those of today's command
    const finished = is_finished(found);
    return { found, finished, why: finished ? null : why_not(found),
        judged: finished ? recall_json(path.join(folder, "judged.json")) : {} };
}
