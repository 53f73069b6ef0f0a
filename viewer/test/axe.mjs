// Pages of worlds, logs, runs over each other and posing without serious findings of axe: names, roles, contrast, targets; light, dark, narrow.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, finish, open, packages, run, select, serve, source, toggle, work} from './harness.mjs';

const axe = readFileSync(packages.resolve('axe-core/axe.min.js'), 'utf8');
const RULES = {type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']};

async function check(page, what) {
  await page.evaluate(axe);
  const {violations, passes} = await page.evaluate((rules) => window.axe.run(document, {runOnly: rules, resultTypes: ['violations']}), RULES);
  const serious = violations.filter(({impact}) => impact === 'serious' || impact === 'critical');
  const text = serious.map(({id, nodes}) => `${id}: ${nodes.slice(0, 3).map(({target, any}) => `${target.join(' ')} (${any[0]?.message ?? ''})`).join(', ')} (${nodes.length})`).join('; ');
  expect(serious.length === 0 && passes.length > 10, `${what}: nothing serious ${text}`);
}

/** As it is at first, in the dark, and in a narrow window with each of its panels. */
async function everywhere(page, what) {
  await check(page, what);
  await page.emulateMedia({colorScheme: 'dark'});
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
  await check(page, `${what}, dark`);
  await page.emulateMedia({colorScheme: 'light'});
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'light');
  await page.setViewportSize({width: 390, height: 844});
  await page.waitForSelector('[data-size=narrow] [role=tab]');
  for (const tab of await page.locator('[role=tab]').all()) {
    if (await tab.getAttribute('aria-selected') !== 'true') await tab.click();
    await check(page, `${what}, 390 pixels wide, ${(await tab.textContent()).trim()}`);
  }
}

const world = join(source, 'data/worlds/pushed_blocks.xml'), log = join(work, 'pushed.mcap'), watched = join(work, 'watched.mcap');
run('sim', world, '--path', join(source, 'data/motions/reacher_sweep.path'), '--duration', '0.5', '--mcap', log, '--quiet');
try {
  run('sim', join(source, 'data/worlds/watched_blocks.xml'), '--duration', '0.2', '--mcap', watched, '--quiet');
} catch {
  // Without cameras.
  run('sim', world, '--duration', '0.2', '--mcap', watched, '--quiet');
}
const idOf = (page, name) => page.evaluate((name) => window.mortise.logs[0].world.entities.find((e) => e.name === name).id, name);

for (const [what, words, prepare] of [
  ['a world', ['view', world], async () => undefined],
  ['a log with sensors', ['view', watched], async (page) => page.click('.sensors summary')],
  ['two runs', ['view', log, log], async (page) => {
    await select(page, await idOf(page, 'cup'));
    await page.fill('.chooser input', 'cup |f|');
    await page.press('.chooser input', 'Enter');
    await page.click('.plot button[aria-label="more curves"]');
    await page.click('button[aria-label="views"]');
    await toggle(page, 'names');
    await page.click('button[aria-label="all that can be shown"]');
  }],
  ['a posed world', ['pose', join(source, 'data/worlds/humanoid_beam.xml')], async (page) => {
    await select(page, await idOf(page, 'beam'));
    await page.click('#flat');
    await page.waitForSelector('.pose .contacts .row');
    await page.click('#balance');
    await page.waitForSelector('.driver.loaded');
  }],
]) {
  const {address, server} = await serve([...words, '--no-browser']);
  const {page} = await open(address, what);
  await prepare(page);
  await everywhere(page, what);
  await page.close();
  server.kill('SIGINT');
}
await finish();
