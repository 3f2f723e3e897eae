// All charts of the page: positions, controls, ground forces and costs over its time; recordings (recordings.js); how the
// motion was found (search.js).

import uPlot from 'uplot';
import { Chart, drawDashed, valueOf } from './chart.js';
import { recordingPlayed, recordingsBeside } from './recordings.js';
import { searches } from './search.js';

const COLOURS = ['--left', '--right', '--s2', '--s3', '--trunk', '--ink'];
const MOST_TIMES = 20000;
const COST_NOTE = 'What each row of the motion adds to the terms: the sum over the rows is the value in the table "Cost". '
  + 'Of a mirrored cycle only the half that was searched counts.';
const SIDES = { left: '--left', right: '--right' };

// Rows that differ only in their side share a chart.
function pairs(rows) {
  const by = new Map();
  for (const row of rows) {
    const key = `${row.title}\n${row.unit}`;
    by.set(key, [...(by.get(key) ?? []), row]);
  }
  return [...by.values()];
}

// Of two motions the second is dashed, in the colours of the first.
const called = (row) => (row.motion.name ? `${row.motion.name} ${row.name}` : row.name) + (row.recorded ? ', recorded' : '');

function colour(rows, row) {
  const own = rows.filter((other) => other.motion === row.motion && !other.recorded);
  const k = own.findIndex((other) => other.name === row.name); // a recording has the colour of what follows it
  return own.length < 3 ? SIDES[row.side] ?? COLOURS[k] : COLOURS[k % COLOURS.length];
}

// As fine as the finest motion, as long as the longest
function times(motions, duration) {
  if (motions.length === 1) return motions[0].time;
  const step = Math.min(...motions.map((motion) => motion.timestep)), n = Math.min(Math.round(duration / step), MOST_TIMES);
  return Float64Array.from({ length: n + 1 }, (_, k) => k * duration / n);
}

// Dashed lines at the limits of the series that are shown.
const limits = (rows) => ({
  draw: [(u) => drawDashed(u, { scale: 'y', values: new Set(rows.flatMap((row) => row.range ?? [])), colour: '--bad' })],
});

// Rows over the time of the page; held: over a step
const overTime = (time, { held, ...spec }) => ({
  x: { label: 'time, s' },
  data: (rows) => [time, ...rows.map((row) => row.at(time, held))],
  line: (rows, row) => ({
    label: called(row),
    stroke: () => valueOf(colour(rows, row)),
    dash: rows.indexOf(row) >= COLOURS.length || row.motion.name === 'B' || row.recorded ? [4, 3] : undefined,
    paths: held ? uPlot.paths.stepped({ align: 1 }) : undefined,
  }),
  hooks: limits,
  ...spec,
});

export function makeCharts(place, motions, clock) {
  const all = (what) => motions.flatMap((motion) => motion[what]), time = times(motions, clock.duration);
  const loads = all('loads'), costs = all('costs');
  const families = [
    { heading: 'Joints', groups: pairs(all('positions')), held: false },
    { heading: 'Controls', groups: pairs(all('controls')), held: true },
    { heading: 'Normal force', groups: loads.length ? [loads] : [], held: true },
    { heading: 'Cost by term', groups: costs.length ? [costs] : [], held: false, note: COST_NOTE },
  ].map((family) => overTime(time, family));
  const played = [...recordingPlayed(motions), ...families], beside = [...recordingsBeside(motions), ...searches(motions)];
  const make = (list, of) => list.filter(({ groups }) => groups.length > 0).map((spec) => new Chart(place, of, spec));
  return [...make(played, clock), ...make(beside, null)];
}
