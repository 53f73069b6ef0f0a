// Series of numbers: read, joined, cut, bounded.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Series} from '../../src/data/log';
import {seriesMessage} from '../support/blocks';

test('blocks are joined in their order, column by column', () => {
  const series = new Series('/a', ['x', 'y']);
  series.add(seriesMessage([0, 200], [[1, 2], [3, 4]], 2));
  series.add(seriesMessage([100000], [[5, 0.1]], 2));
  series.finish();
  assert.deepEqual([...series.ticks], [0, 200, 100000]);
  assert.deepEqual([...series.times], [0, 0.2, 100]);
  assert.deepEqual([...series.columns[0]], [1, 3, 5]);
  assert.deepEqual([...series.columns[1]], [2, 4, Math.fround(0.1)]);
  assert.equal(series.indexAt(0.1999), 0);
  assert.equal(series.indexAt(0.2), 1);
  assert.equal(series.indexAt(1e9), 2);
});

test('what is not a number stays so', () => {
  const series = new Series('/a', ['x']);
  series.add(seriesMessage([1], [[NaN]], 1));
  series.finish();
  assert.ok(Number.isNaN(series.columns[0][0]));
});

test('samples after a tick are dropped, and others come in their place', () => {
  const series = new Series('/a', ['x']);
  series.add(seriesMessage([1, 2, 3], [[1], [2], [3]], 1));
  series.finish();
  series.cutAfter(2);
  assert.deepEqual([...series.columns[0]], [1, 2]);
  series.add(seriesMessage([4], [[7]], 1));
  series.finish();
  assert.deepEqual([...series.ticks], [1, 2, 4]);
  assert.deepEqual([...series.columns[0]], [1, 2, 7]);
});

test('of a long run the oldest part is dropped', () => {
  const names = Array.from({length: 2000}, (_, i) => `c${i}`), series = new Series('/a', names), row = names.map((_, i) => i);
  for (let block = 0; block < 60; ++block) {
    const ticks = Array.from({length: 100}, (_, i) => 100 * block + i);
    series.add(seriesMessage(ticks, ticks.map(() => row), names.length));
    series.finish(true);
  }
  assert.ok(series.ticks.length < 5000 && series.ticks.length > 2000, `${series.ticks.length} samples`);
  assert.equal(series.ticks[series.ticks.length - 1], 5999);
  assert.ok(series.ticks.every((tick, i) => i === 0 || tick === series.ticks[i - 1] + 1));
  assert.equal(series.columns[1999][0], 1999);
});

test('blocks of another size are refused', () => {
  const series = new Series('/a', ['x', 'y', 'z']);
  assert.throws(() => series.add(seriesMessage([1], [[1, 2]], 2)), /a block of wrong size/);
});
