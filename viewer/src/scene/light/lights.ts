// What lights bodies: one sun with a shadow, and all that is around; at rest the latter is summed from single directions.
import * as THREE from 'three';
import {TO_SUN, environmentHarmonics, radianceFrom} from './environment';
import {diskSample, sphereSample} from './sampling';
import {SURFACE_UNIFORMS} from './surface';
import type {Theme} from './theme';

/** Radius of the sun's disk, rad. */
const SUN_RADIUS = THREE.MathUtils.degToRad(2.5);
/** How far shadows reach, in radii of what moves. */
const SUN_EXTENT = 1.9, SKY_EXTENT = 1.0;
/** What the boxes of the environment would add to its light on surfaces. */
const WITHOUT_BOXES = 1.4;
/** Share of the light from around that reaches what is covered, too: bodies pass it on to each other. */
const PASSED_ON = 0.2;
/** Radii of the blur of shadows, texels of their maps: surfaces are moved by as many, or the blur would darken slopes. */
const SUN_BLUR = 3, SKY_BLUR = 2, SKY_MAP = 1024;
/** What the floor sends upward of the light from the sky and of the sun's. */
const FLOOR_REFLECTS = 0.75, FLOOR_SKY_LIGHT = 0.8;
const DISTANCE = 4;

const luminance = ({r, g, b}: THREE.Color): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;

export class Lights {
  readonly root = new THREE.Group();
  private readonly sun = new THREE.DirectionalLight();
  private readonly sky = new THREE.DirectionalLight();
  private readonly around = new THREE.LightProbe(environmentHarmonics(), 0);
  private readonly direction = new THREE.Vector3();
  private readonly color = new THREE.Color();
  private environment = 0;
  private below: THREE.Color | null = null;
  private center = new THREE.Vector3();
  private radius = 1;

  /** `size` of the sun's shadow map, pixels. */
  constructor(size: number) {
    this.sun.shadow.mapSize.set(size, size);
    this.sun.shadow.radius = SUN_BLUR;
    this.sky.shadow.mapSize.set(SKY_MAP, SKY_MAP);
    this.sky.shadow.radius = SKY_BLUR;
    for (const light of [this.sun, this.sky]) {
      light.castShadow = true;
      light.shadow.bias = -2e-4;
      this.root.add(light, light.target);
    }
    this.root.add(this.around);
    this.fit(this.center, this.radius);
    this.still();
  }

  setTheme(theme: Theme): void {
    this.sun.color.copy(theme.sun.color);
    this.sun.intensity = theme.sun.intensity;
    this.environment = theme.environment;
    this.below = theme.below;
    SURFACE_UNIFORMS.reflected.value = theme.environment;
    const lit = FLOOR_REFLECTS * (FLOOR_SKY_LIGHT * theme.environment + (theme.sun.intensity * TO_SUN.z) / Math.PI), {r, g, b} = theme.floor;
    SURFACE_UNIFORMS.lightBelow.value.set(lit * r, lit * g, lit * b, theme.below ? 1 : 0);
    this.still();
  }

  /** Shadows are those of what is in a ball. */
  fit(center: THREE.Vector3, radius: number): void {
    this.center.copy(center);
    this.radius = radius;
    for (const [light, extent] of [[this.sun, SUN_EXTENT], [this.sky, SKY_EXTENT]] as const) {
      const {camera} = light.shadow, half = extent * radius;
      Object.assign(camera, {left: -half, right: half, bottom: -half, top: half, near: 0.1 * radius, far: 2 * DISTANCE * radius});
      camera.updateProjectionMatrix();
      light.shadow.normalBias = (light.shadow.radius * 2 * half) / light.shadow.mapSize.x;
      light.target.position.copy(center);
    }
    this.aim(this.sun, TO_SUN);
  }

  private aim(light: THREE.DirectionalLight, toward: THREE.Vector3): void {
    light.position.copy(this.center).addScaledVector(toward, DISTANCE * this.radius);
  }

  /** As a single picture has it. */
  still(): void {
    this.sky.visible = false;
    this.around.intensity = this.environment;
    this.aim(this.sun, TO_SUN);
  }

  /** As the i-th frame of a sum of `count` has it; how much its sky light counts on a level floor. */
  sample(i: number, count: number): number {
    this.aim(this.sun, diskSample(i, TO_SUN, SUN_RADIUS, this.direction));
    const {z} = sphereSample(i, count, this.direction);
    this.aim(this.sky, this.direction);
    this.skyColor(this.direction);
    this.sky.color.copy(this.color);
    this.sky.intensity = 4 * Math.PI * this.environment * WITHOUT_BOXES * (1 - PASSED_ON);
    this.sky.visible = true;
    this.around.intensity = this.environment * PASSED_ON;
    return z > 0 ? (luminance(this.color) * z) / this.meanOnFloor(count) : 0;
  }

  private skyColor(toward: THREE.Vector3): void {
    if (toward.z < 0 && this.below) this.color.copy(this.below);
    else radianceFrom(toward, false, this.color);
  }

  private readonly means = new Map<number, number>();
  private meanOnFloor(count: number): number {
    const known = this.means.get(count);
    if (known !== undefined) return known;
    const toward = new THREE.Vector3(), color = new THREE.Color();
    let sum = 0;
    for (let i = 0; i < count; ++i) {
      sphereSample(i, count, toward);
      if (toward.z > 0) sum += luminance(radianceFrom(toward, false, color)) * toward.z;
    }
    this.means.set(count, sum / count);
    return sum / count;
  }
}
