// The data of the page: what C wrote into its two blocks (pages/player.c), as numbers.

const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

const floats = (text) => new Float32Array(bytesOf(text).buffer);

const withValues = (list) => list.map((row) => ({ ...row, values: floats(row.values) }));

export function readMotion() {
  const motion = JSON.parse(document.getElementById('motion').textContent);
  motion.duration = motion.nstep * motion.timestep;
  motion.positions = withValues(motion.positions);
  motion.controls = withValues(motion.controls);
  motion.loads = withValues(motion.loads);
  motion.centre = floats(motion.centre);
  motion.travel = [0, 1, 2].map((i) => (motion.cycle ? motion.centre.at(i - 3) - motion.centre[i] : 0));
  motion.contacts = {
    offset: new Int32Array(bytesOf(motion.contacts.offset).buffer),
    place: floats(motion.contacts.place),
    force: floats(motion.contacts.force),
  };
  if (motion.recorded) {
    motion.recorded = { xpos: floats(motion.recorded.xpos), xquat: floats(motion.recorded.xquat) };
  }
  return motion;
}

export const readScene = () => bytesOf(document.getElementById('scene').textContent).buffer;
