// The light of the scene: its formulas, where sums take their samples, and what of the world becomes the floor.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import * as THREE from 'three';
import {TO_SUN, environmentHarmonics, evenDirection, radianceFrom} from '../../src/scene/light/environment';
import {gridCell} from '../../src/scene/light/floor';
import {levelTop} from '../../src/scene/light/floor_terrain';
import {Lights} from '../../src/scene/light/lights';
import {diskSample, pixelSample, radicalInverse, sphereSample} from '../../src/scene/light/sampling';
import {DARK, LIGHT} from '../../src/scene/light/theme';

const near = (a: number, b: number, within: number, what: string) => assert.ok(Math.abs(a - b) <= within, `${what}: ${a} instead of ${b}`);

test('from above comes white light, from below gray, and boxes are in reflections alone', () => {
  const above = radianceFrom(new THREE.Vector3(0, 0, 1), false), below = radianceFrom(new THREE.Vector3(0, 0, -1), true);
  assert.deepEqual(above.toArray().map((v) => +v.toFixed(3)), [1, 1.02, 1.06]);
  assert.deepEqual(below.toArray().map((v) => +v.toFixed(3)), [0.42, 0.41, 0.4]);
  near(radianceFrom(TO_SUN, true).r - radianceFrom(TO_SUN, false).r, 5, 1e-9, 'the box of the sun');
});

test('harmonics light surfaces as the integral of the formula does', () => {
  const harmonics = environmentHarmonics(), count = 20000, toward = new THREE.Vector3(), color = new THREE.Color(), got = new THREE.Vector3();
  for (const normal of [[0, 0, 1], [0, 0, -1], [1, 0, 0], [0.6, -0.8, 0], [-0.48, 0.6, 0.64]].map(([x, y, z]) => new THREE.Vector3(x, y, z))) {
    let sum = 0;
    for (let i = 0; i < count; ++i) {
      const cosine = normal.dot(evenDirection(i, count, toward));
      if (cosine > 0) sum += radianceFrom(toward, true, color).g * cosine * 4 * Math.PI / count;
    }
    harmonics.getIrradianceAt(normal, got);
    near(got.y / sum, 1, 0.04, `on a surface toward ${normal.toArray()}`);
  }
});

test('samples are even from the first on, and the same each time', () => {
  assert.deepEqual([0, 1, 2, 3].map((i) => radicalInverse(i + 1, 2)), [0.5, 0.25, 0.75, 0.125]);
  near(radicalInverse(5, 3), 2 / 3 + 1 / 9, 1e-12, 'the fifth in base 3');
  for (const count of [16, 32, 96]) {
    const sum = new THREE.Vector3(), at = new THREE.Vector3(), pixel = new THREE.Vector2(), shift = new THREE.Vector2();
    for (let i = 0; i < count; ++i) {
      near(sphereSample(i, count, at).length(), 1, 1e-12, 'a direction');
      sum.add(at);
      shift.add(pixelSample(i, pixel));
      assert.ok(Math.max(Math.abs(pixel.x), Math.abs(pixel.y)) <= 0.75);
      const away = diskSample(i, TO_SUN, 0.04, at).angleTo(TO_SUN);
      assert.ok(away <= 0.0401, `${away} rad from the middle of the sun`);
    }
    for (const slope of [[0, 0, 1], [0, -1, 0], [0.8, -0.6, 0], [0, -0.8, -0.6], [-0.48, 0.6, 0.64]].map(([x, y, z]) => new THREE.Vector3(x, y, z))) {
      let light = 0;
      for (let i = 0; i < count; ++i) light += Math.max(0, slope.dot(sphereSample(i, count, at))) * 4 / count;
      near(light, 1, count < 32 ? 0.06 : 0.03, `${count} directions on a slope toward ${slope.toArray()}`);
    }
    assert.ok(sum.length() / count < 0.15 && shift.length() / count < 0.1, `of ${count}: ${sum.length() / count}, ${shift.length() / count}`);
  }
});

test('a level floor in the open is as bright at rest as while things move', () => {
  for (const theme of [LIGHT, DARK])
    for (const count of [32, 96]) {
      const lights = new Lights(1024);
      lights.setTheme(theme);
      let sum = 0;
      for (let i = 0; i < count; ++i) sum += lights.sample(i, count);
      near(sum / count, 1, 1e-9, `of ${count}`);
    }
});

test('a cell of the grid is a power of ten that one can tell apart', () => {
  assert.equal(gridCell(0.001), 0.1);
  for (let size = 1e-5; size < 10; size *= 1.7) {
    const cell = gridCell(size), pixels = cell / size;
    near(Math.log10(cell), Math.round(Math.log10(cell)), 1e-9, 'a power of ten');
    assert.ok(pixels >= 31.9 && pixels < 320.1, `${pixels} pixels`);
  }
});

const meshOf = (geometry: THREE.BufferGeometry, z = 0) => {
  const mesh = new THREE.Mesh(geometry);
  mesh.position.z = z;
  return mesh;
};

test('a wide level plate is a floor at the height of its top, and nothing else is', () => {
  near(levelTop(meshOf(new THREE.BoxGeometry(6, 6, 0.1), -0.05))!, 0, 1e-9, 'a plate');
  near(levelTop(meshOf(new THREE.PlaneGeometry(20, 10), 1.5))!, 1.5, 1e-9, 'a plane');
  assert.equal(levelTop(meshOf(new THREE.BoxGeometry(2, 6, 0.1))), null, 'a table');
  assert.equal(levelTop(meshOf(new THREE.BoxGeometry(4, 4, 2))), null, 'a block');
  assert.equal(levelTop(meshOf(new THREE.CircleGeometry(4, 24))), null, 'a disk leaves corners open');
  assert.equal(levelTop(meshOf(new THREE.PlaneGeometry(8, 8).rotateX(0.05))), null, 'a slope');
  const hills = new THREE.PlaneGeometry(8, 8, 8, 8), positions = hills.getAttribute('position');
  for (let i = 0; i < positions.count; ++i) positions.setZ(i, 0.1 * Math.sin(i));
  assert.equal(levelTop(meshOf(hills)), null, 'hills');
  assert.equal(levelTop(new THREE.Group()), null, 'nothing');
});
