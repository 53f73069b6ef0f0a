// Marks on bodies: frames, centers of mass, inertias. Each kind is one draw call, and made when it is first wanted.
import * as THREE from 'three';
import type {InertiaBox, Log} from '../data/log';
import type {Pose} from '../data/kinematics';
import {CENTER_OF_MASS, INERTIA} from './palette';

const AXIS = 0.1, MASS = 0.012;
/** Colors of axes x, y, z at their beginnings and ends, as three.js has them. */
const AXIS_COLORS = [[1, 0, 0, 1, 0.6, 0], [0, 1, 0, 0.6, 1, 0], [0, 0, 1, 0, 0.6, 1]].flat();

interface Marked { pose: Pose; mass: number; com: number[]; inertia?: InertiaBox | null }

/** Everything that moves and has a frame. */
function markedOf(log: Log): Marked[] {
  const found: Marked[] = [];
  const add = (id: number, mass = 0, com = [0, 0, 0], inertia?: InertiaBox | null) => {
    const pose = log.poses.get(id);
    if (pose) found.push({pose, mass, com, inertia});
  };
  for (const entity of log.world.entities)
    if (entity.kind === 'object') add(entity.id, entity.mass, entity.com, entity.inertia);
  for (const robot of log.robots)
    for (const link of robot.links) add(link.id, link.mass, link.com, link.inertia);
  return found;
}

/** Lines that go with bodies: ends of pieces in the frames of bodies, three numbers each. */
class BodyLines {
  readonly lines: THREE.LineSegments;
  private readonly positions: THREE.BufferAttribute;

  constructor(private readonly parts: {pose: Pose; ends: ArrayLike<number>}[], material: THREE.LineBasicMaterial, colors?: number[]) {
    const count = parts.reduce((sum, part) => sum + part.ends.length, 0);
    this.positions = new THREE.BufferAttribute(new Float32Array(count), 3).setUsage(THREE.DynamicDrawUsage);
    const geometry = new THREE.BufferGeometry().setAttribute('position', this.positions);
    if (colors) geometry.setAttribute('color', new THREE.Float32BufferAttribute(parts.flatMap(() => colors), 3));
    this.lines = new THREE.LineSegments(geometry, material);
    this.lines.frustumCulled = false;
    this.lines.matrixAutoUpdate = false;
  }

  update(): void {
    const out = this.positions.array;
    let at = 0;
    for (const {pose: p, ends} of this.parts)
      for (let i = 0; i < ends.length; i += 3) {
        const x = ends[i], y = ends[i + 1], z = ends[i + 2];
        out[at++] = p[0] * x + p[1] * y + p[2] * z + p[9];
        out[at++] = p[3] * x + p[4] * y + p[5] * z + p[10];
        out[at++] = p[6] * x + p[7] * y + p[8] * z + p[11];
      }
    this.positions.needsUpdate = true;
  }
}

/** Edges of a box of the same mass and inertia, in the body's frame. */
function boxEdges(inertia: InertiaBox): ArrayLike<number> {
  const [x, y, z] = inertia.size.map((s) => Math.max(s, 1e-4)), T = inertia.T;
  const edges = new THREE.EdgesGeometry(new THREE.BoxGeometry(x, y, z));
  edges.applyMatrix4(new THREE.Matrix4().set(
      T[0], T[1], T[2], T[9], T[3], T[4], T[5], T[10], T[6], T[7], T[8], T[11], 0, 0, 0, 1));
  return edges.getAttribute('position').array;
}

export class BodyMarks {
  readonly root = new THREE.Group();
  private frames: BodyLines | null = null;
  private inertias: BodyLines | null = null;
  private masses: THREE.InstancedMesh | null = null;
  private heavy: Marked[] = [];

  constructor(private readonly log: Log) {
    this.root.matrixAutoUpdate = false;
  }

  update(shown: {frames: boolean; masses: boolean; inertias: boolean}): void {
    if (shown.frames) this.updateFrames();
    if (this.frames) this.frames.lines.visible = shown.frames;
    if (shown.inertias) this.updateInertias();
    if (this.inertias) this.inertias.lines.visible = shown.inertias;
    if (shown.masses) this.updateMasses();
    if (this.masses) this.masses.visible = shown.masses;
  }

  private updateFrames(): void {
    if (!this.frames) {
      const axes = [0, 1, 2].flatMap((k) => [0, 0, 0, ...[0, 1, 2].map((i) => (i === k ? AXIS : 0))]);
      this.frames = new BodyLines(markedOf(this.log).map(({pose}) => ({pose, ends: axes})),
          new THREE.LineBasicMaterial({vertexColors: true, toneMapped: false, depthTest: false, transparent: true}), AXIS_COLORS);
      // Most frames are within their links.
      this.frames.lines.renderOrder = 3;
      this.root.add(this.frames.lines);
    }
    this.frames.update();
  }

  private updateInertias(): void {
    if (!this.inertias) {
      const parts = markedOf(this.log).filter(({mass, inertia}) => mass > 0 && inertia).map(({pose, inertia}) => ({pose, ends: boxEdges(inertia!)}));
      this.inertias = new BodyLines(parts, new THREE.LineBasicMaterial({color: INERTIA, depthTest: false, transparent: true}));
      this.inertias.lines.renderOrder = 3;
      this.root.add(this.inertias.lines);
    }
    this.inertias.update();
  }

  private updateMasses(): void {
    if (!this.masses) {
      this.heavy = markedOf(this.log).filter(({mass}) => mass > 0);
      this.masses = new THREE.InstancedMesh(new THREE.SphereGeometry(MASS, 12, 8),
          new THREE.MeshBasicMaterial({color: CENTER_OF_MASS, depthTest: false, transparent: true}), this.heavy.length);
      this.masses.frustumCulled = false;
      this.masses.matrixAutoUpdate = false;
      this.masses.renderOrder = 3;
      this.root.add(this.masses);
    }
    const out = this.masses.instanceMatrix.array;
    this.heavy.forEach(({pose: p, com: [x, y, z]}, i) => {
      out[16 * i] = out[16 * i + 5] = out[16 * i + 10] = out[16 * i + 15] = 1;
      out[16 * i + 12] = p[0] * x + p[1] * y + p[2] * z + p[9];
      out[16 * i + 13] = p[3] * x + p[4] * y + p[5] * z + p[10];
      out[16 * i + 14] = p[6] * x + p[7] * y + p[8] * z + p[11];
    });
    this.masses.instanceMatrix.needsUpdate = true;
  }
}
