"""Shapes that are changed, converted, merged, saved and read."""

from . import case, draw, make_shapes
from .shapes import JUDGED

CASES = {}


@case(CASES, 3, 1e-6)
def moves(place, rng, record):
    """translate, scale, rotate, transform."""
    kind = rng.choice(("mesh", "solid", "cloud", "hull"))
    g = make_shapes.make(place.klampt, rng, kind)
    move = rng.randrange(5)
    t, R = draw.vector(rng), draw.rotation(rng)
    s = [rng.uniform(0.5, 2) for _ in range(3)]
    if move == 0:
        record.call(f"{kind}: translate", g.translate, t)
    elif move == 1:
        record.call(f"{kind}: rotate", g.rotate, R)
    elif move == 2:
        record.call(f"{kind}: scale by one", g.scale, s[0])
    elif move == 3:
        record.call(f"{kind}: scale by three", g.scale, *s)
    else:
        record.call(f"{kind}: transform", g.transform, R, t)
    what = ("translate", "rotate", "scale by one", "scale by three", "transform")[move]
    record.call(f"{kind}: content after {what}", make_shapes.content, g)
    record.call(f"{kind}: box after {what}", g.getBBTight)


@case(CASES, 4, 1e-6)
def conversions(place, rng, record):
    """convert from each kind to each."""
    kind = rng.choice(JUDGED)
    g = make_shapes.make(place.klampt, rng, kind)
    to = rng.choice(("GeometricPrimitive", "ConvexHull", "TriangleMesh", "PointCloud", "ImplicitSurface", "OccupancyGrid",
                     "Heightmap", "VolumeGrid"))
    size = rng.choice([0, rng.uniform(0.05, 0.2)])
    # Samplings differ; what comes out is compared, and that it lies where the shape is.
    low, high = g.getBBTight()
    record.call(f"{kind} to {to}: type", g.convert, to, size, then=lambda h: h.type())
    if to in ("TriangleMesh", "PointCloud", "ConvexHull"):
        record.call(f"{kind} to {to}: within the box", g.convert, to, size, then=lambda h: h.type() == "" or all(
            a - 1e-6 <= c and d <= b + 1e-6 for a, b, c, d in zip(low, high, *h.getBBTight())))


@case(CASES, 2, 1e-6)
def merges(place, rng, record):
    """merge with the same kind or another."""
    kind = rng.choice(("mesh", "cloud", "hull"))
    other = kind
    g, h = make_shapes.make(place.klampt, rng, kind), make_shapes.make(place.klampt, rng, other)
    h.setCurrentTransform(*draw.transform(rng, 0.3))
    record.call(f"{kind} with {other}: merge", g.merge, h)
    record.call(f"{kind} with {other}: merged", make_shapes.content, g)


@case(CASES, 2, 1e-6)
def saved(place, rng, record):
    """saveFile and loadFile, by kind and format."""
    kind = rng.choice(("mesh", "solid", "cloud"))
    g = make_shapes.make(place.klampt, rng, kind)
    end = ".pcd" if kind == "cloud" else rng.choice((".off", ".obj", ".stl"))
    path = str(place.scratch / ("shape" + end))
    record.call(f"{kind} as {end}: saveFile", g.saveFile, path)
    back = place.klampt.Geometry3D()
    record.call(f"{kind} as {end}: loadFile", back.loadFile, path)
    record.call(f"{kind} as {end}: read again", lambda: make_shapes.content(back) if end == ".pcd" else
                [back.type(), back.numElements(), back.getBBTight()], tolerance=1e-5)


@case(CASES, 1.5, 1e-9)
def elements(place, rng, record):
    """Elements of groups, meshes and clouds."""
    kind = rng.choice(("mesh", "solid", "cloud"))
    g = make_shapes.make(place.klampt, rng, kind)
    n = g.numElements()
    record(f"{kind}: numElements", n)
    record.call(f"{kind}: getElement", g.getElement, rng.randrange(n), then=make_shapes.content)
