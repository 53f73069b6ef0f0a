// Shapes of a scene: what is drawn of bodies that look otherwise than they collide, default colors, opacity, what is drawn together.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import * as THREE from 'three';
import type {Entity, Log} from '../../src/data/log';
import {displacement} from '../../src/scene/shapes/bodies';
import {PALETTE} from '../../src/scene/palette';
import {planesOf} from '../../src/scene/shapes/section';
import {Shapes} from '../../src/scene/shapes/shapes';
import {DARK, LIGHT} from '../../src/scene/light/theme';
import {type GlbNode, boxMesh, glbOf} from '../support/glb';

const linear = (r: number, g: number, b: number) => new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace).toArray();
const KLAMPT_TERRAIN = linear(0.8, 0.6, 0.2), KLAMPT_OBJECT = linear(0.4, 0.2, 0.8);

/** As much of a log as shapes ask of it. Objects and links move. */
function logOf(entities: Pick<Entity, 'id' | 'kind'>[], nodes: GlbNode[]): Log {
  const poses = new Map(entities.filter(({kind}) => kind !== 'terrain').map(({id}) => [id, Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, id, 0, 0)]));
  const links = entities.filter(({kind}) => kind === 'link').map(({id}) => ({id}));
  return {world: {entities}, robots: links.length > 0 ? [{links}] : [], poses, attachments: new Map([['scene.glb', glbOf(nodes)]])} as unknown as Log;
}
async function shapesOf(entities: Pick<Entity, 'id' | 'kind'>[], nodes: GlbNode[], index = 0): Promise<Shapes> {
  const shapes = new Shapes(logOf(entities, nodes), index, true);
  await shapes.load();
  shapes.setTheme(LIGHT);
  shapes.place(0);
  return shapes;
}
/** Ids of drawn parts, in order, and whether one sees through them. */
function drawn(shapes: Shapes): string[] {
  const found: string[] = [];
  shapes.root.traverseVisible((object) => {
    if (object instanceof THREE.InstancedMesh) found.push(`${object.count} at once`);
    else if (object instanceof THREE.Mesh && !('isLineSegments2' in object)) found.push(`${object.userData.id}${object.material.transparent ? ' through' : ''}`);
  });
  return found.sort();
}
const colorOf = (shapes: Shapes, id: number) => (shapes.bodies.get(id)!.parts[0].object.material as THREE.MeshStandardMaterial).color;

test('visual, collision or both shapes are drawn', async () => {
  const look = boxMesh(0.1, 0.1, 0.1), hull = boxMesh(0.2, 0.2, 0.2), same = boxMesh(0.3, 0.3, 0.3);
  const shapes = await shapesOf([{id: 1, kind: 'link'}, {id: 2, kind: 'object'}, {id: 3, kind: 'object'}], [
    {id: 1, mesh: look, mortise: {visual: true, collision: false}}, {id: 1, mesh: hull, mortise: {visual: false, collision: true}},
    {id: 2, mesh: same, mortise: {visual: true, collision: true}}, {id: 3, mesh: same}]);
  assert.ok(shapes.differ);
  const parts = () => shapes.bodies.get(1)!.parts.map(({object}) => object.visible);
  assert.deepEqual(parts(), [true, false]);
  assert.deepEqual(drawn(shapes), ['1', '2', '3']);
  shapes.setMode('collision');
  assert.deepEqual(parts(), [false, true]);
  assert.deepEqual(drawn(shapes), ['1', '2', '3']);
  shapes.setMode('both');
  assert.deepEqual(drawn(shapes), ['1', '1 through', '2', '3']);
  shapes.setMode('visual');
  assert.deepEqual(drawn(shapes), ['1', '2', '3']);
});

test('a log from before has no other shapes', async () => {
  const shapes = await shapesOf([{id: 0, kind: 'object'}], [{id: 0, mesh: boxMesh(1, 1, 1)}]);
  assert.ok(!shapes.differ);
  for (const mode of ['collision', 'both', 'visual'] as const) {
    shapes.setMode(mode);
    assert.deepEqual(drawn(shapes), ['0']);
  }
});

test('what nobody gave a color gets a calm one, and what somebody did keeps it', async () => {
  const red = boxMesh(0.1, 0.1, 0.1, {color: [0.6, 0.03, 0.03]}), purple = boxMesh(0.1, 0.1, 0.1, {color: KLAMPT_OBJECT}), ochre = boxMesh(1, 1, 1, {color: KLAMPT_TERRAIN});
  const shapes = await shapesOf([{id: 0, kind: 'terrain'}, {id: 1, kind: 'object'}, {id: 2, kind: 'object'}, {id: 3, kind: 'object'}, {id: 4, kind: 'link'}, {id: 5, kind: 'link'}], [
    {id: 0, mesh: ochre}, {id: 1, mesh: purple}, {id: 2, mesh: red}, {id: 3, mesh: purple, mortise: {visual: true, collision: true, defaultColor: false}},
    {id: 4, mesh: red, mortise: {defaultColor: true}}, {id: 5, mesh: red, mortise: {defaultColor: true}}]);
  assert.ok(colorOf(shapes, 0).equals(LIGHT.plain), 'a terrain');
  assert.equal(colorOf(shapes, 1).getHex(), PALETTE[0], 'the first object');
  assert.ok(Math.abs(colorOf(shapes, 2).r - 0.6) < 1e-6, 'a red one');
  assert.ok(Math.abs(colorOf(shapes, 3).b - KLAMPT_OBJECT[2]) < 1e-6, 'one whose file asks for that very color');
  const lightness = [4, 5].map((id) => colorOf(shapes, id).getHSL({h: 0, s: 0, l: 0}).l);
  assert.ok(lightness[0] > 0.6 && lightness[1] > lightness[0] + 0.02, `links alternate: ${lightness}`);
  shapes.setTheme(DARK);
  assert.ok(colorOf(shapes, 0).equals(DARK.plain), 'a terrain in the dark');
  assert.equal(colorOf(shapes, 1).getHex(), PALETTE[0]);
});

test('the floor stands for wide level terrains without color', async () => {
  const plate = boxMesh(3, 3, 0.05, {color: KLAMPT_TERRAIN}), green = boxMesh(3, 3, 0.05, {color: [0, 0.5, 0]});
  const floor = await shapesOf([{id: 0, kind: 'terrain'}], [{id: 0, mesh: plate, at: [0, 0, 0.95]}]);
  assert.ok(Math.abs(floor.floor! - 1) < 1e-6);
  assert.deepEqual(drawn(floor), []);
  const other = await shapesOf([{id: 0, kind: 'terrain'}], [{id: 0, mesh: green}]);
  assert.equal(other.floor, null);
  assert.deepEqual(drawn(other), ['0']);
});

test('equal bodies are drawn together, but for those that stand out', async () => {
  const box = boxMesh(0.1, 0.1, 0.1), ids = Array.from({length: 12}, (_, id) => id);
  const shapes = await shapesOf(ids.map((id) => ({id, kind: 'object'})), ids.map((id) => ({id, mesh: box})));
  assert.deepEqual(drawn(shapes), ['12 at once']);
  shapes.setOpacities((id) => (id === 3 ? 0.3 : 1));
  assert.deepEqual(drawn(shapes), ['11 at once', '3 through']);
  const material = shapes.bodies.get(3)!.parts[0].object.material as THREE.Material;
  assert.ok(Math.abs(material.opacity - 0.3) < 1e-9 && !material.depthWrite);
  shapes.setTints((id) => (id === 5 ? 0xff0000 : 0));
  assert.deepEqual(drawn(shapes), ['10 at once', '3 through', '5']);
  shapes.setVisible(3, false);
  assert.deepEqual(drawn(shapes), ['10 at once', '5']);
  shapes.setVisible(3, true);
  shapes.setOpacities(() => 1);
  shapes.setTints(() => 0);
  assert.deepEqual(drawn(shapes), ['12 at once']);
  shapes.setEdges(true);
  assert.deepEqual(drawn(shapes), ids.map(String).concat('0 at once').sort());
  shapes.setEdges(false);
  assert.deepEqual(drawn(shapes), ['12 at once']);
});

test('what moves by less than is seen stays where it was, but never drifts away', async () => {
  const shapes = await shapesOf([{id: 1, kind: 'object'}], [{id: 1, mesh: boxMesh(0.1, 0.1, 0.1)}]), {log} = shapes as unknown as {log: Log};
  const pose = log.poses.get(1)!, shownAt = () => shapes.bodies.get(1)!.object.matrix.elements[12];
  let moves = 0;
  for (let i = 1; i <= 100; ++i) {
    pose[9] = 1 + 1e-4 * i;
    if (shapes.place(1e-3)) ++moves;
    assert.ok(Math.abs(shownAt() - pose[9]) <= 1e-3 + 1e-9);
  }
  assert.ok(moves >= 8 && moves <= 10, `${moves} times`);
  assert.ok(!shapes.place(1e-3) && !shapes.place(1e-3));
});

test('the displacement of a body bounds that of each of its points', () => {
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let n = 0; n < 200; ++n) {
    const turn = new THREE.Matrix4().makeRotationFromEuler(new THREE.Euler(0.1 * random(), 0.1 * random(), 0.1 * random())), e = turn.elements;
    const pose = Float64Array.of(e[0], e[4], e[8], e[1], e[5], e[9], e[2], e[6], e[10], random(), random(), random());
    const from = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0), bound = displacement(from, pose, 2);
    const point = new THREE.Vector3(random() - 0.5, random() - 0.5, random() - 0.5).setLength(2), moved = point.clone().applyMatrix4(turn).add(new THREE.Vector3(pose[9], pose[10], pose[11]));
    assert.ok(moved.distanceTo(point) <= bound + 1e-12);
  }
});

test('a second log is seen through, in its own color, and has no terrains', async () => {
  const shapes = await shapesOf([{id: 0, kind: 'terrain'}, {id: 1, kind: 'object'}], [{id: 0, mesh: boxMesh(1, 1, 1)}, {id: 1, mesh: boxMesh(1, 1, 1)}], 1);
  assert.deepEqual(drawn(shapes), ['1 through']);
  const color = colorOf(shapes, 1), own = new THREE.Color(PALETTE[1]);
  assert.ok(Math.abs(color.r - own.r) < 0.2 && Math.abs(color.b - own.b) < 0.2);
  assert.ok(!shapes.bodies.get(1)!.parts[0].object.castShadow);
});

test('a section keeps what is before its plane, and flipped what is behind', () => {
  const [kept] = planesOf({axis: 'y', at: 0.5, flipped: false}), [other] = planesOf({axis: 'y', at: 0.5, flipped: true});
  for (const [y, inside] of [[0.4, true], [0.6, false], [-3, true]] as const) {
    assert.equal(kept.distanceToPoint(new THREE.Vector3(1, y, 2)) >= 0, inside);
    assert.equal(other.distanceToPoint(new THREE.Vector3(1, y, 2)) >= 0, !inside);
  }
  assert.deepEqual(planesOf(null), []);
});
