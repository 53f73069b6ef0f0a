// What the page draws into the scene itself: points and lines of posing, and a shape that is edited.
import * as THREE from 'three';
import type {Body} from '../shapes/bodies';
import {dots} from './dots';
import {meshOf} from './edited_mesh';
import {MARK} from '../palette';
import {WideLines} from './wide_lines';

export class PageMarks {
  readonly root = new THREE.Group();
  private readonly points = new THREE.Points(new THREE.BufferGeometry(), dots(MARK, 8, true));
  private readonly lines = new WideLines(MARK, {above: true});
  private mesh: THREE.Mesh | null = null;

  constructor() {
    this.points.frustumCulled = false;
    this.points.visible = false;
    this.points.renderOrder = this.lines.lines.renderOrder = 4;
    this.root.matrixAutoUpdate = false;
    this.root.add(this.points, this.lines.lines);
  }

  /** Points, and lines between each two, in the world. */
  set(points: number[][], lines: number[][]): void {
    this.points.visible = points.length > 0;
    this.points.geometry.dispose();
    this.points.geometry = new THREE.BufferGeometry().setFromPoints(points.map(([x, y, z]) => new THREE.Vector3(x, y, z)));
    this.lines.set(lines.flatMap(([x, y, z]) => [x, y, z]));
  }

  /** Triangles in the frame of a body or, without one, of the world; none: nothing. */
  setMesh(points: number[], triangles: number[], body: Body | undefined): void {
    if (this.mesh) {
      this.root.remove(this.mesh);
      this.mesh.geometry.dispose();
      this.mesh = null;
    }
    if (triangles.length === 0) return;
    this.mesh = meshOf(points, triangles);
    if (body) this.mesh.applyMatrix4(body.object.matrix);
    this.root.add(this.mesh);
  }
}
