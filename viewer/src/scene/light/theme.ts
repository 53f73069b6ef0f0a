// Light and colors of the surroundings of what is shown, for light and for dark pages.
import * as THREE from 'three';

export interface Theme {
  dark: boolean;
  sky: {zenith: THREE.Color; horizon: THREE.Color; ground: THREE.Color};
  floor: THREE.Color;
  grid: THREE.Color;
  /** How much of a grid's line is its color. */
  gridShare: number;
  sun: {intensity: number; color: THREE.Color};
  /** Of the light from all around. */
  environment: number;
  /** What comes from a lit floor below; null: as the environment has it. */
  below: THREE.Color | null;
  /** Share of the light from the sky that a body takes from the floor under it, while it moves. */
  contactShadow: number;
  /** Bodies whose color nobody gave. */
  plain: THREE.Color;
}

export const EXPOSURE = 1.25;

const color = (hex: number) => new THREE.Color(hex);

export const LIGHT: Theme = {
  dark: false,
  sky: {zenith: color(0xc9d3dd), horizon: color(0xf4f6f8), ground: color(0xe7e9ec)},
  floor: color(0xe6e8ea), grid: color(0x3c4957), gridShare: 0.2,
  sun: {intensity: 3, color: color(0xfff4e6)}, environment: 0.36, below: new THREE.Color(1.15, 1.13, 1.1), contactShadow: 0.45,
  plain: color(0xc9c6c0),
};

export const DARK: Theme = {
  dark: true,
  sky: {zenith: color(0x14181d), horizon: color(0x2a3138), ground: color(0x1d2228)},
  floor: color(0x2b3138), grid: color(0xaebdcc), gridShare: 0.16,
  sun: {intensity: 2.6, color: color(0xfff4e6)}, environment: 0.3, below: null, contactShadow: 0.6,
  plain: color(0x565b60),
};

/** Khronos's neutral tone mapping of a linear color, which keeps colors of files as they are. */
export const NEUTRAL_GLSL = `
vec3 neutralToneMapped(vec3 color) {
  float least = min(color.r, min(color.g, color.b));
  color -= least < 0.08 ? least - 6.25 * least * least : 0.04;
  float peak = max(color.r, max(color.g, color.b));
  if (peak < 0.76) return color;
  float pressed = 1.0 - 0.0576 / (peak - 0.52);
  color *= pressed / peak;
  return mix(color, vec3(pressed), 1.0 - 1.0 / (0.15 * (peak - pressed) + 1.0));
}
`;
