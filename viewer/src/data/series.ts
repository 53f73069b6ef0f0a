// Columns of numbers over time.
import {indexAt} from './curves';
import {type SeriesBlock, unpackSeries} from './series_packing';

/** The most that a series of a live view keeps, in bytes; beyond, the oldest part is dropped. */
const MOST_BYTES = 32e6;

/** A message mortise.Series: ticks = 1, times = 2, columns = 3, values = 4, column by column; or packed = 5 and columns. `topic`: for complaints. */
export function seriesBlock(message: Uint8Array, width: number, topic: string): SeriesBlock {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  let at = 0;
  const varint = (): number => {
    let value = 0, scale = 1;
    for (;;) {
      const byte = view.getUint8(at++);
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  };
  const ticks: number[] = [];
  let columns = width;
  let times = new Float64Array(0), values = new Int32Array(0);
  while (at < message.byteLength) {
    const key = varint(), field = key >> 3, type = key & 7;
    if (type === 0) {
      const value = varint();
      if (field === 3) columns = value;
      continue;
    }
    if (type !== 2) throw new Error('a series has a field of an unknown kind');
    const length = varint(), end = at + length;
    if (field === 1) {
      while (at < end) ticks.push(varint());
    } else if (field === 2) {
      times = new Float64Array(message.slice(at, end).buffer);
    } else if (field === 4) {
      values = new Int32Array(message.slice(at, end).buffer);
    } else if (field === 5) {
      if (columns !== width) throw new Error(`${topic}: a block of wrong size`);
      return unpackSeries(message.subarray(at, end), width);
    }
    at = end;
  }
  const count = times.length;
  if (values.length !== count * width) throw new Error(`${topic}: a block of wrong size`);
  const writeColumn = (c: number, column: Int32Array, start: number) => {
    for (let i = 0; i < count; ++i) column[start + i] = values[c * count + i];
  };
  return {times, ticks, count, writeColumn, write: (columns, start) => columns.forEach((column, c) => writeColumn(c, column, start))};
}

/** Joins what `of` takes of blocks. */
function joined(blocks: SeriesBlock[], count: number, of: (block: SeriesBlock) => ArrayLike<number>): Float64Array {
  const out = new Float64Array(count);
  let at = 0;
  for (const block of blocks) {
    out.set(of(block), at);
    at += block.count;
  }
  return out;
}

/** Some samples of a series, next to each other. Values are unpacked when they are first asked for. */
export class SeriesPart {
  readonly times: Float64Array;
  readonly ticks: Float64Array;
  private unpacked: Float32Array[] | null = null;
  private readonly held: number;

  constructor(private readonly blocks: SeriesBlock[], private readonly width: number) {
    const count = blocks.reduce((sum, block) => sum + block.count, 0);
    this.times = joined(blocks, count, (block) => block.times);
    this.ticks = joined(blocks, count, (block) => block.ticks);
    this.held = blocks.reduce((sum, block) => sum + (block.held ?? 0), 0);
  }

  get columns(): Float32Array[] {
    if (this.unpacked) return this.unpacked;
    const columns = Array.from({length: this.width}, () => new Float32Array(this.times.length));
    const bits = columns.map((column) => new Int32Array(column.buffer));
    let at = 0;
    for (const block of this.blocks) {
      block.write(bits, at);
      at += block.count;
    }
    return (this.unpacked = columns);
  }

  column(c: number): Float32Array {
    if (this.unpacked) return this.unpacked[c];
    const column = new Float32Array(this.times.length), bits = new Int32Array(column.buffer);
    let at = 0;
    for (const block of this.blocks) {
      block.writeColumn(c, bits, at);
      at += block.count;
    }
    return column;
  }

  /** Bytes that it takes at most. */
  get bytes(): number { return this.times.length * (16 + 4 * this.width) + this.held; }
}

/**
 * The samples of a series that are in memory: of short logs and of live views all of them; of long logs, see `Log`, those about the time
 * that is shown, at least from the last one that is not after it to the first one after it.
 */
export class Series {
  times: Float64Array = new Float64Array(0);
  ticks: Float64Array = new Float64Array(0);
  private own: Float32Array[];
  private whole: {times: Float64Array; ticks: Float64Array; columns: Float32Array[]; bits: Int32Array[]};
  private blocks: SeriesBlock[] = [];
  private length = 0;
  private part: SeriesPart | null = null;
  private partLength = 0;
  private past = Infinity;

  constructor(readonly topic: string, readonly names: string[]) {
    this.own = names.map(() => new Float32Array(0));
    this.whole = {times: this.times, ticks: this.ticks, columns: this.own, bits: []};
  }

  /** A column for each name. */
  get columns(): Float32Array[] {
    if (!this.part) return this.own;
    const {columns} = this.part;
    return this.partLength === this.part.times.length ? columns : columns.map((column) => column.subarray(0, this.partLength));
  }

  /** Adds a message of the series; `finish` makes it seen. */
  add(message: Uint8Array): void { this.blocks.push(seriesBlock(message, this.names.length, this.topic)); }

  addBlock(block: SeriesBlock): void { this.blocks.push(block); }

  /** Joins the blocks to what is there. */
  finish(bounded = false): void {
    const total = this.blocks.reduce((sum, block) => sum + block.count, 0);
    let start = this.length;
    if (bounded && (start + total) * (16 + 4 * this.names.length) > MOST_BYTES && start > 1000) {
      const dropped = start >> 2;
      for (const values of [this.whole.times, this.whole.ticks, ...this.whole.columns]) values.copyWithin(0, dropped, start);
      start -= dropped;
    }
    const length = start + total;
    if (length > this.whole.times.length) {
      const room = start === 0 ? length : Math.max(length, 2 * start);
      const grown = <T extends Float32Array | Float64Array>(old: T, fresh: T): T => {
        fresh.set(old.subarray(0, start));
        return fresh;
      };
      const columns = this.whole.columns.map((column) => grown(column, new Float32Array(room)));
      this.whole = {
        times: grown(this.whole.times, new Float64Array(room)),
        ticks: grown(this.whole.ticks, new Float64Array(room)),
        columns, bits: columns.map((column) => new Int32Array(column.buffer)),
      };
    }
    for (const block of this.blocks) {
      this.whole.times.set(block.times, start);
      this.whole.ticks.set(block.ticks, start);
      block.write(this.whole.bits, start);
      start += block.count;
    }
    this.blocks = [];
    this.resize(length);
  }

  /** Drops all samples after a tick. */
  cutAfter(tick: number): void {
    let length = this.length;
    while (length > 0 && this.whole.ticks[length - 1] > tick) --length;
    this.past = Math.min(this.past, tick);
    this.resize(length);
    if (this.part) this.show(this.part);
  }

  /** Samples from now on are those of a part of the file, without what `cutAfter` dropped; null: those that were added. */
  show(part: SeriesPart | null): void {
    this.part = part;
    if (!part) return this.resize(this.length);
    const {ticks, times} = part;
    this.partLength = times.length;
    while (this.partLength > 0 && ticks[this.partLength - 1] > this.past) --this.partLength;
    this.times = times.subarray(0, this.partLength);
    this.ticks = ticks.subarray(0, this.partLength);
  }

  /** Samples that were added, not read from a file in parts. */
  get added(): {times: Float64Array; ticks: Float64Array; columns: Float32Array[]} {
    const of = <T extends Float32Array | Float64Array>(values: T) => values.subarray(0, this.length) as T;
    return {times: of(this.whole.times), ticks: of(this.whole.ticks), columns: this.whole.columns.map(of)};
  }

  /** The tick after which samples of the file are no longer of this series. */
  get lastOfFile(): number { return this.past; }

  private resize(length: number): void {
    this.length = length;
    if (this.part) return;
    this.times = this.whole.times.subarray(0, length);
    this.ticks = this.whole.ticks.subarray(0, length);
    this.own = this.whole.columns.map((column) => column.subarray(0, length));
  }

  /** The last sample that is not after `time`; 0 before all. */
  indexAt(time: number): number { return indexAt(this.times, time); }
}
