// Logs of hours: what is read and unpacked to open one, to seek in it and to plot it, and that what is shown is what was written.
import assert from 'node:assert/strict';
import test from 'node:test';
import {MemorySource, PagedBytes} from '../../src/data/bytes';
import {alignedCurves, curvesOf, sampled, sampledDifference, valueAt, wholeCurve} from '../../src/data/curves';
import {Log} from '../../src/data/log';
import {LongLog, RATE, placeAt, rareAt} from '../support/long_log';

const HOURS = 3 * 3600, X = {topic: '/mortise/state', column: 'box.x'};
const whole = (log: Log) => new Promise<void>((done) => {
  const stop = log.events.on('curves', () => {
    if (!log.longCurve(X)!.whole) return;
    stop();
    done();
  });
  sampled(log, X);
});

test('three hours are opened and sought by reading little', async () => {
  const file = new LongLog({seconds: HOURS}), log = await Log.open('long', file);
  assert.ok(log.isLong && log.damage === '' && log.problem === '');
  assert.equal(log.start, 0);
  assert.ok(Math.abs(log.end - (HOURS - 1 / RATE)) < 1e-6);
  assert.ok(file.size > 40e6 && file.read_ < 3e6, `${file.read_} of ${file.size} bytes are read to open it`);
  assert.ok(log.cost.chunks <= 16, `${log.cost.chunks} chunks are unpacked to open it`);
  let random = 1;
  for (let i = 0; i < 40; ++i) {
    random = (random * 16807) % 2147483647;
    const time = (random % (HOURS * RATE)) / RATE, before = {...log.cost};
    await log.load(time);
    log.show(time);
    const x = log.poses.get(0)![9];
    assert.ok(Math.abs(x - placeAt(Math.round(time * 1000))) < 1e-6, `at ${time}`);
    assert.equal(valueAt(log, X, time), placeAt(Math.round(time * 1000)));
    assert.equal(valueAt(log, {topic: '/mortise/sensors/box/rare', column: 'v'}, time), rareAt(1000 * Math.floor(time / 1000 + 1e-9)), `the last of the rare ones before ${time}`);
    const {bytes, chunks} = log.cost;
    // The window itself, the one behind it that is read ahead, and where the rare sensor was last.
    assert.ok(bytes - before.bytes <= 6 * (1 << 18) && chunks - before.chunks <= 14, `${bytes - before.bytes} bytes, ${chunks - before.chunks} chunks at ${time}`);
  }
  assert.ok(log['windows']!['kept'].size <= 100);
});

test('between samples and from window to window nothing jumps', async () => {
  const log = await Log.open('long', new LongLog({seconds: HOURS}));
  for (let time = 4000; time < 4020; time += 0.0137) {
    await log.load(time);
    log.show(time);
    assert.ok(Math.abs(log.poses.get(0)![9] - Math.sin(time * 0.1)) < 1e-5, `at ${time}`);
  }
});

test('what is not in memory is shown when it is', async () => {
  const log = await Log.open('long', new LongLog({seconds: HOURS}));
  log.show(0);
  const loaded = new Promise<void>((done) => void log.events.on('loaded', done));
  log.show(9000);
  assert.equal(log.poses.get(0)![9], placeAt(0), 'until then, what was shown stays');
  assert.deepEqual(log.contactsAt(9000), []);
  await loaded;
  log.show(9000);
  assert.ok(Math.abs(log.poses.get(0)![9] - placeAt(9000000)) < 1e-6);
});

test('an outline has every extreme, and what is zoomed to is exact', async () => {
  const spike = {tick: 5432100, value: 7}, file = new LongLog({seconds: HOURS, spike}), log = await Log.open('long', file);
  const first = sampled(log, X)!;
  assert.equal(first.times[first.times.length - 1], log.end, 'axes reach to the end from the beginning');
  await whole(log);
  const {times, values} = sampled(log, X)!;
  assert.ok(times.length <= 2 * 65536 + 1, `${times.length} points`);
  assert.ok(times.every((t, i) => i === 0 || t >= times[i - 1]));
  const at = values.indexOf(7);
  assert.ok(at >= 0 && Math.abs(times[at] - 5432.1) < 1e-9, 'one sample of a million is seen, where it is');
  assert.ok(Math.abs(Math.min(...values) + 1) < 1e-4);
  const range = {min: 5400, max: 5500}, news = new Promise<void>((done) => void log.events.on('curves', done));
  sampled(log, X, range);
  await news;
  const zoomed = sampled(log, X, range)!, inside = [...zoomed.times.keys()].filter((i) => zoomed.times[i] >= 5400 && zoomed.times[i] < 5500);
  assert.equal(inside.length, 100 * RATE);
  for (const i of inside) {
    const tick = Math.round(zoomed.times[i] * 1000);
    assert.equal(zoomed.values[i], tick === spike.tick ? 7 : placeAt(tick));
  }
  const all = (await wholeCurve(log, X))!;
  assert.equal(all.times.length, HOURS * RATE);
  assert.equal(all.values[123456], placeAt(1234560));
});

test('differences of long logs, and of a long and a short one', async () => {
  const log = await Log.open('a', new LongLog({seconds: 2000})), other = await Log.open('b', new LongLog({seconds: 2000, shift: 0.25}));
  assert.ok(log.isLong && other.isLong);
  sampledDifference(log, other, X);
  await new Promise<void>((done) => void log.events.on('curves', done));
  while (!log.kept('difference\nb\n/mortise/state\nbox.x', () => assert.fail()).whole) await new Promise((done) => setTimeout(done, 5));
  const {values} = sampledDifference(log, other, X)!;
  assert.ok(values.length > 1000 && values.every((v) => Math.abs(v - 0.25) < 1e-6));
  const short = await Log.open('c', new LongLog({seconds: 10}));
  assert.ok(!short.isLong);
  const parts = alignedCurves([sampled(log, X), sampled(short, X)], true);
  assert.ok(parts.values.every((v) => v.length === parts.times.length));
});

test('a file without a summary is gone through once, and one that was cut is read to where it is whole', async () => {
  const file = new LongLog({seconds: 1500, summary: false}), log = await Log.open('bare', file);
  assert.ok(log.isLong && log.damage === '');
  assert.ok(Math.abs(log.end - (1500 - 1 / RATE)) < 1e-6);
  await log.load(777);
  log.show(777);
  assert.ok(Math.abs(log.poses.get(0)![9] - placeAt(777000)) < 1e-6);
  const cutAt = Math.floor(file.size * 0.6);
  const cut = await Log.open('cut', {size: cutAt, read: (offset, length) => file.read(offset, Math.min(length, cutAt - offset))});
  assert.match(cut.damage, /ends too early/);
  assert.ok(cut.end > 800 && cut.end < 950, `to ${cut.end}`);
});

test('a damaged chunk is missing, and said to be', async () => {
  const log = await Log.open('damaged', new LongLog({seconds: 2000, damaged: 1001}));
  assert.equal(log.problem, '');
  await log.load(1001.5);
  log.show(1001.5);
  assert.match(log.problem, /damaged, from 100[01]\.\d+ s on/);
  await log.load(1010);
  log.show(1010);
  assert.ok(Math.abs(log.poses.get(0)![9] - placeAt(1010000)) < 1e-6);
});

test('short logs are in memory as a whole', async () => {
  const log = await Log.open('short', new LongLog({seconds: 20}));
  assert.ok(!log.isLong);
  assert.equal(log.state.times.length, 20 * RATE);
  assert.equal(curvesOf(log).length, 8);
  assert.equal(sampled(log, X)!.values, log.state.columns[0]);
});

test('few pages of a file are kept, and neighbors are read at once', async () => {
  const bytes = Uint8Array.from({length: 30 << 20}, (_, i) => i % 251), reads: number[] = [];
  const file = new PagedBytes({size: bytes.length, read: (offset, length) => {
    reads.push(length);
    return new MemorySource(bytes).read(offset, length);
  }});
  assert.deepEqual(await file.get(1000000, 600000), bytes.subarray(1000000, 1600000));
  assert.deepEqual(reads, [4 << 18], 'whole pages, at once');
  await file.get(1200000, 10);
  assert.equal(reads.length, 1);
  for (let at = 0; at < bytes.length; at += 1 << 18) await file.get(at, 1);
  assert.ok(file['pages'].size <= 64);
  await assert.rejects(file.get(bytes.length - 5, 6), /ends too early/);
});
