// Logs that are shown together can be told apart by the colors of their contacts and trails.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {contactColor, tintOf, trailColor} from '../../src/scene/palette';

test('the first five logs have contacts and trails of different colors', () => {
  for (const colorOf of [contactColor, trailColor]) {
    const colors = [0, 1, 2, 3, 4].map(colorOf);
    assert.equal(new Set(colors).size, colors.length);
    for (let log = 1; log < 5; ++log) assert.equal(colors[log], tintOf(log));
    assert.equal(colorOf(9), colors[4]);
  }
});
