"""Questions to one shape: boxes, rays, points, support, slices."""

from . import case, draw, make_shapes

CASES = {}
# Polygons, fields, grids and heightmaps hardly work in Klamp't 0.10.1, and groups end its process.
JUDGED = ("point", "sphere", "segment", "triangle", "aabb", "box", "mesh", "solid", "cloud", "hull")


def distance(result):
    """A DistanceQueryResult in numbers."""
    out = [result.d, result.hasClosestPoints, result.hasGradients]
    if result.hasClosestPoints:
        out += [list(result.cp1), list(result.cp2)]
    if result.hasGradients:
        out += [list(result.grad1), list(result.grad2)]
    return out


def placed(place, rng, kinds=JUDGED, radius=None):
    kind = rng.choice(kinds)
    g = make_shapes.make(place.klampt, rng, kind, radius)
    T = draw.transform(rng, 0.5) if rng.random() < 0.8 else ([1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0])
    g.setCurrentTransform(*T)
    return kind, g


@case(CASES, 2, 1e-9)
def boxes(place, rng, record):
    """Bounding boxes, contents."""
    kind, g = placed(place, rng)
    record(f"{kind}: type", g.type())
    record.call(f"{kind}: numElements", g.numElements)
    record.call(f"{kind}: empty", g.empty)
    record.call(f"{kind}: getBBTight", g.getBBTight)
    record.call(f"{kind}: getBB holds getBBTight", lambda: all(
        a <= b + 1e-9 and c >= d - 1e-9 for a, b, c, d in zip(g.getBB()[0], g.getBBTight()[0], g.getBB()[1], g.getBBTight()[1])))
    record.call(f"{kind}: content", make_shapes.content, g)
    record.call(f"{kind}: getCurrentTransform", g.getCurrentTransform)
    record.call(f"{kind}: copy", lambda: make_shapes.content(g.copy()))
    margin = rng.uniform(0, 0.1)
    g.setCollisionMargin(margin)
    record.call(f"{kind}: getCollisionMargin", g.getCollisionMargin)
    record.call(f"{kind} with margin: getBBTight", g.getBBTight)


@case(CASES, 3, 1e-6)
def rays(place, rng, record):
    """Rays of unit directions from outside; Klamp't measures along others in their own length."""
    kind, g = placed(place, rng, JUDGED, radius=0.1)
    for _ in range(4):
        away = draw.unit(rng)
        start = [4 * x for x in away]
        toward = [b - a for a, b in zip(start, draw.vector(rng, 3, 0.5))]
        length = sum(x * x for x in toward) ** 0.5
        direction = [x / length for x in toward]
        record.call(f"{kind}: rayCast", g.rayCast, start, direction, then=lambda r: [bool(r[0]), r[1] if r[0] else None])
        record.call(f"{kind}: rayCast_ext", g.rayCast_ext, start, direction,
                    then=lambda r: [r[0] >= 0, r[1] if r[0] >= 0 else None])


@case(CASES, 3, 1e-6)
def points(place, rng, record):
    """Distances of points, and whether they are contained."""
    kind, g = placed(place, rng, JUDGED, radius=rng.choice([None, 0.1]))
    for _ in range(4):
        p = draw.vector(rng, 3, rng.choice([0.3, 1, 3]))
        inside = " within" if kind in ("sphere", "aabb", "box", "hull") and g.contains_point(p) else ""
        if kind == "cloud":
            cloud = g.getPointCloud()
            radii = [cloud.getProperty(i, 0) for i in range(len(cloud.getPoints()))] if cloud.numProperties() else None
            at = g.getCurrentTransform()
            centers = [[sum(at[0][i + 3 * j] * x[j] for j in range(3)) + at[1][i] for i in range(3)]
                       for x in cloud.getPoints().tolist()]
            nearest = min(apart(c, p) - r for c, r in zip(centers, radii or [0.0] * len(centers)))
            record.call(f"cloud{' with radii' if radii else ''}: distance_point is that of the nearest point", g.distance_point, p,
                        then=lambda r: abs(r.d - nearest) < 1e-6)
            continue
        if kind == "mesh":
            nearest = draw.distance_to_triangles(p, *triangles(g))
            record.call("mesh: distance_point is that of the nearest triangle", g.distance_point, p,
                        then=lambda r: abs(r.d - nearest) < 1e-9)
            continue
        record.call(f"{kind}{inside}: distance_point", g.distance_point, p, then=lambda r: r.d)
        record.call(f"{kind}{inside}: distance_point: nearest points lie at the distance", g.distance_point, p,
                    then=lambda r: not r.hasClosestPoints or abs(apart(list(r.cp1), list(r.cp2)) - abs(r.d)) < 1e-5)
        settings = place.klampt.DistanceQuerySettings()
        settings.upperBound = rng.uniform(0.1, 1)
        record.call(f"{kind}{inside}: distance_point_ext", g.distance_point_ext, p, settings,
                    then=lambda r: min(r.d, settings.upperBound))


def triangles(g):
    """Vertices of a mesh in the world, and indices of its triangles."""
    import numpy
    mesh, (R, t) = g.getTriangleMesh(), g.getCurrentTransform()
    return numpy.array(mesh.getVertices()) @ numpy.array(R).reshape(3, 3) + numpy.array(t), mesh.getIndices()


def apart(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5


@case(CASES, 1.5, 1e-6)
def supports(place, rng, record):
    """How far a shape reaches in a direction."""
    kind, g = placed(place, rng, JUDGED)
    for _ in range(4):
        d = draw.unit(rng)
        record.call(f"{kind}: support", g.support, d, then=lambda p: sum(x * y for x, y in zip(p, d)))


@case(CASES, 1.5, 1e-7)
def slices(place, rng, record):
    """Slices and regions of interest."""
    kind, g = placed(place, rng, ("mesh", "solid", "cloud"))
    R, t = draw.transform(rng, 0.2)
    tolerance = rng.uniform(0.02, 0.3)
    if kind == "cloud":
        record.call("cloud: slice", g.slice, R, t, tolerance, then=lambda s: sorted(make_shapes.content(s)[1]))
    low, high = [-rng.uniform(0, 0.4) for _ in range(3)], [rng.uniform(0, 0.4) for _ in range(3)]
    for query in ("intersect", "touching", "within", "~intersect", "~touching", "~within"):
        record.call(f"{kind}: roi {query}", g.roi, query, low, high, then=area, tolerance=1e-3)


def area(shape):
    """Area and first moment of a mesh, or the points of a cloud: the same however it is triangulated."""
    if shape.type() != "TriangleMesh":
        return make_shapes.content(shape)
    m = shape.getTriangleMesh()
    v, t = m.getVertices(), m.getIndices()
    import numpy
    if len(t) == 0:
        return ["TriangleMesh", 0.0, [0.0, 0.0, 0.0]]
    a, b, c = v[t[:, 0]], v[t[:, 1]], v[t[:, 2]]
    s = numpy.linalg.norm(numpy.cross(b - a, c - a), axis=1) / 2
    return ["TriangleMesh", float(s.sum()), ((a + b + c) / 3 * s[:, None]).sum(axis=0).tolist()]
