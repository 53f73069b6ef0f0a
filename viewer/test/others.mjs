// Logs of other tools: JSON, protobuf and what our plugins write for ROS 2; and logs that are dropped on a page, or chosen.
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {colors, expect, finish, isPressed, open, packages, run, serve, silent, source, work} from './harness.mjs';

const {McapWriter, McapStreamReader} = packages('@mcap/core'), {decompress} = packages('fzstd');

/** Gives `fill` a writer, and returns the file's bytes. */
async function written(fill) {
  const parts = [];
  let size = 0n;
  const writable = {
    write: async (part) => {
      parts.push(Uint8Array.from(part));
      size += BigInt(part.length);
    },
    position: () => size,
  };
  const writer = new McapWriter({writable, chunkSize: 1 << 16});
  await writer.start({profile: '', library: 'another tool'});
  await fill(writer);
  await writer.end();
  return Buffer.concat(parts);
}

const START = 1_700_000_000_000_000_000n, UNTURNED = {x: 0, y: 0, z: 0, w: 1}, ORIGIN = {position: {x: 0, y: 0, z: 0}, orientation: UNTURNED};

/** Two frames, of which one moves, a cloud, an image, a cube, numbers, and what nobody here knows. */
const jsonLog = () => written(async (writer) => {
  const channel = async (topic, name, messageEncoding = 'json') => {
    const schemaId = await writer.registerSchema({name, encoding: 'jsonschema', data: Buffer.from('{}')});
    return writer.registerChannel({topic, schemaId, messageEncoding, metadata: new Map()});
  };
  const tf = await channel('/tf', 'foxglove.FrameTransform'), points = await channel('/points', 'foxglove.PointCloud'), camera = await channel('/camera', 'foxglove.RawImage');
  const scene = await channel('/things', 'foxglove.SceneUpdate'), numbers = await channel('/battery', 'my.Battery'), flat = await channel('/flat', 'x.Flat', 'flatbuffer');
  const send = (channelId, time, data) => {
    const logTime = START + BigInt(Math.round(1e9 * time));
    return writer.addMessage({channelId, sequence: 0, logTime, publishTime: logTime, data: data instanceof Uint8Array ? data : Buffer.from(JSON.stringify(data))});
  };
  const cloud = Float32Array.from({length: 900}, (_, i) => (i % 3 === 0 ? Math.cos(i) : i % 3 === 1 ? Math.sin(i) : i / 900));
  for (let i = 0; i <= 40; ++i) {
    const time = i / 20;
    await send(tf, time, {parent_frame_id: 'map', child_frame_id: 'car', translation: {x: 2 * time, y: 0, z: 0}, rotation: UNTURNED});
    if (i > 0) await send(numbers, time, {volts: 12 - time, cells: [1, 2]});
    if (i % 10 === 0) await send(points, time, {frame_id: 'car', pose: ORIGIN, point_stride: 12, fields: ['x', 'y', 'z'].map((name, k) => ({name, offset: 4 * k, type: 7})), data: Buffer.from(cloud.buffer).toString('base64')});
    if (i % 10 === 0) await send(camera, time, {frame_id: 'car', encoding: 'rgb8', width: 2, height: 2, step: 6, data: Buffer.from(Array.from({length: 12}, (_, k) => (k % 3 === 0 ? 6 * i : 9))).toString('base64')});
  }
  const cube = {pose: {position: {x: 0, y: 1, z: 0.5}, orientation: UNTURNED}, size: {x: 1, y: 1, z: 1}, color: {r: 0, g: 0.8, b: 0.1, a: 1}};
  await send(scene, 0.5, {deletions: [], entities: [{frame_id: 'map', id: 'cube', cubes: [cube]}]});
  await send(scene, 1.5, {deletions: [{type: 0, id: 'cube'}], entities: []});
  await send(flat, 1, Uint8Array.of(1, 2));
});

/** A log of ours, copied message by message; `attached`: its world is copied, too. `more` adds to it. */
const copied = (bytes, attached, more = async () => undefined) => written(async (writer) => {
  const reader = new McapStreamReader({includeChunks: false, decompressHandlers: {zstd: (data, length) => decompress(data, new Uint8Array(Number(length)))}});
  reader.append(bytes);
  const schemas = new Map(), channels = new Map();
  for (let record = reader.nextRecord(); record; record = reader.nextRecord()) {
    if (record.type === 'Schema' && !schemas.has(record.id)) schemas.set(record.id, await writer.registerSchema(record));
    else if (record.type === 'Channel' && !channels.has(record.id)) channels.set(record.id, await writer.registerChannel({...record, schemaId: schemas.get(record.schemaId)}));
    else if (record.type === 'Message') await writer.addMessage({...record, channelId: channels.get(record.channelId)});
    else if (record.type === 'Attachment' && attached) await writer.addAttachment(record);
  }
  await more(writer);
});

/** A point in the frame of a body of ours, and a number. */
async function addPoint(writer) {
  const schemaId = await writer.registerSchema({name: 'foxglove.PointCloud', encoding: 'jsonschema', data: Buffer.from('{}')});
  const channelId = await writer.registerChannel({topic: '/seen', schemaId, messageEncoding: 'json', metadata: new Map()});
  const data = Buffer.from(Float32Array.of(0, 0, 1).buffer).toString('base64'), fields = ['x', 'y', 'z'].map((name, k) => ({name, offset: 4 * k, type: 7}));
  await writer.addMessage({
    channelId, sequence: 0, logTime: 0n, publishTime: 0n, data: Buffer.from(JSON.stringify({frame_id: 'ball', pose: ORIGIN, point_stride: 12, fields, data, quality: 0.75})),
  });
}

/** Shows a time, and waits until all of it is there. */
const at = async (page, time) => {
  await page.evaluate(async (time) => {
    const [log] = window.mortise.logs;
    window.mortise.setTime(log.start + time);
    await log.load(log.start + time);
    window.mortise.view.show(log.start + time, window.mortise.view.shown);
  }, time);
  return page.evaluate(() => ({
    frames: Object.fromEntries(window.mortise.logs[0].world.entities.map(({id, frame}) => [frame, [...(window.mortise.logs[0].poses.get(id) ?? [])]])),
    drawn: [...window.mortise.view.logs[0].foreign.drawn].map(([key, {place}]) => [key.split('\n')[0], place.matrix.elements[12]]),
  }));
};

const json = join(work, 'json.mcap'), ours = join(work, 'ours.mcap');
writeFileSync(json, await jsonLog());
run('sim', join(source, 'data/worlds/blocks.xml'), '--duration', '0.5', '--mcap', ours, '--quiet');
{
  const {address, server} = await serve(['view', '--no-browser', json]);
  const {page, complaints} = await open(address, 'a log in JSON');
  const {frames, drawn} = await at(page, 1.025);
  expect(Math.abs(frames.car?.[9] - 2.05) < 1e-5 && frames.map?.[9] === 0, `frames are where messages say, between them, too: ${frames.car?.[9]}`);
  expect(JSON.stringify(drawn.map(([topic]) => topic).sort()) === '["/points","/things"]', `a cloud and a cube are drawn: ${JSON.stringify(drawn)}`);
  expect(Math.abs(drawn.find(([topic]) => topic === '/points')?.[1] - 2) < 1e-5, 'the cloud is where the car was when it was seen');
  expect(await isPressed(page, 'frames') && await page.locator('.label', {hasText: 'car'}).count() === 1, 'frames have axes and names');
  const before = await colors(page);
  expect((await at(page, 1.6)).drawn.length === 1, 'the cube is deleted');
  expect((await colors(page)).sum !== before.sum, 'which is seen');
  expect(/\/flat \(flatbuffer, x\.Flat\)/.test(await page.locator('.toast').first().textContent()), 'what is not known is named');
  await page.locator('.toast button').first().click();
  expect(await page.locator('.toast:has-text("flatbuffer")').count() === 0, 'until that is read');
  await page.click('.sensors summary');
  const image = page.locator('.sensors figure', {hasText: '/camera'}).locator('img');
  await image.waitFor();
  const red = await image.evaluate(async (img) => {
    await img.decode();
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 2;
    const context = canvas.getContext('2d');
    context.drawImage(img, 0, 0);
    return [...context.getImageData(0, 0, 1, 1).data];
  });
  expect(Math.abs(red[0] - 180) <= 1 && red[1] === 9, `the image is the one of 1.5 s: ${red}`);
  await page.locator('.sensors .number', {hasText: 'volts'}).click();
  await page.waitForFunction(() => window.mortise.plots.length === 1);
  const [last, count] = await page.evaluate(() => {
    const {data} = window.mortise.plots[0];
    return [data[1][data[1].length - 1], data[1].length];
  });
  expect(Math.abs(last - 10) < 1e-6 && count === 40, `a number is plotted: ${count} samples, the last ${last}`);
  await page.locator('[role=treeitem]', {hasText: 'car'}).first().click();
  expect(/^frame/.test(await page.locator('.details header small').textContent()), 'a frame is selected in the tree');
  await page.keyboard.press('f');
  silent(complaints);
  await page.close();
  server.kill('SIGINT');
}
{
  // Protobuf with the descriptions that our own logs have, and CDR: the bodies are where the log has them.
  const stripped = join(work, 'stripped.mcap'), cdr = join(work, 'cdr');
  writeFileSync(stripped, await copied(readFileSync(ours), false));
  const places = {};
  for (const file of [ours, stripped]) {
    const {address, server} = await serve(['view', '--no-browser', file]);
    const {page, complaints} = await open(address, file === ours ? 'our log' : 'our log without its world');
    places[file] = (await at(page, 0.5)).frames;
    if (file === stripped) expect(await page.evaluate(() => window.mortise.logs[0].series.has('/mortise/state')), 'series are plotted still');
    silent(complaints);
    await page.close();
    server.kill('SIGINT');
  }
  const moved = Object.entries(places[stripped]).filter(([frame]) => places[ours][frame]?.length === 12);
  expect(moved.length > 3 && moved.every(([frame, pose]) => pose.every((v, i) => Math.abs(v - places[ours][frame][i]) < 1e-4)), `${moved.length} bodies are in the same places`);
  const mixed = join(work, 'mixed.mcap');
  writeFileSync(mixed, await copied(readFileSync(ours), true, addPoint));
  {
    const {address, server} = await serve(['view', '--no-browser', mixed]);
    const {page, complaints} = await open(address, 'our log with a topic of another tool');
    const {frames, drawn} = await at(page, 0.5), kept = await page.evaluate(() => [...window.mortise.logs[0].series.get('/seen').columns.map((column) => column[0])]);
    expect(drawn.length === 1 && Math.abs(drawn[0][1] - frames.ball[9]) < 1e-6, `the point is at our ball: ${JSON.stringify(drawn)}`);
    expect(kept.includes(0.75), 'its numbers are plotted');
    silent(complaints);
    await page.close();
    server.kill('SIGINT');
  }
  let exported = true;
  try {
    run('log', 'export', ours, cdr, '--to', 'mcap-ros2');
  } catch {
    exported = false;
  }
  if (exported) {
    const {address, server} = await serve(['view', '--no-browser', cdr]);
    const {page, complaints} = await open(address, 'a log of ROS 2');
    const {frames} = await at(page, 0.5), own = (frame) => places[ours][frame.replace('klampt/', '')] ?? [], known = Object.keys(frames).filter((frame) => own(frame).length === 12);
    expect(known.length > 3 && known.every((frame) => frames[frame].every((v, i) => Math.abs(v - own(frame)[i]) < 1e-4)), `${known.length} of ${Object.keys(frames).length} frames are where our bodies are`);
    silent(complaints);
    await page.close();
    server.kill('SIGINT');
  }
}
{
  // What is dropped on a page takes the place of what it shows, with and without a server.
  const html = join(work, 'page.html');
  run('log', 'html', json, '-o', html);
  const {address, server} = await serve(['view', '--no-browser', ours]);
  for (const [url, name, bytes, frame] of [[address, 'a page of the server', readFileSync(json), 'car'], [pathToFileURL(html).href, 'a page in a file', readFileSync(ours), 'block_bottom']]) {
    const {page, complaints} = await open(url, name);
    const drop = (content, file) => page.evaluate(([content, file]) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(content), (c) => c.charCodeAt(0))], file));
      window.dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true, bubbles: true}));
    }, [Buffer.from(content).toString('base64'), file]);
    await drop(Buffer.from('no log, but long enough for the end of one, in bytes'), 'text.mcap');
    await page.waitForSelector('.toast:has-text("this is no MCAP file")');
    expect(await page.evaluate(() => document.body.dataset.ready) === 'true', 'what is no log leaves the page as it is');
    await drop(bytes, 'dropped.mcap');
    await page.waitForFunction(() => document.body.dataset.ready && window.mortise.logs[0].name === 'dropped');
    const names = await page.evaluate(() => window.mortise.logs[0].world.entities.map((entity) => entity.frame));
    expect(names.some((one) => one.includes(frame)) && await page.title() === 'dropped - Mortise', `${name} shows what was dropped on it: ${names.slice(0, 5).join()}`);
    expect((await colors(page)).count > 20, 'and draws it');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('button[aria-label="open a log"]')]);
    await chooser.setFiles(json);
    await page.waitForFunction(() => document.body.dataset.ready && window.mortise.logs[0].name === 'json');
    expect(Math.abs((await at(page, 1)).frames.car[9] - 2) < 1e-5, 'and one that was chosen');
    silent(complaints.filter((text) => !/context lost/i.test(text)));
    await page.close();
  }
  server.kill('SIGINT');
}
await finish();
