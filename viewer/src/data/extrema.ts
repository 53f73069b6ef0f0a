// Curves of very many points: the least and the greatest value of any range, and what is to be drawn of it.
import uPlot from 'uplot';

/** Of so many values of one level there is one pair in the next. */
const FACTOR = 16;

type Numbers = Float32Array | Float64Array;

/** The least and the greatest value of ranges. What is not finite does not count. */
export class Extrema {
  private readonly levels: {least: Numbers; greatest: Numbers}[] = [];
  least = Infinity;
  greatest = -Infinity;

  constructor(readonly values: Numbers) {
    for (let below: {least: Numbers; greatest: Numbers} = {least: values, greatest: values}, bottom = true; below.least.length >= 2 * FACTOR; bottom = false) {
      const count = Math.ceil(below.least.length / FACTOR);
      const level = {least: new Float64Array(count), greatest: new Float64Array(count)};
      for (let i = 0, at = 0; i < count; ++i) {
        let least = Infinity, greatest = -Infinity;
        for (const end = Math.min(at + FACTOR, below.least.length); at < end; ++at) {
          const low = below.least[at], high = below.greatest[at];
          if (bottom && !(low - low === 0)) continue;
          if (low < least) least = low;
          if (high > greatest) greatest = high;
        }
        level.least[i] = least;
        level.greatest[i] = greatest;
      }
      this.levels.push(level);
      below = level;
    }
  }

  /** Puts into `least` and `greatest` those of the values from `begin` to before `end`; Infinity and -Infinity if there are none. */
  find(begin: number, end: number): void {
    this.least = Infinity;
    this.greatest = -Infinity;
    const take = (least: Numbers, greatest: Numbers, from: number, to: number, check: boolean) => {
      for (let i = from; i < to; ++i) {
        if (check && !(least[i] - least[i] === 0)) continue;
        if (least[i] < this.least) this.least = least[i];
        if (greatest[i] > this.greatest) this.greatest = greatest[i];
      }
    };
    let {least, greatest} = {least: this.values, greatest: this.values};
    for (let level = 0;; ++level) {
      const up = this.levels[level], first = Math.ceil(begin / FACTOR), last = Math.floor(end / FACTOR);
      if (!up || first >= last) {
        take(least, greatest, begin, end, level === 0);
        return;
      }
      take(least, greatest, begin, first * FACTOR, level === 0);
      take(least, greatest, last * FACTOR, end, level === 0);
      [begin, end] = [first, last];
      ({least, greatest} = up);
    }
  }
}

/** The first of `times`, from `begin` to before `end`, that is not before `time`; `end` if there is none. */
function firstFrom(times: ArrayLike<number>, time: number, begin: number, end: number): number {
  while (begin < end) {
    const middle = (begin + end) >> 1;
    if (times[middle] < time) begin = middle + 1;
    else end = middle;
  }
  return begin;
}

/** Draws curves for uPlot at a cost that goes with the pixels, not with the points. */
export function paths(extremaOf: (series: number) => Extrema): uPlot.Series.PathBuilder {
  return (u, index, first, last) => {
    const stroke = new Path2D(), extrema = extremaOf(index), values = extrema.values, times = u.data[0] as ArrayLike<number>;
    const scale = u.series[index].scale!, x = (t: number) => Math.round(u.valToPos(t, 'x', true)), y = (v: number) => Math.round(u.valToPos(v, scale, true));
    let drawing = false;
    const to = (px: number, value: number) => {
      // What is not finite is a gap.
      if (!(value - value === 0)) drawing = false;
      else if (drawing) stroke.lineTo(px, y(value));
      else stroke.moveTo(px, y(value));
      drawing ||= value - value === 0;
    };
    if (last - first < 4 * u.bbox.width) {
      for (let i = first; i <= last; ++i) to(x(times[i]), values[i]);
    } else {
      const begin = x(times[first]), end = x(times[last]);
      for (let px = begin, i = first; px <= end && i <= last; ++px) {
        const next = px === end ? last + 1 : firstFrom(times, u.posToVal(px + 0.5, 'x', true), i, last + 1);
        if (next === i) continue;
        extrema.find(i, next);
        to(px, values[i]);
        if (extrema.least < extrema.greatest) {
          to(px, extrema.least);
          to(px, extrema.greatest);
        }
        to(px, values[next - 1]);
        i = next;
      }
    }
    return {stroke, fill: null, clip: null, band: null, flags: 1};
  };
}

/** A range of values that shows all of the curves that is within the range of times. */
export function valueRange(extremaOf: (series: number) => Extrema): uPlot.Range.Function {
  return (u) => {
    let least = Infinity, greatest = -Infinity;
    for (let i = 1; i < u.series.length; ++i) {
      const [first, last] = u.series[i].idxs ?? [0, u.data[0].length - 1];
      const extrema = extremaOf(i);
      extrema.find(first ?? 0, (last ?? u.data[0].length - 1) + 1);
      least = Math.min(least, extrema.least);
      greatest = Math.max(greatest, extrema.greatest);
    }
    return least <= greatest ? uPlot.rangeNum(least, greatest, 0.1, true) : [null, null];
  };
}
