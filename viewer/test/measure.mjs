// Figures of the viewer, for docs/results/viewer.md: times of pages, memory, sizes. No test: asserts nothing.
// Usage: node measure.mjs MORTISE SOURCE_DIR WORK_DIR CHROMIUM [SECTION...]
import {execFileSync} from 'node:child_process';
import {readFileSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import net from 'node:net';
import {join, resolve} from 'node:path';
import {browser, mortise, newWindow, open, packages, reference, run, serve, source, work} from './harness.mjs';

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
  const shown = {contacts: true, frames: false, masses: false, wireframe: false, grid: false, trails: true, sensors: true, padding: false, inertias: false, plans: true, commanded: false};
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

/** Opens a page; `script()`: the time that the page's own script has taken, s. */
async function openMeasured(address, name) {
  let tools;
  const {page} = await open(address, name, async (page) => {
    tools = await page.context().newCDPSession(page);
    await tools.send('Performance.enable');
  });
  const script = async () => (await tools.send('Performance.getMetrics')).metrics.find((m) => m.name === 'ScriptDuration').value;
  return {page, script};
}

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
  // A browser that has run for a while, as people's have, and opens a further tab: its graphics are there already. Of that, what
  // making the canvas waits for the graphics.
  const window = await newWindow(), again = [];
  await (await window.newPage()).goto('about:blank');
  await window.addInitScript(() => {
    const getContext = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
      const start = performance.now(), context = getContext.call(this, kind, ...more);
      if (kind === 'webgl2') globalThis.canvasSeconds = (performance.now() - start) / 1000;
      return context;
    };
  });
  for (let i = 0; i < 7; ++i) {
    const begun = performance.now(), next = await serve(['sim', blocks, '--view', '--no-browser']), served = (performance.now() - begun) / 1000;
    const {page} = await open(next.address, 'blocks', undefined, window);
    const seconds = (performance.now() - begun) / 1000;
    const inside = await page.evaluate(() => ({canvas: globalThis.canvasSeconds, page: performance.now() / 1000}));
    again.push({seconds, served, ...inside});
    await page.close();
    next.server.kill('SIGINT');
  }
  await window.close();
  say('1 first picture in a browser that runs, s', Object.fromEntries(['seconds', 'served', 'canvas', 'page'].map((part) => [part, round(quantile(again.map((a) => a[part]), 0.5))])));
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
  // The whole page: the slider, the tree, the numbers.
  const whole = await page.evaluate(async () => {
    const {view, logs, setTime} = window.mortise, log = logs[0], times = [];
    const gl = document.getElementById('scene').getContext('webgl2'), pixel = new Uint8Array(4);
    for (let i = 0; i < 15; ++i) {
      const start = performance.now();
      setTime(log.start + (log.end - log.start) * i / 15);
      await new Promise((done) => queueMicrotask(() => queueMicrotask(done)));
      view.draw();
      times.push(performance.now() - start);
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      await new Promise((done) => setTimeout(done, 100));
    }
    return times;
  });
  say('2 the same of the whole page, ms a frame', {median: round(quantile(whole, 0.5)), p95: round(quantile(whole, 0.95))});
  await page.close();
  server.kill('SIGINT');
});

/** A page of one file with a log of a world. */
function htmlOf(world, duration = '0.1') {
  const log = join(work, 'page.mcap'), html = join(work, 'page.html');
  run('sim', world, '--duration', duration, '--mcap', log, '--quiet');
  run('log', 'html', log, '-o', html, '--quiet');
  return resolve(html);
}

/** Processor time of a command, s. */
function processorTime(...words) {
  const said = execFileSync('bash', ['-c', '"$@" > /dev/null 2>&1; times', 'bash', mortise, ...words], {encoding: 'utf8'});
  return said.trim().split('\n')[1].split(' ').reduce((sum, text) => {
    const [, minutes, seconds] = /(\d+)m([\d.]+)s/.exec(text);
    return sum + 60 * Number(minutes) + Number(seconds);
  }, 0);
}

await section('3', async () => {
  const twenty = manyBodies('twenty_paired', 20, 12).file, robot = reference ? [join(reference, 'klampt-data/robots/athlete.rob')] : [];
  for (const [name, files, duration, pairs] of [['blocks', [blocks], '20', 9], ['20 boxes and a robot', [twenty, ...robot], '5', 9]]) {
    const log = join(work, 'paired.mcap'), sim = ['sim', ...files, '--duration', duration], hash = (text) => JSON.parse(text).state_hash;
    const hashes = {none: hash(run(...sim, '--json')), log: hash(run(...sim, '--json', '--mcap', log))};
    for (const [way, words] of [['viewer', []], ['both', ['--mcap', log]]]) {
      const {address, server, said} = await serve([...sim, ...words, '--view', '--no-browser', '--realtime', '20', '--json']);
      const {page} = await open(address, `${name}, ${way}`);
      while (!said.out.includes('state_hash') || !said.out.trimEnd().endsWith('}')) await page.waitForTimeout(100);
      hashes[way] = hash(said.out.slice(said.out.indexOf('{')));
      await page.close();
      server.kill('SIGINT');
    }
    const plain = [], logged = [];
    for (let i = 0; i < pairs; ++i)
      for (const withLog of i % 2 ? [true, false] : [false, true])
        (withLog ? logged : plain).push(processorTime(...sim, '--quiet', ...(withLog ? ['--mcap', log] : [])));
    const slower = logged.map((t, i) => 100 * (t / plain[i] - 1));
    say(`3 ${name}`, {hashes_equal: new Set(Object.values(hashes)).size === 1, ...hashes, plain_s: round(quantile(plain, 0.5)),
      slower_percent: round(quantile(slower, 0.5)), of_medians: round(100 * (quantile(logged, 0.5) / quantile(plain, 0.5) - 1)), pairs});
  }
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
  // Where they go: until the last of the ten steps is where the page draws it (simulation, server, page), until it is handed to
  // the graphics (the next frame), and until the frame after that (what the graphics take).
  const parts = await page.evaluate(async () => {
    const {view, logs, send} = window.mortise, log = logs[0], show = view.show, render = view.render, parts = [];
    const last = () => log.state.ticks[log.state.ticks.length - 1];
    let wanted = Infinity, shown = 0, drawn = 0;
    view.show = (...given) => {
      show.apply(view, given);
      // What stands is not drawn anew, but that is what is measured.
      view.changed();
      if (last() >= wanted && shown === 0) shown = performance.now();
    };
    view.render = (...given) => {
      render.apply(view, given);
      if (shown > 0 && drawn === 0) drawn = performance.now();
    };
    for (let i = 0; i < 100; ++i) {
      wanted = last() + 10;
      shown = drawn = 0;
      const start = performance.now();
      send({type: 'step', count: 10});
      while (drawn === 0) await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      parts.push([shown - start, drawn - start, performance.now() - start]);
      // Each begins when everything is at rest.
      while (!view.settled) await new Promise((done) => setTimeout(done, 10));
    }
    return parts;
  });
  ['in the page', 'drawn', 'in the frame after'].forEach((name, i) => {
    const part = parts.map((p) => p[i]);
    say(`5 ten steps ${name}, ms`, {median: round(quantile(part, 0.5)), p95: round(quantile(part, 0.95))});
  });
  await page.close();
  server.kill('SIGINT');
});

await section('6', async () => {
  const many = manyBodies('fifty', 50, 12), log = join(work, 'ten_minutes.mcap');
  run('sim', many.file, '--backend', 'kinematic', '--step', '10ms', '--duration', '600', '--mcap', log, '--quiet');
  const {address, server} = await serve(['view', '--no-browser', log]);
  const start = performance.now();
  const {page, script} = await openMeasured(address, 'ten minutes');
  const opened = performance.now() - start, scripted = await script();
  const seeks = await page.evaluate(async () => {
    const {view, logs} = window.mortise, times = [];
    const shown = {contacts: true, frames: false, masses: false, wireframe: false, grid: false, trails: true, sensors: true, padding: false, inertias: false, plans: true, commanded: false};
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
  say('6 ten minutes', {MB: round(statSync(log).size / 1e6), opens_s: round(opened / 1000), script_s: round(scripted), seek_p95_ms: round(quantile(seeks, 0.95))});
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

await section('10', async () => {
  // Each robot a page would show: its links as logs describe them, and where the program says they are.
  const {page} = await open('file://' + htmlOf(blocks), 'a page with kinematics');
  const folders = [join(source, 'data/robots'), ...(reference ? [join(reference, 'klampt-data/robots')] : [])];
  const files = folders.flatMap((folder) => readdirSync(folder).filter((name) => /\.(rob|urdf)$/.test(name)).map((name) => join(folder, name)));
  const figures = {robots: 0, links: 0, configurations: 0, worst: 0, worst_robot: '', unread: []};
  let seed = 1;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (const file of files) {
    const log = join(work, 'robot.mcap'), world = join(work, 'robot.json'), path = join(work, 'robot.path');
    try {
      run('sim', file, '--backend', 'kinematic', '--duration', '0.001', '--mcap', log, '--quiet');
      run('log', 'export', log, world, '--attachment', 'world.json');
      const {links} = JSON.parse(readFileSync(world, 'utf8')).robots[0];
      const q = Array.from({length: 1000}, () => links.map(({limits}) => {
        const [low, high] = (limits ?? [null, null]).map((limit, i) => (Number.isFinite(limit) && Math.abs(limit) < 100 ? limit : (i ? 3 : -3)));
        return low + (high - low) * random();
      }));
      writeFileSync(path, q.map((row, i) => `${i} ${row.length} ${row.join(' ')}\n`).join(''));
      const {samples} = JSON.parse(run('robot', 'trace', file, path, '--json'));
      const expected = samples.map((sample) => sample.links.map((link) => link.T));
      // Texts go to pages much faster than lists.
      const worst = await page.evaluate((text) => {
        const {links, q, expected} = JSON.parse(text);
        const Robot = window.mortise.logs[0].robots[0].constructor, robot = new Robot('', links);
        let worst = 0;
        q.forEach((row, i) => {
          robot.update(row);
          robot.poses.forEach((pose, l) => pose.forEach((value, k) => (worst = Math.max(worst, Math.abs(value - expected[i][l][k])))));
        });
        return worst;
      }, JSON.stringify({links, q, expected}));
      ++figures.robots;
      figures.links += links.length;
      figures.configurations += expected.length;
      if (!(worst <= figures.worst)) Object.assign(figures, {worst, worst_robot: file.replace(/.*\//, '')});
    } catch (error) {
      figures.unread.push(file.replace(/.*\//, ''));
    }
  }
  say('10 kinematics of pages', figures);
  await page.close();
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
    const plot = window.mortise.plots[0], times = [], script = [];
    for (let i = 0; i < 20; ++i) {
      const start = performance.now();
      plot.setScale('x', {min: 10 * i, max: 1000 - 10 * i});
      // The plot draws when this task ends; the browser's own drawing, in software here, comes after that.
      await new Promise((done) => queueMicrotask(done));
      script.push(performance.now() - start);
      await new Promise((done) => setTimeout(done));
      times.push(performance.now() - start);
    }
    return {times, script, points: plot.data[0].length};
  });
  say('12 zoom, ms', {points: times.points, median: round(quantile(times.times, 0.5)), p95: round(quantile(times.times, 0.95))});
  say('12 JavaScript of it, ms', {median: round(quantile(times.script, 0.5)), p95: round(quantile(times.script, 0.95))});
  await page.close();
  server.kill('SIGINT');
});

await section('14', async () => {
  const {address, server} = await serve(['pose', '--no-browser', blocks, '--resources', join(work, 'poses')]);
  const {page} = await open(address, 'a posed world');
  const measured = await page.evaluate(async () => {
    const log = window.mortise.logs[0], links = log.robots[0].links, link = links.length - 1, times = [], answers = [];
    let bad = 0, outside = 0, seed = 1;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    for (let i = 0; i < 300; ++i) {
      const target = [1.4 * random() - 0.7, 1.4 * random() - 0.7, 0.3 + 0.8 * random()], start = performance.now();
      await window.pose.ask({type: 'drag', robot: 0, link, point: [0, 0, 0], target});
      answers.push(performance.now() - start);
      await new Promise(requestAnimationFrame);
      times.push(performance.now() - start);
      const q = window.pose.state().q[0];
      q.forEach((v, j) => {
        if (!Number.isFinite(v)) ++bad;
        if (v < links[j].limits[0] - 1e-9 || v > links[j].limits[1] + 1e-9) ++outside;
      });
    }
    return {times, answers, bad, outside};
  });
  say('14 dragging, ms', {median: round(quantile(measured.times, 0.5)), p95: round(quantile(measured.times, 0.95)), not_finite: measured.bad, outside: measured.outside});
  say('14 until the page has the answer, ms', {median: round(quantile(measured.answers, 0.5)), p95: round(quantile(measured.answers, 0.95))});
  await page.close();
  server.kill('SIGINT');
});

await section('14b', async () => {
  const drags = Number(process.env.MORTISE_DRAGS ?? 10000);
  const {address, server} = await serve(['pose', '--no-browser', blocks, '--resources', join(work, 'drags')]);
  const {page} = await open(address, 'a robot that is dragged');
  const measured = await page.evaluate(async (drags) => {
    const own = window.mortise.logs[0].robots[0], links = own.links, robot = new own.constructor('', links);
    const out = {drags, not_finite: 0, outside: 0, reachable: 0, missed: 0, worst_reached: 0};
    let seed = 1;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    for (let i = 0; i < drags; ++i) {
      const link = links.length - 1 - i % 3, point = [0.01, 0, 0.02], reachable = i % 2 === 0;
      let target = [4 * random() - 2, 4 * random() - 2, 3 * random() - 1];
      if (reachable) {
        // Where the point is in some configuration within the limits.
        robot.update(links.map(({limits: [low, high]}) => low + (high - low) * random()));
        const T = robot.poses[link];
        target = [0, 1, 2].map((k) => T[3 * k] * point[0] + T[3 * k + 1] * point[1] + T[3 * k + 2] * point[2] + T[9 + k]);
      }
      await window.pose.ask({type: 'drag', robot: 0, link, point, target});
      const {q: [q], residual} = window.pose.state();
      q.forEach((v, j) => {
        if (!Number.isFinite(v)) ++out.not_finite;
        if (v < links[j].limits[0] - 1e-9 || v > links[j].limits[1] + 1e-9) ++out.outside;
      });
      if (!reachable) continue;
      ++out.reachable;
      if (residual <= 1e-4) out.worst_reached = Math.max(out.worst_reached, residual);
      else ++out.missed;
    }
    return out;
  }, drags);
  say('14 random drags', measured);
  await page.close();
  server.kill('SIGINT');
});

await section('16', async () => {
  const folder = join(work, 'kinds'), standing = join(source, 'data/worlds/humanoid_beam.xml'), kinds = ['configuration', 'configurations', 'trajectory', 'ik_goal', 'transform', 'hold', 'stance', 'grasp'];
  const files = () => new Map(readdirSync(folder).sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const changed = (a, b) => [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name));
  const posing = async (work) => {
    const {address, server} = await serve(['pose', '--no-browser', standing, '--resources', folder]);
    const {page} = await open(address, 'a humanoid that is posed');
    const ask = (message) => page.evaluate(async (message) => {
      await window.pose.ask(message);
      const {problem, resources} = window.pose.state();
      return {problem, resources};
    }, message);
    const done = await work(ask, page);
    await ask({type: 'save'});
    await page.close();
    server.kill('SIGINT');
    return done;
  };
  const problems = [];
  const say16 = async (ask, message) => {
    const {problem} = await ask(message);
    if (problem) problems.push(`${message.type} ${message.kind ?? message.to ?? ''}: ${problem.split('\n')[0]}`);
  };
  let foot = 10;
  await posing(async (ask, page) => {
    foot = await page.evaluate(() => window.mortise.logs[0].robots[0].links.findLastIndex((link) => /foot|sole/.test(link.name)));
    await ask({type: 'touch', distance: 0.05});
    await ask({type: 'pin', robot: 0, link: foot});
    for (const kind of kinds) await say16(ask, {type: 'store', robot: 0, link: foot, kind});
    await ask({type: 'driver', robot: 0, driver: 8, value: 0.05});
    await say16(ask, {type: 'milestone', resource: 2, robot: 0, action: 'insert', at: 1});
    await say16(ask, {type: 'convert', resource: 2, to: 'multipath'});
  });
  const kept = files();
  // Another program reads them, shows each, and writes them again: the same bytes.
  await posing(async (ask, page) => {
    const count = await page.evaluate(() => document.querySelectorAll('.pose .list .row').length);
    for (let resource = 0; resource < count; ++resource) await say16(ask, {type: 'load', robot: 0, resource});
  });
  const again = files();
  // Edited, saved and read.
  await posing(async (ask) => {
    await ask({type: 'touch', distance: 0.05});
    await ask({type: 'driver', robot: 0, driver: 8, value: 0.1});
    await ask({type: 'pin', robot: 0, link: foot});
    for (const [resource, name] of [...kept.keys()].entries()) {
      const kind = kinds.find((k) => name.startsWith(k + '.'));
      if (kind) await say16(ask, {type: 'store', robot: 0, link: foot, kind, resource});
    }
  });
  const edited = files();
  await posing(async () => undefined);
  say('16 kinds of resources', {files: [...kept.keys()], changed_by_reading: changed(kept, again), edited: changed(again, edited).length,
    changed_after_edits: changed(edited, files()), problems});
});

await section('19', async () => {
  const log = join(work, 'offline.mcap'), html = join(work, 'offline.html');
  run('sim', blocks, '--duration', '10', '--mcap', log, '--quiet');
  run('log', 'html', log, '-o', html, '--quiet');
  const {page, complaints} = await open('file://' + resolve(html), 'a page without a server');
  await page.evaluate(() => window.mortise.setTime(5));
  await page.waitForTimeout(500);
  const page_MB = (statSync(html).size - 4 / 3 * statSync(log).size) / 1e6;
  say('19 one file, offline, Chromium (Firefox: the test viewer/firefox)', {complaints, log_MB: round(statSync(log).size / 1e6), html_MB: round(statSync(html).size / 1e6),
    without_data_MB: round(page_MB), asked_MB: 1.3});
  await page.close();
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
  // The past that a run keeps grows as long as it runs, up to its bound; what pages take is seen while it stands.
  await page.evaluate(() => window.mortise.send({type: 'pause'}));
  await page.waitForTimeout(1000);
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
