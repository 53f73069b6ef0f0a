// Arrows of any number in one draw call.
import * as THREE from 'three';
import {mergeGeometries} from 'three/examples/jsm/utils/BufferGeometryUtils.js';

const UP = new THREE.Vector3(0, 0, 1);

/** Arrows of any number in one draw call, seen through everything. */
export class Arrows {
  mesh: THREE.InstancedMesh;
  private readonly matrix = new THREE.Matrix4();
  private readonly turn = new THREE.Quaternion();
  private readonly from = new THREE.Vector3();
  private readonly along = new THREE.Vector3();
  private readonly scale = new THREE.Vector3();

  constructor(color: number) {
    this.mesh = this.make(64, color);
  }

  private make(room: number, color: number): THREE.InstancedMesh {
    // Of length 1 along z; thin ones stay thin when they are long.
    const shaft = new THREE.CylinderGeometry(0.025, 0.025, 0.75, 6).translate(0, 0.375, 0);
    const head = new THREE.ConeGeometry(0.07, 0.25, 8).translate(0, 0.875, 0);
    const mesh = new THREE.InstancedMesh(
        mergeGeometries([shaft, head]).rotateX(Math.PI / 2), new THREE.MeshBasicMaterial({color, depthTest: false, transparent: true}), room);
    mesh.frustumCulled = false;
    mesh.renderOrder = 2;
    mesh.count = 0;
    return mesh;
  }

  clear(room: number): void {
    this.mesh.count = 0;
    if (room <= this.mesh.instanceMatrix.count) return;
    this.mesh.instanceMatrix = new THREE.InstancedBufferAttribute(new Float32Array(32 * room), 16);
  }

  /** An arrow from a point along a vector. */
  add(x: number, y: number, z: number, dx: number, dy: number, dz: number): void {
    const length = Math.hypot(dx, dy, dz);
    if (!(length > 1e-4)) return;
    this.turn.setFromUnitVectors(UP, this.along.set(dx / length, dy / length, dz / length));
    const thickness = Math.min(length, 0.15);
    this.matrix.compose(this.from.set(x, y, z), this.turn, this.scale.set(thickness, thickness, length));
    this.mesh.setMatrixAt(this.mesh.count++, this.matrix);
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}
