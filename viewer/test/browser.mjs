// Opens pages of logs in headless Chromium: what is drawn, where things are, and that nothing complains.
// Usage: node browser.mjs MORTISE SOURCE_DIR WORK_DIR CHROMIUM [PICTURE]
import {execFileSync, spawn} from 'node:child_process';
import {mkdirSync, rmSync} from 'node:fs';
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
  const server = spawn(mortise, ['view', '--no-browser', ...backends.map((name) => join(work, `${name}.mcap`))], {stdio: ['ignore', 'pipe', 'inherit']});
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

await browser.close();
process.exit(failures === 0 ? 0 : 1);
