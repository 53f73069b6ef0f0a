// The floor: one color times the share of light that arrives there, with a grid, fading into the sky.
import * as THREE from 'three';
import type {Theme} from './theme';

const VERTEX = `
#include <common>
#include <shadowmap_pars_vertex>
varying vec2 place;
void main() {
  vec3 objectNormal = vec3(0.0, 0.0, 1.0), transformedNormal = normalMatrix * objectNormal;
  vec4 worldPosition = modelMatrix * vec4(position, 1.0);
  place = worldPosition.xy;
  gl_Position = projectionMatrix * viewMatrix * worldPosition;
  #include <shadowmap_vertex>
}
`;

const FRAGMENT = `
#include <common>
#include <packing>
#include <lights_pars_begin>
#include <shadowmap_pars_fragment>
uniform vec3 floorColor, gridColor;
uniform vec2 center;
uniform float reach, cell, gridShare, skyWeight, contactShare;
uniform sampler2D contact;
uniform vec3 contactPlace;
varying vec2 place;

// The floor shades itself nowhere, so that its shadows may be softer than those on bodies.
const float FLOOR_BLUR = 5.0;

float gridLine(float spacing, float halfWidth) {
  vec2 at = place / spacing, step = max(fwidth(at), 1e-9);
  vec2 away = abs(fract(at - 0.5) - 0.5) / step;
  vec2 seen = clamp(halfWidth + 0.5 - away, 0.0, 1.0) * smoothstep(3.0, 8.0, 1.0 / step);
  return max(seen.x, seen.y);
}

float visible(int light) {
  float share = 1.0;
#if defined(USE_SHADOWMAP) && NUM_DIR_LIGHT_SHADOWS > 0
  if (light == 0) share = getShadow(directionalShadowMap[0], directionalLightShadows[0].shadowMapSize, directionalLightShadows[0].shadowIntensity,
      directionalLightShadows[0].shadowBias, directionalLightShadows[0].shadowRadius, vDirectionalShadowCoord[0]);
#endif
#if defined(USE_SHADOWMAP) && NUM_DIR_LIGHT_SHADOWS > 1
  if (light == 1) share = getShadow(directionalShadowMap[1], directionalLightShadows[1].shadowMapSize, directionalLightShadows[1].shadowIntensity,
      directionalLightShadows[1].shadowBias, FLOOR_BLUR * directionalLightShadows[1].shadowRadius, vDirectionalShadowCoord[1]);
#endif
  return share;
}

void main() {
  float away = distance(place, center);
  float alpha = 1.0 - smoothstep(0.35 * reach, reach, away);
  if (alpha <= 0.0) discard;
  float sky = 1.0;
#if NUM_DIR_LIGHT_SHADOWS > 1
  sky = skyWeight > 0.0 ? skyWeight * visible(1) : 0.0;
#else
  vec2 under = (place - contactPlace.xy) / contactPlace.z + 0.5;
  if (contactShare > 0.0 && all(greaterThan(under, vec2(0.0))) && all(lessThan(under, vec2(1.0)))) sky -= contactShare * texture2D(contact, under).r;
#endif
  float lit = 0.5 * visible(0) + 0.5 * sky;
  float grid = gridShare > 0.0 ? gridShare * max(gridLine(cell, 0.25), gridLine(10.0 * cell, 0.65)) * (1.0 - smoothstep(0.2 * reach, 0.8 * reach, away)) : 0.0;
  gl_FragColor = vec4(mix(floorColor, gridColor, grid) * lit, alpha);
}
`;

/** A cell of the grid is a power of ten, m, and takes at least so many pixels where the camera looks. */
const LEAST_PIXELS = 32;

export class Floor {
  readonly mesh: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;
  private readonly uniforms: Record<string, THREE.IUniform>;
  private share = 0;
  private grid = true;
  /** Meters from its middle to where it has faded away. */
  reach = 7;

  constructor() {
    const nothing = new THREE.DataTexture(new Uint8Array(4), 1, 1);
    nothing.needsUpdate = true;
    this.uniforms = THREE.UniformsUtils.merge([THREE.UniformsLib.lights, {
      floorColor: {value: new THREE.Color()}, gridColor: {value: new THREE.Color()}, center: {value: new THREE.Vector2()}, reach: {value: 7},
      cell: {value: 1}, gridShare: {value: 0}, skyWeight: {value: 1}, contactShare: {value: 0}, contact: {value: nothing},
      contactPlace: {value: new THREE.Vector3(0, 0, 1)},
    }]);
    this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), new THREE.ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: this.uniforms, lights: true, transparent: true, depthWrite: false, toneMapped: false,
    }));
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.mesh.matrixAutoUpdate = false;
    // Behind everything that one sees through.
    this.mesh.renderOrder = -5;
  }

  setTheme(theme: Theme): void {
    this.uniforms.floorColor.value.copy(theme.floor);
    this.uniforms.gridColor.value.copy(theme.grid);
    this.share = theme.gridShare;
    this.setGrid(this.grid);
  }

  setGrid(shown: boolean): void {
    this.grid = shown;
    this.uniforms.gridShare.value = shown ? this.share : 0;
  }

  /** At a height; what lies below a floor that the world has is hidden by it. */
  place(height: number, reach: number, real: boolean): void {
    this.reach = reach;
    this.uniforms.reach.value = reach;
    this.mesh.matrix.makeScale(1.1 * reach, 1.1 * reach, 1).setPosition(0, 0, height);
    this.mesh.matrixWorldNeedsUpdate = true;
    this.mesh.material.depthWrite = real;
  }

  /** Under where the camera looks, with a grid as fine as can be told apart there. */
  update(target: THREE.Vector3, metersPerPixel: number): void {
    this.uniforms.center.value.set(target.x, target.y);
    const e = this.mesh.matrix.elements;
    e[12] = target.x;
    e[13] = target.y;
    this.mesh.matrixWorldNeedsUpdate = true;
    this.uniforms.cell.value = gridCell(metersPerPixel);
  }

  /** How much the sky light of a frame of a sum counts here. */
  set skyWeight(weight: number) { this.uniforms.skyWeight.value = weight; }

  /** Soft shadows of what is right above, while the rest of the sky's light is not drawn. */
  setContact(texture: THREE.Texture, middle: THREE.Vector3, width: number, share: number): void {
    this.uniforms.contact.value = texture;
    this.uniforms.contactPlace.value.set(middle.x, middle.y, width);
    this.uniforms.contactShare.value = share;
  }
}

/** A cell that takes at least as many pixels as it should. */
export function gridCell(metersPerPixel: number): number {
  return 10 ** Math.ceil(Math.log10(Math.max(LEAST_PIXELS * metersPerPixel, 1e-9)) - 1e-9);
}
