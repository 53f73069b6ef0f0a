// The page around the scene: panels that are resized, a toolbar of one row, the tree by keys, marks, plots of several curves, links, themes, messages.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, finish, isPressed, open, run, scrub, select, serve, silent, source, toggle, work} from './harness.mjs';

const world = join(source, 'data/worlds/pushed_blocks.xml'), log = join(work, 'pushed.mcap'), other = join(work, 'still.mcap');
run('sim', world, '--path', join(source, 'data/motions/reacher_sweep.path'), '--duration', '2', '--mcap', log, '--quiet');
run('sim', world, '--duration', '1', '--mcap', other, '--quiet');
const box = (page, selector) => page.locator(selector).first().boundingBox();
const idOf = (page, name) => page.evaluate((name) => window.mortise.logs[0].world.entities.find((e) => e.name === name).id, name);
const clock = async (page) => Number((await page.textContent('#clock')).split(' ')[0]);

{
  const {address, server} = await serve(['view', '--no-browser', log]);
  const {page, complaints} = await open(address, 'a log');
  expect(await page.evaluate(() => document.fonts.check('500 13px Inter') && [...document.fonts].some((face) => face.family === 'Inter' && face.status === 'loaded')), 'the font is in the page');
  // No script but the page's own runs.
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.intruder = true;';
    document.body.append(script);
  });
  expect(await page.evaluate(() => window.intruder === undefined), 'a script that was put into the page does not run');
  expect(complaints.length > 0 && complaints.every((text) => /Content Security Policy/.test(text)), 'the browser says why');
  complaints.length = 0;

  // Panels are resized with the mouse and with keys, hidden and shown, and keep their width.
  const wide = (await box(page, '.left')).width, edge = await box(page, '.splitter.of-left');
  await page.mouse.move(edge.x, edge.y + 200);
  await page.mouse.down();
  await page.mouse.move(edge.x + 60, edge.y + 210, {steps: 3});
  await page.mouse.up();
  expect((await box(page, '.left')).width === wide + 60, 'the tree is made wider by its edge');
  await page.focus('.splitter.of-right');
  await page.keyboard.press('ArrowRight');
  expect((await box(page, '.right')).width === 312 && await page.getAttribute('.splitter.of-right', 'aria-valuenow') === '312', 'arrows make plots narrower');
  await page.keyboard.press('Enter');
  expect(await page.locator('.right').count() === 0, 'Enter hides them');
  await page.click('.bar button[aria-label="plots"]');
  await page.keyboard.press('t');
  expect(await page.locator('.left').count() === 0 && (await box(page, '.right')).width === 312, 't hides the tree');
  await page.keyboard.press('t');
  await page.reload();
  await page.waitForFunction(() => document.body.dataset.ready);
  expect((await box(page, '.left')).width === wide + 60, 'widths are kept');

  // One row of buttons, whatever the width.
  for (const width of [1600, 1280, 1000, 820, 640]) {
    await page.setViewportSize({width, height: 800});
    // Buttons follow the width of the scene, which follows the window's.
    await page.waitForFunction(() => {
      const [bar, views] = ['.toolbar', '.views'].map((name) => document.querySelector(name).getBoundingClientRect());
      return bar.right <= views.left;
    });
    const tops = await page.$$eval('.toolbar > *', (items) => items.map((item) => Math.round(item.getBoundingClientRect().top)));
    const bar = await box(page, '.toolbar'), scene = await box(page, '.scene'), views = await box(page, '.views');
    expect(new Set(tops).size === 1 && bar.x + bar.width <= views.x && bar.x >= scene.x, `${width} pixels: ${tops.length} buttons in one row`);
  }
  await page.setViewportSize({width: 1280, height: 800});

  // The tree by keys alone.
  await page.focus('[role=tree] [tabindex="0"]');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const chosen = () => page.evaluate(() => document.querySelector('[aria-selected=true]')?.ariaLabel);
  expect(await chosen() === 'shoulder_pitch' && await page.textContent('.details b') === 'reacher[shoulder_pitch]', 'arrows go to a link, Enter selects it');
  expect(await page.evaluate(() => document.activeElement.ariaLevel) === '3', 'a link is below the one that carries it');
  const link = await idOf(page, 'reacher[shoulder_pitch]'), visible = () => page.evaluate((id) => window.mortise.view.logs[0].shapes.bodies.get(id).visible, link);
  await page.keyboard.press('h');
  expect(!await visible() && await chosen() === 'shoulder_pitch, hidden', 'h hides it');
  await page.keyboard.press('h');
  expect(await visible(), 'and shows it');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  expect(await page.evaluate(() => document.activeElement.ariaLabel) === 'shoulder_yaw', 'the arrow to the left closes, then goes up');
  await page.keyboard.press('Escape');

  // Marks of contacts, and keys from one to the next.
  await page.waitForSelector('.mark.made');
  const found = await page.evaluate(() => {
    const [{state, series, world}] = window.mortise.logs, rows = series.get('/mortise/contacts'), [a, b] = rows.columns;
    const block = world.entities.find((e) => e.name === 'near_block').id, known = new Set();
    // The first time at which the block touches what it did not touch before.
    for (let i = 0; i < rows.times.length; ++i) {
      if (a[i] !== block && b[i] !== block) continue;
      const other = a[i] === block ? b[i] : a[i];
      if (rows.times[i] > state.times[0] && !known.has(other)) return {time: rows.times[i], other: world.entities[other].name};
      known.add(other);
    }
    return null;
  });
  expect(found !== null, `the block touches ${found?.other} at ${found?.time} s`);
  await page.keyboard.press('Home');
  await select(page, await idOf(page, 'near_block'));
  await page.keyboard.press(']');
  await page.waitForFunction((t) => Math.abs(Number(document.getElementById('clock').textContent.split(' ')[0]) - t) < 6e-4, found.time);
  const told = await page.textContent('.toasts');
  expect(told.includes('near_block') && told.includes(found.other) && told.includes('touch'), 'a bracket goes there, and says what happens');
  await page.keyboard.press('[');
  expect(/nothing happened before/.test(await page.textContent('.toasts')), 'there is nothing before');

  // Several curves in a plot, against each other, and in a table.
  await page.fill('.chooser input', 'near_block.y');
  await page.press('.chooser input', 'Enter');
  await page.click('.plot button[aria-label="more curves"]');
  await page.fill('.plot input[aria-label="add a curve"]', 'state near_block.x');
  await page.press('.plot input[aria-label="add a curve"]', 'Enter');
  expect(await page.locator('.plot .legend-rows > span').count() === 2 && /^\s*near_block.y, near_block.xm$/.test(await page.textContent('.plot h3')), 'a plot shows two curves, with their unit');
  await scrub(page, 1.5);
  const values = await page.evaluate(() => {
    const {state} = window.mortise.logs[0], i = state.indexAt(1.5);
    return ['near_block.y', 'near_block.x'].map((name) => state.columns[state.names.indexOf(name)][i]);
  });
  await page.waitForFunction((v) => Math.abs(Number(document.querySelector('.plot .legend-rows output').textContent) - v) < 1e-6, values[0]);
  const listed = await page.$$eval('.plot .legend-rows output', (items) => items.map((item) => Number(item.textContent)));
  expect(listed.every((v, i) => Math.abs(v - values[i]) < 1e-5), `the legend has their values now: ${listed}`);
  const drawn = await page.evaluate(() => window.mortise.plots[0].series.slice(1).map((s) => s.stroke()));
  expect(new Set(drawn).size === 2, `in two colors: ${drawn}`);
  await page.fill('.plot input[aria-label="against ..."]', 'torques elbow');
  await page.press('.plot input[aria-label="against ..."]', 'Enter');
  await page.waitForFunction(() => document.querySelector('.plot h3').textContent.includes('against elbow torque (N m)'));
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('.plot .csv')]);
  const table = readFileSync(await download.path(), 'utf8').trim().split('\n').map((row) => row.split(','));
  expect(table[0].length === 6 && table.length === 1 + await page.evaluate(() => window.mortise.logs[0].state.times.length), `the table has times, and pairs: ${table[0]}`);
  const axis = await page.evaluate(() => [window.mortise.plots[0].scales.x.min, window.mortise.plots[0].scales.x.max]), torques = table.slice(1).map((row) => Number(row[1]));
  expect(axis[0] <= Math.min(...torques) && axis[1] >= Math.max(...torques), `along x is the torque: ${axis}`);

  // A distance between two points.
  await page.keyboard.press('f');
  await page.click('.toolbar button[aria-label="measure"]');
  await page.waitForSelector('#distance:has-text("the first point")');
  await page.waitForFunction(() => window.mortise.view.settled);
  const cup = await page.evaluate((id) => window.mortise.view.screenPosition(id), await idOf(page, 'near_block'));
  const ends = [cup, [cup[0] + 3, cup[1] + 25]];
  await page.mouse.click(...ends[0]);
  await page.waitForSelector('#distance:has-text("the other point")');
  await page.mouse.click(...ends[1]);
  await page.waitForFunction(() => /apart/.test(document.getElementById('distance').textContent));
  const apart = await page.evaluate((ends) => {
    const {view} = window.mortise, canvas = view.canvas.getBoundingClientRect();
    const [a, b] = ends.map(([x, y]) => view.pointAt(x - canvas.left, y - canvas.top).point);
    return Math.hypot(...a.map((v, i) => v - b[i]));
  }, ends);
  const [, number, unit] = /^([\d.]+) (m|mm) apart/.exec(await page.textContent('#distance'));
  expect(Math.abs(Number(number) * (unit === 'mm' ? 1e-3 : 1) - apart) < 1e-4 && await chosen() === 'near_block', `two points are ${number} ${unit} apart, and nothing else is selected`);
  await page.click('#distance button');
  expect(!await isPressed(page, 'measure'), 'and no more is measured');

  // A name that is shown goes when the view does.
  const at = await page.evaluate((id) => window.mortise.view.screenPosition(id), await idOf(page, 'near_block'));
  await page.mouse.move(at[0], at[1]);
  await page.waitForSelector('.hovered');
  await page.keyboard.press('f');
  await page.waitForSelector('.hovered', {state: 'detached'});
  expect(true, 'the name under the mouse goes when the view is another one');
  await toggle(page, 'names');
  await page.waitForSelector('.label:has-text("near_block")');
  const label = await page.evaluate(() => {
    const {view, logs: [{poses, world}]} = window.mortise, id = world.entities.find((e) => e.name === 'near_block').id, [x, y] = view.toScreen([...poses.get(id)].slice(9));
    const own = [...document.querySelectorAll('.label')].find((element) => element.textContent === 'near_block').getBoundingClientRect(), canvas = view.canvas.getBoundingClientRect();
    return Math.hypot(own.left - canvas.left - x, own.top - canvas.top - y);
  });
  expect(label < 2, `names are where bodies are, to ${label.toFixed(1)} pixels`);
  await toggle(page, 'names');

  // A link restores the time, the view, plots and the selection in another window.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => window.mortise.view.camera3d = [2, 1, 1.5, 0.3, 0.2, 0.3, 0.01, 50]);
  await page.click('.bar button[aria-label="copy a link to what is shown"]');
  await page.waitForSelector('.toast:has-text("link")');
  const link2 = await page.evaluate(() => navigator.clipboard.readText());
  const restored = await open(link2, 'a link');
  const seen = await restored.page.evaluate(() => ({camera: window.mortise.view.camera3d, plots: window.mortise.plots.length, along: document.querySelector('.plot h3').textContent}));
  expect([2, 1, 1.5, 0.3, 0.2, 0.3].every((v, i) => Math.abs(v - seen.camera[i]) < 1e-6), 'a link restores the view');
  expect(await clock(restored.page) === 1.5 && seen.plots === 1 && /near_block.y, near_block.x against elbow torque/.test(seen.along), 'and time and plots');
  expect(await restored.page.textContent('.details b') === 'near_block', 'and what is selected');
  await restored.page.close();

  // Light and dark by the page's own switch.
  const color = () => page.evaluate(() => getComputedStyle(document.querySelector('.bar')).backgroundColor), light = await color();
  await page.click('.bar button[aria-label="dark"]');
  expect(await color() !== light, 'the page is dark');
  await page.reload();
  await page.waitForFunction(() => document.body.dataset.ready);
  expect(await color() !== light, 'and stays so');
  silent(complaints);
  await page.close();
  server.kill('SIGINT');
}

// Two runs: the first difference, and numbers of both.
{
  const {address, server} = await serve(['view', '--no-browser', log, other]);
  const {page, complaints} = await open(address, 'two runs');
  await page.waitForSelector('.mark.diverged');
  const first = await page.evaluate(() => {
    const [a, b] = window.mortise.logs, n = Math.min(a.state.times.length, b.state.times.length);
    const columns = a.state.names.map((name, c) => (/\.q[xyzw]$/.test(name) ? -1 : c)).filter((c) => c >= 0);
    for (let i = 0; i < n; ++i) if (columns.some((c) => Math.abs(a.state.columns[c][i] - b.state.columns[c][i]) > 1e-3)) return a.state.times[i];
    return null;
  });
  const left = parseFloat(await page.evaluate(() => document.querySelector('.mark.diverged').style.left));
  expect(Math.abs(left / 100 * 2 - first) < 1e-3, `runs part at ${first} s, where the mark is`);
  await scrub(page, 1);
  await select(page, await idOf(page, 'reacher[elbow]'));
  const joints = await page.$$eval('.value[aria-label=joint] output', (items) => items.map((item) => parseFloat(item.textContent)));
  const expected = await page.evaluate(() => window.mortise.logs.map((log) => log.robots[0].q[2] * 180 / Math.PI));
  expect(joints.length === 2 && joints.every((v, i) => Math.abs(v - expected[i]) < 0.006), `the joint of both runs is told: ${joints}`);
  const colors = await page.$$eval('.logs .swatch, .value[aria-label=joint] .swatch', (items) => items.map((item) => getComputedStyle(item).backgroundColor));
  expect(new Set(colors).size === 2 && colors[0] === colors[2] && colors[1] === colors[3], `each run has one color: ${colors}`);
  silent(complaints);
  await page.close();
  server.kill('SIGINT');
}

// A world that stands still has no contacts to show, and messages of posing move nothing.
{
  const {address, server} = await serve(['view', '--no-browser', world]);
  const {page, complaints} = await open(address, 'a world');
  expect(await page.locator('.toolbar button[aria-label="contacts"]').count() === 0, 'what does not move has no switch for contacts');
  silent(complaints);
  await page.close();
  server.kill('SIGINT');
}
{
  const {address, server} = await serve(['pose', '--no-browser', join(source, 'data/worlds/humanoid_beam.xml')]);
  const {page, complaints} = await open(address, 'a posed humanoid');
  const places = () => page.$$eval('.right *', (items) => items.map((item) => Math.round(item.getBoundingClientRect().top)).join());
  // Groups of limbs, limits, units; values are typed, and go no farther than limits.
  const groups = await page.$$eval('.group > summary', (items) => items.map((item) => item.textContent));
  expect(groups.length >= 4 && groups.some((name) => /left/.test(name)) && groups.some((name) => /right/.test(name)), `drivers are in groups: ${groups}`);
  await page.fill('.pose input[aria-label="find a driver"]', 'left_forearm');
  await page.waitForFunction(() => document.querySelectorAll('.driver').length === 1);
  const typed = async (text) => {
    await page.fill('.driver .typed', text);
    await page.press('.driver .typed', 'Enter');
  };
  const driver = await page.evaluate(() => window.mortise.logs[0].robots[0].links.findIndex((l) => l.name === 'left_forearm'));
  const [low, high] = await page.$$eval('.driver .limits span', (items) => items.map((item) => Number(item.textContent)));
  const before = await places(), asked = await page.evaluate(() => window.pose.last());
  await page.fill('.driver .typed', '12');
  expect(await page.evaluate(() => window.pose.last()) === asked, 'a value that is typed is not sent before it is done');
  await typed('1e9');
  await page.waitForFunction((high) => Number(document.querySelector('.driver .typed').value) === high, high);
  expect(driver >= 0 && low < high, `a typed value goes to the limit: ${low} ... ${high} °`);
  await typed('-20');
  await page.waitForFunction(() => document.querySelector('.driver .typed').value === '-20.0');
  expect(true, 'and is in degrees');
  await page.fill('.pose input[aria-label="find a driver"]', 'nothing');
  expect(await page.locator('.driver').count() === 0, 'what is not found is not listed');
  await page.fill('.pose input[aria-label="find a driver"]', 'left_forearm');
  await page.waitForSelector('.driver');
  // An arm into the body.
  const same = await places();
  await page.evaluate(() => window.pose.ask({type: 'place', object: 0, T: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1]}));
  await page.waitForSelector('#collisions');
  expect(await places() === same && before === same, 'what collides is said, and nothing moves');
  silent(complaints);
  await page.close();
  server.kill('SIGINT');
}
await finish();
