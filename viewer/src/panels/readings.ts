// Numbers of details: how a body is turned, and how numbers are written.

export const DEGREES = 180 / Math.PI;

const fixed = (digits: number) => (v: number) => v.toFixed(digits).replace(/^-(0\.0*)$/, '$1');
export const meters = fixed(4), degrees = fixed(2);

/** Angles about x, then y, then z of the world: R = Rz(yaw) Ry(pitch) Rx(roll). */
export function rollPitchYaw(R: ArrayLike<number>): number[] {
  const pitch = Math.asin(Math.min(Math.max(-R[6], -1), 1));
  // Looking straight up or down, only one of the others counts.
  if (Math.abs(R[6]) > 1 - 1e-9) return [0, pitch, Math.atan2(-R[1], R[4])];
  return [Math.atan2(R[7], R[8]), pitch, Math.atan2(R[3], R[0])];
}

/** By what angle one frame is turned against the other, rad. */
export function angleBetween(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let trace = 0;
  for (let i = 0; i < 9; ++i) trace += a[i] * b[i];
  return Math.acos(Math.min(Math.max((trace - 1) / 2, -1), 1));
}

/** A length in the unit that suits it. */
export const lengthText = (v: number): [string, string] => (v < 0.1 ? [(1000 * v).toFixed(v < 0.01 ? 2 : 1), 'mm'] : [v.toFixed(4), 'm']);
