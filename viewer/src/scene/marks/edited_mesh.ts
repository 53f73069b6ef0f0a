// The mesh of a shape that is edited, drawn as its edges.
import * as THREE from 'three';
import {MESH} from '../palette';

/** Triangles with their edges seen, as a shape's that is edited. */
export function meshOf(points: number[], triangles: number[]): THREE.Mesh {
  const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  geometry.setIndex(triangles);
  const mesh = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({color: MESH, wireframe: true, depthTest: false, transparent: true, toneMapped: false}));
  mesh.frustumCulled = false;
  mesh.renderOrder = 4;
  return mesh;
}
