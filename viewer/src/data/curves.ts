// Columns of logs that can be plotted, and their numbers over time.
import {differenceSource} from './curve_sources';
import {present} from './foreign/number_columns';
import type {Log} from './log';
import {type CurveSource, type TimeRange, allSamples} from './long_curves';
import {type Samples, chained} from './pyramid';

export type {TimeRange} from './long_curves';
export type {Samples} from './pyramid';

export interface Curve {
  topic: string;
  column: string;
}

export const isSame = (a: Curve, b: Curve): boolean => a.topic === b.topic && a.column === b.column;

/** The number in as many digits as single precision needs, or in `most` of them. */
export const shortest = (value: number | undefined, most = 9): string => {
  if (value === undefined) return '';
  const digits = [6, 7, 8, 9].filter((n) => n < most).find((n) => Math.fround(Number(value.toPrecision(n))) === value) ?? most;
  return Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : String(value);
};

/** All columns of the first log, and what follows from them. */
export function curvesOf(log: Log): Curve[] {
  return [
    ...[...log.series.values()].flatMap(
        (series) => series.topic === '/mortise/contacts' ? [] : series.names.map((column) => ({topic: series.topic, column}))),
    ...log.forces.columns().map((column) => ({topic: log.forces.topic, column})),
  ];
}

const PRESENT = new WeakMap<Float32Array, Samples>();

/** Without what messages of other tools do not have. */
function presentOnly(part: Samples): Samples {
  let own = PRESENT.get(part.values);
  if (!own) PRESENT.set(part.values, own = present(part.times, part.values));
  return own;
}

/** What is in memory. */
function resident(log: Log, curve: Curve): Samples | null {
  if (curve.topic === log.forces.topic) {
    const values = log.forces.values(curve.column);
    return values && {times: log.state.times, values};
  }
  const series = log.series.get(curve.topic);
  const index = series ? series.names.indexOf(curve.column) : -1;
  if (!series || index < 0) return null;
  const part = {times: series.times, values: series.columns[index]};
  return log.isForeign(series.topic) ? presentOnly(part) : part;
}

/** What was added to a long log that goes on. */
function added(log: Log, curve: Curve): Samples[] {
  const series = log.series.get(curve.topic), index = series ? series.names.indexOf(curve.column) : -1;
  return series && index >= 0 ? [{times: series.added.times, values: series.added.columns[index]}] : [];
}

/**
 * The samples of a curve over all times; null: the log has no such curve. Of a long log, points that have the same outline, as far as it is
 * known: more is known when the log emits `curves`. In `range`, to which a plot is zoomed, they are the samples themselves then.
 */
export function sampled(log: Log, curve: Curve, range?: TimeRange): Samples | null {
  const long = log.longCurve(curve);
  if (!long) return resident(log, curve);
  const more = added(log, curve), known = long.samples(range, more.some((part) => part.times.length > 0) ? -Infinity : log.end);
  return more.some((part) => part.times.length > 0) ? chained([known, ...more]) : known;
}

/** All of what `sampled` says, to the last sample, for tables. */
export async function wholeCurve(log: Log, curve: Curve): Promise<Samples | null> {
  const source = log.sourceOf(curve);
  return source ? chained([await allSamples(source), ...added(log, curve)]) : resident(log, curve);
}

/** How far a log's curve is from that of the first one, at the first one's times, as `sampled` has curves; null: one has no such curve. */
export function sampledDifference(first: Log, other: Log, curve: Curve, range?: TimeRange): Samples | null {
  const sources = [first, other].map((log): CurveSource | null => {
    const part = log.isLong ? null : resident(log, curve);
    return log.isLong ? log.sourceOf(curve) : part && {count: 1, at: () => 0, read: () => Promise.resolve(part)};
  });
  const [base, apart] = sources;
  if (!base || !apart) return null;
  if (!first.isLong && !other.isLong) {
    const part = resident(first, curve)!, values = resampled(resident(other, curve), part.times);
    return {times: part.times, values: values.map((v, i) => v - part.values[i])};
  }
  return first.kept(`difference\n${other.name}\n${curve.topic}\n${curve.column}`, () => differenceSource(base, apart)).samples(range, first.end);
}

/** The last of ascending `times` that is not later than `time`; 0 before all. */
export function indexAt(times: Float64Array, time: number): number {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time + 5e-10) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** The value of a curve at a time, or none where it has no samples. */
export function valueAt(log: Log, curve: Curve, time: number): number | undefined {
  const part = resident(log, curve);
  return part && part.times.length > 0 ? part.values[indexAt(part.times, time)] : undefined;
}

/** The values of a curve at other times than its own: each the last that is not later. None is where the curve is not. */
export function resampled(part: Samples | null, times: Float64Array): Float32Array {
  const out = new Float32Array(times.length).fill(NaN);
  if (!part || part.times.length === 0) return out;
  const start = part.times[0] - 1e-9, end = part.times[part.times.length - 1] + 1e-9;
  for (let i = 0, at = 0; i < times.length; ++i) {
    if (times[i] < start || times[i] > end) continue;
    while (at + 1 < part.times.length && part.times[at + 1] <= times[i] + 5e-10) ++at;
    out[i] = part.values[at];
  }
  return out;
}

/** Curves at common times: those of the first, or, of long logs, whose outlines have times of their own, those of all. */
export function alignedCurves(parts: (Samples | null)[], ofAll: boolean): {times: Float64Array; values: Float32Array[]} {
  const first = parts[0]?.times ?? new Float64Array(0);
  if (!ofAll || parts.length < 2) return {times: first, values: parts.map((part, p) => (p === 0 && part ? part.values : resampled(part, first)))};
  const all = new Float64Array(parts.reduce((sum, part) => sum + (part?.times.length ?? 0), 0));
  let at = 0;
  for (const part of parts) {
    if (!part) continue;
    all.set(part.times, at);
    at += part.times.length;
  }
  all.sort();
  const times = all.filter((time, i) => i === 0 || time > all[i - 1]);
  return {times, values: parts.map((part) => resampled(part, times))};
}

/** A table of plotted curves: a row a time, a column a log. */
export function tableOf(heads: string[], columns: ArrayLike<number>[]): string {
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = [heads.map(quoted).join(',')];
  for (let i = 0; i < columns[0].length; ++i) rows.push(columns.map((column) => (Number.isNaN(column[i]) ? '' : String(column[i]))).join(','));
  return rows.join('\n') + '\n';
}
