// The pages in Firefox, where it is installed: a log in a file, a log from the server, a running simulation, a posed robot.
// Driven by WebDriver BiDi; every message on the console is a failure.
import {spawn} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {expect, packages, passed, program, run, serve, source, work} from './programs.mjs';

const {ws: WebSocket} = packages('playwright-core/lib/utilsBundle');

/** A Firefox with a profile of its own, and one page. */
class Firefox {
  static async start() {
    const profile = join(work, 'profile');
    mkdirSync(profile);
    // Without a GPU pages still draw in three dimensions, and nothing is asked of the network.
    writeFileSync(join(profile, 'user.js'), ['webgl.force-enabled', 'webgl.disable-fail-if-major-performance-caveat', 'gfx.webrender.software']
      .map((name) => `user_pref("${name}", true);\n`).join('') +
      ['datareporting.policy.dataSubmissionEnabled', 'browser.shell.checkDefaultBrowser', 'network.captive-portal-service.enabled',
        'app.normandy.enabled', 'extensions.getAddons.cache.enabled'].map((name) => `user_pref("${name}", false);\n`).join(''));
    const browser = new Firefox();
    browser.process = spawn(program, [...(process.env.DISPLAY ? [] : ['--headless']), '--no-remote', '--profile', profile, '--remote-debugging-port', '0'], {stdio: ['ignore', 'ignore', 'pipe']});
    process.on('exit', () => browser.process.kill('SIGKILL'));
    const address = await new Promise((done, fail) => {
      let said = '';
      browser.process.stderr.on('data', (data) => {
        said += data;
        const match = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(said);
        if (match) done(match[1]);
      });
      browser.process.once('exit', (code) => fail(new Error(`Firefox ended with ${code}: ${said}`)));
    });
    browser.socket = new WebSocket(`${address}/session`);
    browser.waiting = new Map();
    browser.complaints = [];
    await new Promise((done, fail) => browser.socket.once('open', done).once('error', fail));
    browser.socket.on('message', (data) => {
      const message = JSON.parse(String(data));
      if (message.id !== undefined) {
        const [done, fail] = browser.waiting.get(message.id);
        if (message.type === 'error') fail(new Error(`${message.error}: ${message.message}`));
        else done(message.result);
      } else if (message.method === 'log.entryAdded') {
        browser.complaints.push(`${message.params.level}: ${message.params.text}`);
      } else if (message.method === 'network.beforeRequestSent') {
        const {url} = message.params.request;
        if (!/^(file|data|blob|about):|^(http|ws):\/\/127\.0\.0\.1:/.test(url)) browser.complaints.push('asked for ' + url);
      }
    });
    await browser.send('session.new', {capabilities: {}});
    await browser.send('session.subscribe', {events: ['log.entryAdded', 'network.beforeRequestSent']});
    browser.context = (await browser.send('browsingContext.getTree', {})).contexts[0].context;
    await browser.send('browsingContext.setViewport', {context: browser.context, viewport: {width: 1280, height: 800}});
    return browser;
  }

  send(method, params) {
    const id = this.waiting.size + 1;
    return new Promise((done, fail) => {
      this.waiting.set(id, [done, fail]);
      this.socket.send(JSON.stringify({id, method, params}));
    });
  }
  /** What an expression of the page gives, as JSON. */
  async evaluate(expression) {
    const {result, exceptionDetails} = await this.send('script.evaluate',
      {expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`, target: {context: this.context}, awaitPromise: true});
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return JSON.parse(result.value);
  }
  async waitFor(expression) {
    for (const begin = Date.now(); Date.now() - begin < 60000; await new Promise((done) => setTimeout(done, 50)))
      if (await this.evaluate(expression)) return;
    throw new Error(`waited in vain for ${expression}; the console says: ${this.complaints.join('; ')}`);
  }
  async open(url, name) {
    // A change of the part behind # alone would load nothing. The page before may have missed its server meanwhile.
    await this.send('browsingContext.navigate', {context: this.context, url: 'about:blank', wait: 'complete'});
    this.complaints.length = 0;
    await this.send('browsingContext.navigate', {context: this.context, url, wait: 'complete'});
    await this.waitFor('document.body.dataset.ready || document.body.dataset.error');
    const error = await this.evaluate('document.body.dataset.error');
    expect(!error, `${name} opens${error ? ': ' + error : ''}`);
    const drawn = (await this.colors()).count;
    expect(drawn > 50, `${name}: the scene has ${drawn} colors`);
  }
  async screenshot() {
    return (await this.send('browsingContext.captureScreenshot', {context: this.context})).data;
  }
  /** Colors of the scene as it is seen: how many, and a sum that differs where the picture does. */
  async colors() {
    const url = `data:image/png;base64,${await this.screenshot()}`;
    return this.evaluate(`(async () => {
      const image = new Image(), place = document.getElementById('scene').getBoundingClientRect(), copy = document.createElement('canvas');
      image.src = '${url}';
      await image.decode();
      Object.assign(copy, {width: place.width, height: place.height});
      const context = copy.getContext('2d'), scale = image.width / window.innerWidth;
      context.drawImage(image, place.x * scale, place.y * scale, place.width * scale, place.height * scale, 0, 0, copy.width, copy.height);
      const pixels = new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer);
      return {count: new Set(pixels).size, sum: pixels.reduce((sum, pixel) => (sum * 31 + pixel) >>> 0, 0)};
    })()`);
  }
  /** Moves a slider as a hand does. */
  async slide(selector, value) {
    await this.evaluate(`(() => {
      const slider = document.querySelector('${selector}');
      slider.value = '${value}';
      slider.dispatchEvent(new Event('input', {bubbles: true}));
    })()`);
  }
  async picture(name) {
    writeFileSync(join(work, `${name}.png`), Buffer.from(await this.screenshot(), 'base64'));
  }
  silent() {
    expect(this.complaints.length === 0, 'the console is silent: ' + this.complaints.join('; '));
  }
}

const blocks = join(source, 'data/worlds/blocks.xml'), log = join(work, 'run.mcap'), html = join(work, 'run.html');
run('sim', blocks, '--duration', '1', '--mcap', log, '--quiet');
run('log', 'html', log, '-o', html, '--quiet');
const firefox = await Firefox.start();

await firefox.open('file://' + resolve(html), 'a page of one log');
const start = (await firefox.colors()).sum;
await firefox.slide('#time', 1);
await firefox.waitFor('document.getElementById("clock").textContent.startsWith("1.000")');
for (let tries = 0; tries < 100 && (await firefox.colors()).sum === start; ++tries) await new Promise((done) => setTimeout(done, 50));
expect((await firefox.colors()).sum !== start, 'the scene moves with the time');
await firefox.picture('file');
firefox.silent();

{
  const {address, server} = await serve(['view', '--no-browser', log]);
  await firefox.open(address, 'a log from the server');
  await firefox.picture('log');
  firefox.silent();
  server.kill('SIGINT');
}
{
  const {address, server} = await serve(['sim', blocks, '--view', '--no-browser']);
  await firefox.open(address, 'a running simulation');
  await firefox.waitFor('Number(document.getElementById("clock").textContent.split(" ")[2]) > 0.5');
  await firefox.evaluate('document.getElementById("play").click()');
  await firefox.picture('live');
  firefox.silent();
  server.kill('SIGINT');
}
{
  const {address, server} = await serve(['pose', '--no-browser', blocks, '--resources', join(work, 'poses')]);
  await firefox.open(address, 'a posed world');
  await firefox.slide('.driver:nth-of-type(2) input', 0.5);
  await firefox.waitFor('[...document.querySelectorAll(".driver .typed")].some((box) => box.value === "28.6")');
  expect(true, 'a driver moves');
  await firefox.picture('pose');
  firefox.silent();
  server.kill('SIGINT');
}
await firefox.send('browser.close', {});
process.exit(passed() ? 0 : 1);
