// Chunks of a log: unpacked when they are asked for, and kept as long as there is room.
import type {PagedBytes} from './bytes';
import type {Decompress} from './decompress';
import type {ChunkPlace} from './log_index';
import {Fields, Op, RECORD_START, crc32, forRecords} from './mcap_records';

export interface Message { time: number; data: Uint8Array }

/** Messages by channel, in the order of the file. */
export interface Chunk { size: number; messages: Map<number, Message[]> }

/** Unpacked chunks that are kept, in bytes. */
const MOST_KEPT = 32e6;

function recordsOf(bytes: Uint8Array, handlers: Decompress): Uint8Array {
  const fields = new Fields(bytes, RECORD_START);
  fields.bytesOf(16);
  const size = fields.u64(), crc = fields.u32(), compression = fields.text(), packed = fields.bytesOf(fields.u64());
  if (compression !== '' && compression !== 'zstd' && compression !== 'lz4') throw new Error(`a chunk is compressed by '${compression}', which is unknown`);
  const records = compression === '' ? packed : handlers[compression](packed, BigInt(size));
  if (records.length !== size) throw new Error('a chunk is not as long as it says');
  if (crc !== 0 && crc32(records) !== crc) throw new Error('a chunk is damaged');
  return records;
}

/** The messages of a chunk's record, or, where they are `bare`, of records. Other records go to `other`. */
export function unpackChunk(bytes: Uint8Array, bare: boolean, handlers: Decompress, other?: (op: number, fields: Fields) => void): Chunk {
  const records = bare ? bytes : recordsOf(bytes, handlers), messages = new Map<number, Message[]>();
  const whole = forRecords(records, (op, fields) => {
    if (op !== Op.message) return other?.(op, fields);
    const channel = fields.u16();
    fields.u32();
    const time = fields.time();
    fields.u64();
    const message = {time, data: fields.bytesOf(fields.left)}, list = messages.get(channel);
    if (list) list.push(message);
    else messages.set(channel, [message]);
  });
  if (!whole) throw new Error('a chunk ends too early');
  return {size: records.length, messages};
}

const NOTHING: Chunk = {size: 0, messages: new Map()};

/** The chunks of a file, by their number in the order of time. */
export class Chunks {
  /** How many were unpacked so far. */
  unpacked = 0;
  /** What was found damaged. */
  damage = '';
  /** What messages' times count from, s. */
  origin = 0;
  private readonly kept = new Map<number, Promise<Chunk>>();
  private readonly sizes = new Map<number, number>();
  private bytes = 0;

  constructor(readonly places: ChunkPlace[], private readonly file: PagedBytes, private readonly handlers: Decompress) {}

  /** A chunk that is damaged is empty. */
  get(k: number): Promise<Chunk> {
    const old = this.kept.get(k);
    if (old) {
      this.kept.delete(k);
      this.kept.set(k, old);
      return old;
    }
    const place = this.places[k];
    const chunk = this.read(place).catch((error: unknown) => {
      this.damage ||= `${error instanceof Error ? error.message : String(error)}, from ${place.start.toFixed(3)} s on`;
      return NOTHING;
    });
    this.kept.set(k, chunk);
    this.sizes.set(k, place.size);
    this.bytes += place.size;
    for (const other of this.kept.keys()) {
      if (this.bytes <= MOST_KEPT || other === k) break;
      this.kept.delete(other);
      this.bytes -= this.sizes.get(other) ?? 0;
    }
    return chunk;
  }

  private async read(place: ChunkPlace): Promise<Chunk> {
    const bytes = await this.file.get(place.offset, place.length);
    this.unpacked += 1;
    const chunk = unpackChunk(bytes, place.bare, this.handlers);
    if (this.origin !== 0) for (const list of chunk.messages.values()) for (const message of list) message.time -= this.origin;
    return chunk;
  }
}
