// Switches of the scene: who listens hears of each change once, and what was kept comes back, whatever is in it.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {OPTIONS_AT_FIRST, SceneOptions} from '../../src/scene/scene_options';

test('a change is told once, after it was made', () => {
  const options = new SceneOptions(), heard: string[] = [];
  options.events.on('change', (name) => heard.push(`${name} ${JSON.stringify(options.get(name))}`));
  options.set('projection', 'orthographic');
  options.set('projection', 'orthographic');
  options.set('section', {axis: 'x', at: 0.5, flipped: false});
  options.set('section', {axis: 'x', at: 0.5, flipped: false});
  assert.deepEqual(heard, ['projection "orthographic"', 'section {"axis":"x","at":0.5,"flipped":false}']);
});

test('opacities are kept within 0 to 1, and full ones are none', () => {
  const options = new SceneOptions();
  options.setOpacity([3, 4, 5], 0.25);
  options.setOpacity(4, 7);
  options.setOpacity(5, -1);
  options.setOpacity(6, NaN);
  assert.deepEqual(options.get('opacity'), {3: 0.25, 5: 0});
  assert.equal(options.opacityOf(4), 1);
});

test('what is kept comes back, and is nothing at first', () => {
  const options = new SceneOptions(), other = new SceneOptions();
  assert.deepEqual(options.kept(), {});
  options.set('shapes', 'both');
  options.set('section', {axis: 'z', at: -0.125, flipped: true});
  options.set('follow', 7);
  options.set('refined', false);
  options.setOpacity(2, 0.5);
  other.restore(JSON.parse(JSON.stringify(options.kept())));
  assert.deepEqual(other.values, options.values);
});

test('what makes no sense is passed over', () => {
  for (const nonsense of [null, 3, 'x', [], {shapes: 'none', projection: 1, theme: {}, contactPoints: 'yes', follow: 1.5, section: {axis: 'w', at: 1},
    opacity: {a: 1, 3: 'x'}}, {section: {axis: 'x', at: null}}, {opacity: null}, JSON.parse('{"__proto__": {"shapes": "both"}}'), {unknown: 1}]) {
    const options = new SceneOptions();
    options.restore(nonsense);
    assert.deepEqual(options.values, OPTIONS_AT_FIRST, JSON.stringify(nonsense));
  }
});
