// player.js: the motion of a result, played. The page is complete without it; where scripts run it
// fills the section `player`.
//
//     motion.js  the numbers of the page
//     clock.js   the time
//     stage.js   bodies, forces and paths in three dimensions
//     charts.js  values over time

import { Clock } from './clock.js';
import { makeCharts } from './charts.js';
import { readMotion, readScene } from './motion.js';
import { Stage } from './stage.js';
import style from './player.css';
import plotStyle from 'uplot/dist/uPlot.min.css';
import template from './player.html';

function addStyle() {
  const element = document.createElement('style');
  element.textContent = plotStyle + style;
  document.head.append(element);
}

// ---- controls ----

function bindBar(section, clock) {
  const find = (name) => section.querySelector(name);
  const play = find('.play'), scrub = find('.scrub'), output = find('.clock');
  scrub.max = clock.duration;
  play.addEventListener('click', () => clock.play(!clock.playing));
  scrub.addEventListener('input', () => clock.set(Number(scrub.value)));
  find('.speed').addEventListener('change', (event) => { clock.speed = Number(event.target.value); });
  find('.again').addEventListener('change', (event) => { clock.again = event.target.checked; });
  clock.onChange(() => {
    play.textContent = clock.playing ? 'Pause' : 'Play';
    scrub.value = clock.time;
    scrub.setAttribute('aria-valuetext', `${clock.time.toFixed(2)} s`);
    output.textContent = `${clock.time.toFixed(3)} s of ${clock.duration.toFixed(3)} s`;
  });
}

function bindKeys(canvas, clock, timestep) {
  const actions = {
    ' ': () => clock.play(!clock.playing),
    ArrowLeft: () => clock.set(clock.time - timestep),
    ArrowRight: () => clock.set(clock.time + timestep),
    Home: () => clock.set(0),
    End: () => clock.set(clock.duration),
  };
  canvas.addEventListener('keydown', (event) => {
    if (!actions[event.key]) return;
    actions[event.key]();
    event.preventDefault();
  });
}

function bindShown(section, stage, clock) {
  for (const name of ['follow', 'forces', 'centre', 'bones', 'ghost']) {
    section.querySelector(`.${name}`).checked = stage.shown[name];
    section.querySelector(`.${name}`).addEventListener('change', (event) => {
      stage.shown[name] = event.target.checked;
      stage.show(clock);
    });
  }
  section.querySelector('.recorded').hidden = stage.ghost === null;
}

// ---- the section ----

async function addStage(section, motion, clock) {
  const canvas = section.querySelector('canvas');
  try {
    const stage = await Stage.make(canvas, motion, readScene());
    clock.onChange(() => stage.show(clock));
    bindKeys(canvas, clock, motion.timestep);
    bindShown(section, stage, clock);
    document.body.classList.add('plays');
    return true;
  } catch (error) {
    canvas.hidden = true;
    section.querySelector('.absent').hidden = false;
    section.querySelector('.stage').style.height = 'auto';
    console.info(`saltus: ${error.message}`);
    return false;
  }
}

async function main() {
  const section = document.getElementById('player');
  const motion = readMotion();
  addStyle();
  section.innerHTML = template;
  section.hidden = false;
  const clock = new Clock(motion.duration);
  bindBar(section, clock);
  const staged = await addStage(section, motion, clock);
  const charts = makeCharts(section.querySelector('.plots'), motion, clock);
  clock.onChange(() => charts.forEach((chart) => chart.show(clock)));
  clock.set(0);
  section.dataset.ready = staged ? 'played' : 'charts';
  clock.play(staged && !matchMedia('(prefers-reduced-motion: reduce)').matches);
}

main();
