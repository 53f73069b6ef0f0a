// Columns of logs that can be plotted, and their numbers over time.
import type {Log} from './log';

export interface Curve {
  topic: string;
  column: string;
}

export interface Samples { times: Float64Array; values: Float32Array }

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

export function sampled(log: Log, curve: Curve): Samples | null {
  if (curve.topic === log.forces.topic) {
    const values = log.forces.values(curve.column);
    return values && {times: log.state.times, values};
  }
  const series = log.series.get(curve.topic);
  const index = series ? series.names.indexOf(curve.column) : -1;
  return series && index >= 0 ? {times: series.times, values: series.columns[index]} : null;
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
  const part = sampled(log, curve);
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

/** A table of plotted curves: a row a time, a column a log. */
export function tableOf(heads: string[], columns: ArrayLike<number>[]): string {
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = [heads.map(quoted).join(',')];
  for (let i = 0; i < columns[0].length; ++i) rows.push(columns.map((column) => (Number.isNaN(column[i]) ? '' : String(column[i]))).join(','));
  return rows.join('\n') + '\n';
}
