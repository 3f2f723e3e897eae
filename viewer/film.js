// film.js: the motion as pictures, for a program that opens the page as PAGE.html#film=WIDTH,HEIGHT,RATE (pixels,
// pictures a second). They take the place of the page: in the element `film`, a line of base 64 for each, a JPEG file;
// no line where there is no WebGL.

const SHORTEST = 3; // s: a cycle is repeated for at least so long

export function readWish(hash) {
  const [start, list] = hash.split('=');
  if (start !== '#film') return null;
  const [width, height, rate] = list.split(',').map(Number);
  return { width, height, rate };
}

// Whole cycles; of an open motion also the last instant
function countOf({ cycle, duration }, rate) {
  const seconds = cycle ? Math.ceil(SHORTEST / duration) * duration : duration;
  return Math.max(1, Math.round(seconds * rate) + (cycle ? 0 : 1));
}

function timeOf(seconds, { cycle, duration }) {
  const lap = cycle ? Math.floor(seconds / duration + 1e-9) : 0;
  return { time: Math.min(Math.max(seconds - lap * duration, 0), duration), lap };
}

export function shoot(stage, clock, { width, height, rate }) {
  const film = Object.assign(document.createElement('pre'), { id: 'film' }), lines = [];
  if (stage) {
    stage.fix(width, height);
    for (let k = 0; k < countOf(stage.motion, rate); k++) {
      Object.assign(clock, timeOf(k / rate, stage.motion));
      stage.show(clock);
      lines.push(stage.canvas.toDataURL('image/jpeg', 0.95).split(',')[1]);
    }
  }
  film.textContent = lines.join('\n');
  document.body.replaceChildren(film);
}
