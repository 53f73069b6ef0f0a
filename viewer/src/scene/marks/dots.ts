// Points as disks of a number of pixels, however finely a picture is drawn.
import * as THREE from 'three';

/** Pixels of the picture that is drawn, of those of one in full, along each side. */
const detail = {value: 1};
export const setDotDetail = (value: number): void => void (detail.value = value);

/** What is drawn of a point is round. */
export class Dots extends THREE.PointsMaterial {
  override onBeforeCompile(shader: THREE.WebGLProgramParametersWithUniforms): void {
    shader.uniforms.detail = detail;
    shader.vertexShader = 'uniform float detail;\n' + shader.vertexShader.replace('gl_PointSize = size;', 'gl_PointSize = size * detail;');
    shader.fragmentShader = shader.fragmentShader.replace('#include <clipping_planes_fragment>',
        '#include <clipping_planes_fragment>\nif (distance(gl_PointCoord, vec2(0.5)) > 0.5) discard;');
  }
  override customProgramCacheKey(): string { return 'dots'; }
}

/** Points of `size` pixels; `above`: seen through everything. */
export function dots(color: number, size: number, above = false): Dots {
  return new Dots({color, size, sizeAttenuation: false, depthTest: !above, transparent: above, toneMapped: false});
}
