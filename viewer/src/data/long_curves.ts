// Curves of long logs: their outlines, found window by window while nothing else is to be done, and exactly what a plot is zoomed to.
import {Pyramid, type Samples, between, chained} from './pyramid';

/** A curve that is read window by window. */
export interface CurveSource {
  /** How many windows there are. */
  readonly count: number;
  /** The window of a time. */
  at(time: number): number;
  /** The samples of a window, and of no other. */
  read(window: number): Promise<Samples>;
}

/** A range of time, s. */
export interface TimeRange { min: number; max: number }

/** So many samples are kept exactly. */
const MOST_EXACT = 1 << 18;
/** Work at one go, and how often plots hear of it, ms. */
const SLICE = 8, NEWS = 300;

const idle = (): Promise<void> => new Promise((done) => {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(() => done(), {timeout: 50});
  else setTimeout(done, 0);
});

/** The outline of a curve, and what of it is known exactly. */
export class LongCurve {
  readonly pyramid = new Pyramid();
  /** Windows that are in the outline. */
  known = 0;
  private points: {samples: number; points: Samples} | null = null;
  private exact: TimeRange & {samples: Samples} | null = null;
  private reading: TimeRange | null = null;

  /** `changed`: called when there is more to be seen. */
  constructor(readonly source: CurveSource, private readonly changed: () => void) {}

  get whole(): boolean { return this.known === this.source.count; }

  /** What is known, exactly within `range` as soon as it is read. `end`: where the curve ends when all is known. */
  samples(range: TimeRange | undefined, end: number): Samples {
    if (this.points?.samples !== this.pyramid.samples) this.points = {samples: this.pyramid.samples, points: this.pyramid.points()};
    let out = this.points.points;
    if (range && this.pyramid.size > 1) this.look(range);
    const {exact} = this;
    if (exact && range && exact.max > range.min && exact.min < range.max)
      out = chained([between(out, -Infinity, exact.min), exact.samples, between(out, exact.max, Infinity)]);
    // Axes reach to the end from the beginning.
    const last = out.times[out.times.length - 1] ?? -Infinity;
    return this.whole || !(end > last) ? out : chained([out, {times: Float64Array.of(end), values: Float32Array.of(NaN)}]);
  }

  /** Reads what is in a range, where that is little enough. */
  private look(range: TimeRange): void {
    if (this.exact && this.exact.min <= range.min && this.exact.max >= range.max) return;
    if (this.reading && this.reading.min === range.min && this.reading.max === range.max) return;
    const margin = (range.max - range.min) / 2, first = this.source.at(range.min - margin), last = this.source.at(range.max + margin);
    if (!((last - first + 1) * (this.pyramid.samples / Math.max(this.known, 1)) <= MOST_EXACT)) return;
    const wanted = (this.reading = range);
    void (async () => {
      const parts: Samples[] = [];
      for (let k = first; k <= last; ++k) parts.push(await this.source.read(k));
      if (this.reading !== wanted) return;
      this.reading = null;
      this.exact = {min: range.min - margin, max: range.max + margin, samples: between(chained(parts), range.min - margin, range.max + margin)};
      this.changed();
    })();
  }
}

/** Finds the outlines of all curves that were asked for, those that were asked for at one time together. */
export class CurveScan {
  private readonly waiting: LongCurve[] = [];
  private running = false;

  constructor(private readonly changed: () => void) {}

  add(curve: LongCurve): void {
    this.waiting.push(curve);
    if (!this.running) void this.run();
  }

  private async run(): Promise<void> {
    this.running = true;
    let told = performance.now();
    // What is asked for at once is read at once.
    await idle();
    while (this.waiting.length > 0) {
      const curves = this.waiting.splice(0), count = Math.max(...curves.map((curve) => curve.source.count));
      let begun = performance.now();
      for (let k = 0; k < count; ++k) {
        for (const curve of curves) {
          if (k >= curve.source.count) continue;
          curve.pyramid.add(await curve.source.read(k));
          curve.known = k + 1;
        }
        const now = performance.now();
        if (now - begun > SLICE) {
          await idle();
          begun = performance.now();
        }
        if (now - told > NEWS) {
          told = now;
          this.changed();
        }
      }
      this.changed();
    }
    this.running = false;
  }
}

/** All samples of a curve. */
export async function allSamples(source: CurveSource): Promise<Samples> {
  const parts: Samples[] = [];
  for (let k = 0; k < source.count; ++k) parts.push(await source.read(k));
  return chained(parts);
}
