// player.js: the motion of a result, played. The page is complete without it; where scripts run it
// fills the section `player`.
//
//     motion.js  the numbers of the page
//     clock.js   the time
//     stage.js   bodies, forces and paths in three dimensions
//     charts.js  which charts there are: values over time
//     recordings.js, search.js  those of an identification, and of the search
//     chart.js   one chart
//     film.js    pictures instead of the page

import { Clock } from './clock.js';
import { makeCharts } from './charts.js';
import { readWish, shoot } from './film.js';
import { names, readMotion, readScene } from './motion.js';
import { Stage } from './stage.js';
import style from './player.css';
import plotStyle from 'uplot/dist/uPlot.min.css';
import template from './player.html';

function addStyle() {
  const element = document.createElement('style');
  element.textContent = plotStyle + style;
  document.head.append(element);
}

// However often the time is set between two frames of the screen, it is shown once.
function eachFrame(work) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      work();
    });
  };
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

function bindShown(section, stages, clock) {
  for (const name of ['follow', 'forces', 'centre', 'bones', 'ghost']) {
    section.querySelector(`.${name}`).checked = stages[0].shown[name];
    section.querySelector(`.${name}`).addEventListener('change', (event) => {
      for (const stage of stages) {
        stage.shown[name] = event.target.checked;
        stage.show(clock);
      }
    });
  }
  section.querySelector('.recorded').hidden = stages.every((stage) => stage.ghost === null);
}

// ---- the section ----

// A place for each motion
function addPlaces(section, motions) {
  const first = section.querySelector('.stage');
  const places = motions.map((_, i) => (i === 0 ? first : first.parentElement.appendChild(first.cloneNode(true))));
  if (motions.length > 1) {
    places.forEach((place, i) => {
      const which = place.querySelector('.which'), canvas = place.querySelector('canvas');
      which.textContent = motions[i].name;
      which.hidden = false;
      canvas.setAttribute('aria-label', `${motions[i].name}. ${canvas.getAttribute('aria-label')}`);
    });
  }
  return places;
}

function sayAbsent(place) {
  place.querySelector('canvas').hidden = true;
  place.querySelector('.absent').hidden = false;
  place.style.height = 'auto';
}

// None where there is no WebGL
async function addStages(section, numbers, motions, clock) {
  const places = addPlaces(section, motions), stages = [];
  try {
    for (const [i, motion] of motions.entries()) {
      const canvas = places[i].querySelector('canvas'), stage = await Stage.make(canvas, motion, readScene(numbers[i]));
      stages.push(stage);
      bindKeys(canvas, clock, motion.timestep);
    }
    bindShown(section, stages, clock);
    clock.onChange(eachFrame(() => stages.forEach((stage) => stage.show(clock))));
    document.body.classList.add('plays');
    return stages;
  } catch (error) {
    places.forEach(sayAbsent);
    console.info(`saltus: ${error.message}`);
    return [];
  }
}

// Motions of these numbers, beside each other; how to end that
async function show(section, numbers) {
  const motions = numbers.map((number, i) => readMotion(number, numbers.length > 1 ? 'AB'[i] : ''));
  section.innerHTML = template;
  const clock = new Clock(Math.max(...motions.map((motion) => motion.duration)));
  bindBar(section, clock);
  const stages = await addStages(section, numbers, motions, clock), staged = stages.length > 0;
  const wish = readWish(window.location.hash);
  if (wish) {
    shoot(stages[0], clock, wish);
    return () => {};
  }
  const charts = makeCharts(section.querySelector('.plots'), motions, clock);
  clock.onChange(eachFrame(() => charts.forEach((chart) => chart.show())));
  clock.set(0);
  section.dataset.ready = staged ? 'played' : 'charts';
  clock.play(staged && !matchMedia('(prefers-reduced-motion: reduce)').matches);
  return () => {
    clock.end();
    stages.forEach((stage) => stage.end());
  };
}

// One of many, which the reader chooses
async function choose(section, list, chosen) {
  const end = await show(section, [chosen]), choice = section.querySelector('.choice'), select = choice.querySelector('select');
  list.forEach((name, i) => select.add(new Option(name, i, false, i === chosen)));
  choice.hidden = list.length < 2;
  select.addEventListener('change', async () => {
    end();
    await choose(section, list, Number(select.value));
    section.querySelector('.choice select').focus();
  });
}

async function main() {
  const section = document.getElementById('player'), list = names();
  addStyle();
  section.hidden = false;
  if ('one' in section.dataset) await choose(section, list, 0);
  else await show(section, Array.from(list.keys()));
}

main();
