// The contacts of a log: an arrow a pair of bodies, or every point with its own.
import * as THREE from 'three';
import type {Contact, Log} from '../../data/log';
import {Arrows} from './arrows';
import {sumsOf} from './contact_sums';
import {dots} from './dots';
import {contactColor} from '../palette';

/** How forces are drawn: lengths, and the thickness of arrows, m. */
export interface ForceScale { metersPerNewton: number; thickness: number }

/** A change of an arrow of less than this share of the longest one is not seen. */
const UNSEEN = 0.004;

export class ContactMarks {
  readonly root = new THREE.Group();
  private readonly arrows: Arrows;
  private readonly points: THREE.Points;
  private drawn: number[] = [];

  /** `index`: of the log among those shown. */
  constructor(private readonly log: Log, index: number, several: boolean) {
    const color = contactColor(index, several);
    this.arrows = new Arrows(color);
    this.points = new THREE.Points(new THREE.BufferGeometry(), dots(color, 6, true));
    this.points.frustumCulled = false;
    this.points.renderOrder = 2;
    this.root.matrixAutoUpdate = false;
    this.root.add(this.arrows.root, this.points);
    this.hide();
  }

  // Empty geometry needs no shader.
  hide(): boolean {
    const seen = this.root.visible;
    this.root.visible = false;
    this.drawn = [];
    return seen;
  }

  /** Whether that is seen. */
  show(time: number, scale: ForceScale, every: boolean): boolean {
    const contacts = this.log.contactsAt(time), marks = this.marksOf(contacts, scale, every);
    const longest = scale.thickness / 0.02, least = UNSEEN * longest;
    if (this.root.visible && marks.length === this.drawn.length && marks.every((value, i) => Math.abs(value - this.drawn[i]) <= least)) return false;
    this.drawn = marks;
    this.root.visible = marks.length > 0;
    this.arrows.clear(marks.length / 7);
    const points: number[] = [];
    for (let i = 0; i < marks.length; i += 7) {
      const [x, y, z, dx, dy, dz, point] = marks.slice(i, i + 7);
      this.arrows.add(x, y, z, dx, dy, dz, scale.thickness);
      if (point > 0) points.push(x, y, z);
    }
    this.arrows.finish();
    this.setPoints(points);
    return true;
  }

  /** Of each arrow where it begins and its way, and 1 where a point is drawn, too. */
  private marksOf(contacts: Contact[], {metersPerNewton}: ForceScale, every: boolean): number[] {
    const marks: number[] = [];
    for (const {a, point, force} of every ? contacts : sumsOf(contacts)) {
      // The force on what can move: a terrain's is drawn as what it answers.
      const sign = this.log.poses.has(a) ? metersPerNewton : -metersPerNewton, none = force.every((f) => f === 0);
      marks.push(...point, sign * force[0], sign * force[1], sign * force[2], every || none ? 1 : 0);
    }
    return marks;
  }

  private setPoints(numbers: number[]): void {
    let points = this.points.geometry.getAttribute('position') as THREE.BufferAttribute | undefined;
    if (!points || points.count < numbers.length / 3) {
      points = new THREE.BufferAttribute(new Float32Array(Math.max(192, 2 * numbers.length)), 3).setUsage(THREE.DynamicDrawUsage);
      this.points.geometry.dispose();
      this.points.geometry = new THREE.BufferGeometry().setAttribute('position', points);
    }
    (points.array as Float32Array).set(numbers);
    points.needsUpdate = true;
    this.points.geometry.setDrawRange(0, numbers.length / 3);
    this.points.visible = numbers.length > 0;
  }
}
