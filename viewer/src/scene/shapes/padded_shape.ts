// Shapes grown by their paddings, drawn translucent.
import * as THREE from 'three';
import {mergeVertices} from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import {type Body, meshesOf} from './bodies';
import {PADDING} from '../palette';

/** The shapes that a body collides with, grown by `padding` (m) along their normals. */
export function paddedShape({object, parts}: Body, padding: number): THREE.Group {
  const group = new THREE.Group(), collide = new Set<THREE.Object3D>(parts.filter((part) => part.collision).map((part) => part.object));
  object.updateMatrixWorld(true);
  const inverse = new THREE.Matrix4().copy(object.matrixWorld).invert();
  for (const part of meshesOf(object)) {
    if (!collide.has(part)) continue;
    const bare = new THREE.BufferGeometry();
    bare.setAttribute('position', part.geometry.getAttribute('position').clone());
    if (part.geometry.index) bare.setIndex(part.geometry.index.clone());
    bare.applyMatrix4(new THREE.Matrix4().multiplyMatrices(inverse, part.matrixWorld));
    // Corners that several triangles share move together.
    const grown = mergeVertices(bare, 1e-6);
    grown.computeVertexNormals();
    const position = grown.getAttribute('position'), normal = grown.getAttribute('normal');
    for (let i = 0; i < position.count; ++i)
      position.setXYZ(i, position.getX(i) + padding * normal.getX(i), position.getY(i) + padding * normal.getY(i), position.getZ(i) + padding * normal.getZ(i));
    group.add(new THREE.Mesh(grown, new THREE.MeshBasicMaterial({color: PADDING, transparent: true, opacity: 0.25, depthWrite: false, toneMapped: false})));
  }
  group.matrixAutoUpdate = false;
  return group;
}
