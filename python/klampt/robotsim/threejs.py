"""Worlds as JSON scenes of Three.js (format 4)."""

import json
import uuid

_NAMESPACE = uuid.UUID("6f1f6f2e-4f0b-4b7e-9b3c-0d3f4f0a5c11")


def _id(*parts):
    return str(uuid.uuid5(_NAMESPACE, "/".join(str(p) for p in parts)))


def _matrix(transform):
    R, t = transform
    return [R[0], R[1], R[2], 0, R[3], R[4], R[5], 0, R[6], R[7], R[8], 0, t[0], t[1], t[2], 1]


def _entities(world):
    for terrain in world.terrains:
        yield terrain.getName(), terrain, terrain.geometry()
    for rigid in world.rigidObjects:
        yield rigid.getName(), rigid, rigid.geometry()
    for robot in world.robots:
        for link in robot.links:
            yield robot.getName() + "/" + link.getName(), link, link.geometry()


def _geometry(key, geometry):
    if geometry.type() == "PointCloud":
        return {"uuid": key, "type": "BufferGeometry", "data": {"attributes": {"position": {
            "itemSize": 3, "type": "Float32Array", "array": geometry.getPointCloud().points.ravel().tolist()}}}}
    mesh = geometry if geometry.type() == "TriangleMesh" else geometry.convert("TriangleMesh")
    mesh = mesh.getTriangleMesh()
    return {"uuid": key, "type": "BufferGeometry", "data": {
        "attributes": {"position": {"itemSize": 3, "type": "Float32Array", "array": mesh.vertices.ravel().tolist()}},
        "index": {"type": "Uint32Array", "array": mesh.indices.ravel().tolist()}}}


def scene(world):
    """The world's things with geometries, materials and places."""
    geometries, materials, children = [], [], []
    for name, entity, geometry in _entities(world):
        child = {"uuid": _id("object", name), "name": name, "type": "Object3D", "matrixAutoUpdate": False,
                 "matrix": _matrix(geometry.getCurrentTransform())}
        children.append(child)
        if geometry.empty():
            continue
        r, g, b, a = entity.appearance().getColor()
        packed = sum(int(round(255 * min(1.0, max(0.0, c)))) << s for c, s in ((r, 16), (g, 8), (b, 0)))
        cloud = geometry.type() == "PointCloud"
        try:
            geometries.append(_geometry(_id("geometry", name), geometry))
        except RuntimeError:
            continue  # No surface: points and segments.
        materials.append({"uuid": _id("material", name), "type": "PointsMaterial" if cloud else "MeshPhongMaterial",
                          "color": packed, "opacity": a, "transparent": a < 1})
        child.update(type="Points" if cloud else "Mesh", geometry=_id("geometry", name), material=_id("material", name))
    return json.dumps({"metadata": {"version": 4.3, "type": "Object", "generator": "Mortise"}, "geometries": geometries,
                       "materials": materials,
                       "object": {"uuid": _id("scene"), "type": "Scene", "name": "Scene", "children": children}})


def transforms(world):
    """Returns where the world's things are."""
    return json.dumps({"object": [{"name": name, "matrix": _matrix(geometry.getCurrentTransform())}
                                  for name, _, geometry in _entities(world)]})
