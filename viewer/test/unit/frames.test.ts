// Frames that hang on each other over time.
import assert from 'node:assert/strict';
import test from 'node:test';
import {TransformTree} from '../../src/data/foreign/transform_tree';
import {TRANSFORMS} from '../../src/data/foreign/transforms';

const turn = (angle: number): number[] => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
const at = (tree: TransformTree, frame: string, time: number): number[] => [...tree.poseAt(frame, time, new Float64Array(12))];
const near = (found: number[], wanted: number[], text: string) =>
  wanted.forEach((value, i) => assert.ok(Math.abs(found[i] - value) < 1e-12, `${text}: ${found.join()} instead of ${wanted.join()}`));

test('poses are those of the chain, interpolated along the shortest arc, whatever the order of messages', () => {
  const add = (tree: TransformTree, order: number[]) => order.forEach((i) => {
    tree.add(i, {parent: 'world', child: 'turning', place: [i, 0, 0, ...turn(0.5 * i)]});
    // The other sign is the same rotation.
    tree.add(i, {parent: 'turning', child: 'arm', place: [0, 2, 0, ...turn(0.25 * i).map((v) => (i % 2 ? -v : v))]});
  });
  const [forward, mixed] = [new TransformTree(), new TransformTree()];
  add(forward, [0, 1, 2, 3]);
  add(mixed, [2, 0, 3, 1]);
  for (const tree of [forward, mixed])
    for (const time of [0, 0.3, 1, 1.75, 2.5, 3]) {
      const a = 0.5 * time, b = 0.75 * time, [c, s] = [Math.cos(b), Math.sin(b)];
      near(at(tree, 'arm', time), [c, -s, 0, s, c, 0, 0, 0, 1, time - 2 * Math.sin(a), 2 * Math.cos(a), 0], `at ${time} s`);
    }
  near(at(forward, 'arm', 9), at(forward, 'arm', 3), 'the last that is known stays');
  near(at(forward, 'arm', -1), at(forward, 'arm', 0), 'before the first, the first');
  near(at(forward, 'nowhere', 1), [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], 'what is not known is the world');
  assert.deepEqual(forward.frames(), ['arm', 'turning', 'world']);
  assert.equal(forward.root, 'world');
});

test('trees that are not connected, cycles and other parents are borne', () => {
  const tree = new TransformTree();
  tree.add(0, {parent: 'map', child: 'a', place: [1, 0, 0, 0, 0, 0, 1]});
  tree.add(0, {parent: 'a', child: 'b', place: [1, 0, 0, 0, 0, 0, 1]});
  tree.add(0, {parent: 'other', child: 'c', place: [0, 0, 5, 0, 0, 0, 1]});
  assert.deepEqual(tree.roots(), ['map', 'other']);
  tree.add(1, {parent: 'map', child: 'b', place: [7, 0, 0, 0, 0, 0, 1]});
  near(at(tree, 'b', 0.5), [1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0], 'until it hangs on another one it stays');
  near(at(tree, 'b', 1), [1, 0, 0, 0, 1, 0, 0, 0, 1, 7, 0, 0], 'then it is there');
  tree.add(2, {parent: 'b', child: 'map', place: [1, 0, 0, 0, 0, 0, 1]});
  assert.ok(at(tree, 'b', 3).every(Number.isFinite), 'a cycle ends');
  tree.add(2, {parent: 'b', child: 'broken', place: [NaN, 0, 0, 0, 0, 0, 1]});
  tree.add(2, {parent: 'self', child: 'self', place: [1, 0, 0, 0, 0, 0, 1]});
  assert.ok(!tree.frames().includes('broken') && !tree.frames().includes('self'));
});

test('the same transform is read from each schema', () => {
  const wanted = [{parent: 'p', child: 'c', place: [1, 2, 3, 0, 0, 0.6, 0.8]}], translation = {x: 1, y: 2, z: 3}, rotation = {x: 0, y: 0, z: 0.6, w: 0.8};
  const own = {parent_frame_id: 'p', child_frame_id: 'c', translation, rotation};
  const ros = {header: {frame_id: '/p'}, child_frame_id: '/c', transform: {translation, rotation}};
  assert.deepEqual(TRANSFORMS['foxglove.FrameTransform'](own), wanted);
  assert.deepEqual(TRANSFORMS['foxglove.FrameTransforms']({transforms: [own]}), wanted);
  assert.deepEqual(TRANSFORMS['tf2_msgs/TFMessage']({transforms: [ros]}), wanted);
  assert.deepEqual(TRANSFORMS['geometry_msgs/TransformStamped'](ros), wanted);
});
