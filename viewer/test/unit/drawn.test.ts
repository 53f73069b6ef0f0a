// What is drawn of messages: clouds, scans, grids, images, entities.
import assert from 'node:assert/strict';
import test from 'node:test';
import type {Message} from '../../src/data/chunks';
import {CLOUDS} from '../../src/data/foreign/clouds';
import type {Cloud, Grid, Shapes} from '../../src/data/foreign/drawn';
import {ENTITIES} from '../../src/data/foreign/entities';
import {IMAGES} from '../../src/data/foreign/images';
import {POSES} from '../../src/data/foreign/poses';
import {SceneStates} from '../../src/data/foreign/scene_states';
import type {Fields} from '../../src/data/schemas/tree';

/** Three points of x, y, z as floats of 32 bits, and a color in bytes. */
function packed(): Uint8Array {
  const data = new Uint8Array(48), view = new DataView(data.buffer);
  for (let i = 0; i < 3; ++i) {
    [i, 5 - i, 0.5].forEach((v, k) => view.setFloat32(16 * i + 4 * k, v, true));
    data.set([10 * i, 20, 30, 255], 16 * i + 12);
  }
  view.setFloat32(32, NaN, true);
  return data;
}
const FIELDS = ['x', 'y', 'z'].map((name, k) => ({name, offset: 4 * k, type: 7, datatype: 7}));

test('points of a cloud are where its fields say, and those that are nowhere are left out', () => {
  const colors = ['red', 'green', 'blue', 'alpha'].map((name, k) => ({name, offset: 12 + k, type: 1}));
  const {drawing, frame, pose} = CLOUDS['foxglove.PointCloud']({
    frame_id: 'lidar', pose: {position: {x: 1, y: 0, z: 0}, orientation: {x: 0, y: 0, z: 0, w: 1}}, point_stride: 16, fields: [...FIELDS, ...colors], data: packed(),
  }), cloud = drawing as Cloud;
  assert.equal(frame, 'lidar');
  assert.equal(pose[9], 1);
  assert.deepEqual([...cloud.positions], [0, 5, 0.5, 1, 4, 0.5]);
  assert.deepEqual([...cloud.colors!], [0, 20, 30, 255, 10, 20, 30, 255]);
  // In ROS three bytes of color are in one number: blue is the first.
  const ros = CLOUDS['sensor_msgs/PointCloud2']({
    header: {frame_id: 'lidar'}, height: 1, width: 3, point_step: 16, row_step: 48, is_bigendian: false, fields: [...FIELDS, {name: 'rgb', offset: 12, datatype: 7}], data: packed(),
  }).drawing as Cloud;
  assert.deepEqual([...ros.positions], [...cloud.positions]);
  assert.deepEqual([...ros.colors!], [30, 20, 0, 255, 30, 20, 10, 255]);
  for (const wrong of [{point_stride: 0}, {point_stride: 8}, {fields: []}])
    assert.throws(() => CLOUDS['foxglove.PointCloud']({frame_id: '', point_stride: 16, fields: FIELDS, data: packed(), ...wrong}), /a cloud/);
  assert.throws(() => CLOUDS['sensor_msgs/PointCloud2']({height: 1e6, width: 1e6, point_step: 16, fields: FIELDS, data: packed()}), /too early/);
});

test('beams of a laser end where they met something', () => {
  const near = (cloud: Cloud, wanted: number[]) => wanted.forEach((v, i) => assert.ok(Math.abs(cloud.positions[i] - v) < 1e-6));
  const ros = CLOUDS['sensor_msgs/LaserScan']({
    header: {frame_id: 'laser'}, angle_min: 0, angle_increment: Math.PI / 2, range_min: 0.1, range_max: 10, ranges: [1, 2, Infinity, 0.01, 11], intensities: [],
  }).drawing as Cloud;
  assert.equal(ros.positions.length, 6);
  near(ros, [1, 0, 0, 0, 2, 0]);
  const own = CLOUDS['foxglove.LaserScan']({frame_id: 'laser', start_angle: 0, end_angle: Math.PI, ranges: [1, 2, 3], intensities: [0, 1, 2]}).drawing as Cloud;
  near(own, [1, 0, 0, 0, 2, 0, -3, 0, 0]);
  assert.notDeepEqual([...own.colors!.subarray(0, 4)], [...own.colors!.subarray(8)], 'intensities are told apart');
});

test('grids have a color a cell', () => {
  const map = CLOUDS['nav_msgs/OccupancyGrid']({header: {frame_id: 'map'}, info: {width: 2, height: 1, resolution: 0.5, origin: {position: {x: 3, y: 4, z: 0}}}, data: [0, 100]});
  const {columns, rows, cell, colors} = map.drawing as Grid;
  assert.deepEqual([columns, rows, cell, map.pose[9]], [2, 1, [0.5, 0.5], 3]);
  assert.ok(colors[0] > colors[4], 'what is occupied is darker');
  assert.throws(() => CLOUDS['nav_msgs/OccupancyGrid']({info: {width: 2, height: 2}, data: [0]}), /too few/);
  const own = CLOUDS['foxglove.Grid']({frame_id: 'map', cell_size: {x: 1, y: 2}, column_count: 2, row_stride: 4, cell_stride: 2, fields: [{name: 'height', offset: 1, type: 1}], data: Uint8Array.of(0, 5, 0, 6, 0, 7, 0, 8)});
  assert.deepEqual([(own.drawing as Grid).rows, (own.drawing as Grid).cell], [2, [1, 2]]);
});

test('pixels of images become a picture that browsers show', () => {
  const raw = (encoding: string, data: number[], more: Fields = {}) => IMAGES['foxglove.RawImage']({encoding, width: 2, height: 1, step: data.length, data: Uint8Array.from(data), ...more}, 1);
  const blueGreenRed = (png: Uint8Array) => [...png.subarray(54, 60)];
  assert.deepEqual(blueGreenRed(raw('rgb8', [1, 2, 3, 4, 5, 6]).png), [3, 2, 1, 6, 5, 4]);
  assert.deepEqual(blueGreenRed(raw('bgra8', [1, 2, 3, 255, 4, 5, 6, 255]).png), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(blueGreenRed(raw('mono8', [7, 8]).png), [7, 7, 7, 8, 8, 8]);
  assert.deepEqual(blueGreenRed(raw('yuv422_yuy2', [50, 128, 60, 128]).png), [50, 50, 50, 60, 60, 60], 'without color both are gray');
  const depth = raw('16UC1', [1, 0, 0, 1]);
  assert.deepEqual(blueGreenRed(depth.png), [0, 0, 0, 255, 255, 255]);
  assert.equal(depth.note, '16UC1, black 1, white 256');
  assert.deepEqual(blueGreenRed(IMAGES['sensor_msgs/Image']({encoding: '16UC1', is_bigendian: 1, width: 2, height: 1, step: 4, data: Uint8Array.of(0, 1, 0, 2)}, 1).png), [0, 0, 0, 255, 255, 255]);
  for (const wrong of [{width: 3}, {width: 0}, {height: 1e9}, {step: 1}] as Fields[]) assert.throws(() => raw('rgb8', [1, 2, 3, 4, 5, 6], wrong), /pixels/);
  assert.throws(() => raw('constructor', [1, 2]), /'constructor' are not shown/);
  const file = IMAGES['sensor_msgs/CompressedImage']({format: 'jpeg', data: Uint8Array.of(255, 216, 255, 0)}, 2);
  assert.deepEqual([file.time, file.type], [2, 'image/jpeg']);
  assert.throws(() => IMAGES['foxglove.CompressedImage']({format: 'h264', data: Uint8Array.of(1, 2, 3)}, 2), /'h264' are not shown/);
});

test('poses', () => {
  const {frame, drawing} = POSES['nav_msgs/Path']({header: {frame_id: 'map'}, poses: [{pose: {position: {x: 1, y: 2, z: 3}}}, {pose: {position: {x: 2, y: 2, z: 3}}}]});
  assert.equal(frame, 'map');
  assert.ok(drawing.kind === 'poses' && drawing.path && drawing.poses.length === 2 && drawing.poses[1][9] === 2);
});

const COLOR = {r: 1, g: 0, b: 0, a: 1}, POSE = {position: {x: 0, y: 0, z: 1}, orientation: {x: 0, y: 0, z: 0, w: 1}};

test('entities are all that Foxglove has', () => {
  const {entities: [entity], left} = ENTITIES['foxglove.SceneUpdate']({deletions: [], entities: [{
    frame_id: 'base', id: 'e', lifetime: {sec: 2, nsec: 5e8}, frame_locked: true,
    cubes: [{pose: POSE, size: {x: 1, y: 2, z: 3}, color: COLOR}], spheres: [{pose: POSE, size: {x: 1, y: 1, z: 1}, color: COLOR}],
    cylinders: [{pose: POSE, size: {x: 1, y: 1, z: 2}, bottom_scale: 1, top_scale: 0, color: COLOR}],
    arrows: [{pose: POSE, shaft_length: 1, shaft_diameter: 0.1, head_length: 0.2, head_diameter: 0.3, color: COLOR}],
    lines: [{type: 1, pose: POSE, thickness: 2, scale_invariant: true, points: [{x: 0, y: 0, z: 0}, {x: 1, y: 0, z: 0}, {x: 1, y: 1, z: 0}], color: COLOR, colors: [], indices: [0, 2, 7]}],
    triangles: [{pose: POSE, points: [{x: 0, y: 0, z: 0}, {x: 1, y: 0, z: 0}, {x: 1, y: 1, z: 0}], color: COLOR, colors: [], indices: []}],
    texts: [{pose: POSE, font_size: 0.2, text: 'hello', color: COLOR}], models: [{pose: POSE, url: 'package://x.dae'}, {pose: POSE, scale: {x: 1, y: 1, z: 1}, data: Buffer.from('glTF....')}],
  }]});
  const {solids, lines, meshes, labels, models} = entity.drawing as Shapes;
  assert.deepEqual([entity.frame, entity.lifetime, entity.locked], ['base', 2.5, true]);
  assert.deepEqual(solids.map(({shape, size}) => [shape, size]), [['arrow', [1, 0.1, 0.2, 0.3]], ['cube', [1, 2, 3]], ['sphere', [1, 1, 1]], ['cylinder', [1, 1, 2]]]);
  assert.deepEqual([lines[0].points, lines[0].closed, lines[0].pixels], [[0, 0, 0, 1, 1, 0], true, true], 'indices that there are');
  assert.deepEqual([meshes[0].points.length, labels[0].text, models.length], [9, 'hello', 1]);
  assert.match(left.join(), /package:\/\/x\.dae/);
});

test('an arrow of ROS from one point to another', () => {
  const {entities: [{drawing}]} = ENTITIES['visualization_msgs/Marker']({
    header: {frame_id: 'base'}, ns: 'n', id: 1, type: 0, action: 0, pose: POSE, scale: {x: 0.1, y: 0.2, z: 0.5}, color: COLOR, points: [{x: 1, y: 0, z: 0}, {x: 1, y: 3, z: 0}],
  });
  const [{pose: p, size}] = (drawing as Shapes).solids;
  assert.deepEqual(size, [2.5, 0.1, 0.5, 0.2]);
  [0, 1, 0, 1, 0, 1].forEach((v, i) => assert.ok(Math.abs([p[0], p[3], p[6], p[9], p[10], p[11]][i] - v) < 1e-12, [...p].join()));
});

test('what is there at a time is what was said before, in either direction', async () => {
  const marker = (id: number, action: number, lifetime = 0): Fields => ({
    header: {frame_id: 'base'}, ns: 'n', id, type: 1, action, pose: POSE, scale: {x: 1, y: 1, z: 1}, color: COLOR, lifetime: {sec: lifetime, nanosec: 0},
  });
  // A marker a second, of which each third is deleted half a second later; now and then all are.
  const said: {time: number; tree: Fields}[] = [];
  const alive = (time: number): string[] => {
    const ids = new Map<number, number>();
    for (const one of said) {
      if (one.time > time) break;
      const {id, action, lifetime} = one.tree as {id: number; action: number; lifetime: {sec: number}};
      if (action === 3) ids.clear();
      else if (action === 2) ids.delete(id);
      else ids.set(id, lifetime.sec > 0 ? one.time + lifetime.sec : Infinity);
    }
    return [...ids].filter(([, end]) => end > time).map(([id]) => `n\n${id}`).sort();
  };
  for (let i = 0; i < 300; ++i) {
    said.push({time: i, tree: marker(i, 0, i % 7 === 0 ? 3 : 0)});
    if (i % 3 === 0) said.push({time: i + 0.5, tree: marker(i, 2)});
    if (i % 90 === 89) said.push({time: i + 0.6, tree: marker(0, 3)});
  }
  const messages = said.map(({time}) => ({time, data: new Uint8Array(0)}));
  const about = {at: () => messages, load: () => Promise.resolve()} as unknown as ConstructorParameters<typeof SceneStates>[0];
  const states = new SceneStates(about, (message) => said[(messages as Message[]).indexOf(message)].tree, ENTITIES['visualization_msgs/Marker'], () => assert.fail());
  await states.load(0);
  for (const time of [0, 5, 4.5, 88, 89.55, 89.7, 10, 250, 249, 299.9, 1.25, 180, -1])
    assert.deepEqual(states.at(time).map(({entity: {id}}) => id).sort(), alive(time), `at ${time} s`);
});
