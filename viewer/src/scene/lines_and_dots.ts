// Materials of lines and of round points, and the positions they are drawn at.
import * as THREE from 'three';

/** An empty set of separate lines of one color, never culled. */
export function lines(color: number, opacity = 1): THREE.LineSegments {
  const made = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({color, transparent: opacity < 1, opacity}));
  made.frustumCulled = false;
  return made;
}

/** White, and round; a canvas would have to wait for the graphics. */
const disk = (() => {
  const size = 32, pixels = new Uint8Array(4 * size * size).fill(255);
  for (let i = 0; i < size * size; ++i) {
    const distance = Math.hypot(i % size - size / 2 + 0.5, Math.floor(i / size) - size / 2 + 0.5);
    pixels[4 * i + 3] = 255 * Math.min(Math.max(size / 2 - 0.5 - distance, 0), 1);
  }
  const texture = new THREE.DataTexture(pixels, size, size);
  texture.magFilter = THREE.LinearFilter;
  texture.minFilter = THREE.LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
})();

/** Points as disks of `size` pixels; `above`: seen through everything. */
export function dots(color: number, size: number, above = false): THREE.PointsMaterial {
  return new THREE.PointsMaterial({color, size, map: disk, alphaTest: 0.5, sizeAttenuation: false, depthTest: !above, transparent: above});
}

/** Replaces the positions; an object without any is hidden, and needs no shader. */
export function setPositions(object: THREE.LineSegments | THREE.Points, numbers: ArrayLike<number>): void {
  object.visible = numbers.length > 0;
  const old = object.geometry.getAttribute('position');
  if (old && old.array.length === numbers.length) {
    (old.array as Float32Array).set(numbers);
    old.needsUpdate = true;
  } else {
    object.geometry.dispose();
    object.geometry = new THREE.BufferGeometry();
    object.geometry.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(numbers), 3));
  }
}
