// Looks of curves: a log has its color of the scene everywhere, a curve among several has one of its own.
import {curveStyle} from '../scene/palette';

export interface LineLook { color: string; dash?: number[] }

const DASH = [6, 4];

/** Colors come again after six, with dashes. */
export function lookOf(index: number, dark: boolean): LineLook {
  const {color, dashed} = curveStyle(index, dark);
  return {color, ...(dashed ? {dash: DASH} : {})};
}

/** Of several curves of one log among several logs: the color is the log's. */
export const dashOf = (curve: number): number[] | undefined => (curve === 0 ? undefined : [8 / curve, 4]);
