// What is behind everything: a gradient from the horizon upward and downward, without a line between.
import * as THREE from 'three';
import type {Theme} from './theme';

const VERTEX = `
uniform vec3 forward, right, up;
varying vec3 toward;
void main() {
  toward = forward + position.x * right + position.y * up;
  gl_Position = vec4(position.xy, 1.0, 1.0);
}
`;
const FRAGMENT = `
uniform vec3 zenith, horizon, ground;
varying vec3 toward;
void main() {
  vec3 d = normalize(toward);
  gl_FragColor = vec4(mix(horizon, d.z > 0.0 ? zenith : ground, pow(abs(d.z), 1.3)), 1.0);
}
`;

/** A triangle that covers the picture. */
export function wholePicture(): THREE.BufferGeometry {
  return new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute([-1, -1, 0, 3, -1, 0, -1, 3, 0], 3));
}

export class Sky {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;

  constructor() {
    const uniforms = Object.fromEntries(['forward', 'right', 'up'].map((name) => [name, {value: new THREE.Vector3()}])) as Record<string, THREE.IUniform>;
    for (const name of ['zenith', 'horizon', 'ground']) uniforms[name] = {value: new THREE.Color()};
    this.mesh = new THREE.Mesh(wholePicture(), new THREE.ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, depthTest: false, depthWrite: false, toneMapped: false,
    }));
    this.mesh.frustumCulled = false;
    this.mesh.matrixAutoUpdate = false;
    this.mesh.renderOrder = -10;
  }

  /** A world's own background is of one color. */
  setTheme({sky}: Theme, own: THREE.Color | null): void {
    const {uniforms} = this.mesh.material;
    for (const name of ['zenith', 'horizon', 'ground'] as const) uniforms[name].value.copy(own ?? sky[name]);
  }

  /** Where the camera sees it; parallel views see it as others do. */
  update(camera: THREE.PerspectiveCamera): void {
    const {forward, right, up} = this.mesh.material.uniforms, slope = Math.tan((camera.fov * Math.PI) / 360), e = camera.matrixWorld.elements;
    right.value.set(e[0], e[1], e[2]).multiplyScalar(slope * camera.aspect);
    up.value.set(e[4], e[5], e[6]).multiplyScalar(slope);
    forward.value.set(-e[8], -e[9], -e[10]);
  }
}
