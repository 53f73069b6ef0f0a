// Posing: gestures that the server cannot keep up with, numbers that people type, configurations of a path.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {PoseMessage} from '../../src/data/protocol';
import {configurationAt} from '../../src/posing/path_player';
import {Gestures} from '../../src/posing/pose_client';
import {numbersFrom, oneOf, stateText} from '../../src/posing/pose_state';

const driver = (value: number): PoseMessage => ({type: 'driver', driver: 0, value});

function recorded(): {gestures: Gestures; sent: PoseMessage[]; values: () => (number | undefined)[]} {
  const sent: PoseMessage[] = [];
  return {gestures: new Gestures((message) => sent.push(message)), sent, values: () => sent.map((m) => (m.type === 'driver' ? m.value : undefined))};
}

test('of a drag the newest place is sent when the one before is answered', () => {
  const {gestures, sent, values} = recorded();
  for (const value of [1, 2, 3]) gestures.move(driver(value));
  assert.deepEqual(values(), [1]);
  gestures.answered();
  assert.deepEqual(values(), [1, 3]);
  gestures.answered();
  gestures.answered();
  assert.deepEqual(values(), [1, 3]);
  assert.deepEqual(sent.map((m) => m.n), [1, 2]);
});

test('what ends a drag belongs to it, and comes last', () => {
  const {gestures, sent, values} = recorded();
  gestures.move(driver(1));
  gestures.move(driver(2));
  gestures.end({type: 'milestone', action: 'replace', resource: 0, at: 1});
  gestures.answered();
  gestures.answered();
  assert.deepEqual(values(), [1, 2, undefined]);
  assert.equal(new Set(sent.map((m) => m.gesture)).size, 1, 'one step to undo');
  gestures.move(driver(3));
  assert.notEqual(sent[3].gesture, sent[0].gesture);
});

test('a drag that moved nothing ends with nothing', () => {
  const {gestures, sent} = recorded();
  gestures.end({type: 'solve'});
  assert.deepEqual(sent, []);
});

test('numbers as people and files write them', () => {
  assert.deepEqual(numbersFrom(' 1, 2;3\n4 '), [1, 2, 3, 4]);
  assert.deepEqual(numbersFrom('3\t1 2 3'), [1, 2, 3], 'with their count');
  assert.deepEqual(numbersFrom('3 1 2 3', 3), [1, 2, 3]);
  assert.deepEqual(numbersFrom('3 1 2 3', 4), [3, 1, 2, 3]);
  assert.equal(numbersFrom('1 two'), null);
});

test('a path is straight between its milestones', () => {
  const path = {times: [1, 2, 4], configurations: [[0, 0], [1, 2], [5, 2]]};
  for (const [time, q] of [[0, [0, 0]], [1, [0, 0]], [1.5, [0.5, 1]], [2, [1, 2]], [3, [3, 2]], [9, [5, 2]]] as const)
    assert.deepEqual(configurationAt(path, Math.max(time, 1)), q, `at ${time}`);
});

test('answers in words', () => {
  const state = {type: 'state' as const, q: [], drivers: [], objects: [], goals: [], collisions: [], limits: [4], touch: 0.005, undo: 0, redo: 0};
  const said = (more: object) => stateText({...state, ...more}, (id) => `link ${id}`);
  assert.equal(said({}), '');
  assert.equal(said({problem: 'error: no'}), 'no');
  assert.equal(said({faults: []}), 'the path is free');
  assert.equal(said({solved: false, residual: 0.012}), 'off by 1.2e-2; at a limit: link 4');
  assert.equal(oneOf(['a', 'b'] as const, 'b'), 'b');
  assert.equal(oneOf(['a', 'b'] as const, 'c'), undefined);
});
