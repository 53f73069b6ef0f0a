// The messages of a channel before and about a time: all of them where they are few, else those of the chunks nearby.
import type {Chunks, Message} from '../chunks';

/** Channels in so few chunks, or in chunks of so few bytes, are in memory. */
const FEW_CHUNKS = 16, FEW_BYTES = 48e6;
/** Of others, chunks before the one of the time that are read. */
const BEFORE = 4;

const NONE: Message[] = [];

export class MessagesAbout {
  /** Numbers of the chunks that have messages of the channel. */
  readonly holders: number[];
  private readonly few: boolean;
  private all: Message[] | null = null;
  private near: {at: number; messages: Message[]} = {at: -1, messages: NONE};
  private asked = -1;

  /** `changed`: called when other messages are there. */
  constructor(private readonly chunks: Chunks, private readonly channel: number, private readonly changed: () => void) {
    const {places} = chunks;
    this.holders = places.flatMap(({channels}, k) => (!channels || channels.includes(channel) ? [k] : []));
    this.few = this.holders.length <= FEW_CHUNKS || this.holders.reduce((sum, k) => sum + places[k].size, 0) <= FEW_BYTES;
  }

  /** Whether all of them are in memory. */
  get complete(): boolean { return this.few; }

  /** What is in memory, in the order of time; the same list as long as nothing else is. */
  at(time: number): Message[] {
    if (this.all) return this.all;
    const at = this.placeOf(time);
    if (!this.few && this.near.at === at) return this.near.messages;
    if (this.asked !== at || this.few) {
      this.asked = at;
      void this.load(time).then(() => { if (this.asked === at) this.changed(); });
    }
    return this.near.messages;
  }

  /** Reads what `at` returns for a time. */
  async load(time: number): Promise<void> {
    if (this.all) return;
    if (this.few) {
      // What is kept keeps no chunk in memory.
      this.all = (await this.messagesOf(this.holders)).map(({time: t, data}) => ({time: t, data: data.slice()}));
      return;
    }
    const at = this.placeOf(time);
    if (this.near.at === at) return;
    const messages = await this.messagesOf(this.holders.slice(Math.max(at - BEFORE, 0), at + 2));
    this.near = {at, messages};
  }

  /** The messages of some chunks all over the log. */
  async samples(count: number): Promise<Message[]> {
    const last = this.holders.length - 1, picked = new Set(Array.from({length: count}, (_, i) => this.holders[Math.round((i * last) / Math.max(count - 1, 1))]));
    return last < 0 ? [] : this.messagesOf([...picked]);
  }

  /** The last of the chunks that begins before a time. */
  private placeOf(time: number): number {
    let low = 0, high = this.holders.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.chunks.places[this.holders[middle]].start <= time + 5e-10) low = middle + 1;
      else high = middle;
    }
    return Math.max(low - 1, 0);
  }

  private async messagesOf(holders: number[]): Promise<Message[]> {
    const out: Message[] = [];
    for (const k of holders) out.push(...(await this.chunks.get(k)).messages.get(this.channel) ?? []);
    return out.sort((a, b) => a.time - b.time);
  }
}
