// The outline of what is selected: two rings around its silhouette, one of which is seen on any color.
import * as THREE from 'three';
import {mergeVertices} from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import type {Body} from './bodies';
import {SELECTED} from '../palette';

/** Pixels that the rings reach beyond the body. */
const INNER = 2.5, OUTER = 3.8;

/** Pushes a hull out by pixels: along its normals, as the picture has them. */
export const PUSHED_OUT = `
uniform vec2 resolution;
uniform float reach;
#include <common>
void main() {
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  vec4 aside = projectionMatrix * vec4(normalMatrix * normal, 0.0);
  vec2 along = (aside.xy - gl_Position.xy / gl_Position.w * aside.w) * resolution;
  gl_Position.xy += reach * along / max(length(along), 1e-9) * 2.0 / resolution * gl_Position.w;
}
`;
export const ONE_COLOR = 'uniform vec3 color; void main() { gl_FragColor = vec4(color, 1.0); }';

/** The hull of a mesh, with one normal a corner, so that what is pushed out along them stays whole. */
export function hullOf(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  const bare = new THREE.BufferGeometry().setAttribute('position', geometry.getAttribute('position'));
  bare.setIndex(geometry.index);
  const merged = mergeVertices(bare, 1e-6);
  merged.computeVertexNormals();
  return merged;
}

/** Of the picture, as the page counts pixels. */
export const RESOLUTION = {value: new THREE.Vector2(1, 1)};

export class Outline {
  readonly root = new THREE.Group();
  private readonly hulls = new Map<THREE.BufferGeometry, THREE.BufferGeometry>();
  private readonly mask: THREE.MeshBasicMaterial;
  private readonly rings: THREE.ShaderMaterial[];
  private copies: {mesh: THREE.Mesh; of: THREE.Object3D}[] = [];
  private bodies: Body[] = [];

  constructor() {
    this.root.matrixAutoUpdate = false;
    const stencil = {stencilWrite: true, stencilRef: 1, depthTest: false, depthWrite: false, side: THREE.DoubleSide, transparent: true, forceSinglePass: true};
    this.mask = new THREE.MeshBasicMaterial({...stencil, colorWrite: false, stencilZPass: THREE.ReplaceStencilOp});
    this.rings = [OUTER, INNER].map((reach) => new THREE.ShaderMaterial({
      ...stencil, vertexShader: PUSHED_OUT, fragmentShader: ONE_COLOR, stencilFunc: THREE.NotEqualStencilFunc, toneMapped: false,
      uniforms: {resolution: RESOLUTION, reach: {value: reach}, color: {value: new THREE.Color(SELECTED.around)}},
    }));
  }

  setTheme(dark: boolean): void { (this.rings[1].uniforms.color.value as THREE.Color).setHex(dark ? SELECTED.dark : SELECTED.light); }

  /** Around these bodies, one of a kind in each log. */
  set(bodies: Body[]): void {
    for (const {mesh} of this.copies) this.root.remove(mesh);
    this.copies = [];
    this.bodies = bodies;
    for (const {parts} of bodies)
      for (const {object} of parts) {
        if (!(object instanceof THREE.Mesh)) continue;
        const geometry = object.geometry as THREE.BufferGeometry, hull = this.hulls.get(geometry) ?? hullOf(geometry);
        this.hulls.set(geometry, hull);
        [this.mask, ...this.rings].forEach((material, i) => {
          const mesh = new THREE.Mesh(i === 0 ? geometry : hull, material);
          mesh.matrixAutoUpdate = false;
          mesh.frustumCulled = false;
          mesh.renderOrder = 5 + i;
          this.copies.push({mesh, of: object});
          this.root.add(mesh);
        });
      }
  }

  /** Where the bodies are now. */
  update(): void {
    for (const {object} of this.bodies) object.updateWorldMatrix(false, true);
    const shown = this.bodies.some((body) => body.visible);
    for (const {mesh, of} of this.copies) {
      mesh.visible = shown && of.visible;
      mesh.matrix.copy(of.matrixWorld);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }
}
