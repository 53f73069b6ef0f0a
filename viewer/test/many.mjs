// Large numbers: equal bodies that are drawn together, points of plots, and browsers that may not compile.
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {colors, expect, finish, open, run, scrub, select, serve, silent, source, toggle, work} from './harness.mjs';

/** A floor, `count` equal boxes in rows, and one of another size. */
function world(count) {
  const box = (name, size) => {
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1, (i >> 1) & 1, i >> 2].map((bit) => size * (bit - 0.5)));
    const faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]].flatMap(([a, b, c, d]) => [[a, b, c], [a, c, d]]);
    writeFileSync(join(work, `${name}.off`), `OFF\n8 12 0\n${corners.map((c) => c.join(' ')).join('\n')}\n${faces.map((f) => '3 ' + f.join(' ')).join('\n')}\n`);
    writeFileSync(join(work, `${name}.obj`), `mesh "${name}.off"\nmass 1\nautoMass\n`);
  };
  box('small', 0.1);
  box('large', 0.14);
  const bodies = Array.from({length: count}, (_, i) => `<rigidObject name="b${i}" file="small.obj" position="${0.3 * (i % 5)} ${0.3 * Math.floor(i / 5)} 0.5"/>`);
  const file = join(work, 'many.xml');
  writeFileSync(file, `<world><terrain file="${join(source, 'data/terrains/floor.geom')}"/>\n${bodies.join('\n')}
    <rigidObject name="other" file="large.obj" position="0.6 -0.4 0.5"/></world>\n`);
  return file;
}

{
  const count = 20, file = world(count), log = join(work, 'many.mcap');
  run('sim', file, '--duration', '0.2', '--mcap', log, '--quiet');
  const {address, server} = await serve(['view', '--no-browser', log]);
  const {page, complaints} = await open(address, 'many bodies');
  const drawn = () => page.evaluate(() => {
    window.mortise.view.draw();
    const {calls, triangles, shadowCalls} = window.mortise.view.statistics;
    return {calls, triangles, shadowCalls};
  });
  const ids = await page.evaluate(() => window.mortise.logs[0].world.entities.filter((e) => e.kind === 'object').map((e) => e.id));
  const before = await drawn();
  expect(before.calls < 8, `${count + 2} bodies take ${before.calls} draw calls`);
  // What is hidden is not drawn, whoever it is drawn with, and comes back.
  const all = await colors(page);
  await page.evaluate((id) => window.mortise.view.setVisible(id, false), ids[7]);
  expect((await drawn()).triangles === before.triangles - 12, 'a hidden body of many is not drawn');
  expect((await colors(page)).sum !== all.sum, 'it is not seen');
  await page.evaluate((id) => window.mortise.view.setVisible(id, true), ids[7]);
  expect((await colors(page)).sum === all.sum, 'shown again, it is where it was');
  // Each is found where it is, also later.
  for (const time of [0, 0.2]) {
    await scrub(page, time);
    await page.waitForFunction((t) => document.getElementById('clock').textContent.startsWith(t), time.toFixed(3));
    let wrong = 0;
    for (const id of [ids[0], ids[7], ids[12], ids[19], ids[20]]) {
      const [x, y] = await page.evaluate((id) => window.mortise.view.screenPosition(id), id);
      await page.mouse.click(x, y);
      const name = await page.evaluate((id) => window.mortise.logs[0].world.entities[id].name, id);
      if ((await page.textContent('.details b')) !== name) ++wrong;
    }
    expect(wrong === 0, `at ${time} s bodies are picked where they are`);
  }
  // Around the selected one an outline is drawn: what it covers, and two rings.
  await page.mouse.move(2, 2);
  await scrub(page, 0);
  await page.waitForFunction(() => document.getElementById('clock').textContent.startsWith('0.000') && window.mortise.view.settled);
  await page.keyboard.press('Escape');
  await drawn();
  const plainly = await drawn();
  await select(page, ids[3]);
  const shining = await drawn(), more = {triangles: shining.triangles - plainly.triangles, calls: shining.calls - plainly.calls};
  expect(more.triangles === 3 * 12 && more.calls === 3, `the selected body is drawn with the others, and its outline: ${JSON.stringify(more)}`);
  expect((await colors(page)).sum !== all.sum, 'it is outlined');
  expect(shining.shadowCalls === 0, 'shadows are kept while nothing moves');
  for (const label of ['wireframe', 'frames', 'centers of mass', 'inertias']) {
    const plain = await colors(page);
    await toggle(page, label);
    await page.waitForTimeout(100);
    expect((await colors(page)).sum !== plain.sum, `${label}: the picture changes`);
    await toggle(page, label);
    await page.waitForTimeout(100);
    expect((await colors(page)).sum === plain.sum, `${label}: and changes back`);
  }
  await page.screenshot({path: join(work, 'many.png')});
  silent(complaints);
  await page.close();

  // Without compiled decompression the same is read, only slower.
  const {page: plain} = await open(address, 'a page that may not compile', (page) => page.addInitScript(() => { delete window.WebAssembly; }));
  expect((await plain.evaluate(() => typeof WebAssembly)) === 'undefined' && (await colors(plain)).sum === all.sum, 'without WebAssembly the same is seen');
  await plain.close();
  server.kill('SIGINT');

  // Over each other: the second one is seen through, and its equal bodies are sorted when there are very many.
  const much = join(work, 'much.mcap');
  run('sim', world(80), '--duration', '0.2', '--mcap', much, '--quiet');
  const two = await serve(['view', '--no-browser', much, much]);
  const both = await open(two.address, 'two logs of many bodies');
  const calls = await both.page.evaluate(() => {
    window.mortise.view.draw();
    return window.mortise.view.statistics.calls;
  });
  expect(calls < 12, `two logs of 82 bodies take ${calls} draw calls`);
  const [arrows, named] = await both.page.evaluate(() => {
    const {view} = window.mortise;
    return [view.logs.map(({contacts}) => '#' + contacts.arrows.color.toString(16).padStart(6, '0')), view.legend().filter(({sign}) => sign === 'body').map(({color}) => color)];
  });
  expect(named.length === 2 && named[0] !== named[1] && arrows.join() === named.join(), `forces have the colors of their logs: ${arrows}`);
  await both.page.screenshot({path: join(work, 'two.png')});
  silent(both.complaints);
  await both.page.close();
  two.server.kill('SIGINT');
}
await finish();
