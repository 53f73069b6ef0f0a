// Messages of the server, checked once when they arrive: the page then relies on the types that the protocol declares.
import {type LogList, MESSAGE_SHAPES, PART_SHAPES, type ServerMessage} from './protocol';

type Shapes = Record<string, string>;

function refuse(key: string, expected: string, value: unknown): never {
  const found = value === undefined ? 'nothing' : value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
  throw new Error(`the server's '${key}': expected ${expected}, found ${found}`);
}

const isMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function checkList(value: unknown, shape: string, key: string): void {
  if (!Array.isArray(value)) refuse(key, 'a list', value);
  if (shape === 'any') return;
  // Lists of numbers may be long.
  const numbers = shape === 'number';
  value.forEach((item: unknown, i) => { if (!numbers || typeof item !== 'number') checkValue(item, shape, `${key}[${i}]`); });
}

function checkValue(value: unknown, shape: string, key: string): void {
  if (shape.endsWith('[]')) return checkList(value, shape.slice(0, -2), key);
  if (shape.startsWith('=')) {
    const words = shape.slice(1).split('|');
    if (typeof value !== 'string' || !words.includes(value)) refuse(key, `one of ${words.map((word) => `'${word}'`).join(', ')}`, value);
  } else if (shape === 'number|null') {
    if (typeof value !== 'number' && value !== null) refuse(key, 'a number or null', value);
  } else if (shape === 'number' || shape === 'string' || shape === 'boolean') {
    if (typeof value !== shape) refuse(key, `a ${shape}`, value);
  } else {
    checkFields(value, PART_SHAPES[shape], key);
  }
}

function checkFields(value: unknown, shapes: Shapes, key: string): void {
  if (!isMap(value)) refuse(key, 'a map', value);
  for (const [name, shape] of Object.entries(shapes)) {
    if (!shape.endsWith('?')) checkValue(value[name], shape, `${key}.${name}`);
    else if (value[name] !== undefined) checkValue(value[name], shape.slice(0, -1), `${key}.${name}`);
  }
}

function assertServerMessage(value: unknown): asserts value is ServerMessage {
  if (!isMap(value) || typeof value.type !== 'string') refuse('message', 'a map with a type', value);
  if (!Object.hasOwn(MESSAGE_SHAPES, value.type)) throw new Error(`the server's message is of the unknown type '${value.type}'`);
  checkFields(value, MESSAGE_SHAPES[value.type], value.type);
}

function assertLogList(value: unknown): asserts value is LogList { checkFields(value, PART_SHAPES.LogList, 'logs'); }

/** Throws an `Error` that names the key and what was expected for it. */
export function parseServerMessage(text: string): ServerMessage {
  const value: unknown = JSON.parse(text);
  assertServerMessage(value);
  return value;
}

/** Likewise, of the list that a page begins with. */
export function parseLogList(text: string): LogList {
  const value: unknown = JSON.parse(text);
  assertLogList(value);
  return value;
}
