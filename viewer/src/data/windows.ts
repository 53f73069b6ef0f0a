// Series of a long log, window by window: what is in memory is what lies about the times that were shown last.
import type {Chunks, Message} from './chunks';
import {type SeriesBlock} from './series_packing';
import {SeriesPart, seriesBlock} from './series';

/** `block`: how a message is read that is no series. */
export interface SeriesChannel { id: number; topic: string; names: string[]; block?: (message: Message) => SeriesBlock }

/** Consecutive chunks, `first` to `last`, that hold the samples after `from` up to `to` (s). */
export interface WindowRange { first: number; last: number; from: number; to: number }

/** Parts of all series, by topic. */
export type Window = Map<string, SeriesPart>;

/** Chunks go into one window until it has so many, or so many bytes. */
const MOST_CHUNKS = 4, MOST_BYTES = 1 << 19;
/** Windows that are kept, in bytes and at least. */
const MOST_KEPT = 64e6, LEAST_KEPT = 3;

/** Messages of a channel in the order of time. */
function inOrder<T extends {time: number}>(messages: T[]): T[] {
  for (let i = 1; i < messages.length; ++i)
    if (messages[i].time < messages[i - 1].time) return messages.sort((a, b) => a.time - b.time);
  return messages;
}

export class Windows {
  readonly ranges: WindowRange[] = [];
  /** Numbers of the chunks that hold messages of these channels. */
  private readonly chunks: number[];
  private readonly kept = new Map<number, Window>();
  private readonly loading = new Map<number, Promise<Window>>();
  private readonly holders = new Map<number, Int32Array>();

  constructor(private readonly all: Chunks, readonly channels: SeriesChannel[]) {
    const ids = new Set(channels.map((channel) => channel.id)), has = new Map<readonly number[], boolean>();
    const holds = (list: readonly number[] | null): boolean => {
      if (!list) return true;
      if (!has.has(list)) has.set(list, list.some((id) => ids.has(id)));
      return has.get(list)!;
    };
    this.chunks = all.places.flatMap((place, k) => (holds(place.channels) ? [k] : []));
    let to = -Infinity;
    for (let first = 0; first < this.chunks.length;) {
      const from = to;
      let last = first, bytes = 0;
      for (;; ++last) {
        const place = all.places[this.chunks[last]];
        to = Math.max(to, place.end);
        bytes += place.size;
        if (last + 1 === this.chunks.length || last + 1 - first >= MOST_CHUNKS || bytes >= MOST_BYTES) break;
      }
      this.ranges.push({first, last, from, to});
      first = last + 1;
    }
  }

  /** The number of the window that holds a time: the nearest one. */
  at(time: number): number {
    let low = 0, high = this.ranges.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      // A sample counts from its time on.
      if (this.ranges[middle].to + 5e-10 < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** A window that is in memory. */
  peek(k: number): Window | null { return this.kept.get(k) ?? null; }

  load(k: number): Promise<Window> {
    const old = this.kept.get(k);
    if (old) {
      this.kept.delete(k);
      this.kept.set(k, old);
      return Promise.resolve(old);
    }
    const started = this.loading.get(k);
    if (started) return started;
    const promise = this.read(k).then((window) => {
      this.keep(k, window);
      return window;
    }).finally(() => this.loading.delete(k));
    this.loading.set(k, promise);
    return promise;
  }

  /** What a channel has in a window, with its neighbors and what was the case when it began. */
  async part(k: number, channel: SeriesChannel): Promise<SeriesPart> {
    const {first, last, from} = this.ranges[k], begin = Math.max(first - 1, 0), end = Math.min(last + 1, this.chunks.length - 1);
    const blocks = await this.blocks(channel, begin, end);
    const earliest = blocks.find((block) => block.count > 0)?.times[0] ?? Infinity;
    if (earliest > from && from > -Infinity) blocks.unshift(...await this.before(channel, begin));
    return new SeriesPart(blocks, channel.names.length);
  }

  /** The messages of a channel in a window, and in no other, in the order of time. */
  async messagesIn(k: number, channel: SeriesChannel): Promise<Message[]> {
    const {first, last, from, to} = this.ranges[k], begin = Math.max(first - 1, 0), end = Math.min(last + 1, this.chunks.length - 1);
    const messages = await this.messages(channel, begin, end);
    return messages.filter(({time}) => time > from + 5e-10 && time <= to + 5e-10);
  }

  private async read(k: number): Promise<Window> {
    const window: Window = new Map();
    for (const channel of this.channels) window.set(channel.topic, await this.part(k, channel));
    return window;
  }

  private keep(k: number, window: Window): void {
    this.kept.set(k, window);
    const bytesOf = (w: Window) => [...w.values()].reduce((sum, part) => sum + part.bytes, 0);
    let bytes = [...this.kept.values()].reduce((sum, w) => sum + bytesOf(w), 0);
    for (const [other, w] of this.kept) {
      if (bytes <= MOST_KEPT || this.kept.size <= LEAST_KEPT) break;
      this.kept.delete(other);
      bytes -= bytesOf(w);
    }
  }

  private async messages(channel: SeriesChannel, begin: number, end: number): Promise<Message[]> {
    const chunks = await Promise.all(this.chunks.slice(begin, end + 1).map((k) => this.all.get(k)));
    return inOrder(chunks.flatMap((chunk) => chunk.messages.get(channel.id) ?? []));
  }

  private async blocks(channel: SeriesChannel, begin: number, end: number): Promise<SeriesBlock[]> {
    return (await this.messages(channel, begin, end)).flatMap((message) => {
      const {data, time} = message;
      try {
        return [channel.block?.(message) ?? seriesBlock(data, channel.names.length, channel.topic)];
      } catch (error) {
        this.all.damage ||= `${error instanceof Error ? error.message : String(error)}, at ${time.toFixed(3)} s`;
        return [];
      }
    });
  }

  /** The last blocks of a channel in front of a chunk. */
  private async before(channel: SeriesChannel, begin: number): Promise<SeriesBlock[]> {
    const held = this.holdersOf(channel.id);
    let low = 0, high = held.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (held[middle] < begin) low = middle + 1;
      else high = middle;
    }
    return low > 0 ? this.blocks(channel, held[low - 1], held[low - 1]) : [];
  }

  /** The chunks, counted among those here, that are said to hold a channel. */
  private holdersOf(id: number): Int32Array {
    let held = this.holders.get(id);
    if (!held) {
      const has = new Map<readonly number[], boolean>();
      held = Int32Array.from(this.chunks.flatMap((k, i) => {
        const list = this.all.places[k].channels;
        if (!list) return [];
        if (!has.has(list)) has.set(list, list.includes(id));
        return has.get(list) ? [i] : [];
      }));
      this.holders.set(id, held);
    }
    return held;
  }
}
