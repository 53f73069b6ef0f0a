// A rectangle that is dragged over the scene.
import * as THREE from 'three';
import type {SceneCamera} from '../camera/scene_camera';

/** Of what a camera sees at most. */
const FAR = 10;

/** Directions to its corners, from the camera; where they all are as far in front of it, a plane's part is a plane's part. */
export class PatchDrag {
  private readonly frame = document.createElement('div');
  private from: [number, number] | null = null;
  private id = -1;

  constructor(private readonly canvas: HTMLElement) {
    this.frame.className = 'patch';
    this.frame.hidden = true;
    canvas.parentElement!.append(this.frame);
  }

  get active(): boolean { return this.from !== null; }

  begin(event: PointerEvent, id: number): void {
    this.from = [event.clientX, event.clientY];
    this.id = id;
  }

  move(event: PointerEvent): void {
    if (!this.from) return;
    const box = this.canvas.getBoundingClientRect(), [x, y] = this.from;
    this.frame.hidden = false;
    Object.assign(this.frame.style, {
      left: `${Math.min(x, event.clientX) - box.left}px`, top: `${Math.min(y, event.clientY) - box.top}px`,
      width: `${Math.abs(event.clientX - x)}px`, height: `${Math.abs(event.clientY - y)}px`,
    });
  }

  /** What is under its first corner, and the directions; null for a click. */
  end(event: PointerEvent, camera: SceneCamera): {id: number; origin: number[]; corners: number[][]} | null {
    const from = this.from;
    this.cancel();
    if (!from || Math.min(Math.abs(event.clientX - from[0]), Math.abs(event.clientY - from[1])) < 4) return null;
    const box = this.canvas.getBoundingClientRect(), eye = camera.getWorldPosition(new THREE.Vector3());
    // Where lines of sight are parallel, they are nearly so from far enough away.
    if (camera.parallel) eye.addScaledVector(camera.getWorldDirection(new THREE.Vector3()), -FAR * camera.far);
    const direction = (x: number, y: number) =>
      new THREE.Vector3(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2, 0.5).unproject(camera).sub(eye);
    const corners = [[from[0], from[1]], [event.clientX, from[1]], [event.clientX, event.clientY], [from[0], event.clientY]].map(([x, y]) => direction(x, y));
    const scale = 1 / corners[0].length();
    return {id: this.id, origin: eye.toArray(), corners: corners.map((c) => c.multiplyScalar(scale).toArray())};
  }

  cancel(): void {
    this.from = null;
    this.frame.hidden = true;
  }
}
