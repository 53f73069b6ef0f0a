// The camera: both projections show what is looked at in one size, and shifts of a pixel are shifts of a pixel.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import * as THREE from 'three';
import {SceneCamera} from '../../src/scene/camera/scene_camera';
import {clearDirection, cornerDirection} from '../../src/scene/camera/viewpoint';

function cameraAt(parallel: boolean): SceneCamera {
  const camera = new SceneCamera();
  camera.aspect = 1.5;
  camera.position.set(3, -4, 0);
  camera.near = 0.1;
  camera.far = 100;
  camera.lookAt(0, 0, 0);
  camera.updateMatrixWorld();
  camera.setParallel(parallel, 5);
  return camera;
}

test('what is looked at is as large in both projections, and parallel lines stay parallel in one', () => {
  const [seen, parallel] = [false, true].map(cameraAt), at = (camera: SceneCamera, x: number, y: number, z: number) => new THREE.Vector3(x, y, z).project(camera);
  for (const [x, y, z] of [[0.8, 0.6, 0], [0, 0, 1], [-0.4, -0.3, 0.5]]) {
    const a = at(seen, x, y, z), b = at(parallel, x, y, z);
    assert.ok(Math.abs(a.x - b.x) < 1e-9 && Math.abs(a.y - b.y) < 1e-9, `${a.toArray()} ${b.toArray()}`);
  }
  const near = at(parallel, 1.5, -2, 1), far = at(parallel, -1.5, 2, 1);
  assert.ok(Math.abs(near.y - far.y) < 1e-9 && Math.abs(near.x - far.x) < 1e-9);
  assert.ok(at(seen, 1.5, -2, 1).y > at(seen, -1.5, 2, 1).y + 0.1);
  assert.ok(parallel.parallel && !seen.parallel);
  assert.equal(parallel.metersPerPixel(5, 900), seen.metersPerPixel(5, 900));
  parallel.setParallel(false, 5);
  assert.ok(parallel.projectionMatrix.equals(seen.projectionMatrix));
});

test('shifted by a pixel, the picture is', () => {
  for (const parallel of [false, true]) {
    const camera = cameraAt(parallel), point = new THREE.Vector3(0.3, 0.2, 0.4), plain = point.clone().project(camera);
    camera.setViewOffset(900, 600, 1, 0.5, 900, 600);
    const shifted = point.clone().project(camera);
    assert.ok(Math.abs((shifted.x - plain.x) * 450 + 1) < 1e-6 && Math.abs((shifted.y - plain.y) * 300 - 0.5) < 1e-6, `${parallel}`);
    camera.clearViewOffset();
    assert.ok(point.clone().project(camera).distanceTo(plain) < 1e-12);
  }
});

test('a ray through a place of the picture meets what is drawn there', () => {
  for (const parallel of [false, true]) {
    const camera = cameraAt(parallel), point = new THREE.Vector3(0.3, 0.2, 0.4), at = point.clone().project(camera), raycaster = new THREE.Raycaster();
    raycaster.setFromCamera(new THREE.Vector2(at.x, at.y), camera);
    assert.ok(raycaster.ray.distanceToPoint(point) < 1e-6, `${raycaster.ray.distanceToPoint(point)}`);
  }
});

test('a picture is first seen from the front and the right, higher over tables', () => {
  const size = new THREE.Vector3(1, 1, 2), center = new THREE.Vector3(), degrees = (v: THREE.Vector3) => THREE.MathUtils.radToDeg(Math.asin(v.z));
  const high = clearDirection(center, 5, [], [], size, false), wide = clearDirection(center, 5, [], [], new THREE.Vector3(3, 1, 1), false);
  assert.ok(Math.abs(degrees(high) - 12) < 1e-6 && Math.abs(degrees(wide) - 18) < 1e-6);
  assert.ok(Math.abs(degrees(clearDirection(center, 5, [], [], size, true)) - 28) < 1e-6);
  assert.ok(cornerDirection(0).x > 0 && cornerDirection(0).y < 0);
});
