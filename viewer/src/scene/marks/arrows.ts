// Arrows of any number in two draw calls: as they are seen, and faintly where something is before them.
import * as THREE from 'three';
import {mergeGeometries} from 'three/examples/jsm/utils/BufferGeometryUtils.js';

const UP = new THREE.Vector3(0, 0, 1);
/** Radius of a shaft; the head is thicker and longer by these. */
const SHAFT = 1, HEAD = 2.6, HEAD_LENGTH = 7;
/** Of a short arrow, the head takes at most this share. */
const MOST_HEAD = 0.45;
/** How much is seen of what is hidden. */
const HIDDEN = 0.28;

/** Of length and thickness 1 along z; the head is a part of its own, so that it keeps its form when the arrow grows. */
function parts(): [THREE.BufferGeometry, THREE.BufferGeometry] {
  const shaft = new THREE.CylinderGeometry(SHAFT, SHAFT, 1, 12).translate(0, 0.5, 0).rotateX(Math.PI / 2);
  const head = mergeGeometries([new THREE.ConeGeometry(HEAD, 1, 20).translate(0, 0.5, 0)]).rotateX(Math.PI / 2);
  return [shaft, head];
}

export class Arrows {
  readonly root = new THREE.Group();
  private count = 0;
  private room = 0;
  /** Shafts and heads, each before and behind what hides them. */
  private meshes: THREE.InstancedMesh[] = [];
  private readonly matrix = new THREE.Matrix4();
  private readonly turn = new THREE.Quaternion();
  private readonly along = new THREE.Vector3();
  private readonly at = new THREE.Vector3();
  private readonly scale = new THREE.Vector3();

  constructor(private readonly color: number) {
    this.root.matrixAutoUpdate = false;
    this.make(64);
  }

  private make(room: number): void {
    this.room = room;
    for (const mesh of this.meshes) {
      this.root.remove(mesh);
      mesh.dispose();
    }
    const seen = new THREE.MeshBasicMaterial({color: this.color, toneMapped: false});
    const behind = new THREE.MeshBasicMaterial({
      color: this.color, toneMapped: false, transparent: true, opacity: HIDDEN, depthFunc: THREE.GreaterDepth, depthWrite: false,
    });
    this.meshes = parts().flatMap((geometry) => {
      const first = new THREE.InstancedMesh(geometry, seen, room), second = new THREE.InstancedMesh(geometry, behind, room);
      second.instanceMatrix = first.instanceMatrix;
      return [first, second];
    });
    this.meshes.forEach((mesh, i) => {
      mesh.frustumCulled = false;
      mesh.matrixAutoUpdate = false;
      mesh.renderOrder = i % 2 === 0 ? 0 : 2;
      this.root.add(mesh);
    });
    this.finish();
  }

  clear(room: number): void {
    this.count = 0;
    if (room > this.room) this.make(2 * room);
  }

  /** An arrow from a point along a vector, of a thickness. */
  add(x: number, y: number, z: number, dx: number, dy: number, dz: number, thickness: number): void {
    const length = Math.hypot(dx, dy, dz);
    if (!(length > 1e-6) || !Number.isFinite(length)) return;
    const [shafts, , heads] = this.meshes, head = Math.min(HEAD_LENGTH * thickness, MOST_HEAD * length), wide = Math.min(thickness, head / HEAD_LENGTH);
    this.along.set(dx / length, dy / length, dz / length);
    this.turn.setFromUnitVectors(UP, this.along);
    this.matrix.compose(this.at.set(x, y, z), this.turn, this.scale.set(wide, wide, length - head));
    shafts.setMatrixAt(this.count, this.matrix);
    this.matrix.compose(this.at.addScaledVector(this.along, length - head), this.turn, this.scale.set(wide, wide, head));
    heads.setMatrixAt(this.count++, this.matrix);
  }

  /** All are there. */
  finish(): void {
    for (const mesh of this.meshes) mesh.count = this.count;
    this.meshes[0].instanceMatrix.needsUpdate = this.meshes[2].instanceMatrix.needsUpdate = true;
    this.root.visible = this.count > 0;
  }
}
