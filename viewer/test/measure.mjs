// Figures of the viewer, for docs/measurements.md: times of pages, memory, sizes. No test: asserts nothing.
// Usage: node measure.mjs MORTISE SOURCE_DIR WORK_DIR CHROMIUM [SECTION...]
import {execFileSync} from 'node:child_process';
import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import net from 'node:net';
import {join} from 'node:path';
import {browser, open, packages, reference, run, serve, source, work} from './harness.mjs';

const {McapIndexedReader, McapStreamReader} = packages('@mcap/core'), {decompress} = packages('fzstd');
const wanted = process.argv.slice(6);
const say = (name, figures) => console.log(`${name}: ${JSON.stringify(figures)}`);
const quantile = (values, q) => values.slice().sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))];
const round = (v) => Number(v.toPrecision(4));
const blocks = join(source, 'data/worlds/blocks.xml');
const section = async (name, measure) => {
  if (wanted.length > 0 && !wanted.includes(name)) return;
  try {
    await measure();
  } catch (error) {
    say(name, {failed: String(error).split('\n')[0]});
  }
};

/** A world of `count` boxes, each of `triangles` triangles, that fall on a floor. */
function manyBodies(name, count, triangles) {
  const n = Math.max(1, Math.round(Math.sqrt(triangles / 12)));
  const vertices = [], faces = [];
  for (let axis = 0; axis < 3; ++axis)
    for (const side of [-1, 1]) {
      const first = vertices.length;
      for (let i = 0; i <= n; ++i)
        for (let j = 0; j <= n; ++j) {
          const p = [0, 0, 0];
          p[axis] = 0.05 * side;
          p[(axis + 1) % 3] = 0.1 * (i / n - 0.5);
          p[(axis + 2) % 3] = 0.1 * (j / n - 0.5);
          vertices.push(p);
        }
      for (let i = 0; i < n; ++i)
        for (let j = 0; j < n; ++j) {
          const a = first + i * (n + 1) + j, b = a + n + 1;
          faces.push(side > 0 ? [a, b, b + 1] : [a, b + 1, b], side > 0 ? [a, b + 1, a + 1] : [a, a + 1, b + 1]);
        }
    }
  writeFileSync(join(work, `${name}.off`), `OFF\n${vertices.length} ${faces.length} 0\n` +
    vertices.map((v) => v.join(' ')).join('\n') + '\n' + faces.map((f) => '3 ' + f.join(' ')).join('\n') + '\n');
  writeFileSync(join(work, `${name}.obj`), `mesh "${name}.off"\nmass 1\nautoMass\n`);
  const side = Math.ceil(Math.cbrt(count));
  let bodies = '';
  for (let i = 0; i < count; ++i)
    bodies += `<rigidObject name="b${i}" file="${name}.obj" position="${0.15 * (i % side)} ${0.15 * (Math.floor(i / side) % side)} ${0.1 + 0.15 * Math.floor(i / side / side)}"/>\n`;
  const file = join(work, `${name}.xml`);
  writeFileSync(file, `<world><terrain file="${join(source, 'data/terrains/floor.geom')}"/>\n${bodies}</world>\n`);
  return {file, triangles: count * faces.length};
}

/** JavaScript of a frame: moving everything and handing it to the graphics driver. */
const frames = (page, count) => page.evaluate(async (count) => {
  const {view, logs} = window.mortise, log = logs[0], times = [];
  const gl = document.getElementById('scene').getContext('webgl2'), pixel = new Uint8Array(4);
  const shown = {contacts: true, frames: false, masses: false, wireframe: false, grid: false, trails: true, sensors: true, padding: false, inertias: false, plans: true};
  for (let i = 0; i < count; ++i) {
    const start = performance.now();
    view.show(log.start + (log.end - log.start) * i / count, shown);
    view.draw();
    times.push(performance.now() - start);
    // The graphics finish before the next frame: waiting for them is no JavaScript.
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    await new Promise((done) => setTimeout(done));
  }
  return {times, ...view.statistics};
}, count);

await section('1', async () => {
  const start = performance.now();
  const {address, server} = await serve(['sim', blocks, '--view', '--no-browser']);
  const served = performance.now() - start;
  const {page} = await open(address, 'blocks');
  const first = performance.now() - start;
  await page.waitForFunction(() => window.mortise.logs[0].end > 1);
  const before = performance.now();
  await page.reload();
  await page.waitForFunction(() => document.body.dataset.ready && window.mortise.logs[0].state.times.length > 100);
  say('1 first picture, s', {served: round(served / 1000), blocks: round(first / 1000), reload: round((performance.now() - before) / 1000)});
  await page.close();
  server.kill('SIGINT');
  const big = manyBodies('one_million', 1, 1e6);
  const began = performance.now();
  const million = await serve(['view', '--no-browser', big.file]);
  const opened = await open(million.address, 'a million triangles');
  say('1 a million triangles, s', {triangles: big.triangles, seconds: round((performance.now() - began) / 1000)});
  await opened.page.close();
  million.server.kill('SIGINT');
});

await section('2', async () => {
  const many = manyBodies('thousand', 1000, 1000), log = join(work, 'thousand.mcap');
  run('sim', many.file, '--backend', 'kinematic', '--duration', '0.1', '--mcap', log, '--quiet');
  const {address, server} = await serve(['view', '--no-browser', log]);
  const {page} = await open(address, '1000 bodies');
  const measured = await frames(page, 30);
  say('2 JavaScript, ms a frame', {median: round(quantile(measured.times, 0.5)), p95: round(quantile(measured.times, 0.95)), calls: measured.calls, triangles: measured.triangles});
  await page.close();
  server.kill('SIGINT');
});

await section('4', async () => {
  const {address, server} = await serve(['sim', blocks, '--view', '--no-browser', '--realtime', '1']);
  const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024;
  const {page} = await open(address, 'a page that stops');
  await page.waitForTimeout(2000);
  const before = rss(), last = await page.evaluate(() => window.mortise.logs[0].end);
  await page.evaluate(() => (window.requestAnimationFrame = () => 0));
  const from = performance.now();
  await page.waitForTimeout(60000);
  const after = rss();
  const other = await open(address, 'another page');
  await other.page.waitForFunction((t) => window.mortise.logs[0].end > t + 30, last);
  const now = await other.page.evaluate(() => window.mortise.logs[0].end);
  say('4 a stopped page', {rss_MB: round(after - before), simulated: round(now - last), passed: round((performance.now() - from) / 1000)});
  await page.close();
  await other.page.close();
  server.kill('SIGINT');
});

await section('5', async () => {
  const {address, server} = await serve(['sim', blocks, '--view', '--no-browser']);
  const {page} = await open(address, 'steps');
  await page.click('#play');
  const times = await page.evaluate(async () => {
    const times = [];
    for (let i = 0; i < 100; ++i) {
      const log = window.mortise.logs[0], before = log.end, start = performance.now();
      window.mortise.send({type: 'step', count: 10});
      while (log.end <= before) await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      times.push(performance.now() - start);
    }
    return times;
  });
  say('5 step to pixels, ms', {median: round(quantile(times, 0.5)), p95: round(quantile(times, 0.95))});
  await page.close();
  server.kill('SIGINT');
});

await section('6', async () => {
  const many = manyBodies('fifty', 50, 12), log = join(work, 'ten_minutes.mcap');
  run('sim', many.file, '--backend', 'kinematic', '--step', '10ms', '--duration', '600', '--mcap', log, '--quiet');
  const {address, server} = await serve(['view', '--no-browser', log]);
  const start = performance.now();
  const {page} = await open(address, 'ten minutes');
  const opened = performance.now() - start;
  const seeks = await page.evaluate(async () => {
    const {view, logs} = window.mortise, times = [];
    const shown = {contacts: true, frames: false, masses: false, wireframe: false, grid: false, trails: true, sensors: true, padding: false, inertias: false, plans: true};
    let seed = 1;
    for (let i = 0; i < 100; ++i) {
      seed = (seed * 16807) % 2147483647;
      const begin = performance.now();
      view.show(600 * seed / 2147483647, shown);
      view.draw();
      times.push(performance.now() - begin);
      await new Promise((done) => setTimeout(done));
    }
    return times;
  });
  say('6 ten minutes', {MB: round(statSync(log).size / 1e6), opens_s: round(opened / 1000), seek_p95_ms: round(quantile(seeks, 0.95))});
  await page.close();
  server.kill('SIGINT');
});

await section('7', async () => {
  const bodies = manyBodies('twenty', 20, 12), log = join(work, 'sixty.mcap'), own = join(work, 'sixty_own.mcap');
  const robot = reference ? [join(reference, 'klampt-data/robots/athlete.rob')] : [];
  run('sim', bodies.file, ...robot, '--duration', '60', '--mcap', log, '--quiet');
  const info = JSON.parse(run('log', 'info', log, '--json'));
  const topics = info.channels.map((c) => c.topic).filter((t) => t.startsWith('/mortise/'));
  run('log', 'cut', log, '-o', own, ...topics.flatMap((t) => ['--topic', t]));
  const states = info.attachments.filter((a) => a.name.startsWith('states/')).reduce((sum, a) => sum + a.size, 0);
  say('7 sizes, MB', {all: round(statSync(log).size / 1e6), without_foxglove: round(statSync(own).size / 1e6), of_it_states: round(states / 1e6)});
});

/** The records of a log as @mcap/core reads them from its beginning, checksums checked, up to where it is damaged. */
function streamed(bytes) {
  const reader = new McapStreamReader({decompressHandlers: {zstd: (data, size) => decompress(data, new Uint8Array(Number(size)))}, validateCrcs: true});
  const seen = {messages: 0, chunks: [], ended: false};
  reader.append(bytes);
  try {
    for (let record = reader.nextRecord(); record; record = reader.nextRecord()) {
      if (record.type === 'Message') ++seen.messages;
      else if (record.type === 'Footer') seen.ended = true;
    }
  } catch (error) {
    seen.problem = String(error);
  }
  return seen;
}

await section('8', async () => {
  const log = join(work, 'whole.mcap');
  run('sim', join(source, 'data/worlds/watched_blocks.xml'), '--duration', '3', '--mcap', log, '--quiet');
  const bytes = readFileSync(log), whole = streamed(bytes), readable = {size: async () => BigInt(bytes.length), read: async (at, size) => bytes.subarray(Number(at), Number(at + size))};
  const reader = await McapIndexedReader.Initialize({readable, decompressHandlers: {zstd: (data, size) => decompress(data, new Uint8Array(Number(size)))}});
  let indexed = 0, before = 0, lost = 0, ours = 0, seed = 1;
  for await (const message of reader.readMessages()) ++indexed;
  const chunks = [...reader.chunkIndexes].sort((a, b) => Number(a.chunkStartOffset - b.chunkStartOffset));
  // What each whole chunk holds is read from a file that ends behind it.
  const held = chunks.map((chunk) => streamed(bytes.subarray(0, Number(chunk.chunkStartOffset + chunk.chunkLength))).messages);
  for (let i = 0; i < 100; ++i) {
    seed = (seed * 16807) % 2147483647;
    const size = Math.floor(seed / 2147483647 * bytes.length);
    const last = chunks.findLastIndex((chunk) => Number(chunk.chunkStartOffset + chunk.chunkLength) <= size), expected = last < 0 ? 0 : held[last];
    if (streamed(bytes.subarray(0, size)).messages !== expected) ++lost;
    const cut = join(work, 'cut.mcap');
    writeFileSync(cut, bytes.subarray(0, size));
    try {
      if (JSON.parse(run('log', 'info', cut, '--json')).channels.reduce((sum, c) => sum + c.messages, 0) !== expected) ++ours;
    } catch (error) {
      // Nothing can be read of a file without its header.
      if (expected > 0) ++ours;
    }
    before += expected;
  }
  say('8 read by @mcap/core, checksums checked', {bytes: bytes.length, chunks: chunks.length, messages: whole.messages, indexed, problem: whole.problem ?? null, ended: whole.ended});
  say('8 cut at 100 places', {messages_in_whole_chunks: before, cuts_where_mcap_core_reads_others: lost, cuts_where_mortise_reads_others: ours});
});

await section('9', async () => {
  // Needs protobufjs, which the viewer does not: the folder of MORTISE_PROTOBUFJS has it in its node_modules.
  const from = createRequire(join(process.env.MORTISE_PROTOBUFJS ?? process.cwd(), 'package.json'));
  const protobuf = from('protobufjs'), {FileDescriptorSet} = from('protobufjs/ext/descriptor');
  const log = join(work, 'channels.mcap'), bytes = (run('sim', join(source, 'data/worlds/watched_blocks.xml'), '--duration', '2', '--mcap', log, '--quiet'), readFileSync(log));
  const readable = {size: async () => BigInt(bytes.length), read: async (at, size) => bytes.subarray(Number(at), Number(at + size))};
  const reader = await McapIndexedReader.Initialize({readable, decompressHandlers: {zstd: (data, size) => decompress(data, new Uint8Array(Number(size)))}});
  const types = new Map();
  for (const channel of reader.channelsById.values()) {
    const schema = reader.schemasById.get(channel.schemaId);
    const root = protobuf.Root.fromDescriptor(FileDescriptorSet.decode(schema.data));
    types.set(channel.id, {topic: channel.topic, schema: schema.name, type: root.lookupType(schema.name), forwards: [], backwards: []});
  }
  for (const reverse of [false, true])
    for await (const message of reader.readMessages({reverse})) {
      const entry = types.get(message.channelId);
      entry.last = entry.type.toObject(entry.type.decode(message.data), {longs: Number, enums: String});
      entry[reverse ? 'backwards' : 'forwards'].push(`${message.logTime} ${JSON.stringify(entry.last)}`);
      if (!reverse) entry.newest = entry.last;
    }
  for (const {topic, schema, newest, forwards, backwards} of types.values()) {
    const shape = JSON.stringify(newest, (key, value) => (value?.type === 'Buffer' || value instanceof Uint8Array ? `${(value.data ?? value).length} bytes` : Array.isArray(value) && value.length > 2 ? [...value.slice(0, 1), `${value.length}`] : value));
    say(`9 ${topic}`, {schema, messages: forwards.length, backwards_equal: forwards.slice().sort().join() === backwards.slice().sort().join(), newest: shape?.slice(0, 260) ?? null});
  }
});

await section('11', async () => {
  const box = manyBodies('resting', 1, 12), log = join(work, 'resting.mcap');
  run('sim', box.file, '--duration', '3', '--mcap', log, '--quiet');
  const {address, server} = await serve(['view', '--no-browser', log]);
  const {page} = await open(address, 'a resting box');
  const force = await page.evaluate(() => {
    const log = window.mortise.logs[0], id = log.world.entities.find((e) => e.kind === 'object').id;
    return window.mortise.view.logs[0].forceOn(log.end, id);
  });
  say('11 force on a resting box of 1 kg, N', {force: force.map(round), weight: 9.8, off_percent: round(100 * Math.abs(force[2] / 9.8 - 1))});
  await page.close();
  server.kill('SIGINT');
});

await section('13', async () => {
  const folder = join(work, 'two_engines');
  run('run', join(source, 'data/pipelines/two_engines.yaml'), '-o', folder, '--quiet');
  const table = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'));
  const {address, server} = await serve(['view', '--no-browser', folder]);
  const {page} = await open(address, 'two engines');
  const apart = await page.evaluate(() => {
    const [a, b] = window.mortise.logs;
    a.show(a.end);
    b.show(b.end);
    return a.world.entities.filter((e) => e.kind === 'object').map((e) => {
      const p = a.poses.get(e.id), q = b.poses.get(e.id);
      return [e.name, Math.hypot(p[9] - q[9], p[10] - q[10], p[11] - q[11])];
    });
  });
  const text = readFileSync(join(folder, 'report.txt'), 'utf8').split('\n').filter((l) => /^ +\d+ (near_block|far_block|ball|cup) .* s /.test(l) || /never/.test(l));
  say('13 distance at the end, m', {page: apart.map(([n, d]) => [n, round(d)]), table: text.map((l) => l.trim().split(/ +/).slice(1, 3)), keys: Object.keys(table).length});
  await page.close();
  server.kill('SIGINT');
});

await section('12', async () => {
  const many = manyBodies('single', 1, 12), log = join(work, 'million_states.mcap');
  run('sim', many.file, '--backend', 'kinematic', '--duration', '1000', '--mcap', log, '--log-rate', '1000', '--quiet');
  const {address, server} = await serve(['view', '--no-browser', log]);
  const {page} = await open(address, 'a million states');
  await page.selectOption('.right select', {index: 1});
  await page.waitForSelector('.plot canvas');
  const times = await page.evaluate(async () => {
    const plot = window.mortise.plots[0], times = [];
    for (let i = 0; i < 20; ++i) {
      const start = performance.now();
      plot.setScale('x', {min: 10 * i, max: 1000 - 10 * i});
      await new Promise((done) => setTimeout(done));
      times.push(performance.now() - start);
    }
    return {times, points: plot.data[0].length};
  });
  say('12 zoom, ms', {points: times.points, median: round(quantile(times.times, 0.5)), p95: round(quantile(times.times, 0.95))});
  await page.close();
  server.kill('SIGINT');
});

await section('14', async () => {
  const {address, server} = await serve(['pose', '--no-browser', blocks, '--resources', join(work, 'poses')]);
  const {page} = await open(address, 'a posed world');
  const measured = await page.evaluate(async () => {
    const log = window.mortise.logs[0], links = log.robots[0].links, link = links.length - 1, times = [];
    let bad = 0, outside = 0, seed = 1;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    for (let i = 0; i < 300; ++i) {
      const target = [1.4 * random() - 0.7, 1.4 * random() - 0.7, 0.3 + 0.8 * random()], start = performance.now();
      await window.pose.ask({type: 'drag', robot: 0, link, point: [0, 0, 0], target});
      await new Promise(requestAnimationFrame);
      times.push(performance.now() - start);
      const q = window.pose.state().q[0];
      q.forEach((v, j) => {
        if (!Number.isFinite(v)) ++bad;
        if (v < links[j].limits[0] - 1e-9 || v > links[j].limits[1] + 1e-9) ++outside;
      });
    }
    return {times, bad, outside};
  });
  say('14 dragging, ms', {median: round(quantile(measured.times, 0.5)), p95: round(quantile(measured.times, 0.95)), not_finite: measured.bad, outside: measured.outside});
  await page.close();
  server.kill('SIGINT');
});

await section('18', async () => {
  const log = join(work, 'ten_seconds.mcap');
  run('sim', blocks, '--duration', '10', '--mcap', log, '--quiet');
  const hashes = [0, 1].map((i) => {
    const movie = join(work, `movie${i}.mp4`);
    run('render', log, '-o', movie, '--size', '320x240', '--quiet');
    return execFileSync('ffmpeg', ['-v', 'error', '-i', movie, '-f', 'framemd5', '-'], {encoding: 'utf8'}).split('\n').filter((line) => line && line[0] !== '#');
  });
  say('18 movie', {frames: hashes[0].length, same: JSON.stringify(hashes[0]) === JSON.stringify(hashes[1]), display: process.env.DISPLAY ?? null});
});

await section('20', async () => {
  const {address, server} = await serve(['sim', blocks, '--view', '--no-browser']);
  const [, port, token] = /:(\d+)\/#token=(\w+)/.exec(address);
  const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024;
  const upgrade = (headers) => new Promise((done) => {
    const socket = net.connect(Number(port), '127.0.0.1', () => socket.write('GET /session HTTP/1.1\r\n' +
      `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${headers}\r\n`));
    socket.once('data', (data) => done({socket, status: Number(String(data).slice(9, 12))}));
    socket.once('error', () => done({socket, status: 0}));
  });
  const own = `Host: 127.0.0.1:${port}\r\n`;
  const statuses = {};
  for (const [name, headers] of Object.entries({own, foreign_host: 'Host: evil.example\r\n', foreign_origin: own + 'Origin: http://evil.example\r\n'})) {
    const {socket, status} = await upgrade(headers);
    statuses[name] = status;
    socket.destroy();
  }
  const frame = (bytes, opcode = 1) => {
    const mask = Buffer.from([1, 2, 3, 4]), head = bytes.length < 126 ? Buffer.from([0x80 | opcode, 0x80 | bytes.length]) :
      Buffer.from([0x80 | opcode, 0xfe, bytes.length >> 8, bytes.length & 255]);
    return Buffer.concat([head, mask, Buffer.from(bytes.map((b, i) => b ^ mask[i % 4]))]);
  };
  let seed = 1, sent = 0;
  const random = () => (seed = (seed * 16807) % 2147483647);
  const before = rss();
  while (sent < 100000) {
    const {socket} = await upgrade(own);
    socket.on('error', () => 0);
    socket.resume();
    socket.write(frame(Buffer.from(token)));
    for (let i = 0; i < 2000 && !socket.destroyed; ++i, ++sent) {
      const bytes = Buffer.from(Array.from({length: random() % 60}, () => random() % 256));
      const text = Buffer.from(['{"type":"go","tick":1e99}', '{"type":"pull","id":-1}', '[[[[', '{"type":5}', '{}', '{"type":"speed","speed":"x"}'][random() % 6]);
      const data = i % 3 === 0 ? bytes : frame(i % 3 === 1 ? text : bytes);
      if (!socket.write(data)) await Promise.race([new Promise((done) => socket.once('drain', done)), new Promise((done) => socket.once('close', done))]);
    }
    socket.destroy();
  }
  const {page} = await open(address, 'after nonsense');
  say('20 foreign and malformed', {...statuses, frames: sent, rss_MB: round(rss() - before), alive: server.exitCode === null});
  const heap = () => page.evaluate(() => performance.memory.usedJSHeapSize / 1e6);
  const start = [await heap(), rss()];
  for (let i = 0; i < 100; ++i) {
    await page.reload();
    await page.waitForFunction(() => document.body.dataset.ready);
  }
  say('20 100 loads', {heap_MB: round(await heap() - start[0]), rss_MB: round(rss() - start[1])});
  server.kill('SIGINT');
});

await section('20live', async () => {
  // Minutes that a page watches a running simulation: MORTISE_MINUTES, 5 unless told.
  const minutes = Number(process.env.MORTISE_MINUTES ?? 5);
  const {address, server} = await serve(['sim', blocks, '--view', '--no-browser', '--realtime', '1']);
  const {page} = await open(address, 'a page that stays');
  const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024;
  const tools = await page.context().newCDPSession(page), seen = [];
  for (let minute = 0; minute <= minutes; ++minute) {
    await page.waitForTimeout(minute === 0 ? 10000 : 60000);
    await tools.send('HeapProfiler.collectGarbage');
    const heap = await tools.send('Runtime.getHeapUsage');
    seen.push({heap_MB: round(heap.usedSize / 1e6), arrays_MB: round((heap.backingStorageSize ?? 0) / 1e6), server_MB: round(rss())});
  }
  say('20 a page that stays, by minute', seen);
  await page.close();
  server.kill('SIGINT');
});

await browser.close();
process.exit(0);
