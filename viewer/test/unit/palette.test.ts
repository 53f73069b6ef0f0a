// Logs that are shown together can be told apart by their colors, which are the same in the scene, the tree and plots.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {CONTACT, CURVES, PALETTE, contactColor, curveStyle, logColor, trailColor} from '../../src/scene/palette';

/** Relative luminance as WCAG has it. */
function luminance(color: number): number {
  const [r, g, b] = [color >> 16, (color >> 8) & 255, color & 255].map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
const contrast = (a: number, b: number): number => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

test('ten logs have ten colors, the same for their shapes, contacts and trails', () => {
  const colors = Array.from({length: 10}, (_, log) => logColor(log));
  assert.equal(new Set(colors).size, 10);
  for (let log = 1; log < 10; ++log) {
    assert.equal(contactColor(log), colors[log]);
    assert.equal(trailColor(log), colors[log]);
  }
  assert.equal(contactColor(0), CONTACT);
  assert.equal(contactColor(0, true), PALETTE[0]);
  assert.equal(logColor(13), colors[3]);
});

test('curves can be seen on their panels, and no two logs of twelve have the same', () => {
  for (const [colors, panel] of [[CURVES.light, 0xffffff], [CURVES.dark, 0x1b1f24]] as const)
    for (const color of colors) assert.ok(contrast(color, panel) >= 3, `${color.toString(16)} on ${panel.toString(16)}: ${contrast(color, panel)}`);
  for (const dark of [false, true]) {
    const styles = Array.from({length: 12}, (_, log) => JSON.stringify(curveStyle(log, dark)));
    assert.equal(new Set(styles).size, 12);
  }
});
