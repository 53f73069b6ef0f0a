// Units of what logs hold.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Log} from '../../src/data/log';
import {unitOf} from '../../src/panels/units';

const log = {
  forces: {topic: 'contact forces'},
  world: {robots: [{name: 'arm', links: [{name: 'elbow', motion: 'revolute'}, {name: 'slide', motion: 'prismatic'}]}]},
} as unknown as Log;

test('joints that turn are in rad and those that slide in m, with rates and efforts alike', () => {
  for (const [topic, column, unit] of [
    ['/mortise/state', 'arm/elbow', 'rad'], ['/mortise/state', 'arm/slide', 'm'], ['/mortise/state', 'cup.x', 'm'], ['/mortise/state', 'cup.qw', ''],
    ['/mortise/torques', 'elbow', 'N m'], ['/mortise/torques', 'slide', 'N'], ['/mortise/commands', 'elbow.velocity', 'rad/s'], ['/mortise/commands', 'slide.torque', 'N'],
    ['contact forces', 'cup |f|', 'N'], ['/mortise/sensors/arm/q', 'q[slide]', 'm'], ['/mortise/sensors/arm/dq', 'dq[elbow]', 'rad/s'],
    ['/mortise/sensors/arm/wrist', 'force_x', 'N'], ['/mortise/sensors/arm/wrist', 'torque_z', 'N m'], ['/mortise/sensors/arm/scan', 'd[17]', 'm'],
    ['/somewhere/else', 'force_x', ''],
  ]) assert.equal(unitOf(log, {topic, column}), unit, `${topic} ${column}`);
});
