// A curve of any length in bounded memory: of ranges of its samples the least and the greatest, with their times.

export interface Samples { times: Float64Array; values: Float32Array }

/** Ranges that are kept; when there are more, each two become one. Even. */
export const MOST_RANGES = 1 << 16;

export class Pyramid {
  /** Samples of a range. */
  size = 1;
  /** Samples that were added. */
  samples = 0;
  private count = 0;
  /** Samples of the last range. */
  private filled = 0;
  private readonly leastTimes: Float64Array;
  private readonly greatestTimes: Float64Array;
  private readonly least: Float32Array;
  private readonly greatest: Float32Array;

  constructor(private readonly most = MOST_RANGES) {
    this.leastTimes = new Float64Array(most);
    this.greatestTimes = new Float64Array(most);
    this.least = new Float32Array(most);
    this.greatest = new Float32Array(most);
  }

  /** Adds samples that are later than all before. */
  add({times, values}: Samples): void {
    for (let i = 0; i < times.length; ++i) this.put(times[i], values[i]);
    this.samples += times.length;
  }

  private put(time: number, value: number): void {
    if (this.filled === this.size || this.count === 0) {
      if (this.count === this.most) this.halve();
      if (this.count === 0 || this.filled === this.size) {
        const at = this.count++;
        this.leastTimes[at] = this.greatestTimes[at] = time;
        this.least[at] = this.greatest[at] = value;
        this.filled = 1;
        return;
      }
    }
    const at = this.count - 1;
    this.filled += 1;
    if (!(value - value === 0)) return;
    // What is not finite gives way to what is.
    if (!(this.least[at] <= value)) {
      this.least[at] = value;
      this.leastTimes[at] = time;
    }
    if (!(this.greatest[at] >= value)) {
      this.greatest[at] = value;
      this.greatestTimes[at] = time;
    }
  }

  private halve(): void {
    const finite = (v: number) => v - v === 0;
    for (let i = 0; i < this.count; i += 2) {
      const a = i, b = i + 1, to = i >> 1;
      const low = !finite(this.least[a]) || this.least[b] < this.least[a] ? b : a, high = !finite(this.greatest[a]) || this.greatest[b] > this.greatest[a] ? b : a;
      [this.least[to], this.leastTimes[to]] = [this.least[low], this.leastTimes[low]];
      [this.greatest[to], this.greatestTimes[to]] = [this.greatest[high], this.greatestTimes[high]];
    }
    this.count >>= 1;
    this.size *= 2;
    // All ranges are whole.
    this.filled = this.size;
  }

  /** Points that have the same outline as all samples; as long as ranges have one sample, these themselves. */
  points(): Samples {
    const times = new Float64Array(2 * this.count), values = new Float32Array(2 * this.count);
    let n = 0;
    const put = (time: number, value: number) => {
      times[n] = time;
      values[n++] = value;
    };
    for (let i = 0; i < this.count; ++i) {
      const low = this.leastTimes[i], high = this.greatestTimes[i];
      if (low <= high) put(low, this.least[i]);
      if (low !== high) put(high, this.greatest[i]);
      if (low > high) put(low, this.least[i]);
    }
    return {times: times.subarray(0, n), values: values.subarray(0, n)};
  }
}

/** The first of ascending `times` that is later than `time`. */
export function firstAfter(times: Float64Array, time: number): number {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Samples after `from` and up to `to`. */
export function between({times, values}: Samples, from: number, to: number): Samples {
  const begin = firstAfter(times, from), end = Math.max(firstAfter(times, to), begin);
  return {times: times.subarray(begin, end), values: values.subarray(begin, end)};
}

/** Samples one after the other. */
export function chained(parts: Samples[]): Samples {
  const count = parts.reduce((sum, part) => sum + part.times.length, 0);
  const out = {times: new Float64Array(count), values: new Float32Array(count)};
  let at = 0;
  for (const part of parts) {
    out.times.set(part.times, at);
    out.values.set(part.values, at);
    at += part.times.length;
  }
  return out;
}
