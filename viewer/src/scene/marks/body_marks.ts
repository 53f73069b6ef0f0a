// Marks on bodies: frames, centers of mass, inertias. Each kind is one draw call, and made when it is first wanted.
import * as THREE from 'three';
import type {InertiaBox, Log} from '../../data/log';
import type {Pose} from '../../data/kinematics';
import {displacement} from '../shapes/bodies';
import {AXES, CENTER_OF_MASS, INERTIA} from '../palette';
import {WideLines} from './wide_lines';

const MASS = 0.012;
/** Of axes and of other lines, pixels. */
const AXIS_WIDTH = 3, WIDTH = 2;
/** Of axes x, y, z at both ends. */
const AXIS_COLORS = AXES.flatMap((axis) => [0, 1].flatMap(() => [axis >> 16, (axis >> 8) & 255, axis & 255].map((value) => value / 255)));

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
  readonly drawn: WideLines;
  private readonly count: number;

  constructor(private readonly parts: {pose: Pose; ends: ArrayLike<number>}[], width: number, color: number | null, colors?: number[]) {
    this.count = parts.reduce((sum, part) => sum + part.ends.length, 0);
    this.drawn = new WideLines(color, {width, above: true});
    this.drawn.room(this.count);
    if (colors && this.count > 0) this.drawn.setColors(parts.flatMap(() => colors));
    // Most frames are within their links.
    this.drawn.lines.renderOrder = 3;
  }

  get lines() { return this.drawn.lines; }

  update(): void {
    if (this.count === 0) return;
    const out = this.drawn.room(this.count);
    let at = 0;
    for (const {pose: p, ends} of this.parts)
      for (let i = 0; i < ends.length; i += 3) {
        const x = ends[i], y = ends[i + 1], z = ends[i + 2];
        out[at++] = p[0] * x + p[1] * y + p[2] * z + p[9];
        out[at++] = p[3] * x + p[4] * y + p[5] * z + p[10];
        out[at++] = p[6] * x + p[7] * y + p[8] * z + p[11];
      }
    this.drawn.changed();
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
  /** Length of axes, m. */
  axis = 0.1;
  private marked: Marked[] = [];
  private drawn: Float64Array[] = [];

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

  /** Whether frames are elsewhere than they were drawn, or others. */
  differ(least: number): boolean {
    if (!this.frames) return this.log.poses.size > 0;
    return this.marked.length !== this.log.poses.size || this.marked.some(({pose}, i) => displacement(this.drawn[i], pose, this.axis) > least);
  }

  private updateFrames(): void {
    if (this.frames && this.marked.length !== this.log.poses.size && this.log.isOfOthers) {
      this.root.remove(this.frames.lines);
      this.frames.lines.geometry.dispose();
      this.frames = null;
    }
    if (!this.frames) {
      const axes = [0, 1, 2].flatMap((k) => [0, 0, 0, ...[0, 1, 2].map((i) => (i === k ? this.axis : 0))]);
      this.marked = markedOf(this.log);
      this.frames = new BodyLines(this.marked.map(({pose}) => ({pose, ends: axes})), AXIS_WIDTH, null, AXIS_COLORS);
      this.root.add(this.frames.lines);
    }
    this.frames.update();
    this.drawn = this.marked.map(({pose}) => pose.slice());
  }

  private updateInertias(): void {
    if (!this.inertias) {
      const parts = markedOf(this.log).filter(({mass, inertia}) => mass > 0 && inertia).map(({pose, inertia}) => ({pose, ends: boxEdges(inertia!)}));
      this.inertias = new BodyLines(parts, WIDTH, INERTIA);
      this.root.add(this.inertias.lines);
    }
    this.inertias.update();
  }

  private updateMasses(): void {
    if (!this.masses) {
      this.heavy = markedOf(this.log).filter(({mass}) => mass > 0);
      this.masses = new THREE.InstancedMesh(new THREE.SphereGeometry(MASS, 12, 8),
          new THREE.MeshBasicMaterial({color: CENTER_OF_MASS, depthTest: false, transparent: true, toneMapped: false}), this.heavy.length);
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
