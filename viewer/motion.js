// The data of the page: what C wrote into two blocks for each motion (pages/player.c), as numbers.

function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

const floats = (text) => new Float32Array(bytesOf(text).buffer);

// Values become numbers when a chart first asks for them: most rows are never shown.
class Line {
  constructor(row) {
    Object.assign(this, row);
    this.values = undefined;
    this.text = row.values;
  }

  numbers() {
    this.values ??= floats(this.text);
    return this.values;
  }
}

class Series extends Line {
  constructor(motion, row) {
    super(row);
    this.motion = motion;
  }

  // At each of the times; what is held over a step has one value less than there are rows. Nothing behind the end.
  at(time, held) {
    const { nstep, timestep } = this.motion, values = this.numbers(), last = values.length - 1;
    return Array.from(time, (t) => {
      const row = t / timestep, k = Math.min(Math.floor(row + 1e-6), last), s = Math.max(row - k, 0);
      if (row > nstep + 1e-6) return null;
      const value = held || k === last || s < 1e-6 ? values[k] : (1 - s) * values[k] + s * values[k + 1];
      return Number.isNaN(value) ? null : value;
    });
  }
}

const withValues = (motion, list) => list.map((row) => new Series(motion, row));

const readStart = ({ shown, linearisation, cost, violation }) =>
  ({ shown, linearisation: floats(linearisation), cost: floats(cost), violation: violation && floats(violation) });

const readRecording = (recording) => ({
  ...recording,
  channels: recording.channels.map((channel) => ({ ...channel, lines: channel.lines.map((line) => new Line(line)) })),
});

// The names of all motions of the page
export const names = () => Array.from(document.querySelectorAll('script[id^=motion]'), (block) => block.dataset.name ?? '');

export function readMotion(number, name) {
  const motion = JSON.parse(document.getElementById(`motion${number}`).textContent);
  motion.name = name;
  motion.duration = motion.nstep * motion.timestep;
  motion.time = Float64Array.from({ length: motion.nstep + 1 }, (_, k) => k * motion.timestep);
  motion.positions = withValues(motion, motion.positions);
  motion.controls = withValues(motion, motion.controls);
  motion.loads = withValues(motion, motion.loads);
  motion.costs = withValues(motion, motion.costs);
  motion.centre = floats(motion.centre);
  motion.travel = [0, 1, 2].map((i) => (motion.cycle ? motion.centre.at(i - 3) - motion.centre[i] : 0));
  motion.contacts = {
    offset: new Int32Array(bytesOf(motion.contacts.offset).buffer),
    place: floats(motion.contacts.place),
    force: floats(motion.contacts.force),
  };
  if (motion.recorded) {
    motion.recorded = { every: motion.recorded.every, xpos: floats(motion.recorded.xpos), xquat: floats(motion.recorded.xquat) };
  }
  if (motion.search) motion.search.starts = motion.search.starts.map(readStart);
  motion.recordings = (motion.recordings ?? []).map(readRecording);
  return motion;
}

export const readScene = (number) => bytesOf(document.getElementById(`scene${number}`).textContent).buffer;
