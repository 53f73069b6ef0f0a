// Cubes, spheres, cylinders and arrows of messages: those of one shape and opacity in one draw call.
import * as THREE from 'three';
import type {Solid} from '../../data/foreign/drawn';
import {setMatrix} from '../shapes/bodies';
import {Surface} from '../light/surface';

/** Sides of what is round. */
const SIDES = 24;

/** Along z, as wide as 1 where nothing is narrower. */
function cylinder(bottom: number, top: number): THREE.BufferGeometry {
  return new THREE.CylinderGeometry(top / 2, bottom / 2, 1, SIDES).rotateX(Math.PI / 2);
}

/** Along x, from 0 to 1. */
const along = (geometry: THREE.BufferGeometry): THREE.BufferGeometry => geometry.rotateY(Math.PI / 2).translate(0.5, 0, 0);

interface Part { geometry: () => THREE.BufferGeometry; at: (solid: Solid) => {offset: number[]; scale: number[]} }

const CENTERED = ({size}: Solid) => ({offset: [0, 0, 0], scale: size});

/** What a solid is drawn of. */
function partsOf({shape, taper = [1, 1]}: Solid): Part[] {
  if (shape === 'cube') return [{geometry: () => new THREE.BoxGeometry(1, 1, 1), at: CENTERED}];
  if (shape === 'sphere') return [{geometry: () => new THREE.SphereGeometry(0.5, SIDES, SIDES / 2), at: CENTERED}];
  if (shape === 'cylinder') return [{geometry: () => cylinder(...taper), at: CENTERED}];
  return [
    {geometry: () => along(cylinder(1, 1)), at: ({size: [shaft, thick]}) => ({offset: [0, 0, 0], scale: [shaft, thick, thick]})},
    {geometry: () => along(cylinder(1, 0)), at: ({size: [shaft, , head, wide]}) => ({offset: [shaft, 0, 0], scale: [head, wide, wide]})},
  ];
}

const kindOf = ({shape, taper, color}: Solid): string => `${shape} ${taper?.join() ?? ''} ${color[3].toFixed(3)}`;

export function solidsScene(solids: Solid[]): THREE.Object3D[] {
  const kinds = new Map<string, Solid[]>();
  for (const solid of solids) kinds.set(kindOf(solid), [...(kinds.get(kindOf(solid)) ?? []), solid]);
  return [...kinds.values()].flatMap((equal) => partsOf(equal[0]).map((part) => meshOf(equal, part)));
}

function meshOf(solids: Solid[], {geometry, at}: Part): THREE.Object3D {
  const [, , , opacity] = solids[0].color, transparent = opacity < 1;
  const mesh = new THREE.InstancedMesh(geometry(), new Surface({opacity, transparent, depthWrite: !transparent, roughness: 0.6, metalness: 0}), solids.length);
  const matrix = new THREE.Matrix4(), local = new THREE.Matrix4(), color = new THREE.Color();
  solids.forEach((solid, i) => {
    const {offset: [x, y, z], scale: [a, b, c]} = at(solid);
    setMatrix(matrix, solid.pose);
    // What has no size in a direction is flat, and can be seen.
    mesh.setMatrixAt(i, matrix.multiply(local.makeScale(a || 1e-6, b || 1e-6, c || 1e-6).setPosition(x, y, z)));
    mesh.setColorAt(i, color.setRGB(solid.color[0], solid.color[1], solid.color[2], THREE.SRGBColorSpace));
  });
  mesh.castShadow = mesh.receiveShadow = !transparent;
  mesh.frustumCulled = false;
  mesh.matrixAutoUpdate = false;
  return mesh;
}
