// Poses of frames in other frames, as messages say them.
import {type Fields, fieldsOf, listOf, textOf} from '../schemas/tree';
import {frameOf, placeOf} from './geometry';

/** `place`: a position and a quaternion x, y, z, w. */
export interface Transform { parent: string; child: string; place: number[] }

const plain = (name: string): string => name.replace(/^\//, '');

function foxglove(message: Fields): Transform {
  return {parent: plain(textOf(message.parent_frame_id)), child: plain(textOf(message.child_frame_id)), place: placeOf(message.translation, message.rotation)};
}

function ros(message: Fields): Transform {
  const {translation, rotation} = fieldsOf(message.transform);
  return {parent: frameOf(message), child: plain(textOf(message.child_frame_id)), place: placeOf(translation, rotation)};
}

/** By schema. */
export const TRANSFORMS: Record<string, (message: Fields) => Transform[]> = {
  'foxglove.FrameTransform': (message) => [foxglove(message)],
  'foxglove.FrameTransforms': (message) => listOf(message.transforms).map((one) => foxglove(fieldsOf(one))),
  'tf2_msgs/TFMessage': (message) => listOf(message.transforms).map((one) => ros(fieldsOf(one))),
  'tf/tfMessage': (message) => listOf(message.transforms).map((one) => ros(fieldsOf(one))),
  'geometry_msgs/TransformStamped': (message) => [ros(message)],
};
