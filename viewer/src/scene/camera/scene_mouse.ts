// What the mouse does in the scene: it selects, pulls and turns bodies, and picks surfaces; everything else is the camera's.
import * as THREE from 'three';
import type {Events} from '../../data/events';
import type {CameraRig} from './camera_rig';
import type {Handles} from '../marks/handles';
import {Hover} from './hover';
import type {LogScene} from '../log_scene';
import {MARK} from '../palette';
import {PatchDrag} from '../shapes/patch';
import type {ViewEvents} from './view_events';
import {WideLines} from '../marks/wide_lines';

/** Of the body that was hit. */
export const idOf = (hit: THREE.Intersection): number => Number(hit.object.userData.id ?? -1);

/** A press that moves less is a click, pixels. */
const CLICK = 4;

export interface MouseScene {
  readonly canvas: HTMLCanvasElement;
  readonly rig: CameraRig;
  readonly handles: Handles;
  readonly events: Events<ViewEvents>;
  readonly logs: LogScene[];
  /** What is beyond is not there, as sections have it. */
  readonly planes: readonly THREE.Plane[];
  /** Something is drawn otherwise. */
  changed(): void;
  /** Brightens what the mouse would take; -1: nothing. */
  mark(id: number): void;
}

export class SceneMouse {
  /** When dragging a body pulls it. */
  pulls: 'never' | 'with Ctrl' | 'always' = 'never';
  /** Surfaces are picked: a click on a body selects nothing, and a drag that begins there does nothing else. */
  picking = false;
  /** Bodies that a drag with the right button turns; elsewhere it moves the camera. */
  turnable: ReadonlySet<number> = new Set();
  /** What moves is brightened while the mouse passes over it. */
  marksPassed = false;
  readonly spring = new WideLines(MARK, {above: true});
  private readonly raycaster = new THREE.Raycaster();
  private readonly patch: PatchDrag;
  private pull: {id: number; local: THREE.Vector3; plane: THREE.Plane; target: THREE.Vector3; from: number[]; moved: boolean} | null = null;
  private turn: {from: number} | null = null;
  private looking = false;
  /** Whether the last click was somebody else's. */
  private taken = false;

  constructor(private readonly scene: MouseScene) {
    this.patch = new PatchDrag(scene.canvas);
    this.spring.lines.renderOrder = 4;
    this.listen();
  }

  private listen(): void {
    const {canvas, handles, events, rig: {controls, camera}} = this.scene;
    let down: [number, number] | null = null;
    // Before the camera's own controls: who pulls a body does not turn the view.
    canvas.addEventListener('pointerdown', (event) => {
      down = [event.clientX, event.clientY];
      if (event.button === 0 && handles.under(...this.screenOf(event))) {
        down = null;
        controls.enabled = false;
      } else if (this.beginDrag(event)) {
        canvas.setPointerCapture(event.pointerId);
        controls.enabled = false;
        event.stopImmediatePropagation();
      }
    }, {capture: true});
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('pointermove', (event) => {
      this.movePull(event);
      this.patch.move(event);
      if (this.turn) events.emit('turn', this.turn.from - event.clientY);
      if (event.buttons === 0) this.hover(event);
    });
    canvas.addEventListener('pointerleave', () => this.scene.mark(-1));
    for (const end of ['pointerup', 'pointercancel'] as const)
      canvas.addEventListener(end, (event) => {
        controls.enabled = true;
        if (this.turn) events.emit('turnEnd', undefined);
        this.turn = null;
        const patch = end === 'pointerup' && this.patch.active ? this.patch.end(event, camera) : null;
        this.patch.cancel();
        if (patch) events.emit('patch', patch);
        this.endPull();
      });
    canvas.addEventListener('pointerup', (event) => {
      if (down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < CLICK) this.pick(event);
    });
    canvas.addEventListener('dblclick', (event) => this.focus(event));
    new Hover(canvas, (event) => this.idAt(event), (id, x, y) => events.emit('hover', {id, x, y}));
  }

  private movesAt(id: number): boolean { return this.scene.logs[0]?.log.poses.has(id) ?? false; }

  /** A drag that is not the camera's. */
  private beginDrag(event: PointerEvent): boolean {
    if (event.button === 2 && this.turnable.size > 0) {
      const id = this.idAt(event);
      if (!this.turnable.has(id)) return false;
      this.turn = {from: event.clientY};
      this.scene.events.emit('turnStart', id);
      return true;
    }
    if (event.button !== 0) return false;
    if (this.picking) {
      const id = this.idAt(event);
      if (id >= 0) this.patch.begin(event, id);
      return id >= 0;
    }
    return (this.pulls === 'always' || (this.pulls === 'with Ctrl' && event.ctrlKey)) && this.beginPull(event);
  }

  private beginPull(event: PointerEvent): boolean {
    const hit = this.hitAt(event.clientX, event.clientY), {rig: {camera}, logs} = this.scene;
    const body = hit && logs[0].shapes.bodies.get(idOf(hit));
    if (!body || !this.movesAt(body.id)) return false;
    const inverse = new THREE.Matrix4().copy(body.object.matrix).invert();
    const normal = camera.getWorldDirection(new THREE.Vector3());
    this.pull = {
      id: body.id, local: hit.point.clone().applyMatrix4(inverse),
      plane: new THREE.Plane().setFromNormalAndCoplanarPoint(normal, hit.point), target: hit.point.clone(),
      from: [event.clientX, event.clientY], moved: false,
    };
    this.drawSpring();
    return true;
  }

  private movePull(event: PointerEvent): void {
    if (!this.pull) return;
    this.aim(event.clientX, event.clientY);
    if (!this.raycaster.ray.intersectPlane(this.pull.plane, this.pull.target)) return;
    // A click that selects does not move anything.
    if (!this.pull.moved && Math.hypot(event.clientX - this.pull.from[0], event.clientY - this.pull.from[1]) < CLICK) return;
    this.pull.moved = true;
    this.scene.events.emit('pull', {id: this.pull.id, point: this.pull.local.toArray(), target: this.pull.target.toArray()});
    this.drawSpring();
  }

  private endPull(): void {
    if (!this.pull) return;
    if (this.pull.moved) this.scene.events.emit('release', this.pull.id);
    this.pull = null;
    this.drawSpring();
  }

  /** From where a body is held to the mouse. */
  drawSpring(): void {
    const body = this.pull && this.scene.logs[0].shapes.bodies.get(this.pull.id);
    if (!this.pull || !body) {
      if (!this.spring.lines.visible) return;
      this.spring.set([]);
    } else {
      this.spring.set([...this.pull.local.clone().applyMatrix4(body.object.matrix).toArray(), ...this.pull.target.toArray()]);
    }
    this.scene.changed();
  }

  private screenOf({clientX, clientY}: {clientX: number; clientY: number}): [number, number] {
    const box = this.scene.canvas.getBoundingClientRect();
    return [((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2];
  }

  private aim(clientX: number, clientY: number): void {
    const {camera} = this.scene.rig, {ray} = this.raycaster;
    this.raycaster.setFromCamera(new THREE.Vector2(...this.screenOf({clientX, clientY})), camera);
    // Parallel lines of sight begin before everything.
    if (camera.parallel) ray.origin.addScaledVector(ray.direction, -camera.far);
  }

  /** The nearest point of what is seen under a place of the window. */
  hitAt(clientX: number, clientY: number): THREE.Intersection | undefined {
    this.aim(clientX, clientY);
    const {logs, planes} = this.scene;
    return this.raycaster.intersectObjects(logs.flatMap((log) => log.shapes.solid()), true)
        .find(({object, point}) => object.visible && planes.every((plane) => plane.distanceToPoint(point) >= 0));
  }

  /** Of the body under the mouse; -1: none. */
  private idAt(event: PointerEvent): number {
    const hit = this.hitAt(event.clientX, event.clientY);
    return hit ? idOf(hit) : -1;
  }

  /** Once a frame, and less often where looking takes long. */
  private hover(event: PointerEvent): void {
    if (!this.marksPassed || this.looking) return;
    this.looking = true;
    requestAnimationFrame(() => {
      const from = performance.now();
      if (event.buttons === 0) {
        const id = this.idAt(event);
        this.scene.mark(this.movesAt(id) ? id : -1);
      }
      setTimeout(() => (this.looking = false), Math.max(30, 20 * (performance.now() - from)));
    });
  }

  private pick(event: PointerEvent): void {
    const id = this.idAt(event), {origin, direction} = this.raycaster.ray;
    this.taken = event.button === 0 && this.picking && id >= 0;
    if (this.taken) this.scene.events.emit('point', {id, origin: origin.toArray(), direction: direction.toArray(), face: event.shiftKey});
    else this.scene.events.emit('select', id);
  }

  /** Turns about the point that was clicked twice, and comes nearer to what moves there. */
  private focus(event: MouseEvent): void {
    if (this.taken) return;
    const hit = this.hitAt(event.clientX, event.clientY), id = hit ? idOf(hit) : -1;
    if (hit && !this.movesAt(id)) this.scene.rig.moveTo(hit.point);
    else this.scene.events.emit('focus', id);
  }
}
