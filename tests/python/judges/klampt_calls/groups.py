"""Groups of shapes: what they answer is what their parts answer."""

import math

from . import case, draw, make_shapes

CASES = {}
PARTS = ("sphere", "box", "aabb", "solid", "cloud", "mesh")


def group(k, rng, parts=PARTS, most=4):
    """A group at a pose, and its parts as shapes of their own where they then are."""
    g, alone, kinds = k.Geometry3D(), [], []
    g.setGroup()
    T = draw.transform(rng, 0.5)
    for i in range(rng.randrange(1, most)):
        kind = rng.choice(parts)
        part = make_shapes.make(k, rng, kind, 0.05)
        # Klamp't's elements lose transforms of their own when the group gets one: they have their places in their data.
        if kind == "aabb":
            part.translate(draw.vector(rng, 3, 0.6))
        else:
            part.transform(*draw.transform(rng, 0.6))
        g.setElement(i, part)
        single = part.copy()
        single.setCurrentTransform(*T)
        alone.append(single)
        kinds.append(kind)
    g.setCurrentTransform(*T)
    return g, alone, kinds


@case(CASES, 3, 1e-6)
def questions(place, rng, record):
    """Boxes, points, rays, support."""
    k = place.klampt
    g, alone, kinds = group(k, rng)
    record("type", [g.type(), g.numElements(), g.empty()])
    boxes = [part.getBBTight() for part in alone]
    low = [min(b[0][i] for b in boxes) for i in range(3)]
    high = [max(b[1][i] for b in boxes) for i in range(3)]
    record.call("getBBTight is that of the parts", g.getBBTight, then=lambda r: all(
        abs(a - b) < 1e-6 for a, b in zip([*r[0], *r[1]], low + high)))
    record.call("getBB holds the parts", g.getBB, then=lambda r: all(
        a <= b + 1e-6 and c >= d - 1e-6 for a, b, c, d in zip(r[0], low, r[1], high)))
    for _ in range(4):
        p = draw.vector(rng, 3, rng.choice([0.5, 1, 3]))
        record.call("contains_point is that of the parts", g.contains_point, p, then=lambda r, p=p: bool(r) == any(
            part.contains_point(p) for part in alone))
        record.call("distance_point is that of the parts", g.distance_point, p, then=lambda r, p=p: (
            abs(r.d - min(part.distance_point(p).d for part in alone)) < 1e-6 or r.d <= 0 and any(
                part.distance_point(p).d <= 0 for part in alone)))
        start = [5 * x for x in draw.unit(rng)]
        to = draw.vector(rng)
        direction = [(b - a) / math.dist(start, to) for a, b in zip(start, to)]
        ways = [math.dist(start, r[1]) for part in alone for r in [part.rayCast(start, direction)] if r[0]]
        record.call("rayCast is that of the parts", g.rayCast, start, direction, then=lambda r, ways=ways, start=start: (
            bool(r[0]) == bool(ways) and (not ways or abs(math.dist(start, r[1]) - min(ways)) < 1e-6)))
        record.call("rayCast_ext is that of the parts", g.rayCast_ext, start, direction, then=lambda r, ways=ways, start=start: (
            (r[0] >= 0) == bool(ways) and (not ways or abs(math.dist(start, r[1]) - min(ways)) < 1e-6)))
        d = draw.unit(rng)
        record.call("support is that of the parts", g.support, d, then=lambda r, d=d: abs(
            sum(a * b for a, b in zip(r, d)) - max(sum(a * b for a, b in zip(part.support(d), d)) for part in alone)) < 1e-6)


@case(CASES, 4, 1e-6)
def pairs(place, rng, record):
    """Collisions, distances and contacts with a shape or another group."""
    k = place.klampt
    g, alone, kinds = group(k, rng)
    kind = rng.choice((*PARTS, "group"))
    if kind == "group":
        other, pieces, _ = group(k, rng)
        R, t = other.getCurrentTransform()
        shift = draw.vector(rng, 3, 1.5)
        other.setCurrentTransform(list(R), [a + b for a, b in zip(t, shift)])
        for piece in pieces:
            S, u = piece.getCurrentTransform()
            piece.setCurrentTransform(list(S), [a + b for a, b in zip(u, shift)])
    else:
        other = make_shapes.make(k, rng, kind, 0.05)
        other.setCurrentTransform(draw.rotation(rng), draw.vector(rng, 3, 1.5))
        pieces = [other]
    couples = [(a, b) for a in alone for b in pieces]
    for order, (first, second) in enumerate(((g, other), (other, g))):
        names = f"group-{kind}" if order == 0 else f"{kind}-group"
        record.call(f"{names}: collides is that of the parts", first.collides, second, then=lambda r: bool(r) == any(
            a.collides(b) for a, b in couples))
        tolerance = rng.uniform(0, 0.5)
        record.call(f"{names}: withinDistance is that of the parts", first.withinDistance, second, tolerance,
                    then=lambda r, t=tolerance: bool(r) == any(a.withinDistance(b, t) for a, b in couples))

        def nearest():
            return min(a.distance(b).d for a, b in couples)
        record.call(f"{names}: distance is that of the parts", first.distance, second, then=lambda r: (
            abs(r.d - nearest()) < 1e-5 or max(r.d, nearest()) <= 1e-9))
        record.call(f"{names}: nearest points lie at the distance", first.distance, second, then=lambda r: (
            not r.hasClosestPoints or r.d <= 1e-6 or abs(math.dist(r.cp1, r.cp2) - r.d) < 1e-5))
    p, q = rng.uniform(0, 0.1), rng.uniform(0, 0.1)
    record.call(f"group-{kind}: there are contacts where the parts have some", g.contacts, other, p, q, then=lambda r: (
        len(r.depths) > 0) == any(len(a.contacts(b, p, q).depths) for a, b in couples))


def box_of(parts):
    boxes = [part.getBBTight() for part in parts]
    return [min(b[0][i] for b in boxes) for i in range(3)] + [max(b[1][i] for b in boxes) for i in range(3)]


@case(CASES, 2, 1e-6)
def changes(place, rng, record):
    """Elements, transforms, copies, files: boxes are those of parts that are changed alike."""
    k = place.klampt
    g, alone, kinds = group(k, rng, ("sphere", "solid", "cloud", "mesh"))
    n = g.numElements()
    i = rng.randrange(n)

    def like_parts(shape):
        return all(abs(a - b) < 1e-6 for a, b in zip([x for side in shape.getBBTight() for x in side], box_of(alone)))
    record.call("getElement: type", g.getElement, i, then=lambda r: [r.type(), r.numElements()])
    record.call("getElement of none", g.getElement, n + 2, then=lambda r: r.type())
    record.call("copy: type", lambda: [g.copy().type(), g.copy().numElements()])
    record.call("copy: box is that of the parts", lambda: like_parts(g.copy()))
    t, R = draw.vector(rng), draw.rotation(rng)
    for what, arguments in (("translate", (t,)), ("transform", (R, t)), ("scale", (1.5,))):
        record.call(what, getattr(g, what), *arguments)
        for part in alone:
            getattr(part, what)(*arguments)
        record(f"{what}: box is that of the parts", like_parts(g))
    part = make_shapes.make(k, rng, "sphere")
    record.call("setElement", g.setElement, i, part)
    record.call("numElements after setElement", g.numElements)
    margin = rng.uniform(0, 0.1)
    record.call("setCollisionMargin", g.setCollisionMargin, margin)
    record.call("getCollisionMargin", g.getCollisionMargin)
    path = str(place.scratch / "shapes.group")
    record.call("saveFile", g.saveFile, path)
    back = k.Geometry3D()
    record.call("loadFile", back.loadFile, path)
    record("files of groups are read again", [back.type(), back.numElements()] == ["Group", n])


@case(CASES, 1, 1e-6)
def conversions(place, rng, record):
    """Groups of meshes to other kinds."""
    k = place.klampt
    g, alone, kinds = group(k, rng, ("solid", "box", "sphere"))
    g.setCurrentTransform([1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0])
    for to in ("TriangleMesh", "PointCloud", "ConvexHull", "ImplicitSurface", "OccupancyGrid"):
        made = record.call(f"to {to}", g.convert, to, 0.1, then=lambda r: r.type())
        if made is not None and made.type() == to:
            low, high = g.getBBTight()
            record.call(f"to {to}: box is about that of the group", made.getBBTight, then=lambda r: all(
                abs(a - b) < 0.5 for a, b in zip([*r[0], *r[1]], [*low, *high])))
