// Pages of recorded logs: what is drawn, where things are, plots, several over each other.
import {resolve, join} from 'node:path';
import {colors, expect, finish, open, run, serve, silent, source, work} from './harness.mjs';

const world = join(source, 'data/worlds/pushed_blocks.xml'), sweep = join(source, 'data/motions/reacher_sweep.path');
const results = new Map();
for (const backend of ['mortise', 'ode']) {
  try {
    results.set(backend, JSON.parse(run('sim', world, '--path', sweep, '--backend', backend, '--duration', '2', '--json',
      '--mcap', join(work, `${backend}.mcap`))));
  } catch {
    // Left out of this build.
  }
}
const backends = [...results.keys()], result = results.get(backends[0]);

// One log in one file, without a server.
run('log', 'html', join(work, `${backends[0]}.mcap`), '-o', join(work, 'one.html'), '--quiet');
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
  }, JSON.stringify(before));
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
  await page.waitForFunction(() => Number(document.getElementById('clock').textContent.split(' ')[0]) > 0.05);
  expect(true, 'play moves the time');
  for (const box of await page.$$('.toggles input')) await box.click();
  await page.waitForTimeout(200);
  silent(complaints);
  await page.close();
}

// Several logs from the server.
{
  const {server, address} = await serve(['view', '--no-browser', ...backends.map((name) => join(work, `${name}.mcap`))]);
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
  silent(complaints);
  server.kill('SIGINT');
  await page.close();
}

await finish();
