// Posing: drag a link, sliders, goals, collisions, resources, a path, undo.
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, finish, open, select, serve, silent, source, work} from './harness.mjs';

const blocks = join(source, 'data/worlds/blocks.xml');

{
  const saved = join(work, 'poses');
  const {server, address} = await serve(['pose', '--no-browser', blocks, '--resources', saved]);
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
    [hand, start]);
  await page.mouse.up();
  expect(true, 'a link follows the mouse');
  await page.waitForFunction(() => !document.getElementById('undo').disabled);
  await page.click('#undo');
  await page.waitForFunction(([id, start]) => Math.hypot(...[0, 1, 2].map((i) => window.mortise.logs[0].poses.get(id)[9 + i] - start[i])) < 1e-6,
    [hand, start]);
  expect(await page.evaluate(() => document.getElementById('undo').disabled), 'one gesture is undone in one step');
  await page.evaluate(() => {
    const slider = document.querySelector('.driver input');
    slider.value = '0.7';
    slider.dispatchEvent(new Event('input', {bubbles: true}));
  });
  await page.waitForFunction(() => document.querySelector('.driver .typed').value === '40.1');
  expect(true, 'a slider moves a driver');
  await select(page, hand);
  for (const kind of ['configuration', 'trajectory', 'transform']) {
    await page.selectOption('#kind', kind);
    await page.click('#store');
    await page.waitForFunction((kind) => [...document.querySelectorAll('.pose .list .row small')].some((s) => s.textContent.startsWith(kind)), kind);
  }
  await page.click('.pose .list .row:nth-child(2) .pick');
  await ask({type: 'driver', robot: 0, driver: 1, value: 1.2});
  await page.click('#insert');
  await page.waitForFunction(() => /trajectory \(2\)/.test(document.querySelector('.pose').textContent));
  await page.click('#retime');
  await page.click('#check');
  await page.waitForFunction(() => /free|collides|limits/.test(document.getElementById('message').textContent));
  await page.click('#show-path');
  await page.waitForSelector('#path-time');
  await page.evaluate(() => {
    const slider = document.getElementById('path-time');
    slider.value = String(Number(slider.max) / 2);
    slider.dispatchEvent(new Event('input', {bubbles: true}));
  });
  expect(await page.evaluate(() => window.mortise.view.logs[0].ghosts.root.children.some((mesh) => mesh.count === 2)), 'the milestones are drawn beside it');
  await page.click('#play-path');
  const shown = await page.evaluate(() => document.getElementById('path-time').value);
  await page.waitForFunction((before) => document.getElementById('path-time').value !== before, shown);
  await page.click('#play-path');
  await page.click('#optimize');
  await page.waitForFunction(() => Number(/trajectory \((\d+)\)/.exec(document.querySelector('.pose').textContent)[1]) > 2);
  expect(await page.evaluate(() => window.mortise.view.logs[0].ghosts.root.children.every((mesh) => mesh.count === 0)), 'an edit ends the motion that is shown');
  await page.click('#undo');
  await page.waitForFunction(() => /trajectory \(2\)/.test(document.querySelector('.pose').textContent));
  // Contacts of the hand on the table, which stays where it is.
  await page.click('#pick');
  const table = await page.evaluate(() => window.mortise.logs[0].world.entities.find((e) => e.name === 'table').id);
  const top = await page.evaluate((id) => window.mortise.view.screenPosition(id), table);
  const contacts = () => page.locator('.pose .contacts .row').count();
  await page.mouse.click(top[0], top[1]);
  await page.waitForSelector('.pose .contacts .row');
  expect(await contacts() === 1, 'a click on a surface makes a hold of one contact');
  await page.keyboard.down('Shift');
  await page.mouse.click(top[0], top[1]);
  await page.keyboard.up('Shift');
  await page.waitForFunction(() => document.querySelectorAll('.pose .contacts .row').length === 5);
  await page.click('.pose .contacts .row button');
  await page.waitForFunction(() => document.querySelectorAll('.pose .contacts .row').length === 4);
  expect(true, 'with shift, the corners of the face; contacts are deleted one by one');
  await page.click('#pick');
  await page.click('#balance');
  await page.waitForSelector('.driver.loaded');
  expect(/torques up to/.test(await page.textContent('#message')), 'balance shows torques');
  await page.click('#balance');
  await page.waitForFunction(() => !document.querySelector('.driver.loaded'));
  await page.click('.pose .chosen button:has-text("delete")');
  // The hand into the table.
  await ask({type: 'drag', robot: 0, link: 6, point: [0, 0, 0], target: [0.6, 0, 0.2]});
  await page.waitForSelector('#collisions');
  expect(true, 'what collides is said');
  await page.screenshot({path: join(work, 'pose.png')});
  await page.click('#save');
  await page.waitForFunction(() => /saved/.test(document.getElementById('message').textContent));
  const files = readdirSync(saved).sort();
  expect(JSON.stringify(files) === '["configuration.config","trajectory.path","transform.xform"]', `resources are saved: ${files}`);
  silent(complaints);
  await page.close();
  server.kill('SIGINT');
}

await finish();
