// How messages of a schema are shown besides as numbers.
import type {Fields} from '../schemas/tree';
import {CLOUDS} from './clouds';
import type {Placed} from './drawn';
import {POSES} from './poses';

/** "foxglove_msgs/msg/PointCloud" is "foxglove.PointCloud", and "sensor_msgs/msg/Image" is "sensor_msgs/Image". */
export const plainSchema = (name: string): string => name.replace('/msg/', '/').replace(/^foxglove_msgs\//, 'foxglove.');

/** Schemas whose last message is what is shown. */
export const LAST: Record<string, (message: Fields) => Placed> = {...CLOUDS, ...POSES};
