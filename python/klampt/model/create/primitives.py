"""Boxes and spheres as geometries or as bodies of a world."""

from klampt import GeometricPrimitive, Geometry3D, Mass
from klampt.math import vectorops

__all__ = ["box", "sphere", "bbox", "GeometricPrimitive", "Geometry3D", "Mass", "vectorops"]


def _place(geom, R, t, world, name, mass, center, inertia):
    """The geometry itself, a terrain (infinite mass) or a rigid object, at (R, t)."""
    moved = R is not None and t is not None
    if world is None:
        if moved:
            geom.setCurrentTransform(R, t)
        return geom
    if mass == float("inf"):
        terrain = world.makeTerrain(name)
        if moved:
            geom.transform(R, t)
        terrain.geometry().set(geom)
        return terrain
    m = Mass()
    m.setMass(mass)
    m.setCom(center)
    m.setInertia(inertia)
    body = world.makeRigidObject(name)
    body.geometry().set(geom)
    body.setMass(m)
    if moved:
        body.setTransform(R, t)
    return body


def box(width, depth, height, center=None, R=None, t=None, world=None, name=None,
        mass=float("inf"), type="TriangleMesh"):
    """A box of sizes along x, y, z.

    Without a world, the geometry; in a world, a terrain, or with a mass a rigid object.
    type: 'TriangleMesh', 'GeometricPrimitive', or what Geometry3D.convert() offers.
    """
    center = [0, 0, 0] if center is None else center
    half = [width * 0.5, depth * 0.5, height * 0.5]
    shape = GeometricPrimitive()
    shape.setAABB(vectorops.sub(center, half), vectorops.add(center, half))
    geom = Geometry3D(shape)
    if type != "GeometricPrimitive":
        geom = geom.convert(type)
    x, y, z = width**2, depth**2, height**2
    inertia = [mass * (y + z) / 12, mass * (x + z) / 12, mass * (x + y) / 12]
    return _place(geom, R, t, world, name or "box", mass, center, inertia)


def sphere(radius, center=None, R=None, t=None, world=None, name=None, mass=float("inf"),
           resolution=0.0, type="TriangleMesh"):
    """A sphere; arguments as for box(). resolution: size of the mesh's edges, 0 chooses."""
    center = [0, 0, 0] if center is None else center
    shape = GeometricPrimitive()
    shape.setSphere(center, radius)
    geom = Geometry3D(shape)
    if type != "GeometricPrimitive":
        geom = geom.convert(type, resolution)
    return _place(geom, R, t, world, name or "sphere", mass, center,
                  [0.4 * mass * radius**2] * 3)


def bbox(bmin, bmax, R=None, t=None, world=None, name=None, mass=float("inf"),
         type="TriangleMesh"):
    """A box between two corners; arguments as for box()."""
    return box(*vectorops.sub(bmax, bmin), vectorops.interpolate(bmin, bmax, 0.5), R, t, world,
               name, mass, type)
