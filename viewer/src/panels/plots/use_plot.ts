// A plot as long as its element is there: its data, its size, what it is zoomed to, the sample under the mouse.
import {useEffect, useRef, useState} from 'preact/hooks';
import uPlot from 'uplot';
import {valueAt} from '../../data/curves';
import type {Log} from '../../data/log';
import {themeEvents} from '../../page/theme';
import {useEvent} from '../../page/use_event';
import {type Line, type PlotData, type WholeCurves, plotData, readWhole, samplesOf, valueOf} from './plot_data';
import {HEIGHT, optionsOf} from './plot_options';
import type {PlotSpec} from './plot_spec';

/** The plots that are shown, in the order in which they were made. */
export const SHOWN_PLOTS = new Set<uPlot>();

/** The range of time that a plot is drawn in, where it is not all of its data. */
function zoomOf(plot: uPlot): {min: number; max: number} | null {
  const times = plot.data[0], {min, max} = plot.scales.x;
  // Before it is first drawn, it has no range.
  if (times.length < 2 || typeof min !== 'number' || typeof max !== 'number') return null;
  return min > times[0] || max < times[times.length - 1] ? {min, max} : null;
}

/** Those over time, which share their zoom. */
const overTime = new WeakSet<uPlot>();

export interface PlotState {
  logs: Log[];
  spec: PlotSpec;
  time: number;
  version: number;
  onTime: (time: number) => void;
}

export function usePlot({logs, spec, time, version, onTime}: PlotState) {
  const holder = useRef<HTMLDivElement>(null), plot = useRef<uPlot | null>(null), data = useRef<PlotData | null>(null), now = useRef(time);
  now.current = time;
  const whole = useRef<WholeCurves>(new Map());
  const [pointed, setPointed] = useState<number | null>(null);
  const key = JSON.stringify([spec, logs.length]), long = logs.some((log) => log.isLong);
  const placeOf = (line: Line) => ({value: valueOf(logs, spec, line, now.current), along: spec.against && valueAt(line.log, spec.against, now.current)});
  useEffect(() => {
    const element = holder.current!, width = () => Math.max(element.clientWidth, 100);
    data.current = plotData(logs, spec, undefined, whole.current);
    const zoom = [...SHOWN_PLOTS].filter((other) => overTime.has(other)).map(zoomOf).find((range) => range !== null);
    const made = new uPlot(optionsOf(data.current.lines, logs.length > 1, width(), () => data.current!, () => now.current, placeOf, {
      setCursor: [({cursor: {left, idx}}) => setPointed(left !== undefined && left >= 0 ? idx ?? null : null)],
      setScale: [(u, scale) => {
        // What a long log is zoomed to is read exactly.
        const range = scale === 'x' && long && !spec.against ? zoomOf(u) : null;
        if (range) samplesOf(logs, spec, range);
      }],
    }), data.current.aligned, element);
    plot.current = made;
    SHOWN_PLOTS.add(made);
    if (!spec.against) {
      overTime.add(made);
      if (zoom) made.setScale('x', zoom);
      made.over.addEventListener('click', () => {
        const left = made.cursor.left ?? -1;
        if (left >= 0) onTime(made.posToVal(left, 'x'));
      });
    }
    let there = true;
    void readWhole(logs, spec, whole.current).then((read) => {
      if (!read || !there) return;
      data.current = plotData(logs, spec, undefined, whole.current);
      made.setData(data.current.aligned);
    });
    const observer = new ResizeObserver(() => made.setSize({width: width(), height: HEIGHT}));
    observer.observe(element);
    return () => {
      there = false;
      observer.disconnect();
      SHOWN_PLOTS.delete(made);
      made.destroy();
    };
  }, [key]);
  useEffect(() => {
    const shown = plot.current;
    if (version === 0 || !shown) return;
    // What grows while it is looked at closely stays there.
    const zoom = spec.against ? null : zoomOf(shown);
    data.current = plotData(logs, spec, zoom ?? undefined, whole.current);
    shown.setData(data.current.aligned, !zoom);
    if (zoom) shown.setScale('x', zoom);
  }, [version]);
  useEffect(() => plot.current?.redraw(false), [time]);
  useEvent(themeEvents, 'change', () => plot.current?.redraw(false));
  return {holder, data, pointed};
}
