// Points of the world in the frames of bodies, and back.

/** Of a body: where a point of the world is in its frame. What does not move has the world's. */
export function localOf(pose: ArrayLike<number> | undefined, point: ArrayLike<number>): number[] {
  if (!pose) return Array.from(point);
  const d = [0, 1, 2].map((i) => point[i] - pose[9 + i]);
  return [0, 1, 2].map((j) => pose[j] * d[0] + pose[3 + j] * d[1] + pose[6 + j] * d[2]);
}

/** Back again. */
export function worldOf(pose: ArrayLike<number> | undefined, local: ArrayLike<number>): number[] {
  return pose ? [0, 1, 2].map((i) => pose[3 * i] * local[0] + pose[3 * i + 1] * local[1] + pose[3 * i + 2] * local[2] + pose[9 + i]) : Array.from(local);
}
