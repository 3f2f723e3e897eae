// What the page of robots says of motions in the model as it is, and why they are not as they should be.
import { finish_notes, finish_part, try_notes } from '../../bench/gallery/page_finish.mjs';
import { check, done, run } from '../oracle/mujoco.mjs';

const requirements = [{ name: 'require/penetration', what: "body 'foot' and 'floor'", unit: 'm', found: 0.004, allowed: 0.01, met: true }];
const error = (x) => ({ qpos: x / 10, qvel: x, act: 0, row: 3 });
const held = (largest, last) => ({ seconds: 10, largest, last });
const now = { asItIs: error(1e-10), converged: error(1e-12), solver: { iterations: 100, tolerance: 1e-8 },
    free: held(1e-9, 1e-9), pushed: held(0.1, 1e-4) };
const old = { as_it_is: error(1e-10), converged: error(1e-12), compat: error(1e-13), differs: [], rough: [] };

function motion(judged, finish = {})
{
    return { robot: 'walker', task: 'walk', options: [], finish: { finished: true, why: null, judged: { open: false, ...judged },
        found: { nstep: 100, timestep: 0.005, as_asked: true, requirements }, ...finish } };
}

const notes = (judged, finish) => finish_notes(motion(judged, finish)).join('; ');
const row = (judged, finish) => finish_part([motion(judged, finish)]).split('\n').find((line) => line.startsWith('| ['));

run('what_is_good_needs_no_reason', () => {
    check(notes({ now, old }) === '', notes({ now, old }));
    check(row({ now, old }) === '| [walker](#walker-walk) | walk | yes | 100 | 5 | 1e-10 | 1e-12 | 1e-10 | 1e-9 | 0.1, 1e-4 | 4 | - | yes |', row({ now, old }));
    check(finish_notes({ robot: 'walker' }).length === 0 && finish_part([{}]) === '', 'what was not tried');
});

run('what_is_not_finished_says_why', () => {
    const why = 'the motion is lost after 1.01 s', not = { finished: false, why: `${why}: see whether feedback holds it there` };
    check(notes({}, not) === `in the model as it is: not finished: ${why}`, notes({}, not));
    check(row({}, not).startsWith('| [walker](#walker-walk) | walk | **no** | - |'), row({}, not));
});

run('what_was_only_tried_says_why', () => {
    const diagnosis = [{ kind: 'slips', text: 'contacts slide' },
        { kind: 'not finished', text: 'no motion was found; the motion found before is kept: see whether feedback holds it there' }];
    const tried = (more) => try_notes({ found: { diagnosis }, ...more }).join('; ');
    check(tried({}) === 'not finished: no motion was found; the motion found before is kept', tried({}));
    check(tried({ finish: {} }) === '', 'what --finish found says it itself');
    check(try_notes({ found: {} }).length === 0, 'finished');
});

run('a_solver_that_stops_early_is_told_from_a_step_that_is_wrong', () => {
    const early = { ...now, asItIs: error(1e-2), solver: { iterations: 1, tolerance: 1e-8 } };
    check(notes({ now: early }).includes("MuJoCo's solver stops early (iterations 1, tolerance 1e-8): one step differs by 0.01, and by 1e-12"), notes({ now: early }));
    check(row({ now: early }).includes('| **0.01** | 1e-12 |'), row({ now: early }));
    const wrong = { ...now, asItIs: error(1e-2), converged: error(1e-2) };
    check(notes({ now: wrong }).includes('one step in MuJoCo 3.12 differs by 0.01 (row 3)'), notes({ now: wrong }));
});

run('other_integrators_are_judged_by_feedback', () => {
    const { free, pushed } = now, other = { integrator: 'RK4', free, pushed };
    check(notes({ now: other }).includes("the model's own integrator, RK4, takes other steps"), notes({ now: other }));
    check(row({ now: other }).includes('| RK4 | - | - | 1e-9 | 0.1, 1e-4 |'), row({ now: other }));
});

run('what_differs_in_2_2_2_has_its_reason', () => {
    const differs = (with_it) => notes({ now, old: { ...old, as_it_is: error(1e-3), converged: error(1e-3), ...with_it } });
    const margins = differs({ differs: ['pair_detect', 'pair_include'] });
    check(margins.includes('one step in MuJoCo 2.2.2 differs by 0.001, as'), margins);
    check(margins.includes('says (margins of geoms); with it, saltus steps like 2.2.2 within 1e-13'), margins);
    const rough = differs({ compat: error(1e-3), rough: ['sphere and cylinder'] });
    check(rough.includes('finds contacts of sphere and cylinder only approximately'), rough);
    check(differs({ converged: error(1e-12) }).includes('since its solver stops early'), 'early');
    check(differs({ compat: error(1e-3) }).includes('we do not know why'), differs({ compat: error(1e-3) }));
    check(notes({ now, old: { failed: 'steps_222: XML Error' } }).endsWith('MuJoCo 2.2.2 does not read the model: XML Error'), 'unread');
});

run('what_is_lost_is_bold', () => {
    const lost = { ...now, free: held(null, null), pushed: held(3, 0.5) };
    check(row({ now: lost }).includes('| **lost** | **3, 0.5** |'), row({ now: lost }));
    check(notes({ now: lost }).includes('feedback does not hold it'), notes({ now: lost }));
    check(notes({ now: { ...now, pushed: held(3, 0.5) } }).includes('after the push it does not come back'), 'pushed');
});
done();
