// How the motion was found: cost and violation over the linearisations. The start that became the motion in full, others
// pale; of two motions the second is dashed.

import uPlot from 'uplot';
import { digits, drawDashed, valueOf } from './chart.js';

const COLOURS = ['--left', '--right'];
const GAP = 11; // px, between the names of phases
const MOTION_NOTE = 'Cost of the terms over the linearisations. ', STAGES_NOTE = 'Each stage minimises a different cost. ';
const VIOLATION_NOTE = 'The largest violation of a constraint, in units of its tolerance: below 1, dashed, all are satisfied.';

// A line breaks where there is no logarithm.
const positive = (values) => Array.from(values, (value) => (value > 0 && Number.isFinite(value) ? value : null));

// The starts of all motions, pale ones first
function rowsOf(motions, what) {
  const rows = motions.flatMap((motion) => (motion.search?.starts ?? [])
    .filter((start) => start[what]?.length > 0 && (start.shown || motions.length === 1))
    .map((start, i) => ({ motion, start, title: what, name: motion.name || (start.shown ? what : `start ${i}`) })));
  return rows.sort((a, b) => a.start.shown - b.start.shown);
}

// From top to bottom where phases begin; one after the other where they would be on each other
function namePhases(u, phases) {
  const { ctx, bbox } = u, [from, to] = [u.scales.x.min, u.scales.x.max], pixel = devicePixelRatio;
  const seen = phases.filter(({ at }) => at >= from && at <= to);
  let last = -Infinity;
  ctx.save();
  ctx.fillStyle = valueOf('--muted');
  ctx.font = `${11 * pixel}px system-ui`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'bottom';
  for (const { at, name } of seen) {
    const before = last;
    last = Math.min(Math.max(u.valToPos(at, 'x', true), before + GAP * pixel), bbox.left + bbox.width - GAP * pixel);
    if (last < before + GAP * pixel) break; // there is no room for more
    ctx.setTransform(0, 1, -1, 0, last + 3 * pixel, bbox.top + 4 * pixel);
    ctx.fillText(name, 0, 0);
  }
  ctx.restore();
}

// "57, path"
function atPhase(phases, value) {
  const phase = phases.findLast(({ at }) => at <= value);
  return value == null || !phase ? digits(value) : `${digits(value)}, ${phase.name}`;
}

function chartOf(motions, what, { unit, note, level }) {
  const rows = rowsOf(motions, what).map((row) => ({ ...row, unit }));
  const phases = motions.length === 1 ? motions[0].search?.phases ?? [] : [];
  const pale = rows.some(({ start }) => !start.shown);
  return {
    heading: `Convergence: ${what}`,
    note: note + (pale ? ' Pale: other starts.' : ''),
    groups: rows.length > 0 ? [rows] : [],
    x: { label: 'linearisations', say: (value) => atPhase(phases, value) },
    log: true,
    data: () => uPlot.join(rows.map(({ start }) => [Array.from(start.linearisation), positive(start[what])])),
    line: (_, { start, motion, name }) => ({
      label: name,
      stroke: () => valueOf(start.shown ? COLOURS[motions.indexOf(motion)] : '--still'),
      width: start.shown ? 2 : 1,
      class: start.shown ? undefined : 'pale',
      dash: motion.name === 'B' ? [4, 3] : undefined,
    }),
    hooks: () => ({
      drawAxes: [(u) => drawDashed(u, { scale: 'x', values: phases.map(({ at }) => at), colour: '--trunk' }),
        (u) => drawDashed(u, { scale: 'y', values: level, colour: '--bad' })],
      draw: [(u) => namePhases(u, phases)],
    }),
  };
}

export function searches(motions) {
  const stages = motions.every(({ recordings }) => recordings.length > 0);
  return [
    chartOf(motions, 'cost', { unit: 'cost', note: stages ? STAGES_NOTE : MOTION_NOTE, level: [] }),
    chartOf(motions, 'violation', { unit: 'violation / tolerance', note: VIOLATION_NOTE, level: [1] }),
  ];
}
