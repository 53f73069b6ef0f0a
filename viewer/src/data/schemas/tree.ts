// Messages of any schema as one kind of tree, read by what the file itself says of the schema.
import type {Channel} from '../mcap_records';
import {cdrReader} from './cdr';
import {jsonReader} from './json';
import {protobufReader} from './protobuf';

/** A value of a message: numbers, texts, bytes, lists, and named values. */
export type Tree = number | boolean | string | Uint8Array | Tree[] | {[name: string]: Tree};
export type Fields = {[name: string]: Tree};

/** Reads a message; throws for bytes that are none. */
export type ReadMessage = (data: Uint8Array) => Fields;

/** How messages of a channel are read; null: their encoding is not known, or the file does not say what they are. */
export function readerOf({encoding, schema}: Channel): ReadMessage | null {
  if (encoding === 'json') return jsonReader();
  if (!schema) return null;
  if (encoding === 'protobuf' && schema.encoding === 'protobuf') return protobufReader(schema.name, schema.data);
  if (encoding === 'cdr' && schema.encoding === 'ros2msg') return cdrReader(schema.name, new TextDecoder().decode(schema.data));
  return null;
}

export const isFields = (value: Tree | undefined): value is Fields =>
  typeof value === 'object' && !Array.isArray(value) && !(value instanceof Uint8Array);

export const fieldsOf = (value: Tree | undefined): Fields => (isFields(value) ? value : {});
export const listOf = (value: Tree | undefined): Tree[] => (Array.isArray(value) ? value : []);
export const numberOf = (value: Tree | undefined, otherwise = 0): number => (typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : otherwise);
export const textOf = (value: Tree | undefined): string => (typeof value === 'string' ? value : '');

/** Bytes, which JSON has as base64 or as a list of numbers. */
export function bytesOf(value: Tree | undefined): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return Uint8Array.from(value, (v) => numberOf(v));
  return typeof value === 'string' ? Uint8Array.from(atob(value), (c) => c.charCodeAt(0)) : new Uint8Array(0);
}

/** Lists of more than so many numbers are data, not numbers to plot; so many numbers of a message are told apart. */
const MOST_LISTED = 64, MOST_NUMBERS = 512;

/** All numbers of a message by their paths; times as seconds. */
export function numbersOf(tree: Fields): Map<string, number> {
  const out = new Map<string, number>();
  const walk = (value: Tree, path: string): void => {
    if (out.size >= MOST_NUMBERS) return;
    if (typeof value === 'number' || typeof value === 'boolean') out.set(path, Number(value));
    else if (Array.isArray(value)) {
      if (value.length <= MOST_LISTED) value.forEach((item, i) => walk(item, `${path}${nameOfItem(item, i)}`));
    } else if (isFields(value)) {
      const time = secondsOf(value);
      if (time !== null && path !== '') out.set(path, time);
      else for (const [name, item] of Object.entries(value)) walk(item, path === '' ? name : `${path}.${name}`);
    }
  };
  walk(tree, '');
  return out;
}

/** Items that have a name are known by it, as joints are. */
function nameOfItem(item: Tree, i: number): string {
  const name = isFields(item) ? item.name ?? item.frame_id : undefined;
  return typeof name === 'string' && name !== '' ? `[${name}]` : `[${i}]`;
}

/** Of a time as the schemas have it; null: it is something else. */
export function secondsOf(value: Tree | undefined): number | null {
  if (!isFields(value)) return null;
  const seconds = value.seconds ?? value.sec, rest = value.nanos ?? value.nsec ?? value.nanosec;
  return typeof seconds === 'number' && typeof rest === 'number' && Object.keys(value).length === 2 ? seconds + 1e-9 * rest : null;
}
