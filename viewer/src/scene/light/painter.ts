// How a picture comes onto the canvas: drawn into a buffer of linear colors, summed over many frames where it stands, dithered.
import * as THREE from 'three';
import type {Floor} from './floor';
import type {Lights} from './lights';
import {pixelSample} from './sampling';
import {wholePicture} from './sky';

const VERTEX = 'varying vec2 at; void main() { at = 0.5 * position.xy + 0.5; gl_Position = vec4(position.xy, 0.0, 1.0); }';

/** To sRGB, and by less than a step up or down, without which gradients show bands (interleaved gradient noise). */
const SHOW = `
uniform sampler2D picture;
uniform vec2 share;
varying vec2 at;
void main() {
  vec3 c = clamp(texture2D(picture, at * share).rgb, 0.0, 1.0);
  c = mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  gl_FragColor = vec4(c + (noise - 0.5) / 255.0, 1.0);
}
`;
const SUM = `
uniform sampler2D sum, picture;
uniform float weight;
varying vec2 at;
void main() { gl_FragColor = mix(texture2D(sum, at), texture2D(picture, at), weight); }
`;

function pass(fragmentShader: string, uniforms: Record<string, THREE.IUniform>): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({vertexShader: VERTEX, fragmentShader, uniforms, depthTest: false, depthWrite: false, toneMapped: false, blending: THREE.NoBlending});
}

/** What a frame took. */
export interface FrameStatistics { calls: number; triangles: number; shadowCalls: number; shadowTriangles: number }

/** Whether this browser draws without a graphics processor. */
export function drawsBySoftware(gl: WebGL2RenderingContext | WebGLRenderingContext): boolean {
  let name = String(gl.getParameter(gl.RENDERER));
  // Some browsers say so themselves, and complain when they are asked twice.
  const names = /^webkit/i.test(name) ? gl.getExtension('WEBGL_debug_renderer_info') : null;
  if (names) name = String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL));
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

/** Pixels of a picture, for a canvas of a size, in as many pixels of the screen. */
const full = () => Math.min(window.devicePixelRatio, 2);

/** Frames that make a picture at rest, and how many are there before it is shown. */
const FRAMES = {slow: 32, fast: 96}, SHOWN_FROM = {slow: 8, fast: 16};

export class Painter {
  readonly statistics: FrameStatistics = {calls: 0, triangles: 0, shadowCalls: 0, shadowTriangles: 0};
  /** Frames that are in the sum, of `frames`. */
  summed = 0;
  readonly frames: number;
  private readonly moving: THREE.WebGLRenderTarget;
  private readonly still: THREE.WebGLRenderTarget;
  private readonly sums: THREE.WebGLRenderTarget[];
  private readonly show = pass(SHOW, {picture: {value: null}, share: {value: new THREE.Vector2(1, 1)}});
  private readonly add = pass(SUM, {sum: {value: null}, picture: {value: null}, weight: {value: 1}});
  private readonly quad = new THREE.Mesh(wholePicture(), this.show);
  private readonly flat = new THREE.Camera();
  private readonly shift = new THREE.Vector2();
  private readonly size = new THREE.Vector2();
  private readonly shownFrom: number;
  /** Whether the shadow of the sun is not where a single picture has it. */
  private shadowsOff = true;

  constructor(
      private readonly renderer: THREE.WebGLRenderer, private readonly scene: THREE.Scene, private readonly camera: THREE.PerspectiveCamera,
      private readonly lights: Lights, private readonly floor: Floor, readonly slow: boolean, private readonly setDetail: (detail: number) => void) {
    this.frames = slow ? FRAMES.slow : FRAMES.fast;
    this.shownFrom = slow ? SHOWN_FROM.slow : SHOWN_FROM.fast;
    const target = (type: THREE.TextureDataType, depth: boolean, samples = 0) => new THREE.WebGLRenderTarget(1, 1, {
      type, samples, depthBuffer: depth, stencilBuffer: depth, generateMipmaps: false, minFilter: THREE.LinearFilter, magFilter: THREE.LinearFilter,
    });
    const exact = renderer.extensions.has('EXT_color_buffer_float') ? THREE.FloatType : THREE.HalfFloatType;
    const fine = exact === THREE.FloatType || renderer.extensions.has('EXT_color_buffer_half_float') ? THREE.HalfFloatType : THREE.UnsignedByteType;
    this.still = target(fine, true);
    // Several samples a pixel take twice the time where there is no graphics processor.
    this.moving = slow ? this.still : target(fine, true, 4);
    this.sums = [0, 1].map(() => target(fine === THREE.HalfFloatType ? exact : fine, false));
    for (const sum of this.sums) sum.texture.minFilter = sum.texture.magFilter = THREE.NearestFilter;
    this.quad.frustumCulled = false;
    renderer.info.autoReset = false;
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = THREE.PCFShadowMap;
    renderer.shadowMap.autoUpdate = false;
  }

  /** Bodies are elsewhere, or others: so are their shadows. */
  shadowsChanged(): void { this.shadowsOff = true; }

  get complete(): boolean { return this.summed >= this.frames; }

  resize(width: number, height: number): void {
    this.renderer.setPixelRatio(full());
    this.renderer.setSize(width, height);
    this.renderer.getDrawingBufferSize(this.size);
    for (const target of new Set([this.still, this.moving, ...this.sums])) target.setSize(this.size.x, this.size.y);
    this.summed = 0;
  }

  /** One picture; of less detail, fewer pixels along each side. */
  draw(detail: number): void {
    this.summed = 0;
    const {moving, size} = this;
    const width = Math.max(1, Math.round(detail * size.x)), height = Math.max(1, Math.round(detail * size.y));
    moving.viewport.set(0, 0, width, height);
    moving.scissor.set(0, 0, width, height);
    moving.scissorTest = true;
    this.lights.still();
    this.floor.skyWeight = 1;
    this.renderer.shadowMap.needsUpdate = this.shadowsOff;
    this.shadowsOff = false;
    this.setDetail(detail);
    this.paint(moving);
    this.present(moving.texture, width / size.x, height / size.y);
  }

  /** Adds a frame to the sum, and shows it when it is better than a single picture. */
  refine(): void {
    const {renderer, still, sums, size, camera, shift} = this, n = this.summed;
    if (n >= this.frames || size.x === 0) return;
    pixelSample(n, shift);
    camera.setViewOffset(size.x, size.y, shift.x, shift.y, size.x, size.y);
    this.floor.skyWeight = this.lights.sample(n, this.frames);
    renderer.shadowMap.needsUpdate = true;
    this.shadowsOff = true;
    still.viewport.set(0, 0, size.x, size.y);
    still.scissorTest = false;
    this.setDetail(1);
    this.paint(still);
    camera.clearViewOffset();
    const [from, to] = n % 2 === 0 ? sums : [sums[1], sums[0]];
    Object.assign(this.add.uniforms, {sum: {value: from.texture}, picture: {value: still.texture}, weight: {value: 1 / (n + 1)}});
    this.fill(this.add, to);
    this.summed = n + 1;
    if (this.summed >= this.shownFrom || this.complete) this.present(to.texture, 1, 1);
  }

  private paint(target: THREE.WebGLRenderTarget): void {
    const {renderer, statistics} = this;
    renderer.info.reset();
    renderer.setRenderTarget(target);
    renderer.clear();
    renderer.render(this.scene, this.camera);
    const {calls, triangles} = renderer.info.render;
    statistics.calls = calls - statistics.shadowCalls;
    statistics.triangles = triangles - statistics.shadowTriangles;
  }

  /** Called when shadows are drawn, and nothing else is yet. */
  countShadows(): void {
    this.statistics.shadowCalls = this.renderer.info.render.calls;
    this.statistics.shadowTriangles = this.renderer.info.render.triangles;
  }

  private present(picture: THREE.Texture, x: number, y: number): void {
    this.show.uniforms.picture.value = picture;
    this.show.uniforms.share.value.set(x, y);
    this.fill(this.show, null);
  }

  private fill(material: THREE.ShaderMaterial, target: THREE.WebGLRenderTarget | null): void {
    this.quad.material = material;
    this.renderer.setRenderTarget(target);
    this.renderer.render(this.quad, this.flat);
  }
}
