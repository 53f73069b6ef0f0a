// Level terrains, in whose place the floor is drawn.
import * as THREE from 'three';
import {meshesOf} from '../shapes/bodies';

/** A terrain is a floor when it is at least so wide both ways, m, and no thicker than this share of that. */
const WIDE = 3, THIN = 0.25;

/** Height of the top of a level plate; null where an object is anything else, or leaves a part of its rectangle open. */
export function levelTop(object: THREE.Object3D): number | null {
  object.updateMatrixWorld(true);
  const box = new THREE.Box3().setFromObject(object);
  if (box.isEmpty()) return null;
  const size = box.getSize(new THREE.Vector3()), least = Math.min(size.x, size.y), near = 1e-3 * Math.max(size.x, size.y);
  if (least < WIDE || size.z > THIN * least) return null;
  const a = new THREE.Vector3(), b = new THREE.Vector3(), c = new THREE.Vector3();
  let area = 0;
  for (const mesh of meshesOf(object)) {
    const positions = mesh.geometry.getAttribute('position'), {index} = mesh.geometry, count = index ? index.count : positions.count;
    for (let i = 0; i + 2 < count; i += 3) {
      [a, b, c].forEach((v, k) => v.fromBufferAttribute(positions, index ? index.getX(i + k) : i + k).applyMatrix4(mesh.matrixWorld));
      for (const {z} of [a, b, c]) if (Math.min(box.max.z - z, z - box.min.z) > near) return null;
      // Triangles of the top alone; of a plate without thickness, those of both sides.
      if (Math.min(a.z, b.z, c.z) < box.max.z - near) continue;
      area += Math.abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / 2;
    }
  }
  return area >= 0.999 * size.x * size.y ? box.max.z : null;
}
