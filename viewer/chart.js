// A chart: rows of values over time or over something else, with what the cursor is at. Where it is over the time of the page
// it has the page's clock: the line is the clock's, and a click sets it. A chart is made when it comes into view.

import uPlot from 'uplot';

const HEIGHT = 170;
const NEAR = '300px'; // so far below the screen a chart is made
const LARGE = 1e6;
const MOST_POWERS = 6;

export const valueOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const power = (value) => value.toExponential().replace('e+', 'e').replace('e-', 'e−');

// Of five digits, as a number that can be read again
export function digits(value) {
  if (value == null) return '–';
  const rounded = Number(value.toPrecision(5));
  return Math.abs(rounded) < LARGE ? rounded.toString() : rounded.toExponential().replace('e+', 'e');
}

// As short as the room beside an axis
function tick(value) {
  const size = Math.abs(value);
  return value !== 0 && (size < 1e-3 || size >= 1e5) ? power(Number(value.toPrecision(5))) : digits(value);
}

// Of an axis of powers of ten: powers alone where they are many, and not more than there is room for
function powers(from, to) {
  const first = Math.floor(Math.log10(from)), last = Math.ceil(Math.log10(to)), every = Math.max(1, Math.ceil((last - first) / MOST_POWERS));
  const parts = last - first > 3 ? [1] : [1, 2, 5], found = [];
  for (let k = first; k <= last; k++) {
    if (k % every === 0) found.push(...parts.map((part) => Number(`${part}e${k}`)).filter((value) => value >= from && value <= to));
  }
  return found;
}

// Lines from side to side, or from top to bottom, at these values
export function drawDashed(u, { scale, values, colour }) {
  const { ctx, bbox } = u, across = scale === 'y';
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.strokeStyle = valueOf(colour);
  ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  for (const value of values) {
    const at = u.valToPos(value, scale, true);
    ctx.moveTo(across ? bbox.left : at, across ? at : bbox.top);
    ctx.lineTo(across ? bbox.left + bbox.width : at, across ? at : bbox.top + bbox.height);
  }
  ctx.stroke();
  ctx.restore();
}

const axis = (label, { below = false, log = false } = {}) => ({
  label, labelFont: '12px system-ui', font: '12px system-ui', labelSize: 16, labelGap: 0,
  size: below ? 32 : 58, gap: 3,
  values: (_, values) => values.map(tick),
  ...(log && { splits: (_u, _i, from, to) => powers(from, to), filter: (_, values) => values }),
  stroke: () => valueOf('--muted'), grid: { stroke: () => valueOf('--rule') }, ticks: { stroke: () => valueOf('--rule') },
});

// What a chart is made from:
//     heading, note
//     groups     lists of rows, one of which is shown; a row has a title and a unit
//     data       (rows) -> [x, values of each row]
//     line       (rows, row) -> its label, and how uPlot draws it
//     x          label; say: (value) -> what the legend says of it
//     log        whether values are over powers of ten
//     hooks      (rows) -> what is drawn beside the lines, for uPlot
export class Chart {
  constructor(place, clock, spec) {
    Object.assign(this, { clock, spec });
    this.box = document.createElement('div');
    this.box.className = 'plot';
    this.box.innerHTML = '<h3><span></span></h3><p class="note"></p><div class="awaited"></div>';
    this.box.querySelector('span').textContent = spec.heading;
    this.box.querySelector('.note').textContent = spec.note ?? '';
    this.place = this.box.lastElementChild;
    place.append(this.box);
    this.rows = spec.groups[0];
    this.visible = false;
    if (spec.groups.length > 1) this.choose(spec.heading, spec.groups);
    new ResizeObserver(() => this.resize()).observe(place);
    new IntersectionObserver((entries) => this.meet(entries.at(-1).isIntersecting), { rootMargin: NEAR }).observe(this.box);
  }

  meet(visible) {
    this.visible = visible;
    if (!visible) return;
    if (this.plot === undefined) this.make(this.rows);
    this.show();
  }

  choose(heading, groups) {
    const select = document.createElement('select');
    select.setAttribute('aria-label', `${heading}: which`);
    groups.forEach((rows, i) => select.add(new Option(rows[0].title, i)));
    select.addEventListener('change', () => this.make(groups[select.value]));
    this.box.firstElementChild.append(select);
  }

  width() {
    return Math.max(this.box.clientWidth, 200);
  }

  make(rows) {
    const { x, log = false, line, data, hooks } = this.spec;
    const series = rows.map((row) => ({ width: 2, points: { show: false }, value: (_, value) => digits(value), ...line(rows, row) }));
    this.place.classList.remove('awaited');
    this.place.setAttribute('role', 'img');
    this.place.setAttribute('aria-label', `${series.map(({ label }) => label).join(', ')} over ${x.label.split(',')[0]}`);
    this.plot?.destroy();
    this.plot = new uPlot({
      width: this.width(), height: HEIGHT, series: [{ label: x.label, value: (_, value) => (x.say ?? digits)(value) }, ...series],
      scales: { x: { time: false }, y: log ? { distr: 3 } : {} },
      axes: [axis(x.label, { below: true }), axis(rows[0].unit, { log })],
      cursor: { y: false, drag: { x: true, y: false }, points: { size: 7 } },
      hooks: { ...hooks?.(rows), ready: [() => this.show()] },
      legend: { live: true },
    }, data(rows), this.place);
    if (this.clock) this.plot.over.addEventListener('click', () => this.set());
  }

  set() {
    const { select, cursor } = this.plot;
    if (select.width === 0 && cursor.idx != null) this.clock.set(this.plot.posToVal(cursor.left, 'x'));
  }

  resize() {
    this.plot?.setSize({ width: this.width(), height: HEIGHT });
    this.show();
  }

  show() {
    if (!this.clock || this.plot === undefined || !this.visible) return; // it is drawn for the first time, or not seen
    if (!this.box.matches(':hover') || this.clock.playing) {
      this.plot.setCursor({ left: this.plot.valToPos(this.clock.time, 'x'), top: 10 }, false);
    }
  }
}
