// A page in headless Chromium, over the pipe of its DevTools protocol: what it logs, asks for,
// answers and looks like.

import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const FLAGS = ['--headless=new', '--no-sandbox', '--remote-debugging-pipe', '--disable-gpu-sandbox',
  '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--hide-scrollbars', '--no-first-run'];

// Chromium's program, or null
export function find() {
  for (const folder of process.env.PATH.split(delimiter)) {
    try {
      accessSync(join(folder, 'chromium'), constants.X_OK);
      return join(folder, 'chromium');
    } catch {
      // not here
    }
  }
  return null;
}

export class Browser {
  constructor(program, flags = []) {
    this.profile = mkdtempSync(join(tmpdir(), 'saltus-browser-'));
    this.process = spawn(program, [...FLAGS, ...flags, `--user-data-dir=${this.profile}`, 'about:blank'],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.waiting = new Map();
    this.count = 0;
    this.listeners = [];
    this.rest = '';
    this.process.stdio[4].on('data', (bytes) => this.take(bytes.toString()));
  }

  take(text) {
    const messages = (this.rest + text).split('\0');
    this.rest = messages.pop();
    for (const message of messages.map((part) => JSON.parse(part))) {
      if (message.id !== undefined) {
        const { done, failed } = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        message.error ? failed(new Error(message.error.message)) : done(message.result);
      } else {
        for (const listener of this.listeners) listener(message);
      }
    }
  }

  call(method, params = {}, sessionId = undefined) {
    const id = ++this.count;
    this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    return new Promise((done, failed) => this.waiting.set(id, { done, failed }));
  }

  // { logged, asked, evaluate, screenshot, emulate, close }
  async open(url, { width = 1200, height = 900, media = [] } = {}) {
    const { targetId } = await this.call('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.call('Target.attachToTarget', { targetId, flatten: true });
    const call = (method, params) => this.call(method, params, sessionId);
    const page = { logged: [], asked: [] };
    const loaded = new Promise((done) => this.listeners.push((message) => {
      if (message.sessionId !== sessionId) return;
      const { method, params } = message;
      if (method === 'Page.loadEventFired') done();
      if (method === 'Network.requestWillBeSent') page.asked.push(params.request.url);
      if (method === 'Runtime.exceptionThrown') page.logged.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
      if (method === 'Runtime.consoleAPICalled') page.logged.push(params.args.map((arg) => arg.value).join(' '));
      if (method === 'Log.entryAdded') page.logged.push(params.entry.text);
    }));
    for (const domain of ['Page', 'Network', 'Runtime', 'Log']) await call(`${domain}.enable`);
    await call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    await call('Emulation.setEmulatedMedia', { features: media });
    await call('Page.navigate', { url });
    await loaded;
    page.evaluate = async (expression) => {
      const { result, exceptionDetails } = await call('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    };
    page.screenshot = async (options = {}) =>
      Buffer.from((await call('Page.captureScreenshot', options)).data, 'base64');
    page.call = call;
    page.close = () => this.call('Target.closeTarget', { targetId });
    return page;
  }

  async close() {
    await this.call('Browser.close').catch(() => {});
    await new Promise((done) => this.process.once('exit', done));
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
