// The shapes of one log where they are: a body for each, and equal ones drawn together.
import * as THREE from 'three';
import {GLTFLoader} from 'three/examples/jsm/loaders/GLTFLoader.js';
import type {Log} from '../../data/log';
import type {Pose} from '../../data/kinematics';
import {type Body, Flock, type Part, displacement, meshesOf, setMatrix, standsApart} from './bodies';
import {Dots} from '../marks/dots';
import {levelTop} from '../light/floor_terrain';
import {Looks, type NodeSays} from './looks';
import {ShapeEdges} from './shape_edges';
import type {ShapesShown} from '../scene_options';
import type {Theme} from '../light/theme';

/** So many equal shapes are drawn by one call. Of those that one sees through, more: in one call they are drawn in their own
 * order, not among others. */
const TOGETHER = 8, TOGETHER_TRANSPARENT = 64;
/** Of points of clouds, pixels, where their file says nothing. */
const POINT_SIZE = 2;

interface Moving { body: Body; pose: Pose; drawn: Float64Array }

export class Shapes {
  readonly root = new THREE.Group();
  readonly bodies = new Map<number, Body>();
  readonly looks: Looks;
  /** Height of the level terrain that the floor stands for; null: there is none. */
  floor: number | null = null;
  private readonly moving: Moving[] = [];
  private readonly flocks: Flock[] = [];
  private readonly edges: ShapeEdges;
  private mode: ShapesShown = 'visual';
  private wireframe = false;

  constructor(private readonly log: Log, private readonly index: number, coated: boolean) {
    this.looks = new Looks(log, index, coated);
    this.edges = new ShapeEdges();
    this.root.matrixAutoUpdate = false;
  }

  async load(): Promise<void> {
    const glb = this.log.attachments.get('scene.glb');
    // Other tools' logs have none.
    if (!glb || this.log.isOfOthers) return;
    const gltf = await new GLTFLoader().parseAsync(glb.slice().buffer as ArrayBuffer, '');
    const nodes = new Map<number, THREE.Object3D[]>();
    for (const node of [...gltf.scene.children]) {
      const id = node.userData.id as number;
      // Terrains do not move, so one of each is enough.
      if (this.index > 0 && !this.log.poses.has(id)) continue;
      gltf.scene.remove(node);
      nodes.set(id, [...(nodes.get(id) ?? []), node]);
    }
    for (const [id, list] of nodes) this.add(id, list);
    this.gather();
    this.setEdges(false);
  }

  private add(id: number, nodes: THREE.Object3D[]): void {
    const parts: Part[] = [];
    for (const node of nodes) this.partsOf(id, node, parts);
    let object = nodes[0];
    if (nodes.length > 1) {
      object = new THREE.Group();
      object.matrix.copy(nodes[0].matrix);
      object.matrixAutoUpdate = false;
      object.userData.id = id;
      for (const node of nodes) {
        node.matrix.identity();
        object.add(node);
      }
    }
    const pose = this.log.poses.get(id), {center, radius} = ballOf(object);
    const body: Body = {id, object, parts, center, radius, visible: true, tint: 0, opacity: 1, edged: false, flock: null, asFloor: false};
    this.bodies.set(id, body);
    if (pose) this.moving.push({body, pose, drawn: new Float64Array(12).fill(NaN)});
    else if (this.looks.kindOf(id) === 'terrain' && parts.every((part) => part.object.userData.unnamed)) {
      const top = levelTop(object);
      body.asFloor = top !== null && (this.floor === null || Math.abs(top - this.floor) < 1e-3);
      if (body.asFloor) this.floor = top;
    }
  }

  private partsOf(id: number, node: THREE.Object3D, parts: Part[]): void {
    const says = (node.userData.mortise ?? {}) as NodeSays;
    node.traverse((object) => {
      object.updateMatrix();
      object.matrixAutoUpdate = false;
      object.userData.id = id;
      if (!(object instanceof THREE.Mesh || object instanceof THREE.Points)) return;
      if (object instanceof THREE.Mesh) {
        object.userData.unnamed = this.looks.isDefault(id, object.material, says);
        object.material = this.looks.surfaceOf(id, object.material, says, object.geometry.hasAttribute('normal'));
        object.castShadow = this.index === 0 && object.material.opacity > 0.5;
        object.receiveShadow = true;
        this.edges.say(object, says);
      } else {
        const {color, vertexColors, opacity} = object.material as THREE.PointsMaterial;
        object.material = new Dots({color, vertexColors, opacity, transparent: opacity < 1, size: says.pointSize ?? POINT_SIZE, sizeAttenuation: false, toneMapped: false});
      }
      parts.push({object, visual: says.visual ?? true, collision: says.collision ?? true, plain: object.material as THREE.Material});
    });
  }

  /** Equal bodies are drawn together. */
  private gather(): void {
    const equal = new Map<string, Body[]>();
    for (const body of this.bodies.values()) {
      // Clouds of points, what consists of several nodes, and what has lines of its own, are drawn alone.
      const alone = body.asFloor || body.parts.length === 0 || body.parts.some(({object}) => !(object instanceof THREE.Mesh) || this.edges.wanted(object)) ||
          meshesOf(body.object).some((mesh) => mesh !== body.object && mesh.parent !== body.object);
      const shape = alone ? `alone ${body.id}` : body.parts.map(({object, plain, visual, collision}) => `${object.geometry.uuid} ${plain.uuid} ${visual} ${collision}`).join(' ');
      equal.set(shape, [...(equal.get(shape) ?? []), body]);
    }
    for (const bodies of equal.values()) {
      const transparent = bodies[0].parts.some((part) => part.plain.transparent);
      if (bodies.length < (transparent ? TOGETHER_TRANSPARENT : TOGETHER)) continue;
      const flock = new Flock(bodies);
      this.flocks.push(flock);
      this.root.add(...flock.meshes);
    }
  }

  /** A body that is not as the others of its flock are is drawn alone. */
  private arrange(body: Body): void {
    this.dress(body);
    const alone = body.visible && (!body.flock || standsApart(body)) && (!body.asFloor || this.wireframe);
    if (alone && !body.object.parent) {
      this.root.add(body.object);
      body.object.matrixWorldNeedsUpdate = true;
    } else if (!alone) {
      body.object.removeFromParent();
    }
  }

  private shownOf(part: Part): boolean {
    return this.mode === 'both' ? part.visual || part.collision : part[this.mode];
  }

  /** Which parts of a body are drawn, and how. */
  private dress(body: Body): void {
    for (const part of body.parts) {
      const over = this.mode === 'both' && !part.visual;
      part.object.visible = this.shownOf(part);
      part.object.material = this.looks.variantOf(part.plain, body.tint, body.opacity, over);
      part.object.castShadow = this.index === 0 && !over && part.object instanceof THREE.Mesh && part.plain.opacity * body.opacity > 0.5;
    }
  }

  setMode(mode: ShapesShown): void {
    if (mode === this.mode) return;
    this.mode = mode;
    for (const flock of this.flocks)
      flock.meshes.forEach((mesh, i) => {
        const part = flock.first.parts[i], over = mode === 'both' && !part.visual;
        mesh.visible = this.shownOf(part);
        mesh.material = over ? this.looks.variantOf(part.plain, 0, 1, true).clone() : part.plain.clone();
        mesh.castShadow = part.object.castShadow && !over;
      });
    for (const body of this.bodies.values()) this.arrange(body);
  }

  /** Whether any body collides otherwise than it looks. */
  get differ(): boolean {
    return [...this.bodies.values()].some((body) => body.parts.some((part) => part.visual !== part.collision));
  }

  /** Puts everything where the log's poses are. Whether anything was moved by more than `least` (m) since that was last so. */
  place(least: number): boolean {
    let moved = false;
    for (const {body, pose, drawn} of this.moving) {
      if (displacement(drawn, pose, body.radius) <= least) continue;
      moved ||= body.visible;
      drawn.set(pose);
      setMatrix(body.object.matrix, pose);
      body.object.matrixWorldNeedsUpdate = true;
    }
    if (moved) for (const flock of this.flocks) if (!flock.transparent) flock.update();
    return moved;
  }

  /** Before each picture. */
  prepare(camera: THREE.Camera): void {
    for (const flock of this.flocks) if (flock.transparent) flock.sort(camera);
  }

  setVisible(id: number, visible: boolean): void {
    const body = this.bodies.get(id);
    if (!body || body.visible === visible) return;
    body.visible = visible;
    this.arrange(body);
    body.flock?.update();
  }

  /** Lets bodies shine in colors; 0: none. */
  setTints(tintOf: (id: number) => number): void { this.change((body) => { body.tint = tintOf(body.id); }); }

  setOpacities(opacityOf: (id: number) => number): void { this.change((body) => { body.opacity = opacityOf(body.id); }); }

  private change(make: (body: Body) => void): void {
    for (const body of this.bodies.values()) {
      const {tint, opacity} = body;
      make(body);
      if (tint === body.tint && opacity === body.opacity) continue;
      this.arrange(body);
      body.flock?.update();
    }
  }

  setWireframe(wireframe: boolean): void {
    if (this.wireframe === wireframe) return;
    this.wireframe = wireframe;
    this.looks.setWireframe(wireframe);
    for (const flock of this.flocks) for (const mesh of flock.meshes) (mesh.material as THREE.MeshStandardMaterial).wireframe = wireframe;
    for (const body of this.bodies.values()) if (body.asFloor) this.arrange(body);
  }

  setPlanes(planes: THREE.Plane[] | null): void {
    this.looks.setPlanes(planes);
    for (const flock of this.flocks) for (const mesh of flock.meshes) (mesh.material as THREE.Material).clippingPlanes = planes;
    for (const body of this.bodies.values()) for (const {object} of body.parts) if (object instanceof THREE.Points) (object.material as THREE.Material).clippingPlanes = planes;
  }

  setTheme(theme: Theme): void {
    this.looks.setTheme(theme);
    for (const flock of this.flocks)
      flock.meshes.forEach((mesh, i) => {
        const {plain} = flock.first.parts[i];
        if (plain instanceof THREE.MeshStandardMaterial) (mesh.material as THREE.MeshStandardMaterial).color.copy(plain.color);
      });
  }

  /** Lines along sharp edges: of all bodies, or of those alone whose files ask for them. */
  setEdges(all: boolean): void {
    for (const body of this.bodies.values()) {
      body.edged = this.edges.set(body, all);
      this.arrange(body);
      body.flock?.update();
    }
  }

  /** The visible bodies' objects where they are, to be asked what a ray meets. */
  solid(): THREE.Object3D[] {
    const objects: THREE.Object3D[] = [];
    for (const {visible, object} of this.bodies.values()) {
      if (!visible) continue;
      object.updateWorldMatrix(false, true);
      objects.push(object);
    }
    return objects;
  }
}

/** The ball around an object in its own frame. */
function ballOf(object: THREE.Object3D): {center: THREE.Vector3; radius: number} {
  object.updateMatrixWorld(true);
  const box = new THREE.Box3().setFromObject(object);
  if (box.isEmpty()) return {center: new THREE.Vector3(), radius: 0};
  const radius = box.getSize(new THREE.Vector3()).length() / 2, center = object.worldToLocal(box.getCenter(new THREE.Vector3()));
  return {center, radius: radius + center.length()};
}
