// The 3D view: shapes of one or several logs where they are, contacts, frames, centers of mass.
import * as THREE from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {BodyMarks} from './body_marks';
import {RobotGhosts, showCommanded} from './ghosts';
import type {Log} from './log';
import {Pace} from './pace';
import {Arrows, SensorScene, dots, overlayScene, paddedShape} from './scene_extras';
import {Shapes, kTints, setMatrix} from './shapes';
import {clearDirection} from './viewpoint';

/** What is shown besides the shapes. */
export interface Shown {
  contacts: boolean;
  frames: boolean;
  masses: boolean;
  wireframe: boolean;
  grid: boolean;
  trails: boolean;
  sensors: boolean;
  padding: boolean;
  inertias: boolean;
  plans: boolean;
  commanded: boolean;
}

/** What is drawn of one log. */
class LogScene {
  readonly root = new THREE.Group();
  readonly shapes: Shapes;
  private readonly arrows = new Arrows(0x21a045);
  private readonly points = new THREE.Points(
      new THREE.BufferGeometry(), dots(0x21a045, 6, true));
  private readonly marks: BodyMarks;
  private readonly trails = new THREE.Group();
  private readonly padded = new THREE.Group();
  private readonly plans: THREE.Group;
  private readonly sensors: SensorScene;
  private readonly commanded: RobotGhosts;
  /** Of a path, say. */
  readonly ghosts: RobotGhosts;

  constructor(readonly log: Log, readonly index: number) {
    this.shapes = new Shapes(log, index);
    this.marks = new BodyMarks(log);
    this.sensors = new SensorScene(log);
    this.commanded = new RobotGhosts(log, this.shapes, 0x21a045, 0.35);
    this.ghosts = new RobotGhosts(log, this.shapes, 0x1f77b4, 0.15);
    this.plans = overlayScene(log.overlays);
    this.root.matrixAutoUpdate = false;
    this.root.add(this.shapes.root, this.arrows.mesh, this.points, this.marks.root, this.trails, this.padded, this.plans, this.sensors.root,
      this.commanded.root, this.ghosts.root);
    this.points.frustumCulled = false;
    this.points.renderOrder = 2;
  }

  async load(): Promise<void> { await this.shapes.load(); }

  /** Made when they are first wanted. */
  private makePadded(): void {
    for (const entity of this.log.world.entities) {
      const body = this.shapes.bodies.get(entity.id);
      if (!body || !(entity.padding! > 0)) continue;
      const shape = paddedShape(body.object, entity.padding!);
      shape.matrix.copy(body.object.matrix);
      shape.userData.id = entity.id;
      this.padded.add(shape);
    }
  }

  update(time: number, shown: Shown, metersPerNewton: number): void {
    this.log.show(time);
    this.shapes.place();
    this.shapes.setWireframe(shown.wireframe);
    this.marks.update(shown);
    if (shown.contacts) this.updateContacts(time, metersPerNewton);
    // What is empty needs no shader.
    this.arrows.mesh.visible = shown.contacts && this.arrows.mesh.count > 0;
    this.points.visible = shown.contacts && this.points.geometry.drawRange.count > 0;
    this.trails.visible = shown.trails;
    this.plans.visible = shown.plans;
    if (shown.padding && this.padded.children.length === 0) this.makePadded();
    this.padded.visible = shown.padding;
    if (shown.padding)
      for (const shape of this.padded.children) {
        const pose = this.log.poses.get(shape.userData.id);
        if (!pose) continue;
        setMatrix(shape.matrix, pose);
        shape.matrixWorldNeedsUpdate = true;
      }
    this.commanded.root.visible = shown.commanded;
    if (shown.commanded) showCommanded(this.log, time, this.commanded);
    this.sensors.root.visible = shown.sensors;
    if (shown.sensors) this.sensors.update(time);
  }

  private updateContacts(time: number, scale: number): void {
    const contacts = this.log.contactsAt(time);
    let points = this.points.geometry.getAttribute('position') as THREE.BufferAttribute | undefined;
    if (!points || points.count < contacts.length) {
      points = new THREE.BufferAttribute(new Float32Array(3 * Math.max(64, 2 * contacts.length)), 3).setUsage(THREE.DynamicDrawUsage);
      this.points.geometry.dispose();
      this.points.geometry = new THREE.BufferGeometry().setAttribute('position', points);
    }
    this.points.geometry.setDrawRange(0, contacts.length);
    points.needsUpdate = contacts.length > 0;
    this.arrows.clear(contacts.length);
    contacts.forEach(({a, point: [x, y, z], force: [fx, fy, fz]}, i) => {
      // The force on what can move: a terrain's is drawn as what it answers.
      const sign = this.log.poses.has(a) ? scale : -scale;
      points.setXYZ(i, x, y, z);
      this.arrows.add(x, y, z, sign * fx, sign * fy, sign * fz);
    });
  }

  /** Sum of the forces shown, N, on entity `id`. */
  forceOn(time: number, id: number): number[] {
    const sum = [0, 0, 0];
    for (const contact of this.log.contactsAt(time))
      for (let k = 0; k < 3; ++k) sum[k] += contact.a === id ? contact.force[k] : contact.b === id ? -contact.force[k] : 0;
    return sum;
  }

  /** The path of an entity's origin through the whole log, or none if it is shown. */
  trail(id: number): void {
    const old = this.trails.children.find((child) => child.userData.id === id);
    if (old) {
      this.trails.remove(old);
      return;
    }
    const times = this.log.state.times, step = Math.max(1, Math.floor(times.length / 2000));
    const points: number[] = [];
    for (let i = 0; i < times.length; i += step) {
      this.log.show(times[i]);
      const pose = this.log.poses.get(id);
      if (pose) points.push(pose[9], pose[10], pose[11]);
    }
    const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
    const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({color: this.index === 0 ? 0x1f77b4 : kTints[this.index % kTints.length]}));
    line.userData.id = id;
    this.trails.add(line);
  }
}

export class View {
  readonly logs: LogScene[] = [];
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(40, 1, 0.01, 1000);
  private readonly controls: OrbitControls;
  private readonly grid = new THREE.GridHelper(10, 20, 0x888888, 0xbbbbbb);
  private readonly raycaster = new THREE.Raycaster();
  private readonly headlight = new THREE.DirectionalLight(0xffffff, 1.6);
  private readonly spring = new THREE.Line(
      new THREE.BufferGeometry(), new THREE.LineBasicMaterial({color: 0xd6007f, depthTest: false, transparent: true}));
  private readonly marks = new THREE.Points(
      new THREE.BufferGeometry(), dots(0xd6007f, 8, true));
  private readonly markLines = new THREE.LineSegments(
      new THREE.BufferGeometry(), new THREE.LineBasicMaterial({color: 0xd6007f, depthTest: false, transparent: true}));
  private tints = new Map<number, number>();
  private pull: {id: number; local: THREE.Vector3; plane: THREE.Plane; target: THREE.Vector3; from: number[]; moved: boolean} | null = null;
  /** Whether dragging a body pulls it; with Ctrl it always does, where `onPull` is set. */
  pulling = false;
  /** `point` in the body's frame, `target` in the world; null at the end. */
  onPull: ((id: number, point: number[], target: number[] | null) => void) | null = null;
  /** Of a click: what is under the mouse (-1: nothing), and the ray there. Where it returns true, the click selects nothing. */
  onPoint: ((id: number, origin: number[], direction: number[], event: PointerEvent) => boolean) | null = null;
  private readonly pace: Pace;
  private selected = -1;
  private metersPerNewton = 0.002;

  constructor(readonly canvas: HTMLCanvasElement, readonly onSelect: (id: number) => void) {
    this.renderer = new THREE.WebGLRenderer({canvas, antialias: true});
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
    this.scene.background = new THREE.Color(0xdfe6ee);
    // Otherwise everything in the scene would be placed anew for each picture.
    this.scene.matrixAutoUpdate = false;
    let down: [number, number] | null = null;
    // Before the camera's own controls: who pulls a body does not turn the view.
    canvas.addEventListener('pointerdown', (event) => {
      down = [event.clientX, event.clientY];
      if (event.button === 0 && (this.pulling || event.ctrlKey) && this.beginPull(event)) {
        canvas.setPointerCapture(event.pointerId);
        this.controls.enabled = false;
        event.stopImmediatePropagation();
      }
    }, {capture: true});
    canvas.addEventListener('pointermove', (event) => this.movePull(event));
    for (const end of ['pointerup', 'pointercancel'] as const)
      canvas.addEventListener(end, () => {
        this.controls.enabled = true;
        this.endPull();
      });
    canvas.addEventListener('pointerup', (event) => {
      if (down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 4) this.pick(event);
    });
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.resize();
  }

  private set dirty(value: true) { this.pace.dirty = value; }

  private render(): void {
    this.headlight.position.copy(this.camera.position);
    this.camera.updateMatrixWorld();
    for (const log of this.logs) log.shapes.prepare(this.camera);
    this.renderer.render(this.scene, this.camera);
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
      if (!(r === 0.4 && g === 0.4 && b === 1)) this.scene.background = new THREE.Color(r, g, b);
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
    const center = target.getCenter(new THREE.Vector3()), radius = Math.max(target.getSize(new THREE.Vector3()).length() / 2, 0.05);
    const distance = 1.05 * radius / Math.sin((this.camera.fov * Math.PI) / 360) * Math.max(1, 1 / this.camera.aspect);
    this.camera.position.copy(center).addScaledVector(clearDirection(center, distance, targets, obstacles), distance);
    this.camera.near = distance / 500;
    this.camera.far = distance * 50;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(center);
    this.controls.update();
    this.dirty = true;
  }

  setVisible(id: number, visible: boolean): void {
    for (const log of this.logs) log.shapes.setVisible(id, visible);
    this.dirty = true;
  }

  select(id: number): void {
    this.selected = id;
    this.shine();
  }

  /** Colors of bodies that stand out, by id. */
  setTints(tints: Map<number, number>): void {
    this.tints = tints;
    this.shine();
  }

  private shine(): void {
    for (const log of this.logs) log.shapes.setTints((id) => this.tints.get(id) ?? (id === this.selected ? 0x556600 : 0));
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

  toggleTrail(id: number): void {
    for (const log of this.logs) log.trail(id);
    this.dirty = true;
  }

  /** Where the camera is, to be put there again. */
  get camera3d(): number[] { return [...this.camera.position.toArray(), ...this.controls.target.toArray(), this.camera.near, this.camera.far]; }
  set camera3d(v: number[]) {
    this.camera.position.set(v[0], v[1], v[2]);
    this.controls.target.set(v[3], v[4], v[5]);
    this.camera.near = v[6];
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

  /** For tests: where the middle of a body is in the window. */
  screenPosition(id: number): number[] {
    const body = this.logs[0].shapes.bodies.get(id)!;
    this.camera.updateMatrixWorld();
    const at = body.center.clone().applyMatrix4(body.object.matrix).project(this.camera);
    const box = this.canvas.getBoundingClientRect();
    return [box.left + (0.5 + at.x / 2) * box.width, box.top + (0.5 - at.y / 2) * box.height];
  }

  /** For tests: whether what is shown is what there is to be shown. */
  get settled(): boolean { return this.pace.settled; }

  /** For tests: what was drawn last. */
  get statistics() { return {...this.renderer.info.render, textures: this.renderer.info.memory.textures}; }

  private beginPull(event: PointerEvent): boolean {
    if (!this.onPull) return false;
    const hit = this.hitAt(event);
    const body = hit && this.logs[0].shapes.bodies.get(hit.object.userData.id);
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
    this.onPull!(this.pull.id, this.pull.local.toArray(), this.pull.target.toArray());
    this.drawSpring();
  }

  private endPull(): void {
    if (!this.pull) return;
    if (this.pull.moved) this.onPull!(this.pull.id, [], null);
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

  private aim(event: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    const at = new THREE.Vector2(
        ((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    this.raycaster.setFromCamera(at, this.camera);
  }

  private hitAt(event: PointerEvent): THREE.Intersection | undefined {
    this.aim(event);
    return this.raycaster.intersectObjects(this.logs.flatMap((log) => log.shapes.solid()), true)[0];
  }

  private pick(event: PointerEvent): void {
    const id: number = this.hitAt(event)?.object.userData.id ?? -1, {origin, direction} = this.raycaster.ray;
    if (event.button === 0 && this.onPoint?.(id, origin.toArray(), direction.toArray(), event)) return;
    this.onSelect(id);
  }

  private resize(): void {
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
