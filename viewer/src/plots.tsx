// Plots of any column of any log, on the cursor that the scene is at.
import {useEffect, useRef, useState} from 'preact/hooks';
import uPlot from 'uplot';
import {Extrema, paths, valueRange} from './extrema';
import type {Log} from './log';

const kColors = ['#1f77b4', '#ff7f0e', '#2ca02c', '#d62728', '#9467bd', '#8c564b', '#e377c2', '#7f7f7f'];

const kShown = new Set<uPlot>();
/** For tests: the plots that are shown. */
export const shownPlots = (): uPlot[] => [...kShown];

/** The number as the log has it, in as many digits as single precision needs. */
const shortest = (value: number | undefined): string =>
    value === undefined ? '' : [6, 7, 8, 9].map((digits) => String(Number(value.toPrecision(digits)))).find((text) => Math.fround(Number(text)) === value) ?? String(value);

export interface Curve {
  topic: string;
  column: string;
}

/** All columns of the first log. */
export function curvesOf(log: Log): Curve[] {
  return [...log.series.values()].flatMap(
      (series) => series.topic === '/mortise/contacts' ? [] : series.names.map((column) => ({topic: series.topic, column})));
}

function sampled(log: Log, curve: Curve): {times: Float64Array; values: Float32Array} | null {
  const series = log.series.get(curve.topic);
  const index = series ? series.names.indexOf(curve.column) : -1;
  return series && index >= 0 ? {times: series.times, values: series.columns[index]} : null;
}

/** The values of a curve at other times than its own: each the last that is not later. None is where the curve is not. */
function resampled(part: {times: Float64Array; values: Float32Array} | null, times: Float64Array): Float32Array {
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

interface PlotData { times: Float64Array; curves: Extrema[]; aligned: uPlot.AlignedData }

/** Common times, a curve a log, or with `difference` what the others are apart from the first. */
function dataOf(logs: Log[], curve: Curve, difference: boolean): PlotData {
  const parts = logs.map((log) => sampled(log, curve)), first = parts[0];
  const times = first?.times ?? new Float64Array(0);
  const values: (Float32Array | Float64Array)[] = parts.map((part, p) => (p === 0 && first ? first.values : resampled(part, times)));
  const shown = difference ? values.slice(1).map((others) => Float64Array.from(others, (v, i) => v - values[0][i])) : values;
  return {times, curves: shown.map((v) => new Extrema(v)), aligned: [times, ...shown] as uPlot.AlignedData};
}

export function Plot(props: {
  logs: Log[]; curve: Curve; time: number; version: number; onTime: (time: number) => void; onClose: () => void;
}) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const data = useRef<PlotData | null>(null);
  const time = useRef(props.time);
  time.current = props.time;
  const [difference, setDifference] = useState(false);
  useEffect(() => {
    const element = holder.current!;
    const names = difference ? props.logs.slice(1).map((log) => `${log.name} - ${props.logs[0].name}`) :
                               props.logs.map((log) => log.name);
    data.current = dataOf(props.logs, props.curve, difference);
    const extremaOf = (series: number) => data.current!.curves[series - 1];
    const made = new uPlot({
      width: Math.max(element.clientWidth, 100),
      height: 140,
      scales: {x: {time: false}, y: {range: valueRange(extremaOf)}},
      legend: {show: props.logs.length > 1, live: false},
      cursor: {y: false, drag: {x: true, y: false}},
      axes: [{size: 28, font: '11px system-ui'}, {size: 52, font: '11px system-ui'}],
      series: [{label: 't'}, ...names.map((label, i) => ({
        label, stroke: kColors[(difference ? i + 1 : i) % kColors.length], width: 1.5, points: {show: false}, auto: false, paths: paths(extremaOf),
      }))],
      hooks: {
        draw: [(u) => {
          const x = u.valToPos(time.current, 'x', true);
          if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
          u.ctx.save();
          u.ctx.strokeStyle = '#d62728';
          u.ctx.lineWidth = 1.5;
          u.ctx.beginPath();
          u.ctx.moveTo(x, u.bbox.top);
          u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
          u.ctx.stroke();
          u.ctx.restore();
        }],
      },
    }, data.current.aligned, element);
    plot.current = made;
    kShown.add(made);
    made.over.addEventListener('click', () => {
      const left = made.cursor.left ?? -1;
      if (left >= 0) props.onTime(made.posToVal(left, 'x'));
    });
    const observer = new ResizeObserver(() => made.setSize({width: Math.max(element.clientWidth, 100), height: 140}));
    observer.observe(element);
    return () => {
      observer.disconnect();
      kShown.delete(made);
      made.destroy();
    };
  }, [props.logs.length, props.curve.topic, props.curve.column, difference]);
  useEffect(() => {
    if (props.version === 0 || !plot.current) return;
    data.current = dataOf(props.logs, props.curve, difference);
    plot.current.setData(data.current.aligned);
  }, [props.version]);
  useEffect(() => plot.current?.redraw(false), [props.time]);
  const value = sampled(props.logs[0], props.curve);
  const series = props.logs[0].series.get(props.curve.topic);
  return (
    <section class="plot">
      <header>
        <b title={props.curve.topic}>{props.curve.column}</b>
        <output>{value && series ? shortest(value.values[series.indexAt(props.time)]) : ''}</output>
        {props.logs.length > 1 &&
          <label><input type="checkbox" checked={difference} onChange={(e) => setDifference(e.currentTarget.checked)} /> difference</label>}
        <button title="close the plot" onClick={props.onClose}>×</button>
      </header>
      <div ref={holder} />
    </section>);
}
