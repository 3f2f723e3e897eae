// The motion in three dimensions. Everything stands below `world`, the root of the scene, in the
// axes of the model (z up, metres); what moves stands in `lap`, which travels with each cycle.

import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

const colourOf = (name) =>
  new THREE.Color(getComputedStyle(document.documentElement).getPropertyValue(name).trim());

const parse = (buffer) =>
  new Promise((done, failed) => new GLTFLoader().parse(buffer, '', done, failed));

// ---- without a graphics card ----

// There the processor fills every pixel: then there are no shadows, materials are simple, and what
// moves is drawn with fewer pixels. Once it rests it is drawn with all of them.
const COARSE = 0.5, REST = 250; // of the pixels' width; ms
const PROGRAMS = /swiftshader|llvmpipe|softpipe|software|basic render/i; // that draw in place of a card

function makeRenderer(canvas) {
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: true }), gl = renderer.getContext();
  const named = gl.getExtension('WEBGL_debug_renderer_info');
  renderer.debug.checkShaderErrors = false; // asking would wait for each of them
  return { renderer, slow: PROGRAMS.test(gl.getParameter(named ? named.UNMASKED_RENDERER_WEBGL : gl.RENDERER)) };
}

function simplify(root) {
  const simple = new Map();
  root.traverse((node) => {
    if (!node.isMesh) return;
    const old = node.material, { color, map, transparent, opacity, side, vertexColors } = old;
    if (!simple.has(old)) simple.set(old, new THREE.MeshLambertMaterial({ color, map, transparent, opacity, side, vertexColors }));
    node.material = simple.get(old);
  });
}

// ---- light and ground ----

function addLight(scene, size) {
  scene.add(new THREE.HemisphereLight(0xffffff, 0x9a9aa5, 1.5));
  const sun = new THREE.DirectionalLight(0xffffff, 1.7);
  const reach = 2.5 * size;
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  sun.shadow.bias = -0.0005;
  sun.shadow.normalBias = 0.02;
  Object.assign(sun.shadow.camera, {
    left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1, far: 12 * size,
  });
  scene.add(sun, sun.target);
  return sun;
}

// A plane has lines every metre (every ten centimetres for what is small), as a texture: thin lines
// far away would flicker.
const TILE = 256;

function paintTile(canvas, ground, line) {
  const pen = canvas.getContext('2d');
  pen.fillStyle = ground;
  pen.fillRect(0, 0, TILE, TILE);
  pen.strokeStyle = line;
  pen.lineWidth = 6;
  pen.strokeRect(0, 0, TILE, TILE);
}

function coverPlane(mesh, cell, anisotropy) {
  const { min, max } = mesh.geometry.boundingBox, width = max.x - min.x, height = max.y - min.y;
  const canvas = Object.assign(document.createElement('canvas'), { width: TILE, height: TILE });
  const map = new THREE.CanvasTexture(canvas);
  map.wrapS = map.wrapT = THREE.RepeatWrapping;
  map.repeat.set(width / cell, height / cell);
  map.anisotropy = anisotropy;
  map.colorSpace = THREE.SRGBColorSpace;
  mesh.geometry = new THREE.PlaneGeometry(width, height);
  mesh.material = new THREE.MeshStandardMaterial({ map, roughness: 0.9, side: THREE.DoubleSide });
  return map;
}

// ---- the bodies ----

const UP = new THREE.Vector3(0, 1, 0); // along the shafts of sticks and arrows

const isPlane = (mesh) => {
  mesh.geometry.computeBoundingBox();
  const box = mesh.geometry.boundingBox;
  return box.max.z - box.min.z < 1e-6 && box.max.x - box.min.x > 5;
};

// A level plane without end is a square of 40 m (exports/gltf.c) that keeps below what is looked at.
const isEndless = (mesh) =>
  mesh.geometry.boundingBox.max.x > 19.9 && Math.abs(mesh.quaternion.w) > 0.999999;

// Bodies that the animation moves go below `lap`; they keep their numbers, the order in the file.
function gather(gltf) {
  const world = gltf.scene.children[0], lap = new THREE.Group(), bodies = [world], planes = [];
  const moving = new Set(gltf.animations[0].tracks.map((track) => track.name.split('.')[0]));
  for (const node of [...world.children]) {
    if (node.isMesh) continue;
    bodies.push(node);
    if (moving.has(node.name)) lap.add(node);
  }
  world.add(lap);
  gltf.scene.traverse((node) => {
    if (!node.isMesh) return;
    const plane = isPlane(node);
    if (plane) planes.push(node);
    node.castShadow = !plane;
    node.receiveShadow = true;
  });
  return { world, lap, bodies, planes };
}

// A second, transparent set of bodies that shows the recording.
function makeGhost(lap, bodies) {
  const material = new THREE.MeshStandardMaterial({
    color: colourOf('--right'), transparent: true, opacity: 0.35, depthWrite: false,
  });
  const group = new THREE.Group();
  const copies = bodies.map((body) => {
    if (body.parent !== lap) return null;
    const copy = body.clone();
    copy.traverse((node) => {
      if (node.isMesh) Object.assign(node, { material, castShadow: false, receiveShadow: false });
    });
    group.add(copy);
    return copy;
  });
  lap.add(group);
  return { group, copies };
}

// Sticks from body to body, for models of which little else is to be seen.
class Bones {
  constructor(lap, bodies, parents, size) {
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
    this.material = new THREE.MeshStandardMaterial({ roughness: 0.7 });
    this.radius = 0.011 * size;
    this.group = new THREE.Group();
    this.bones = bodies.flatMap((body, b) => {
      const parent = bodies[parents[b]];
      if (body.parent !== lap || parent.parent !== lap) return [];
      const mesh = new THREE.Mesh(shaft, this.material);
      mesh.castShadow = true;
      this.group.add(mesh);
      return [{ mesh, body, parent }];
    });
    lap.add(this.group);
  }

  show() {
    const along = new THREE.Vector3();
    for (const { mesh, body, parent } of this.bones) {
      const length = along.copy(body.position).sub(parent.position).length();
      mesh.visible = length > this.radius;
      mesh.position.copy(parent.position);
      mesh.quaternion.setFromUnitVectors(UP, along.divideScalar(length || 1));
      mesh.scale.set(this.radius, length, this.radius);
    }
  }
}

// Are most bodies smaller than what the eye finds?
function areHidden(lap, bodies, size) {
  const moving = bodies.filter((body) => body.parent === lap);
  const seen = moving.filter((body) => {
    const box = new THREE.Box3().setFromObject(body);
    return !box.isEmpty() && box.getSize(new THREE.Vector3()).length() > 0.05 * size;
  });
  return seen.length < 0.7 * moving.length;
}

// ---- forces ----

class Arrows {
  constructor(parent, length, weight) {
    this.group = new THREE.Group();
    parent.add(this.group);
    this.scale = length / weight;
    this.radius = 0.012 * length;
    this.material = new THREE.MeshBasicMaterial({ color: colourOf('--grf') });
    this.shaft = new THREE.CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0);
    this.head = new THREE.ConeGeometry(2.6, 6, 14).translate(0, -3, 0);
    this.arrows = [];
  }

  at(i) {
    if (i === this.arrows.length) {
      const arrow = new THREE.Group();
      arrow.add(new THREE.Mesh(this.shaft, this.material), new THREE.Mesh(this.head, this.material));
      this.group.add(arrow);
      this.arrows.push(arrow);
    }
    return this.arrows[i];
  }

  show(contacts, step) {
    let n = 0;
    const force = new THREE.Vector3();
    for (let k = contacts.offset[step]; k < contacts.offset[step + 1]; k++) {
      force.fromArray(contacts.force, 3 * k);
      const length = force.length() * this.scale;
      if (!(length > 4 * this.radius)) continue;
      const arrow = this.at(n++), [shaft, head] = arrow.children;
      arrow.visible = true;
      arrow.position.fromArray(contacts.place, 3 * k);
      arrow.quaternion.setFromUnitVectors(UP, force.normalize());
      shaft.scale.set(this.radius, length - 3 * this.radius, this.radius);
      head.scale.setScalar(this.radius);
      head.position.y = length;
    }
    for (; n < this.arrows.length; n++) this.arrows[n].visible = false;
  }
}

// ---- centre of mass, and of pressure ----

function addPath(parent, centre) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(centre, 3));
  const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: colourOf('--s3') }));
  line.frustumCulled = false;
  parent.add(line);
  return line;
}

function addDot(parent, radius, name) {
  const dot = new THREE.Mesh(
    new THREE.SphereGeometry(radius, 20, 14),
    new THREE.MeshBasicMaterial({ color: colourOf(name), depthTest: false, transparent: true, opacity: 0.85 }),
  );
  dot.renderOrder = 2;
  parent.add(dot);
  return dot;
}

// Where the upward forces of a step act in the mean; false: nothing carries.
function centreOfPressure(contacts, step, out) {
  let sum = 0;
  out.set(0, 0, 0);
  for (let k = contacts.offset[step]; k < contacts.offset[step + 1]; k++) {
    const up = Math.max(contacts.force[3 * k + 2], 0);
    sum += up;
    out.x += up * contacts.place[3 * k];
    out.y += up * contacts.place[3 * k + 1];
    out.z += up * contacts.place[3 * k + 2];
  }
  if (!(sum > 0)) return false;
  out.divideScalar(sum);
  return true;
}

// ---- time ----

// Beside a longer motion, an open one waits at its end, and a cycle goes on.
function ownTime(motion, clock) {
  if (motion.duration === clock.duration) return clock;
  if (!motion.cycle) return { time: Math.min(clock.time, motion.duration), lap: 0 };
  const whole = clock.lap * clock.duration + clock.time, lap = Math.floor(whole / motion.duration);
  return { time: whole - lap * motion.duration, lap };
}

// ---- the stage ----

export class Stage {
  static async make(canvas, motion, buffer) {
    const { renderer, slow } = makeRenderer(canvas);
    const gltf = await parse(buffer);
    return new Stage(renderer, slow, canvas, motion, gltf);
  }

  constructor(renderer, slow, canvas, motion, gltf) {
    Object.assign(this, { renderer, slow, canvas, motion, followed: new THREE.Vector3() });
    renderer.shadowMap.enabled = !slow;
    renderer.shadowMap.type = THREE.PCFShadowMap;
    this.scene = new THREE.Scene();
    this.scene.add(gltf.scene);
    Object.assign(this, gather(gltf));
    this.mixer = new THREE.AnimationMixer(gltf.scene);
    this.mixer.clipAction(gltf.animations[0]).setLoop(THREE.LoopOnce).play();
    this.mixer.clipAction(gltf.animations[0]).clampWhenFinished = true;
    this.mixer.setTime(0);
    this.frame();
    this.decorate();
    this.dress();
    this.over = new AbortController();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.dress(), { signal: this.over.signal });
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(canvas.parentElement);
    this.resize();
  }

  // A browser draws a few scenes at a time only: this one is not needed any more.
  end() {
    this.over.abort();
    this.observer.disconnect();
    clearTimeout(this.rest);
    this.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  // The camera sees the mechanism from its side, some above.
  frame() {
    this.scene.updateMatrixWorld(true);
    const box = new THREE.Box3().setFromObject(this.lap), size = new THREE.Vector3();
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, 0, -1), new THREE.Vector3(1, 1, 1));
    this.size = Math.max(box.getSize(size).length(), 0.05);
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.01 * this.size, 200 * this.size);
    this.controls = new OrbitControls(this.camera, this.canvas);
    box.getCenter(this.controls.target);
    const away = new THREE.Vector3(0.5, 0.3, 1).setLength(1.9 * this.size);
    this.camera.position.copy(this.controls.target).add(away);
    this.controls.maxDistance = 60 * this.size;
    this.controls.update();
    this.controls.addEventListener('change', () => {
      if (!this.showing) this.move();
    });
  }

  decorate() {
    const { motion } = this;
    this.sun = addLight(this.scene, this.size);
    const anisotropy = this.slow ? 2 : this.renderer.capabilities.getMaxAnisotropy();
    this.cell = this.size < 0.8 ? 0.1 : 1;
    this.endless = this.planes.filter(isEndless).map((mesh) => ({ mesh, home: mesh.position.clone() }));
    this.floors = this.planes.map((mesh) => coverPlane(mesh, this.cell, anisotropy));
    if (this.slow) simplify(this.scene);
    this.arrows = new Arrows(this.lap, 0.5 * this.size, motion.weight);
    this.path = addPath(this.lap, motion.centre);
    this.centre = addDot(this.lap, 0.018 * this.size, '--s3');
    this.pressure = addDot(this.lap, 0.014 * this.size, '--grf');
    this.ghost = motion.recorded ? makeGhost(this.lap, this.bodies) : null;
    this.bones = new Bones(this.lap, this.bodies, motion.parent, this.size);
    this.shown = { bones: areHidden(this.lap, this.bodies, this.size), forces: true, centre: true, ghost: true, follow: true };
  }

  dress() {
    this.scene.background = colourOf('--page');
    this.scene.fog = new THREE.Fog(this.scene.background, 6 * this.size, 24 * this.size);
    this.arrows.material.color = colourOf('--grf');
    this.bones.material.color = colourOf('--left');
    for (const map of this.floors) {
      paintTile(map.image, colourOf('--rule').getStyle(), colourOf('--still').getStyle());
      map.needsUpdate = true;
    }
    this.draw();
  }

  // The canvas has this many pixels for each of the page. A new size empties it, and waits until what is on its way is drawn.
  sharpen(ratio) {
    if (this.ratio === ratio) return;
    this.ratio = ratio;
    this.renderer.setDrawingBufferSize(this.width, this.height, ratio);
  }

  setSize(width, height, ratio) {
    Object.assign(this, { width, height, ratio: undefined });
    this.sharpen(ratio);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  // A picture of that size from now on, always sharp
  fix(width, height) {
    this.fixed = true;
    this.setSize(width, height, 1);
  }

  resize() {
    if (this.fixed) return;
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement, same = width === this.width && height === this.height;
    if (same || width === 0 || height === 0) return;
    this.setSize(width, height, this.slow ? COARSE : Math.min(devicePixelRatio, 2));
    this.move();
  }

  // Point of the centre of mass in the axes of the scene (y up).
  centreAt(row, lap, out) {
    const { centre, travel, nstep } = this.motion;
    const k = Math.min(Math.floor(row), nstep - 1), s = row - k;
    const part = (i) =>
      (1 - s) * centre[3 * k + i] + s * centre[3 * k + 3 + i];
    this.centre.position.set(part(0), part(1), part(2));
    out.set(part(0) + lap * travel[0], part(2) + lap * travel[2], -(part(1) + lap * travel[1]));
  }

  poseGhost(row) {
    const { every, xpos, xquat } = this.motion.recorded, n = this.bodies.length;
    const frame = Math.round(row / every), last = xpos.length / (3 * n) - 1, k = Math.min(frame, last);
    this.ghost.group.visible = this.shown.ghost && frame <= last + 1; // it may end before the motion
    this.ghost.copies.forEach((copy, b) => {
      if (copy === null) return;
      copy.position.fromArray(xpos, 3 * (k * n + b));
      const q = 4 * (k * n + b);
      copy.quaternion.set(xquat[q + 1], xquat[q + 2], xquat[q + 3], xquat[q]);
    });
  }

  follow(point) {
    const moved = point.clone().sub(this.followed);
    moved.y = 0;
    if (this.shown.follow && this.begun) {
      this.camera.position.add(moved);
      this.controls.target.add(moved);
      this.controls.update();
    }
    this.begun = true;
    this.followed.copy(point);
    for (const { mesh, home } of this.endless) {
      const whole = (x) => this.cell * Math.round(x / this.cell);
      mesh.position.set(home.x + whole(this.controls.target.x), home.y - whole(this.controls.target.z), home.z);
    }
    this.sun.position.copy(this.controls.target).add(new THREE.Vector3(1.2, 3, 1.8).multiplyScalar(this.size));
    this.sun.target.position.copy(this.controls.target);
  }

  show(clock) {
    const { motion, shown } = this, point = new THREE.Vector3(), { time, lap } = ownTime(motion, clock);
    const row = time / motion.timestep, step = Math.min(Math.floor(row + 1e-6), motion.nstep - 1);
    this.lap.position.fromArray(motion.travel).multiplyScalar(lap);
    this.mixer.setTime(time);
    this.centreAt(row, lap, point);
    this.bones.group.visible = shown.bones;
    this.bones.show();
    this.arrows.group.visible = shown.forces;
    this.arrows.show(motion.contacts, step);
    this.pressure.visible = shown.forces && centreOfPressure(motion.contacts, step, this.pressure.position);
    this.path.visible = this.centre.visible = shown.centre;
    if (this.ghost) {
      this.poseGhost(row);
    }
    this.showing = true; // that the camera follows is part of it
    this.follow(point);
    this.showing = false;
    this.move();
  }

  move() {
    if (this.slow && !this.fixed && this.width) {
      this.sharpen(COARSE);
      clearTimeout(this.rest);
      this.rest = setTimeout(() => {
        this.sharpen(1);
        this.draw();
      }, REST);
    }
    this.draw();
  }

  // Not before it has a size and a time
  draw() {
    if (this.width && this.begun) this.renderer.render(this.scene, this.camera);
  }
}
