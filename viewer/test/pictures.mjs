// Takes the pictures of the documentation, and with MORTISE_REFERENCE_DIR some of Klamp't's worlds to look at.
// Usage: node pictures.mjs MORTISE SOURCE_DIR WORK_DIR CHROMIUM [NAME...]
import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {browser, mortise, open, reference, run, select, serve, silent, source, work} from './harness.mjs';

const wanted = process.argv.slice(6);
/** At rest, and as smooth as it gets. */
const refined = async (page) => {
  await page.evaluate(() => window.mortise.view.options.set('refined', true));
  await page.waitForTimeout(500);
  await page.waitForFunction(() => window.mortise.view.complete, undefined, {timeout: 600000});
};
const take = async (name, words, prepare) => {
  if (wanted.length > 0 && !wanted.includes(name)) return;
  try {
    const {address, server} = await serve([...words, '--no-browser']);
    const {page, complaints} = await open(address, name);
    await prepare(page);
    await refined(page);
    await page.screenshot({path: join(work, `${name}.png`)});
    silent(complaints);
    await page.close();
    server.kill('SIGINT');
  } catch (error) {
    console.log(`FAILED: ${name}: ${String(error).split('\n')[0]}`);
  }
};
const data = (path) => join(source, 'data', path), klampt = (path) => join(reference, 'klampt-data', path);
const at = (page, time) => page.evaluate((t) => window.mortise.setTime(t), time);
const log = (name, ...words) => {
  const file = join(work, `${name}.mcap`);
  if ((wanted.length === 0 || wanted.includes(name)) && !existsSync(file)) run('sim', ...words, '--mcap', file, '--quiet');
  return file;
};

// The demo: two engines over each other, with the difference of a block's way.
if (wanted.length === 0 || wanted.includes('viewer')) {
  const folder = join(work, 'two_engines');
  if (!existsSync(folder)) execFileSync(mortise, ['run', data('pipelines/two_engines.yaml'), '-o', folder, '--quiet'], {stdio: 'ignore'});
  await take('viewer', ['view', folder], async (page) => {
    await page.evaluate(() => (window.mortise.view.camera3d = [1.35, 1.75, 1.05, 0.42, 0.3, 0.42, 0.01, 60]));
    await at(page, 2.4);
    for (const label of ['near_block.y', 'far_block.y'])
      await page.selectOption('.right select', {label: await page.evaluate((l) => [...document.querySelectorAll('.right select option')].map((o) => o.textContent).find((t) => t.endsWith(l)), label)});
    await page.waitForSelector('.plot canvas');
    await page.locator('.plot button[aria-label="more curves"]').last().click();
    await page.locator('.plot input[type=checkbox]').last().click();
    await page.waitForTimeout(500);
    // The tower as it tips over, for the README; then the pushed blocks for the page about the viewer.
    await page.evaluate(() => (window.mortise.view.camera3d = [1.45, -0.55, 0.72, 0.7, -0.05, 0.36, 0.01, 60]));
    await at(page, 0.3);
    await refined(page);
    await page.locator('.scene').screenshot({path: join(work, 'two_engines.png')});
    await page.evaluate(() => (window.mortise.view.camera3d = [1.35, 1.75, 1.05, 0.42, 0.3, 0.42, 0.01, 60]));
    await at(page, 2.4);
  });
}
await take('viewer_plan', ['plan', data('worlds/heron_shelf.xml'), '--goal', data('motions/heron_shelf_goal.config'),
  '--planner', 'mortise.RRT', '--seed', '3', '--shortcut', '--quiet', '--view'], async (page) => {
  await at(page, await page.evaluate(() => window.mortise.logs[0].end / 2));
});
await take('viewer_pose', ['pose', data('worlds/blocks.xml'), '--resources', join(work, 'poses')], async (page) => {
  await select(page, await page.evaluate(() => window.mortise.logs[0].robots[0].links.at(-1).id));
  await page.click('#pin-point');
  await page.evaluate(() => window.pose.ask({type: 'drag', robot: 0, link: 5, point: [0, 0, 0], target: [0.55, 0.1, 0.5]}));
  await page.click('#store');
  await page.click('#balance');
  await page.waitForSelector('.driver.loaded');
});
await take('viewer_sensors', ['view', log('viewer_sensors', data('worlds/watched_blocks.xml'), '--duration', '1')], async (page) => {
  await at(page, 0.8);
  await page.click('.sensors summary');
  await page.waitForSelector('.sensors img');
});
if (reference) {
  await take('hubo_plane', ['view', log('hubo_plane', klampt('hubo_plane.xml'), '--duration', '1')], async (page) => at(page, 0.9));
  await take('baxter_apc', ['view', klampt('baxter_apc.xml')], async () => undefined);
  await take('tx90cups', ['view', log('tx90cups', klampt('tx90cups.xml'), '--duration', '1')], async (page) => at(page, 1));
  // Where it stands when it has landed.
  const landed = JSON.parse(run('sim', klampt('hubo_plane.xml'), '--duration', '0.5', '--json')).robots[0].q;
  await take('stance', ['pose', klampt('hubo_plane.xml'), `--config=${landed.join(',')}`, '--touch', '10 mm', '--resources', join(work, 'stances')], async (page) => {
    await page.selectOption('#kind', 'stance');
    await page.click('#store');
    await page.waitForTimeout(1000);
    await page.click('#balance');
    await page.waitForTimeout(1000);
  });
}
await browser.close();
process.exit(0);
