"""Signed distance fields, occupancy grids and heightmaps, against what is known of a ball, of cells and of heights."""

import math

import numpy

from . import case, draw, make_shapes

CASES = {}


class Ball:
    """A signed distance field of a ball on a grid of n cells a side, somewhere."""

    def __init__(self, k, rng):
        n = rng.randrange(8, 16)
        self.h = 1.4 / n
        self.c, self.r = draw.vector(rng, 3, 0.1), rng.uniform(0.3, 0.5)
        at = [-0.7 + self.h * (i + 0.5) for i in range(n)]
        s = k.ImplicitSurface()
        s.setBmin([-0.7] * 3)
        s.setBmax([0.7] * 3)
        s.setValues(numpy.array([[[math.dist((x, y, z), self.c) - self.r for z in at] for y in at] for x in at]))
        self.shape = k.Geometry3D(s)
        self.low, self.high = [-0.7] * 3, [0.7] * 3
        self.place(rng)

    def place(self, rng):
        self.R, self.t = draw.transform(rng, 0.5) if rng.random() < 0.7 else ([1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0])
        self.shape.setCurrentTransform(self.R, self.t)

    def world(self, p):
        return [sum(self.R[i + 3 * j] * p[j] for j in range(3)) + self.t[i] for i in range(3)]

    def local(self, p):
        v = [a - b for a, b in zip(p, self.t)]
        return [sum(self.R[3 * i + j] * v[j] for j in range(3)) for i in range(3)]

    def depth(self, p):
        """The signed distance of a point of the world; the field is exact to less than a cell."""
        return math.dist(self.local(p), self.c) - self.r


class Cells(Ball):
    """An occupancy grid."""

    def __init__(self, k, rng):
        n = rng.randrange(3, 7)
        self.h = 1.2 / n
        self.values = numpy.array([[[float(rng.random() < 0.3) for _ in range(n)] for _ in range(n)] for _ in range(n)])
        self.values[rng.randrange(n), rng.randrange(n), rng.randrange(n)] = 1.0
        g = k.OccupancyGrid()
        g.setBmin([-0.6] * 3)
        g.setBmax([0.6] * 3)
        g.setValues(self.values)
        self.shape = k.Geometry3D(g)
        self.low, self.high = [-0.6] * 3, [0.6] * 3
        self.filled = [[-0.6 + self.h * i for i in index] for index in numpy.argwhere(self.values > 0.5).tolist()]
        self.place(rng)

    def depth(self, p):
        """The distance of a point from the nearest filled cell; 0 within one."""
        q = self.local(p)
        return min(math.sqrt(sum(max(a - x, 0, x - a - self.h) ** 2 for a, x in zip(cell, q))) for cell in self.filled)

    def border(self, p):
        """How far a point is from the nearest plane between cells."""
        return min(abs((x + 0.6) / self.h - round((x + 0.6) / self.h)) * self.h for x in self.local(p))

    def ray(self, start, direction):
        s = self.local(start)
        d = [a - b for a, b in zip(self.local([u + v for u, v in zip(start, direction)]), s)]
        best = math.inf
        for cell in self.filled:
            enter, leave = -math.inf, math.inf
            for a, x, v in zip(cell, s, d):
                if abs(v) < 1e-12:
                    if not a < x < a + self.h:
                        enter, leave = math.inf, -math.inf
                else:
                    first, second = sorted([(a - x) / v, (a + self.h - x) / v])
                    enter, leave = max(enter, first), min(leave, second)
            if 0 <= enter < leave:
                best = min(best, enter)
        return best


class Hills(Ball):
    """A heightmap that looks straight down."""

    def __init__(self, k, rng):
        self.shape = make_shapes.make(k, rng, "heightmap")
        self.heights = numpy.array(self.shape.getHeightmap().getHeights())
        self.low, self.high = self.shape.getBBTight()
        self.place(rng)


def hit(record, label, shape, start, direction, right):
    """Where a ray meets: the length of its way, or None; `right` judges that."""
    record.call(label, shape.rayCast, start, direction,
                then=lambda r: right(math.dist(start, r[1]) if r[0] else None))


@case(CASES, 3, 1e-6)
def surfaces(place, rng, record):
    """A signed distance field of a ball: contents, points, rays, balls beside it."""
    k = place.klampt
    b = Ball(k, rng)
    h = b.h
    record("surface: box", b.shape.getBBTight())
    record("surface: numElements", b.shape.numElements())
    for _ in range(6):
        p = b.world(draw.vector(rng, 3, rng.choice([0.6, 0.6, 1.5])))
        d = b.depth(p)
        if abs(d) > h:
            record.call("surface: contains_point is right", b.shape.contains_point, p, then=lambda r, d=d: bool(r) == (d < 0))
        record.call("surface: distance_point is that of the ball to a cell", b.shape.distance_point, p,
                    then=lambda r, d=d: abs(r.d - d) < h)
        settings = k.DistanceQuerySettings()
        settings.upperBound = 0.5
        record.call("surface: distance_point_ext is that of the ball to a cell", b.shape.distance_point_ext, p, settings,
                    then=lambda r, d=d: abs(min(r.d, 0.5) - min(d, 0.5)) < h)
        record.call("surface: nearest points lie on the ball", b.shape.distance_point, p, then=lambda r: (
            not r.hasClosestPoints or abs(b.depth(list(r.cp1))) < 1.5 * h or math.dist(b.local(p), b.c) < h))
    for _ in range(4):
        start = b.world([3 * x for x in draw.unit(rng)])
        to = b.world([a + c for a, c in zip(draw.vector(rng, 3, 0.5), b.c)])
        direction = [(x - y) / math.dist(to, start) for x, y in zip(to, start)]
        v = [x - y for x, y in zip(b.world(b.c), start)]
        along = sum(x * y for x, y in zip(v, direction))
        off = math.sqrt(max(0, sum(x * x for x in v) - along * along))
        if abs(off - b.r) > 1.2 * h:
            way = along - math.sqrt(b.r ** 2 - off ** 2) if off < b.r else None
            hit(record, "surface: rayCast meets the ball", b.shape, start, direction,
                lambda s, way=way: (s is None) == (way is None) and (s is None or abs(s - way) < 1.5 * h))
    others(k, rng, record, b, "surface", h)


def others(k, rng, record, b, name, slack):
    """Balls, points and clouds beside a shape whose `depth` is known to `slack`."""
    for _ in range(4):
        p, radius = b.world(draw.vector(rng, 3, rng.choice([0.5, 1.0, 2.0]))), rng.uniform(0.05, 0.4)
        shape = k.GeometricPrimitive()
        shape.setSphere(p, radius)
        ball = k.Geometry3D(shape)
        gap = b.depth(p) - radius
        inside = " in each other" if gap < 0 else ""
        if abs(gap) > slack:
            record.call(f"{name}-sphere: collides is right", b.shape.collides, ball, then=lambda r, g=gap: bool(r) == (g < 0))
            record.call(f"sphere-{name}: collides is right", ball.collides, b.shape, then=lambda r, g=gap: bool(r) == (g < 0))
        record.call(f"{name}-sphere{inside}: distance is right", b.shape.distance, ball,
                    then=lambda r, g=gap: abs(r.d - g) < slack + 1e-6 if g > 0 or name == "surface" else r.d <= slack)
        record.call(f"sphere-{name}{inside}: distance is right", ball.distance, b.shape,
                    then=lambda r, g=gap: abs(r.d - g) < slack + 1e-6 if g > 0 or name == "surface" else r.d <= slack)
        t = rng.uniform(0, 0.5)
        if abs(gap - t) > slack:
            record.call(f"{name}-sphere: withinDistance is right", b.shape.withinDistance, ball, t,
                        then=lambda r, g=gap, t=t: bool(r) == (g < t))
        pads = rng.uniform(0, 0.1), rng.uniform(0, 0.1)
        reach = sum(pads) - gap
        if abs(reach) > slack:
            record.call(f"{name}-sphere: contacts are there when they should be", b.shape.contacts, ball, *pads,
                        then=lambda r, x=reach: (len(r.depths) > 0) == (x > 0))
        if name == "surface" and reach > slack:
            record.call(f"{name}-sphere: the depth is right", b.shape.contacts, ball, *pads,
                        then=lambda r, x=reach: abs(max(r.depths, default=0) - x) < slack)
    points = [b.world(draw.vector(rng, 3, 1.5)) for _ in range(rng.randrange(1, 12))]
    c = k.PointCloud()
    c.setPoints(numpy.array(points))
    cloud = k.Geometry3D(c)
    gap = min(b.depth(p) for p in points)
    if abs(gap) > slack and min(abs(b.depth(p)) for p in points) > slack:
        record.call(f"{name}-cloud: collides is right", b.shape.collides, cloud, then=lambda r: bool(r) == (gap < 1e-9))
        record.call(f"cloud-{name}: collides is right", cloud.collides, b.shape, then=lambda r: bool(r) == (gap < 1e-9))
    record.call(f"{name}-cloud: distance is right", b.shape.distance, cloud,
                then=lambda r: abs(r.d - gap) < slack + 1e-6 if gap > 0 or name == "surface" else r.d <= slack)


@case(CASES, 3, 1e-6)
def grids(place, rng, record):
    """An occupancy grid against its cells."""
    k = place.klampt
    b = Cells(k, rng)
    record("grid: box", b.shape.getBBTight())
    record("grid: numElements", b.shape.numElements())
    for _ in range(8):
        p = b.world(draw.vector(rng, 3, rng.choice([0.55, 0.55, 1.5])))
        d = b.depth(p)
        if b.border(p) > 1e-3:
            record.call("grid: contains_point is right", b.shape.contains_point, p, then=lambda r, d=d: bool(r) == (d == 0))
        record.call("grid: distance_point is right", b.shape.distance_point, p, then=lambda r, d=d: (
            abs(r.d - d) < 1e-6 if d > 0 else r.d <= 0))
    for _ in range(6):
        start = b.world([3 * x for x in draw.unit(rng)])
        to = b.world(draw.vector(rng, 3, 0.5))
        direction = [(x - y) / math.dist(to, start) for x, y in zip(to, start)]
        way = b.ray(start, direction)
        hit(record, "grid: rayCast meets the first cell", b.shape, start, direction,
            lambda s, way=way: (s is None) == math.isinf(way) and (s is None or abs(s - way) < 1e-6))
    others(k, rng, record, b, "grid", 1e-6)


@case(CASES, 3, 1e-6)
def heightmaps(place, rng, record):
    """A heightmap against its heights."""
    k = place.klampt
    b = Hills(k, rng)
    record("heightmap: box", b.shape.getBBTight())
    record("heightmap: numElements", b.shape.numElements())
    record.call("heightmap: empty", b.shape.empty)
    mesh = k.Geometry3D(b.shape.convert("TriangleMesh"))
    mesh.setCurrentTransform(b.R, b.t)
    top, ground = b.heights.max(), b.heights.min()
    for _ in range(5):
        x, y = (rng.uniform(0.9 * low, 0.9 * high) for low, high in zip(b.low[:2], b.high[:2]))
        above, below = b.world([x, y, top + 0.1]), b.world([x, y, ground - 0.1])
        record.call("heightmap: contains_point above is right", b.shape.contains_point, above, then=lambda r: not r)
        record.call("heightmap: contains_point below is right", b.shape.contains_point, below, then=bool)
        record.call("heightmap: contains_point beside is right", b.shape.contains_point, b.world([5, 5, ground - 0.1]), then=lambda r: not r)
        start = b.world([x, y, top + 2])
        direction = [a - c for a, c in zip(b.world([x, y, 0]), b.world([x, y, 1]))]
        expected = mesh.rayCast(start, direction)
        if expected[0]:
            way = math.dist(start, expected[1])
            hit(record, "heightmap: rayCast from above meets the surface", b.shape, start, direction,
                lambda s, way=way: s is not None and abs(s - way) < 1e-4)
        aside = b.world([5 + x, y, top + 2])
        hit(record, "heightmap: rayCast beside meets nothing", b.shape, aside, direction, lambda s: s is None)
        radius = rng.uniform(0.05, 0.2)
        for what, z, right in (("far above", top + radius + 0.1, False), ("just above the top", top + radius + 0.01, False)):
            shape = k.GeometricPrimitive()
            shape.setSphere(b.world([x, y, z]), radius)
            record.call(f"heightmap-sphere {what}: collides is right", b.shape.collides, k.Geometry3D(shape),
                        then=lambda r, right=right: bool(r) == right)
        if expected[0]:
            shape = k.GeometricPrimitive()
            shape.setSphere(list(expected[1]), radius)
            record.call("heightmap-sphere on the surface: collides is right", b.shape.collides, k.Geometry3D(shape), then=bool)
            record.call("sphere-heightmap on the surface: collides is right", k.Geometry3D(shape).collides, b.shape, then=bool)
            c = k.PointCloud()
            deep = b.local(list(expected[1]))
            c.setPoints(numpy.array([b.world([deep[0], deep[1], deep[2] + s]) for s in (0.05, 0.3)]))
            record.call("heightmap-cloud above: collides is right", b.shape.collides, k.Geometry3D(c), then=lambda r: not r)
    gap = rng.uniform(0.05, 0.5)
    shape = k.GeometricPrimitive()
    peak = numpy.unravel_index(b.heights.argmax(), b.heights.shape)
    vertices = b.shape.convert("TriangleMesh").getTriangleMesh().getVertices()
    tip = vertices[vertices[:, 2].argmax()].tolist()
    shape.setSphere(b.world([tip[0], tip[1], tip[2] + 0.1 + gap]), 0.1)
    record("heightmap: size", [int(v) for v in b.heights.shape] + [len(peak)])
    record.call("heightmap-sphere above the peak: distance is right", b.shape.distance, k.Geometry3D(shape),
                then=lambda r: r.d <= gap + 1e-6)
    record.call("heightmap: distance_point above the peak", b.shape.distance_point, b.world([tip[0], tip[1], tip[2] + gap]),
                then=lambda r: 0 < r.d <= gap + 1e-6)


@case(CASES, 4, 1e-5)
def conversions(place, rng, record):
    """What fields, grids and heightmaps become."""
    k = place.klampt
    kind = rng.choice(["surface", "grid", "heightmap"])
    b = {"surface": Ball, "grid": Cells, "heightmap": Hills}[kind](k, rng)
    b.shape.setCurrentTransform([1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0])
    b.R, b.t = [1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0]
    size = rng.choice([0, 0, 0.1])
    sized = f" of {size}" if size else ""
    for to in ("TriangleMesh", "PointCloud", "ConvexHull", "OccupancyGrid", "ImplicitSurface", "Heightmap"):
        g = record.call(f"{kind} to {to}{sized}: type", b.shape.convert, to, size, then=lambda r: r.type())
        if g is None:
            continue
        if to in ("OccupancyGrid", "ImplicitSurface") and kind != "heightmap":
            data = g.getImplicitSurface() if to == "ImplicitSurface" else g.getOccupancyGrid()
            record(f"{kind} to {to}{sized}: box", [list(data.getBmin()), list(data.getBmax()), list(data.getValues().shape)])
        if to == "TriangleMesh":
            v = g.getTriangleMesh().getVertices()
            if kind == "surface":
                # The parameter is the level of the field.
                record(f"surface to mesh{sized}: vertices lie on the ball", bool(
                    len(v) and max(abs(b.depth(p) - size) for p in v.tolist()) < b.h))
            elif kind == "grid":
                record(f"grid to mesh{sized}: vertices are corners of filled cells", bool(len(v) and all(
                    abs((x + 0.6) / b.h - round((x + 0.6) / b.h)) < 1e-6 for p in v.tolist() for x in p)
                    and max(b.depth(p) for p in v.tolist()) < 1e-6))
                record(f"grid to mesh{sized}: volume is that of the cells", bool(
                    abs(volume(g) - len(b.filled) * b.h ** 3) < 1e-6))
            else:
                record(f"heightmap to mesh{sized}", sorted(v.tolist()))
        if to == "PointCloud":
            points = g.getPointCloud().getPoints().tolist()
            record(f"{kind} to cloud{sized}: number", len(points))
            if kind == "heightmap":
                record(f"heightmap to cloud{sized}", sorted(points))
            if kind == "grid" and not size:
                record("grid to cloud: points are centers of filled cells", bool(len(points) == len(b.filled) and max(
                    b.depth(p) for p in points) < 1e-9))
            if kind == "surface":
                record(f"surface to cloud{sized}: points are not outside", bool(points and max(b.depth(p) for p in points) <= size + 1e-9))
        if to == "OccupancyGrid" and kind == "surface":
            values = g.getOccupancyGrid().getValues()
            low, high = g.getOccupancyGrid().getBmin(), g.getOccupancyGrid().getBmax()
            step = [(c - a) / n for a, c, n in zip(low, high, values.shape)]
            wrong = 0
            for index in numpy.ndindex(*values.shape):
                p = [a + s * (i + 0.5) for a, s, i in zip(low, step, index)]
                d = b.depth(p)
                wrong += abs(d) > max(step) and (values[index] > 0.5) != (d < 0)
            record(f"surface to grid{sized}: cells within are filled", wrong == 0)
        if to == "ImplicitSurface" and kind == "surface":
            s = g.getImplicitSurface()
            values, low, high = s.getValues(), s.getBmin(), s.getBmax()
            step = [(c - a) / n for a, c, n in zip(low, high, values.shape)]
            off = max(abs(values[index] - b.depth([a + w * (i + 0.5) for a, w, i in zip(low, step, index)]))
                      for index in numpy.ndindex(*values.shape))
            record(f"surface to surface{sized}: values are distances to a cell", bool(off < b.h))
        if to == "Heightmap" and kind != "heightmap":
            record(f"{kind} to heightmap{sized}: viewport", make_shapes.content(g)[1])


def volume(g):
    """Enclosed by a mesh."""
    m = g.getTriangleMesh()
    v, t = m.getVertices(), m.getIndices()
    return abs(float(numpy.einsum("ij,ij->i", v[t[:, 0]], numpy.cross(v[t[:, 1]], v[t[:, 2]])).sum())) / 6


@case(CASES, 3, 1e-5)
def made(place, rng, record):
    """Fields, grids and heightmaps that are made of balls and boxes."""
    k = place.klampt
    kind = rng.choice(["sphere", "aabb", "solid", "cloud"])
    low, high = [-rng.uniform(0.2, 0.5) for _ in range(3)], [rng.uniform(0.2, 0.5) for _ in range(3)]
    center, radius = draw.vector(rng, 3, 0.2), rng.uniform(0.2, 0.5)
    points = [draw.vector(rng, 3, 0.4) for _ in range(20)]
    if kind == "sphere":
        p = k.GeometricPrimitive()
        p.setSphere(center, radius)
        g = k.Geometry3D(p)
    elif kind == "aabb":
        p = k.GeometricPrimitive()
        p.setAABB(low, high)
        g = k.Geometry3D(p)
    elif kind == "solid":
        g = k.Geometry3D(make_shapes.mesh(k, *draw.boxes(low, high)))
    else:
        c = k.PointCloud()
        c.setPoints(numpy.array(points))
        g = k.Geometry3D(c)

    def depth(p):
        if kind == "sphere":
            return math.dist(p, center) - radius
        if kind == "cloud":
            return min(math.dist(p, q) for q in points)
        outside = math.sqrt(sum(max(a - x, 0, x - b) ** 2 for a, x, b in zip(low, p, high)))
        return outside if outside > 0 else max(max(a - x, x - b) for a, x, b in zip(low, p, high))
    size = rng.choice([0.05, 0.1])
    for to in ("ImplicitSurface", "OccupancyGrid"):
        made = record.call(f"{kind} to {to}: type", g.convert, to, size, then=lambda r: r.type())
        if made is None:
            continue
        data = made.getImplicitSurface() if to == "ImplicitSurface" else made.getOccupancyGrid()
        values, a, b = data.getValues(), data.getBmin(), data.getBmax()
        step = [(y - x) / n for x, y, n in zip(a, b, values.shape)]
        record(f"{kind} to {to}: cells are no larger than asked for", bool(max(step) <= size * 1.5))
        record(f"{kind} to {to}: box holds the shape", bool(all(
            x <= y + 1e-6 and z >= w - 1e-6 for x, y, z, w in zip(a, g.getBBTight()[0], b, g.getBBTight()[1]))))
        wrong, reach = 0, max(step)
        for index in numpy.ndindex(*values.shape):
            d = depth([x + s * (i + 0.5) for x, s, i in zip(a, step, index)])
            if to == "ImplicitSurface":
                wrong += abs(values[index] - d) > 1.5 * reach if kind != "cloud" else abs(max(values[index], 0) - d) > 1.5 * reach
            elif kind != "cloud":
                wrong += abs(d) > reach and (values[index] > 0.5) != (d < 0)
            else:
                wrong += (values[index] > 0.5) and d > reach * math.sqrt(3)
        record(f"{kind} to {to}: values are right to a cell", wrong == 0)
    made = record.call(f"{kind} to Heightmap: type", g.convert, "Heightmap", size, then=lambda r: r.type())
    if made is None or kind == "cloud":
        return
    top = g.getBBTight()[1][2]
    record.call(f"{kind} to Heightmap: the highest is that of the shape", made.getBBTight, then=lambda r: bool(abs(r[1][2] - top) < 0.1))
    x, y = [(a + b) / 2 for a, b in zip(*g.getBBTight())][:2]
    back = record.call(f"{kind} to Heightmap and mesh", made.convert, "TriangleMesh", then=lambda r: r.type())
    if back is not None:
        record.call(f"{kind} to Heightmap and mesh: the middle is the top", back.rayCast, [x + 0.01, y + 0.01, top + 3], [0, 0, -1],
                    then=lambda r: bool(r[0] and abs(r[1][2] - top) < 0.1))


@case(CASES, 2, 1e-5)
def edits(place, rng, record):
    """Fields, grids and heightmaps that are moved, scaled, merged, copied, written and read, and their elements."""
    k = place.klampt
    kind = rng.choice(["surface", "grid", "heightmap"])
    g = make_shapes.make(k, rng, kind)

    def data():
        return {"surface": g.getImplicitSurface, "grid": g.getOccupancyGrid, "heightmap": g.getHeightmap}[kind]()

    def values():
        return numpy.array(data().getHeights() if kind == "heightmap" else data().getValues())
    first = numpy.array(g.getBBTight())
    for index in range(3):
        record.call(f"{kind}: getElement", g.getElement, index, then=make_shapes.content)
    record.call(f"{kind}: getElement of none", g.getElement, -1, then=lambda r: r.type())
    t, s = numpy.array(draw.vector(rng)), rng.uniform(0.5, 2)
    record.call(f"{kind}: translate", g.translate, t.tolist())
    record(f"{kind}: translate moves the box", bool(numpy.abs(numpy.array(g.getBBTight()) - first - t).max() < 1e-5))
    before = values()
    record.call(f"{kind}: scale", g.scale, s)
    record(f"{kind}: scale scales the box", bool(numpy.abs(numpy.array(g.getBBTight()) - s * (first + t)).max() < 1e-5))
    if kind == "surface":
        record("surface: scale scales its distances", bool(numpy.abs(values() - s * before).max() < 1e-5))
    if kind == "grid":
        record("grid: scaled", values())
    record.call(f"{kind}: copy", lambda: make_shapes.content(g.copy()) == make_shapes.content(g))
    end = ".vol" if kind == "surface" else ".json"
    if kind == "grid":
        return
    path = str(place.scratch / ("volume" + end))
    record.call(f"{kind}: saveFile {end}", g.saveFile, path)
    back = k.Geometry3D()
    record(f"{kind}: files {end} are read again", back.loadFile(path) and [type(x) for x in make_shapes.content(back)[1:3]] == [list, list])
    if kind == "surface":
        record("surface: values of the file", numpy.array(back.getImplicitSurface().getValues()).shape == before.shape)


@case(CASES, 1, 1e-5)
def merged(place, rng, record):
    """Fields and grids that take in another of their kind."""
    kind = rng.choice(["surface", "grid"])
    first, second = make_shapes.make(place.klampt, rng, kind), make_shapes.make(place.klampt, rng, kind)

    def values(g):
        return numpy.array(g.getImplicitSurface().getValues() if kind == "surface" else g.getOccupancyGrid().getValues())
    before = values(first)
    record.call(f"{kind}: merge", first.merge, second)
    after = values(first)
    if kind == "surface":
        record("surface: merged fields are no larger", bool(after.shape == before.shape and (after <= before + 1e-9).all()))
    else:
        record("grid: merged grids are no emptier", bool(after.shape == before.shape and (after >= before).all()))
