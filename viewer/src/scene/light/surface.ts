// Materials of bodies: matte to direct light, with reflections of the environment alone, tone mapped where they are drawn.
import * as THREE from 'three';
import {ENVIRONMENT_GLSL} from './environment';
import {EXPOSURE, NEUTRAL_GLSL} from './theme';

/** Shared by all surfaces. */
export const SURFACE_UNIFORMS = {
  /** Of reflections. */
  reflected: {value: 0.36},
  /** What a lit floor sends upward, linear; the last is 1 where there is such light. */
  lightBelow: {value: new THREE.Vector4()},
  /** Of what is seen inside of bodies that are cut open, linear. */
  cutColor: {value: new THREE.Color(0.5, 0.22, 0.1)},
};

/** The largest channel of the darkest color that is shown, linear: black things keep their shape. */
const DARKEST = 0.045;

/** Light from one direction makes no highlights: those are the environment's. */
const MATTE = `
void RE_Direct_Matte(const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir,
    const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
  reflectedLight.directDiffuse += saturate(dot(geometryNormal, directLight.direction)) * directLight.color * BRDF_Lambert(material.diffuseColor);
}
#undef RE_Direct
#define RE_Direct RE_Direct_Matte
uniform float reflected;
uniform vec3 cutColor;
uniform vec4 lightBelow;
${ENVIRONMENT_GLSL}
${NEUTRAL_GLSL}
vec3 reflectedRadiance(vec3 toEye, vec3 normal, float roughness) {
  // What is rough mirrors what is nearer to its normal.
  vec3 mirrored = normalize(mix(reflect(-toEye, normal), normal, roughness * roughness));
  vec3 toward = inverseTransformDirection(mirrored, viewMatrix);
  return mix(reflected * environmentRadiance(toward, roughness), lightBelow.rgb, lightBelow.a * smoothstep(0.0, 0.2, -toward.z));
}
`;

const REFLECTIONS = `
radiance += reflectedRadiance(geometryViewDir, geometryNormal, material.roughness);
#ifdef USE_CLEARCOAT
clearcoatRadiance += reflectedRadiance(geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness);
#endif
`;

const FINISH = `
gl_FragColor.rgb = neutralToneMapped(${EXPOSURE.toFixed(3)} * gl_FragColor.rgb);
#if NUM_CLIPPING_PLANES > 0
if (!gl_FrontFacing) gl_FragColor.rgb = cutColor;
#endif
`;

function patch(shader: THREE.WebGLProgramParametersWithUniforms): void {
  Object.assign(shader.uniforms, SURFACE_UNIFORMS);
  shader.fragmentShader = shader.fragmentShader
      .replace('#include <lights_physical_pars_fragment>', `#include <lights_physical_pars_fragment>\n${MATTE}`)
      .replace('#include <color_fragment>', `#include <color_fragment>\ndiffuseColor.rgb += max(0.0, ${DARKEST} - max(diffuseColor.r, max(diffuseColor.g, diffuseColor.b)));`)
      .replace('#include <lights_fragment_maps>', REFLECTIONS)
      .replace('#include <tonemapping_fragment>', FINISH);
}

/** Without a coat, for slow graphics and for what is not a robot. */
export class Surface extends THREE.MeshStandardMaterial {
  override onBeforeCompile(shader: THREE.WebGLProgramParametersWithUniforms): void { patch(shader); }
  override customProgramCacheKey(): string { return 'surface'; }
}

/** With a clear coat. */
export class CoatedSurface extends THREE.MeshPhysicalMaterial {
  override onBeforeCompile(shader: THREE.WebGLProgramParametersWithUniforms): void { patch(shader); }
  override customProgramCacheKey(): string { return 'surface'; }
}
