// Running simulations: pause, steps, pulled bodies, going on from the past; recorded ones that go on; pipelines.
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, finish, open, run, scrub, serve, silent, source, work} from './harness.mjs';

const blocks = join(source, 'data/worlds/blocks.xml');

// A running simulation: the same end as without a page, pause and steps, a pulled body, going on from the past.
{
  const plain = JSON.parse(run('sim', blocks, '--duration', '1', '--json'));
  const {server, address, said} = await serve(['sim', blocks, '--view', '--no-browser', '--duration', '1', '--realtime', '2', '--json']);
  const {page, complaints} = await open(address, 'a running simulation');
  await page.waitForFunction(() => window.mortise.logs[0].end > 0.9995);
  const before = await page.evaluate(() => window.mortise.logs[0].state.times.length);
  expect(before === 101, `the page has all ${before} states`);
  await page.waitForFunction(() => document.getElementById('play').ariaLabel === 'play');
  expect(JSON.parse(said.out).state_hash === plain.state_hash, 'the state hash is that of a run without page');
  await page.reload();
  await page.waitForFunction(() => document.body.dataset.ready && window.mortise.logs[0].end > 0.9995);
  expect((await page.evaluate(() => window.mortise.logs[0].state.times.length)) === before, 'a page that is loaded again has everything');
  await page.evaluate(() => window.mortise.send({type: 'step', count: 5}));
  await page.waitForFunction(() => Math.abs(window.mortise.logs[0].end - 1.005) < 1e-6);
  const id = await page.evaluate(() => window.mortise.logs[0].world.entities.find((e) => e.name === 'ball').id);
  // With the mouse, in the middle of the ball.
  const at = await page.evaluate((id) => window.mortise.view.screenPosition(id), id);
  await page.click('#pull');
  await page.click('#play');
  await page.mouse.move(at[0], at[1]);
  await page.mouse.down();
  await page.mouse.move(at[0], at[1] - 120, {steps: 4});
  await page.waitForFunction((id) => window.mortise.logs[0].poses.get(id)[11] > 0.4, id);
  expect(true, 'a body follows the mouse');
  await page.screenshot({path: join(work, 'pull.png')});
  await page.mouse.up();
  await scrub(page, 0.5);
  // Until the page has dropped what was done later, it may show it.
  await page.evaluate(() => {
    const {state} = window.mortise.logs[0], cut = state.cutAfter;
    state.cutAfter = (tick) => {
      cut.call(state, tick);
      window.hasCut = true;
    };
  });
  await page.click('#go');
  await page.waitForFunction(() => window.hasCut);
  await page.waitForFunction(() => window.mortise.logs[0].end > 1.2);
  const ball = await page.evaluate((id) => window.mortise.logs[0].poses.get(id)[11], id);
  expect(ball < 0.3, 'the run goes on from the past without what was done later');
  silent(complaints);
  await page.close();
  server.kill('SIGINT');
}

// A recorded run goes on from any of its instants, and ends where it would have ended.
{
  const log = join(work, 'recorded.mcap'), whole = JSON.parse(run('sim', blocks, '--duration', '2', '--json', '--mcap', log));
  const {address, server} = await serve(['view', '--no-browser', log]);
  const {page, complaints} = await open(address, 'a recorded run');
  const before = await page.evaluate(() => window.mortise.logs[0].state.times.length);
  const end = await page.evaluate(() => [...window.mortise.logs[0].poses].map(([id, pose]) => [id, [...pose]]) && window.mortise.logs[0].end);
  expect(Math.abs(end - 2) < 1e-9 && before === 201, `the log has ${before} states`);
  await scrub(page, 1.234);
  await page.evaluate(() => (document.body.dataset.ready = ''));
  await page.click('#go');
  await page.waitForFunction(() => document.body.dataset.ready && window.mortise.send && window.mortise.logs[0].end > 2.1);
  const again = await page.evaluate((objects) => {
    const log = window.mortise.logs[0];
    log.show(2);
    return objects.map(({id, T}) => Math.max(...T.map((v, i) => Math.abs(v - log.poses.get(id)[i]))));
  }, whole.objects);
  expect(Math.max(...again) < 1e-6, `at its end everything is where it was, to ${Math.max(...again).toExponential(1)}`);
  const past = await page.evaluate(() => window.mortise.logs[0].start);
  expect(past === 0, 'what was before can be looked at, too');
  silent(complaints);
  await page.close();
  server.kill('SIGINT');
}

// A pipeline: its simulations one after the other, and its logs in the end.
{
  const pipeline = join(work, 'two.yaml');
  writeFileSync(pipeline, `mortise: 1
world: ${blocks}
components:
  - {recorder: mcap, rate: 100 Hz}
stages:
  - simulate: {duration: 0.5 s, save: first}
  - simulate: {duration: 0.5 s, save: second}
`);
  const {address, server} = await serve(['run', pipeline, '--view', '--no-browser', '--quiet', '-o', join(work, 'two')]);
  const {page, complaints} = await open(address, 'a pipeline');
  await page.waitForFunction(() => window.mortise?.logs.length === 2);
  expect(true, 'the logs of both stages are shown in the end');
  silent(complaints.filter((text) => !/WebSocket|Failed to fetch/.test(text)));
  await page.close();
  server.kill('SIGINT');
}
await finish();
