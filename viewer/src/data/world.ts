// What logs say of their worlds.
import type {Link} from './kinematics';

export interface Entity {
  id: number;
  kind: 'terrain' | 'object' | 'robot' | 'link';
  name: string;
  frame: string;
  padding?: number;
  mass?: number;
  com?: number[];
  inertia?: InertiaBox | null;
}

/** A box of uniform density: edges, and its pose in the body's frame. */
export interface InertiaBox { size: number[]; T: number[] }

/** A camera or a laser; `T` is its pose in its link's frame. */
export interface SensorDescription {
  robot: number;
  name: string;
  topic: string;
  link: number;
  T: number[];
  camera?: {width: number; height: number; fx: number; fy: number; cx: number; cy: number; near: number; far: number | null};
  scan?: {minimum: number; maximum: number | null; directions: number[]; sweeps: boolean};
}

/** Lines, each pair of points a piece, and points, in the world. */
export interface Overlay { name: string; color: string; lines: number[]; points: number[] }

export interface Picture { time: number; png: Uint8Array }

export interface WorldDescription {
  world: string;
  /** What its objects are, where they are something else. */
  objects?: string;
  background: number[];
  gravity: number[];
  entities: Entity[];
  /** Of a driver: link `links[i]` has the coordinate `scale[i] * value + offset[i]`; null for drivers that do more. */
  robots: {id: number; name: string; links: Link[]; drivers?: ({links: number[]; scale: number[]; offset: number[]} | null)[]}[];
}

export interface Contact {
  a: number;
  b: number;
  point: number[];
  normal: number[];
  depth: number;
  force: number[];
}
