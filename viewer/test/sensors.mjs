// Sensors in the page: frusta, rays, images, readings; padded shapes and inertias; the same live and recorded.
import {join} from 'node:path';
import {colors, expect, finish, open, run, serve, silent, source, toggle, work} from './harness.mjs';

const world = join(source, 'data/worlds/watched_blocks.xml'), log = join(work, 'watched.mcap');
let cameras = true;
try {
  run('sim', world, '--duration', '0.5', '--mcap', log, '--quiet');
} catch (error) {
  cameras = false;
  console.log('skipped: this build has no cameras');
}
const check = async (page, what) => {
  const shown = await page.evaluate(() => window.mortise.logs[0].sensors.map((s) => ({name: s.name, camera: !!s.camera, beams: s.scan?.directions.length})));
  expect(shown.some((s) => s.camera), `${what}: cameras are described (${shown.map((s) => s.name)})`);
  await page.click('.sensors summary');
  await page.waitForSelector('.sensors img');
  const size = await page.evaluate(async () => {
    const image = document.querySelector('.sensors img');
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  });
  const camera = await page.evaluate(() => window.mortise.logs[0].sensors.find((s) => s.camera).camera);
  expect(size[0] === camera.width && size[1] === camera.height, `${what}: the image has the camera's size, ${size}`);
};
if (cameras) {
  {
    const {address, server} = await serve(['view', '--no-browser', log]);
    const {page, complaints} = await open(address, 'a log with sensors');
    await page.evaluate(() => window.mortise.setTime(0.4));
    await check(page, 'recorded');
    await page.screenshot({path: join(work, 'sensors.png')});
    for (const label of ['sensors', 'padding', 'inertias']) {
      const before = (await colors(page)).sum;
      await toggle(page, label);
      await page.waitForTimeout(200);
      expect((await colors(page)).sum !== before, `${label} are drawn`);
    }
    await page.screenshot({path: join(work, 'padding.png')});
    silent(complaints);
    await page.close();
    server.kill('SIGINT');
  }
  {
    const {address, server} = await serve(['sim', world, '--view', '--no-browser']);
    const {page, complaints} = await open(address, 'a running simulation with sensors');
    await check(page, 'live');
    silent(complaints);
    await page.close();
    server.kill('SIGINT');
  }
}
await finish();
