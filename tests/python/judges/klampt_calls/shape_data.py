"""Data of shapes: meshes, clouds, primitives, grids, heightmaps."""

import numpy

from . import case, draw, make_shapes

CASES = {}


@case(CASES, 1, 1e-9)
def meshes(place, rng, record):
    """TriangleMesh."""
    m = make_shapes.random_mesh(place.klampt, rng, rng.random() < 0.5)
    for what in ("getVertices", "getIndices", "vertexNormals"):
        record.call(what, getattr(m, what))
    record.call("vertexNormals, weighted", m.vertexNormals, True)
    record.call("triangle", m.triangle, 0)
    m.translate(draw.vector(rng))
    record("translated", m.getVertices())
    m.transform(*draw.transform(rng))
    record("transformed", m.getVertices())
    record.call("addVertex", m.addVertex, draw.vector(rng))
    record.call("addTriangleIndices", m.addTriangleIndices, [0, 1, len(m.getVertices()) - 1])
    record("after", [m.getVertices(), m.getIndices()])
    record.call("vertices", lambda: numpy.array(m.vertices).tolist())
    record.call("copy", lambda: m.copy().getVertices())


@case(CASES, 2, 1e-9)
def clouds(place, rng, record):
    """PointCloud."""
    c = make_shapes.cloud(place.klampt, rng)
    n = len(c.getPoints())
    record.call("addProperty", c.addProperty, "radius")
    record.call("addProperty with values", c.addProperty, "opacity", [rng.random() for _ in range(n)])
    record("numProperties", c.numProperties())
    for what in ("getProperties", "getPropertyNames", "getPoints"):
        record.call(what, getattr(c, what))
    i = rng.randrange(n)
    record.call("setProperty by index", c.setProperty, i, 0, 0.5)
    record.call("setProperty by name", c.setProperty, i, "opacity", 0.25)
    record.call("getProperty", c.getProperty, i, 0)
    record.call("getProperty by name", c.getProperty, i, "opacity")
    record.call("propertyIndex", c.propertyIndex, "opacity")
    record.call("propertyIndex of none", c.propertyIndex, "nothing")
    record.call("setPropertyName", c.setPropertyName, 0, "size")
    record.call("getPropertyName", c.getPropertyName, 0)
    record.call("addPoint", c.addPoint, draw.vector(rng))
    record.call("setPoint", c.setPoint, 0, draw.vector(rng))
    record.call("getPoint", c.getPoint, i)
    record("after", [c.getPoints(), c.getProperties()])
    c.transform(*draw.transform(rng))
    record("transformed", c.getPoints())
    other = make_shapes.cloud(place.klampt, rng)
    record.call("join of unequal properties", c.join, other)
    plain = make_shapes.cloud(place.klampt, rng)
    record.call("join", plain.join, other)
    record("joined", plain.getPoints())
    record.call("setSetting", c.setSetting, "width", "5")
    record.call("getSetting", c.getSetting, "width")
    record.call("getSetting of none", c.getSetting, "nothing")
    colors = [[rng.random() for _ in range(3)] for _ in range(n)]
    d = place.klampt.PointCloud()
    d.setPoints(numpy.zeros((n, 3)))
    record.call("setColors", d.setColors, numpy.array(colors), ("r", "g", "b"))
    for form in ("rgb", "argb", ("r", "g", "b"), "rgba", "opacity"):
        record.call(f"getColors {form}", d.getColors, form)
    record.call("properties after setColors", lambda: [d.getPropertyNames(), d.getProperties()])


@case(CASES, 1.5, 1e-9)
def images(place, rng, record):
    """Clouds of depth images."""
    c = place.klampt.PointCloud()
    h, w = rng.randrange(2, 6), rng.randrange(2, 6)
    intrinsics = [rng.uniform(2, 5), rng.uniform(2, 5), w / 2, h / 2]
    scale = rng.choice([1.0, 1000.0])
    depth = numpy.array([[rng.uniform(0.5, 3) * scale for _ in range(w)] for _ in range(h)])
    kind = rng.choice([numpy.float64, numpy.float32, numpy.uint16])
    record.call(f"setDepthImage {kind.__name__}", c.setDepthImage, intrinsics, depth.astype(kind), scale)
    record("points", c.getPoints(), 1e-6)
    colors = numpy.array([[[rng.randrange(256) for _ in range(3)] for _ in range(w)] for _ in range(h)], dtype=numpy.uint8)
    d = place.klampt.PointCloud()
    record.call(f"setRGBDImages {kind.__name__}", d.setRGBDImages, intrinsics, colors, depth.astype(kind), scale)
    record.call("colored", lambda: [d.getPoints(), d.getProperties(), d.getPropertyNames()], tolerance=1e-6)
    record.call("settings", lambda: [d.getSetting(key) for key in ("width", "height")])


@case(CASES, 1, 1e-9)
def primitives(place, rng, record):
    """GeometricPrimitive."""
    p = make_shapes.primitive(place.klampt, rng, rng.choice(make_shapes.KINDS[:7]))
    record("type", p.getType())
    kind = p.getType().lower()
    record.call(f"{kind}: getProperties", p.getProperties)
    record.call(f"{kind}: saveString", p.saveString, then=lambda s: [float(x) if x[0] in "-0123456789" else x for x in s.split()],
                tolerance=1e-5)
    other = place.klampt.GeometricPrimitive()
    record.call(f"{kind}: loadString", other.loadString, p.saveString())
    record.call(f"{kind}: loaded", lambda: [other.getType(), other.getProperties()], tolerance=1e-5)
    record.call(f"{kind}: loadString of nonsense", other.loadString, "nonsense 1 2")


@case(CASES, 1, 1e-9)
def grids(place, rng, record):
    """ImplicitSurface, OccupancyGrid."""
    for name, make in (("surface", make_shapes.surface), ("grid", make_shapes.grid)):
        s = make(place.klampt, rng)
        record.call(f"{name}: bounds", lambda: [s.getBmin(), s.getBmax(), s.getBounds()])
        record.call(f"{name}: get", s.get, 1, 2, 0)
        record.call(f"{name}: set one", s.set, 1, 2, 0, 0.5)
        record.call(f"{name}: shift", s.shift, 0.25)
        record.call(f"{name}: scale", s.scale, 2.0)
        record(f"{name}: values", s.getValues())
        record.call(f"{name}: set all", s.set, 0.75)
        record(f"{name}: all", s.getValues())
        record.call(f"{name}: resize", s.resize, 2, 3, 4)
        record(f"{name}: size", list(s.getValues().shape))
        record.call(f"{name}: setBounds", s.setBounds, [0, 0, 0, 1, 2, 3])
        record.call(f"{name}: bounds set", lambda: [s.getBmin(), s.getBmax()])
    s = place.klampt.ImplicitSurface()
    s.setTruncationDistance(0.5)
    record("truncation", s.getTruncationDistance())
    g = place.klampt.OccupancyGrid()
    record("threshold, default", g.getOccupancyThreshold())
    g.setOccupancyThreshold(0.25)
    record("threshold", g.getOccupancyThreshold())


@case(CASES, 1.5, 1e-6)
def heightmaps(place, rng, record):
    """Heightmap."""
    h = make_shapes.heightmap(place.klampt, rng)
    heights = h.getHeights()
    record("heights", heights)
    record("kind", [h.isPerspective(), h.isOrthographic()])
    i, j = rng.randrange(3), rng.randrange(3)
    record.call("get", h.get, i, j)
    record.call("set one", h.set, i, j, 0.125)
    record.call("shift", h.shift, 0.5)
    record.call("scale", h.scale, 2.0)
    record("heights after", h.getHeights())
    record("hasColors", h.hasColors())
    record.call("setColor of all", h.setColor, [0.25, 0.5, 0.75, 1.0])
    record.call("setColor of one", h.setColor, i, j, (0.5, 0.25, 0.0, 1.0))
    record.call("addProperty", h.addProperty, "slope")
    record.call("numProperties", h.numProperties)
    record.call("propertyIndex", h.propertyIndex, "slope")
    record.call("setProperty", h.setProperty, i, j, numpy.array([0.5]))
    record.call("getProperty", h.getProperty, i, j)
    p = make_shapes.heightmap(place.klampt, rng)
    record.call("setFOV", p.setFOV, 1.0, 0.8)
    record("perspective", [p.isPerspective(), p.isOrthographic()])
    q = make_shapes.heightmap(place.klampt, rng)
    q.setFOV(1.0, 0.8)
    q.setIntrinsics(3.0, 4.0, 1.0, 2.0)
    q.setHeights(numpy.ones((rng.randrange(2, 9), rng.randrange(2, 9)), dtype=numpy.float32))
    record.call("viewport after another size", lambda: [q.getViewport().fx, q.getViewport().fy, q.getViewport().cx, q.getViewport().cy])
    record.call("orthographic: box", lambda: place.klampt.Geometry3D(h).convert("TriangleMesh").getBBTight())
