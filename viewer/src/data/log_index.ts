// Where the parts of a log are in its file: by its summary, or, where that does not lead to all of it, found by going through the file once.
import type {PagedBytes} from './bytes';
import type {Decompress} from './decompress';
import {unpackChunk} from './chunks';
import {type Channel, FOOTER_LENGTH, Fields, MAGIC, type NamedPlace, Op, type Place, RECORD_START, type Schema, channelOf, crc32, forRecords, schemaOf} from './mcap_records';

/** Some messages of the file, of the times from `start` to `end` (s): a chunk, or records that stand alone. */
export interface ChunkPlace extends Place {
  start: number;
  end: number;
  /** Bytes of its records when they are unpacked. */
  size: number;
  /** Channels that it has messages of; null: the file does not say. */
  channels: readonly number[] | null;
  /** Records that stand alone in the file. */
  bare: boolean;
}

export interface LogIndex {
  channels: Map<number, Channel>;
  /** In the order of their times. */
  chunks: ChunkPlace[];
  attachments: NamedPlace[];
  metadata: NamedPlace[];
  /** Why the file is not read to its end; empty: it is. */
  damage: string;
}

/** More than this is no summary. */
const MOST_SUMMARY = 1 << 28;
/** Messages that stand alone are taken together up to so many bytes. */
const BARE_BYTES = 1 << 18;
/** Of records that are not unpacked so much is read, for their names. */
const HEAD = 1 << 12;

const startsWithMagic = (bytes: Uint8Array): boolean => MAGIC.every((byte, i) => bytes[i] === byte);

/** Lists of channels recur in most chunks: equal ones are one. */
class ChannelLists {
  private readonly known = new Map<string, number[]>();
  of(channels: Iterable<number>): readonly number[] {
    const list = [...channels].sort((a, b) => a - b), key = list.join();
    const old = this.known.get(key);
    if (!old) this.known.set(key, list);
    return old ?? list;
  }
}

const inOrder = (chunks: ChunkPlace[]): ChunkPlace[] => chunks.sort((a, b) => a.start - b.start || a.offset - b.offset);

function chunkPlaceOf(fields: Fields, lists: ChannelLists): ChunkPlace {
  const start = fields.time(), end = fields.time(), offset = fields.u64(), length = fields.u64(), channels: number[] = [];
  for (const stop = fields.u32() + fields.at; fields.at < stop; fields.u64()) channels.push(fields.u16());
  fields.u64();
  fields.text();
  fields.u64();
  return {offset, length, start, end, size: fields.u64(), channels: channels.length > 0 ? lists.of(channels) : null, bare: false};
}

/** Null where the summary does not lead to all of the file; what is damaged throws. */
async function readSummary(file: PagedBytes): Promise<LogIndex | null> {
  const end = file.size - FOOTER_LENGTH, footer = await file.get(end, FOOTER_LENGTH), head = new Fields(footer, RECORD_START);
  if (footer[0] !== Op.footer || !startsWithMagic(footer.subarray(FOOTER_LENGTH - MAGIC.length))) throw new Error('the file has no end');
  const begin = head.u64();
  head.u64();
  const crc = head.u32();
  if (begin === 0) return null;
  if (begin > end || end - begin > MOST_SUMMARY) throw new Error('the summary is not where it should be');
  const bytes = await file.get(begin, end + RECORD_START + 16 - begin);
  if (crc !== 0 && crc32(bytes) !== crc) throw new Error('the summary is damaged');
  const index: LogIndex = {channels: new Map(), chunks: [], attachments: [], metadata: [], damage: ''};
  const schemas = new Map<number, Schema>(), lists = new ChannelLists();
  const counts = {known: false, attachments: 0, metadata: 0, chunks: 0, messages: 0};
  forRecords(bytes.subarray(0, end - begin), (op, fields) => {
    if (op === Op.schema) {
      const schema = schemaOf(fields);
      schemas.set(schema.id, schema);
    } else if (op === Op.channel) {
      const channel = channelOf(fields, schemas);
      index.channels.set(channel.id, channel);
    } else if (op === Op.chunkIndex) {
      index.chunks.push(chunkPlaceOf(fields, lists));
    } else if (op === Op.attachmentIndex) {
      const offset = fields.u64(), length = fields.u64();
      fields.bytesOf(24);
      index.attachments.push({offset, length, name: fields.text()});
    } else if (op === Op.metadataIndex) {
      index.metadata.push({offset: fields.u64(), length: fields.u64(), name: fields.text()});
    } else if (op === Op.statistics) {
      counts.known = true;
      counts.messages = fields.u64();
      fields.bytesOf(6);
      [counts.attachments, counts.metadata, counts.chunks] = [fields.u32(), fields.u32(), fields.u32()];
    }
  });
  const {chunks, attachments, metadata} = index;
  if (chunks.length === 0 || index.channels.size === 0) return null;
  if (counts.known && (counts.chunks !== chunks.length || counts.attachments !== attachments.length || counts.metadata !== metadata.length)) return null;
  if (!counts.known && attachments.length === 0) return null;
  inOrder(chunks);
  return index;
}

/** Goes through a file from its beginning to where it is whole. Of what is large and no message only the head is read. */
class Scan {
  readonly index: LogIndex = {channels: new Map(), chunks: [], attachments: [], metadata: [], damage: ''};
  private readonly schemas = new Map<number, Schema>();
  private readonly lists = new ChannelLists();
  private bare: {place: ChunkPlace; channels: Set<number>} | null = null;
  private at = MAGIC.length;

  constructor(private readonly file: PagedBytes, private readonly handlers: Decompress) {}

  async run(): Promise<LogIndex> {
    try {
      if (!startsWithMagic(await this.file.get(0, MAGIC.length))) throw new Error('this is no MCAP file');
      while (!await this.next());
    } catch (error) {
      this.index.damage = error instanceof Error ? error.message : String(error);
    }
    this.endBare();
    inOrder(this.index.chunks);
    return this.index;
  }

  /** Takes a record; true behind the last one. */
  private async next(): Promise<boolean> {
    const start = this.at, head = new Fields(await this.file.get(start, RECORD_START)), op = head.u8(), length = head.u64();
    const place = {offset: start, length: RECORD_START + length};
    if (start + place.length > this.file.size) throw new Error('the file ends too early');
    this.at += place.length;
    if (op === Op.footer) return true;
    if (op === Op.dataEnd) {
      // What follows is the summary; a file whose end is missing has lost nothing but that.
      return false;
    }
    if (op === Op.message) await this.takeBare(place);
    else if (op === Op.chunk) await this.takeChunk(place);
    else if (op === Op.schema || op === Op.channel) this.define(op, new Fields(await this.file.get(start + RECORD_START, length)));
    else if (op === Op.attachment || op === Op.metadata) await this.takeNamed(op, place);
    return false;
  }

  private define(op: number, fields: Fields): void {
    if (op === Op.schema) {
      const schema = schemaOf(fields);
      this.schemas.set(schema.id, schema);
    } else if (op === Op.channel) {
      const channel = channelOf(fields, this.schemas);
      if (!this.index.channels.has(channel.id)) this.index.channels.set(channel.id, channel);
    }
  }

  private async takeChunk(place: Place): Promise<void> {
    this.endBare();
    const chunk = unpackChunk(await this.file.get(place.offset, place.length), false, this.handlers, (op, fields) => this.define(op, fields));
    const times = [...chunk.messages.values()].flat().map((message) => message.time);
    if (times.length === 0) return;
    // Long lists are no arguments.
    const start = times.reduce((a, b) => Math.min(a, b)), end = times.reduce((a, b) => Math.max(a, b));
    this.index.chunks.push({...place, start, end, size: chunk.size, channels: this.lists.of(chunk.messages.keys()), bare: false});
  }

  private async takeBare(place: Place): Promise<void> {
    const fields = new Fields(await this.file.get(place.offset + RECORD_START, 14)), channel = fields.u16();
    fields.u32();
    const time = fields.time();
    if (this.bare && (this.bare.place.length >= BARE_BYTES || this.bare.place.offset + this.bare.place.length !== place.offset)) this.endBare();
    this.bare ??= {place: {offset: place.offset, length: 0, size: 0, start: time, end: time, channels: null, bare: true}, channels: new Set()};
    const {place: all, channels} = this.bare;
    channels.add(channel);
    all.size = all.length += place.length;
    all.start = Math.min(all.start, time);
    all.end = Math.max(all.end, time);
  }

  private endBare(): void {
    if (this.bare) this.index.chunks.push({...this.bare.place, channels: this.lists.of(this.bare.channels)});
    this.bare = null;
  }

  private async takeNamed(op: number, place: Place): Promise<void> {
    const fields = new Fields(await this.file.get(place.offset + RECORD_START, Math.min(place.length - RECORD_START, HEAD)));
    if (op === Op.attachment) fields.bytesOf(16);
    (op === Op.attachment ? this.index.attachments : this.index.metadata).push({...place, name: fields.text()});
  }
}

/** Finds the parts of a file; what is damaged is said in what is returned. */
export async function findParts(file: PagedBytes, handlers: Decompress): Promise<LogIndex> {
  try {
    const index = await readSummary(file);
    if (index) return index;
  } catch {
    // A log that was cut short has no index, and one that is damaged may have a wrong one.
  }
  return new Scan(file, handlers).run();
}

/** As `findParts`, but goes through the file whatever its summary says. */
export const scanParts = (file: PagedBytes, handlers: Decompress): Promise<LogIndex> => new Scan(file, handlers).run();

export async function readAttachment(file: PagedBytes, place: Place): Promise<Uint8Array> {
  const bytes = await file.get(place.offset + RECORD_START, place.length - RECORD_START), fields = new Fields(bytes, 16);
  fields.text();
  fields.text();
  const data = fields.bytesOf(fields.u64()), covered = fields.at, crc = fields.u32();
  if (crc !== 0 && crc32(bytes.subarray(0, covered)) !== crc) throw new Error('an attachment is damaged');
  return data.slice();
}

export async function readMetadata(file: PagedBytes, place: Place): Promise<Map<string, string>> {
  const fields = new Fields(await file.get(place.offset + RECORD_START, place.length - RECORD_START));
  fields.text();
  return fields.map();
}
