// Where the frames of a summed picture take their samples: the same for each picture, and evenly spread from the first on.
import * as THREE from 'three';
import {evenDirection} from './environment';

/** The digits of `i` in a base behind the point, reversed: evenly in 0 to 1 for any number of them. */
export function radicalInverse(i: number, base: number): number {
  let value = 0, scale = 1 / base;
  for (let rest = i; rest > 0; rest = Math.floor(rest / base), scale /= base) value += (rest % base) * scale;
  return value;
}

/** The step that goes through 0 to `count` - 1 in an order whose first parts are spread evenly, too. */
function spreadStep(count: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  let step = Math.max(1, Math.round(count * 0.618));
  while (divisor(step, count) !== 1) ++step;
  return step;
}

/** The i-th of `count` directions that lie evenly on the full sphere: so few give the light on every slope within a few percent. */
export function sphereSample(i: number, count: number, out: THREE.Vector3): THREE.Vector3 {
  return evenDirection((i * spreadStep(count)) % count, count, out);
}

/** A direction on a disk about another one, of a radius in rad. */
export function diskSample(i: number, about: THREE.Vector3, radius: number, out: THREE.Vector3): THREE.Vector3 {
  const away = radius * Math.sqrt(radicalInverse(i + 1, 5)), angle = 2 * Math.PI * radicalInverse(i + 1, 7);
  const side = new THREE.Vector3(0, 0, 1).cross(about).normalize(), other = new THREE.Vector3().crossVectors(about, side);
  return out.copy(about).addScaledVector(side, away * Math.cos(angle)).addScaledVector(other, away * Math.sin(angle)).normalize();
}

/** A triangle over -1 to 1, highest in its middle. */
function tent(u: number): number { return u < 0.5 ? Math.sqrt(2 * u) - 1 : 1 - Math.sqrt(2 - 2 * u); }

/** By how much a frame is shifted, pixels. */
export function pixelSample(i: number, out: THREE.Vector2): THREE.Vector2 {
  return out.set(0.75 * tent(radicalInverse(i + 1, 3)), 0.75 * tent(radicalInverse(i + 1, 2)));
}
