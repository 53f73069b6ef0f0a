// Packets of a running simulation: records in channels, images, the past of a log that goes on.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {LiveChannels} from '../../src/data/live_channels';
import {Log, type SensorDescription, Series} from '../../src/data/log';
import {FIRST_IMAGE} from '../../src/data/protocol';
import {seriesMessage} from '../support/blocks';

function packet(...records: {channel: number; tick: number; content: Uint8Array}[]): ArrayBuffer {
  const bytes = records.flatMap(({channel, tick, content}) => {
    const head = new DataView(new ArrayBuffer(16));
    head.setUint32(0, channel, true);
    head.setUint32(4, content.length, true);
    head.setBigInt64(8, BigInt(tick), true);
    return [...new Uint8Array(head.buffer), ...content, ...new Array<number>((8 - content.length % 8) % 8).fill(0)];
  });
  return Uint8Array.from(bytes).buffer;
}

const eye = (name: string): SensorDescription => ({
  robot: 0, name, topic: `/images/${name}`, link: 0, T: [], camera: {width: 1, height: 1, fx: 1, fy: 1, cx: 0, cy: 0, near: 0, far: null},
});
const laser: SensorDescription = {robot: 0, name: 'laser', topic: '/laser', link: 0, T: []};
const hello = {type: 'hello', channels: [{topic: '/a', columns: ['x']}, {topic: '/b', columns: ['x', 'y']}], sensors: []} as const;
const greet = (channels: LiveChannels, more: {sensors?: SensorDescription[]; from?: number} = {}) =>
  channels.hello({...hello, channels: hello.channels.map(({topic, columns}) => ({topic, columns: [...columns]})), sensors: [], ...more});

test('records come to their channels, whatever their padding', () => {
  const log = new Log('run'), channels = new LiveChannels(log);
  greet(channels);
  channels.take(packet(
    {channel: 1, tick: 5, content: seriesMessage([5], [[1, 2]], 2)}, {channel: 0, tick: 5, content: seriesMessage([5, 300], [[7], [8]], 1)},
    {channel: 9, tick: 5, content: Uint8Array.of(1, 2, 3)}, {channel: 0, tick: 400, content: seriesMessage([400], [[9]], 1)}));
  assert.deepEqual([...log.series.get('/a')!.columns[0]], [7, 8, 9]);
  assert.deepEqual([...log.series.get('/b')!.columns[1]], [2]);
  channels.cutAfter(300);
  assert.deepEqual([...log.series.get('/a')!.ticks], [5, 300]);
});

test('images belong to cameras in their order', () => {
  const log = new Log('run'), channels = new LiveChannels(log);
  greet(channels, {sensors: [eye('left'), laser, eye('right')]});
  channels.take(packet({channel: FIRST_IMAGE + 1, tick: 1, content: Uint8Array.of(1, 2, 3)}, {channel: FIRST_IMAGE + 1, tick: 2, content: Uint8Array.of(4)}));
  assert.equal(log.pictures.has('/images/left'), false);
  assert.deepEqual(log.pictures.get('/images/right')?.map(({png}) => [...png]), [[4]], 'the newest one alone');
  assert.deepEqual([...log.pictureAt('/images/right', 0)!.png], [4]);
});

test('a run that goes on keeps what its log has', () => {
  const log = new Log('run'), old = new Series('/a', ['x']), other = new Series('/b', ['z']);
  for (const series of [old, other]) {
    series.add(seriesMessage([1, 2, 3], [[1], [2], [3]], 1));
    series.finish();
    log.series.set(series.topic, series);
  }
  const channels = new LiveChannels(log);
  greet(channels, {from: 2});
  channels.take(packet({channel: 0, tick: 5, content: seriesMessage([5], [[9]], 1)}, {channel: 1, tick: 5, content: seriesMessage([5], [[1, 2]], 2)}));
  assert.deepEqual([...log.series.get('/a')!.ticks], [1, 2, 5]);
  assert.deepEqual([...log.series.get('/b')!.ticks], [5], 'other columns are another series');
});
