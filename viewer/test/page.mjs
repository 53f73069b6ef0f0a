// Daily use of the page: names under the mouse, keys, details, plots, what is kept, narrow windows, dark ones.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {colors, expect, finish, isPressed, open, run, scrub, select, serve, silent, source, toggle, work} from './harness.mjs';

const log = join(work, 'pushed.mcap');
const result = JSON.parse(run('sim', join(source, 'data/worlds/pushed_blocks.xml'), '--path', join(source, 'data/motions/reacher_sweep.path'), '--duration', '1', '--json', '--mcap', log));
const {address, server} = await serve(['view', '--no-browser', log, log]);
const {page, complaints} = await open(address, 'a page');
const plots = () => page.evaluate(() => window.mortise.plots.map(({scales}) => [scales.x.min, scales.x.max]));
const plot = async (words) => {
  await page.fill('.chooser input', words);
  await page.press('.chooser input', 'Enter');
};
const idOf = (name) => page.evaluate((name) => window.mortise.logs[0].world.entities.find((e) => e.name === name).id, name);
const placeOf = (id) => page.evaluate((id) => window.mortise.view.screenPosition(id), id);
const camera = () => page.evaluate(() => window.mortise.view.camera3d);
const clock = async () => Number((await page.textContent('#clock')).split(' ')[0]);
const cup = await idOf('cup');

// Names, selection, the way to look at something.
await scrub(page, 0.5);
const at = await placeOf(cup);
await page.mouse.move(at[0], at[1]);
await page.waitForSelector('.hovered');
expect((await page.textContent('.hovered')) === 'cup', 'what is under the mouse is named');
await page.mouse.click(at[0], at[1]);
await page.waitForSelector('.details');
expect(await page.evaluate(() => document.querySelector('[role=treeitem][aria-selected=true] .name').textContent) === 'cup', 'the tree shows what was clicked in the scene');
const wide = await camera();
await page.mouse.dblclick(at[0], at[1]);
const near = await camera(), away = (c) => Math.hypot(c[0] - c[3], c[1] - c[4], c[2] - c[5]);
const place = await page.evaluate((id) => [...window.mortise.logs[0].poses.get(id)].slice(9), cup);
expect(away(near) < away(wide) / 2 && Math.hypot(...place.map((v, i) => v - near[3 + i])) < 0.1, 'a double click looks at what is there');
// From so near, nothing of it is cut off.
const reach = await page.evaluate(() => {
  const {view} = window.mortise, v = view.camera3d;
  view.camera3d = [...v.slice(3, 6).map((t, i) => t + 0.02 * (v[i] - t)), ...v.slice(3)];
  view.draw();
  const [x, y, z, tx, ty, tz] = view.camera3d;
  return {near: view.camera.near, distance: Math.hypot(x - tx, y - ty, z - tz)};
});
expect(reach.near < reach.distance / 20, `what is ${reach.distance.toFixed(4)} m away is drawn from ${reach.near.toFixed(5)} m on`);
await page.keyboard.press('Escape');
expect(await page.locator('.details').count() === 0, 'Escape selects nothing');
await page.keyboard.press('f');
// The place of a joint, its limits, and all coordinates as --config takes them.
await scrub(page, 1);
const robot = result.robots[0], elbow = await page.evaluate(() => window.mortise.logs[0].robots[0].links[2].id);
await select(page, elbow);
const joint = parseFloat(await page.textContent('#joint'));
expect(Math.abs(joint * Math.PI / 180 - robot.q[2]) < 1e-4, `the joint is at ${joint} deg`);
await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
await select(page, await page.evaluate(() => window.mortise.logs[0].world.robots[0].id));
await page.click('#configuration');
await page.waitForSelector('.toast:has-text("copied: configuration")');
const copied = (await page.evaluate(() => navigator.clipboard.readText())).split(',').map(Number);
expect(copied.length === robot.q.length && copied.every((v, i) => Math.fround(v) === Math.fround(robot.q[i])), `the configuration is copied: ${copied}`);
// A pose turned by a quarter about each axis is told in angles.
await select(page, cup);
const angles = (await page.textContent('#angles')).trim().split(/\s+/).map((v) => Number(v) * Math.PI / 180);
const [roll, pitch, yaw] = angles, R = await page.evaluate((id) => [...window.mortise.logs[0].poses.get(id)].slice(0, 9), cup);
const [cr, sr, cp, sp, cy, sy] = [Math.cos(roll), Math.sin(roll), Math.cos(pitch), Math.sin(pitch), Math.cos(yaw), Math.sin(yaw)];
const turned = [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, -sp, cp * sr, cp * cr];
expect(Math.max(...turned.map((v, i) => Math.abs(v - R[i]))) < 3e-4, 'roll, pitch and yaw are the rotation');

// Keys do what they say whatever was clicked last.
await page.keyboard.press('Home');
const grid = !await isPressed(page, 'grid');
await page.click('.toolbar button[aria-label="grid"]');
await page.keyboard.press(' ');
await page.waitForFunction(() => Number(document.getElementById('clock').textContent.split(' ')[0]) > 0.05);
await page.keyboard.press(' ');
expect(await isPressed(page, 'grid') === grid, 'the space bar plays, after a button was clicked');
await toggle(page, 'frames');
expect(await isPressed(page, 'frames'), 'the list and the buttons are the same switches');
await toggle(page, 'frames');
// To a sample, and from there to the next.
await page.keyboard.press('ArrowRight');
const before = await clock();
await page.keyboard.press('ArrowRight');
expect(Math.abs(await clock() - before - 0.01) < 1e-9, 'the arrow steps');
await page.click('#time');
const clicked = await clock();
await page.keyboard.press('ArrowLeft');
expect(Math.abs(await clock() - clicked) < 0.0101, 'it steps by one sample on the slider, too');
await page.keyboard.press('?');
await page.waitForSelector('.help');
expect(/double click/.test(await page.textContent('.help')), 'a question mark lists keys');
await page.keyboard.press('Escape');
await page.waitForSelector('.help', {state: 'detached'});
expect(true, 'Escape closes the list');
await page.click('#loop');
await page.keyboard.press('End');
await page.keyboard.press(' ');
await page.waitForFunction(() => { const t = Number(document.getElementById('clock').textContent.split(' ')[0]); return t > 0.1 && t < 0.8; });
await page.waitForFunction(() => { const t = Number(document.getElementById('clock').textContent.split(' ')[0]); return t > 0.9; });
await page.waitForFunction(() => { const t = Number(document.getElementById('clock').textContent.split(' ')[0]); return t < 0.5; });
expect(true, 'what is played again begins again at its end');
await page.keyboard.press(' ');
await page.click('#loop');

// Plots: found by words, of forces, zoomed together, saved.
await plot('cup |f|');
await plot('state cup.z');
expect(await page.locator('.plot').count() === 2, 'plots are found by words');
const drawn = await page.evaluate(() => [...window.mortise.plots[0].data[1]]);
run('log', 'export', log, join(work, 'numbers'), '--topic', '/mortise/contacts');
const sums = new Map();
for (const row of readFileSync(join(work, 'numbers/mortise/contacts.csv'), 'utf8').trim().split('\n').slice(1)) {
  const [, tick, a, b, , , , , , , , fx, fy, fz] = row.split(',').map(Number), sign = a === cup ? 1 : b === cup ? -1 : 0;
  const sum = sums.get(tick) ?? [0, 0, 0];
  sums.set(tick, sum.map((v, i) => v + sign * [fx, fy, fz][i]));
}
const ticks = await page.evaluate(() => [...window.mortise.logs[0].state.ticks]);
const apart = Math.max(...ticks.map((tick, i) => Math.abs(Math.hypot(...(sums.get(tick) ?? [0, 0, 0])) - drawn[i])));
expect(Math.max(...drawn) > 1 && apart < 1e-4, `the plotted force is the sum of the cup's contacts, to ${apart.toExponential(1)} N`);
const over = await page.locator('.plot .u-over').first().boundingBox();
await page.mouse.move(over.x + 40, over.y + 30);
await page.mouse.down();
await page.mouse.move(over.x + 120, over.y + 30, {steps: 4});
await page.mouse.up();
await page.waitForFunction(() => window.mortise.plots.every((p) => p.scales.x.min > 0.1 && p.scales.x.max < 0.9));
const [first, second] = await plots();
expect(first[0] === second[0] && first[1] === second[1], `plots are zoomed together: ${first.map((v) => v.toFixed(3))}`);
await page.mouse.move(over.x + 60, over.y + 30);
await page.waitForFunction(() => document.querySelectorAll('.pointed').length === 2);
await plot('ball.z');
await page.waitForFunction(() => window.mortise.plots.length === 3 && window.mortise.plots[2].scales.x.min > 0.1);
expect(true, 'a new plot begins where the others are');
const [download] = await Promise.all([page.waitForEvent('download'), page.click('.plot .csv')]);
const table = readFileSync(await download.path(), 'utf8').trim().split('\n').map((row) => row.split(','));
expect(table.length === drawn.length + 1 && table[0].length === 4 && table.slice(1).every((row, i) => Number(row[1]) === drawn[i]), 'a plot is saved as a table');
// Readings of sensors.
await page.click('.sensors summary');
const reading = page.locator('.sensors figure').filter({hasText: 'reacher: q'}).locator('.number').nth(2);
await scrub(page, 1);
await page.waitForFunction(() => document.getElementById('clock').textContent.startsWith('1.000'));
expect(Math.abs(Number(await reading.locator('output').textContent()) - robot.q[2]) < 1e-3, `sensors have their numbers: ${await reading.textContent()}`);
await reading.click();
await page.waitForFunction(() => window.mortise.plots.length === 4);
expect(true, 'a click plots one');

// Logs over each other are hidden one by one.
const both = await colors(page);
const toggleLog = async (i, visible) => {
  await page.locator('.logs .chip').nth(i).click();
  await page.waitForFunction(([i, visible]) => window.mortise.view.logs[i].visible === visible, [i, visible]);
  return colors(page);
};
const alone = await toggleLog(1, false), none = await toggleLog(0, false);
expect(both.sum !== alone.sum && alone.sum !== none.sum && none.count > 3, 'each log is hidden, and terrains stay');
await toggleLog(0, true);
expect((await toggleLog(1, true)).sum === both.sum, 'and shown again');

// A page that is loaded again is as it was.
await page.evaluate(() => window.mortise.view.camera3d = [2, 1, 1.5, 0.3, 0.2, 0.3, 0.01, 50]);
await scrub(page, 0.7);
await page.reload();
await page.waitForFunction(() => document.body.dataset.ready);
const again = await camera();
expect([2, 1, 1.5, 0.3, 0.2, 0.3].every((v, i) => Math.abs(v - again[i]) < 1e-9), 'the camera is kept when the page is loaded again');
expect(await clock() === 0.7 && await page.locator('.plot').count() === 4 && await isPressed(page, 'grid') === grid, 'so are time, plots and switches');

// Small windows, and dark ones.
const inside = () => page.evaluate(() => [...document.querySelectorAll('footer > *, .toolbar, .views, .bar > *, .plot, .left')].filter((e) => {
  const box = e.getBoundingClientRect();
  return box.right > window.innerWidth + 1 || box.left < -1 || (e.closest('footer') && box.bottom > window.innerHeight + 1);
}).map((e) => e.className || e.id || e.tagName));
for (const [width, size] of [[800, 'middle'], [400, 'narrow']]) {
  await page.setViewportSize({width, height: 700});
  await page.waitForFunction((size) => document.querySelector('main').dataset.size === size, size);
  expect((await inside()).length === 0, `all fits into ${width} pixels ${await inside()}`);
}
const full = await page.locator('.scene').boundingBox();
await page.click('[role=tab][aria-selected=true]');
await page.waitForFunction((height) => document.querySelector('.scene').getBoundingClientRect().height > height, full.height);
expect(await page.locator('.plot:visible, .left:visible').count() === 0, 'without panels the scene has their place');
for (const tab of ['World', 'Plots', 'Details', 'Show']) {
  await page.click(`[role=tab]:has-text("${tab}")`);
  expect(await page.locator({World: '.left .contents', Plots: '.plot >> nth=0', Details: '.details', Show: '.show'}[tab]).isVisible(), `the sheet shows ${tab}`);
  const sheet = await page.locator({World: '.left', Plots: '.right', Details: '.left', Show: '.show'}[tab]).boundingBox(), tabs = await page.locator('.tabs').boundingBox();
  expect(Math.round(sheet.width) === 400 && sheet.y + sheet.height <= tabs.y + 1, `${tab} is as wide as the window, and above the tabs`);
}
const light = await page.evaluate(() => getComputedStyle(document.querySelector('.time')).backgroundColor);
await page.emulateMedia({colorScheme: 'dark'});
await page.waitForFunction((light) => getComputedStyle(document.querySelector('.time')).backgroundColor !== light, light);
expect(true, 'dark desktops get a dark page');
await page.screenshot({path: join(work, 'dark.png')});
silent(complaints);
await page.close();
server.kill('SIGINT');

// A simulation that has ended is played as a recorded one.
{
  const live = await serve(['sim', join(source, 'data/worlds/blocks.xml'), '--view', '--no-browser']);
  const {page} = await open(live.address, 'a simulation that ends');
  await page.waitForFunction(() => window.mortise.logs[0].end > 0.5);
  live.server.kill('SIGINT');
  await page.waitForSelector('.warning');
  await page.waitForFunction(() => document.getElementById('play').ariaLabel === 'play');
  await page.click('#play');
  await page.waitForFunction(() => {
    const t = Number(document.getElementById('clock').textContent.split(' ')[0]);
    return t > 0.05 && t < window.mortise.logs[0].end - 0.05;
  });
  expect(true, 'what was seen of it is played');
  await page.close();
}
await finish();
