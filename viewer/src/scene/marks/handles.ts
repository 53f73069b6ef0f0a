// Handles for a pose: arrows that move it and rings that turn it.
import * as THREE from 'three';
import {Events} from '../../data/events';
import {TransformControls} from 'three/examples/jsm/controls/TransformControls.js';

export type HandleMode = 'move' | 'turn';

/** A pose by rows of its rotation and its position, as a matrix. */
function matrixOf(T: ArrayLike<number>): THREE.Matrix4 {
  return new THREE.Matrix4().set(T[0], T[1], T[2], T[9], T[3], T[4], T[5], T[10], T[6], T[7], T[8], T[11], 0, 0, 0, 1);
}

function rowsOf(object: THREE.Object3D): number[] {
  const e = new THREE.Matrix4().makeRotationFromQuaternion(object.quaternion).elements;
  return [e[0], e[4], e[8], e[1], e[5], e[9], e[2], e[6], e[10], ...object.position.toArray()];
}

export class Handles {
  /** The pose while it is dragged, and the end of that. */
  readonly events = new Events<{move: number[]; end: undefined}>();
  private readonly target = new THREE.Object3D();
  /** Made when they are first wanted. */
  private controls: TransformControls | null = null;

  constructor(
      private readonly camera: THREE.Camera, private readonly canvas: HTMLElement, private readonly scene: THREE.Scene,
      private readonly onChange: () => void) {}

  /** At a pose; of what stays in a plane only what keeps it there. Null: none. */
  show(T: ArrayLike<number> | null, mode: HandleMode = 'move', planar = false): void {
    if (!T) {
      if (!this.controls?.object) return;
      this.controls.detach();
      this.onChange();
      return;
    }
    const controls = this.controls ?? this.make();
    controls.setMode(mode === 'move' ? 'translate' : 'rotate');
    // Directions of the world move things, own axes turn them.
    controls.setSpace(mode === 'move' || planar ? 'world' : 'local');
    const turning = mode === 'turn';
    controls.showX = controls.showY = !planar || !turning;
    controls.showZ = !planar || turning;
    if (!controls.dragging) matrixOf(T).decompose(this.target.position, this.target.quaternion, this.target.scale);
    if (!controls.object) controls.attach(this.target);
    this.onChange();
  }

  /** Whether the mouse is on one of them. */
  under(x: number, y: number): boolean {
    if (!this.controls?.object) return false;
    this.controls.pointerHover({x, y, button: 0} as unknown as PointerEvent);
    return this.controls.axis !== null;
  }

  get dragging(): boolean { return this.controls?.dragging ?? false; }

  private make(): TransformControls {
    const controls = new TransformControls(this.camera, this.canvas);
    controls.size = 0.8;
    controls.addEventListener('change', () => this.onChange());
    controls.addEventListener('objectChange', () => this.events.emit('move', rowsOf(this.target)));
    controls.addEventListener('mouseUp', () => this.events.emit('end', undefined));
    this.scene.add(this.target, controls.getHelper());
    this.controls = controls;
    return controls;
  }
}
