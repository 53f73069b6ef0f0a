// The 3D view: the camera, what is drawn of one or several logs, and what the mouse does there.
import * as THREE from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {meshOf} from './edited_mesh';
import {Handles} from './handles';
import {Hover} from './hover';
import {Events} from '../data/events';
import type {Log} from '../data/log';
import {dots} from './lines_and_dots';
import {LogScene} from './log_scene';
import {Pace} from './pace';
import {MARK} from './palette';
import {PatchDrag} from './patch';
import type {Shown} from './shown';
import {clearDirection, includeMotion} from './viewpoint';

/** What is looked at fills so little of the picture that one sees where it is. */
const CONTEXT = 2.5;

/** Of the body that was hit. */
const idOf = (hit: THREE.Intersection): number => Number(hit.object.userData.id ?? -1);

const CONTEXT_ATTRIBUTES = {alpha: false, depth: true, stencil: false, antialias: true} as const;

/** Where a `View` draws. That the graphics start takes longer than anything else that a page begins with. */
export function makeCanvas(): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.id = 'scene';
  canvas.getContext('webgl2', CONTEXT_ATTRIBUTES);
  return canvas;
}

export interface ViewEvents {
  /** What was clicked; -1: nothing. */
  select: number;
  /** What was clicked twice; -1: nothing. */
  focus: number;
  /** What is under a mouse that rests (-1: nothing), and where it is in the picture. */
  hover: {id: number; x: number; y: number};
  /** A body is pulled: `point` in its frame, `target` in the world. */
  pull: {id: number; point: number[]; target: number[]};
  release: number;
  /** Where surfaces are picked: what was clicked, and the ray there. */
  point: {id: number; origin: number[]; direction: number[]; face: boolean};
  /** Likewise a rectangle that was dragged: what is under its first corner, where the eye is, and the directions to its corners. */
  patch: {id: number; origin: number[]; corners: number[][]};
  /** Drags of a body with the right button: pixels upward from where it began. */
  turnStart: number;
  turn: number;
  turnEnd: undefined;
}

export class View {
  readonly events = new Events<ViewEvents>();
  readonly logs: LogScene[] = [];
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(40, 1, 0.01, 1000);
  private readonly controls: OrbitControls;
  private readonly grid = new THREE.GridHelper(10, 20, 0x888888, 0xbbbbbb);
  private readonly raycaster = new THREE.Raycaster();
  private readonly headlight = new THREE.DirectionalLight(0xffffff, 1.6);
  private readonly spring = new THREE.Line(
      new THREE.BufferGeometry(), new THREE.LineBasicMaterial({color: MARK, depthTest: false, transparent: true}));
  private readonly marks = new THREE.Points(
      new THREE.BufferGeometry(), dots(MARK, 8, true));
  private readonly markLines = new THREE.LineSegments(
      new THREE.BufferGeometry(), new THREE.LineBasicMaterial({color: MARK, depthTest: false, transparent: true}));
  private tints = new Map<number, number>();
  private pull: {id: number; local: THREE.Vector3; plane: THREE.Plane; target: THREE.Vector3; from: number[]; moved: boolean} | null = null;
  /** When dragging a body pulls it. */
  pulls: 'never' | 'with Ctrl' | 'always' = 'never';
  /** Surfaces are picked: a click on a body selects nothing, and a drag that begins there does nothing else. */
  picking = false;
  /** Bodies that a drag with the right button turns; elsewhere it moves the camera. */
  turnable: ReadonlySet<number> = new Set();
  /** What moves is brightened while the mouse passes over it. */
  marksPassed = false;
  /** Of a pose that is shown. */
  readonly handles: Handles;
  private readonly patch: PatchDrag;
  private turn: {from: number} | null = null;
  private mesh: THREE.Mesh | null = null;
  private looking = false;
  private readonly pace: Pace;
  private selected = -1;
  private hovered = -1;
  private plainBackground = true;
  private metersPerNewton = 0.002;
  /** Of the last view that fitted. */
  private near = 0.01;
  /** Whether the last click was somebody else's. */
  private taken = false;

  constructor(readonly canvas: HTMLCanvasElement) {
    const context = canvas.getContext('webgl2', CONTEXT_ATTRIBUTES) as WebGL2RenderingContext | null;
    // Without one the renderer says why.
    this.renderer = new THREE.WebGLRenderer({canvas, ...CONTEXT_ATTRIBUTES, ...(context ? {context} : {})});
    // Asking whether a shader was compiled waits for the graphics.
    this.renderer.debug.checkShaderErrors = false;
    this.pace = new Pace(this.renderer, () => this.render());
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => (this.dirty = true));
    this.grid.rotateX(Math.PI / 2);
    for (const overlay of [this.spring, this.marks, this.markLines]) {
      overlay.frustumCulled = false;
      overlay.visible = false;
      overlay.renderOrder = 4;
      this.scene.add(overlay);
    }
    this.grid.visible = false;
    const sun = new THREE.DirectionalLight(0xffffff, 1.2);
    sun.position.set(2, -3, 5);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8a8a8a, 1.4), sun, this.headlight, this.grid);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const setBackground = () => {
      if (this.plainBackground) this.scene.background = new THREE.Color(dark.matches ? 0x2a323b : 0xdfe6ee);
      this.dirty = true;
    };
    setBackground();
    dark.addEventListener('change', setBackground);
    // Otherwise everything in the scene would be placed anew for each picture.
    this.scene.matrixAutoUpdate = false;
    this.patch = new PatchDrag(canvas);
    this.handles = new Handles(this.camera, canvas, this.scene, () => (this.dirty = true));
    this.listen();
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.resize();
  }

  private listen(): void {
    const {canvas} = this;
    let down: [number, number] | null = null;
    // Before the camera's own controls: who pulls a body does not turn the view.
    canvas.addEventListener('pointerdown', (event) => {
      down = [event.clientX, event.clientY];
      if (event.button === 0 && this.handles.under(...this.screenOf(event))) {
        down = null;
        this.controls.enabled = false;
      } else if (this.beginDrag(event)) {
        canvas.setPointerCapture(event.pointerId);
        this.controls.enabled = false;
        event.stopImmediatePropagation();
      }
    }, {capture: true});
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('pointermove', (event) => {
      this.movePull(event);
      this.patch.move(event);
      if (this.turn) this.events.emit('turn', this.turn.from - event.clientY);
      if (event.buttons === 0) this.hover(event);
    });
    canvas.addEventListener('pointerleave', () => this.mark(-1));
    for (const end of ['pointerup', 'pointercancel'] as const)
      canvas.addEventListener(end, (event) => {
        this.controls.enabled = true;
        if (this.turn) this.events.emit('turnEnd', undefined);
        this.turn = null;
        const patch = end === 'pointerup' && this.patch.active ? this.patch.end(event, this.camera) : null;
        this.patch.cancel();
        if (patch) this.events.emit('patch', patch);
        this.endPull();
      });
    canvas.addEventListener('pointerup', (event) => {
      if (down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 4) this.pick(event);
    });
    canvas.addEventListener('dblclick', (event) => this.focus(event));
    new Hover(canvas, (event) => this.idAt(event), (id, x, y) => this.events.emit('hover', {id, x, y}));
  }

  private set dirty(value: true) { this.pace.dirty = value; }

  private render(): void {
    this.headlight.position.copy(this.camera.position);
    this.sharpen();
    this.camera.updateMatrixWorld();
    for (const log of this.logs) log.shapes.prepare(this.camera);
    this.renderer.render(this.scene, this.camera);
  }

  /** What is near is not cut off, however near one comes. */
  private sharpen(): void {
    const near = Math.min(this.near, Math.max(this.camera.position.distanceTo(this.controls.target) / 100, this.camera.far * 1e-6));
    if (Math.abs(near - this.camera.near) < 1e-3 * near) return;
    this.camera.near = near;
    this.camera.updateProjectionMatrix();
  }

  /** Draws now, and in full, what is otherwise drawn with the next frame. */
  draw(): void { this.pace.drawSharp(); }

  async add(log: Log): Promise<void> {
    const part = new LogScene(log, this.logs.length);
    await part.load();
    this.logs.push(part);
    this.scene.add(part.root);
    if (this.logs.length === 1) {
      const [r, g, b] = log.world.background;
      // Klamp't's default, a strong blue, is no background for reading.
      this.plainBackground = r === 0.4 && g === 0.4 && b === 1;
      if (!this.plainBackground) this.scene.background = new THREE.Color(r, g, b);
      this.scaleForces();
    }
  }

  /** A force of the usual size makes an arrow of 10 cm. */
  scaleForces(): void {
    const contacts = this.logs[0]?.log.series.get('/mortise/contacts');
    const squares = contacts ? contacts.columns[9].reduce(
        (sum, fx, i) => sum + fx * fx + contacts.columns[10][i] ** 2 + contacts.columns[11][i] ** 2, 0) : 0;
    if (contacts && squares > 0) this.metersPerNewton = 0.1 / Math.sqrt(squares / contacts.times.length);
  }

  show(time: number, shown: Shown): void {
    for (const log of this.logs) log.update(time, shown, this.metersPerNewton);
    this.grid.visible = shown.grid;
    this.drawSpring();
    this.dirty = true;
    this.pace.start();
  }

  /** Looks at everything that moves, or at what is selected. */
  fit(): void {
    const box = new THREE.Box3(), all = new THREE.Box3(), targets: THREE.Box3[] = [], obstacles: THREE.Box3[] = [];
    for (const log of this.logs) {
      for (const body of log.shapes.bodies.values()) {
        if (!body.visible) continue;
        const own = new THREE.Box3().setFromObject(body.object);
        if (own.isEmpty()) continue;
        all.union(own);
        const wanted = this.selected >= 0 ? body.id === this.selected : log.log.poses.has(body.id);
        if (wanted) box.union(own);
        if (wanted || !log.log.poses.has(body.id)) (wanted ? targets : obstacles).push(own);
      }
    }
    const target = box.isEmpty() ? all : box;
    if (target.isEmpty()) return;
    if (this.selected < 0 && !box.isEmpty()) includeMotion(this.logs, target);
    const center = target.getCenter(new THREE.Vector3()), radius = Math.max(target.getSize(new THREE.Vector3()).length() / 2, 0.05);
    const context = this.selected >= 0 && !box.isEmpty() ? CONTEXT : 1.05;
    const distance = context * radius / Math.sin((this.camera.fov * Math.PI) / 360) * Math.max(1, 1 / this.camera.aspect);
    this.camera.position.copy(center).addScaledVector(clearDirection(center, distance, targets, obstacles), distance);
    this.camera.near = this.near = distance / 500;
    this.camera.far = Math.max(distance * 50, this.selected >= 0 ? this.camera.far : 0);
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(center);
    this.controls.update();
    this.dirty = true;
  }

  /** Turns about the point that was clicked twice, and comes nearer to what moves there. */
  private focus(event: MouseEvent): void {
    if (this.taken) return;
    const hit = this.hitAt(event as PointerEvent);
    const id = hit ? idOf(hit) : -1;
    if (hit && !this.logs[0].log.poses.has(id)) {
      this.camera.position.add(hit.point).sub(this.controls.target);
      this.controls.target.copy(hit.point);
      this.controls.update();
      this.dirty = true;
      return;
    }
    this.events.emit('focus', id);
  }

  /** Shows or hides what moves in a log; terrains are the first log's, and of all. */
  setLogVisible(index: number, visible: boolean, hidden: Set<number>): void {
    const part = this.logs[index];
    part.visible = visible;
    for (const id of part.log.poses.keys()) part.shapes.setVisible(id, visible && !hidden.has(id));
    this.dirty = true;
  }

  setVisible(id: number, visible: boolean): void {
    for (const log of this.logs) log.shapes.setVisible(id, visible && (log.visible || !log.log.poses.has(id)));
    this.dirty = true;
  }

  select(id: number): void {
    this.selected = id;
    this.shine();
  }

  /** Brightened a little, as what the mouse would take. */
  private mark(id: number): void {
    if (this.hovered === id) return;
    this.hovered = id;
    this.shine();
  }

  /** Colors of bodies that stand out, by id. */
  setTints(tints: Map<number, number>): void {
    this.tints = tints;
    this.shine();
  }

  private shine(): void {
    for (const log of this.logs)
      log.shapes.setTints((id) => this.tints.get(id) ?? (id === this.selected ? 0x556600 : id === this.hovered ? 0x333300 : 0));
    this.dirty = true;
  }

  /** Points, and lines between each two, in the world. */
  setMarks(points: number[][], lines: number[][]): void {
    const vectors = (list: number[][]) => list.map(([x, y, z]) => new THREE.Vector3(x, y, z));
    this.marks.visible = points.length > 0;
    this.markLines.visible = lines.length > 0;
    this.marks.geometry.dispose();
    this.marks.geometry = new THREE.BufferGeometry().setFromPoints(vectors(points));
    this.markLines.geometry.dispose();
    this.markLines.geometry = new THREE.BufferGeometry().setFromPoints(vectors(lines));
    this.dirty = true;
  }

  /** Configurations of a robot of the first log that are drawn faintly beside it; none: no longer. */
  setGhosts(robot: number, configurations: number[][]): void {
    const {ghosts} = this.logs[0];
    ghosts.hide();
    if (configurations.length > 0) ghosts.show(robot, configurations);
    this.dirty = true;
  }

  /** Triangles beside the world, in the frame of a body or, where it is none, of the world; without any, none. */
  setMesh(points: number[], triangles: number[], id = -1): void {
    if (this.mesh) {
      this.scene.remove(this.mesh);
      this.mesh.geometry.dispose();
      this.mesh = null;
    }
    if (triangles.length > 0) {
      this.mesh = meshOf(points, triangles);
      const body = this.logs[0].shapes.bodies.get(id);
      if (body) this.mesh.applyMatrix4(body.object.matrix);
      this.scene.add(this.mesh);
    }
    this.dirty = true;
  }

  /** Draws an object of somebody else's besides. What is returned tells the view that it changed, and what looks at it. */
  attach(object: THREE.Object3D): {changed: () => void; camera: () => THREE.Camera} {
    this.scene.add(object);
    return {changed: () => (this.dirty = true), camera: () => this.camera};
  }

  toggleTrail(id: number): void {
    for (const log of this.logs) log.trail(id);
    this.dirty = true;
  }

  /** Where the camera is, to be put there again. */
  get camera3d(): number[] { return [...this.camera.position.toArray(), ...this.controls.target.toArray(), this.near, this.camera.far]; }
  set camera3d(v: number[]) {
    this.camera.position.set(v[0], v[1], v[2]);
    this.controls.target.set(v[3], v[4], v[5]);
    this.camera.near = this.near = v[6];
    this.camera.far = v[7];
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.dirty = true;
  }

  /** The picture as a PNG. */
  picture(): string {
    this.draw();
    return this.canvas.toDataURL('image/png');
  }

  /** A drag that is not the camera's. */
  private beginDrag(event: PointerEvent): boolean {
    if (event.button === 2 && this.turnable.size > 0) {
      const id = this.idAt(event);
      if (!this.turnable.has(id)) return false;
      this.turn = {from: event.clientY};
      this.events.emit('turnStart', id);
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
    const hit = this.hitAt(event);
    const body = hit && this.logs[0].shapes.bodies.get(idOf(hit));
    if (!body || !this.logs[0].log.poses.has(body.id)) return false;
    const inverse = new THREE.Matrix4().copy(body.object.matrix).invert();
    const normal = this.camera.getWorldDirection(new THREE.Vector3());
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
    this.aim(event);
    if (!this.raycaster.ray.intersectPlane(this.pull.plane, this.pull.target)) return;
    // A click that selects does not move anything.
    if (!this.pull.moved && Math.hypot(event.clientX - this.pull.from[0], event.clientY - this.pull.from[1]) < 4) return;
    this.pull.moved = true;
    this.events.emit('pull', {id: this.pull.id, point: this.pull.local.toArray(), target: this.pull.target.toArray()});
    this.drawSpring();
  }

  private endPull(): void {
    if (!this.pull) return;
    if (this.pull.moved) this.events.emit('release', this.pull.id);
    this.pull = null;
    this.drawSpring();
  }

  private drawSpring(): void {
    this.spring.visible = this.pull !== null;
    this.dirty = true;
    const body = this.pull && this.logs[0].shapes.bodies.get(this.pull.id);
    if (!this.pull || !body) return;
    this.spring.geometry.setFromPoints([this.pull.local.clone().applyMatrix4(body.object.matrix), this.pull.target]);
  }

  private screenOf(event: PointerEvent): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2];
  }

  private aim(event: PointerEvent): void {
    this.raycaster.setFromCamera(new THREE.Vector2(...this.screenOf(event)), this.camera);
  }

  private hitAt(event: PointerEvent): THREE.Intersection | undefined {
    this.aim(event);
    return this.raycaster.intersectObjects(this.logs.flatMap((log) => log.shapes.solid()), true)[0];
  }

  /** Of the body under the mouse; -1: none. */
  private idAt(event: PointerEvent): number {
    const hit = this.hitAt(event);
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
        this.mark(this.logs[0]?.log.poses.has(id) ? id : -1);
      }
      setTimeout(() => (this.looking = false), Math.max(30, 20 * (performance.now() - from)));
    });
  }

  private pick(event: PointerEvent): void {
    const id = this.idAt(event), {origin, direction} = this.raycaster.ray;
    this.taken = event.button === 0 && this.picking && id >= 0;
    if (this.taken) this.events.emit('point', {id, origin: origin.toArray(), direction: direction.toArray(), face: event.shiftKey});
    else this.events.emit('select', id);
  }

  /** Takes the size that the canvas's place has now. */
  resize(): void {
    const parent = this.canvas.parentElement!;
    const width = Math.max(parent.clientWidth, 1), height = Math.max(parent.clientHeight, 1);
    const size = this.renderer.getSize(new THREE.Vector2());
    if (size.x === width && size.y === height) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.dirty = true;
  }
}
