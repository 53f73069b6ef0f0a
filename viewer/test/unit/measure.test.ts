// Ends of a measured distance go with the bodies that they are on.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {angleBetween, lengthText, rollPitchYaw} from '../../src/panels/readings';
import {localOf, worldOf} from '../../src/panels/scene/body_points';

const about = (axis: number, angle: number): number[] => {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [[1, 0, 0, 0, c, -s, 0, s, c], [c, 0, s, 0, 1, 0, -s, 0, c], [c, -s, 0, s, c, 0, 0, 0, 1]][axis];
};

test('a point is the same point after its body has moved', () => {
  const before = [...about(2, 0.7), 1, 2, 3], point = [1.5, 2.25, 2.9], local = localOf(before, point);
  worldOf(before, local).forEach((v, i) => assert.ok(Math.abs(v - point[i]) < 1e-12));
  // Turned by a quarter about z and put to the origin, what was ahead is at the side.
  const after = [...about(2, 0.7 + Math.PI / 2), 0, 0, 0], moved = worldOf(after, local);
  assert.ok(Math.abs(moved[0] + 0.25) < 1e-12 && Math.abs(moved[1] - 0.5) < 1e-12 && Math.abs(moved[2] + 0.1) < 1e-12);
  assert.deepEqual(worldOf(undefined, localOf(undefined, point)), point);
});

test('angles between frames and about axes are what they were made of', () => {
  for (const axis of [0, 1, 2]) for (const angle of [-1.2, 0.3, 1.5]) {
    assert.ok(Math.abs(angleBetween(about(axis, 0), about(axis, angle)) - Math.abs(angle)) < 1e-7);
    const found = rollPitchYaw(about(axis, angle));
    assert.ok(Math.abs(found[axis] - angle) < 1e-12);
  }
});

test('lengths are told in the unit that suits them', () => {
  assert.deepEqual(lengthText(0.0021), ['2.10', 'mm']);
  assert.deepEqual(lengthText(0.05), ['50.0', 'mm']);
  assert.deepEqual(lengthText(1.25), ['1.2500', 'm']);
});
