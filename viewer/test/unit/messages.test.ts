// Messages of the server are checked once, and what is wrong is named.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parseLogList, parseServerMessage} from '../../src/data/messages';

const status = {type: 'status', paused: true, over: false, speed: 0.5, can_go_back: true, fault: ''};
const state = {
  type: 'state', q: [[0, 1.5]], drivers: [[1]], objects: [], goals: [], collisions: [[3, 4]], limits: [], touch: 0.005, undo: 1, redo: 0,
  robots: [{name: 'arm', base: 'fixed', base_link: -1, drivers: [{name: 'a', min: null, max: 2}], links: [{min: -1, max: 1, parent: -1}], driver_of_link: [0]}],
  balance: {
    balanced: true, margin: null, polygon: [[0, 1]], rays: [], bounded: true, half_planes: [[1, 0, 2]], area: null, com: [0, 0, 1], points: [[0, 0, 0]],
    axes: [[1, 0, 0], [0, 1, 0]], fixed: true, torques: {balanced: true, utilization: [null, 0.5]}, touch: 0.005,
  },
};

test('messages of all kinds are read', () => {
  for (const message of [
    status, state, {type: 'hello', channels: [{topic: '/a', columns: ['x']}], sensors: [{name: 'eye'}], from: 7}, {type: 'cut', tick: 3},
    {type: 'problem', text: 'no'}, {type: 'problem', text: 'no', n: 4}, {type: 'reload'}, {type: 'version', version: 2},
  ]) assert.deepEqual(parseServerMessage(JSON.stringify(message)), message);
});

test('what is wrong is named, with what was expected', () => {
  const refused = (message: object, key: RegExp) => assert.throws(() => parseServerMessage(JSON.stringify(message)), key);
  refused({...status, speed: '1'}, /'status\.speed': expected a number, found a string/);
  refused({...status, paused: undefined}, /'status\.paused': expected a boolean, found nothing/);
  refused({...state, q: [[0, null]]}, /'state\.q\[0\]\[1\]': expected a number, found null/);
  refused({...state, collisions: 3}, /'state\.collisions': expected a list, found a number/);
  refused({...state, robots: [{...state.robots[0], base: 'wheeled'}]}, /'state\.robots\[0\]\.base': expected one of 'fixed', 'floating', 'planar'/);
  refused({...state, balance: {...state.balance, torques: []}}, /'state\.balance\.torques': expected a map, found a list/);
  refused({type: 'hello', channels: [{topic: '/a'}], sensors: []}, /'hello\.channels\[0\]\.columns'/);
});

test('what is no message of the server is refused', () => {
  for (const text of ['7', 'null', '[]', '{}', '{"type":5}', '{"type":"fly"}', '{"type":"Channel","topic":"","columns":[]}', '{"type":"toString"}', '{"type":'])
    assert.throws(() => parseServerMessage(text));
});

test('the list of logs is checked, too', () => {
  const list = {session: '', version: 0, logs: [{name: 'a', path: 'log/0'}]};
  assert.deepEqual(parseLogList(JSON.stringify(list)), list);
  assert.throws(() => parseLogList(JSON.stringify({...list, session: 'fly'})), /'logs\.session': expected one of '', 'live', 'log', 'pose'/);
  assert.throws(() => parseLogList(JSON.stringify({...list, logs: [{name: 'a'}]})), /'logs\.logs\[0\]\.path': expected a string, found nothing/);
});
