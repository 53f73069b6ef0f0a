// Packed blocks of series: runtime/mortise/logs/series_packing.h says what the bytes are.

/** Samples of a series, whose values are written when there is room for them. */
export interface SeriesBlock {
  times: Float64Array;
  ticks: ArrayLike<number>;
  count: number;
  /** Bytes of the file that it keeps in memory. */
  held?: number;
  /** Writes the values' bits into the columns, from the sample `start` on. */
  write(columns: Int32Array[], start: number): void;
  /** Likewise, of the column `c` alone. */
  writeColumn(c: number, column: Int32Array, start: number): void;
}

const NONE = -1, FRONT = -2;
/** Values of a block, as the program has it: bounds what damaged bytes can ask for. */
const MOST_PACKED = 1 << 22;

/** Of each sample, the one of its rank in the group before; else the one in front of it in its group; else none. */
function references(sizes: number[], count: number): Int32Array {
  const last = new Int32Array(count);
  let sample = 0, before = 0, sizeBefore = 0;
  for (const size of sizes) {
    const begin = sample;
    for (let rank = 0; rank < size; ++rank, ++sample) last[sample] = rank < sizeBefore ? before + rank : rank > 0 ? FRONT : NONE;
    before = begin;
    sizeBefore = size;
  }
  return last;
}

/** The integers in the order of the floats are the floats' bits, but for negative ones, of which all but the sign is inverted. */
const bitsOf = (integer: number): number => integer ^ ((integer >> 31) & 0x7fffffff);
const unfolded = (stored: number): number => (stored >>> 1) ^ -(stored & 1);

let scratch = new Int32Array(0);

export function unpackSeries(bytes: Uint8Array, columns: number): SeriesBlock {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const number = (): number => {
    let value = 0, scale = 1;
    for (;;) {
      const byte = view.getUint8(at++);
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  };
  const real = (): number => view.getFloat64((at += 8) - 8, true);
  const instants = Array.from({length: Math.min(number(), bytes.length)}, () => [number(), number()]);
  const sizes = instants.map(([, size]) => size), count = sizes.reduce((sum, size) => sum + size, 0);
  if (!(count * Math.max(columns, 1) <= MOST_PACKED)) throw new Error('a packed series has too many samples');
  const step = number() === 1 ? real() : null;
  const times = new Float64Array(count), ticks = new Float64Array(count);
  let tick = 0, sample = 0;
  for (const [more, size] of instants) {
    tick += more;
    times.fill(step === null ? real() : tick * step, sample, sample + size);
    ticks.fill(tick, sample, sample + size);
    sample += size;
  }
  if (count === 0) return {times, ticks, count, write: () => undefined, writeColumn: () => undefined};
  // Where the bytes of a column are, from the lowest place on: of the first group, and of all that follow, 0 where they have none.
  const heads = bytes.subarray(at, (at += columns)), first = sizes[0], begin = at, places = new Int32Array(4 * columns);
  if (heads.some((head) => (head & 3) === 3)) throw new Error('a packed series has a column of an unknown order');
  at += 4 * columns * first;
  for (let place = 0; place < 4; ++place)
    for (let c = 0; c < columns; ++c)
      if (heads[c] & (16 << place)) at = (places[4 * c + place] = at) + count - first;
  if (at > bytes.length) throw new Error('a packed series ends too early');
  const single = sizes.every((size) => size === 1);
  let last: Int32Array | null = null;

  const storedFirst = (c: number, s: number): number => {
    const from = begin + c * first + s, apart = columns * first;
    return bytes[from] | (bytes[from + apart] << 8) | (bytes[from + 2 * apart] << 16) | (bytes[from + 3 * apart] << 24);
  };
  /** One sample an instant: what comes follows from the one or two before. */
  const writeSingle = (c: number, target: Int32Array, start: number): void => {
    const order = heads[c] & 3, p0 = places[4 * c], p1 = places[4 * c + 1], p2 = places[4 * c + 2], p3 = places[4 * c + 3];
    let previous = unfolded(storedFirst(c, 0)), before = previous;
    if (order === 1 && (p0 | p1 | p2 | p3) === 0) {
      target.fill(bitsOf(previous), start, start + count);
      return;
    }
    target[start] = bitsOf(previous);
    for (let i = 0; i < count - 1; ++i) {
      let stored = 0;
      if (p0 !== 0) stored = bytes[p0 + i];
      if (p1 !== 0) stored |= bytes[p1 + i] << 8;
      if (p2 !== 0) stored |= bytes[p2 + i] << 16;
      if (p3 !== 0) stored |= bytes[p3 + i] << 24;
      let value = unfolded(stored);
      if (order === 1 || (order === 2 && i === 0)) value = (value + previous) | 0;
      else if (order === 2) value = (value + 2 * previous - before) | 0;
      before = previous;
      previous = value;
      target[start + 1 + i] = bitsOf(value);
    }
  };
  const writeGroups = (c: number, target: Int32Array, start: number, last: Int32Array): void => {
    const order = heads[c] & 3, p0 = places[4 * c], p1 = places[4 * c + 1], p2 = places[4 * c + 2], p3 = places[4 * c + 3];
    const column = scratch;
    for (let s = 0; s < count; ++s) {
      let stored = 0;
      if (s < first) {
        stored = storedFirst(c, s);
      } else {
        const i = s - first;
        if (p0 !== 0) stored = bytes[p0 + i];
        if (p1 !== 0) stored |= bytes[p1 + i] << 8;
        if (p2 !== 0) stored |= bytes[p2 + i] << 16;
        if (p3 !== 0) stored |= bytes[p3 + i] << 24;
      }
      let value = unfolded(stored);
      if (order > 0) {
        const from = last[s];
        if (from >= 0) {
          const earlier = order === 2 ? last[from] : NONE;
          value = (value + (earlier >= 0 ? 2 * column[from] - column[earlier] : column[from])) | 0;
        } else if (from === FRONT) {
          value = (value + column[s - 1]) | 0;
        }
      }
      column[s] = value;
      target[start + s] = bitsOf(value);
    }
  };
  const writeColumn = (c: number, target: Int32Array, start: number): void => {
    if (single) return writeSingle(c, target, start);
    if (scratch.length < count) scratch = new Int32Array(count);
    last ??= references(sizes, count);
    writeGroups(c, target, start, last);
  };
  const write = (targets: Int32Array[], start: number): void => {
    for (let c = 0; c < columns; ++c) writeColumn(c, targets[c], start);
  };
  return {times, ticks, count, write, writeColumn};
}
