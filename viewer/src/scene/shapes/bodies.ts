// Bodies of a log as they are drawn: their parts, and equal ones in one call.
import * as THREE from 'three';
import type {Pose} from '../../data/kinematics';

/** A mesh or a cloud of a body: what people see of it, what it collides with, or both. */
export interface Part {
  readonly object: THREE.Mesh | THREE.Points;
  readonly visual: boolean;
  readonly collision: boolean;
  /** How it looks when nothing is switched. */
  readonly plain: THREE.Material;
}

export interface Body {
  readonly id: number;
  /** Where the body is, in `matrix`; part of the drawn scene only where the body is drawn alone. */
  readonly object: THREE.Object3D;
  readonly parts: readonly Part[];
  readonly center: THREE.Vector3;
  /** From its center to what of it is farthest away. */
  readonly radius: number;
  visible: boolean;
  /** Of what shines in another color than its own; 0: none. */
  tint: number;
  opacity: number;
  /** Lines along its edges are drawn. */
  edged: boolean;
  flock: Flock | null;
  /** A level terrain that the floor stands for. */
  asFloor: boolean;
}

export function setMatrix(matrix: THREE.Matrix4, pose: Pose): void {
  const e = matrix.elements;
  e[0] = pose[0]; e[1] = pose[3]; e[2] = pose[6];
  e[4] = pose[1]; e[5] = pose[4]; e[6] = pose[7];
  e[8] = pose[2]; e[9] = pose[5]; e[10] = pose[8];
  e[12] = pose[9]; e[13] = pose[10]; e[14] = pose[11];
}

/** How far at most a point of a body is from where it was when `from` was its pose, m. */
export function displacement(from: ArrayLike<number>, pose: Pose, radius: number): number {
  let turned = 0, moved = 0;
  for (let i = 0; i < 9; ++i) turned += (pose[i] - from[i]) ** 2;
  for (let i = 9; i < 12; ++i) moved += (pose[i] - from[i]) ** 2;
  return Math.sqrt(moved) + radius * Math.sqrt(turned);
}

/** Meshes below an object, without lines along their edges and what is around them. */
export function meshesOf(object: THREE.Object3D): THREE.Mesh[] {
  const found: THREE.Mesh[] = [];
  object.traverse((part) => { if (part instanceof THREE.Mesh && !('isLineSegments2' in part) && !part.userData.around) found.push(part); });
  return found;
}

/** What stands apart from the others of its flock is drawn alone. */
export const standsApart = (body: Body): boolean => body.tint !== 0 || body.opacity < 1 || body.edged;

/** Bodies of one shape, drawn together. */
export class Flock {
  readonly meshes: THREE.InstancedMesh[];
  readonly transparent: boolean;
  private readonly matrices: THREE.InstancedBufferAttribute;
  private readonly depths: Float64Array;

  constructor(private readonly bodies: Body[]) {
    const like = bodies[0].parts;
    this.matrices = new THREE.InstancedBufferAttribute(new Float32Array(16 * bodies.length), 16);
    this.matrices.setUsage(THREE.DynamicDrawUsage);
    this.meshes = like.map((part) => {
      // A material that is drawn both ways, at once and one by one, would be set up anew each time.
      const mesh = new THREE.InstancedMesh(part.object.geometry, part.plain.clone(), 0);
      mesh.instanceMatrix = this.matrices;
      // What is seen of it changes with each body.
      mesh.frustumCulled = false;
      mesh.matrixAutoUpdate = false;
      mesh.castShadow = part.object.castShadow;
      mesh.receiveShadow = part.object.receiveShadow;
      return mesh;
    });
    this.transparent = like.some((part) => part.plain.transparent);
    this.depths = new Float64Array(this.transparent ? Math.max(0, ...bodies.map((body) => body.id)) + 1 : 0);
    for (const body of bodies) body.flock = this;
  }

  /** One of them, whose parts say which are shown. */
  get first(): Body { return this.bodies[0]; }

  /** Takes over where its bodies are. */
  update(): void {
    const array = this.matrices.array as Float32Array;
    let count = 0;
    for (const body of this.bodies)
      if (body.visible && !standsApart(body)) body.object.matrix.toArray(array, 16 * count++);
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
