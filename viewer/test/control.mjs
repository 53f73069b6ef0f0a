// Commands and edits from the page of a running simulation: settings, commands, sensors, a posed ghost, bodies that change, come and go; and that
// the log of the run repeats all of it.
import {join} from 'node:path';
import {expect, finish, open, run, select, serve, silent, source, work} from './harness.mjs';

const blocks = join(source, 'data/worlds/blocks.xml');

/** Types into a box as hands do. */
async function type(page, label, text) {
  await page.fill(`[aria-label="${label}"]`, text);
  await page.press(`[aria-label="${label}"]`, 'Enter');
  await page.evaluate(() => document.activeElement.blur());
}

const controllers = (page) => page.evaluate(() => window.mortise.client.controllers);

{
  const log = join(work, 'controlled.mcap');
  const {server, address, said} = await serve(['sim', blocks, '--view', '--no-browser', '--duration', '1000', '--json', '--mcap', log]);
  const {page, complaints} = await open(address, 'a simulation with controllers');
  await page.waitForFunction(() => window.mortise.client?.controllers?.robots.length > 0);
  const first = await controllers(page), [robot] = first.robots;
  await page.click('summary:has-text("Controller")');

  // A posed ghost goes to the controller, and the robot follows.
  await page.click('button:has-text("Pose a ghost")');
  const driver = robot.drivers.find(({name}) => name === 'wrist_roll');
  await type(page, `ghost: ${driver.name}, degrees`, '40');
  await page.click('.ghost-poser button:has-text("Send")');
  await page.waitForFunction(([link]) => Math.abs(window.mortise.logs[0].robots[0].q[link] * 180 / Math.PI - 40) < 3, driver.links);
  expect(true, `the robot goes where its ghost was posed: ${driver.name} at 40°`);

  // A sensor gets another rate and is switched off.
  const [sensor] = robot.sensors;
  await page.click(`.controllers summary:has-text("${sensor.name}") >> nth=0`);
  await type(page, `${robot.name}: ${sensor.name}: rate`, '25');
  await page.waitForFunction(() => window.mortise.client.controllers.robots[0].sensors[0].rate === 25);
  expect(true, 'a sensor measures as often as is typed');

  // What is selected becomes heavier, and goes elsewhere.
  const ball = first.bodies.findIndex(({name}) => name === 'ball');
  await select(page, ball);
  await type(page, 'ball: mass', '3');
  await page.waitForFunction((id) => window.mortise.client.controllers.bodies[id].mass === 3, ball);
  await type(page, 'ball: position', '0.5 0.5 2');
  // It falls from there at once: one of the samples has it.
  await page.waitForFunction(() => {
    const {state} = window.mortise.logs[0], heights = state.columns[state.names.findIndex((name) => name.endsWith('ball.z'))];
    return Array.from(heights).some((z) => z > 1.5);
  });
  expect(true, 'a body gets the mass that is typed, and is put where it is typed');

  // What cannot be is said.
  await page.evaluate(() => window.mortise.client.command({edit: {remove: window.mortise.client.controllers.bodies.find(({kind}) => kind === 'link').name}}));
  await page.waitForFunction(() => /remove links of a robot before the run/.test(window.mortise.client.problem));
  expect(true, 'what cannot be is said, with what to do');

  // An object comes: the page loads the world again, and shows it.
  await page.evaluate(() => (document.body.dataset.ready = ''));
  await page.click('summary:has-text("add an object")');
  await page.click('#add-object');
  await page.waitForFunction(() => document.body.dataset.ready && window.mortise.logs[0].world.entities.some(({name}) => name === 'box'));
  await page.waitForFunction(() => window.mortise.client?.controllers && window.mortise.logs[0].state.times.length > 3);
  const added = await page.evaluate(() => window.mortise.logs[0].poses.get(window.mortise.logs[0].world.entities.find(({name}) => name === 'box').id)[11]);
  expect(added < 1.01 && added > -1, `an object that comes is there and falls (${added.toFixed(3)} m)`);
  silent(complaints.filter((text) => !/WebSocket|Failed to fetch/.test(text)));
  await page.close();
  const ended = new Promise((done) => server.once('exit', done));
  server.kill('SIGINT');
  await ended;
  const result = JSON.parse(said.out);
  const commands = result.commands ?? [];
  expect(commands.filter(({edit}) => edit).length === 3 && commands.some(({command}) => command), `the summary lists what was done: ${commands.length} commands`);

  // The log's run again, as the command line has it: the same bits.
  const entries = commands.map(({time, ...entry}) => ['--command', JSON.stringify({at: time, ...entry})]).flat();
  const again = JSON.parse(run('sim', blocks, '--duration', String(result.time), '--json', ...entries));
  expect(again.state_hash === result.state_hash, 'the same commands without a page end in the same bits');
}
await finish();
