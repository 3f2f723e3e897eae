// Positions, controls, ground forces and costs over the time of the page: the line in each chart is the
// clock's; a click sets it. A chart is made when it comes into view.

import uPlot from 'uplot';

const COLOURS = ['--left', '--right', '--s2', '--s3', '--trunk', '--ink'];
const HEIGHT = 170;
const MOST_TIMES = 20000;
const NEAR = '300px'; // so far below the screen a chart is made
const COST_NOTE = 'What each row of the motion adds to the terms: the sum over the rows is the value in the table "Cost". '
  + 'Of a mirrored cycle only the half that was searched counts.';
const SIDES = { left: '--left', right: '--right' };

const valueOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const digits = (value) => (value == null ? '–' : Number(value.toPrecision(5)).toString());

// As short as the room beside an axis
const tick = (value) => (value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential().replace('e-', 'e−') : digits(value));

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
function limits(rows) {
  return (u) => {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.strokeStyle = valueOf('--bad');
    ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.beginPath();
    for (const limit of new Set(rows.flatMap((row) => row.range ?? []))) {
      const y = u.valToPos(limit, 'y', true);
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
    }
    ctx.stroke();
    ctx.restore();
  };
}

const axis = (label) => ({
  label, labelFont: '12px system-ui', font: '12px system-ui', labelSize: 16, labelGap: 0,
  size: label === 'time, s' ? 32 : 50, gap: 3, values: (_, values) => values.map(tick),
  stroke: () => valueOf('--muted'), grid: { stroke: () => valueOf('--rule') }, ticks: { stroke: () => valueOf('--rule') },
});

class Chart {
  constructor(place, time, clock, { heading, unit, groups, held, note = '' }) {
    Object.assign(this, { time, clock, unit, held });
    this.box = document.createElement('div');
    this.box.className = 'plot';
    this.box.innerHTML = '<h3><span></span></h3><p class="note"></p><div class="awaited"></div>';
    this.box.querySelector('span').textContent = heading;
    this.box.querySelector('.note').textContent = note;
    this.place = this.box.lastElementChild;
    place.append(this.box);
    this.rows = groups[0];
    this.visible = false;
    if (groups.length > 1) this.choose(heading, groups);
    new ResizeObserver(() => this.resize()).observe(place);
    new IntersectionObserver((entries) => this.meet(entries.at(-1).isIntersecting), { rootMargin: NEAR }).observe(this.box);
  }

  meet(visible) {
    this.visible = visible;
    if (!visible) return;
    if (this.plot === undefined) this.make(this.rows);
    this.show(this.clock);
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
    const { clock } = this;
    const series = rows.map((row, i) => ({
      label: called(row), width: 2, points: { show: false },
      stroke: () => valueOf(colour(rows, row)),
      dash: i >= COLOURS.length || row.motion.name === 'B' || row.recorded ? [4, 3] : undefined,
      paths: this.held ? uPlot.paths.stepped({ align: 1 }) : undefined,
      value: (_, value) => digits(value),
    }));
    this.place.classList.remove('awaited');
    this.place.setAttribute('role', 'img');
    this.place.setAttribute('aria-label', `${rows.map(called).join(', ')} over time`);
    this.plot?.destroy();
    this.plot = new uPlot({
      width: this.width(), height: HEIGHT, series: [{ label: 'time, s', value: (_, value) => digits(value) }, ...series],
      scales: { x: { time: false } }, axes: [axis('time, s'), axis(rows[0].unit || this.unit)],
      cursor: { y: false, drag: { x: true, y: false }, points: { size: 7 } },
      hooks: { draw: [limits(rows)], ready: [() => this.show(clock)] },
      legend: { live: true },
    }, [this.time, ...rows.map((row) => row.at(this.time, this.held))], this.place);
    this.plot.over.addEventListener('click', () => {
      const { select, cursor } = this.plot;
      if (select.width === 0 && cursor.idx != null) clock.set(this.plot.posToVal(cursor.left, 'x'));
    });
  }

  resize() {
    this.plot?.setSize({ width: this.width(), height: HEIGHT });
    this.show(this.clock);
  }

  show(clock) {
    if (this.plot === undefined || !this.visible) return; // it is drawn for the first time, or not seen
    if (!this.box.matches(':hover') || clock.playing) {
      this.plot.setCursor({ left: this.plot.valToPos(clock.time, 'x'), top: 10 }, false);
    }
  }
}

export function makeCharts(place, motions, clock) {
  const all = (what) => motions.flatMap((motion) => motion[what]), time = times(motions, clock.duration);
  const loads = all('loads'), costs = all('costs');
  const families = [
    { heading: 'Joints', unit: '', groups: pairs(all('positions')), held: false },
    { heading: 'Controls', unit: 'ctrl', groups: pairs(all('controls')), held: true },
    { heading: 'Normal force', unit: 'body weights', groups: loads.length ? [loads] : [], held: true },
    { heading: 'Cost by term', unit: 'cost', groups: costs.length ? [costs] : [], held: false, note: COST_NOTE },
  ];
  return families.filter((family) => family.groups.length > 0).map((family) => new Chart(place, time, clock, family));
}
