// Opens pages of logs in headless Chromium: what is drawn, where things are, and that nothing complains.
// Usage: node browser.mjs MORTISE SOURCE_DIR WORK_DIR CHROMIUM [PICTURE]
import {execFileSync, spawn} from 'node:child_process';
import {mkdirSync, readdirSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';

const [, , mortise, source, work, chromium, picture] = process.argv;
const {chromium: launcher} = createRequire(resolve(process.cwd(), 'package.json'))('playwright-core');
rmSync(work, {recursive: true, force: true});
mkdirSync(work, {recursive: true});
const world = join(source, 'data/worlds/pushed_blocks.xml'), sweep = join(source, 'data/motions/reacher_sweep.path');
const run = (backend) => JSON.parse(execFileSync(mortise, [
  'sim', world, '--path', sweep, '--backend', backend, '--duration', '2', '--json', '--mcap', join(work, `${backend}.mcap`),
], {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']}));
const backends = ['mortise', 'ode'].filter((name) => {
  try {
    run(name);
    return true;
  } catch {
    return false;
  }
});
const result = run(backends[0]);

let failures = 0;
const expect = (condition, text) => {
  if (!condition) ++failures;
  console.log(`${condition ? 'ok' : 'FAILED'}: ${text}`);
};

const browser = await launcher.launch({
  executablePath: chromium,
  args: [
    '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--force-color-profile=srgb', '--disable-quic',
    '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  ],
});

async function open(url, name) {
  const page = await browser.newPage({viewport: {width: 1280, height: 800}, deviceScaleFactor: 1});
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
  await page.waitForFunction(() => document.body.dataset.ready || document.body.dataset.error, {timeout: 60000});
  expect(!(await page.evaluate(() => document.body.dataset.error)), `${name} opens`);
  return {page, complaints};
}

// What was started ends with this program, however it ends.
const started = [];
function serve(options, stdio) {
  started.push(spawn(mortise, options, stdio));
  return started.at(-1);
}
process.on('exit', () => started.forEach((server) => server.kill('SIGKILL')));
process.on('uncaughtException', (error) => {
  console.error(error);
  process.exit(1);
});

const blocks = join(source, 'data/worlds/blocks.xml');
async function live(options) {
  const server = serve(['sim', blocks, '--view', '--no-browser', ...options], {stdio: ['ignore', 'pipe', 'pipe']});
  let out = '', errors = '';
  server.stdout.on('data', (data) => (out += data));
  const address = await new Promise((done) => server.stderr.on('data', (data) => {
    errors += data;
    const match = /at (http:\S+)/.exec(errors);
    if (match) done(match[1]);
  }));
  return {...await open(address, 'a running simulation'), server, printed: () => out};
}

const colors = (page) => page.evaluate(() => {
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

// One log in one file, without a server.
execFileSync(mortise, ['log', 'html', join(work, `${backends[0]}.mcap`), '-o', join(work, 'one.html'), '--quiet']);
{
  const {page, complaints} = await open('file://' + resolve(work, 'one.html'), 'a page of one log');
  const start = await colors(page);
  expect(start.count > 50, `the scene has ${start.count} colors`);
  const before = await page.evaluate(() => [...window.mortise.logs[0].poses.values()].map((pose) => pose[9]));
  await page.evaluate(() => window.mortise.setTime(2));
  await page.waitForFunction(() => document.getElementById('clock').textContent.startsWith('2.000'));
  await page.waitForFunction((before) => {
    const shown = window.mortise.logs[0].poses;
    return JSON.stringify([...shown.values()].map((pose) => pose[9])) !== before;
  }, JSON.stringify(before), {timeout: 30000});
  await page.waitForTimeout(200);
  const end = await colors(page);
  expect(end.sum !== start.sum, 'the scene moves with the time');
  const poses = await page.evaluate(() => [...window.mortise.logs[0].poses].map(([id, pose]) => [id, [...pose]]));
  let worst = 0;
  for (const object of result.objects) {
    const pose = poses.find(([id]) => id === object.id)?.[1] ?? [];
    object.T.forEach((value, i) => (worst = Math.max(worst, Math.abs(value - pose[i]))));
  }
  expect(worst < 1e-5, `objects are where the simulation ended, to ${worst.toExponential(1)}`);
  await page.evaluate(() => window.mortise.setTime(0));
  await page.waitForTimeout(200);
  expect((await colors(page)).sum === start.sum, 'going back shows the same picture');
  await page.selectOption('.right select', {index: 3});
  await page.waitForSelector('.plot canvas');
  await page.click('#play');
  await page.waitForFunction(() => Number(document.getElementById('clock').textContent.split(' ')[0]) > 0.05, {timeout: 30000});
  expect(true, 'play moves the time');
  for (const box of await page.$$('.toggles input')) await box.click();
  await page.waitForTimeout(200);
  expect(complaints.length === 0, 'the console is silent: ' + complaints.join('; '));
  await page.close();
}

// Several logs from the server.
{
  const server = serve(['view', '--no-browser', ...backends.map((name) => join(work, `${name}.mcap`))], {stdio: ['ignore', 'pipe', 'inherit']});
  const address = await new Promise((done) => server.stdout.once('data', (data) => done(String(data).trim())));
  const {page, complaints} = await open(address, 'the server\'s page');
  expect((await page.evaluate(() => window.mortise.logs.length)) === backends.length, `${backends.length} logs are shown`);
  await page.evaluate(() => window.mortise.setTime(1.7));
  await page.selectOption('.right select', {index: 12});
  await page.waitForSelector('.plot canvas');
  await page.waitForTimeout(300);
  if (backends.length > 1) {
    await page.click('.plot input[type=checkbox]');
    await page.waitForTimeout(200);
  }
  await page.screenshot({path: join(work, 'several.png')});
  if (picture) await page.screenshot({path: picture});
  expect(complaints.length === 0, 'the console is silent: ' + complaints.join('; '));
  server.kill('SIGINT');
  await page.close();
}

// A running simulation: the same end as without a page, pause and steps, a pulled body, going on from the past.
{
  const plain = JSON.parse(execFileSync(mortise, ['sim', blocks, '--duration', '1', '--json'], {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']}));
  const {page, complaints, server, printed} = await live(['--duration', '1', '--realtime', '2', '--json']);
  await page.waitForFunction(() => window.mortise.logs[0].end > 0.9995, {timeout: 60000});
  const before = await page.evaluate(() => window.mortise.logs[0].state.times.length);
  expect(before === 101, `the page has all ${before} states`);
  await page.waitForFunction(() => document.getElementById('play').textContent === '▶', {timeout: 60000});
  expect(JSON.parse(printed()).state_hash === plain.state_hash, 'the state hash is that of a run without page');
  await page.reload();
  await page.waitForFunction(() => document.body.dataset.ready && window.mortise.logs[0].end > 0.9995, {timeout: 60000});
  expect((await page.evaluate(() => window.mortise.logs[0].state.times.length)) === before, 'a page that is loaded again has everything');
  await page.evaluate(() => window.mortise.send({type: 'step', count: 5}));
  await page.waitForFunction(() => Math.abs(window.mortise.logs[0].end - 1.005) < 1e-6, {timeout: 60000});
  const id = await page.evaluate(() => window.mortise.logs[0].world.entities.find((e) => e.name === 'ball').id);
  // With the mouse, in the middle of the ball.
  const at = await page.evaluate((id) => window.mortise.view.screenPosition(id), id);
  await page.check('#pull');
  await page.click('#play');
  await page.mouse.move(at[0], at[1]);
  await page.mouse.down();
  await page.mouse.move(at[0], at[1] - 120, {steps: 4});
  await page.waitForFunction((id) => window.mortise.logs[0].poses.get(id)[11] > 0.4, id, {timeout: 60000});
  expect(true, 'a body follows the mouse');
  await page.screenshot({path: join(work, 'pull.png')});
  await page.mouse.up();
  await page.evaluate(() => {
    const slider = document.getElementById('time');
    slider.value = '0.5';
    slider.dispatchEvent(new Event('input', {bubbles: true}));
  });
  await page.click('#go');
  await page.waitForFunction((id) => window.mortise.logs[0].end < 1 || window.mortise.logs[0].poses.get(id)[11] < 0.3, id, {timeout: 60000});
  await page.waitForFunction(() => window.mortise.logs[0].end > 1.2, {timeout: 60000});
  const ball = await page.evaluate((id) => window.mortise.logs[0].poses.get(id)[11], id);
  expect(ball < 0.3, 'the run goes on from the past without what was done later');
  expect(complaints.length === 0, 'the console is silent: ' + complaints.join('; '));
  await page.close();
  server.kill('SIGINT');
}

// Posing: drag a link, sliders, goals, collisions, resources, a path, undo.
{
  const saved = join(work, 'poses');
  const server = serve(['pose', '--no-browser', blocks, '--resources', saved], {stdio: ['ignore', 'pipe', 'inherit']});
  const address = await new Promise((done) => server.stdout.once('data', (data) => done(String(data).trim())));
  const {page, complaints} = await open(address, 'a posed world');
  const hand = await page.evaluate(() => window.mortise.logs[0].robots[0].links.at(-1).id);
  const position = () => page.evaluate((id) => [...window.mortise.logs[0].poses.get(id)].slice(9), hand);
  const ask = (message) => page.evaluate((message) => window.pose.send(message), message);
  const start = await position();
  const at = await page.evaluate((id) => window.mortise.view.screenPosition(id), hand);
  await page.mouse.move(at[0], at[1]);
  await page.mouse.down();
  await page.mouse.move(at[0] + 40, at[1] - 60, {steps: 8});
  await page.waitForFunction(([id, start]) => Math.hypot(...[0, 1, 2].map((i) => window.mortise.logs[0].poses.get(id)[9 + i] - start[i])) > 0.02,
    [hand, start], {timeout: 30000});
  await page.mouse.up();
  expect(true, 'a link follows the mouse');
  await page.waitForFunction(() => !document.getElementById('undo').disabled);
  await page.click('#undo');
  await page.waitForFunction(([id, start]) => Math.hypot(...[0, 1, 2].map((i) => window.mortise.logs[0].poses.get(id)[9 + i] - start[i])) < 1e-6,
    [hand, start], {timeout: 30000});
  expect(await page.evaluate(() => document.getElementById('undo').disabled), 'one gesture is undone in one step');
  await page.evaluate(() => {
    const slider = document.querySelector('.driver input');
    slider.value = '0.7';
    slider.dispatchEvent(new Event('input', {bubbles: true}));
  });
  await page.waitForFunction(() => document.querySelector('.driver output').textContent === '0.700', {timeout: 30000});
  expect(true, 'a slider moves a driver');
  await page.click('nav .fold');
  for (const kind of ['configuration', 'trajectory', 'transform']) {
    await page.evaluate((id) => [...document.querySelectorAll('.row small')].find((s) => s.textContent === String(id))?.previousSibling.click(), hand);
    await page.selectOption('#kind', kind);
    const before = await page.evaluate(() => document.querySelector('.pose .list').children.length);
    await page.click('#store');
    await page.waitForFunction((before) => document.querySelector('.pose .list').children.length !== before, before, {timeout: 30000});
  }
  await page.click('.pose .list .row:nth-child(2) span');
  await ask({type: 'driver', robot: 0, driver: 1, value: 1.2});
  await page.click('#insert');
  await page.waitForFunction(() => /trajectory \(2\)/.test(document.querySelector('.pose').textContent), {timeout: 30000});
  await page.click('#retime');
  await page.click('#check');
  await page.waitForFunction(() => /free|collides|limits/.test(document.getElementById('message').textContent), {timeout: 30000});
  await page.click('#show-path');
  await page.waitForSelector('#path-time');
  await page.evaluate(() => {
    const slider = document.getElementById('path-time');
    slider.value = String(Number(slider.max) / 2);
    slider.dispatchEvent(new Event('input', {bubbles: true}));
  });
  // The hand into the table.
  await ask({type: 'drag', robot: 0, link: 6, point: [0, 0, 0], target: [0.6, 0, 0.2]});
  await page.waitForSelector('#collisions', {timeout: 30000});
  expect(true, 'what collides is said');
  await page.screenshot({path: join(work, 'pose.png')});
  await page.click('#save');
  await page.waitForFunction(() => /saved/.test(document.getElementById('message').textContent), {timeout: 30000});
  const files = readdirSync(saved).sort();
  expect(JSON.stringify(files) === '["configuration.config","trajectory.path","transform.xform"]', `resources are saved: ${files}`);
  expect(complaints.length === 0, 'the console is silent: ' + complaints.join('; '));
  await page.close();
  server.kill('SIGINT');
}

await browser.close();
process.exit(failures === 0 ? 0 : 1);
