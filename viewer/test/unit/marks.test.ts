// Marks of the slider: contacts that are made and lost, where runs part.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ContactScan, type Mark, firstApart, marksAbout} from '../../src/panels/marks';

/** States every 10 ms; `touching`: of each pair of bodies, the states in which it touches. */
function rowsOf(count: number, touching: Record<string, (state: number) => boolean>) {
  const states = Array.from({length: count}, (_, i) => i / 100), times: number[] = [], a: number[] = [], b: number[] = [];
  for (let i = 0; i < count; ++i)
    for (const [pair, touches] of Object.entries(touching)) {
      if (!touches(i)) continue;
      const [first, second] = pair.split(' ').map(Number);
      times.push(states[i]);
      a.push(first);
      b.push(second);
    }
  return {states, rows: {times, a, b}};
}

test('a contact is made once and lost once, at the states where that is', () => {
  const {states, rows} = rowsOf(100, {'3 7': (i) => i >= 20 && i < 60}), scan = new ContactScan();
  scan.add(states, rows);
  assert.deepEqual(scan.finish(), [{time: 0.2, kind: 'made', a: 3, b: 7}, {time: 0.59, kind: 'lost', a: 3, b: 7}]);
});

test('what touches from the beginning to the end is not marked, whichever body comes first', () => {
  const {states, rows} = rowsOf(50, {'1 2': (i) => i % 2 === 0, '2 1': (i) => i % 2 === 1}), scan = new ContactScan();
  scan.add(states, rows);
  assert.deepEqual(scan.finish(), []);
});

test('a contact that flickers is one contact', () => {
  const {states, rows} = rowsOf(100, {'1 2': (i) => i >= 10 && i < 90 && i % 4 !== 0}), scan = new ContactScan();
  scan.add(states, rows);
  assert.deepEqual(scan.finish().map(({time, kind}) => [time, kind]), [[0.1, 'made'], [0.89, 'lost']]);
});

test('part by part the same is found as at once', () => {
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const pattern = Array.from({length: 3}, () => Array.from({length: 400}, () => random() < 0.5));
  // Slow changes: a state is like the one 20 before.
  const {states, rows} = rowsOf(400, Object.fromEntries(pattern.map((list, k) => [`${k} 9`, (i: number) => list[Math.floor(i / 20)]])));
  const whole = new ContactScan(), parts = new ContactScan();
  whole.add(states, rows);
  for (let from = 0; from < 400; from += 37) {
    const [low, high] = [states[from], states[Math.min(from + 37, 400) - 1]], keep = rows.times.map((t) => t >= low && t <= high);
    const cut = <T>(list: T[]) => list.filter((_, i) => keep[i]);
    parts.add(states.slice(from, from + 37), {times: cut(rows.times), a: cut(rows.a), b: cut(rows.b)});
  }
  const found = whole.finish();
  assert.ok(found.length > 10);
  assert.deepEqual(parts.finish(), found);
});

test('runs part at the first sample that differs by more than a millimeter', () => {
  assert.equal(firstApart([0, 1, 2, 3], [0, 0, 0, 0], [0, 9e-4, -1.1e-3, 5]), 2);
  assert.equal(firstApart([0, 1], [0, 0], [0, NaN]), Infinity);
});

test('of a body there are its own marks and those of no body', () => {
  const mark = (ids: number[]): Mark => ({time: 0, kind: 'made', text: '', ids}), marks = [mark([1, 2]), mark([3, 4]), mark([])];
  assert.deepEqual(marksAbout(marks, new Set([4])), [marks[1], marks[2]]);
  assert.equal(marksAbout(marks, new Set()).length, 3);
});
