// What messages of other tools draw, where their frames are.
import * as THREE from 'three';
import type {Drawing, Item} from '../../data/foreign/drawn';
import {IDENTITY} from '../../data/foreign/geometry';
import {type Pose, multiply} from '../../data/kinematics';
import type {Log} from '../../data/log';
import {dispose} from '../program/drawings';
import {displacement, setMatrix} from '../shapes/bodies';
import {drawingScene} from './drawings';

/** Of what is shown, the length of axes: a share of its size, and within these, m. */
const AXIS = 0.05, SHORTEST = 0.02, LONGEST = 5;

interface Drawn { drawing: Drawing; place: THREE.Group; pose: Pose; radius: number }

export class ForeignScene {
  readonly root = new THREE.Group();
  /** Around all that there is at some times. */
  readonly extent = new THREE.Box3();
  axis = 0.1;
  private readonly drawn = new Map<string, Drawn>();
  private readonly frame = new Float64Array(12);
  private readonly pose = new Float64Array(12);
  private more = false;

  constructor(private readonly log: Log) {
    this.root.matrixAutoUpdate = false;
  }

  /** Finds out how large it is: at the beginning, in the middle and at the end. */
  async measure(): Promise<void> {
    const {log} = this, {start, end} = log;
    if (!log.foreign) return;
    for (const time of [(start + end) / 2, end, start]) {
      await log.load(time);
      log.show(time);
      this.update(time, 0);
      this.include();
    }
    const size = this.extent.isEmpty() ? 2 : this.extent.getSize(new THREE.Vector3()).length();
    this.axis = Math.min(Math.max(AXIS * size, SHORTEST), LONGEST);
    if (log.isOfOthers && !this.extent.isEmpty()) this.extent.expandByScalar(this.axis);
    for (const key of [...this.drawn.keys()]) this.remove(key);
  }

  private include(): void {
    this.root.updateMatrixWorld(true);
    const box = new THREE.Box3().setFromObject(this.root);
    if (!box.isEmpty() && [...box.min.toArray(), ...box.max.toArray()].every(Number.isFinite)) this.extent.union(box);
    if (this.log.isOfOthers) for (const pose of this.log.poses.values()) this.extent.expandByPoint(new THREE.Vector3(pose[9], pose[10], pose[11]));
  }

  /** Draws a time; whether that is seen. What moves by less than `least` (m) is where it was. */
  update(time: number, least: number): boolean {
    const {foreign} = this.log;
    if (!foreign) return false;
    let changed = this.more;
    this.more = false;
    const gone = new Set(this.drawn.keys());
    for (const item of foreign.itemsAt(time)) {
      gone.delete(item.key);
      if (this.put(item, least)) changed = true;
    }
    for (const key of gone) {
      this.remove(key);
      changed = true;
    }
    return changed;
  }

  private put({key, frame, pose, drawing, time}: Item, least: number): boolean {
    const old = this.drawn.get(key), at = multiply(this.log.framePose(frame, time, this.frame), pose, this.pose);
    // What is nowhere is not drawn.
    if (!at.every(Number.isFinite)) {
      if (old) this.remove(key);
      return old !== undefined;
    }
    if (old?.drawing === drawing) {
      if (displacement(old.pose, at, old.radius) <= least) return false;
      this.move(old, at);
      return true;
    }
    const drawn: Drawn = old ?? {drawing, place: new THREE.Group(), pose: new Float64Array(12), radius: 0};
    if (!old) {
      drawn.place.matrixAutoUpdate = false;
      this.root.add(drawn.place);
      this.drawn.set(key, drawn);
    }
    dispose(drawn.place);
    drawn.place.clear();
    drawn.drawing = drawing;
    drawn.place.add(drawingScene(drawing, this.axis, () => {
      this.more = true;
      this.log.events.emit('loaded', undefined);
    }));
    this.move(drawn, IDENTITY);
    drawn.place.updateMatrixWorld(true);
    const box = new THREE.Box3().setFromObject(drawn.place), far = [...box.min.toArray(), ...box.max.toArray()].map(Math.abs);
    drawn.radius = box.isEmpty() ? 0 : Math.max(...far);
    this.move(drawn, at);
    return true;
  }

  private move(drawn: Drawn, pose: Pose): void {
    drawn.pose.set(pose);
    setMatrix(drawn.place.matrix, pose);
    drawn.place.matrixWorldNeedsUpdate = true;
  }

  private remove(key: string): void {
    const drawn = this.drawn.get(key);
    if (!drawn) return;
    dispose(drawn.place);
    this.root.remove(drawn.place);
    this.drawn.delete(key);
  }
}
