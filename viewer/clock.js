// The time that all parts of the page show, and what drives it: playing, the slider, keys, charts.
// `lap` counts how often a cycle was gone through since the time was last set.

export class Clock {
  constructor(duration) {
    this.duration = duration;
    this.time = 0;
    this.lap = 0;
    this.speed = 1;
    this.again = true;
    this.playing = false;
    this.listeners = [];
    this.before = 0;
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  tell() {
    for (const listener of this.listeners) listener(this);
  }

  set(time) {
    this.time = Math.min(Math.max(time, 0), this.duration);
    this.lap = 0;
    this.tell();
  }

  // For good
  end() {
    this.listeners = [];
    this.playing = false;
  }

  play(on) {
    if (on === this.playing) return;
    this.playing = on;
    if (on) {
      if (this.time >= this.duration) this.time = 0;
      this.before = performance.now();
      requestAnimationFrame((now) => this.tick(now));
    }
    this.tell();
  }

  tick(now) {
    if (!this.playing) return;
    this.time += (Math.max(now - this.before, 0) / 1000) * this.speed;
    this.before = now;
    if (this.time >= this.duration) {
      const laps = Math.floor(this.time / this.duration);
      if (this.again) {
        this.time -= laps * this.duration;
        this.lap += laps;
      } else {
        this.time = this.duration;
        this.playing = false;
      }
    }
    this.tell();
    requestAnimationFrame((next) => this.tick(next));
  }
}
