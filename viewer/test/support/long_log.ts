// A log of any length that is made while it is read: a chunk a second, with the samples of one object and, now and then, of a rare sensor.
import type {ByteSource} from '../../src/data/bytes';
import {crc32} from '../../src/data/mcap_records';
import {seriesMessage} from './blocks';

const text = (value: string): Uint8Array => Buffer.concat([u32(Buffer.byteLength(value)), Buffer.from(value)]);
const u16 = (value: number) => Uint8Array.of(value & 255, value >> 8);
const u32 = (value: number) => new Uint8Array(Uint32Array.of(value).buffer);
const u64 = (value: number) => new Uint8Array(BigUint64Array.of(BigInt(value)).buffer);
const sized = (content: Uint8Array): Uint8Array => Buffer.concat([u32(content.length), content]);
const record = (op: number, ...parts: Uint8Array[]): Uint8Array => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Uint8Array.of(op), u64(content.length), content]);
};
const MAGIC = Uint8Array.of(0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a);

/** Samples a second. */
export const RATE = 100;
const SECOND = 1e9;
/** Where the object is along x. */
export const placeAt = (tick: number): number => Math.fround(Math.sin(tick * 1e-4));
/** What the rare sensor measures at the second `s`. */
export const rareAt = (s: number): number => Math.fround(s + 0.5);

export interface Shape { seconds: number; rareEvery?: number; spike?: {tick: number; value: number}; shift?: number; summary?: boolean; damaged?: number }

const WORLD = JSON.stringify({
  world: 'long', background: [1, 1, 1], gravity: [0, 0, -9.8], robots: [], entities: [{id: 0, kind: 'object', name: 'box', frame: 'box'}],
});
const COLUMNS = ['box.x', 'box.y', 'box.z', 'box.qx', 'box.qy', 'box.qz', 'box.qw'];
const attachment = (name: string, content: string): Uint8Array => record(9, u64(0), u64(0), text(name), text(''), u64(content.length), Buffer.from(content), u32(0));
const map = (entries: [string, string][]): Uint8Array => sized(Buffer.concat(entries.flatMap(([key, value]) => [text(key), text(value)])));
const channel = (id: number, topic: string, columns: string[]): Uint8Array =>
  record(4, u16(id), u16(1), text(topic), text('protobuf'), map([['columns', JSON.stringify(columns)]]));
const schema = record(3, u16(1), text('mortise.Series'), text('protobuf'), u32(0));
const message = (id: number, time: number, data: Uint8Array): Uint8Array => record(5, u16(id), u32(0), u64(time), u64(time), data);

function chunkAt(shape: Shape, s: number): Uint8Array {
  const ticks = Array.from({length: RATE}, (_, i) => (s * RATE + i) * 10);
  const rows = ticks.map((tick) => [tick === shape.spike?.tick ? shape.spike.value : placeAt(tick) + (shape.shift ?? 0), 0, 0, 0, 0, 0, 1]);
  const last = (s * RATE + RATE - 1) * SECOND / RATE, parts = [message(1, last, seriesMessage(ticks, rows, 7))];
  if (s === 0 || s % (shape.rareEvery ?? 1000) === 0) parts.push(message(2, s * SECOND, seriesMessage([s * 1000], [[rareAt(s)]], 1)));
  if (s === 0) parts.unshift(schema, channel(1, '/mortise/state', COLUMNS), channel(2, '/mortise/sensors/box/rare', ['v']));
  const records = Buffer.concat(parts), crc = crc32(records);
  const start = parts.length > (s === 0 ? 4 : 1) || s === 0 ? s * SECOND : last;
  return record(6, u64(start), u64(last), u64(records.length), u32(shape.damaged === s ? crc ^ 1 : crc), text(''), u64(records.length), records);
}

/** The file, and how many bytes were read of it. */
export class LongLog implements ByteSource {
  read_: number = 0;
  readonly size: number;
  private readonly offsets: number[] = [];
  private readonly head: Uint8Array;
  private readonly tail: Uint8Array;

  constructor(private readonly shape: Shape) {
    const named = [attachment('world.json', WORLD), attachment('scene.glb', 'none')];
    this.head = Buffer.concat([MAGIC, record(1, text(''), text('test')), ...named]);
    const {seconds} = shape, every = shape.rareEvery ?? 1000, lengths = new Map<string, number>();
    // Ticks take more bytes from 16.384 s and from 2097.152 s on; all chunks of a kind are of one length.
    const lengthOf = (s: number): number => {
      const key = `${s === 0} ${s % every === 0} ${s < 16 ? 0 : s === 16 ? 1 : s < 2097 ? 2 : s === 2097 ? 3 : 4}`;
      if (!lengths.has(key)) lengths.set(key, chunkAt(shape, s).length);
      return lengths.get(key)!;
    };
    let at = this.head.length;
    for (let s = 0; s <= seconds; ++s) {
      this.offsets.push(at);
      if (s < seconds) at += lengthOf(s);
    }
    const end = record(15, u32(0)), indexes: Uint8Array[] = [];
    let attached = MAGIC.length + record(1, text(''), text('test')).length;
    for (let s = 0; s < seconds; ++s) {
      const rare = s % every === 0, last = (s * RATE + RATE - 1) * SECOND / RATE;
      const ids = Buffer.concat((rare ? [1, 2] : [1]).map((id) => Buffer.concat([u16(id), u64(0)])));
      indexes.push(record(8, u64(rare ? s * SECOND : last), u64(last), u64(this.offsets[s]), u64(lengthOf(s)), sized(ids), u64(0), text(''), u64(lengthOf(s)), u64(lengthOf(s))));
    }
    const places = ['world.json', 'scene.glb'].map((name, i) => {
      const place = record(10, u64(attached), u64(named[i].length), u64(0), u64(0), u64(0), text(name), text(''));
      attached += named[i].length;
      return place;
    });
    const statistics = record(11, u64(seconds), u16(1), u32(2), u32(2), u32(0), u32(seconds), u64(0), u64(0), u32(0));
    const summary = Buffer.concat([schema, channel(1, '/mortise/state', COLUMNS), channel(2, '/mortise/sensors/box/rare', ['v']), ...indexes, ...places, statistics]);
    const begin = at + end.length, has = shape.summary ?? true;
    this.tail = Buffer.concat([end, ...(has ? [summary] : []), record(2, u64(has ? begin : 0), u64(0), u32(0)), MAGIC]);
    this.size = at + this.tail.length;
  }

  read(offset: number, length: number): Promise<Uint8Array> {
    const out = new Uint8Array(Math.min(length, this.size - offset));
    this.read_ += out.length;
    const put = (part: Uint8Array, start: number) => {
      const from = Math.max(offset - start, 0), to = Math.min(offset + out.length - start, part.length);
      if (to > from) out.set(part.subarray(from, to), start + from - offset);
    };
    put(this.head, 0);
    let low = 0, high = this.shape.seconds;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.offsets[middle + 1] <= offset) low = middle + 1;
      else high = middle;
    }
    for (let s = low; s < this.shape.seconds && this.offsets[s] < offset + out.length; ++s) put(chunkAt(this.shape, s), this.offsets[s]);
    put(this.tail, this.offsets[this.shape.seconds]);
    return Promise.resolve(out);
  }
}
