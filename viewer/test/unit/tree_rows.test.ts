// Rows of the tree: links below the links that carry them, found with what they are in.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {WorldDescription} from '../../src/data/log';
import {closedAbove, treeRows} from '../../src/panels/tree/tree_rows';

const link = (id: number, name: string, parent: number) => ({id, name, parent});
const entity = (id: number, kind: string, name: string) => ({id, kind, name, frame: name});
// A base that carries two arms, the left one with a hand.
const world = {
  entities: [entity(0, 'terrain', 'floor'), entity(1, 'object', 'cup'), entity(2, 'object', 'ball'), entity(3, 'robot', 'two arms'),
    ...['base', 'left', 'hand', 'right'].map((name, i) => entity(4 + i, 'link', name))],
  robots: [{id: 3, name: 'two arms', links: [link(4, 'base', -1), link(5, 'left', 0), link(6, 'hand', 1), link(7, 'right', 0)]}],
} as unknown as WorldDescription;

const shown = (filter: string, ...toggled: string[]) => treeRows(world, {filter, toggled: new Set(toggled)}).map(({label, depth}) => `${depth} ${label}`);

test('groups are open and robots closed at first', () => {
  assert.deepEqual(shown(''), ['0 terrains', '1 floor', '0 objects', '1 cup', '1 ball', '0 two arms']);
  assert.deepEqual(shown('', 'group object'), ['0 terrains', '1 floor', '0 objects', '0 two arms']);
});

test('links are below what carries them', () => {
  assert.deepEqual(shown('', 'robot 3').slice(5), ['0 two arms', '1 base', '2 left', '3 hand', '2 right']);
  assert.deepEqual(shown('', 'robot 3', 'link 5').slice(5), ['0 two arms', '1 base', '2 left', '2 right']);
});

test('what is found is shown with all that it is in, and nothing else', () => {
  assert.deepEqual(shown(' HAND '), ['0 two arms', '1 base', '2 left', '3 hand']);
  assert.deepEqual(shown('cup'), ['0 objects', '1 cup']);
  assert.deepEqual(shown('nothing'), []);
});

test('a robot hides all of its links, a link itself', () => {
  const rows = treeRows(world, {filter: '', toggled: new Set(['robot 3'])}), of = (label: string) => rows.find((row) => row.label === label)!;
  assert.deepEqual(of('two arms').ids, [3, 4, 5, 6, 7]);
  assert.deepEqual(of('left').ids, [5]);
  assert.equal(of('left').count, 1);
});

test('what is above a link that is selected is opened', () => {
  assert.deepEqual(closedAbove(world, 6, new Set()), ['robot 3']);
  assert.deepEqual(closedAbove(world, 6, new Set(['robot 3', 'link 5', 'link 7'])), ['link 5']);
  assert.deepEqual(closedAbove(world, 1, new Set()), []);
});
