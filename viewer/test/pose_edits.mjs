// Posing with handles, patches, fingers, mirror images, goals of all kinds, shapes and numbers, as a hand does it.
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, finish, open, select, serve, silent, source, work} from './harness.mjs';

/** What tests do on the page of a posed world. */
async function posed(name, ...arguments_) {
  const {server, address} = await serve(['pose', '--no-browser', ...arguments_]);
  const {page, complaints} = await open(address, name);
  const state = () => page.evaluate(() => window.pose.state());
  return {
    page, state,
    ask: (message) => page.evaluate((message) => window.pose.ask(message), message),
    undoCount: async () => (await state()).undo,
    /** A function of the state and an argument becomes true. */
    until: (condition, argument) => page.waitForFunction(new Function('argument', `return (${condition})(window.pose.state(), argument);`), argument),
    drag: async (from, to, button = 'left') => {
      await page.mouse.move(from[0], from[1]);
      await page.mouse.down({button});
      await page.mouse.move(to[0], to[1], {steps: 8});
      await page.mouse.up({button});
    },
    async end() {
      silent(complaints);
      await page.close();
      server.kill('SIGINT');
    },
  };
}

/** Drags the handle along an axis of the world by about `length` m. */
async function pullHandle(world, axis, length) {
  const {page} = world;
  // From where the arrows are a third of a turn apart: else one may cover another.
  const before = await page.evaluate(() => {
    const {view} = window.mortise, place = view.camera3d, [x, y, z, a, b, c] = place, away = Math.hypot(x - a, y - b, z - c) / Math.sqrt(3);
    view.camera3d = [a + away, b - away, c + away, ...place.slice(3)];
    return place;
  });
  // Handles are where they were drawn last.
  await page.waitForFunction(() => window.mortise.view.settled);
  const [from, to] = await page.evaluate(([axis, length]) => {
    const {view} = window.mortise, at = view.handles.position;
    const step = (t) => view.windowPosition(at.map((v, i) => v + (i === axis ? t : 0)));
    // The arrow is where the handle is longest on the screen: about 80 pixels from its middle.
    const [origin, one] = [step(0), step(0.01)], pixels = Math.hypot(one[0] - origin[0], one[1] - origin[1]) / 0.01;
    const grip = 60 / pixels;
    return [step(grip), step(grip + length)];
  }, [axis, length]);
  await world.drag(from, to);
  await page.evaluate((place) => (window.mortise.view.camera3d = place), before);
}

{
  const saved = join(work, 'edited');
  const world = await posed('a humanoid', join(source, 'data/worlds/humanoid_beam.xml'), '--resources', saved);
  const {page, ask, state, until, undoCount} = world;
  const id = (name) => page.evaluate((name) => window.mortise.logs[0].world.entities.find((e) => e.name === name || e.name.endsWith(`[${name}]`)).id, name);
  const settle = async () => page.waitForFunction(() => window.mortise.view.settled);

  // An object, by an arrow.
  await select(page, await id('beam'));
  await page.waitForFunction(() => window.mortise.view.handles.position);
  const before = (await state()).objects[0], steps = await undoCount();
  await pullHandle(world, 2, 0.2);
  await until((s, z) => s.objects[0][11] > z + 0.1, before[11]);
  const moved = (await state()).objects[0];
  expect(Math.hypot(moved[9] - before[9], moved[10] - before[10]) < 1e-6, 'an arrow moves an object along its axis alone');
  expect(await undoCount() === steps + 1, 'a drag of a handle is one step');
  await settle();
  await page.screenshot({path: join(work, 'handles.png')});
  await page.click('#undo');
  await until((s, z) => s.objects[0][11] === z, before[11]);

  // The base, whose links go with it; turned, too.
  await select(page, await page.evaluate(() => window.mortise.logs[0].world.robots[0].id));
  await page.waitForFunction(() => window.mortise.view.handles.position[2] > 0.9);
  const q = (await state()).q[0];
  await pullHandle(world, 0, 0.2);
  await until((s, x) => s.q[0][0] > x + 0.1, q[0]);
  const shifted = (await state()).q[0];
  expect(shifted.slice(1).every((v, i) => Math.abs(v - q[i + 1]) < 1e-5), 'a handle moves a floating base, and nothing else of the robot');
  await page.selectOption('#handles', 'turn');
  expect(await page.evaluate(() => window.mortise.view.handles.position !== null), 'and turns it');
  await settle();
  await page.screenshot({path: join(work, 'handles_turn.png')});
  await page.click('#undo');
  await page.selectOption('#handles', 'move');

  // Transforms and points.
  await page.selectOption('#kind', 'transform');
  await select(page, await id('beam'));
  await page.click('#store');
  await page.waitForSelector('textarea[aria-label=numbers]');
  await pullHandle(world, 1, 0.2);
  await page.waitForFunction((y) => Number(document.querySelector('textarea[aria-label=numbers]').value.split(' ')[10]) > y + 0.1, before[10]);
  expect((await state()).objects[0][10] === before[10], 'a handle moves a transform that was chosen, not what is selected');
  await page.click('#put');
  await until((s, y) => s.objects[0][10] > y + 0.1, before[10]);
  expect(true, 'an object is put where a transform is');
  await page.click('#undo');
  await page.selectOption('#kind', 'vector3');
  await page.click('#store');
  await page.waitForFunction(() => document.querySelector('textarea[aria-label=numbers]').value.split(' ').length === 3);
  await page.fill('textarea[aria-label=numbers]', '1 2 3');
  await page.locator('textarea[aria-label=numbers]').blur();
  await page.waitForFunction(() => JSON.stringify(window.mortise.view.handles.position) === '[1,2,3]');
  expect(true, 'numbers of a point are typed, and its handle goes there');

  // Mirrored and back.
  await ask({type: 'driver', robot: 0, driver: 12, value: 0.5});
  const left = (await state()).q[0];
  await page.click('#mirror');
  await until((s, q) => JSON.stringify(s.q[0]) !== q, JSON.stringify(left));
  await page.click('#mirror');
  await until((s, q) => s.q[0].every((v, i) => Math.abs(v - q[i]) < 1e-9), left);
  expect(true, 'the image of the image is the pose');

  // A stance on the ground, with contacts that are cleaned.
  await page.click('#flat');
  await page.waitForFunction(() => document.querySelectorAll('.pose .contacts .row').length === 8);
  await page.click('#clean');
  await page.waitForFunction(() => /8 of 8 contacts are left/.test(document.getElementById('message').textContent));
  expect(true, 'a stance on flat ground has the corners of both feet');

  // A patch of the beam's surface, for the left hand.
  await select(page, await id('left_hand'));
  const count = (await state()).undo;
  await page.click('.pose .list .row .pick');
  await page.click('#pick');
  await page.waitForFunction(() => window.mortise.view.handles.position === null);
  const at = await page.evaluate((id) => window.mortise.view.screenPosition(id), await id('beam'));
  await page.mouse.move(at[0] - 8, at[1] - 8);
  await page.mouse.down();
  await page.mouse.move(at[0] + 8, at[1] + 8, {steps: 4});
  expect(await page.evaluate(() => document.querySelector('.patch').offsetWidth > 10), 'a patch is seen while it is dragged');
  await page.screenshot({path: join(work, 'patch.png')});
  await page.mouse.up();
  await until((s, n) => s.undo === n + 1, count);
  const picked = await page.locator('.pose .contacts .row').count();
  expect(picked >= 3 && picked <= 8, `a patch gives several contacts in one step: ${picked}`);
  await page.click('#pick');

  // Right-drag turns a driver.
  const elbow = await id('left_forearm');
  const where = await page.evaluate((id) => window.mortise.view.screenPosition(id), elbow);
  const drivers = (await state()).drivers[0], undone = await undoCount();
  await world.drag(where, [where[0], where[1] - 10], 'right');
  await until((s, d) => s.drivers[0].some((v, i) => Math.abs(v - d[i]) > 0.05), drivers);
  expect(await undoCount() === undone + 1, 'the right button turns a link, in one step');
  await page.click('#undo');

  // A goal of another kind.
  await select(page, await id('left_hand'));
  await page.click('#pin');
  await page.click('.pose .goal summary span');
  await page.selectOption('.pose .goal select[aria-label=position]', 'plane');
  await page.selectOption('.pose .goal select[aria-label=rotation]', 'free');
  await until((s) => s.goals[0].position === 'plane' && s.goals[0].rotation === 'free');
  await page.fill('.pose .goal .vector', '0.01 0 0');
  await page.locator('.pose .goal .vector').first().blur();
  await until((s) => s.goals[0].point[0] === 0.01);
  expect(true, 'goals become of other kinds');

  // A drag that leaves a goal.
  await page.click('#leave');
  const hand = await page.evaluate((id) => window.mortise.view.screenPosition(id), await id('right_hand'));
  await world.drag(hand, [hand[0] + 15, hand[1] - 10]);
  await until((s) => s.goals.length === 2);
  await page.click('#leave');
  expect(true, 'drags leave goals');

  await settle();
  await page.screenshot({path: join(work, 'edits.png')});
  await page.click('#save');
  await page.waitForFunction(() => /saved/.test(document.getElementById('message').textContent));
  const files = readdirSync(saved).sort();
  expect(JSON.stringify(files) === '["hold.hold","stance.stance","transform.xform","vector3.vector3"]', `all are saved: ${files}`);
  expect(/^(3\s)?\s*1 2 3/.test(readFileSync(join(saved, 'vector3.vector3'), 'utf8')), 'a point as Klamp\'t writes it');
  await world.end();
}

{
  const saved = join(work, 'grasps');
  const world = await posed('a gripper', join(source, 'data/robots/pincer.rob'), '--resources', saved);
  const {page, state, until} = world;
  await select(page, await page.evaluate(() => window.mortise.logs[0].robots[0].links[0].id));
  await page.selectOption('#kind', 'grasp');
  await page.click('#store');
  await page.waitForSelector('.pose .finger');
  expect(await page.locator('.pose .finger').count() === 2, 'a grasp of a palm keeps its fingers');
  const slide = (value) => page.evaluate((value) => {
    const slider = document.querySelector('.pose .finger input');
    slider.value = String(value);
    slider.dispatchEvent(new Event('input', {bubbles: true}));
  }, value);
  await slide(0.01);
  await until((s) => s.q[0][1] === 0.01 && s.q[0][2] === -0.01);
  expect(true, 'the robot shows a finger that is set, and the other one of its motor');
  await page.screenshot({path: join(work, 'grasp.png')});
  await page.evaluate(() => window.pose.ask({type: 'driver', robot: 0, driver: 0, value: 0.1}));
  expect((await state()).q[0][1] === 0.05, 'the gripper opens');
  await page.click('#load');
  await until((s) => s.q[0][1] === 0.01 && s.q[0][2] === -0.01);
  expect(true, 'and closes by the grasp');
  await page.click('#save');
  await page.waitForFunction(() => /saved/.test(document.getElementById('message').textContent));
  const text = readFileSync(join(saved, 'grasp.grasp'), 'utf8');
  expect(/fixed="1 -?0\.01 +2 -?0\.01"/.test(text), 'the fingers are in the file');
  await world.end();
}

{
  const world = await posed('an arm', join(source, 'data/worlds/blocks.xml'));
  const {page, state, until} = world;
  await select(page, await page.evaluate(() => window.mortise.logs[0].robots[0].links.at(-1).id));
  await page.selectOption('#kind', 'geometry');
  await page.click('#store');
  await page.waitForSelector('#simplify');
  await page.click('#show-mesh');
  await until((s) => s.mesh);
  const fine = (await state()).mesh.triangles.length / 3;
  await page.fill('.pose .chosen input[placeholder=auto]', '30');
  await page.click('#simplify');
  await page.waitForFunction(() => /triangles are left/.test(document.getElementById('message').textContent));
  await page.click('#show-mesh');
  await until((s, n) => s.mesh && s.mesh.triangles.length / 3 < n, fine);
  expect(true, 'a shape is made simpler');
  await page.waitForFunction(() => window.mortise.view.settled);
  await page.screenshot({path: join(work, 'shape.png')});

  // An arm that lies in a plane is its own image on the other side.
  const q = (await state()).q[0];
  await page.click('#mirror');
  await until((s, q) => s.q[0].some((v, i) => Math.abs(v - q[i]) > 0.1), q);
  await page.click('#undo');
  await until((s, q) => JSON.stringify(s.q[0]) === JSON.stringify(q), q);
  expect(true, 'an arm is mirrored in its plane');

  // A milestone that is dragged.
  const earlier = await world.undoCount();
  await page.selectOption('#kind', 'trajectory');
  await page.click('#store');
  await until((s, n) => s.undo > n, earlier);
  await page.click('#follow');
  await page.waitForTimeout(300);
  await page.waitForFunction(() => window.mortise.view.settled);
  const hand = await page.evaluate(() => window.mortise.logs[0].robots[0].links.at(-1).id), steps = await world.undoCount();
  const at = await page.evaluate((id) => window.mortise.view.screenPosition(id), hand);
  await page.mouse.move(at[0], at[1]);
  await page.waitForFunction((id) => window.mortise.view.marked === id, hand);
  expect(true, 'what is under the mouse is marked');
  await world.drag(at, [at[0] + 30, at[1] - 40]);
  await until((s, q) => s.q[0].some((v, i) => Math.abs(v - q[i]) > 0.01), q);
  await page.click('#show-path');
  await until((s) => s.path && s.path.configurations.length === 1 && s.path.configurations[0].every((v, i) => Math.abs(v - s.q[0][i]) < 1e-9));
  const made = await world.undoCount() - steps;
  expect(made === 1, `a drag changes the milestone and the pose in one step, not ${made}`);
  await page.click('#undo');
  await until((s, q) => JSON.stringify(s.q[0]) === JSON.stringify(q), q);

  // Links, one by one; a configuration that is typed; the view; Del.
  await page.click('#by-link');
  await page.evaluate(() => {
    const slider = document.querySelector('.driver input[type=range]');
    slider.value = '0.6';
    slider.dispatchEvent(new Event('input', {bubbles: true}));
  });
  await until((s) => s.q[0].some((v) => v === 0.6));
  await page.click('#as-numbers');
  await page.fill('#configuration', `${q.length}\t${q.join(' ')}`);
  await page.locator('#configuration').blur();
  await until((s, q) => JSON.stringify(s.q[0]) === JSON.stringify(q), q);
  expect(true, 'a link is slid, and a configuration typed as Klamp\'t\'s files have it');
  const view = () => page.evaluate(() => window.mortise.view.camera3d);
  const apart = (a, b) => Math.max(...a.map((v, i) => Math.abs(v - b[i])));
  const kept = await view();
  await page.keyboard.press('v');
  await world.drag([400, 600], [500, 650]);
  expect(apart(await view(), kept) > 0.1, 'the view is turned');
  await page.keyboard.press('Shift+V');
  expect(apart(await view(), kept) < 1e-6, 'and back');
  const count = await page.locator('.pose .list .row').count();
  await page.keyboard.press('Delete');
  await page.waitForFunction((count) => document.querySelectorAll('.pose .list .row').length < count, count);
  expect(true, 'Del deletes what is chosen');
  await world.end();
}

await finish();
