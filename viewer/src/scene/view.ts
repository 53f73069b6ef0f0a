// The 3D view: what is drawn of one or several logs, in what light, from where, and when.
import * as THREE from 'three';
import {Events} from '../data/events';
import type {Log} from '../data/log';
import {CameraRig} from './camera/camera_rig';
import {type ForceScale} from './marks/contact_marks';
import {usualForceOf} from './marks/contact_sums';
import {setDotDetail} from './marks/dots';
import {Handles} from './marks/handles';
import {haveContacts, legendOf} from './marks/legend';
import {LogScene} from './log_scene';
import {Outline, RESOLUTION} from './shapes/outline';
import {Pace} from './pace';
import {Painter, drawsBySoftware} from './light/painter';
import {PageMarks} from './marks/page_marks';
import {SceneMouse, idOf} from './camera/scene_mouse';
import {type Axis, type LegendEntry, type Preset, SceneOptions, type SceneQueries, type SceneValues} from './scene_options';
import {planesOf, sectionRange} from './shapes/section';
import {type Shown, SHOWN_AT_FIRST} from './shown';
import {Surroundings} from './light/surroundings';
import type {ViewEvents} from './camera/view_events';

export type {ViewEvents} from './camera/view_events';

// What was drawn stays until something else is. Edges are smooth already in what is copied onto the canvas.
const CONTEXT_ATTRIBUTES = {alpha: false, depth: false, stencil: false, antialias: false, preserveDrawingBuffer: true} as const;

/** Where a `View` draws. That the graphics start takes longer than anything else that a page begins with. */
export function makeCanvas(): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.id = 'scene';
  canvas.getContext('webgl2', CONTEXT_ATTRIBUTES);
  return canvas;
}

/** The longest usual arrow, and how thick arrows are, of the size of what is shown. */
const LONGEST = 0.16, THICKNESS = 0.0032;
/** Bodies that move by less than this share of a pixel stand still. */
const UNSEEN = 0.1;
const HOVERED = 0x333300;

export class View implements SceneQueries {
  readonly events = new Events<ViewEvents>();
  readonly options = new SceneOptions();
  readonly logs: LogScene[] = [];
  readonly rig: CameraRig;
  /** Of a pose that is shown. */
  readonly handles: Handles;
  planes: THREE.Plane[] = [];
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly surroundings: Surroundings;
  private readonly outline = new Outline();
  private readonly painter: Painter;
  private readonly pace: Pace;
  private readonly mouse: SceneMouse;
  private readonly marks = new PageMarks();
  private readonly prefersDark = matchMedia('(prefers-color-scheme: dark)');
  private tints = new Map<number, number>();
  private shown: Shown = SHOWN_AT_FIRST;
  private selected = -1;
  private hovered = -1;
  private metersPerNewton = 0.002;

  constructor(readonly canvas: HTMLCanvasElement) {
    const context = canvas.getContext('webgl2', CONTEXT_ATTRIBUTES) as WebGL2RenderingContext | null;
    // Without one the renderer says why.
    this.renderer = new THREE.WebGLRenderer({canvas, ...CONTEXT_ATTRIBUTES, ...(context ? {context} : {})});
    // Asking whether a shader was compiled waits for the graphics.
    this.renderer.debug.checkShaderErrors = false;
    this.renderer.localClippingEnabled = true;
    const gl = this.renderer.getContext() as WebGL2RenderingContext, slow = drawsBySoftware(gl);
    this.surroundings = new Surroundings(slow);
    this.rig = new CameraRig(canvas, () => this.changed());
    const {lights, floor, sky} = this.surroundings;
    this.painter = new Painter(this.renderer, this.scene, this.rig.camera, lights, floor, slow, setDotDetail);
    // The sky is drawn first, after shadows.
    sky.mesh.onBeforeRender = () => this.painter.countShadows();
    const {painter} = this;
    this.pace = new Pace(gl, {
      draw: (detail) => this.render(detail),
      refine: () => painter.refine(),
      get complete() { return painter.complete; },
    });
    // Otherwise everything in the scene would be placed anew for each picture.
    this.scene.matrixAutoUpdate = false;
    this.handles = new Handles(this.rig.camera, canvas, this.scene, () => this.changed());
    this.mouse = new SceneMouse(this);
    this.scene.add(this.surroundings.root, this.outline.root, this.marks.root, this.mouse.spring.lines);
    this.listen();
    this.setTheme();
    this.resize();
  }

  private listen(): void {
    this.prefersDark.addEventListener('change', () => this.setTheme());
    this.options.events.on('change', (name) => this.take(name));
    this.canvas.addEventListener('webglcontextrestored', () => this.changed());
    for (const name of ['pointermove', 'pointerdown', 'wheel', 'keydown'] as const)
      this.canvas.addEventListener(name, () => this.pace.postpone(), {passive: true});
    new ResizeObserver(() => this.resize()).observe(this.canvas.parentElement!);
  }

  private get several(): boolean { return this.logs.length > 1; }
  private get dark(): boolean {
    const theme = this.options.get('theme');
    return theme === 'system' ? this.prefersDark.matches : theme === 'dark';
  }

  set pulls(value: SceneMouse['pulls']) { this.mouse.pulls = value; }
  get pulls(): SceneMouse['pulls'] { return this.mouse.pulls; }
  set picking(value: boolean) { this.mouse.picking = value; }
  set turnable(value: ReadonlySet<number>) { this.mouse.turnable = value; }
  set marksPassed(value: boolean) { this.mouse.marksPassed = value; }

  /** Something is drawn otherwise. */
  changed(): void { this.pace.dirty = true; }

  private shadowsChanged(): void {
    this.painter.shadowsChanged();
    this.changed();
  }

  private setTheme(own?: THREE.Color): void {
    this.surroundings.setTheme(this.dark, own);
    this.outline.setTheme(this.dark);
    for (const {shapes} of this.logs) shapes.setTheme(this.surroundings.theme);
    this.changed();
  }

  /** Honors a switch that was changed. */
  private take(name: keyof SceneValues): void {
    const {options} = this;
    if (name === 'theme') this.setTheme();
    if (name === 'projection') this.rig.setProjection(options.get('projection'));
    if (name === 'refined') this.pace.refining = options.get('refined');
    if (name === 'shapes') for (const {shapes} of this.logs) shapes.setMode(options.get('shapes'));
    if (name === 'edges') for (const {shapes} of this.logs) shapes.setEdges(options.get('edges'));
    if (name === 'opacity') for (const {shapes} of this.logs) shapes.setOpacities((id) => options.opacityOf(id));
    if (name === 'section') {
      this.planes = planesOf(options.get('section'));
      for (const {shapes} of this.logs) shapes.setPlanes(this.planes.length > 0 ? this.planes : null);
    }
    if (name === 'follow') this.follow();
    if (name === 'contactPoints') for (const log of this.logs) this.update(log);
    this.shadowsChanged();
  }

  private render(detail: number): void {
    this.prepare();
    this.painter.draw(detail);
    this.events.emit('drawn', undefined);
  }

  private prepare(): void {
    const {rig, logs, surroundings: {sky, floor}} = this, {camera} = rig;
    rig.sharpen();
    camera.updateMatrixWorld();
    sky.update(camera);
    floor.update(rig.controls.target, this.metersPerPixel);
    for (const log of logs) log.shapes.prepare(camera);
    this.outline.update();
  }

  private get metersPerPixel(): number { return this.rig.camera.metersPerPixel(this.rig.distance, this.canvas.clientHeight); }

  /** Draws now, and in full, what is otherwise drawn with the next frame. */
  draw(): void { this.pace.drawSharp(); }

  async add(log: Log, several = this.several): Promise<void> {
    const part = new LogScene(log, this.logs.length, several || this.logs.length > 0, !this.painter.slow);
    await part.load();
    this.logs.push(part);
    this.scene.add(part.root);
    part.shapes.setTheme(this.surroundings.theme);
    if (this.logs.length === 1) {
      const [r, g, b] = log.world.background;
      // Klamp't's default, a strong blue, is no background for reading.
      if (r !== 0.4 || g !== 0.4 || b !== 1) this.setTheme(new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace));
    }
    this.surroundings.fit(this.logs);
    this.scaleForces();
    for (const name of ['shapes', 'edges', 'opacity', 'section'] as const) this.take(name);
  }

  /** The largest of the usual forces makes an arrow of a share of what is shown. */
  scaleForces(): void {
    const usual = usualForceOf(this.logs.map(({log}) => log));
    if (usual > 0) this.metersPerNewton = (LONGEST * this.surroundings.size) / usual;
  }

  private get forces(): ForceScale { return {metersPerNewton: this.metersPerNewton, thickness: THICKNESS * this.surroundings.size}; }

  private update(log: LogScene): {moved: boolean; changed: boolean} {
    const drawn = {forces: this.forces, everyContact: this.options.get('contactPoints'), least: UNSEEN * this.metersPerPixel};
    return log.update(log.time, this.shown, drawn);
  }

  show(time: number, shown: Shown): void {
    let moved = false, changed = this.shown.grid !== shown.grid;
    this.shown = shown;
    for (const log of this.logs) {
      log.time = time;
      const news = this.update(log);
      moved ||= news.moved;
      changed ||= news.changed;
    }
    this.surroundings.floor.setGrid(shown.grid);
    if (moved) {
      this.follow();
      this.surroundings.follow(this.logs);
      this.painter.shadowsChanged();
      this.mouse.drawSpring();
    }
    // What comes anew of a scene that stands leaves its picture as it is.
    if (moved || changed) this.changed();
    this.pace.start();
  }

  private follow(): void {
    const id = this.options.get('follow'), pose = this.logs[0]?.log.poses.get(id);
    this.rig.follow(pose ? id : -1, pose ? new THREE.Vector3(pose[9], pose[10], pose[11]) : new THREE.Vector3());
  }

  fit(): void {
    this.surroundings.fit(this.logs);
    this.rig.fit(this.logs, this.selected);
    this.shadowsChanged();
  }

  look(preset: Preset): void {
    this.rig.look(preset);
    this.changed();
  }

  /** Shows or hides what moves in a log; terrains are the first log's, and of all. */
  setLogVisible(index: number, visible: boolean, hidden: Set<number>): void {
    const part = this.logs[index];
    part.visible = visible;
    for (const id of part.log.poses.keys()) part.shapes.setVisible(id, visible && !hidden.has(id));
    this.shadowsChanged();
  }

  setVisible(id: number, visible: boolean): void {
    for (const log of this.logs) log.shapes.setVisible(id, visible && (log.visible || !log.log.poses.has(id)));
    this.surroundings.visibilityChanged(this.logs);
    this.shadowsChanged();
  }

  select(id: number): void {
    this.selected = id;
    this.outline.set(this.logs.flatMap(({shapes}) => shapes.bodies.get(id) ?? []));
    this.changed();
  }

  mark(id: number): void {
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
    for (const log of this.logs) log.shapes.setTints((id) => this.tints.get(id) ?? (id === this.hovered ? HOVERED : 0));
    this.changed();
  }

  /** Points, and lines between each two, in the world. */
  setMarks(points: number[][], lines: number[][]): void {
    this.marks.set(points, lines);
    this.changed();
  }

  /** Configurations of a robot of the first log that are drawn faintly beside it; none: no longer. */
  setGhosts(robot: number, configurations: number[][]): void {
    const {ghosts} = this.logs[0];
    ghosts.hide();
    if (configurations.length > 0) ghosts.show(robot, configurations);
    this.changed();
  }

  /** Triangles beside the world, in the frame of a body or, where it is none, of the world; without any, none. */
  setMesh(points: number[], triangles: number[], id = -1): void {
    this.marks.setMesh(points, triangles, this.logs[0].shapes.bodies.get(id));
    this.changed();
  }

  /** Draws an object of somebody else's besides. What is returned tells the view that it changed, and what looks at it. */
  attach(object: THREE.Object3D): {changed: () => void; camera: () => THREE.Camera} {
    this.scene.add(object);
    return {changed: () => this.shadowsChanged(), camera: () => this.rig.camera};
  }

  toggleTrail(id: number): void {
    for (const log of this.logs) log.trail(id);
    this.changed();
  }

  /** Where the camera is, to be put there again. */
  get camera3d(): number[] { return this.rig.place; }
  set camera3d(v: number[]) { this.rig.place = v; this.changed(); }

  offers(): {shapes: boolean; contacts: boolean; section: boolean} {
    return {
      shapes: this.logs.some(({shapes}) => shapes.differ),
      contacts: this.logs.some(({log}) => haveContacts(log)),
      section: this.logs.some(({shapes}) => shapes.bodies.size > 0),
    };
  }

  legend(): LegendEntry[] { return legendOf(this.logs, this.shown, this.metersPerNewton, LONGEST * this.surroundings.size); }

  sectionRange(axis: Axis): [number, number] { return sectionRange(this.logs, axis); }

  toScreen([x, y, z]: ArrayLike<number> & Iterable<number>): [number, number] | null {
    const at = new THREE.Vector3(x, y, z), {camera} = this.rig, {clientWidth, clientHeight} = this.canvas;
    if (at.clone().applyMatrix4(camera.matrixWorldInverse).z >= 0 && !camera.parallel) return null;
    at.project(camera);
    return [(0.5 + at.x / 2) * clientWidth, (0.5 - at.y / 2) * clientHeight];
  }

  pointAt(x: number, y: number): {id: number; point: [number, number, number]} | null {
    const box = this.canvas.getBoundingClientRect(), hit = this.mouse.hitAt(box.left + x, box.top + y);
    return hit ? {id: idOf(hit), point: hit.point.toArray()} : null;
  }

  /** The picture as a PNG: what is refined already, else what can be drawn at once. */
  picture(): string {
    if (!this.pace.settled || !this.painter.complete) this.draw();
    return this.canvas.toDataURL('image/png');
  }

  async finishedPicture(): Promise<string> {
    while (this.pace.resting && this.pace.refining && !this.painter.complete) {
      this.pace.step();
      await new Promise((done) => setTimeout(done));
    }
    return this.picture();
  }

  /** Gives the graphics back: another view takes the place of this one. */
  end(): void {
    this.pace.end();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  /** Takes the size that the canvas's place has now. */
  resize(): void {
    const parent = this.canvas.parentElement!;
    const width = Math.max(parent.clientWidth, 1), height = Math.max(parent.clientHeight, 1);
    const size = this.renderer.getSize(new THREE.Vector2());
    if (size.x === width && size.y === height) return;
    this.painter.resize(width, height);
    RESOLUTION.value.set(width, height);
    this.rig.camera.aspect = width / height;
    this.rig.camera.updateProjectionMatrix();
    // A canvas of another size is empty until it is drawn.
    if (this.logs.length > 0) this.pace.drawNow();
    else this.changed();
  }
}
