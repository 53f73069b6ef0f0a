// All numbers of the messages of a channel as columns over time.
import type {Message} from '../chunks';
import {type Fields, type ReadMessage, numbersOf} from '../schemas/tree';
import type {SeriesBlock} from '../series_packing';

/** So many numbers of a channel are told apart. */
export const MOST_COLUMNS = 512;
/** What a message does not have: no number, and none that a message can have. */
const ABSENT = 0x7fc0ab5e;

const FLOAT = new Float32Array(1), BITS = new Int32Array(FLOAT.buffer);
const bitsOf = (value: number): number => {
  FLOAT[0] = value;
  return BITS[0];
};

/** Whether a value is of a message that has none. */
export function isAbsent(values: Float32Array, i: number): boolean {
  return values[i] !== values[i] && new Int32Array(values.buffer, values.byteOffset + 4 * i, 1)[0] === ABSENT;
}

/** The samples that messages have; the same arrays where none is missing. */
export function present(times: Float64Array, values: Float32Array): {times: Float64Array; values: Float32Array} {
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
  if (!bits.includes(ABSENT)) return {times, values};
  // Bits of what is not finite stay.
  const kept = Array.from(bits.keys()).filter((i) => bits[i] !== ABSENT), out = new Int32Array(kept.length);
  kept.forEach((from, to) => (out[to] = bits[from]));
  return {times: Float64Array.from(kept, (i) => times[i]), values: new Float32Array(out.buffer)};
}

/** Names of numbers, in the order in which messages had them first. */
export class ColumnNames {
  readonly names: string[] = [];
  private readonly places = new Map<string, number>();

  add(name: string): number {
    const known = this.places.get(name);
    if (known !== undefined) return known;
    if (this.names.length >= MOST_COLUMNS) return -1;
    this.places.set(name, this.names.length);
    return this.names.push(name) - 1;
  }

  /** -1: none. */
  at(name: string): number { return this.places.get(name) ?? -1; }
}

/** Takes messages one by one. */
export class ColumnBuilder {
  readonly names = new ColumnNames();
  private readonly times: number[] = [];
  private readonly columns: Int32Array[] = [];
  private room = 16;

  add(time: number, message: Fields, begin: number): void {
    const row = this.times.push(time) - 1;
    if (row >= this.room) {
      this.room *= 2;
      this.columns.forEach((column, c) => {
        this.columns[c] = this.fresh();
        this.columns[c].set(column);
      });
    }
    for (const [name, value] of numbersOf(message, begin)) {
      const c = this.names.add(name);
      if (c < 0) continue;
      this.columns[c] ??= this.fresh();
      this.columns[c][row] = bitsOf(value);
    }
  }

  private fresh(): Int32Array { return new Int32Array(this.room).fill(ABSENT); }

  block(): SeriesBlock {
    const {times, columns} = this, count = times.length;
    const writeColumn = (c: number, out: Int32Array, start: number) => out.set(columns[c].subarray(0, count), start);
    return {
      times: Float64Array.from(times), ticks: new Float64Array(count), count, writeColumn, write: (out, start) => out.forEach((column, c) => writeColumn(c, column, start)),
    };
  }
}

/** A message of a long log as a block of one sample, which is read when its numbers are asked for. */
export function messageBlock({time, data}: Message, read: ReadMessage, names: ColumnNames, begin: number): SeriesBlock {
  const numbers = (): Map<string, number> => {
    try {
      return numbersOf(read(data), begin);
    } catch {
      // What is no message has no numbers; that is said where it is drawn and listed.
      return new Map();
    }
  };
  return {
    times: Float64Array.of(time), ticks: [0], count: 1, held: data.length,
    writeColumn: (c, out, start) => {
      const value = numbers().get(names.names[c]);
      out[start] = value === undefined ? ABSENT : bitsOf(value);
    },
    write: (columns, start) => {
      for (const column of columns) column[start] = ABSENT;
      for (const [name, value] of numbers()) {
        const c = names.at(name);
        if (c >= 0) columns[c][start] = bitsOf(value);
      }
    },
  };
}
