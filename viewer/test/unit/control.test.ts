// What people type into the boxes of controllers, and ghosts that are posed by drivers.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {CommandedDriver} from '../../src/data/protocol';
import {argumentsFrom, numbersFrom, settingFrom} from '../../src/panels/control/arguments';
import {driverValues, posedWith} from '../../src/panels/control/ghost';

test('arguments are numbers, words, lists or maps', () => {
  assert.deepEqual(argumentsFrom(''), []);
  assert.deepEqual(argumentsFrom(' 0 0.5, -1e-3 '), [0, 0.5, -1e-3]);
  assert.deepEqual(argumentsFrom('home.config'), 'home.config');
  assert.deepEqual(argumentsFrom('2'), [2]);
  assert.deepEqual(argumentsFrom('{"elbow": 1}'), {elbow: 1});
  assert.deepEqual(argumentsFrom('{elbow: 90 deg}'), '{elbow: 90 deg}');
});

test('settings are what their kind says', () => {
  assert.equal(settingFrom('true', 'boolean'), true);
  assert.equal(settingFrom('yes', 'boolean'), undefined);
  assert.equal(settingFrom('0.5', 'real'), 0.5);
  assert.equal(settingFrom('50 Hz', 'real'), '50 Hz');
  assert.equal(settingFrom('12', 'string'), '12');
  assert.equal(settingFrom('', 'real'), undefined);
  assert.deepEqual(settingFrom('[1, 2]', 'list'), [1, 2]);
});

test('so many numbers, or none', () => {
  assert.deepEqual(numbersFrom('1 2,3', 3), [1, 2, 3]);
  assert.equal(numbersFrom('1 2', 3), undefined);
  assert.equal(numbersFrom('1 x 3', 3), undefined);
  assert.equal(numbersFrom('', 0), undefined);
});

test('a ghost is where its drivers are, and the other way round', () => {
  const driver = (links: number[], scale: number[], offset: number[]): CommandedDriver =>
    ({name: '', unit: 'rad', number: 0, min: null, max: null, links, scale, offset, servo_p: 0, servo_i: 0, servo_d: 0});
  const drivers = [driver([1], [1], [0]), driver([2, 3], [2, -0.5], [0.1, 0])], q = [7, 0, 0, 0];
  const posed = posedWith(q, drivers, [0.3, 0.4]);
  assert.deepEqual(posed, [7, 0.3, 0.9, -0.2]);
  assert.deepEqual(driverValues(posed, drivers).map((value) => Number(value.toFixed(12))), [0.3, 0.4]);
  assert.deepEqual(q, [7, 0, 0, 0]);
});
