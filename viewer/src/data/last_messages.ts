// The messages of a channel of a long log that are the last ones at the times that are asked for.
import type {Chunks, Message} from './chunks';

export class LastMessages {
  private readonly holders: number[];
  private found: {from: number; to: number; message: Message | null} = {from: Infinity, to: -Infinity, message: null};
  private asked = NaN;

  /** `changed`: called when another message is there. */
  constructor(private readonly chunks: Chunks, private readonly channel: number, private readonly changed: () => void) {
    const has = new Map<readonly number[], boolean>();
    this.holders = chunks.places.flatMap(({channels}, k) => {
      if (!channels) return [k];
      if (!has.has(channels)) has.set(channels, channels.includes(channel));
      return has.get(channels) ? [k] : [];
    });
  }

  /** What is known to be the last message at a time; until it is read, the one before. */
  at(time: number): Message | null {
    if (time >= this.found.from && time < this.found.to) return this.found.message;
    if (this.asked !== time) {
      this.asked = time;
      void this.load(time).then((changed) => { if (changed && this.asked === time) this.changed(); });
    }
    return this.found.message;
  }

  /** Reads the last message at a time; whether it is another one than before. */
  async load(time: number): Promise<boolean> {
    const {places} = this.chunks, old = this.found.message, limit = time + 5e-10;
    let low = 0, high = this.holders.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[this.holders[middle]].start <= limit) low = middle + 1;
      else high = middle;
    }
    // Chunks may say nothing of their channels, and overlap in time.
    let last: Message | null = null, next = low < this.holders.length ? places[this.holders[low]].start : Infinity;
    for (let h = low - 1; h >= 0 && !last; --h) {
      for (const message of (await this.chunks.get(this.holders[h])).messages.get(this.channel) ?? []) {
        if (message.time <= limit && !(last && message.time < last.time)) last = message;
        if (message.time > limit) next = Math.min(next, message.time);
      }
    }
    this.found = {from: last?.time ?? -Infinity, to: next, message: last};
    return last !== old;
  }
}
