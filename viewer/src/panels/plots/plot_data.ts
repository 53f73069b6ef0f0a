// The numbers of a plot: curves of all logs at common times, or against another curve, or what runs are apart.
import type uPlot from 'uplot';
import {type Curve, type Samples, type TimeRange, alignedCurves, resampled, sampled, sampledDifference, valueAt, wholeCurve} from '../../data/curves';
import {Extrema} from '../../data/extrema';
import type {Log} from '../../data/log';
import type {PlotSpec} from './plot_spec';

/** What a line of a plot is of. */
export interface Line { curve: Curve; curveIndex: number; log: Log; logIndex: number; name: string }

export interface PlotData {
  lines: Line[];
  times: Float64Array;
  /** Of each line: its values, and where it is along x if that is not the time. */
  values: Extrema[];
  along: ArrayLike<number>[] | null;
  aligned: uPlot.AlignedData;
}

/** Whether a plot shows what runs are apart. */
export const isDifference = (logs: Log[], {difference}: PlotSpec): boolean => difference && logs.length > 1;

/** The lines of a plot: each curve of each log; of differences, of all logs but the first. */
export function linesOf(logs: Log[], spec: PlotSpec): Line[] {
  const {curves} = spec, several = logs.length > 1, apart = isDifference(logs, spec);
  return curves.flatMap((curve, curveIndex) => logs.flatMap((log, logIndex) => {
    if (apart && logIndex === 0) return [];
    const whose = apart ? `${log.name} - ${logs[0].name}` : several ? log.name : '';
    const name = curves.length > 1 || !several ? [curve.column, whose].filter(Boolean).join(', ') : whose;
    return [{curve, curveIndex, log, logIndex, name}];
  }));
}

/** All samples of long logs that are drawn against another curve, by log and curve: outlines of both do not belong together. */
export type WholeCurves = Map<string, Samples | null>;

const keyOf = (logs: Log[], log: Log, {topic, column}: Curve): string => `${logs.indexOf(log)}\n${topic}\n${column}`;

/** Reads what a plot against another curve needs of long logs; whether there was any. */
export async function readWhole(logs: Log[], {curves, against}: PlotSpec, whole: WholeCurves): Promise<boolean> {
  const wanted = against ? logs.filter((log) => log.isLong).flatMap((log) => [...curves, against].map((curve) => ({log, curve}))) : [];
  const missing = wanted.filter(({log, curve}) => !whole.has(keyOf(logs, log, curve)));
  for (const {log, curve} of missing) whole.set(keyOf(logs, log, curve), await wholeCurve(log, curve));
  return missing.length > 0;
}

/** What each line is made of, exactly in `range` as far as it is known. */
export function samplesOf(logs: Log[], spec: PlotSpec, range?: TimeRange, whole?: WholeCurves): (Samples | null)[] {
  return linesOf(logs, spec).map(({log, curve}) => (isDifference(logs, spec) ? sampledDifference(logs[0], log, curve, range) :
                                                    whole?.get(keyOf(logs, log, curve)) ?? sampled(log, curve, range)));
}

export function plotData(logs: Log[], spec: PlotSpec, range?: TimeRange, whole?: WholeCurves): PlotData {
  const lines = linesOf(logs, spec), {against} = spec, parts = samplesOf(logs, spec, range, whole);
  // Logs differ in their times: one curve is told at those of the first, and several that were not sampled together at all of theirs.
  const firsts = parts.filter((_, i) => lines[i].logIndex === lines[0]?.logIndex), length = firsts[0]?.times.length;
  const together = firsts.every((part) => part?.times === firsts[0]?.times || (part?.times.length === length && part!.times.every((t, i) => t === firsts[0]!.times[i])));
  const {times, values} = alignedCurves(parts, !together || logs.some((log) => log.isLong));
  const along = against ? lines.map(({log}) => resampled(whole?.get(keyOf(logs, log, against)) ?? sampled(log, against, range), times)) : null;
  return {lines, times, values: values.map((v) => new Extrema(v)), along, aligned: [along?.[0] ?? times, ...values] as uPlot.AlignedData};
}

/** The number of a line at a time. */
export function valueOf(logs: Log[], spec: PlotSpec, {log, curve}: Line, time: number): number | undefined {
  const own = valueAt(log, curve, time), first = isDifference(logs, spec) ? valueAt(logs[0], curve, time) : 0;
  return own === undefined || first === undefined ? undefined : isDifference(logs, spec) ? Math.fround(own - first) : own;
}

/** All samples of a plot as columns of a table: times, then each line, after what it is drawn against. */
export async function plotTable(logs: Log[], spec: PlotSpec): Promise<{heads: string[]; columns: ArrayLike<number>[]}> {
  const {against} = spec, apart = isDifference(logs, spec), lines = linesOf(logs, spec);
  const parts = await Promise.all(lines.map(({log, curve}) => wholeCurve(log, curve)));
  const bases = apart ? await Promise.all(spec.curves.map((curve) => wholeCurve(logs[0], curve))) : [];
  const together = spec.curves.every(({topic}) => topic === spec.curves[0].topic);
  const {times, values} = alignedCurves(apart ? [...bases, ...parts] : parts, !together);
  const own = apart ? lines.map(({curveIndex}, i) => Float64Array.from(values[bases.length + i], (v, k) => v - values[curveIndex][k])) : values;
  const along = against ? await Promise.all(lines.map(async ({log}) => resampled(await wholeCurve(log, against), times))) : null;
  const headOf = ({curve, name}: Line) => (name.includes(curve.column) ? name : `${name} ${curve.column}`);
  return {
    heads: ['time, s', ...lines.flatMap((line) => [...(against ? [`${against.column} of ${line.log.name}`] : []), headOf(line)])],
    columns: [times, ...lines.flatMap((_, i) => [...(along ? [along[i]] : []), own[i]])],
  };
}
