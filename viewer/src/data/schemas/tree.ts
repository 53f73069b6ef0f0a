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

/** Later times than this are dates, s. */
const DATES = 1e8;

/** All numbers of a message by their paths; times as seconds, dates as seconds after `begin`. */
export function numbersOf(tree: Fields, begin = 0): Map<string, number> {
  const out = new Map<string, number>();
  const walk = (value: Tree, path: string): void => {
    if (out.size >= MOST_NUMBERS) return;
    if (typeof value === 'number' || typeof value === 'boolean') out.set(path, Number(value));
    else if (Array.isArray(value)) walkList(value, path, namesOfItems(value));
    else if (isFields(value)) {
      const time = secondsOf(value), names = namesBeside(value);
      if (time !== null && path !== '') out.set(time > DATES && begin > DATES ? `${path} after the beginning` : path, time > DATES && begin > DATES ? time - begin : time);
      else
        for (const [name, item] of Object.entries(value)) {
          const own = path === '' ? name : `${path}.${name}`;
          if (Array.isArray(item) && item.length === names.length) walkList(item, own, names);
          else walk(item, own);
        }
    }
  };
  const walkList = (list: Tree[], path: string, names: string[]): void => {
    if (list.length <= MOST_LISTED) list.forEach((item, i) => walk(item, `${path}[${names[i] ?? i}]`));
  };
  walk(tree, '');
  return out;
}

const unique = (names: string[]): string[] => (new Set(names).size === names.length ? names : []);

/** Items that have a name each are known by it, as joints and frames are; others by their number. */
function namesOfItems(list: Tree[]): string[] {
  return unique(list.map((item, i) => {
    const {name, child_frame_id: child, id, frame_id: frame} = fieldsOf(item), found = name ?? child ?? id ?? frame;
    return typeof found === 'string' && found !== '' ? found : String(i);
  }));
}

/** Names in a list beside others of the same length, as joints of ROS have them. */
function namesBeside({name, joint_names: joints}: Fields): string[] {
  const list = listOf(name ?? joints);
  return list.every((item) => typeof item === 'string') ? unique(list as string[]) : [];
}

/** Of a time as the schemas have it; null: it is something else. */
export function secondsOf(value: Tree | undefined): number | null {
  if (!isFields(value)) return null;
  const seconds = value.seconds ?? value.sec, rest = value.nanos ?? value.nsec ?? value.nanosec;
  return typeof seconds === 'number' && typeof rest === 'number' && Object.keys(value).length === 2 ? seconds + 1e-9 * rest : null;
}
