// Marks of sensors: frusta of cameras, rays and hits of laser scanners.
import * as THREE from 'three';
import type {Log, SensorDescription} from '../../data/log';
import {multiply, type Pose} from '../../data/kinematics';
import {dots} from './dots';
import {FRUSTUM, RAY} from '../palette';
import {WideLines} from './wide_lines';

/** What has no positions is not drawn, and needs no shader. */
function setPositions(object: THREE.Points, numbers: ArrayLike<number>): void {
  object.visible = numbers.length > 0;
  const old = object.geometry.getAttribute('position');
  if (old && old.array.length === numbers.length) {
    (old.array as Float32Array).set(numbers);
    old.needsUpdate = true;
  } else {
    object.geometry.dispose();
    object.geometry = new THREE.BufferGeometry();
    object.geometry.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(numbers), 3));
  }
}

/** Cameras as frusta, and lasers as their rays. */
export class SensorScene {
  readonly root = new THREE.Group();
  private readonly frusta = new WideLines(FRUSTUM);
  private readonly rays = new WideLines(RAY, {width: 1.5, opacity: 0.55});
  private drawn: number[] = [];
  private readonly hits = new THREE.Points(
      new THREE.BufferGeometry(), dots(RAY, 4));

  constructor(private readonly log: Log) {
    this.hits.frustumCulled = false;
    this.root.add(this.frusta.lines, this.rays.lines, this.hits);
  }

  /** Pose of a sensor in the world. */
  private pose(sensor: SensorDescription, out: Pose): Pose | null {
    if (sensor.link < 0) return Float64Array.from(sensor.T);
    const link = this.log.poses.get(sensor.link);
    return link ? multiply(link, sensor.T, out) : null;
  }

  /** Draws them at a time, and says whether that is seen; changes of less than `least` (m) are not. */
  update(time: number, least: number): boolean {
    const frusta: number[] = [], rays: number[] = [], hits: number[] = [];
    const X = new Float64Array(12);
    const at = (pose: Pose, x: number, y: number, z: number) => [
      pose[0] * x + pose[1] * y + pose[2] * z + pose[9],
      pose[3] * x + pose[4] * y + pose[5] * z + pose[10],
      pose[6] * x + pose[7] * y + pose[8] * z + pose[11]];
    for (const sensor of this.log.sensors) {
      const pose = this.pose(sensor, X);
      if (!pose) continue;
      if (sensor.camera) this.frustum(sensor, pose, at, frusta);
      if (sensor.scan) this.scan(sensor, pose, at, time, rays, hits);
    }
    const all = [...frusta, ...rays, ...hits];
    if (all.length === this.drawn.length && all.every((value, i) => Math.abs(value - this.drawn[i]) <= least)) return false;
    this.drawn = all;
    this.frusta.set(frusta);
    this.rays.set(rays);
    setPositions(this.hits, hits);
    return true;
  }

  private frustum(sensor: SensorDescription, pose: Pose, at: (p: Pose, x: number, y: number, z: number) => number[], out: number[]): void {
    const c = sensor.camera!;
    // Long enough to be seen, not so long that it hides everything else.
    const depth = Math.min(c.far ?? 0.5, 0.5);
    const corner = (u: number, v: number) => at(pose, ((u - c.cx) / c.fx) * depth, ((v - c.cy) / c.fy) * depth, depth);
    const corners = [corner(-0.5, -0.5), corner(c.width - 0.5, -0.5), corner(c.width - 0.5, c.height - 0.5), corner(-0.5, c.height - 0.5)];
    const eye = at(pose, 0, 0, 0);
    corners.forEach((p, i) => out.push(...eye, ...p, ...p, ...corners[(i + 1) % 4]));
    // A mark where the picture's top is.
    const top = corner(c.width / 2, -0.1 * c.height);
    out.push(...corners[0], ...top, ...top, ...corners[1]);
  }

  private scan(sensor: SensorDescription, pose: Pose, at: (p: Pose, x: number, y: number, z: number) => number[], time: number,
      rays: number[], hits: number[]): void {
    const scan = sensor.scan!, series = this.log.series.get(sensor.topic);
    if (scan.sweeps || !series || series.times.length === 0) return;
    const i = series.indexAt(time), eye = at(pose, 0, 0, 0), d = scan.directions;
    const beams = d.length / 3, step = Math.max(1, Math.floor(beams / 2000));
    for (let b = 0; b < beams; b += step) {
      const distance = series.columns[b]?.[i];
      if (distance === undefined || !(distance > 0)) continue;
      const met = scan.maximum === null ? Number.isFinite(distance) : distance < scan.maximum;
      const shown = met ? distance : Math.min(distance, 1);
      const end = at(pose, d[3 * b] * shown, d[3 * b + 1] * shown, d[3 * b + 2] * shown);
      if (met) hits.push(...end);
      if (met || beams <= 360) rays.push(...eye, ...end);
    }
  }
}
