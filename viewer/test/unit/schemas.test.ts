// Messages of any schema: protobuf by its FileDescriptorSet, JSON, and CDR by the definitions of ROS 2.
import assert from 'node:assert/strict';
import test from 'node:test';
import {cdrReader} from '../../src/data/schemas/cdr';
import {jsonReader} from '../../src/data/schemas/json';
import {protobufReader} from '../../src/data/schemas/protobuf';
import {bytesOf, numbersOf, secondsOf} from '../../src/data/schemas/tree';
import {bytes, double, field, int, varint} from '../support/wire';

const POINT = bytes(4, [...bytes(1, 'Point'), ...field('x', 1, 1), ...field('y', 2, 1)]);
const THING = bytes(4, [
  ...bytes(1, 'Thing'), ...field('name', 1, 9), ...field('at', 2, 11, false, '.a.b.Point'), ...field('points', 3, 11, true, '.a.b.Point'), ...field('values', 4, 1, true),
  ...field('data', 5, 12), ...field('count', 6, 17), ...field('far', 7, 3), ...field('on', 8, 8), ...field('inner', 9, 11, false, '.a.b.Thing.Inner'),
  ...bytes(3, [...bytes(1, 'Inner'), ...field('ids', 1, 13, true)]),
]);
const SET = Uint8Array.from(bytes(1, [...bytes(1, 'thing.proto'), ...bytes(2, 'a.b'), ...POINT, ...THING]));

test('protobuf is read by what the file says of it', () => {
  const read = protobufReader('a.b.Thing', SET);
  const point = (x: number, y: number) => [9, ...double(x), 17, ...double(y)];
  const tree = read(Uint8Array.from([
    ...bytes(1, 'höher'), ...bytes(2, point(1.5, -2)), ...bytes(3, point(3, 4)), ...bytes(3, [9, ...double(5)]),
    ...bytes(4, [...double(7), ...double(8)]), ...[33, ...double(9)], ...bytes(5, [0, 255]), ...int(6, 5),
    ...[56, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1], ...int(8, 1), ...bytes(9, bytes(1, [1, ...varint(300)])), ...int(77, 4), ...bytes(78, 'unknown'),
  ]));
  assert.equal(tree.name, 'höher');
  assert.deepEqual(tree.at, {x: 1.5, y: -2});
  assert.deepEqual(tree.points, [{x: 3, y: 4}, {x: 5, y: 0}]);
  assert.deepEqual(tree.values, [7, 8, 9], 'packed and not');
  assert.deepEqual(tree.data, Uint8Array.of(0, 255));
  assert.deepEqual([tree.count, tree.far, tree.on], [-3, -1, true]);
  assert.deepEqual(tree.inner, {ids: [1, 300]});
  assert.deepEqual(read(new Uint8Array(0)), {name: '', at: {x: 0, y: 0}, points: [], values: [], data: new Uint8Array(0), count: 0, far: 0, on: false, inner: {ids: []}}, 'what is missing is its default');
  for (const wrong of [[9], [10, 200], [18, 1, 9], [255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255]])
    assert.throws(() => read(Uint8Array.from(wrong)), /protobuf/);
  assert.throws(() => protobufReader('a.b.Other', SET), /does not say what/);
});

test('CDR is read by the definitions', () => {
  const definition = 'std_msgs/Header header\nuint8 MODE=3 # a constant\nstring[] name # names\nfloat64[] position\nfloat32[2] pair\nuint8[] data\nPose pose\nbool on\n'
    + `${'='.repeat(80)}\nMSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n${'='.repeat(80)}\nMSG: my_msgs/Pose\nfloat64 x\nfloat64 y\n`;
  const parts: number[] = [];
  const align = (size: number) => { while (parts.length % size) parts.push(0); };
  const u32 = (value: number) => {
    align(4);
    parts.push(...new Uint8Array(Uint32Array.of(value).buffer));
  };
  const text = (value: string) => {
    u32(value.length + 1);
    parts.push(...Buffer.from(value), 0);
  };
  const f64 = (value: number) => {
    align(8);
    parts.push(...double(value));
  };
  u32(12);
  u32(500000000);
  text('base');
  u32(2);
  text('a');
  text('bcd');
  u32(2);
  f64(1);
  f64(2.5);
  align(4);
  parts.push(...new Uint8Array(Float32Array.of(0.5, -1).buffer));
  u32(3);
  parts.push(7, 8, 9);
  f64(3);
  f64(4);
  parts.push(1);
  const read = cdrReader('my_msgs/msg/Thing', definition), tree = read(Uint8Array.from([0, 1, 0, 0, ...parts]));
  assert.deepEqual(tree, {
    header: {stamp: {sec: 12, nanosec: 500000000}, frame_id: 'base'}, name: ['a', 'bcd'], position: [1, 2.5], pair: [0.5, -1], data: Uint8Array.of(7, 8, 9), pose: {x: 3, y: 4}, on: true,
  });
  for (let length = 0; length < parts.length + 4; ++length) assert.throws(() => read(Uint8Array.from([0, 1, 0, 0, ...parts].slice(0, length))), /CDR/);
  assert.throws(() => cdrReader('my_msgs/Lost', 'Nowhere n')(Uint8Array.of(0, 1, 0, 0)), /does not say what 'Nowhere' is/);
});

test('JSON is read with the numbers that it cannot have', () => {
  assert.deepEqual(jsonReader()(Buffer.from('{"a": [1, "NaN"], "b": null, "c": {"d": true}, "e": "AP8="}')), {a: [1, NaN], c: {d: true}, e: 'AP8='});
  assert.deepEqual(bytesOf('AP8='), Uint8Array.of(0, 255));
  assert.throws(() => jsonReader()(Buffer.from('[1]')), /no map/);
  assert.throws(() => jsonReader()(Buffer.from('{')));
});

test('all numbers of a message are named', () => {
  const numbers = numbersOf({stamp: {sec: 1, nanosec: 5e8}, joints: [{name: 'elbow', position: 2}, {name: '', position: 3}], ranges: Array.from({length: 100}, () => 0), on: true, text: 'x'});
  assert.deepEqual([...numbers], [['stamp', 1.5], ['joints[elbow].position', 2], ['joints[1].position', 3], ['on', 1]]);
  const joints = numbersOf({header: {stamp: {sec: 1.7e9, nanosec: 0}}, name: ['hip', 'knee'], position: [1, 2], effort: []}, 1.7e9 - 3);
  assert.deepEqual([...joints], [['header.stamp after the beginning', 3], ['position[hip]', 1], ['position[knee]', 2]], 'lists beside names, and dates');
  assert.deepEqual([...numbersOf({name: ['a', 'a'], position: [1, 2], transforms: [{child_frame_id: 'b', x: 3}], e: [{id: 'c', frame_id: 'f', v: 4}, {id: 'd', frame_id: 'f', v: 5}]}).keys()],
    ['position[0]', 'position[1]', 'transforms[b].x', 'e[c].v', 'e[d].v'], 'names that recur tell nothing');
  assert.equal(secondsOf({seconds: 2, nanos: 250000000}), 2.25);
  assert.equal(secondsOf({sec: 2}), null);
});
