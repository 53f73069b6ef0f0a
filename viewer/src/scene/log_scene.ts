// Scene of one log: shapes where they are, contacts, frames, centers of mass, paths.
import * as THREE from 'three';
import {BodyMarks} from './body_marks';
import {RobotGhosts, showCommanded} from './ghosts';
import type {Log} from '../data/log';
import {ContactMarks} from './contact_marks';
import {overlayScene} from './log_overlay';
import {paddedShape} from './padded_shape';
import {COMMANDED, GHOST, trailColor} from './palette';
import {SensorScene} from './sensor_marks';
import {Shapes, setMatrix} from './shapes';
import {type Shown, NOTHING} from './shown';

/** The drawn objects of one log. */
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
  /** Of a path, say. */
  readonly ghosts: RobotGhosts;
  /** Whether what moves in this log is shown. */
  visible = true;
  /** What is shown now. */
  time = 0;

  constructor(readonly log: Log, readonly index: number) {
    this.shapes = new Shapes(log, index);
    this.contacts = new ContactMarks(log, index);
    this.marks = new BodyMarks(log);
    this.sensors = new SensorScene(log);
    this.commanded = new RobotGhosts(log, this.shapes, COMMANDED, 0.35);
    this.ghosts = new RobotGhosts(log, this.shapes, GHOST, 0.15);
    this.plans = overlayScene(log.overlays);
    this.root.matrixAutoUpdate = false;
    this.root.add(this.shapes.root, this.contacts.root, this.marks.root, this.trails, this.padded, this.plans, this.sensors.root,
      this.commanded.root, this.ghosts.root);
  }

  async load(): Promise<void> { await this.shapes.load(); }

  /** Made when they are first wanted. */
  private makePadded(): void {
    for (const entity of this.log.world.entities) {
      const body = this.shapes.bodies.get(entity.id);
      if (!body || !(entity.padding! > 0)) continue;
      const shape = paddedShape(body.object, entity.padding!);
      shape.matrix.copy(body.object.matrix);
      shape.userData.id = entity.id;
      this.padded.add(shape);
    }
  }

  update(time: number, shown: Shown, metersPerNewton: number): void {
    this.time = time;
    this.log.show(time);
    this.shapes.place();
    this.shapes.setWireframe(shown.wireframe);
    if (!this.visible) shown = {...NOTHING, wireframe: shown.wireframe};
    this.marks.update(shown);
    if (shown.contacts)
      this.contacts.show(time, metersPerNewton);
    else
      this.contacts.hide();
    this.trails.visible = shown.trails;
    this.plans.visible = shown.plans;
    if (shown.padding && this.padded.children.length === 0) this.makePadded();
    this.padded.visible = shown.padding;
    if (shown.padding)
      for (const shape of this.padded.children) {
        const pose = this.log.poses.get(shape.userData.id);
        if (!pose) continue;
        setMatrix(shape.matrix, pose);
        shape.matrixWorldNeedsUpdate = true;
      }
    this.commanded.root.visible = shown.commanded;
    if (shown.commanded) showCommanded(this.log, time, this.commanded);
    this.sensors.root.visible = shown.sensors;
    if (shown.sensors) this.sensors.update(time);
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
    const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
    const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({color: trailColor(this.index)}));
    line.userData.id = id;
    this.trails.add(line);
  }
}
