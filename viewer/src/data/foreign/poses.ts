// Poses, and paths of poses.
import {type Fields, type Tree, fieldsOf, listOf} from '../schemas/tree';
import type {Placed} from './drawn';
import {IDENTITY, frameOf, poseOf} from './geometry';

function placed(message: Fields, poses: (Tree | undefined)[], path = false): Placed {
  return {frame: frameOf(message), pose: IDENTITY, drawing: {kind: 'poses', poses: poses.map(poseOf), path}};
}

/** By schema. */
export const POSES: Record<string, (message: Fields) => Placed> = {
  'foxglove.PoseInFrame': (message) => placed(message, [message.pose]),
  'foxglove.PosesInFrame': (message) => placed(message, listOf(message.poses), true),
  'geometry_msgs/PoseStamped': (message) => placed(message, [message.pose]),
  'geometry_msgs/PoseArray': (message) => placed(message, listOf(message.poses)),
  'geometry_msgs/PoseWithCovarianceStamped': (message) => placed(message, [fieldsOf(message.pose).pose]),
  'nav_msgs/Odometry': (message) => placed(message, [fieldsOf(message.pose).pose]),
  'nav_msgs/Path': (message) => placed(message, listOf(message.poses).map((one) => fieldsOf(one).pose), true),
};
