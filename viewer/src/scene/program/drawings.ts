// Drawings of a program beside a world: points, lines, frames, meshes and texts.
import * as THREE from 'three';
import {LineMaterial} from 'three/examples/jsm/lines/LineMaterial.js';
import {LineSegments2} from 'three/examples/jsm/lines/LineSegments2.js';
import {LineSegmentsGeometry} from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import {Surface} from '../light/surface';
import {textSprite} from '../marks/text_sprite';
import {AXES} from '../palette';
import type {Drawing, Drawings} from '../../data/protocol';

const FRAME_WIDTH = 3;
const DIRECTIONS = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

/** The bytes that a text holds as base64. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Numbers of 32 bits, little-endian as the machine's are wherever browsers run. */
export const floatsOf = (base64 = ''): Float32Array<ArrayBuffer> => new Float32Array(bytesOf(base64).buffer);
export const indicesOf = (base64 = ''): Uint32Array<ArrayBuffer> => new Uint32Array(bytesOf(base64).buffer);

/** A pose by rows of its rotation and its position. */
export function setPose(matrix: THREE.Matrix4, T: number[]): void {
  matrix.set(T[0], T[1], T[2], T[9], T[3], T[4], T[5], T[10], T[6], T[7], T[8], T[11], 0, 0, 0, 1);
}

function materialOptions({color, opacity}: Drawing) {
  return {color: new THREE.Color(color), opacity, transparent: opacity < 1, depthWrite: opacity === 1};
}

function pointsOf(drawing: Drawing): THREE.Object3D {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(floatsOf(drawing.points), 3));
  const options = {...materialOptions(drawing), size: drawing.size, sizeAttenuation: false, toneMapped: false};
  if (!drawing.colors) return new THREE.Points(geometry, new THREE.PointsMaterial(options));
  // As screens show them; the graphics count in linear light.
  const bytes = bytesOf(drawing.colors), colors = new Float32Array(bytes.length), color = new THREE.Color();
  for (let i = 0; i < bytes.length; i += 4) {
    color.setRGB(bytes[i] / 255, bytes[i + 1] / 255, bytes[i + 2] / 255, THREE.SRGBColorSpace).toArray(colors, i);
    colors[i + 3] = bytes[i + 3] / 255;
  }
  geometry.setAttribute('color', new THREE.BufferAttribute(colors, 4));
  return new THREE.Points(geometry, new THREE.PointsMaterial({...options, color: 0xffffff, vertexColors: true}));
}

/** Lines with a width in pixels. */
function wideLines(ends: ArrayLike<number>, material: LineMaterial, colors?: number[]): THREE.Object3D {
  const geometry = new LineSegmentsGeometry();
  geometry.setPositions(Float32Array.from(ends));
  if (colors) geometry.setColors(colors);
  const lines = new LineSegments2(geometry, material);
  lines.raycast = () => undefined;
  return lines;
}

function linesOf(drawing: Drawing): THREE.Object3D {
  const ends = floatsOf(drawing.points);
  if (ends.length === 0) return new THREE.Group();
  return wideLines(ends, new LineMaterial({...materialOptions(drawing), linewidth: drawing.size, toneMapped: false}));
}

function frameOf({size, opacity}: Drawing): THREE.Object3D {
  const ends = DIRECTIONS.flatMap((axis) => [0, 0, 0, ...axis.map((x) => x * size)]);
  const colors = AXES.flatMap((axis) => {
    const linear = new THREE.Color(axis).toArray();
    return [...linear, ...linear];
  });
  return wideLines(ends, new LineMaterial({vertexColors: true, linewidth: FRAME_WIDTH, opacity, transparent: opacity < 1, toneMapped: false}), colors);
}

function meshOf(drawing: Drawing): THREE.Object3D {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(floatsOf(drawing.points), 3));
  geometry.setIndex(new THREE.BufferAttribute(indicesOf(drawing.triangles), 1));
  const mesh = new THREE.Mesh(geometry, new Surface({
    ...materialOptions(drawing), roughness: 0.6, metalness: 0, flatShading: true, side: THREE.DoubleSide,
  }));
  mesh.castShadow = mesh.receiveShadow = drawing.opacity === 1;
  return mesh;
}

/** A text that faces the eye, its letters `size` meters high. */
function textOf({text = '', color, opacity, size}: Drawing): THREE.Object3D {
  const sprite = textSprite(text, color, opacity, size);
  sprite.center.set(0, 0);
  return sprite;
}

const MAKERS = {points: pointsOf, lines: linesOf, frame: frameOf, mesh: meshOf, text: textOf};

interface Drawn {
  drawing: Drawing;
  /** Has the pose; what is drawn is in it. */
  place: THREE.Group;
}

/** Gives the graphics' memory back. */
export function dispose(object: THREE.Object3D): void {
  object.traverse((part) => {
    const {geometry, material} = part as Partial<THREE.Mesh>;
    geometry?.dispose();
    for (const one of [material ?? []].flat()) {
      (one as THREE.SpriteMaterial).map?.dispose();
      one.dispose();
    }
  });
}

export class DrawingScene {
  readonly root = new THREE.Group();
  private readonly drawn = new Map<string, Drawn>();

  get size(): number { return this.drawn.size; }
  get(name: string): Drawing | undefined { return this.drawn.get(name)?.drawing; }

  /** Those that people drag, in the order in which they came. */
  draggable(): Drawing[] { return [...this.drawn.values()].map(({drawing}) => drawing).filter(({drag}) => drag !== 'none'); }

  /** `kept`: a drawing whose pose the mouse has now. */
  take({drawings, poses, removed}: Drawings, kept: string | null = null): void {
    for (const name of removed) this.remove(name);
    for (const drawing of drawings) this.add(drawing);
    for (const {name, T} of poses) if (name !== kept) this.move(name, T);
  }

  clear(): void { for (const name of [...this.drawn.keys()]) this.remove(name); }

  move(name: string, T: number[]): void {
    const drawn = this.drawn.get(name);
    if (!drawn) return;
    drawn.drawing = {...drawn.drawing, T};
    setPose(drawn.place.matrix, T);
    drawn.place.matrixWorldNeedsUpdate = true;
  }

  bounds(): THREE.Box3 {
    this.root.updateMatrixWorld(true);
    const box = new THREE.Box3();
    for (const {drawing, place} of this.drawn.values()) if (drawing.visible) box.expandByObject(place);
    return box;
  }

  private add(drawing: Drawing): void {
    const old = this.drawn.get(drawing.name), place = old?.place ?? new THREE.Group();
    for (const child of [...place.children]) {
      dispose(child);
      place.remove(child);
    }
    const object = MAKERS[drawing.kind](drawing);
    object.frustumCulled = false;
    place.add(object);
    place.matrixAutoUpdate = false;
    place.visible = drawing.visible;
    if (!old) this.root.add(place);
    this.drawn.set(drawing.name, {drawing, place});
    this.move(drawing.name, drawing.T);
  }

  private remove(name: string): void {
    const drawn = this.drawn.get(name);
    if (!drawn) return;
    dispose(drawn.place);
    this.root.remove(drawn.place);
    this.drawn.delete(name);
  }
}
