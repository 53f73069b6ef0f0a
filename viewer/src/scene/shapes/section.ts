// Sections: planes beyond which bodies are not drawn.
import * as THREE from 'three';
import type {LogScene} from '../log_scene';
import type {Axis, Section} from '../scene_options';

const AXES: readonly Axis[] = ['x', 'y', 'z'];

/** What is on the positive side of all planes stays. */
export function planesOf(section: Section | null): THREE.Plane[] {
  if (!section) return [];
  const sign = section.flipped ? 1 : -1;
  return [new THREE.Plane(new THREE.Vector3().setComponent(AXES.indexOf(section.axis), sign), -sign * section.at)];
}

/** From where to where a section along an axis cuts something that is shown. */
export function sectionRange(logs: LogScene[], axis: Axis): [number, number] {
  const box = new THREE.Box3();
  for (const {shapes} of logs)
    for (const body of shapes.bodies.values()) if (body.visible && !body.asFloor) box.union(new THREE.Box3().setFromObject(body.object));
  return box.isEmpty() ? [-1, 1] : [box.min[axis], box.max[axis]];
}
