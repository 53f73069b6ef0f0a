"""Random shapes of every kind, made the same way on both sides."""

import numpy

from . import draw

KINDS = ("point", "sphere", "segment", "triangle", "polygon", "aabb", "box", "mesh", "solid", "cloud", "hull", "surface", "grid",
         "heightmap", "group")


def primitive(k, rng, kind):
    """A primitive of about the size 1."""
    p = k.GeometricPrimitive()
    if kind == "point":
        p.setPoint(draw.vector(rng, 3, 0.3))
    elif kind == "sphere":
        p.setSphere(draw.vector(rng, 3, 0.3), rng.uniform(0.1, 0.6))
    elif kind == "segment":
        p.setSegment(draw.vector(rng, 3, 0.6), draw.vector(rng, 3, 0.6))
    elif kind == "triangle":
        p.setTriangle(draw.vector(rng, 3, 0.6), draw.vector(rng, 3, 0.6), draw.vector(rng, 3, 0.6))
    elif kind == "polygon":
        # Convex and flat: points of an ellipse on any plane.
        import math
        R, t = draw.transform(rng, 0.3)
        a, b, n = rng.uniform(0.2, 0.6), rng.uniform(0.2, 0.6), rng.randrange(3, 7)
        corners = []
        for i in range(n):
            x, y = a * math.cos(2 * math.pi * i / n), b * math.sin(2 * math.pi * i / n)
            corners += [R[j] * x + R[3 + j] * y + t[j] for j in range(3)]
        p.setPolygon(corners)
    elif kind == "aabb":
        p.setAABB([-rng.uniform(0.1, 0.5) for _ in range(3)], [rng.uniform(0.1, 0.5) for _ in range(3)])
    elif kind == "box":
        p.setBox(draw.vector(rng, 3, 0.3), draw.rotation(rng), [rng.uniform(0.1, 0.9) for _ in range(3)])
    return p


def mesh(k, vertices, triangles):
    m = k.TriangleMesh()
    m.setVertices(numpy.array(vertices, dtype=float))
    m.setIndices(numpy.array(triangles, dtype=numpy.int32))
    return m


def random_mesh(k, rng, closed):
    if not closed:
        n = rng.randrange(1, 9)
        return mesh(k, [draw.vector(rng, 3, 0.6) for _ in range(3 * n)], [[3 * i, 3 * i + 1, 3 * i + 2] for i in range(n)])
    if rng.random() < 0.4:
        return mesh(k, *draw.boxes([-rng.uniform(0.1, 0.5) for _ in range(3)], [rng.uniform(0.1, 0.5) for _ in range(3)]))
    return mesh(k, *draw.ball(rng, rng.uniform(0.2, 0.5), rng.randrange(3, 7), rng.randrange(4, 9), rng.choice([0, 0.2])))


def cloud(k, rng, radius=None):
    c = k.PointCloud()
    n = rng.randrange(1, 30)
    c.setPoints(numpy.array([draw.vector(rng, 3, 0.5) for _ in range(n)]))
    if radius:
        c.addProperty("radius", [rng.uniform(0.5, 1) * radius for _ in range(n)])
    return c


def hull(k, rng):
    h = k.ConvexHull()
    h.setPoints(numpy.array([draw.vector(rng, 3, 0.5) for _ in range(rng.randrange(4, 16))]))
    return h


def surface(k, rng):
    """A signed distance field of a ball."""
    import math
    s = k.ImplicitSurface()
    n = rng.randrange(6, 14)
    s.setBmin([-0.7] * 3)
    s.setBmax([0.7] * 3)
    c, r = draw.vector(rng, 3, 0.1), rng.uniform(0.2, 0.5)
    at = [-0.7 + 1.4 * (i + 0.5) / n for i in range(n)]
    s.setValues(numpy.array([[[math.dist((x, y, z), c) - r for z in at] for y in at] for x in at]))
    return s


def grid(k, rng):
    g = k.OccupancyGrid()
    n = rng.randrange(3, 7)
    g.setBmin([-0.6] * 3)
    g.setBmax([0.6] * 3)
    g.setValues(numpy.array([[[float(rng.random() < 0.4) for _ in range(n)] for _ in range(n)] for _ in range(n)]))
    return g


def heightmap(k, rng):
    h = k.Heightmap()
    w, d = rng.randrange(3, 8), rng.randrange(3, 8)
    h.resize(w, d)
    h.setSize(rng.uniform(0.8, 1.5), rng.uniform(0.8, 1.5))
    h.setHeights(numpy.array([[rng.uniform(0, 0.5) for _ in range(d)] for _ in range(w)]).astype(numpy.float32))
    return h


def make(k, rng, kind, radius=None):
    """A Geometry3D of one of KINDS."""
    if kind in KINDS[:7]:
        return k.Geometry3D(primitive(k, rng, kind))
    if kind == "mesh":
        return k.Geometry3D(random_mesh(k, rng, False))
    if kind == "solid":
        return k.Geometry3D(random_mesh(k, rng, True))
    if kind == "cloud":
        return k.Geometry3D(cloud(k, rng, radius))
    if kind == "hull":
        return k.Geometry3D(hull(k, rng))
    if kind == "surface":
        return k.Geometry3D(surface(k, rng))
    if kind == "grid":
        return k.Geometry3D(grid(k, rng))
    if kind == "heightmap":
        return k.Geometry3D(heightmap(k, rng))
    g = k.Geometry3D()
    g.setGroup()
    for i in range(rng.randrange(1, 4)):
        part = make(k, rng, rng.choice(("sphere", "box", "solid", "mesh", "cloud")), radius or 0.05)
        part.setCurrentTransform(*draw.transform(rng, 0.5))
        g.setElement(i, part)
    return g


def content(g):
    """What a geometry holds, as numbers."""
    kind = g.type()
    if kind == "GeometricPrimitive":
        p = g.getGeometricPrimitive()
        # The real Klamp't has no properties of polygons.
        kind = p.getType().lower()
        return [kind, [float(x) for x in p.saveString().split()[1:]] if kind == "polygon" else list(p.getProperties())]
    if kind == "TriangleMesh":
        m = g.getTriangleMesh()
        return [kind, m.getVertices().tolist(), m.getIndices().tolist()]
    if kind == "PointCloud":
        return [kind, g.getPointCloud().getPoints().tolist()]
    if kind == "ConvexHull":
        return [kind, g.getConvexHull().getPoints().tolist()]
    if kind in ("ImplicitSurface", "OccupancyGrid", "VolumeGrid"):
        s = g.getImplicitSurface() if kind != "OccupancyGrid" else g.getOccupancyGrid()
        return [kind, list(s.getBmin()), list(s.getBmax()), s.getValues().tolist()]
    if kind == "Heightmap":
        h = g.getHeightmap()
        v = h.getViewport()
        return [kind, [v.perspective, v.w, v.h, v.fx, v.fy, v.cx, v.cy], h.getHeights().tolist()]
    if kind == "Group":
        return [kind, [content(g.getElement(i)) for i in range(g.numElements())]]
    return [kind]


def summary(g):
    """The same for large ones: sizes, bounds and sums."""
    kind = g.type()
    out = [kind, g.numElements()]
    if kind == "TriangleMesh":
        v = g.getTriangleMesh().getVertices()
        return out + [len(v), v.sum(axis=0).tolist() if len(v) else []]
    if kind == "PointCloud":
        v = g.getPointCloud().getPoints()
        return out + [len(v), v.sum(axis=0).tolist() if len(v) else []]
    return out
