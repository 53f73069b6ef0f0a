// What the tests of the viewer share: programs that serve pages, a headless Chromium, and what it complains about.
// Usage of each: node NAME.mjs MORTISE SOURCE_DIR WORK_DIR CHROMIUM
import {execFileSync, spawn} from 'node:child_process';
import {existsSync, mkdirSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';

const [, script, mortise, source, folder, chromium] = process.argv;
export {mortise, source};
export const reference = process.env.MORTISE_REFERENCE_DIR;
const {chromium: launcher} = createRequire(resolve(process.cwd(), 'package.json'))('playwright-core');
export const work = join(folder, script.replace(/.*\/|\.mjs$/g, ''));
rmSync(work, {recursive: true, force: true});
mkdirSync(work, {recursive: true});

const servers = new Set();
let failures = 0;
export const expect = (condition, text) => {
  if (!condition) ++failures;
  console.log(`${condition ? 'ok' : 'FAILED'}: ${text}`);
};

/** Runs a command to its end; what it prints. */
export const run = (...words) => execFileSync(mortise, words, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28});

/** A command that serves a page until it is stopped. Its address is on the first line, or in a sentence on standard error. */
export async function serve(words, options = {}) {
  const server = spawn(mortise, words, {stdio: ['ignore', 'pipe', 'pipe'], ...options});
  servers.add(server);
  server.once('exit', () => servers.delete(server));
  const said = {out: '', err: ''};
  const address = await new Promise((done, fail) => {
    const look = () => {
      const match = /http:\/\/127\.0\.0\.1:\d+\/#token=[0-9a-f]+(?=\n)/.exec(said.out + said.err);
      if (match) done(match[0]);
    };
    server.stdout.on('data', (data) => { said.out += data; look(); });
    server.stderr.on('data', (data) => { said.err += data; look(); });
    server.once('exit', (code) => fail(new Error(`mortise ${words.join(' ')} ended with ${code}: ${said.err}`)));
  });
  return {server, address, said};
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => process.exit(1));
process.on('exit', () => servers.forEach((server) => server.kill('SIGKILL')));

export const browser = await launcher.launch({
  executablePath: chromium,
  args: [
    '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--force-color-profile=srgb', '--disable-quic',
    '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  ],
});

export async function open(url, name) {
  const page = await browser.newPage({viewport: {width: 1280, height: 800}, deviceScaleFactor: 1});
  page.setDefaultTimeout(120000);
  const complaints = [];
  page.on('console', (message) => {
    // Reading pixels back, which tests do, stalls the graphics driver.
    if (!message.text().includes('GPU stall')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!/^(file|data|blob):|^http:\/\/127\.0\.0\.1:/.test(request.url())) complaints.push('asked for ' + request.url());
  });
  await page.goto(url);
  await page.waitForFunction(() => document.body.dataset.ready || document.body.dataset.error);
  const error = await page.evaluate(() => document.body.dataset.error);
  expect(!error, `${name} opens${error ? ': ' + error : ''}`);
  return {page, complaints};
}

export const silent = (complaints) => expect(complaints.length === 0, 'the console is silent: ' + complaints.join('; '));

/** Colors of the scene: how many, and a sum that differs where the picture does. */
export const colors = (page) => page.evaluate(() => {
  window.mortise.view.picture();
  const canvas = document.getElementById('scene');
  const copy = document.createElement('canvas');
  copy.width = canvas.width;
  copy.height = canvas.height;
  const context = copy.getContext('2d');
  context.drawImage(canvas, 0, 0);
  const data = context.getImageData(0, 0, copy.width, copy.height).data;
  const seen = new Set();
  let sum = 0;
  for (let i = 0; i < data.length; i += 4) {
    seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    sum = (sum * 31 + data[i] + 7 * data[i + 1] + 13 * data[i + 2]) >>> 0;
  }
  return {count: seen.size, sum};
});

/** Moves the slider of the time as a hand does. */
export const scrub = (page, time) => page.evaluate((time) => {
  const slider = document.getElementById('time');
  slider.value = String(time);
  slider.dispatchEvent(new Event('input', {bubbles: true}));
}, time);

/** Unfolds the robots of the tree and selects an entity by its id. */
export async function select(page, id) {
  for (const fold of await page.$$('.fold[aria-expanded=false]')) await fold.click();
  await page.evaluate((id) => [...document.querySelectorAll('nav .row')].find((row) => row.querySelector('small').textContent === String(id))
    .querySelector('span').click(), id);
}

export const haveReference = (path) => Boolean(reference) && existsSync(join(reference, path));

export async function finish() {
  await browser.close();
  process.exit(failures === 0 ? 0 : 1);
}
