// Logs of other tools: JSON, protobuf and CDR, short and long, whatever else is in them.
import assert from 'node:assert/strict';
import test from 'node:test';
import {BlobSource} from '../../src/data/bytes';
import {curvesOf, sampled, wholeCurve} from '../../src/data/curves';
import type {Cloud} from '../../src/data/foreign/drawn';
import {Log} from '../../src/data/log';
import {type Channel, type Sent, otherLog} from '../support/other_log';
import {CdrText, bytes, field, real, type} from '../support/wire';

const START = 1_700_000_000_123_456_789n;
const turn = (angle: number) => ({x: 0, y: 0, z: Math.sin(angle / 2), w: Math.cos(angle / 2)});
const HEADER = 'std_msgs/Header header\n', LINE = `\n${'='.repeat(80)}\n`, TIME = 'int32 sec\nuint32 nanosec\n';
const HEADERS = `${LINE}MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n${LINE}MSG: builtin_interfaces/Time\n${TIME}`;
const VECTORS = `${LINE}MSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n${LINE}MSG: geometry_msgs/Quaternion\nfloat64 x\nfloat64 y\nfloat64 z\nfloat64 w\n`;
const TF = `geometry_msgs/TransformStamped[] transforms\n${LINE}MSG: geometry_msgs/TransformStamped\n${HEADER}string child_frame_id\nTransform transform\n${HEADERS}`
  + `${LINE}MSG: geometry_msgs/Transform\nVector3 translation\nQuaternion rotation\n${VECTORS}`;
const JOINTS = `${HEADER}string[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort\n${HEADERS}`;
const ros = (topic: string, schema: string, definition: string): Channel => ({topic, schema, schemaEncoding: 'ros2msg', definition, encoding: 'cdr'});
const json = (topic: string, schema: string): Channel => ({topic, schema, encoding: 'json'});

const VECTOR = type('Vector3', field('x', 1, 1), field('y', 2, 1), field('z', 3, 1)), QUATERNION = type('Quaternion', ...['x', 'y', 'z', 'w'].map((name, i) => field(name, i + 1, 1)));
const FRAME = type('FrameTransform', field('parent_frame_id', 2, 9), field('child_frame_id', 3, 9), field('translation', 4, 11, false, '.foxglove.Vector3'), field('rotation', 5, 11, false, '.foxglove.Quaternion'));
const SET = Uint8Array.from(bytes(1, [...bytes(1, 'f.proto'), ...bytes(2, 'foxglove'), ...VECTOR, ...QUATERNION, ...FRAME]));
const xyz = ([x, y, z]: number[]) => [...real(1, x), ...real(2, y), ...real(3, z)];

/** The x of the frame `name` at a time. */
const placeOf = (log: Log, name: string): number[] => [...log.poses.get(log.world.entities.find(({frame}) => frame === name)!.id)!].slice(9);

async function open(data: Uint8Array): Promise<Log> { return Log.open('other', new BlobSource(new Blob([data.slice()]))); }

/** Shows a time when all of it is read. */
async function show(log: Log, time: number): Promise<void> {
  await log.load(time);
  log.show(time);
}

test('frames, numbers and drawings of three encodings are in one log', async () => {
  const channels: Channel[] = [
    json('/json/tf', 'foxglove.FrameTransform'), {topic: '/proto/tf', schema: 'foxglove.FrameTransform', schemaEncoding: 'protobuf', definition: SET, encoding: 'protobuf'},
    ros('/tf', 'tf2_msgs/msg/TFMessage', TF), ros('/joint_states', 'sensor_msgs/msg/JointState', JOINTS), json('/cloud', 'foxglove.PointCloud'),
    {topic: '/flat', schema: 'foxglove.Grid', schemaEncoding: 'flatbuffer', definition: 'x', encoding: 'flatbuffer'}, {topic: '/raw', encoding: 'ros1'},
    {topic: '/lost', schema: 'a.B', schemaEncoding: 'protobuf', definition: SET, encoding: 'protobuf'},
  ];
  const messages: Sent[] = [];
  for (let i = 0; i <= 20; ++i) {
    const time = i / 10;
    messages.push({channel: 0, time, data: {parent_frame_id: 'map', child_frame_id: 'base', translation: {x: time, y: 0, z: 0}, rotation: turn(time)}});
    if (i === 0) messages.push({channel: 1, time, data: Uint8Array.from([...bytes(2, 'base'), ...bytes(3, 'arm'), ...bytes(4, xyz([0, 1, 0])), ...bytes(5, real(4, 1))])});
    messages.push({channel: 2, time, data: new CdrText().u32(1).header(1.7e9 + time, 'arm').text('tool').f64(0, 0, 2 * time, 0, 0, 0, 1).bytes});
    // A joint comes later.
    const all = i < 10 ? ['hip'] : ['hip', 'knee'], cdr = new CdrText().header(1.7e9 + time, '').u32(all.length);
    for (const name of all) cdr.text(name);
    messages.push({channel: 3, time, data: cdr.u32(all.length).f64(...all.map((_, k) => k + time)).u32(0).u32(0).bytes});
  }
  messages.push({channel: 4, time: 1, data: {
    frame_id: 'base', pose: {position: {x: 0, y: 0, z: 0}, orientation: turn(0)}, point_stride: 12, fields: ['x', 'y', 'z'].map((name, k) => ({name, offset: 4 * k, type: 7})),
    data: Buffer.from(Float32Array.of(1, 2, 3, 4, 5, 6).buffer).toString('base64'),
  }});
  for (let channel = 5; channel < 8; ++channel) messages.push({channel, time: 1, data: Uint8Array.of(1, 2, 3)});
  const log = await open(await otherLog(channels, messages, START));
  assert.ok(log.isOfOthers && !log.isLong && log.damage === '');
  assert.deepEqual([log.start, log.end.toFixed(3)], [0, '2.000'], 'dates count from the beginning');
  assert.ok(Math.abs(log.begin - 1_700_000_000.123456) < 1e-3);
  assert.deepEqual(log.world.entities.map(({frame}) => frame), ['arm', 'base', 'map', 'tool']);
  for (const time of [0, 0.25, 1.05, 2, 0.4]) {
    await show(log, time);
    // Dates are in steps of a quarter of a microsecond.
    [time - Math.sin(time), Math.cos(time), 2 * time].forEach((v, k) => assert.ok(Math.abs(placeOf(log, 'tool')[k] - v) < 2e-6, `at ${time} s: ${placeOf(log, 'tool').join()}`));
  }
  const curve = (topic: string, column: string) => sampled(log, {topic, column})!;
  assert.ok(Math.abs(curve('/json/tf', 'translation.x').values[7] - 0.7) < 1e-6);
  const knee = curve('/joint_states', 'position[knee]');
  assert.deepEqual([knee.times.length, knee.values.length], [11, 11], 'only where it was sent');
  assert.ok(Math.abs(knee.times[0] - 1) < 1e-6 && knee.values[0] === 2);
  assert.equal(curve('/joint_states', 'position[hip]').values.length, 21);
  assert.ok(curvesOf(log).some(({topic, column}) => topic === '/tf' && column === 'transforms[tool].transform.translation.z'));
  await show(log, 0.9);
  assert.equal(log.foreign!.itemsAt(0.9).length, 0, 'the cloud is not there yet');
  await show(log, 1.5);
  const [item] = log.foreign!.itemsAt(1.5);
  assert.deepEqual([...(item.drawing as Cloud).positions], [1, 2, 3, 4, 5, 6]);
  const seen = log.framePose(item.frame, item.time, new Float64Array(12));
  assert.ok(Math.abs(seen[9] - 1) < 1e-6, 'where its frame was when it was seen');
  assert.equal(log.foreign!.notes.length, 1, log.foreign!.notes.join('\n'));
  for (const part of ['/flat (flatbuffer, foxglove.Grid)', '/raw (ros1)', "/lost (the schema does not say what 'a.B' is)"]) assert.ok(log.foreign!.notes[0].includes(part), log.foreign!.notes[0]);
});

test('what cannot be read of a message is said once, and the rest is shown', async () => {
  const data = ['{"v": 1}', '{"v":', '[3]', '{"v": 4}'].map((text) => Buffer.from(text));
  const log = await open(await otherLog([json('/v', 'x.V')], data.map((one, i) => ({channel: 0, time: i, data: one}))));
  assert.deepEqual([...sampled(log, {topic: '/v', column: 'v'})!.values], [1, 4]);
  assert.equal(log.start, 0, 'times that are no dates stay');
  assert.ok(log.foreign!.notes.length >= 1 && log.foreign!.notes.every((note) => note.startsWith('Not shown of /v: ')), log.foreign!.notes.join('\n'));
});

test('a log with nothing that is known is empty, and a file that is no log is none', async () => {
  const log = await open(await otherLog([{topic: '/flat', schema: 'x', schemaEncoding: 'flatbuffer', encoding: 'flatbuffer'}], [{channel: 0, time: 5, data: Uint8Array.of(1)}]));
  await show(log, 5);
  assert.deepEqual([log.start, log.end, curvesOf(log).length, log.world.entities.length], [5, 5, 0, 0]);
  await assert.rejects(open(Buffer.from('no log at all, but some text that is long enough')), /other cannot be shown: this is no MCAP file/);
});

test('of a long log, what lies about a time is read, and is the same', async () => {
  const channels = [json('/tf', 'foxglove.FrameTransform'), json('/tf_static', 'foxglove.FrameTransform'), json('/big', 'x.Big'), json('/rare', 'foxglove.PoseInFrame')];
  const filling = 'x'.repeat(1 << 16), messages: Sent[] = [], seconds = 900;
  messages.push({channel: 1, time: 0, data: {parent_frame_id: 'base', child_frame_id: 'camera', translation: {x: 0, y: 0, z: 3}, rotation: turn(0)}});
  for (let s = 0; s < seconds; ++s) {
    for (const time of [s, s + 0.5]) messages.push({channel: 0, time, data: {parent_frame_id: 'map', child_frame_id: 'base', translation: {x: time, y: Math.sin(time / 50), z: 0}, rotation: turn(0)}});
    messages.push({channel: 2, time: s + 0.25, data: {value: s === 417 ? 1e6 : s, filling}});
    if (s % 300 === 10) messages.push({channel: 3, time: s + 0.1, data: {frame_id: 'camera', pose: {position: {x: s, y: 0, z: 0}, orientation: turn(0)}}});
  }
  const log = await open(await otherLog(channels, messages, START, {chunkSize: 1 << 20})), opened = log.cost.bytes;
  assert.ok(log.isLong && log.end > 899);
  assert.ok(opened < 40e6, `${opened} bytes are read at first`);
  for (const time of [0, 411.25, 700, 3.75, 899]) {
    await show(log, time);
    [time, Math.sin(time / 50), 3].forEach((v, k) => assert.ok(Math.abs(placeOf(log, 'camera')[k] - v) < 1e-4, `at ${time} s: ${placeOf(log, 'camera').join()}`));
  }
  await show(log, 500);
  const [item] = log.foreign!.itemsAt(500);
  assert.ok(item.drawing.kind === 'poses' && item.drawing.poses[0][9] === 310, 'the last pose is long ago');
  const {values, times} = (await wholeCurve(log, {topic: '/big', column: 'value'}))!;
  assert.equal(values.length, seconds);
  assert.ok(values[417] === 1e6 && values[418] === 418 && Math.abs(times[418] - 418.25) < 1e-6);
});

test('a file without index is gone through', async () => {
  const channels = [json('/v', 'x.V')], messages = Array.from({length: 50}, (_, i) => ({channel: 0, time: i, data: {v: i}}));
  for (const data of [await otherLog(channels, messages, START, {index: false}), (await otherLog(channels, messages, START, {chunkSize: 100})).subarray(0, 2500)]) {
    const log = await open(data), {values} = sampled(log, {topic: '/v', column: 'v'})!;
    assert.ok(values.length > 5 && values.every((v, i) => v === i) && log.start === 0);
  }
});
