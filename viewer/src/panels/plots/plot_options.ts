// How a plot is drawn: axes, curves over time or against another one, the time that is shown.
import uPlot from 'uplot';
import {paths, valueRange} from '../../data/extrema';
import {isDark} from '../../page/theme';
import {type LineLook, dashOf, lookOf} from '../colors';
import type {Line, PlotData} from './plot_data';

/** Of a plot, pixels. */
export const HEIGHT = 128;
/** More points than this of a curve against another one are thinned. */
const MOST_POINTS = 20000;

/** A log has one color everywhere; curves of one log alone are told apart by colors, those of several by dashes. */
export function lineLook({curveIndex, logIndex}: Line, several: boolean): LineLook {
  const look = lookOf(several ? logIndex : curveIndex, isDark()), dash = several ? dashOf(curveIndex) ?? look.dash : look.dash;
  return {color: look.color, ...(dash ? {dash} : {})};
}

/** Numbers of an axis, in as many digits as tell them apart. */
function marks(ticks: number[], step: number): string[] {
  const most = Math.max(...ticks.map(Math.abs)), digits = most > 0 ? Math.floor(Math.log10(most) + 1e-9) - Math.floor(Math.log10(step) + 1e-9) + 1 : 1;
  return ticks.map((v) => (Math.abs(v) < step / 2 ? '0' : String(Number(v.toPrecision(Math.min(Math.max(digits + 1, 1), 15))))));
}

/** A curve against another one. */
function pathsAlong(dataOf: () => PlotData): uPlot.Series.PathBuilder {
  return (u, series) => {
    const {along, values} = dataOf(), xs = along![series - 1], ys = values[series - 1].values, stroke = new Path2D();
    const step = Math.max(1, Math.floor(xs.length / MOST_POINTS));
    let drawing = false;
    for (let i = 0; i < xs.length; i += step) {
      if (!Number.isFinite(xs[i]) || !Number.isFinite(ys[i])) {
        drawing = false;
        continue;
      }
      const x = u.valToPos(xs[i], 'x', true), y = u.valToPos(ys[i], 'y', true);
      if (drawing) stroke.lineTo(x, y);
      else stroke.moveTo(x, y);
      drawing = true;
    }
    return {stroke, fill: null, clip: null, band: null, flags: 1};
  };
}

/** Least and greatest of all, with a margin. */
function rangeOf(lists: ArrayLike<number>[]): [number, number] {
  let least = Infinity, greatest = -Infinity;
  for (const list of lists)
    for (let i = 0; i < list.length; ++i) {
      if (list[i] < least) least = list[i];
      if (list[i] > greatest) greatest = list[i];
    }
  const [low, high] = least <= greatest ? uPlot.rangeNum(least, greatest, 0.1, true) : [0, 1];
  return [low ?? 0, high ?? 1];
}

/** Where a line is at the time that is shown. */
export interface Place { value: number | undefined; along: number | undefined }

/** A line at the time that is shown, and where each curve is then. */
function drawTime(u: uPlot, time: number, {along, lines}: PlotData, several: boolean, at: (line: Line) => Place): void {
  const {ctx} = u, {left, top, width, height} = u.bbox, ratio = uPlot.pxRatio, x = u.valToPos(time, 'x', true);
  ctx.save();
  if (!along && x >= left && x <= left + width) {
    ctx.strokeStyle = isDark() ? '#e6eaee' : '#1a2129';
    ctx.lineWidth = 1.5 * ratio;
    ctx.beginPath();
    ctx.moveTo(x, top);
    ctx.lineTo(x, top + height);
    ctx.stroke();
  }
  for (const line of lines) {
    const place = at(line), px = along ? u.valToPos(place.along ?? NaN, 'x', true) : x, py = u.valToPos(place.value ?? NaN, 'y', true);
    if (!(px >= left && px <= left + width && py >= top && py <= top + height)) continue;
    ctx.fillStyle = lineLook(line, several).color;
    ctx.beginPath();
    ctx.arc(px, py, 3.5 * ratio, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.restore();
}

/** `hooks` follow the cursor; `timeNow` is what is shown. */
export function optionsOf(lines: Line[], several: boolean, width: number, dataOf: () => PlotData, timeNow: () => number, placeOf: (line: Line) => Place, hooks: uPlot.Hooks.Arrays): uPlot.Options {
  const against = dataOf().along !== null, line = () => (isDark() ? '#2f363e' : '#dde1e6');
  const axis = {font: '10.5px Inter, system-ui', stroke: () => (isDark() ? '#9ba6b2' : '#5a6570'), grid: {stroke: line, width: 1}, ticks: {stroke: line, width: 1, size: 4}};
  const extremaOf = (series: number) => dataOf().values[series - 1];
  return {
    width, height: HEIGHT, padding: [8, 12, 0, 0],
    scales: {
      x: {time: false, ...(against ? {range: () => rangeOf(dataOf().along!)} : {})},
      y: {range: against ? () => rangeOf(dataOf().values.map(({values}) => values)) : valueRange(extremaOf)},
    },
    legend: {show: false},
    // All plots over time are over the same one: what one zooms to, all do.
    cursor: against ? {show: false} : {y: false, drag: {x: true, y: false}, sync: {key: 'time', scales: ['x', null]}, points: {show: false}},
    axes: [{size: 26, values: (_u, ticks, _a, _s, step) => marks(ticks, step), ...axis, grid: {show: against}}, {size: 46, values: (_u, ticks, _a, _s, step) => marks(ticks, step), ...axis}],
    series: [{label: 't'}, ...lines.map((one) => ({
      label: one.name, stroke: () => lineLook(one, several).color, dash: lineLook(one, several).dash, width: 1.75, points: {show: false}, auto: false,
      paths: against ? pathsAlong(dataOf) : paths(extremaOf),
    }))],
    hooks: {...hooks, draw: [(u) => drawTime(u, timeNow(), dataOf(), several, placeOf)]},
  };
}
