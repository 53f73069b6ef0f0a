// Small binary glTF files, as servers and logs hand them out.

export interface GlbMesh { corners: number[]; triangles: number[]; normals?: number[]; color?: number[]; alpha?: number }
export interface GlbNode { id: number; mesh: GlbMesh; at?: number[]; mortise?: object }

/** A box of these half sizes about the origin. */
export function boxMesh(x: number, y: number, z: number, more: Partial<GlbMesh> = {}): GlbMesh {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z]);
  const faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  return {corners, triangles: faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]), ...more};
}

/** Equal meshes (the same object) are stored once. */
export function glbOf(nodes: GlbNode[]): Uint8Array {
  const parts: Uint8Array[] = [], views: object[] = [], accessors: object[] = [], meshes: object[] = [], materials: object[] = [], made = new Map<GlbMesh, number>();
  let length = 0;
  const store = (data: Uint8Array, type: string, componentType: number, count: number, more: object = {}): number => {
    views.push({buffer: 0, byteOffset: length, byteLength: data.length});
    accessors.push({bufferView: views.length - 1, componentType, count, type, ...more});
    const padded = new Uint8Array((data.length + 3) & ~3);
    padded.set(data);
    parts.push(padded);
    length += padded.length;
    return accessors.length - 1;
  };
  const vectors = (numbers: number[]): number => {
    const of = (k: number) => numbers.filter((_, i) => i % 3 === k);
    return store(new Uint8Array(Float32Array.from(numbers).buffer), 'VEC3', 5126, numbers.length / 3,
      {min: [0, 1, 2].map((k) => Math.min(...of(k))), max: [0, 1, 2].map((k) => Math.max(...of(k)))});
  };
  const meshOf = (mesh: GlbMesh): number => {
    const known = made.get(mesh);
    if (known !== undefined) return known;
    const attributes: Record<string, number> = {POSITION: vectors(mesh.corners)}, alpha = mesh.alpha ?? 1;
    if (mesh.normals) attributes.NORMAL = vectors(mesh.normals);
    materials.push({
      pbrMetallicRoughness: {baseColorFactor: [...(mesh.color ?? [0.2, 0.4, 0.6]), alpha], metallicFactor: 0}, doubleSided: true, ...(alpha < 1 ? {alphaMode: 'BLEND'} : {}),
    });
    const indices = store(new Uint8Array(Uint16Array.from(mesh.triangles).buffer), 'SCALAR', 5123, mesh.triangles.length);
    meshes.push({primitives: [{attributes, indices, material: materials.length - 1}]});
    made.set(mesh, meshes.length - 1);
    return meshes.length - 1;
  };
  const list = nodes.map(({id, mesh, at = [0, 0, 0], mortise}) => ({
    mesh: meshOf(mesh), matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...at, 1], extras: {id, ...(mortise ? {mortise} : {})},
  }));
  const json = new TextEncoder().encode(JSON.stringify({
    asset: {version: '2.0'}, scene: 0, scenes: [{nodes: list.map((_, i) => i)}], nodes: list, meshes, materials, accessors, bufferViews: views, buffers: [{byteLength: length}],
  }));
  const jsonLength = (json.length + 3) & ~3, out = new Uint8Array(12 + 8 + jsonLength + 8 + length).fill(0x20), view = new DataView(out.buffer);
  [0x46546c67, 2, out.length, jsonLength, 0x4e4f534a].forEach((word, i) => view.setUint32(4 * i, word, true));
  out.set(json, 20);
  view.setUint32(20 + jsonLength, length, true);
  view.setUint32(24 + jsonLength, 0x004e4942, true);
  let at = 28 + jsonLength;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
