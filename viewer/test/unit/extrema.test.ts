// The least and the greatest value of any range are those that are found one by one.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Extrema} from '../../src/data/extrema';

test('ranges of values have the right ends', () => {
  let seed = 1;
  const random = (below: number) => (seed = (seed * 16807) % 2147483647) % below;
  for (const count of [0, 1, 15, 16, 33, 257, 5000]) {
    const values = Float32Array.from({length: count}, () => [NaN, Infinity, random(2000) - 1000][Math.min(random(20), 2)]);
    const extrema = new Extrema(values);
    for (let k = 0; k < 300; ++k) {
      const begin = random(count + 1), end = begin + random(count + 1 - begin), part = [...values.slice(begin, end)].filter(Number.isFinite);
      extrema.find(begin, end);
      assert.equal(extrema.least, Math.min(...part), `from ${begin} to ${end} of ${count}`);
      assert.equal(extrema.greatest, Math.max(...part), `from ${begin} to ${end} of ${count}`);
    }
  }
});
