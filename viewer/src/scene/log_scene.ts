// What is drawn of one log: shapes where they are, contacts, frames, centers of mass, ways.
import * as THREE from 'three';
import {setMatrix} from './shapes/bodies';
import {BodyMarks} from './marks/body_marks';
import {ForeignScene} from './foreign/foreign_scene';
import {ContactMarks, type ForceScale} from './marks/contact_marks';
import {RobotGhosts, showCommanded} from './marks/ghosts';
import type {Log} from '../data/log';
import {overlayScene} from './marks/log_overlay';
import {paddedShape} from './shapes/padded_shape';
import {COMMANDED, GHOST, trailColor} from './palette';
import {SensorScene} from './marks/sensor_marks';
import {Shapes} from './shapes/shapes';
import {type Shown, NOTHING} from './shown';
import {WideLines, throughPoints} from './marks/wide_lines';

/** How a log is drawn besides what is shown of it. */
export interface Drawn {
  forces: ForceScale;
  /** Every contact point in place of one arrow a pair of bodies. */
  everyContact: boolean;
  /** What moves by less is where it was, m. */
  least: number;
}

/** What is drawn of one log. */
export class LogScene {
  readonly root = new THREE.Group();
  readonly shapes: Shapes;
  private readonly contacts: ContactMarks;
  private readonly marks: BodyMarks;
  private readonly trails = new THREE.Group();
  private readonly padded = new THREE.Group();
  private readonly plans: THREE.Group;
  private readonly sensors: SensorScene;
  private readonly commanded: RobotGhosts;
  private readonly foreign: ForeignScene;
  /** Of a path, say. */
  readonly ghosts: RobotGhosts;
  /** Whether what moves in this log is shown. */
  visible = true;
  /** What is shown now. */
  time = 0;
  private last = '';

  /** `several`: it is not the only one; `coated`: robots shine. */
  constructor(readonly log: Log, readonly index: number, several: boolean, coated: boolean) {
    this.shapes = new Shapes(log, index, coated);
    this.contacts = new ContactMarks(log, index, several);
    this.marks = new BodyMarks(log);
    this.sensors = new SensorScene(log);
    this.commanded = new RobotGhosts(log, this.shapes, COMMANDED, 0.35);
    this.ghosts = new RobotGhosts(log, this.shapes, GHOST, 0.15);
    this.plans = overlayScene(log.overlays);
    this.foreign = new ForeignScene(log);
    this.root.matrixAutoUpdate = false;
    this.root.add(this.shapes.root, this.contacts.root, this.marks.root, this.trails, this.padded, this.plans, this.sensors.root,
      this.commanded.root, this.ghosts.root, this.foreign.root);
  }

  get trailCount(): number { return this.trails.children.length; }

  /** Around what other tools' messages draw. */
  get extent(): THREE.Box3 { return this.foreign.extent; }

  async load(): Promise<void> {
    await this.shapes.load();
    await this.foreign.measure();
    this.marks.axis = this.log.isOfOthers ? this.foreign.axis : this.marks.axis;
  }

  /** Made when they are first wanted. */
  private makePadded(): void {
    for (const entity of this.log.world.entities) {
      const body = this.shapes.bodies.get(entity.id);
      if (!body || !(entity.padding! > 0)) continue;
      const shape = paddedShape(body, entity.padding!);
      shape.matrix.copy(body.object.matrix);
      shape.userData.id = entity.id;
      this.padded.add(shape);
    }
  }

  /** Whether bodies are seen to have moved, and whether anything is seen otherwise. */
  update(time: number, wanted: Shown, drawn: Drawn): {moved: boolean; changed: boolean} {
    this.time = time;
    this.log.show(time);
    let moved = this.shapes.place(drawn.least);
    const shown = this.visible ? wanted : {...NOTHING, wireframe: wanted.wireframe};
    const signs = JSON.stringify(shown), switched = signs !== this.last;
    this.last = signs;
    this.foreign.root.visible = this.visible;
    if (this.foreign.update(time, drawn.least)) moved = true;
    // Frames have no shapes that would be seen to move.
    if (this.log.isOfOthers && this.marks.differ(drawn.least)) moved = true;
    let changed = moved || switched;
    if (changed) {
      this.shapes.setWireframe(shown.wireframe);
      this.marks.update(shown);
      this.showPadded(shown.padding);
    }
    if (shown.contacts ? this.contacts.show(time, drawn.forces, drawn.everyContact) : this.contacts.hide()) changed = true;
    this.trails.visible = shown.trails;
    this.plans.visible = shown.plans;
    this.commanded.root.visible = shown.commanded;
    if (shown.commanded && showCommanded(this.log, time, this.commanded, drawn.least)) changed = true;
    this.sensors.root.visible = shown.sensors;
    if (shown.sensors && this.sensors.update(time, drawn.least)) changed = true;
    return {moved, changed};
  }

  private showPadded(shown: boolean): void {
    if (shown && this.padded.children.length === 0) this.makePadded();
    this.padded.visible = shown;
    if (!shown) return;
    for (const shape of this.padded.children) {
      const pose = this.log.poses.get(shape.userData.id);
      if (!pose) continue;
      setMatrix(shape.matrix, pose);
      shape.matrixWorldNeedsUpdate = true;
    }
  }

  /** Sum of the forces shown, N, on entity `id`. */
  forceOn(time: number, id: number): number[] {
    const sum = [0, 0, 0];
    for (const contact of this.log.contactsAt(time))
      for (let k = 0; k < 3; ++k) sum[k] += contact.a === id ? contact.force[k] : contact.b === id ? -contact.force[k] : 0;
    return sum;
  }

  /** The path of an entity's origin through the whole log, or none if it is shown. */
  trail(id: number): void {
    const old = this.trails.children.find((child) => child.userData.id === id);
    if (old) {
      this.trails.remove(old);
      return;
    }
    const times = this.log.state.times, step = Math.max(1, Math.floor(times.length / 2000));
    const points: number[] = [];
    for (let i = 0; i < times.length; i += step) {
      this.log.show(times[i]);
      const pose = this.log.poses.get(id);
      if (pose) points.push(pose[9], pose[10], pose[11]);
    }
    this.log.show(this.time);
    const line = new WideLines(trailColor(this.index), {width: 2.5});
    line.set(throughPoints(points));
    line.lines.userData.id = id;
    this.trails.add(line.lines);
  }
}
