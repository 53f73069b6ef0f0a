// What is drawn of messages of other tools.
import * as THREE from 'three';
import {GLTFLoader} from 'three/examples/jsm/loaders/GLTFLoader.js';
import type {Cloud, Drawing, Grid, Label, Line, Mesh, Model, Poses, Shapes} from '../../data/foreign/drawn';
import type {Color} from '../../data/foreign/geometry';
import {Surface} from '../light/surface';
import {Dots} from '../marks/dots';
import {textSprite} from '../marks/text_sprite';
import {WideLines, throughPoints} from '../marks/wide_lines';
import {AXES, cssOf} from '../palette';
import {setMatrix} from '../shapes/bodies';
import {solidsScene} from './solids';

/** Of axes and of paths, pixels. */
const AXIS_WIDTH = 3, PATH_WIDTH = 2.5, PATH = 0x3f90da;
const PLAIN = 0x3f90da;

/** Values of screens in linear light. */
const LINEAR = Float32Array.from({length: 256}, (_, i) => new THREE.Color().setRGB(i / 255, 0, 0, THREE.SRGBColorSpace).r);

const placed = (object: THREE.Object3D, pose: ArrayLike<number>): THREE.Object3D => {
  object.matrixAutoUpdate = false;
  setMatrix(object.matrix, pose as Float64Array);
  return object;
};

function cloudScene({positions, colors, size}: Cloud): THREE.Object3D {
  const geometry = new THREE.BufferGeometry(), clear = colors?.some((v, i) => (i & 3) === 3 && v < 255) ?? false;
  geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
  if (colors) geometry.setAttribute('color', new THREE.BufferAttribute(Float32Array.from(colors, (v, i) => ((i & 3) === 3 ? v / 255 : LINEAR[v])), 4));
  const points = new THREE.Points(geometry, new Dots({
    color: colors ? 0xffffff : PLAIN, vertexColors: colors !== null, size, sizeAttenuation: false, toneMapped: false, transparent: clear,
  }));
  points.frustumCulled = false;
  points.matrixAutoUpdate = false;
  return points;
}

function wide(ends: ArrayLike<number>, lines: WideLines): THREE.Object3D {
  lines.set(ends);
  if (ends.length > 0) lines.lines.geometry.computeBoundingBox();
  return lines.lines;
}

function posesScene({poses, path}: Poses, axis: number): THREE.Object3D {
  const group = new THREE.Group(), ends: number[] = [], colors: number[] = [];
  // Of a long path, some axes.
  const step = Math.max(1, Math.ceil(poses.length / 100));
  for (let i = 0; i < poses.length; i += step) {
    const p = poses[i];
    for (let k = 0; k < 3; ++k) {
      ends.push(p[9], p[10], p[11], p[9] + axis * p[k], p[10] + axis * p[3 + k], p[11] + axis * p[6 + k]);
      for (let end = 0; end < 2; ++end) colors.push(...[AXES[k] >> 16, (AXES[k] >> 8) & 255, AXES[k] & 255].map((v) => v / 255));
    }
  }
  const axes = new WideLines(null, {width: AXIS_WIDTH});
  group.add(wide(ends, axes));
  if (ends.length > 0) axes.setColors(colors);
  if (path && poses.length > 1) group.add(wide(throughPoints(poses.flatMap((p) => [p[9], p[10], p[11]])), new WideLines(PATH, {width: PATH_WIDTH})));
  return group;
}

const hexOf = ([r, g, b]: Color): number => new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace).getHex();

/** Ends of the pieces of a line, and which of its points they are. */
function piecesOf({points, pairs, closed}: Line): number[] {
  const count = points.length / 3;
  if (pairs) return Array.from({length: count - (count % 2)}, (_, i) => i);
  const ends = Array.from({length: Math.max(count - 1, 0)}, (_, i) => [i, i + 1]).flat();
  return closed && count > 2 ? [...ends, count - 1, 0] : ends;
}

function lineScene(line: Line): THREE.Object3D {
  const {points, colors, width, pixels, pose} = line, pieces = piecesOf(line), many = colors.length > 1, opacity = colors[0]?.[3] ?? 1;
  const lines = new WideLines(many ? null : hexOf(colors[0]), {width: pixels ? Math.max(width, 1) : Math.max(width, 1e-4), opacity});
  if (!pixels && width > 0) lines.material.worldUnits = true;
  else if (!pixels) lines.material.linewidth = 2;
  wide(pieces.flatMap((i) => points.slice(3 * i, 3 * i + 3)), lines);
  if (many && pieces.length > 0) lines.setColors(pieces.flatMap((i) => colors[i].slice(0, 3)));
  return placed(lines.lines, pose);
}

function meshScene({pose, points, triangles, colors}: Mesh): THREE.Object3D {
  const geometry = new THREE.BufferGeometry(), many = colors.length > 1, opacity = Math.min(...colors.map((color) => color[3])), transparent = opacity < 1;
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  if (many) geometry.setAttribute('color', new THREE.Float32BufferAttribute(colors.flatMap((c) => c.slice(0, 3).map((v) => LINEAR[Math.round(255 * Math.min(Math.max(v, 0), 1))])), 3));
  if (triangles) geometry.setIndex(triangles);
  const mesh = new THREE.Mesh(geometry, new Surface({
    color: many ? 0xffffff : hexOf(colors[0]), vertexColors: many, opacity, transparent, depthWrite: !transparent, roughness: 0.6, metalness: 0, flatShading: true, side: THREE.DoubleSide,
  }));
  mesh.castShadow = mesh.receiveShadow = !transparent;
  mesh.frustumCulled = false;
  return placed(mesh, pose);
}

function labelScene({text, color, size, pixels, pose}: Label): THREE.Object3D {
  const sprite = textSprite(text, cssOf(hexOf(color)), color[3], size > 0 ? size : pixels ? 12 : 0.1, pixels);
  sprite.position.set(pose[9], pose[10], pose[11]);
  sprite.updateMatrix();
  sprite.matrixAutoUpdate = false;
  sprite.raycast = () => undefined;
  return sprite;
}

/** Models of glTF have y up, which is z here, and their z forward, which is x here. */
const UP = new THREE.Matrix4().set(0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1);

/** It appears when it is read. */
function modelScene({pose, scale, data, color}: Model, changed: () => void): THREE.Object3D {
  const group = placed(new THREE.Group(), pose);
  group.matrix.scale(new THREE.Vector3(...scale)).multiply(UP);
  void new GLTFLoader().parseAsync(data.slice().buffer as ArrayBuffer, '').then((gltf) => {
    gltf.scene.traverse((part) => {
      part.updateMatrix();
      part.matrixAutoUpdate = false;
      if (!(part instanceof THREE.Mesh)) return;
      const {color: own, map, opacity, transparent, vertexColors} = part.material as THREE.MeshStandardMaterial;
      const tinted = color ? {color: hexOf(color), opacity: color[3], transparent: color[3] < 1} : {color: own, map, opacity, transparent, vertexColors};
      part.material = new Surface({...tinted, roughness: 0.6, metalness: 0, side: THREE.DoubleSide, flatShading: !(part.geometry as THREE.BufferGeometry).hasAttribute('normal')});
      part.castShadow = part.receiveShadow = true;
      part.frustumCulled = false;
    });
    group.add(gltf.scene);
    group.matrixWorldNeedsUpdate = true;
    changed();
  }, () => undefined);
  return group;
}

function shapesScene({solids, lines, meshes, labels, models, clouds}: Shapes, changed: () => void): THREE.Object3D {
  const group = new THREE.Group();
  const drawn = meshes.filter(({points}) => points.length >= 9), written = labels.filter(({text}) => text.trim() !== '');
  const parts = [
    ...solidsScene(solids), ...lines.filter(({points}) => points.length >= 6).map(lineScene), ...drawn.map(meshScene), ...written.map(labelScene),
    ...models.map((model) => modelScene(model, changed)), ...clouds.map(cloudScene),
  ];
  // Without any, that is a mistake to three.js.
  if (parts.length > 0) group.add(...parts);
  return group;
}

function gridScene({columns, rows, cell, colors}: Grid): THREE.Object3D {
  const texture = new THREE.DataTexture(colors, columns, rows, THREE.RGBAFormat);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.magFilter = THREE.NearestFilter;
  texture.needsUpdate = true;
  const [width, height] = [columns * cell[0], rows * cell[1]], geometry = new THREE.PlaneGeometry(width, height).translate(width / 2, height / 2, 0);
  const mesh = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({map: texture, transparent: true, side: THREE.DoubleSide, toneMapped: false, depthWrite: false}));
  mesh.frustumCulled = false;
  return mesh;
}

/** `axis`: length of axes, m; `changed`: called when there is more of it. */
export function drawingScene(drawing: Drawing, axis: number, changed: () => void): THREE.Object3D {
  switch (drawing.kind) {
    case 'cloud': return cloudScene(drawing);
    case 'poses': return posesScene(drawing, axis);
    case 'grid': return gridScene(drawing);
    case 'shapes': return shapesScene(drawing, changed);
  }
}
