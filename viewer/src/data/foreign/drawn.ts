// What is drawn of messages of other tools, whatever schema says it.
import type {Pose} from '../kinematics';
import type {Color} from './geometry';

/** Points with a color each, or without: red, green, blue, opacity, 0 to 255. */
export interface Cloud { kind: 'cloud'; positions: Float32Array; colors: Uint8Array | null; size: number }

/** Poses as axes; several are the places along a path, which is a line. */
export interface Poses { kind: 'poses'; poses: Pose[]; path: boolean }

/** Solids of one shape: `sizes` along their own axes. `taper`: of cylinders, how wide both ends are. */
export interface Solid { shape: 'cube' | 'sphere' | 'cylinder' | 'arrow'; pose: Pose; size: number[]; color: Color; taper?: [number, number] }

/** Points of lines that are joined, or each two of them; `colors`: one a point, or one for all. */
export interface Line { pose: Pose; points: number[]; pairs: boolean; closed: boolean; width: number; pixels: boolean; colors: Color[] }

export interface Mesh { pose: Pose; points: number[]; triangles: number[] | null; colors: Color[] }

/** A text that faces the eye; `size`: of its letters, m, or pixels. */
export interface Label { pose: Pose; text: string; size: number; pixels: boolean; color: Color }

/** A model as binary glTF. */
export interface Model { pose: Pose; scale: number[]; data: Uint8Array; color: Color | null }

export interface Shapes { kind: 'shapes'; solids: Solid[]; lines: Line[]; meshes: Mesh[]; labels: Label[]; models: Model[]; clouds: Cloud[] }

/** Cells of a grid in a plane: `columns` a row, with a color each. */
export interface Grid { kind: 'grid'; columns: number; rows: number; cell: [number, number]; colors: Uint8Array }

export type Drawing = Cloud | Poses | Shapes | Grid;

/** A drawing, and where it is: `pose` in the frame. */
export interface Placed { frame: string; pose: Pose; drawing: Drawing }

export interface Item extends Placed {
  /** What is drawn anew when there is another drawing. */
  key: string;
  topic: string;
  /** When its frame was where it is drawn, s. */
  time: number;
}

export const noShapes = (): Shapes => ({kind: 'shapes', solids: [], lines: [], meshes: [], labels: [], models: [], clouds: []});
