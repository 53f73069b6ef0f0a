// Plots of any column of any log, on the cursor that the scene is at.
import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import uPlot from 'uplot';
import {type Curve, type TimeRange, alignedCurves, sampled, sampledDifference, shortest, tableOf, valueAt, wholeCurve} from '../data/curves';
import {save} from './download';
import {Extrema, paths, valueRange} from '../data/extrema';
import type {Log} from '../data/log';

const COLORS = ['#1f77b4', '#ff7f0e', '#2ca02c', '#d62728', '#9467bd', '#8c564b', '#e377c2', '#7f7f7f'];
const DARK = matchMedia('(prefers-color-scheme: dark)');
/** Of a plot, pixels. */
const HEIGHT = 140;
/** So many channels that match are offered at once. */
const OFFERED = 30;

/** The plots that are shown, in the order in which they were made. */
export const SHOWN_PLOTS = new Set<uPlot>();

DARK.addEventListener('change', () => SHOWN_PLOTS.forEach((plot) => plot.redraw(false)));

interface PlotData { times: Float64Array; curves: Extrema[]; aligned: uPlot.AlignedData }

/** What a plot shows of each log, or of what the others are apart from the first. */
const ask = (logs: Log[], curve: Curve, difference: boolean, range?: TimeRange) => (difference ?
    logs.slice(1).map((other) => sampledDifference(logs[0], other, curve, range)) : logs.map((log) => sampled(log, curve, range)));

/** Common times, a curve a log, or with `difference` what the others are apart from the first; exact in `range`, as far as it is known. */
function dataOf(logs: Log[], curve: Curve, difference: boolean, range?: TimeRange | null): PlotData {
  const {times, values} = alignedCurves(ask(logs, curve, difference, range ?? undefined), logs.some((log) => log.isLong));
  return {times, curves: values.map((v) => new Extrema(v)), aligned: [times, ...values] as uPlot.AlignedData};
}

/** The range of time that a plot is drawn in, where it is not all of its data. */
function zoomOf(plot: uPlot): {min: number; max: number} | null {
  const times = plot.data[0], {min, max} = plot.scales.x;
  // Before it is first drawn, it has no range.
  if (times.length < 2 || typeof min !== 'number' || typeof max !== 'number') return null;
  return min > times[0] || max < times[times.length - 1] ? {min, max} : null;
}

/** Numbers of an axis, in as many digits as tell them apart. */
function marks(ticks: number[], step: number): string[] {
  const most = Math.max(...ticks.map(Math.abs)), digits = most > 0 ? Math.floor(Math.log10(most) + 1e-9) - Math.floor(Math.log10(step) + 1e-9) + 1 : 1;
  return ticks.map((v) => (Math.abs(v) < step / 2 ? '0' : String(Number(v.toPrecision(Math.min(Math.max(digits + 1, 1), 15))))));
}

const labelOf = (curve: Curve) => `${curve.topic.replace('/mortise/', '')}: ${curve.column}`;

/** Adds plots: from the list, or by a part of the name. */
export function Chooser(props: {choices: Curve[]; onChoose: (curve: Curve) => void}) {
  const {choices, onChoose} = props;
  const [words, setWords] = useState('');
  const found = useMemo(() => {
    const parts = words.toLowerCase().split(/\s+/).filter(Boolean);
    if (parts.length === 0) return [];
    const labels = choices.filter((choice) => {
      const label = labelOf(choice).toLowerCase();
      return parts.every((part) => label.includes(part));
    });
    return labels;
  }, [words, choices]);
  // There may be thousands of them, and the time changes with every frame.
  const list = useMemo(() => (
    <select aria-label="add a plot" value="" onChange={(e) => {
      const choice = choices[Number(e.currentTarget.value)];
      if (e.currentTarget.value !== '' && choice) onChoose(choice);
      e.currentTarget.value = '';
    }}>
      <option value="">plot ...</option>
      {choices.map((choice, i) => <option key={i} value={String(i)}>{labelOf(choice)}</option>)}
    </select>), [choices, onChoose]);
  const take = (choice: Curve) => {
    onChoose(choice);
    setWords('');
  };
  return (
    <div class="chooser">
      {list}
      <input class="filter" type="search" placeholder="find a channel to plot" value={words} onInput={(e) => setWords(e.currentTarget.value)}
        onKeyDown={(e) => { if (e.key === 'Enter' && found.length > 0) take(found[0]); }} />
      {words && <div class="found">
        {found.slice(0, OFFERED).map((choice) => <button key={labelOf(choice)} onClick={() => take(choice)}>{labelOf(choice)}</button>)}
        <small>{found.length === 0 ? 'no channel has such a name' : found.length > OFFERED ? `and ${found.length - OFFERED} more` : ''}</small>
      </div>}
    </div>);
}

interface PlotProps { logs: Log[]; curve: Curve; time: number; version: number; onTime: (time: number) => void; onClose: () => void }

/** A line at the time that is shown. */
function drawTime(u: uPlot, time: number): void {
  const x = u.valToPos(time, 'x', true);
  if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
  u.ctx.save();
  u.ctx.strokeStyle = '#d62728';
  u.ctx.lineWidth = 1.5;
  u.ctx.beginPath();
  u.ctx.moveTo(x, u.bbox.top);
  u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
  u.ctx.stroke();
  u.ctx.restore();
}

/** What is drawn for curves of these names; `hooks` follow the cursor and draw over it. */
function optionsOf(names: string[], firstColor: number, width: number, extremaOf: (series: number) => Extrema, hooks: uPlot.Hooks.Arrays): uPlot.Options {
  const axis = {font: '11px system-ui', stroke: () => (DARK.matches ? '#c3ccd6' : '#1c2733'), grid: {stroke: () => (DARK.matches ? '#3a4450' : '#e2e6ea')}, ticks: {stroke: () => (DARK.matches ? '#3a4450' : '#e2e6ea')}};
  return {
    width, height: HEIGHT,
    scales: {x: {time: false}, y: {range: valueRange(extremaOf)}},
    legend: {show: names.length + firstColor > 1, live: false},
    // All plots are over the same time: what one zooms to, all do.
    cursor: {y: false, drag: {x: true, y: false}, sync: {key: 'time', scales: ['x', null]}},
    axes: [{size: 28, ...axis}, {size: 52, values: (_u, ticks, _a, _s, step) => marks(ticks, step), ...axis}],
    series: [{label: 't'}, ...names.map((label, i) => ({
      label, stroke: COLORS[(i + firstColor) % COLORS.length], width: 1.5, points: {show: false}, auto: false, paths: paths(extremaOf),
    }))],
    hooks,
  };
}

/** Draws a plot into an element as long as it is there; its data, and the sample under the mouse. */
function usePlot(props: PlotProps, names: string[], difference: boolean) {
  const holder = useRef<HTMLDivElement>(null), plot = useRef<uPlot | null>(null), data = useRef<PlotData | null>(null);
  const time = useRef(props.time);
  time.current = props.time;
  const [pointed, setPointed] = useState<number | null>(null);
  useEffect(() => {
    const element = holder.current!, width = () => Math.max(element.clientWidth, 100);
    data.current = dataOf(props.logs, props.curve, difference);
    const zoom = [...SHOWN_PLOTS].map(zoomOf).find((range) => range !== null);
    const made = new uPlot(optionsOf(names, difference ? 1 : 0, width(), (series) => data.current!.curves[series - 1], {
      setCursor: [({cursor: {left, idx}}) => setPointed(left !== undefined && left >= 0 ? idx ?? null : null)],
      draw: [(u) => drawTime(u, time.current)],
      setScale: [(u, key) => {
        // What a long log is zoomed to is read exactly.
        const range = key === 'x' && props.logs.some((log) => log.isLong) ? zoomOf(u) : null;
        if (range) ask(props.logs, props.curve, difference, range);
      }],
    }), data.current.aligned, element);
    plot.current = made;
    SHOWN_PLOTS.add(made);
    if (zoom) made.setScale('x', zoom);
    made.over.addEventListener('click', () => {
      const left = made.cursor.left ?? -1;
      if (left >= 0) props.onTime(made.posToVal(left, 'x'));
    });
    const observer = new ResizeObserver(() => made.setSize({width: width(), height: HEIGHT}));
    observer.observe(element);
    return () => {
      observer.disconnect();
      SHOWN_PLOTS.delete(made);
      made.destroy();
    };
  }, [props.logs.length, props.curve.topic, props.curve.column, difference]);
  useEffect(() => {
    const shown = plot.current;
    if (props.version === 0 || !shown) return;
    // What grows while it is looked at closely stays there.
    const zoom = zoomOf(shown);
    data.current = dataOf(props.logs, props.curve, difference, zoom);
    shown.setData(data.current.aligned, !zoom);
    if (zoom) shown.setScale('x', zoom);
  }, [props.version]);
  useEffect(() => plot.current?.redraw(false), [props.time]);
  return {holder, data, pointed};
}

export function Plot(props: PlotProps) {
  const {logs, curve} = props;
  const [difference, setDifference] = useState(false);
  const names = difference ? logs.slice(1).map((log) => `${log.name} - ${logs[0].name}`) : logs.map((log) => log.name);
  const {holder, data, pointed} = usePlot(props, names, difference);
  const download = async () => {
    // All samples, of long logs as well.
    const {times, values: [first, ...others]} = alignedCurves(await Promise.all(logs.map((log) => wholeCurve(log, curve))), false);
    const shown = difference ? others.map((other) => Float64Array.from(other, (v, i) => v - first[i])) : [first, ...others];
    const table = tableOf(['time, s', ...names.map((name) => `${name} ${curve.column}`)], [times, ...shown]);
    save(`${curve.column.replace(/[^\w.-]+/g, '_')}.csv`, new Blob([table], {type: 'text/csv'}));
  };
  const at = pointed !== null ? data.current?.times[pointed] : undefined;
  return (
    <section class="plot">
      <header>
        <b title={curve.topic}>{curve.column}</b>
        <button class="csv" title="save as a table" onClick={() => void download()}>csv</button>
        <button title="close the plot" onClick={props.onClose}>×</button>
        <output>{shortest(valueAt(logs[0], curve, props.time))}</output>
        {at !== undefined && <small class="pointed">{data.current!.curves.map((c) => shortest(Math.fround(c.values[pointed!]), 6)).join(' | ')} at {at.toFixed(3)} s</small>}
        {logs.length > 1 &&
          <label><input type="checkbox" checked={difference} onChange={(e) => setDifference(e.currentTarget.checked)} /> difference</label>}
      </header>
      <div ref={holder} />
    </section>);
}
