// Entities that stay until they are replaced, deleted, or too old: Foxglove's scenes, and markers of ROS.
import {multiply} from '../kinematics';
import {type Fields, type Tree, bytesOf, fieldsOf, listOf, numberOf, secondsOf, textOf} from '../schemas/tree';
import {type Cloud, type Line, type Placed, type Shapes, type Solid, noShapes} from './drawn';
import {type Color, IDENTITY, colorOf, frameOf, poseOf, vectorOf} from './geometry';

/** `lifetime`: s; 0: for ever. `locked`: it goes with its frame. */
export interface Entity extends Placed { id: string; lifetime: number; locked: boolean }

export interface Update {
  /** Of an entity, or, without an id, of all whose ids begin with `group`. Deletions come before what is new. */
  deleted: {id: string | null; group: string}[];
  entities: Entity[];
  /** What is not drawn, by name. */
  left: string[];
}

export const isDeleted = (id: string, deletion: Update['deleted'][number]): boolean => (deletion.id === null ? id.startsWith(deletion.group) : id === deletion.id);

const numbersIn = (points: Tree | undefined): number[] => listOf(points).flatMap((point) => vectorOf(point));
const indicesIn = (value: Tree | undefined): number[] => listOf(value).map((v) => numberOf(v));

/** One color a point, where there is one for each, else one for all. */
function colorsOf(message: Fields, count: number): Color[] {
  const all = listOf(message.colors);
  return count > 0 && all.length === count ? all.map(colorOf) : [colorOf(message.color)];
}

function arrowOf(message: Fields): Solid {
  const [shaft, thick, head, wide] = [message.shaft_length, message.shaft_diameter, message.head_length, message.head_diameter].map((v) => numberOf(v));
  return {shape: 'arrow', pose: poseOf(message.pose), size: [shaft, thick, head, wide], color: colorOf(message.color)};
}

const solidOf = (shape: Solid['shape']) => (message: Fields): Solid =>
  ({shape, pose: poseOf(message.pose), size: vectorOf(message.size), color: colorOf(message.color)});

function cylinderOf(message: Fields): Solid {
  const bottom = numberOf(message.bottom_scale), top = numberOf(message.top_scale);
  return {...solidOf('cylinder')(message), taper: [bottom, top]};
}

function lineOf(message: Fields): Line {
  const all = numbersIn(message.points), colors = colorsOf(message, all.length / 3), indices = indicesIn(message.indices), type = numberOf(message.type);
  const known = indices.filter((i) => 3 * i + 2 < all.length && i >= 0), indexed = indices.length > 0;
  return {
    pose: poseOf(message.pose), points: indexed ? known.flatMap((i) => all.slice(3 * i, 3 * i + 3)) : all, pairs: type === 2, closed: type === 1,
    width: numberOf(message.thickness), pixels: numberOf(message.scale_invariant) !== 0, colors: indexed && colors.length > 1 ? known.map((i) => colors[i]) : colors,
  };
}

function meshOf(message: Fields) {
  const points = numbersIn(message.points), indices = indicesIn(message.indices).filter((i) => i >= 0 && 3 * i + 2 < points.length);
  return {pose: poseOf(message.pose), points, triangles: indices.length > 0 ? indices.slice(0, indices.length - (indices.length % 3)) : null, colors: colorsOf(message, points.length / 3)};
}

function labelOf(message: Fields) {
  const pixels = numberOf(message.scale_invariant) !== 0;
  return {pose: poseOf(message.pose), text: textOf(message.text), size: numberOf(message.font_size), pixels, color: colorOf(message.color)};
}

const GLB = 'glTF';

/** Models are drawn where the message itself holds them, as binary glTF. */
function addModel(message: Fields, shapes: Shapes, left: string[]): void {
  const data = bytesOf(message.data), own = numberOf(message.override_color) !== 0;
  if (GLB === new TextDecoder().decode(data.subarray(0, 4))) {
    shapes.models.push({pose: poseOf(message.pose), scale: vectorOf(message.scale, 1), data, color: own ? colorOf(message.color) : null});
    return;
  }
  left.push(textOf(message.url) ? `the model '${textOf(message.url)}', which lies elsewhere` : `a model of the type '${textOf(message.media_type)}'`);
}

function foxgloveEntity(message: Fields, left: string[]): Entity {
  const drawing = noShapes(), all = (name: string) => listOf(message[name]).map(fieldsOf);
  drawing.solids.push(...all('arrows').map(arrowOf), ...all('cubes').map(solidOf('cube')), ...all('spheres').map(solidOf('sphere')), ...all('cylinders').map(cylinderOf));
  drawing.lines.push(...all('lines').map(lineOf));
  drawing.meshes.push(...all('triangles').map(meshOf));
  drawing.labels.push(...all('texts').map(labelOf));
  for (const model of all('models')) addModel(model, drawing, left);
  return {
    id: textOf(message.id), lifetime: secondsOf(message.lifetime) ?? 0, locked: numberOf(message.frame_locked) !== 0, frame: frameOf(message), pose: IDENTITY, drawing,
  };
}

/** Deletions are of what has one id, or of all that is older than they are. */
function foxgloveScene(message: Fields): Update {
  const left: string[] = [];
  const deleted = listOf(message.deletions).map(fieldsOf).map((one) => ({id: numberOf(one.type) === 1 ? null : textOf(one.id), group: ''}));
  return {deleted, entities: listOf(message.entities).map((one) => foxgloveEntity(fieldsOf(one), left)), left};
}

/** Markers of ROS by their numbers. */
const enum Marker { arrow, cube, sphere, cylinder, lineStrip, lineList, cubeList, sphereList, points, text, mesh, triangles }

/** An arrow along x, or from one point to another. */
function markerArrow(message: Fields): Solid {
  const [x, y, z] = vectorOf(message.scale), points = numbersIn(message.points), pose = poseOf(message.pose), color = colorOf(message.color);
  if (points.length < 6) return {shape: 'arrow', pose, size: [0.77 * x, y, 0.23 * x, 2 * y], color};
  const d = [0, 1, 2].map((k) => points[3 + k] - points[k]), length = Math.hypot(...d) || 1, head = z > 0 ? Math.min(z, length) : 0.23 * length;
  // The shortest turn that leads x along the arrow.
  const [ux, uy, uz] = d.map((v) => v / length), turn = ux > -1 + 1e-9 ? [0, -uz, uy, 1 + ux] : [0, 0, 1, 0];
  const local = poseOf({position: {x: points[0], y: points[1], z: points[2]}, orientation: {x: turn[0], y: turn[1], z: turn[2], w: turn[3]}});
  return {shape: 'arrow', pose: multiply(pose, local, new Float64Array(12)), size: [length - head, x, head, y], color};
}

/** A solid at each of the points of a marker. */
function solidsAt(message: Fields, shape: Solid['shape']): Solid[] {
  const pose = poseOf(message.pose), points = numbersIn(message.points), colors = colorsOf(message, points.length / 3), size = vectorOf(message.scale);
  return Array.from({length: points.length / 3}, (_, i) => {
    const [x, y, z] = points.slice(3 * i, 3 * i + 3), own = pose.slice();
    for (let k = 0; k < 3; ++k) own[9 + k] += pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z;
    return {shape, pose: own, size, color: colors[i] ?? colors[0]};
  });
}

function markerCloud(message: Fields): Cloud {
  const positions = Float32Array.from(numbersIn(message.points)), colors = colorsOf(message, positions.length / 3), bytes = new Uint8Array(4 * positions.length / 3);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = 255 * (colors[i >> 2] ?? colors[0])[i & 3];
  return {kind: 'cloud', positions, colors: bytes, size: 4};
}

function markerShapes(message: Fields, left: string[]): Shapes {
  const shapes = noShapes(), type = numberOf(message.type), pose = poseOf(message.pose), color = colorOf(message.color), size = vectorOf(message.scale);
  const points = () => numbersIn(message.points), colors = (n: number) => colorsOf(message, n);
  if (type === Marker.arrow) shapes.solids.push(markerArrow(message));
  else if (type === Marker.cube) shapes.solids.push({shape: 'cube', pose, size, color});
  else if (type === Marker.sphere) shapes.solids.push({shape: 'sphere', pose, size, color});
  else if (type === Marker.cylinder) shapes.solids.push({shape: 'cylinder', pose, size, color, taper: [1, 1]});
  else if (type === Marker.cubeList) shapes.solids.push(...solidsAt(message, 'cube'));
  else if (type === Marker.sphereList) shapes.solids.push(...solidsAt(message, 'sphere'));
  else if (type === Marker.lineStrip || type === Marker.lineList) {
    const all = points();
    shapes.lines.push({pose, points: all, pairs: type === Marker.lineList, closed: false, width: size[0], pixels: false, colors: colors(all.length / 3)});
  } else if (type === Marker.triangles) {
    const all = points();
    shapes.meshes.push({pose, points: all, triangles: null, colors: colors(all.length / 3)});
  } else if (type === Marker.text) shapes.labels.push({pose, text: textOf(message.text), size: size[2], pixels: false, color});
  else if (type === Marker.points) shapes.clouds.push(markerCloud(message));
  else left.push(type === Marker.mesh ? `the mesh '${textOf(message.mesh_resource)}', which lies elsewhere` : `a marker of type ${type}`);
  return shapes;
}

const REMOVE = 2, REMOVE_ALL = 3;

/** What is deleted again by the same message is none of its entities. */
function markers(list: Fields[]): Update {
  const update: Update = {deleted: [], entities: [], left: []};
  for (const message of list) {
    const id = `${textOf(message.ns)}\n${numberOf(message.id)}`, action = numberOf(message.action), pose = poseOf(message.pose);
    if (action === REMOVE || action === REMOVE_ALL) {
      const deletion = {id: action === REMOVE ? id : null, group: action === REMOVE_ALL && textOf(message.ns) ? `${textOf(message.ns)}\n` : ''};
      update.deleted.push(deletion);
      update.entities = update.entities.filter((entity) => !isDeleted(entity.id, deletion));
      continue;
    }
    const drawing = markerShapes(message, update.left);
    update.entities.push({
      id, lifetime: secondsOf(message.lifetime) ?? 0, locked: numberOf(message.frame_locked) !== 0, frame: frameOf(message), pose: drawing.clouds.length > 0 ? pose : IDENTITY, drawing,
    });
  }
  return update;
}

/** By schema. */
export const ENTITIES: Record<string, (message: Fields) => Update> = {
  'foxglove.SceneUpdate': foxgloveScene,
  'foxglove.SceneEntity': (message) => ({deleted: [], entities: [foxgloveEntity(message, [])], left: []}),
  'foxglove.SceneEntityDeletion': (message) => foxgloveScene({deletions: [message]}),
  'visualization_msgs/Marker': (message) => markers([message]),
  'visualization_msgs/MarkerArray': (message) => markers(listOf(message.markers).map(fieldsOf)),
};
