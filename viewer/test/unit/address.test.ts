// Links to what a page shows: they restore it, keep the token, and pass over what is no part of it.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {type Linked, linkedFrom, withLinked} from '../../src/page/address';

const curve = (topic: string, column: string) => ({topic, column});
const shown: Linked = {
  time: 1.234, camera: [1, -2.5, 0.125, 0, 0.5, 1e-3, 0.01, 60], selected: 12,
  plots: [
    {curves: [curve('/mortise/state', 'near_block.y'), curve('/mortise/state', 'a+b:c@d!&e=f#g')], difference: true},
    {curves: [curve('contact forces', 'cup |f|')], against: curve('/mortise/torques', 'elbow'), difference: false},
  ],
};

test('a link restores time, view, selection and plots, whatever letters names have', () => {
  const hash = withLinked('#token=0f6b', shown);
  assert.match(hash, /^#token=0f6b&/);
  assert.deepEqual(linkedFrom(hash), shown);
});

test('a newer link takes the place of the one before, and the token stays', () => {
  const again = withLinked(withLinked('#token=0f6b', shown), {time: 2});
  assert.equal(again, '#token=0f6b&t=2');
  assert.equal(withLinked('', {}), '');
});

test('what is no number or no curve is left out', () => {
  for (const hash of ['', '#', '#t=', '#t=soon', '#view=1,2,3', '#view=1,2,3,4,5,6,7,x', '#view=1,,3,4,5,6,7,8', '#sel=-1', '#sel=x', '#plot=', '#plot=a', '#plot=a:b:c', '#plot=a:b@c', '#plot=%E0%A4%A:b'])
    assert.deepEqual(linkedFrom(hash), {}, hash);
  assert.deepEqual(linkedFrom('#plot=a:b&plot=broken'), {plots: [{curves: [curve('a', 'b')], difference: false}]});
});
