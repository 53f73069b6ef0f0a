// The 3D view: shapes of one or several logs where they are, contacts, frames, centers of mass.
import * as THREE from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {GLTFLoader} from 'three/examples/jsm/loaders/GLTFLoader.js';
import type {InertiaBox, Log} from './log';
import {Pace} from './pace';
import {Arrows, SensorScene, dots, inertiaBox, overlayScene, paddedShape} from './scene_extras';
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
}

const kTints = [0x000000, 0xff7f0e, 0x2ca02c, 0xd62728, 0x9467bd];

interface Body {
  id: number;
  object: THREE.Object3D;
  materials: THREE.MeshLambertMaterial[];
  center: THREE.Vector3;
}

/** The shapes of one log. */
class LogScene {
  readonly root = new THREE.Group();
  readonly bodies = new Map<number, Body>();
  private readonly arrows = new Arrows(0x21a045);
  private readonly points = new THREE.Points(
      new THREE.BufferGeometry(), dots(0x21a045, 6, true));
  private readonly frames = new THREE.Group();
  private readonly masses = new THREE.Group();
  private readonly trails = new THREE.Group();
  private readonly inertias = new THREE.Group();
  private readonly padded = new THREE.Group();
  private readonly plans: THREE.Group;
  private readonly sensors: SensorScene;

  constructor(readonly log: Log, readonly index: number) {
    this.sensors = new SensorScene(log);
    this.plans = overlayScene(log.overlays);
    this.root.add(this.arrows.mesh, this.points, this.frames, this.masses, this.trails, this.inertias, this.padded, this.plans, this.sensors.root);
    this.points.frustumCulled = false;
    this.points.renderOrder = 2;
  }

  async load(): Promise<void> {
    const glb = this.log.attachments.get('scene.glb')!;
    const gltf = await new GLTFLoader().parseAsync(glb.slice().buffer as ArrayBuffer, '');
    for (const node of [...gltf.scene.children]) {
      const id = node.userData.id as number;
      const materials: THREE.MeshLambertMaterial[] = [];
      node.traverse((part) => {
        if (!(part instanceof THREE.Mesh)) return;
        // Without lights from all around, a physical material looks the same and costs much more.
        const given = part.material as THREE.MeshStandardMaterial;
        const material = new THREE.MeshLambertMaterial({
          color: given.color, map: given.map, vertexColors: given.vertexColors, side: given.side, transparent: given.transparent,
          opacity: given.opacity, depthWrite: given.depthWrite, alphaTest: given.alphaTest, flatShading: true,
        });
        if (this.index > 0) {
          material.color.lerp(new THREE.Color(kTints[this.index % kTints.length]), 0.6);
          material.transparent = true;
          material.opacity = 0.55;
          // Where two runs agree, their surfaces would fight for the pixels.
          material.polygonOffset = true;
          material.polygonOffsetFactor = material.polygonOffsetUnits = -this.index;
        }
        part.material = material;
        part.userData.id = id;
        materials.push(material);
      });
      const box = new THREE.Box3().setFromObject(node);
      const center = box.isEmpty() ? new THREE.Vector3() : node.worldToLocal(box.getCenter(new THREE.Vector3()));
      node.updateMatrix();
      node.matrixAutoUpdate = false;
      // Terrains do not move, so one of each is enough.
      if (this.index > 0 && !this.log.poses.has(id)) continue;
      this.bodies.set(id, {id, object: node, materials, center});
      this.root.add(node);
    }
    for (const entity of this.log.world.entities) {
      if (entity.kind !== 'object' || !this.log.poses.has(entity.id)) continue;
      this.addFrame(entity.id);
      this.addMass(entity.id, entity.mass ?? 0, entity.com ?? [0, 0, 0], entity.inertia);
    }
    for (const robot of this.log.robots)
      for (const link of robot.links) {
        this.addFrame(link.id);
        this.addMass(link.id, link.mass, link.com, link.inertia);
      }
  }

  private addFrame(id: number): void {
    const axes = new THREE.AxesHelper(0.1);
    axes.matrixAutoUpdate = false;
    axes.userData.id = id;
    this.frames.add(axes);
  }

  private addMass(id: number, mass: number, com: number[], inertia?: InertiaBox | null): void {
    if (!(mass > 0)) return;
    const mark = new THREE.Mesh(new THREE.SphereGeometry(0.012, 12, 8), new THREE.MeshBasicMaterial({color: 0xd62728, depthTest: false, transparent: true}));
    mark.matrixAutoUpdate = false;
    mark.userData = {id, com};
    mark.renderOrder = 3;
    this.masses.add(mark);
    if (!inertia) return;
    const box = inertiaBox(inertia);
    box.userData.id = id;
    this.inertias.add(box);
  }

  /** Made when they are first wanted. */
  private makePadded(): void {
    for (const entity of this.log.world.entities) {
      const body = this.bodies.get(entity.id);
      if (!body || !(entity.padding! > 0)) continue;
      const shape = paddedShape(body.object, entity.padding!);
      shape.matrix.copy(body.object.matrix);
      shape.userData.id = entity.id;
      this.padded.add(shape);
    }
  }

  update(time: number, shown: Shown, metersPerNewton: number): void {
    this.log.show(time);
    const matrix = new THREE.Matrix4();
    const place = (object: THREE.Object3D, id: number) => {
      const pose = this.log.poses.get(id);
      if (!pose) return;
      object.matrix.set(
          pose[0], pose[1], pose[2], pose[9], pose[3], pose[4], pose[5], pose[10], pose[6], pose[7], pose[8], pose[11],
          0, 0, 0, 1);
    };
    for (const body of this.bodies.values()) place(body.object, body.id);
    this.frames.visible = shown.frames;
    this.masses.visible = shown.masses;
    if (shown.frames) for (const axes of this.frames.children) place(axes, axes.userData.id);
    if (shown.masses)
      for (const mark of this.masses.children) {
        place(mark, mark.userData.id);
        const [x, y, z] = mark.userData.com;
        mark.matrix.multiply(matrix.makeTranslation(x, y, z));
      }
    this.arrows.mesh.visible = this.points.visible = shown.contacts;
    if (shown.contacts) this.updateContacts(time, metersPerNewton);
    this.trails.visible = shown.trails;
    this.plans.visible = shown.plans;
    this.inertias.visible = shown.inertias;
    if (shown.inertias) for (const box of this.inertias.children) place(box, box.userData.id);
    if (shown.padding && this.padded.children.length === 0) this.makePadded();
    this.padded.visible = shown.padding;
    if (shown.padding) for (const shape of this.padded.children) place(shape, shape.userData.id);
    this.sensors.root.visible = shown.sensors;
    if (shown.sensors) this.sensors.update(time);
    for (const body of this.bodies.values())
      for (const material of body.materials) material.wireframe = shown.wireframe;
  }

  private updateContacts(time: number, scale: number): void {
    const contacts = this.log.contactsAt(time);
    const points = new Float32Array(3 * contacts.length);
    this.arrows.clear(contacts.length);
    contacts.forEach((contact, i) => {
      // The force on what can move: a terrain's is drawn as what it answers.
      const sign = this.log.poses.has(contact.a) ? scale : -scale;
      points.set(contact.point, 3 * i);
      this.arrows.add(contact.point, contact.force.map((f) => sign * f));
    });
    this.points.geometry.dispose();
    this.points.geometry = new THREE.BufferGeometry();
    this.points.geometry.setAttribute('position', new THREE.BufferAttribute(points, 3));
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
      overlay.renderOrder = 4;
      this.scene.add(overlay);
    }
    this.grid.visible = false;
    const sun = new THREE.DirectionalLight(0xffffff, 1.2);
    sun.position.set(2, -3, 5);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8a8a8a, 1.4), sun, this.headlight, this.grid);
    this.scene.background = new THREE.Color(0xdfe6ee);
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
    this.pace.start();
  }

  private set dirty(value: true) { this.pace.dirty = value; }

  private render(): void {
    this.headlight.position.copy(this.camera.position);
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
  }

  /** Looks at everything that moves, or at what is selected. */
  fit(): void {
    const box = new THREE.Box3(), all = new THREE.Box3(), targets: THREE.Box3[] = [], obstacles: THREE.Box3[] = [];
    for (const log of this.logs) {
      log.root.updateMatrixWorld(true);
      for (const body of log.bodies.values()) {
        if (!body.object.visible) continue;
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
    for (const log of this.logs) {
      const body = log.bodies.get(id);
      if (body) body.object.visible = visible;
    }
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
    for (const log of this.logs)
      for (const body of log.bodies.values())
        for (const material of body.materials)
          material.emissive.setHex(this.tints.get(body.id) ?? (body.id === this.selected ? 0x556600 : 0));
    this.dirty = true;
  }

  /** Points, and lines between each two, in the world. */
  setMarks(points: number[][], lines: number[][]): void {
    const vectors = (list: number[][]) => list.map(([x, y, z]) => new THREE.Vector3(x, y, z));
    this.marks.geometry.dispose();
    this.marks.geometry = new THREE.BufferGeometry().setFromPoints(vectors(points));
    this.markLines.geometry.dispose();
    this.markLines.geometry = new THREE.BufferGeometry().setFromPoints(vectors(lines));
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
    const body = this.logs[0].bodies.get(id)!;
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
    const body = hit && this.logs[0].bodies.get(hit.object.userData.id);
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
    const body = this.pull && this.logs[0].bodies.get(this.pull.id);
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
    const bodies = this.logs.flatMap((log) => [...log.bodies.values()].filter((b) => b.object.visible).map((b) => b.object));
    return this.raycaster.intersectObjects(bodies, true)[0];
  }

  private pick(event: PointerEvent): void {
    this.onSelect(this.hitAt(event)?.object.userData.id ?? -1);
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
