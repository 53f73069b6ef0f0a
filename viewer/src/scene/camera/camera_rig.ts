// From where the scene is seen: what fits, presets, a body that is followed, and where the camera was.
import * as THREE from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import type {LogScene} from '../log_scene';
import type {Preset, Projection} from '../scene_options';
import {SceneCamera} from './scene_camera';
import {clearDirection, cornerDirection, includeMotion} from './viewpoint';

/** What is looked at fills so little of the picture that one sees where it is. */
const CONTEXT = 2.5;
/** The box around everything fills this share of the picture, across or down. */
const FILLED = 0.9;
/** Of everything there is, what is seen of it about a frame. */
const NEAR_FRAMES = 0.15;

/** Along the axes of the world; robots face x. From above and below, x is to the right. */
const DIRECTIONS: Record<Exclude<Preset, 'corner'>, [number, number, number]> = {
  front: [1, 0, 0], back: [-1, 0, 0], left: [0, 1, 0], right: [0, -1, 0], top: [0, -1e-4, 1], bottom: [0, -1e-4, -1],
};

export class CameraRig {
  readonly camera = new SceneCamera();
  readonly controls: OrbitControls;
  /** Of the last view that fitted. */
  private near = 0.01;
  private followed = new THREE.Vector3();
  private following = -1;

  constructor(canvas: HTMLCanvasElement, onChange: () => void) {
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', onChange);
  }

  get distance(): number { return this.camera.position.distanceTo(this.controls.target); }

  setProjection(projection: Projection): void {
    this.bake();
    this.camera.setParallel(projection === 'orthographic', this.distance);
    this.controls.update();
  }

  /** A parallel view that was zoomed stands as near as another one would have to. */
  private bake(): void {
    const {camera, controls} = this;
    if (!camera.parallel || camera.zoom === 1) return;
    camera.position.sub(controls.target).divideScalar(camera.zoom).add(controls.target);
    camera.setParallel(true, this.distance);
  }

  /** Where the camera is, to be put there again. */
  get place(): number[] {
    const {camera, controls: {target}} = this, zoom = camera.parallel ? camera.zoom : 1;
    const position = camera.position.clone().sub(target).divideScalar(zoom).add(target);
    return [...position.toArray(), ...target.toArray(), this.near, camera.far];
  }
  set place(v: number[]) {
    const {camera, controls} = this;
    camera.position.set(v[0], v[1], v[2]);
    controls.target.set(v[3], v[4], v[5]);
    camera.near = this.near = v[6];
    camera.far = v[7];
    this.changed();
  }

  private changed(): void {
    const {camera} = this;
    if (camera.parallel) camera.setParallel(true, this.distance);
    camera.updateProjectionMatrix();
    this.controls.update();
  }

  /** Looks at everything that moves, or at what is selected. */
  fit(logs: LogScene[], selected: number): void {
    const box = new THREE.Box3(), all = new THREE.Box3(), targets: THREE.Box3[] = [], obstacles: THREE.Box3[] = [];
    for (const {shapes, log, extent} of logs) {
      const pose = selected >= 0 && !shapes.bodies.has(selected) && log.isOfOthers ? log.poses.get(selected) : undefined;
      // Of a frame, a part of what is around it.
      if (pose) box.union(new THREE.Box3().setFromCenterAndSize(new THREE.Vector3(pose[9], pose[10], pose[11]), extent.getSize(new THREE.Vector3()).multiplyScalar(NEAR_FRAMES)));
      else if (!extent.isEmpty()) {
        all.union(extent);
        if (selected < 0) {
          box.union(extent);
          targets.push(extent.clone());
        }
      }
      for (const body of shapes.bodies.values()) {
        if (!body.visible) continue;
        const own = new THREE.Box3().setFromObject(body.object);
        if (own.isEmpty()) continue;
        all.union(own);
        const moves = log.poses.has(body.id), wanted = selected >= 0 ? body.id === selected : moves;
        if (wanted) box.union(own);
        if (!body.asFloor && (wanted || !moves)) (wanted ? targets : obstacles).push(own);
      }
    }
    const target = box.isEmpty() ? all : box;
    if (target.isEmpty()) return;
    if (selected < 0 && !box.isEmpty()) includeMotion(logs, target);
    const focused = selected >= 0 && !box.isEmpty(), size = target.getSize(new THREE.Vector3());
    const center = target.getCenter(new THREE.Vector3()), radius = Math.max(size.length() / 2, 0.05), {camera} = this;
    const shorter = Math.min(1, camera.aspect), half = Math.atan(shorter * Math.tan((camera.fov * Math.PI) / 360));
    const raised = obstaclesUnder(target, obstacles);
    const direction = clearDirection(center, focused ? (CONTEXT * radius) / Math.sin(half) : 2 * radius, targets, obstacles, size, raised);
    const distance = focused ? (CONTEXT * radius) / Math.sin(half) : fittingDistance(size, direction, camera);
    camera.position.copy(center).addScaledVector(direction, distance);
    camera.near = this.near = distance / 500;
    camera.far = Math.max(distance * 50, focused ? camera.far : 0);
    this.controls.target.copy(center);
    this.changed();
  }

  /** Looks at the same place from elsewhere. */
  look(preset: Preset): void {
    this.bake();
    const {distance} = this;
    const direction = preset === 'corner' ? cornerDirection(0) : new THREE.Vector3(...DIRECTIONS[preset]).normalize();
    this.camera.position.copy(this.controls.target).addScaledVector(direction, distance);
    this.changed();
  }

  /** Moves the place that is looked at, and the camera with it. */
  moveTo(point: THREE.Vector3): void {
    this.camera.position.add(point).sub(this.controls.target);
    this.controls.target.copy(point);
    this.controls.update();
  }

  /** Takes part in the motion of a body; `at` is where it is now. */
  follow(id: number, at: THREE.Vector3): void {
    if (id >= 0 && id === this.following && at.distanceTo(this.followed) > 0) {
      this.camera.position.add(at).sub(this.followed);
      this.controls.target.add(at).sub(this.followed);
      this.controls.update();
    }
    this.following = id;
    this.followed.copy(at);
  }

  /** What is near is not cut off, however near one comes. */
  sharpen(): void {
    const {camera} = this, distance = this.distance;
    // Lines of sight that are parallel begin before what is between.
    const near = camera.parallel ? -camera.far : Math.min(this.near, Math.max(distance / 100, camera.far * 1e-6));
    if (Math.abs(near - camera.near) < 1e-3 * Math.abs(near)) return;
    camera.near = near;
    camera.updateProjectionMatrix();
  }
}

/** How far from its middle a camera sees all of a box. */
function fittingDistance(size: THREE.Vector3, toEye: THREE.Vector3, {fov, aspect}: SceneCamera): number {
  const right = new THREE.Vector3(0, 0, 1).cross(toEye).normalize(), top = new THREE.Vector3().crossVectors(toEye, right);
  const down = FILLED * Math.tan((fov * Math.PI) / 360), at = new THREE.Vector3();
  let distance = 0;
  for (let corner = 0; corner < 8; ++corner) {
    at.set(corner & 1 ? size.x : -size.x, corner & 2 ? size.y : -size.y, corner & 4 ? size.z : -size.z).divideScalar(2);
    distance = Math.max(distance, at.dot(toEye) + Math.max(Math.abs(at.dot(right)) / (aspect * down), Math.abs(at.dot(top)) / down));
  }
  return Math.max(distance, 0.05);
}

/** Whether what is looked at stands on something that is not the floor. */
function obstaclesUnder(target: THREE.Box3, obstacles: THREE.Box3[]): boolean {
  const size = target.getSize(new THREE.Vector3());
  return obstacles.some(({min, max}) => max.z > target.min.z + 0.05 * size.z && min.x < target.max.x && max.x > target.min.x &&
      min.y < target.max.y && max.y > target.min.y && max.x - min.x > 0.3 * size.x && max.y - min.y > 0.3 * size.y);
}
