// Recordings of an identification: what was measured, as dots, and what the motion found and simulations have; then what the
// fit leaves, residuals and forces that nothing explains. One recording plays: its charts are over the time of the page; others
// stand by themselves.

import { valueOf } from './chart.js';

const LOOKS = {
  measured: { colour: '--trunk', dots: true },
  fitted: { colour: '--left' },
  predicted: { colour: '--right' },
  'predicted, nominal': { colour: '--still', dash: [4, 3] },
};
const NOTE = 'Measured: dots. Time counts from the first sample.';

const orNothing = (value) => (Number.isNaN(value) ? null : value);

// Those of one number share a chart; end: of the axis, where that is behind the last value.
function valuesOf(rows, end) {
  const columns = rows.map(({ line }) => Array.from(line.numbers(), orNothing));
  const time = columns[0].map((_, k) => k * rows[0].dt), more = end > time.at(-1) ? [end] : [];
  return [[...time, ...more], ...columns.map((column) => [...column, ...more.map(() => null)])];
}

const rowsOf = ({ title, unit, dt, lines }) => lines.map((line) => ({ title, unit, dt, line, name: line.name, aside: line.aside }));

function chartOf({ title, name, channels }, { note, end }) {
  return {
    heading: `${title}: ${name}`,
    note,
    groups: channels.map(rowsOf).filter((rows) => rows.length > 0),
    x: { label: 'time, s' },
    data: (rows) => valuesOf(rows, end),
    line: (_, row) => {
      const { colour, dots, dash } = LOOKS[row.name] ?? { colour: '--ink' }, stroke = () => valueOf(colour);
      return {
        label: row.name,
        stroke,
        dash,
        auto: !row.aside,
        width: 1.5,
        ...(dots && { paths: () => null, points: { show: true, size: 4, width: 0, stroke, fill: stroke } }),
      };
    },
  };
}

function charts(motions, plays) {
  const { recordings, duration } = motions[0], look = plays ? { note: NOTE, end: duration } : {};
  return recordings.filter((recording) => recording.plays === plays).map((recording) => chartOf(recording, look));
}

// Of two motions none: their times may differ.
export const recordingPlayed = (motions) => (motions.length === 1 ? charts(motions, true) : []);
export const recordingsBeside = (motions) => (motions.length === 1 ? charts(motions, false) : []);
