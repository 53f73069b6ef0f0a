// Poses, colors and other parts that messages of several schemas share.
import {type Pose, poseFromQuaternion} from '../kinematics';
import {type Fields, type Tree, fieldsOf, numberOf, textOf} from '../schemas/tree';

/** Red, green, blue and opacity, 0 to 1. */
export type Color = [number, number, number, number];

export const vectorOf = (value: Tree | undefined, otherwise = 0): [number, number, number] => {
  const {x, y, z} = fieldsOf(value);
  return [numberOf(x, otherwise), numberOf(y, otherwise), numberOf(z, otherwise)];
};

/** A position and a quaternion x, y, z, w; none, and one without length, turns nothing. */
export function placeOf(position: Tree | undefined, orientation: Tree | undefined): number[] {
  const {x, y, z, w} = fieldsOf(orientation), q = [numberOf(x), numberOf(y), numberOf(z), numberOf(w)];
  return [...vectorOf(position), ...(q.some((v) => v !== 0) ? q : [0, 0, 0, 1])];
}

export const poseFrom = (place: ArrayLike<number>): Pose => poseFromQuaternion(place, 0, new Float64Array(12));

export function poseOf(value: Tree | undefined): Pose {
  const {position, orientation} = fieldsOf(value);
  return poseFrom(placeOf(position, orientation));
}

export const IDENTITY: Pose = poseFrom([0, 0, 0, 0, 0, 0, 1]);

export function colorOf(value: Tree | undefined): Color {
  const {r, g, b, a} = fieldsOf(value);
  return [numberOf(r), numberOf(g), numberOf(b), numberOf(a)];
}

/** The frame of a message: its own, or, in ROS, that of its header. */
export const frameOf = (message: Fields): string => textOf(message.frame_id ?? fieldsOf(message.header).frame_id).replace(/^\//, '');

/** What a table has under a name that messages say. */
export const entryOf = <T>(table: Record<string, T>, name: string): T | undefined => (Object.hasOwn(table, name) ? table[name] : undefined);
