// Pages of recorded logs: what is drawn, where things are, plots, several over each other.
import {readFileSync} from 'node:fs';
import {resolve, join} from 'node:path';
import {colors, expect, finish, open, openPlain, run, serve, silent, source, work} from './harness.mjs';

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
  // As users get it.
  const {page, complaints} = await openPlain('file://' + resolve(work, 'one.html'), 'a page of one log');
  expect(await page.evaluate(() => window.mortise === undefined && window.pose === undefined), 'it has nothing for tests');
  const before = await page.textContent('#clock');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((before) => document.getElementById('clock').textContent !== before, before);
  silent(complaints);
  await page.close();
}
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
  run('log', 'export', join(work, `${backends[0]}.mcap`), join(work, 'numbers'));
  const series = await page.evaluate(() => [...window.mortise.logs[0].series].map(([topic, {times, ticks, columns}]) => [topic, [times, ticks, ...columns].map((c) => [...c])]));
  const wrong = series.filter(([topic, columns]) => {
    const rows = readFileSync(join(work, 'numbers', `${topic}.csv`), 'utf8').trim().split('\n').slice(1).map((row) => row.split(',').map(Number));
    return rows.length !== columns[0].length || rows.some((row, i) => row.some((value, c) => !Object.is(c < 2 ? value : Math.fround(value), columns[c][i])));
  });
  expect(series.length > 4 && wrong.length === 0, `all numbers are those that the program reads, to the bit ${wrong.map(([topic]) => topic)}`);
  await page.evaluate(() => window.mortise.setTime(0));
  await page.waitForTimeout(200);
  expect((await colors(page)).sum === start.sum, 'going back shows the same picture');
  await page.selectOption('.right select', {index: 3});
  await page.waitForSelector('.plot canvas');
  await page.click('#play');
  await page.waitForFunction(() => Number(document.getElementById('clock').textContent.split(' ')[0]) > 0.05);
  expect(true, 'play moves the time');
  await page.click('button[aria-label="all that can be shown"]');
  for (const box of await page.$$('.toggles input')) await box.click();
  // The first motor's link is led to where its command says.
  const led = await page.evaluate(() => {
    const [log] = window.mortise.logs, {root} = window.mortise.view.logs[0].commanded, time = 1, commands = log.series.get('/mortise/commands');
    window.mortise.setTime(time);
    window.mortise.view.show(time, {commanded: true});
    const shapes = [...window.mortise.view.logs[0].commanded.parts.get(0)];
    const driver = log.world.robots[0].drivers[0], asked = commands.columns[0][commands.indexAt(time)];
    const own = log.robots[0], apart = (at) => {
      const q = log.coordinatesAt(time);
      q[driver.links[0]] = at;
      own.update(q);
      const pose = own.poses[driver.links[0]], shown = shapes.find((part) => part.link === driver.links[0]).mesh.instanceMatrix.array;
      return Math.max(...[0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => Math.abs(pose[3 * i + j] - shown[4 * j + i]))));
    };
    return {asked, shown: apart(driver.scale[0] * asked + driver.offset[0]), other: apart(asked + 0.1), count: root.children.length};
  });
  expect(led.count > 3 && led.shown < 1e-6 && led.other > 0.05, `commanded robots are where their commands say: ${JSON.stringify(led)}`);
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
    await page.click('.plot button[aria-label="more curves"]');
    await page.click('.plot input[type=checkbox]');
    await page.waitForTimeout(200);
  }
  await page.screenshot({path: join(work, 'several.png')});
  silent(complaints);
  server.kill('SIGINT');
  await page.close();
}

await finish();
