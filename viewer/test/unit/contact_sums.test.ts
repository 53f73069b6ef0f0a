// Contacts of a pair as one arrow: forces add up whichever body comes first, at the center of pressure.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {sumsOf, usualForce} from '../../src/scene/marks/contact_sums';
import {forceScale} from '../../src/scene/marks/legend';

const contact = (a: number, b: number, x: number, fz: number) => ({a, b, point: [x, 0, 0], normal: [0, 0, a < b ? 1 : -1], depth: 0, force: [0, 0, fz]});

test('a pair has one sum, in whichever order it is named', () => {
  const sums = sumsOf([contact(1, 2, 0, 3), contact(5, 2, 7, 1), contact(2, 1, 1, -9)]);
  assert.equal(sums.length, 2);
  assert.deepEqual(sums[0], {a: 1, b: 2, point: [0.75, 0, 0], force: [0, 0, 12], count: 2});
  assert.deepEqual(sums[1].force, [0, 0, 1]);
});

test('without forces the middle of the points is taken', () => {
  const [sum] = sumsOf([contact(1, 2, 0, 0), contact(1, 2, 4, 0)]);
  assert.deepEqual(sum.point, [2, 0, 0]);
  assert.deepEqual(sumsOf([]), []);
});

test('the length of arrows goes by usual forces, not by the one blow', () => {
  const forces = Array.from({length: 200}, (_, i) => 10 + 0.01 * i);
  assert.ok(Math.abs(usualForce([...forces, 5000]) - 12) < 0.1);
  assert.equal(usualForce([NaN, 0, Infinity]), 0);
  assert.equal(usualForce([7]), 7);
});

test('the legend says a length in centimeters and the round force that it stands for', () => {
  assert.equal(forceScale(0.001, 0.25), '20 cm = 200 N');
  assert.equal(forceScale(0.04, 0.2), '20 cm = 5 N');
  for (let metersPerNewton = 1e-6; metersPerNewton < 10; metersPerNewton *= 1.9) {
    const [, centimeters, newton] = /^(\S+) cm = (\S+) N$/.exec(forceScale(metersPerNewton, 0.2))!;
    const length = Number(newton) * metersPerNewton * 100;
    assert.ok(Math.abs(length / Number(centimeters) - 1) < 0.06 && length <= 20.001 && length > 7.9, `${centimeters} ${newton}`);
  }
});
