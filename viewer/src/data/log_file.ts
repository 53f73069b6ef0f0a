// A log's file: its attachments, and its messages, all at once where they are few, else in parts when they are wanted.
import {type ByteSource, PagedBytes} from './bytes';
import {Chunks, type Message} from './chunks';
import {type Decompress, decompressHandlers} from './decompress';
import {type LogIndex, findParts, readAttachment, readMetadata, scanParts} from './log_index';
import type {Channel} from './mcap_records';

/** Attachments that are larger are not read. */
const MOST_ATTACHED = 1 << 28;

export class LogFile {
  readonly chunks: Chunks;
  readonly attachments = new Map<string, Uint8Array>();
  /** Of the run, as it ended. */
  readonly ending = new Map<string, string>();

  private constructor(readonly bytes: PagedBytes, private readonly handlers: Decompress, readonly index: LogIndex) {
    this.chunks = new Chunks(index.chunks, bytes, handlers);
  }

  static async open(source: ByteSource): Promise<LogFile> {
    const handlers = await decompressHandlers(), bytes = new PagedBytes(source);
    const file = new LogFile(bytes, handlers, await findParts(bytes, handlers));
    try {
      await file.readBesides();
      return file;
    } catch {
      return file.scanned();
    }
  }

  /** The same file, gone through from its beginning to where it is whole. */
  async scanned(): Promise<LogFile> {
    const file = new LogFile(this.bytes, this.handlers, await scanParts(this.bytes, this.handlers));
    try {
      await file.readBesides();
    } catch (error) {
      file.index.damage ||= error instanceof Error ? error.message : String(error);
    }
    return file;
  }

  /** Reads what stands beside the messages; states from which runs go on are the server's matter. */
  private async readBesides(): Promise<void> {
    for (const place of this.index.attachments)
      if (!place.name.startsWith('states/') && place.length <= MOST_ATTACHED) this.attachments.set(place.name, await readAttachment(this.bytes, place));
    for (const place of this.index.metadata)
      if (place.name === 'mortise.run') for (const [key, value] of await readMetadata(this.bytes, place)) this.ending.set(key, value);
  }

  /** Has times count from an instant on, s. Before anything is read. */
  beginAt(origin: number): void {
    this.chunks.origin = origin;
    for (const place of this.index.chunks) {
      place.start -= origin;
      place.end -= origin;
    }
  }

  /** When the first message is, and the last one; null: there is none. */
  get span(): {start: number; end: number} | null {
    const {chunks} = this.index;
    return chunks.length === 0 ? null : {start: chunks[0].start, end: chunks.reduce((end, place) => Math.max(end, place.end), -Infinity)};
  }

  channelsOf(schema: string): Channel[] { return [...this.index.channels.values()].filter((channel) => channel.schema?.name === schema); }

  /** Bytes of the unpacked chunks that have messages of these channels. */
  bytesOf(channels: Channel[]): number {
    const ids = new Set(channels.map((channel) => channel.id));
    return this.index.chunks.reduce((sum, chunk) => sum + (!chunk.channels || chunk.channels.some((id) => ids.has(id)) ? chunk.size : 0), 0);
  }

  /** Gives all messages of these channels to `take`, each channel's in the order of time. */
  async readAll(channels: Channel[], take: (channel: Channel, message: Message) => void): Promise<void> {
    const lists = new Map<number, Message[]>(channels.map((channel) => [channel.id, []]));
    for (const [k, place] of this.index.chunks.entries()) {
      if (place.channels && !place.channels.some((id) => lists.has(id))) continue;
      const {messages} = await this.chunks.get(k);
      for (const [id, list] of messages) lists.get(id)?.push(...list);
    }
    for (const channel of channels) {
      const list = lists.get(channel.id)!;
      if (list.some((message, i) => i > 0 && message.time < list[i - 1].time)) list.sort((a, b) => a.time - b.time);
      for (const message of list) take(channel, message);
    }
  }
}
