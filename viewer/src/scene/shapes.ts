// The shapes of one log where they are: a body for each, and equal ones drawn together.
import * as THREE from 'three';
import {GLTFLoader} from 'three/examples/jsm/loaders/GLTFLoader.js';
import type {Log} from '../data/log';
import type {Pose} from '../data/kinematics';
import {logColor} from './palette';

/** So many equal shapes are drawn by one call. Of those that one sees through, more: in one call they are drawn in their own
 * order, not among others. */
const TOGETHER = 8, TOGETHER_TRANSPARENT = 64;

export interface Body {
  readonly id: number;
  /** Where the body is, in `matrix`; part of the drawn scene only where the body is drawn alone. */
  readonly object: THREE.Object3D;
  readonly center: THREE.Vector3;
  visible: boolean;
  /** Of what shines in another color than its own; 0: none. */
  tint: number;
  flock: Flock | null;
}

export function setMatrix(matrix: THREE.Matrix4, pose: Pose): void {
  const e = matrix.elements;
  e[0] = pose[0]; e[1] = pose[3]; e[2] = pose[6];
  e[4] = pose[1]; e[5] = pose[4]; e[6] = pose[7];
  e[8] = pose[2]; e[9] = pose[5]; e[10] = pose[8];
  e[12] = pose[9]; e[13] = pose[10]; e[14] = pose[11];
}

const meshesOf = (object: THREE.Object3D): THREE.Mesh[] => {
  const found: THREE.Mesh[] = [];
  object.traverse((part) => { if (part instanceof THREE.Mesh) found.push(part); });
  return found;
};

/** Bodies of one shape, drawn together. */
class Flock {
  readonly meshes: THREE.InstancedMesh[];
  private readonly matrices: THREE.InstancedBufferAttribute;
  readonly transparent: boolean;
  private readonly depths: Float64Array;

  constructor(private readonly bodies: Body[], like: THREE.Mesh[]) {
    this.matrices = new THREE.InstancedBufferAttribute(new Float32Array(16 * bodies.length), 16);
    this.matrices.setUsage(THREE.DynamicDrawUsage);
    this.meshes = like.map((part) => {
      // A material that is drawn both ways, at once and one by one, would be set up anew each time.
      const mesh = new THREE.InstancedMesh(part.geometry, (part.material as THREE.Material).clone(), 0);
      mesh.instanceMatrix = this.matrices;
      // What is seen of it changes with each body.
      mesh.frustumCulled = false;
      mesh.matrixAutoUpdate = false;
      return mesh;
    });
    this.transparent = like.some((part) => (part.material as THREE.Material).transparent);
    this.depths = new Float64Array(this.transparent ? Math.max(0, ...bodies.map((body) => body.id)) + 1 : 0);
    for (const body of bodies) body.flock = this;
  }

  /** Takes over where its bodies are. */
  update(): void {
    const array = this.matrices.array as Float32Array;
    let count = 0;
    for (const body of this.bodies)
      if (body.visible && body.tint === 0) body.object.matrix.toArray(array, 16 * count++);
    for (const mesh of this.meshes) mesh.count = count;
    this.matrices.needsUpdate = true;
  }

  /** What one sees through is drawn from the back to the front. */
  sort(camera: THREE.Camera): void {
    const [x, y, z] = [camera.matrixWorld.elements[8], camera.matrixWorld.elements[9], camera.matrixWorld.elements[10]];
    for (const {id, object, center} of this.bodies) {
      const e = object.matrix.elements;
      this.depths[id] = x * (e[0] * center.x + e[4] * center.y + e[8] * center.z + e[12]) +
          y * (e[1] * center.x + e[5] * center.y + e[9] * center.z + e[13]) + z * (e[2] * center.x + e[6] * center.y + e[10] * center.z + e[14]);
    }
    this.bodies.sort((a, b) => this.depths[a.id] - this.depths[b.id]);
    this.update();
  }
}

export class Shapes {
  readonly root = new THREE.Group();
  readonly bodies = new Map<number, Body>();
  private readonly moving: {body: Body; pose: Pose}[] = [];
  private readonly flocks: Flock[] = [];
  /** Ours for those of the file, and for those the same in other colors. */
  private readonly plain = new Map<THREE.Material, THREE.MeshLambertMaterial>();
  private readonly shining = new Map<THREE.Material, Map<number, THREE.MeshLambertMaterial>>();
  private wireframe = false;

  constructor(private readonly log: Log, private readonly index: number) {
    this.root.matrixAutoUpdate = false;
  }

  async load(): Promise<void> {
    const glb = this.log.attachments.get('scene.glb')!;
    const gltf = await new GLTFLoader().parseAsync(glb.slice().buffer as ArrayBuffer, '');
    const equal = new Map<string, Body[]>();
    for (const object of [...gltf.scene.children]) {
      const id = object.userData.id as number, pose = this.log.poses.get(id);
      // Terrains do not move, so one of each is enough.
      if (this.index > 0 && !pose) continue;
      gltf.scene.remove(object);
      let shape = '', uniform = true;
      object.traverse((part) => {
        part.updateMatrix();
        part.matrixAutoUpdate = false;
        part.userData.id = id;
        if (part instanceof THREE.Mesh) {
          shape += `${part.geometry.uuid} ${part.material.uuid} `;
          part.material = this.plainOf(part.material);
          part.userData.plain = part.material;
        }
        // Clouds of points are drawn alone.
        uniform &&= part instanceof THREE.Mesh || part.type === 'Group';
      });
      const box = new THREE.Box3().setFromObject(object);
      const center = box.isEmpty() ? new THREE.Vector3() : object.worldToLocal(box.getCenter(new THREE.Vector3()));
      const body: Body = {id, object, center, visible: true, tint: 0, flock: null};
      this.bodies.set(id, body);
      if (pose) this.moving.push({body, pose});
      if (!uniform || shape === '') shape = `alone ${id}`;
      if (!equal.has(shape)) equal.set(shape, []);
      equal.get(shape)!.push(body);
    }
    for (const bodies of equal.values()) {
      const parts = meshesOf(bodies[0].object);
      const transparent = parts.some((part) => (part.material as THREE.Material).transparent);
      if (bodies.length < (transparent ? TOGETHER_TRANSPARENT : TOGETHER)) continue;
      const flock = new Flock(bodies, parts);
      this.flocks.push(flock);
      this.root.add(...flock.meshes);
    }
    for (const body of this.bodies.values()) this.arrange(body);
    for (const flock of this.flocks) flock.update();
  }

  private plainOf(given: THREE.MeshStandardMaterial): THREE.MeshLambertMaterial {
    const known = this.plain.get(given);
    if (known) return known;
    // Without lights from all around, a physical material looks the same and costs much more.
    const material = new THREE.MeshLambertMaterial({
      color: given.color, map: given.map, vertexColors: given.vertexColors, side: given.side, transparent: given.transparent,
      opacity: given.opacity, depthWrite: given.depthWrite, alphaTest: given.alphaTest, flatShading: true,
    });
    if (this.index > 0) {
      material.color.lerp(new THREE.Color(logColor(this.index)), 0.6);
      material.transparent = true;
      material.opacity = 0.55;
      // Where two runs agree, their surfaces would fight for the pixels.
      material.polygonOffset = true;
      material.polygonOffsetFactor = material.polygonOffsetUnits = -this.index;
    }
    this.plain.set(given, material);
    return material;
  }

  private shiningOf(plain: THREE.MeshLambertMaterial, tint: number): THREE.MeshLambertMaterial {
    if (!this.shining.has(plain)) this.shining.set(plain, new Map());
    const known = this.shining.get(plain)!;
    if (!known.has(tint)) {
      const material = plain.clone();
      material.emissive.setHex(tint);
      known.set(tint, material);
    }
    return known.get(tint)!;
  }

  /** A body that is not as the others of its flock are is drawn alone. */
  private arrange(body: Body): void {
    const alone = body.visible && (!body.flock || body.tint !== 0);
    if (alone && !body.object.parent) {
      this.root.add(body.object);
      body.object.matrixWorldNeedsUpdate = true;
    } else if (!alone) {
      body.object.removeFromParent();
    }
  }

  /** Puts everything where the log's poses are. */
  place(): void {
    for (const {body, pose} of this.moving) {
      setMatrix(body.object.matrix, pose);
      body.object.matrixWorldNeedsUpdate = true;
    }
    for (const flock of this.flocks) if (!flock.transparent) flock.update();
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
  setTints(tintOf: (id: number) => number): void {
    for (const body of this.bodies.values()) {
      const tint = tintOf(body.id);
      if (tint === body.tint) continue;
      body.tint = tint;
      for (const part of meshesOf(body.object)) {
        const plain = part.userData.plain as THREE.MeshLambertMaterial;
        part.material = tint === 0 ? plain : this.shiningOf(plain, tint);
        (part.material as THREE.MeshLambertMaterial).wireframe = this.wireframe;
      }
      this.arrange(body);
      body.flock?.update();
    }
  }

  setWireframe(wireframe: boolean): void {
    if (this.wireframe === wireframe) return;
    this.wireframe = wireframe;
    for (const material of this.plain.values()) material.wireframe = wireframe;
    for (const flock of this.flocks)
      for (const mesh of flock.meshes) (mesh.material as THREE.MeshLambertMaterial).wireframe = wireframe;
    for (const colors of this.shining.values())
      for (const material of colors.values()) material.wireframe = wireframe;
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
