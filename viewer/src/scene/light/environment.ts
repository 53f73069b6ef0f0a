// The light that comes from all around, by a formula: white from above, gray from below, and three bright boxes that are seen in reflections.
import * as THREE from 'three';

/** A box of light: its middle, where it begins to fall off and where it ends (rad), and its color. */
interface Box { toward: THREE.Vector3; inner: number; outer: number; color: THREE.Color }

const linear = (r: number, g: number, b: number, scale = 1): THREE.Color => new THREE.Color(scale * r, scale * g, scale * b);

/** To the sun, fixed in the world. */
export const TO_SUN = new THREE.Vector3(-0.3, -0.8, 0.95).normalize();

const BOXES: readonly Box[] = [
  {toward: TO_SUN, inner: 0.25, outer: 0.55, color: linear(1, 0.97, 0.92, 5)},
  {toward: new THREE.Vector3(0.9, 0.35, 0.35).normalize(), inner: 0.15, outer: 0.5, color: linear(0.92, 0.96, 1, 2.2)},
  {toward: new THREE.Vector3(-0.35, 0.9, 0.55).normalize(), inner: 0.12, outer: 0.38, color: linear(1, 1, 1, 3)},
];
const SIDE = linear(0.78, 0.8, 0.84), ABOVE = linear(1, 1.02, 1.06), BELOW = linear(0.42, 0.41, 0.4);

function smoothstep(low: number, high: number, value: number): number {
  const t = Math.min(Math.max((value - low) / (high - low), 0), 1);
  return t * t * (3 - 2 * t);
}

/** Linear radiance from a direction, with or without the boxes. */
export function radianceFrom(direction: THREE.Vector3, boxes: boolean, out = new THREE.Color()): THREE.Color {
  const z = direction.z;
  out.copy(SIDE).lerp(z > 0 ? ABOVE : BELOW, z > 0 ? smoothstep(0, 0.9, z) : smoothstep(0, 0.5, -z));
  if (boxes)
    for (const {toward, inner, outer, color} of BOXES) {
      const share = smoothstep(Math.cos(outer), Math.cos(inner), direction.dot(toward));
      out.r += share * color.r;
      out.g += share * color.g;
      out.b += share * color.b;
    }
  return out;
}

/** The i-th of `count` directions that lie evenly on the sphere. */
export function evenDirection(i: number, count: number, out = new THREE.Vector3()): THREE.Vector3 {
  const z = 1 - (2 * i + 1) / count, ring = Math.sqrt(1 - z * z), angle = Math.PI * (1 + Math.sqrt(5)) * i;
  return out.set(ring * Math.cos(angle), ring * Math.sin(angle), z);
}

/** The whole environment's light on surfaces, by spherical harmonics: smooth, and without a texture. */
export function environmentHarmonics(): THREE.SphericalHarmonics3 {
  const harmonics = new THREE.SphericalHarmonics3(), basis = new Array<number>(9), count = 4096;
  const direction = new THREE.Vector3(), color = new THREE.Color();
  for (let i = 0; i < count; ++i) {
    radianceFrom(evenDirection(i, count, direction), true, color);
    THREE.SphericalHarmonics3.getBasisAt(direction, basis);
    harmonics.coefficients.forEach((coefficient, k) => {
      const weight = (basis[k] * 4 * Math.PI) / count;
      coefficient.add(new THREE.Vector3(color.r * weight, color.g * weight, color.b * weight));
    });
  }
  return harmonics;
}

const glsl = (value: number) => value.toFixed(6);
const vec3 = (x: number, y: number, z: number) => `vec3(${glsl(x)}, ${glsl(y)}, ${glsl(z)})`;
const ofColor = ({r, g, b}: THREE.Color) => vec3(r, g, b);

/** The same formula for reflections: what a surface of a roughness mirrors, from a direction of the world. Rough ones blur the boxes. */
export const ENVIRONMENT_GLSL = `
vec3 boxOfLight(vec3 v, vec3 toward, float inner, float outer, float blur) {
  float low = max(inner - blur, 0.0), high = outer + blur, thin = (inner + outer) / (low + high);
  return vec3(thin * thin * smoothstep(cos(high), cos(low), dot(v, toward)));
}
vec3 environmentRadiance(vec3 v, float roughness) {
  vec3 light = v.z > 0.0 ? mix(${ofColor(SIDE)}, ${ofColor(ABOVE)}, smoothstep(0.0, 0.9, v.z))
                         : mix(${ofColor(SIDE)}, ${ofColor(BELOW)}, smoothstep(0.0, 0.5, -v.z));
  float blur = 2.0 * roughness * roughness;
${BOXES.map(({toward, inner, outer, color}) =>
      `  light += ${ofColor(color)} * boxOfLight(v, ${vec3(toward.x, toward.y, toward.z)}, ${glsl(inner)}, ${glsl(outer)}, blur);`).join('\n')}
  return light;
}
`;
