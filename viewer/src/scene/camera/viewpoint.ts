// From where a camera sees what it should look at.
import * as THREE from 'three';
import type {Log} from '../../data/log';
import {setMatrix} from '../shapes/bodies';
import type {Shapes} from '../shapes/shapes';

/** Turns about the vertical, in the order in which they are tried. */
const TURNS = [0, 45, -45, 90, -90, 135, -135, 180];
/** A camera's place, degrees: from the front and the right; over what is high, what is wide, and what stands on tables; and where that sees nothing. */
const AZIMUTH = -40, HIGH = 12, WIDE = 18, ON_TABLES = 28, STEEP = 50;

/** The direction from which a picture is seen first, turned by some degrees. */
export function cornerDirection(turn: number, elevation = WIDE): THREE.Vector3 {
  const a = THREE.MathUtils.degToRad(AZIMUTH + turn), e = THREE.MathUtils.degToRad(elevation);
  return new THREE.Vector3(Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e));
}

/**
 * The direction from `center` to a camera `distance` away from which the fewest of `targets` are hidden: behind the box of one of
 * `obstacles`, or because the camera is in it. Among equals the first, which looks from the front and the right.
 */
export function clearDirection(
    center: THREE.Vector3, distance: number, targets: THREE.Box3[], obstacles: THREE.Box3[], size: THREE.Vector3, raised: boolean): THREE.Vector3 {
  const elevation = raised ? ON_TABLES : size.z > Math.max(size.x, size.y) ? HIGH : WIDE;
  const points = targets.map((box) => box.getCenter(new THREE.Vector3()));
  const ray = new THREE.Ray(), hit = new THREE.Vector3();
  const hidden = (eye: THREE.Vector3): number => points.filter((point) => obstacles.some((box) => {
    if (box.containsPoint(point)) return false;
    if (box.containsPoint(eye)) return true;
    ray.origin.copy(eye);
    ray.direction.subVectors(point, eye).normalize();
    return ray.intersectBox(box, hit) !== null && hit.distanceTo(eye) < point.distanceTo(eye);
  })).length;
  let best = new THREE.Vector3(), least = Infinity;
  for (const slope of [elevation, STEEP])
    for (const turn of TURNS) {
      const direction = cornerDirection(turn, slope);
      const count = hidden(center.clone().addScaledVector(direction, distance));
      if (count >= least) continue;
      best = direction;
      least = count;
    }
  return best;
}

/** Of a motion, so many instants are looked at. */
const INSTANTS = 8;

/** Makes `box` hold where bodies come by later, as long as they stay near. */
export function includeMotion(logs: {log: Log; shapes: Shapes; time: number}[], box: THREE.Box3): void {
  const center = box.getCenter(new THREE.Vector3()), most = 1.5 * box.getSize(new THREE.Vector3()).length();
  const at = new THREE.Vector3(), matrix = new THREE.Matrix4();
  for (const {log, shapes, time} of logs) {
    const {times} = log.state;
    if (times.length < 2) continue;
    for (let i = 1; i <= INSTANTS; ++i) {
      log.show(times[Math.floor((i * (times.length - 1)) / INSTANTS)]);
      for (const body of shapes.bodies.values()) {
        const pose = log.poses.get(body.id);
        if (!pose || !body.visible) continue;
        setMatrix(matrix, pose);
        at.copy(body.center).applyMatrix4(matrix);
        if (at.distanceTo(center) < most) box.expandByPoint(at);
      }
    }
    log.show(time);
  }
}
