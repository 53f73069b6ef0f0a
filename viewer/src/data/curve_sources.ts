// Curves of long logs, read window by window: columns, sums of contact forces, and what curves of two logs are apart.
import {forceSums} from './contact_forces';
import {type Curve, resampled} from './curves';
import {present} from './foreign/number_columns';
import type {Log} from './log';
import type {CurveSource} from './long_curves';
import {type Samples, between, chained} from './pyramid';
import type {Series, SeriesPart} from './series';
import type {SeriesChannel, Windows} from './windows';

/** Half a nanosecond: times of windows are whole ones. */
const TOLERANCE = 5e-10;

/** The samples of a window, without its neighbors', and without those after a tick. */
function within(windows: Windows, k: number, part: SeriesPart, values: Float32Array, lastTick: number): Samples {
  const {from, to} = windows.ranges[k];
  let length = part.ticks.length;
  while (length > 0 && part.ticks[length - 1] > lastTick) --length;
  return between({times: part.times.subarray(0, length), values: values.subarray(0, length)}, from + TOLERANCE, to + TOLERANCE);
}

/** Numbers of messages of another tool in a window; no other messages are read for them. */
async function foreignSamples(windows: Windows, k: number, channel: SeriesChannel, c: number): Promise<Samples> {
  const messages = await windows.messagesIn(k, channel), values = new Float32Array(messages.length), bits = new Int32Array(values.buffer);
  messages.forEach((message, i) => channel.block!(message).writeColumn(c, bits, i));
  return present(Float64Array.from(messages, ({time}) => time), values);
}

/** A curve of a log that has these windows, and in them these series; null: it has no such curve. */
export function curveSource(log: Log, windows: Windows, series: Map<string, Series>, curve: Curve): CurveSource | null {
  const channelOf = (topic: string) => windows.channels.find((channel) => channel.topic === topic);
  const partOf = async (k: number, topic: string) => {
    const channel = channelOf(topic);
    return channel ? windows.peek(k)?.get(topic) ?? windows.part(k, channel) : null;
  };
  const lastTick = (topic: string) => series.get(topic)?.lastOfFile ?? Infinity;
  const base = {count: windows.ranges.length, at: (time: number) => windows.at(time)};
  if (curve.topic === log.forces.topic) {
    const of = log.forces.of(curve.column), states = '/mortise/state';
    return of && {...base, read: async (k) => {
      const state = (await partOf(k, states))!, contacts = await partOf(k, '/mortise/contacts');
      return within(windows, k, state, forceSums(state.ticks, contacts, of.id)[of.part], lastTick(states));
    }};
  }
  const c = channelOf(curve.topic)?.names.indexOf(curve.column) ?? -1;
  const foreign = channelOf(curve.topic);
  if (foreign?.block && c >= 0) return {...base, read: (k) => foreignSamples(windows, k, foreign, c)};
  return c < 0 ? null : {...base, read: async (k) => {
    const part = (await partOf(k, curve.topic))!;
    return within(windows, k, part, part.column(c), lastTick(curve.topic));
  }};
}

/** How far a curve is from another one, at the times of the other. */
export function differenceSource(first: CurveSource, other: CurveSource): CurveSource {
  return {
    count: first.count,
    at: (time) => first.at(time),
    read: async (k) => {
      const base = await first.read(k), {times} = base;
      if (times.length === 0) return base;
      const parts: Samples[] = [], end = other.at(times[times.length - 1]);
      // The last sample before the first of these times may be in the window before.
      for (let w = Math.max(other.at(times[0]) - 1, 0); w <= end; ++w) parts.push(await other.read(w));
      const values = resampled(chained(parts), times);
      return {times, values: values.map((v, i) => v - base.values[i])};
    },
  };
}
