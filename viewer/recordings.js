// Recordings of an identification: what was measured, as dots, and what the motion found and simulations have. One of them
// plays: its charts are over the time of the page; others stand by themselves.

import { valueOf } from './chart.js';

const LOOKS = {
  measured: { colour: '--trunk', dots: true },
  fitted: { colour: '--left' },
  predicted: { colour: '--right' },
  'predicted, nominal': { colour: '--still', dash: [4, 3] },
};
const NOTE = 'Measured: dots. Time counts from the first sample.';

const orNothing = (value) => (Number.isNaN(value) ? null : value);

// end: of the axis, where that is behind the last sample
function chartOf({ title, name, dt, nsample, channels }, { note, end }) {
  const time = Array.from({ length: nsample }, (_, k) => k * dt), more = end > time.at(-1) ? [end] : [];
  return {
    heading: `${title}: ${name}`,
    note,
    groups: channels.map((channel) => channel.lines.map((line) => ({ ...line, title: channel.title, unit: channel.unit, line }))),
    x: { label: 'time, s' },
    data: (rows) => [[...time, ...more], ...rows.map(({ line }) => [...Array.from(line.numbers(), orNothing), ...more.map(() => null)])],
    line: (_, row) => {
      const { colour, dots, dash } = LOOKS[row.name], stroke = () => valueOf(colour);
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
