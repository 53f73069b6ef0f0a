// Sums of the contact forces on each body over time, from the contacts of a log.
import type {Log} from './log';

const PARTS = ['fx', 'fy', 'fz', '|f|'];

/** Samples whose columns are those of contacts, and the ticks of states. */
interface Rows { times: Float64Array; ticks: Float64Array; columns: Float32Array[] }

/** Of the contacts, the sums of the forces on a body at each state: x, y, z, and how great. */
export function forceSums(states: ArrayLike<number>, contacts: Rows | null, id: number): Float32Array[] {
  const length = states.length, sums = [0, 1, 2].map(() => new Float64Array(length));
  if (contacts) {
    const [a, b, , , , , , , , ...force] = contacts.columns;
    for (let row = 0, i = 0; row < contacts.times.length; ++row) {
      while (i < length && states[i] < contacts.ticks[row]) ++i;
      if (i === length) break;
      const sign = states[i] !== contacts.ticks[row] ? 0 : a[row] === id ? 1 : b[row] === id ? -1 : 0;
      if (sign !== 0) for (let k = 0; k < 3; ++k) sums[k][i] += sign * force[k][row];
    }
  }
  const columns = sums.map((sum) => Float32Array.from(sum));
  columns.push(Float32Array.from({length}, (_, i) => Math.hypot(sums[0][i], sums[1][i], sums[2][i])));
  return columns;
}

export class ContactForces {
  /** Where plots find them. */
  readonly topic = 'contact forces';
  private readonly sums = new Map<number, {key: string; columns: Float32Array[]}>();
  private scanned = 0;
  private scannedTimes: Float64Array | null = null;
  private readonly touched = new Set<number>();

  constructor(private readonly log: Log) {}

  columnOf(id: number, part: number): string { return `${this.log.world.entities[id].frame} ${PARTS[part]}`; }

  /** How many bodies have been touched, as far as the log is known. */
  get count(): number {
    const contacts = this.log.series.get('/mortise/contacts');
    if (!contacts) return 0;
    // Other samples are in memory when another time of a long log is shown.
    if (this.scanned > contacts.times.length || contacts.times.buffer !== this.scannedTimes?.buffer) this.scanned = 0;
    this.scannedTimes = contacts.times;
    if (this.scanned === contacts.times.length) return this.touched.size;
    const [a, b] = contacts.columns;
    for (; this.scanned < contacts.times.length; ++this.scanned) {
      this.touched.add(a[this.scanned]);
      this.touched.add(b[this.scanned]);
    }
    return this.touched.size;
  }

  /** Of everything that can move and is touched at any time. */
  columns(): string[] {
    if (this.count === 0) return [];
    return [...this.touched].filter((id) => this.log.poses.has(id)).sort((a, b) => a - b)
        .flatMap((id) => PARTS.map((_, part) => this.columnOf(id, part)));
  }

  /** The body and the part of its force that a column is of; null: there is no such column. */
  of(column: string): {id: number; part: number} | null {
    const at = column.lastIndexOf(' '), part = PARTS.indexOf(column.slice(at + 1)), frame = column.slice(0, at);
    const entity = this.log.world.entities.find((e) => e.frame === frame);
    return entity && part >= 0 ? {id: entity.id, part} : null;
  }

  /** The values of a column, one a state that is in memory; null: there is no such column. */
  values(column: string): Float32Array | null {
    const of = this.of(column);
    return of && this.sumsOn(of.id)[of.part];
  }

  private sumsOn(id: number): Float32Array[] {
    const {state} = this.log, contacts = this.log.series.get('/mortise/contacts') ?? null;
    const length = state.times.length, rows = contacts?.times.length ?? 0;
    const key = `${length} ${rows} ${length > 0 ? `${state.ticks[0]} ${state.ticks[length - 1]}` : 0}`, old = this.sums.get(id);
    if (old?.key === key) return old.columns;
    const columns = forceSums(state.ticks, contacts, id);
    this.sums.set(id, {key, columns});
    return columns;
  }
}
