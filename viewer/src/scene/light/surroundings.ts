// What is around the bodies that are shown: sky, floor and light, as large as what moves needs them.
import * as THREE from 'three';
import {Floor} from './floor';
import {Lights} from './lights';
import type {LogScene} from '../log_scene';
import {Sky} from './sky';
import {DARK, LIGHT, type Theme} from './theme';

/** Radii of what moves to where the floor has faded away. */
const REACH = 7;
/** The sun's shadow map, pixels along each side, by graphics without and with a processor of their own. */
const MAP = {slow: 1024, fast: 2048};
/** Light is made for places and sizes of these steps, so that it stays where it is while what moves stays near: in radii, and by how much. */
const STEP = 0.25, GROWTH = 1.25;

interface Span { low: [number, number, number]; high: [number, number, number] }
const emptySpan = (): Span => ({low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity]});

/** Around everything that moves, or where nothing does around everything; null: there is nothing. */
export function ballOfMoving(logs: readonly (Pick<LogScene, 'shapes' | 'log'> & {extent?: THREE.Box3})[]): THREE.Sphere | null {
  const moving = emptySpan(), still = emptySpan();
  for (const {shapes, log, extent} of logs) {
    if (extent && !extent.isEmpty()) {
      extent.min.toArray().forEach((v, k) => (moving.low[k] = Math.min(moving.low[k], v)));
      extent.max.toArray().forEach((v, k) => (moving.high[k] = Math.max(moving.high[k], v)));
    }
    for (const body of shapes.bodies.values()) {
      if (!body.visible || body.asFloor || body.radius === 0) continue;
      const moves = log.poses.has(body.id), {low, high} = moves ? moving : still, {elements: e} = body.object.matrix, {x, y, z} = body.center;
      // Half of the ball around its origin: bodies overlap, and their boxes are larger than they are.
      const reach = moves ? 0.5 * body.radius : body.radius;
      for (let k = 0; k < 3; ++k) {
        const at = e[k] * x + e[4 + k] * y + e[8 + k] * z + e[12 + k];
        low[k] = Math.min(low[k], at - reach);
        high[k] = Math.max(high[k], at + reach);
      }
    }
  }
  const {low, high} = Number.isFinite(moving.low[0]) ? moving : still;
  if (!Number.isFinite(low[0])) return null;
  const size = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  return new THREE.Sphere(new THREE.Vector3(...low.map((v, k) => (v + high[k]) / 2)), Math.max(size / 2, 0.05));
}

/** The same for everything that is nearly there and nearly so large, so that one state always has one light. */
export function steppedBall({center, radius}: THREE.Sphere): THREE.Sphere {
  const around = GROWTH ** Math.ceil(Math.log(radius) / Math.log(GROWTH) - 1e-9), step = STEP * around;
  return new THREE.Sphere(center.clone().divideScalar(step).round().multiplyScalar(step), around);
}

export class Surroundings {
  readonly root = new THREE.Group();
  readonly sky = new Sky();
  readonly floor = new Floor();
  readonly lights: Lights;
  theme: Theme = LIGHT;
  private readonly ball = new THREE.Sphere(new THREE.Vector3(), 0);
  /** Where the light is. */
  private readonly lit = new THREE.Sphere(new THREE.Vector3(), 0);
  private height = 0;
  private own: THREE.Color | null = null;

  constructor(slow: boolean) {
    this.lights = new Lights(slow ? MAP.slow : MAP.fast);
    this.root.matrixAutoUpdate = false;
    this.root.add(this.sky.mesh, this.floor.mesh, this.lights.root);
    this.floor.mesh.visible = false;
  }

  /** The size of what is shown, m. */
  get size(): number { return 2 * Math.max(this.ball.radius, 0.05); }

  /** `own`: the background that a world asks for. */
  setTheme(dark: boolean, own: THREE.Color | null = this.own): void {
    this.theme = dark ? DARK : LIGHT;
    this.own = own;
    this.sky.setTheme(this.theme, own);
    this.floor.setTheme(this.theme);
    this.lights.setTheme(this.theme);
  }

  /** Makes light and floor for all that is shown now. */
  fit(logs: LogScene[]): void {
    const ball = ballOfMoving(logs);
    if (!ball) return;
    this.ball.copy(ball);
    this.follow(logs);
    if (logs.every(({shapes}) => shapes.floor === null)) this.height = lowestOf(logs);
    this.placeFloor(logs);
  }

  /** Lets the light go along with what moves. */
  follow(logs: LogScene[]): void {
    const ball = ballOfMoving(logs), stepped = ball && steppedBall(ball);
    if (!stepped || (stepped.center.equals(this.lit.center) && stepped.radius === this.lit.radius)) return;
    this.lit.copy(stepped);
    this.lights.fit(stepped.center, stepped.radius);
  }

  /** At the height of the terrain that it stands for, else under everything. */
  private placeFloor(logs: LogScene[]): void {
    const floors = logs.flatMap(({shapes}) => (shapes.floor === null ? [] : [shapes]));
    const real = floors[0]?.floor ?? null;
    this.floor.place(real ?? this.height, REACH * this.ball.radius, real !== null);
    // Whoever hides the terrain hides the floor.
    this.floor.mesh.visible = floors.length === 0 || floors.some(({bodies}) => [...bodies.values()].some((body) => body.asFloor && body.visible));
  }

  /** After bodies were shown or hidden. */
  visibilityChanged(logs: LogScene[]): void { if (this.ball.radius > 0) this.placeFloor(logs); }
}

function lowestOf(logs: LogScene[]): number {
  const box = new THREE.Box3();
  for (const {shapes, extent} of logs) {
    box.union(extent);
    for (const body of shapes.bodies.values()) if (body.visible) box.union(new THREE.Box3().setFromObject(body.object, true));
  }
  return box.isEmpty() ? 0 : box.min.z;
}
