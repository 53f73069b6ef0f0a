// Lines of a number of pixels in width.
import * as THREE from 'three';
import {LineMaterial} from 'three/examples/jsm/lines/LineMaterial.js';
import {LineSegments2} from 'three/examples/jsm/lines/LineSegments2.js';
import {LineSegmentsGeometry} from 'three/examples/jsm/lines/LineSegmentsGeometry.js';

export interface LineStyle { width?: number; opacity?: number; above?: boolean }

/** Pieces of lines, as ends in pairs: six numbers each. */
export class WideLines {
  readonly lines: LineSegments2;
  private ends: THREE.InstancedInterleavedBuffer | null = null;

  constructor(color: number | null, style: LineStyle = {}) {
    const {width = 2, opacity = 1, above = false} = style;
    this.lines = new LineSegments2(new LineSegmentsGeometry(), new LineMaterial({
      ...(color === null ? {vertexColors: true} : {color}), linewidth: width, opacity, transparent: opacity < 1 || above, depthTest: !above,
      depthWrite: !above && opacity === 1, toneMapped: false,
    }));
    this.lines.frustumCulled = false;
    this.lines.matrixAutoUpdate = false;
    // Asked for what a ray meets, lines are never it.
    this.lines.raycast = () => undefined;
    this.lines.visible = false;
  }

  get material(): LineMaterial { return this.lines.material; }

  /** In place of what was there; none: nothing is drawn. */
  set(ends: ArrayLike<number>): void {
    this.lines.visible = ends.length > 0;
    if (ends.length === 0) return;
    const array = this.room(ends.length);
    (array as Float32Array).set(ends);
    this.changed();
  }

  /** Numbers to be written, for as many as are given; `changed` tells that they are. */
  room(count: number): Float32Array {
    if (!this.ends || this.ends.array.length !== count) {
      this.lines.geometry.dispose();
      const geometry = new LineSegmentsGeometry();
      geometry.setPositions(new Float32Array(count));
      this.ends = (geometry.getAttribute('instanceStart') as THREE.InterleavedBufferAttribute).data as THREE.InstancedInterleavedBuffer;
      this.ends.setUsage(THREE.DynamicDrawUsage);
      this.lines.geometry = geometry;
    }
    this.lines.visible = count > 0;
    return this.ends.array as Float32Array;
  }

  changed(): void { this.ends!.needsUpdate = true; }

  /** Of both ends of each piece, as screens show them. */
  setColors(colors: ArrayLike<number>): void {
    const linear = new Float32Array(colors.length), color = new THREE.Color();
    for (let i = 0; i < colors.length; i += 3) color.setRGB(colors[i], colors[i + 1], colors[i + 2], THREE.SRGBColorSpace).toArray(linear, i);
    this.lines.geometry.setColors(linear);
  }
}

/** A line through points, as ends of its pieces. */
export function throughPoints(points: ArrayLike<number>): number[] {
  const ends: number[] = [];
  for (let i = 0; i + 5 < points.length; i += 3) for (let k = 0; k < 6; ++k) ends.push(points[i + k]);
  return ends;
}
