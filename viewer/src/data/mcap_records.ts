// Records of MCAP files, byte by byte (https://mcap.dev/spec).

export const MAGIC = Uint8Array.of(0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a);

export const enum Op {
  header = 1, footer = 2, schema = 3, channel = 4, message = 5, chunk = 6, messageIndex = 7, chunkIndex = 8, attachment = 9,
  attachmentIndex = 10, statistics = 11, metadata = 12, metadataIndex = 13, summaryOffset = 14, dataEnd = 15,
}

/** Bytes before the content of a record: its kind and its length. */
export const RECORD_START = 9;
/** Bytes from the footer's record to the end of the file. */
export const FOOTER_LENGTH = RECORD_START + 20 + MAGIC.length;

const TEXT = new TextDecoder();

/** Fields of a record, one after the other. Throws beyond its end. */
export class Fields {
  private readonly view: DataView;
  constructor(private readonly bytes: Uint8Array, public at = 0, private readonly end = bytes.length) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  get left(): number { return this.end - this.at; }
  private take(length: number): number {
    if (!(length >= 0 && this.at + length <= this.end)) throw new Error('a record ends too early');
    this.at += length;
    return this.at - length;
  }
  u8(): number { return this.view.getUint8(this.take(1)); }
  u16(): number { return this.view.getUint16(this.take(2), true); }
  u32(): number { return this.view.getUint32(this.take(4), true); }
  /** As near as a double comes to it. */
  u64(): number {
    const at = this.take(8);
    return this.view.getUint32(at + 4, true) * 4294967296 + this.view.getUint32(at, true);
  }
  /** Nanoseconds as seconds. */
  time(): number { return this.u64() * 1e-9; }
  bytesOf(length: number): Uint8Array {
    const at = this.take(length);
    return this.bytes.subarray(at, at + length);
  }
  text(): string { return TEXT.decode(this.bytesOf(this.u32())); }
  map(): Map<string, string> {
    const end = this.u32() + this.at, out = new Map<string, string>();
    while (this.at < end) out.set(this.text(), this.text());
    return out;
  }
}

export interface Schema { id: number; name: string; encoding: string; data: Uint8Array }
export interface Channel { id: number; schema: Schema | null; topic: string; encoding: string; metadata: Map<string, string> }
/** Where something is in the file: its whole record. */
export interface Place { offset: number; length: number }
export interface NamedPlace extends Place { name: string }

export function schemaOf(fields: Fields): Schema {
  return {id: fields.u16(), name: fields.text(), encoding: fields.text(), data: fields.bytesOf(fields.u32()).slice()};
}

export function channelOf(fields: Fields, schemas: Map<number, Schema>): Channel {
  const id = fields.u16(), schema = schemas.get(fields.u16()) ?? null;
  return {id, schema, topic: fields.text(), encoding: fields.text(), metadata: fields.map()};
}

/** Calls `take` for each whole record; returns whether nothing is left over. */
export function forRecords(bytes: Uint8Array, take: (op: number, fields: Fields, start: number) => void): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at + RECORD_START <= bytes.length) {
    const length = view.getUint32(at + 1, true) + view.getUint32(at + 5, true) * 4294967296, begin = at + RECORD_START;
    if (begin + length > bytes.length) return false;
    take(bytes[at], new Fields(bytes, begin, begin + length), at);
    at = begin + length;
  }
  return at === bytes.length;
}

const TABLE = Uint32Array.from({length: 256}, (_, n) => {
  for (let k = 0; k < 8; ++k) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});
// Tables for four bytes at once.
const TABLES = [TABLE];
for (let t = 1; t < 4; ++t) TABLES.push(TABLE.map((_, n) => (TABLES[t - 1][n] >>> 8) ^ TABLE[TABLES[t - 1][n] & 255]));

/** The CRC-32 that MCAP, zip and PNG have. */
export function crc32(bytes: Uint8Array): number {
  const [t0, t1, t2, t3] = TABLES, whole = bytes.length & ~3;
  let crc = -1, at = 0;
  for (; at < whole; at += 4) {
    crc ^= bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
    crc = t3[crc & 255] ^ t2[(crc >>> 8) & 255] ^ t1[(crc >>> 16) & 255] ^ t0[crc >>> 24];
  }
  for (; at < bytes.length; ++at) crc = (crc >>> 8) ^ TABLE[(crc ^ bytes[at]) & 255];
  return ~crc >>> 0;
}
