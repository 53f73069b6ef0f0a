// Colors of bodies as the scene draws them, for the tree.
import * as THREE from 'three';
import type {View} from '../../scene/view';

/** Of the first surface of each body; what has none has no color. */
export function colorsOf(view: View): (id: number) => string | null {
  const found = new Map<number, string | null>(), bodies = view.logs[0]?.shapes.bodies;
  return (id) => {
    if (!found.has(id)) {
      let color: string | null = null;
      bodies?.get(id)?.object.traverse((part) => {
        const material = part instanceof THREE.Mesh || part instanceof THREE.Points ? (part.userData.plain ?? part.material) as unknown : null;
        if (!color && material instanceof THREE.Material && 'color' in material) color = `#${(material.color as THREE.Color).getHexString()}`;
      });
      found.set(id, color);
    }
    return found.get(id) ?? null;
  };
}
