// What is drawn besides shapes: sensors with their rays and images' frusta, padded shapes, inertias, ways of plans.
import * as THREE from 'three';
import {mergeGeometries, mergeVertices} from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import type {Log, Overlay, SensorDescription} from '../data/log';
import {multiply, type Pose} from '../data/kinematics';
import {FRUSTUM, MESH, PADDING, RAY} from './palette';

function lines(color: number, opacity = 1): THREE.LineSegments {
  const made = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({color, transparent: opacity < 1, opacity}));
  made.frustumCulled = false;
  return made;
}

/** White, and round; a canvas would have to wait for the graphics. */
const disk = (() => {
  const size = 32, pixels = new Uint8Array(4 * size * size).fill(255);
  for (let i = 0; i < size * size; ++i) {
    const distance = Math.hypot(i % size - size / 2 + 0.5, Math.floor(i / size) - size / 2 + 0.5);
    pixels[4 * i + 3] = 255 * Math.min(Math.max(size / 2 - 0.5 - distance, 0), 1);
  }
  const texture = new THREE.DataTexture(pixels, size, size);
  texture.magFilter = THREE.LinearFilter;
  texture.minFilter = THREE.LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
})();

/** Points as disks of `size` pixels; `above`: seen through everything. */
export function dots(color: number, size: number, above = false): THREE.PointsMaterial {
  return new THREE.PointsMaterial({color, size, map: disk, alphaTest: 0.5, sizeAttenuation: false, depthTest: !above, transparent: above});
}

const UP = new THREE.Vector3(0, 0, 1);

/** Arrows of any number in one draw call, seen through everything. */
export class Arrows {
  mesh: THREE.InstancedMesh;
  private readonly matrix = new THREE.Matrix4();
  private readonly turn = new THREE.Quaternion();
  private readonly from = new THREE.Vector3();
  private readonly along = new THREE.Vector3();
  private readonly scale = new THREE.Vector3();

  constructor(color: number) {
    this.mesh = this.make(64, color);
  }

  private make(room: number, color: number): THREE.InstancedMesh {
    // Of length 1 along z; thin ones stay thin when they are long.
    const shaft = new THREE.CylinderGeometry(0.025, 0.025, 0.75, 6).translate(0, 0.375, 0);
    const head = new THREE.ConeGeometry(0.07, 0.25, 8).translate(0, 0.875, 0);
    const mesh = new THREE.InstancedMesh(
        mergeGeometries([shaft, head]).rotateX(Math.PI / 2), new THREE.MeshBasicMaterial({color, depthTest: false, transparent: true}), room);
    mesh.frustumCulled = false;
    mesh.renderOrder = 2;
    mesh.count = 0;
    return mesh;
  }

  clear(room: number): void {
    this.mesh.count = 0;
    if (room <= this.mesh.instanceMatrix.count) return;
    this.mesh.instanceMatrix = new THREE.InstancedBufferAttribute(new Float32Array(32 * room), 16);
  }

  /** An arrow from a point along a vector. */
  add(x: number, y: number, z: number, dx: number, dy: number, dz: number): void {
    const length = Math.hypot(dx, dy, dz);
    if (!(length > 1e-4)) return;
    this.turn.setFromUnitVectors(UP, this.along.set(dx / length, dy / length, dz / length));
    const thickness = Math.min(length, 0.15);
    this.matrix.compose(this.from.set(x, y, z), this.turn, this.scale.set(thickness, thickness, length));
    this.mesh.setMatrixAt(this.mesh.count++, this.matrix);
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

/** What has no positions is not drawn, and needs no shader. */
function setPositions(object: THREE.LineSegments | THREE.Points, numbers: ArrayLike<number>): void {
  object.visible = numbers.length > 0;
  const old = object.geometry.getAttribute('position');
  if (old && old.array.length === numbers.length) {
    (old.array as Float32Array).set(numbers);
    old.needsUpdate = true;
  } else {
    object.geometry.dispose();
    object.geometry = new THREE.BufferGeometry();
    object.geometry.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(numbers), 3));
  }
}

/** Cameras as frusta, and lasers as their rays. */
export class SensorScene {
  readonly root = new THREE.Group();
  private readonly frusta = lines(FRUSTUM);
  private readonly rays = lines(RAY, 0.35);
  private readonly hits = new THREE.Points(
      new THREE.BufferGeometry(), dots(RAY, 4));

  constructor(private readonly log: Log) {
    this.hits.frustumCulled = false;
    this.root.add(this.frusta, this.rays, this.hits);
  }

  /** Pose of a sensor in the world. */
  private pose(sensor: SensorDescription, out: Pose): Pose | null {
    if (sensor.link < 0) return Float64Array.from(sensor.T);
    const link = this.log.poses.get(sensor.link);
    return link ? multiply(link, sensor.T, out) : null;
  }

  update(time: number): void {
    const frusta: number[] = [], rays: number[] = [], hits: number[] = [];
    const X = new Float64Array(12);
    const at = (pose: Pose, x: number, y: number, z: number) => [
      pose[0] * x + pose[1] * y + pose[2] * z + pose[9],
      pose[3] * x + pose[4] * y + pose[5] * z + pose[10],
      pose[6] * x + pose[7] * y + pose[8] * z + pose[11]];
    for (const sensor of this.log.sensors) {
      const pose = this.pose(sensor, X);
      if (!pose) continue;
      if (sensor.camera) this.frustum(sensor, pose, at, frusta);
      if (sensor.scan) this.scan(sensor, pose, at, time, rays, hits);
    }
    setPositions(this.frusta, frusta);
    setPositions(this.rays, rays);
    setPositions(this.hits, hits);
  }

  private frustum(sensor: SensorDescription, pose: Pose, at: (p: Pose, x: number, y: number, z: number) => number[], out: number[]): void {
    const c = sensor.camera!;
    // Long enough to be seen, not so long that it hides everything else.
    const depth = Math.min(c.far ?? 0.5, 0.5);
    const corner = (u: number, v: number) => at(pose, ((u - c.cx) / c.fx) * depth, ((v - c.cy) / c.fy) * depth, depth);
    const corners = [corner(-0.5, -0.5), corner(c.width - 0.5, -0.5), corner(c.width - 0.5, c.height - 0.5), corner(-0.5, c.height - 0.5)];
    const eye = at(pose, 0, 0, 0);
    corners.forEach((p, i) => out.push(...eye, ...p, ...p, ...corners[(i + 1) % 4]));
    // A mark where the picture's top is.
    const top = corner(c.width / 2, -0.1 * c.height);
    out.push(...corners[0], ...top, ...top, ...corners[1]);
  }

  private scan(sensor: SensorDescription, pose: Pose, at: (p: Pose, x: number, y: number, z: number) => number[], time: number,
      rays: number[], hits: number[]): void {
    const scan = sensor.scan!, series = this.log.series.get(sensor.topic);
    if (scan.sweeps || !series || series.times.length === 0) return;
    const i = series.indexAt(time), eye = at(pose, 0, 0, 0), d = scan.directions;
    const beams = d.length / 3, step = Math.max(1, Math.floor(beams / 2000));
    for (let b = 0; b < beams; b += step) {
      const distance = series.columns[b]?.[i];
      if (distance === undefined || !(distance > 0)) continue;
      const met = scan.maximum === null ? Number.isFinite(distance) : distance < scan.maximum;
      const shown = met ? distance : Math.min(distance, 1);
      const end = at(pose, d[3 * b] * shown, d[3 * b + 1] * shown, d[3 * b + 2] * shown);
      if (met) hits.push(...end);
      if (met || beams <= 360) rays.push(...eye, ...end);
    }
  }
}

/** The shapes of `object`, grown by `padding` (m) along their normals. */
export function paddedShape(object: THREE.Object3D, padding: number): THREE.Group {
  const group = new THREE.Group();
  object.updateMatrixWorld(true);
  const inverse = new THREE.Matrix4().copy(object.matrixWorld).invert();
  object.traverse((part) => {
    if (!(part instanceof THREE.Mesh)) return;
    const bare = new THREE.BufferGeometry();
    bare.setAttribute('position', part.geometry.getAttribute('position').clone());
    if (part.geometry.index) bare.setIndex(part.geometry.index.clone());
    bare.applyMatrix4(new THREE.Matrix4().multiplyMatrices(inverse, part.matrixWorld));
    // Corners that several triangles share move together.
    const grown = mergeVertices(bare, 1e-6);
    grown.computeVertexNormals();
    const position = grown.getAttribute('position'), normal = grown.getAttribute('normal');
    for (let i = 0; i < position.count; ++i)
      position.setXYZ(i, position.getX(i) + padding * normal.getX(i), position.getY(i) + padding * normal.getY(i), position.getZ(i) + padding * normal.getZ(i));
    group.add(new THREE.Mesh(grown, new THREE.MeshBasicMaterial({color: PADDING, transparent: true, opacity: 0.25, depthWrite: false})));
  });
  group.matrixAutoUpdate = false;
  return group;
}

/** Triangles with their edges seen, as a shape's that is edited. */
export function meshOf(points: number[], triangles: number[]): THREE.Mesh {
  const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  geometry.setIndex(triangles);
  const mesh = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({color: MESH, wireframe: true, depthTest: false, transparent: true}));
  mesh.frustumCulled = false;
  mesh.renderOrder = 4;
  return mesh;
}

/** Lines and points that come with a log: a planner's ways. */
export function overlayScene(overlays: Overlay[]): THREE.Group {
  const group = new THREE.Group();
  overlays.forEach((overlay, i) => {
    const weak = overlay.name === 'roadmap';
    const color = new THREE.Color(overlay.color).getHex();
    const way = lines(color, weak ? 0.3 : 1);
    way.geometry.setAttribute('position', new THREE.Float32BufferAttribute(overlay.lines, 3));
    const points = new THREE.Points(
        new THREE.BufferGeometry(), dots(color, weak ? 4 : 7));
    points.geometry.setAttribute('position', new THREE.Float32BufferAttribute(overlay.points, 3));
    points.frustumCulled = false;
    way.renderOrder = points.renderOrder = 1 + i;
    group.add(way, points);
  });
  return group;
}
