// Lines along the sharp edges of bodies, and dark outlines around them: an option, and what some files ask for.
import * as THREE from 'three';
import type {Body} from './bodies';
import type {NodeSays} from './looks';
import {ONE_COLOR, PUSHED_OUT, RESOLUTION, hullOf} from './outline';
import {WideLines} from '../marks/wide_lines';

/** Between two faces, degrees, from which an edge is sharp; how such lines look otherwise. */
const SHARP = 35, WIDTH = 1.2, OPACITY = 0.55, COLOR = 0x20262c;

const hexOf = (color: number[] | undefined): number =>
  color && color.length >= 3 ? new THREE.Color().setRGB(color[0], color[1], color[2], THREE.SRGBColorSpace).getHex() : COLOR;

export class ShapeEdges {
  private readonly asked = new Map<THREE.Object3D, NodeSays>();
  private readonly made = new Map<THREE.Object3D, WideLines>();
  private readonly ends = new Map<THREE.BufferGeometry, ArrayLike<number>>();
  private readonly silhouettes = new Set<THREE.Object3D>();

  /** Takes what the node of a mesh asks for. */
  say(mesh: THREE.Object3D, says: NodeSays): void { if ((says.edges ?? 0) > 0 || (says.silhouette ?? 0) > 0) this.asked.set(mesh, says); }

  /** Whether a file asks for them. */
  wanted(mesh: THREE.Object3D): boolean { return this.asked.has(mesh); }

  /** Draws them, or no longer; whether there are any now. */
  set(body: Body, all: boolean): boolean {
    let any = false;
    for (const {object} of body.parts) {
      if (!(object instanceof THREE.Mesh)) continue;
      const says = this.asked.get(object), wanted = all || (says?.edges ?? 0) > 0;
      if ((says?.silhouette ?? 0) > 0) this.surround(object, says!);
      if (wanted && !this.made.has(object)) this.made.set(object, this.make(object, says));
      const lines = this.made.get(object)?.lines;
      if (lines) lines.visible = wanted;
      any ||= wanted || says !== undefined;
    }
    return any;
  }

  private make(mesh: THREE.Mesh, says: NodeSays | undefined): WideLines {
    const lines = new WideLines(hexOf(says?.edgeColor), says?.edges ? {width: says.edges} : {width: WIDTH, opacity: OPACITY});
    let ends = this.ends.get(mesh.geometry);
    if (!ends) {
      ends = new THREE.EdgesGeometry(mesh.geometry, SHARP).getAttribute('position').array;
      this.ends.set(mesh.geometry, ends);
    }
    lines.set(ends);
    // A little nearer than the faces that they bound.
    lines.material.polygonOffset = true;
    lines.material.polygonOffsetFactor = lines.material.polygonOffsetUnits = -1;
    lines.lines.userData.id = mesh.userData.id;
    mesh.add(lines.lines);
    return lines;
  }

  /** What is behind the body and larger is seen around it. */
  private surround(mesh: THREE.Mesh, {silhouette, silhouetteColor}: NodeSays): void {
    if (this.silhouettes.has(mesh)) return;
    this.silhouettes.add(mesh);
    const hull = new THREE.Mesh(hullOf(mesh.geometry), new THREE.ShaderMaterial({
      vertexShader: PUSHED_OUT, fragmentShader: ONE_COLOR, side: THREE.BackSide, toneMapped: false,
      uniforms: {resolution: RESOLUTION, reach: {value: silhouette}, color: {value: new THREE.Color(hexOf(silhouetteColor))}},
    }));
    hull.matrixAutoUpdate = false;
    hull.userData.around = true;
    hull.raycast = () => undefined;
    mesh.add(hull);
  }
}
