// The contacts of a log: a point where bodies touch, and an arrow for the force.
import * as THREE from 'three';
import type {Log} from '../data/log';
import {Arrows} from './arrows';
import {dots} from './lines_and_dots';
import {contactColor} from './palette';

export class ContactMarks {
  readonly root = new THREE.Group();
  private readonly arrows: Arrows;
  private readonly points: THREE.Points;

  /** `index`: of the log among those shown. */
  constructor(private readonly log: Log, index: number) {
    const color = contactColor(index);
    this.arrows = new Arrows(color);
    this.points = new THREE.Points(new THREE.BufferGeometry(), dots(color, 6, true));
    this.points.frustumCulled = false;
    this.points.renderOrder = 2;
    this.root.add(this.arrows.mesh, this.points);
    this.hide();
  }

  // Empty geometry needs no shader.
  hide(): void { this.arrows.mesh.visible = this.points.visible = false; }

  show(time: number, metersPerNewton: number): void {
    const contacts = this.log.contactsAt(time);
    let points = this.points.geometry.getAttribute('position') as THREE.BufferAttribute | undefined;
    if (!points || points.count < contacts.length) {
      points = new THREE.BufferAttribute(new Float32Array(3 * Math.max(64, 2 * contacts.length)), 3).setUsage(THREE.DynamicDrawUsage);
      this.points.geometry.dispose();
      this.points.geometry = new THREE.BufferGeometry().setAttribute('position', points);
    }
    this.points.geometry.setDrawRange(0, contacts.length);
    points.needsUpdate = contacts.length > 0;
    this.arrows.clear(contacts.length);
    contacts.forEach(({a, point: [x, y, z], force: [fx, fy, fz]}, i) => {
      // The force on what can move: a terrain's is drawn as what it answers.
      const sign = this.log.poses.has(a) ? metersPerNewton : -metersPerNewton;
      points.setXYZ(i, x, y, z);
      this.arrows.add(x, y, z, sign * fx, sign * fy, sign * fz);
    });
    this.arrows.mesh.visible = this.arrows.mesh.count > 0;
    this.points.visible = contacts.length > 0;
  }
}
