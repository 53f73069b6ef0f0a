// Frames that hang on each other, over time.
import {type Pose, multiply, poseFromQuaternion} from '../kinematics';
import {IDENTITY} from './geometry';
import type {Transform} from './transforms';

/** Where a frame is in others: `places` has seven numbers a time. */
interface Track { times: number[]; parents: string[]; places: number[]; ordered: boolean }

/** Frames that hang on so many others hang on themselves. */
const DEEPEST = 256;
const TOLERANCE = 5e-10;

/** The last of ascending `times` that is not later; -1: all are. */
function lastAt(times: number[], time: number): number {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time + TOLERANCE) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Along a line, and along the shortest arc. */
function between(places: number[], i: number, u: number, out: Float64Array): void {
  const a = 7 * i, b = a + 7;
  let dot = 0;
  for (let k = 3; k < 7; ++k) dot += places[a + k] * places[b + k];
  const sign = dot < 0 ? -1 : 1, angle = Math.acos(Math.min(Math.abs(dot), 1)), s = Math.sin(angle);
  const [f, g] = s > 1e-6 ? [Math.sin((1 - u) * angle) / s, Math.sin(u * angle) / s] : [1 - u, u];
  for (let k = 0; k < 3; ++k) out[k] = (1 - u) * places[a + k] + u * places[b + k];
  for (let k = 3; k < 7; ++k) out[k] = f * places[a + k] + sign * g * places[b + k];
}

export class TransformTree {
  private readonly tracks = new Map<string, Track>();
  private readonly place = new Float64Array(7);
  private readonly local = new Float64Array(12);
  private readonly known = new Set<string>();
  private sortedFrames: string[] | null = null;
  private main: string | null = null;

  /** Times may come in any order. A frame cannot hang on itself. */
  add(time: number, {parent, child, place}: Transform): void {
    if (child === '' || child === parent || !place.every(Number.isFinite)) return;
    let track = this.tracks.get(child);
    if (!track) this.tracks.set(child, track = {times: [], parents: [], places: [], ordered: true});
    const length = Math.hypot(place[3], place[4], place[5], place[6]) || 1, last = track.times[track.times.length - 1];
    if (time < last) track.ordered = false;
    track.times.push(time);
    track.parents.push(parent);
    track.places.push(place[0], place[1], place[2], place[3] / length, place[4] / length, place[5] / length, place[6] / length);
    this.main = null;
    for (const frame of [child, parent])
      if (frame !== '' && !this.known.has(frame)) {
        this.known.add(frame);
        this.sortedFrames = null;
      }
  }

  private sorted(track: Track): Track {
    if (track.ordered) return track;
    const {times, parents, places} = track, order = times.map((_, i) => i).sort((a, b) => times[a] - times[b] || a - b);
    Object.assign(track, {
      times: order.map((i) => times[i]), parents: order.map((i) => parents[i]), places: order.flatMap((i) => places.slice(7 * i, 7 * i + 7)), ordered: true,
    });
    return track;
  }

  /** When a frame is known first; Infinity: never. */
  since(frame: string): number {
    const track = this.tracks.get(frame);
    return track ? this.sorted(track).times[0] : Infinity;
  }

  /** The last that is known of a frame at a time, or, before all, the first. */
  last(frame: string, time: number): {time: number; transform: Transform} | null {
    const found = this.tracks.get(frame);
    if (!found) return null;
    const track = this.sorted(found), i = Math.max(lastAt(track.times, time), 0);
    return {time: track.times[i], transform: {parent: track.parents[i], child: frame, place: track.places.slice(7 * i, 7 * i + 7)}};
  }

  /** All frames, those that others hang on among them, in the order of their names. */
  frames(): readonly string[] { return this.sortedFrames ??= [...this.known].sort(); }

  /** Frames that hang on none, those on which more hang first. */
  roots(): string[] {
    const counts = new Map<string, number>();
    for (const frame of this.frames()) {
      const root = this.rootOf(frame);
      counts.set(root, (counts.get(root) ?? 0) + 1);
    }
    return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([root]) => root);
  }

  /** The frame that is the world. */
  get root(): string { return this.main ??= this.roots()[0] ?? ''; }

  private rootOf(frame: string): string {
    let at = frame;
    for (let depth = 0; depth < DEEPEST; ++depth) {
      const track = this.tracks.get(at), parent = track?.parents[track.parents.length - 1];
      if (!parent) return at;
      at = parent;
    }
    return at;
  }

  /** Puts where a frame is at a time into `out`; frames that are not known are where the world is. */
  poseAt(frame: string, time: number, out: Pose): Pose {
    out.set(IDENTITY);
    let at = frame;
    for (let depth = 0; depth < DEEPEST; ++depth) {
      const found = this.tracks.get(at);
      if (!found) return out;
      const track = this.sorted(found), {times, parents, places} = track, i = Math.max(lastAt(times, time), 0);
      const moves = i + 1 < times.length && time > times[i] && parents[i + 1] === parents[i];
      if (moves) between(places, i, (time - times[i]) / (times[i + 1] - times[i]), this.place);
      else for (let k = 0; k < 7; ++k) this.place[k] = places[7 * i + k];
      multiply(poseFromQuaternion(this.place, 0, this.local), out.slice(), out);
      at = parents[i];
    }
    return out;
  }
}
