// Overlays of a log: a planner's roadmap and paths, as lines and points.
import * as THREE from 'three';
import type {Overlay} from '../../data/log';
import {dots} from './dots';
import {WideLines} from './wide_lines';

/** Lines and points that come with a log: a planner's ways. */
export function overlayScene(overlays: Overlay[]): THREE.Group {
  const group = new THREE.Group();
  overlays.forEach((overlay, i) => {
    const weak = overlay.name === 'roadmap';
    const color = new THREE.Color(overlay.color).getHex();
    const way = new WideLines(color, weak ? {width: 1.2, opacity: 0.45} : {width: 2.5});
    way.set(overlay.lines);
    const points = new THREE.Points(
        new THREE.BufferGeometry(), dots(color, weak ? 4 : 7));
    points.geometry.setAttribute('position', new THREE.Float32BufferAttribute(overlay.points, 3));
    points.frustumCulled = false;
    way.lines.renderOrder = points.renderOrder = 1 + i;
    group.add(way.lines, points);
  });
  return group;
}
