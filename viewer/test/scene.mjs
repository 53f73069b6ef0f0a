// The scene: pictures at rest that become smooth and stay, views, projections, and switches that change the picture and change it back.
import {join} from 'node:path';
import {colors, expect, finish, open, run, scrub, serve, silent, source, work} from './harness.mjs';

const SMALL = {width: 900, height: 320};
const small = (page) => page.setViewportSize(SMALL);
const log = join(work, 'pushed.mcap');
run('sim', join(source, 'data/worlds/pushed_blocks.xml'), '--path', join(source, 'data/motions/reacher_sweep.path'), '--duration', '1', '--mcap', log, '--quiet');

/** Of the canvas as it is, without drawing: mean and number of colors, and a sum that differs where the picture does. */
const seen = (page) => page.evaluate(() => {
  const canvas = document.getElementById('scene'), copy = document.createElement('canvas');
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const context = copy.getContext('2d');
  context.drawImage(canvas, 0, 0);
  const {data} = context.getImageData(0, 0, copy.width, copy.height), found = new Set();
  let sum = 0, total = 0;
  for (let i = 0; i < data.length; i += 4) {
    found.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    sum = (sum * 31 + data[i] + 7 * data[i + 1] + 13 * data[i + 2]) >>> 0;
    total += data[i + 1];
  }
  return {count: found.size, sum, mean: total / (data.length / 4)};
});
const option = (page, name, value) => page.evaluate(([name, value]) => window.mortise.view.options.set(name, value), [name, value]);
const complete = (page) => page.waitForFunction(() => window.mortise.view.complete);

{
  const {address, server} = await serve(['view', '--no-browser', log]);
  const {page, complaints} = await open(address, 'a scene', small);
  await page.waitForFunction(() => window.mortise.view.settled);
  const once = await seen(page);
  expect(once.count > 50 && once.mean > 100, `one picture has ${once.count} colors and is light (${once.mean.toFixed(0)})`);

  // At rest it becomes smooth, is the same each time, and stays.
  await option(page, 'refined', true);
  await complete(page);
  const fine = await seen(page), frames = await page.evaluate(() => window.mortise.view.summed);
  expect(frames >= 32 && fine.count > 1.2 * once.count, `of ${frames} frames a picture of ${fine.count} colors is summed`);
  expect(Math.abs(fine.mean - once.mean) < 8, `it is as bright as one frame: ${fine.mean.toFixed(1)}, ${once.mean.toFixed(1)}`);
  await page.waitForTimeout(500);
  expect((await seen(page)).sum === fine.sum, 'it stays on the canvas');
  const [png, length] = await page.evaluate(async () => {
    const picture = await window.mortise.view.finishedPicture();
    return [picture.slice(0, 22), picture.length];
  });
  expect(png === 'data:image/png;base64,' && length > 10000, 'it is what is saved');
  await scrub(page, 0.5);
  await page.waitForFunction(() => document.getElementById('clock').textContent.startsWith('0.500'));
  await page.waitForFunction(() => window.mortise.view.summed > 0);
  await scrub(page, 0);
  await page.waitForFunction(() => document.getElementById('clock').textContent.startsWith('0.000'));
  await page.waitForTimeout(200);
  await complete(page);
  expect((await seen(page)).sum === fine.sum, 'after a motion that ended it, it is the same again');
  await option(page, 'refined', false);

  // A canvas of another size is never empty.
  await page.setViewportSize({width: 940, height: 360});
  const resized = await seen(page);
  expect(resized.count > 50 && resized.mean > 100, `in a larger window the picture is there (${resized.count} colors)`);
  await small(page);
  await page.waitForFunction(() => window.mortise.view.settled);

  // Each switch changes the picture, and changes it back.
  const plain = await colors(page);
  for (const [name, value, other] of [['projection', 'orthographic', 'perspective'], ['theme', 'dark', 'light'], ['edges', true, false],
    ['section', {axis: 'x', at: 0.5, flipped: false}, null], ['contactPoints', true, false], ['opacity', {1: 0.3, 2: 0.3, 3: 0.3, 4: 0.3, 5: 0.3}, {}]]) {
    await option(page, name, value);
    const changed = await colors(page);
    await option(page, name, other);
    const back = await colors(page);
    expect((name === 'contactPoints' || changed.sum !== plain.sum) && back.sum === plain.sum, `${name} changes the picture, and back`);
  }
  const dark = await page.evaluate(() => {
    window.mortise.view.options.set('theme', 'dark');
    window.mortise.view.draw();
  }).then(() => seen(page));
  expect(dark.mean < 100, `a dark scene is dark (${dark.mean.toFixed(0)})`);
  await option(page, 'theme', 'system');

  // Presets look at the same place from as far.
  const camera = () => page.evaluate(() => window.mortise.view.camera3d);
  const start = await camera(), away = (c) => [0, 1, 2].map((k) => c[k] - c[k + 3]), length3 = (v) => Math.hypot(...v);
  for (const [preset, k, sign] of [['front', 0, 1], ['back', 0, -1], ['left', 1, 1], ['right', 1, -1], ['top', 2, 1], ['bottom', 2, -1]]) {
    const now = await page.evaluate((preset) => { window.mortise.view.look(preset); return window.mortise.view.camera3d; }, preset);
    const direction = away(now).map((v) => v / length3(away(now)));
    expect(sign * direction[k] > 0.999 && Math.abs(length3(away(now)) - length3(away(start))) < 1e-6 && [3, 4, 5].every((i) => now[i] === start[i]), `from the ${preset}`);
  }
  // What is under a place of a parallel view is what is drawn there.
  await page.evaluate(() => window.mortise.view.look('corner'));
  await option(page, 'projection', 'orthographic');
  const cup = await page.evaluate(() => window.mortise.logs[0].world.entities.find((e) => e.name === 'cup').id);
  const hit = await page.evaluate((id) => {
    const {view} = window.mortise, [x, y] = view.screenPosition(id), box = view.canvas.getBoundingClientRect();
    return view.pointAt(x - box.left, y - box.top);
  }, cup);
  expect(hit?.id === cup, 'bodies are found in parallel views');
  const zoomed = await page.evaluate(() => {
    const {view} = window.mortise;
    view.camera.zoom = 2;
    view.camera.updateProjectionMatrix();
    const [x, y, z, a, b, c] = view.camera3d;
    view.options.set('projection', 'perspective');
    const again = view.camera3d;
    return [Math.hypot(x - a, y - b, z - c), Math.hypot(again[0] - again[3], again[1] - again[4], again[2] - again[5])];
  });
  expect(Math.abs(zoomed[0] - zoomed[1]) < 1e-9 && Math.abs(zoomed[0] - length3(away(start)) / 2) < 1e-6, 'what was zoomed stays as large in the other projection');
  // The camera goes with what is followed.
  await option(page, 'follow', cup);
  const [before, after, moved] = await page.evaluate((id) => {
    const {view, logs: [log]} = window.mortise, shown = {contacts: true};
    view.show(0, shown);
    const from = [...log.poses.get(id)].slice(9), one = view.camera3d;
    view.show(1, shown);
    return [one, view.camera3d, [...log.poses.get(id)].slice(9).map((v, k) => v - from[k])];
  }, cup);
  expect([0, 1, 2].every((k) => Math.abs(after[k] - before[k] - moved[k]) < 0.01 && Math.abs(after[k + 3] - before[k + 3] - moved[k]) < 0.01), `the camera follows by ${moved.map((v) => v.toFixed(3))}`);
  await option(page, 'follow', -1);
  // Contacts: one arrow a pair, or each point.
  const legend = await page.evaluate(() => window.mortise.view.legend());
  expect(legend.some(({sign, scale}) => sign === 'arrow' && / cm = .* N$/.test(scale)), `the legend says what arrows mean: ${JSON.stringify(legend)}`);
  silent(complaints);
  await page.close();
  server.kill('SIGINT');
}

// States of a running simulation that change nothing leave its picture to become smooth.
{
  const {address, server} = await serve(['sim', join(source, 'data/worlds/blocks.xml'), '--view', '--no-browser']);
  const {page, complaints} = await open(address, 'a simulation', small);
  await page.waitForFunction(() => window.mortise.logs[0].end > 1);
  await option(page, 'refined', true);
  await complete(page);
  const [from, to] = await page.evaluate(async () => {
    const [log] = window.mortise.logs, from = log.end;
    await new Promise((done) => setTimeout(done, 500));
    return [from, log.end];
  });
  expect(to > from, `while the simulation goes on, its picture at rest is complete (${from} s, ${to} s)`);
  silent(complaints);
  await page.close();
  server.kill('SIGINT');
}
await finish();
