"""Questions to two shapes: collisions, distances, contacts."""

from . import case, draw
from .shapes import JUDGED, apart, placed, triangles

CASES = {}
CLOSE = 1e-6


def pair(place, rng, kinds=JUDGED):
    kind, a = placed(place, rng, kinds)
    other, b = placed(place, rng, kinds)
    R, _ = b.getCurrentTransform()
    b.setCurrentTransform(list(R), draw.vector(rng, 3, rng.choice([0.5, 1, 2])))
    return f"{kind}-{other}", a, b


@case(CASES, 6, 1e-6)
def collisions(place, rng, record):
    """Whether shapes collide, or are within a distance."""
    kinds, a, b = pair(place, rng)
    record.call(f"{kinds}: collides", a.collides, b)
    tolerance = rng.uniform(0, 0.6)
    record.call(f"{kinds}: withinDistance", a.withinDistance, b, tolerance)
    record.call(f"{kinds}: collides_ext", a.collides_ext, b, 1000, then=lambda r: len(r[0]) > 0)
    record.call(f"{kinds}: withinDistance_ext", a.withinDistance_ext, b, tolerance, 1000, then=lambda r: len(r[0]) > 0)
    a.setCollisionMargin(rng.uniform(0, 0.2))
    b.setCollisionMargin(rng.uniform(0, 0.2))
    record.call(f"{kinds} with margins: collides", a.collides, b)
    record.call(f"{kinds} with margins: distance_simple", a.distance_simple, b)


@case(CASES, 6, 1e-6)
def distances(place, rng, record):
    """Distances, nearest points."""
    kinds, a, b = pair(place, rng)
    record.call(f"{kinds}: distance_simple", a.distance_simple, b)
    record.call(f"{kinds}: distance.d", a.distance, b, then=lambda r: r.d)
    record.call(f"{kinds}: distance: nearest points lie at the distance", a.distance, b, then=lambda r: (
        not r.hasClosestPoints or r.d <= CLOSE or abs(apart(list(r.cp1), list(r.cp2)) - r.d) < 1e-5))
    settings = place.klampt.DistanceQuerySettings()
    settings.upperBound = rng.uniform(0.1, 1)
    record.call(f"{kinds}: distance_ext", a.distance_ext, b, settings, then=lambda r: min(r.d, settings.upperBound))


@case(CASES, 4, 1e-5)
def contacts(place, rng, record):
    """Contacts with paddings."""
    kinds, a, b = pair(place, rng)
    p, q = rng.uniform(0, 0.2), rng.uniform(0, 0.2)

    if {"sphere", "point"} & set(kinds.split("-")) and "mesh" in kinds.split("-"):
        ball, mesh = (b, a) if kinds.startswith("mesh") else (a, b)
        R, t = ball.getCurrentTransform()
        numbers = list(ball.getGeometricPrimitive().getProperties())
        center = [sum(R[i + 3 * j] * numbers[j] for j in range(3)) + t[i] for i in range(3)]
        reach = sum(numbers[3:]) + p + q - draw.distance_to_triangles(center, *triangles(mesh))
        if abs(reach) > 1e-6:
            record.call(f"{kinds}: contacts: the deepest is that of the nearest triangle", a.contacts, b, p, q, then=lambda r: (
                abs(max(r.depths) - reach) < 1e-5 if len(r.depths) else reach < 0))
        return
    if a.collides(b):
        kinds += " in each other"
    record.call(f"{kinds}: contacts: are there", a.contacts, b, p, q, then=lambda r: len(r.depths) > 0)
    record.call(f"{kinds}: contacts: deepest", a.contacts, b, p, q, then=lambda r: max(r.depths, default=None))


@case(CASES, 1, 1e-6)
def files(place, rng, record):
    """Meshes of Klamp't's data against each other."""
    k = place.klampt
    names = sorted(p.name for p in (place.data / "objects").iterdir() if p.suffix == ".off")
    picked = [rng.choice(names) for _ in range(2)]

    def read(name):
        g = k.Geometry3D()
        if not g.loadFile(str(place.data / "objects" / name)):
            raise RuntimeError(f"{name} cannot be read")
        return g
    a, b = (place.keep(("object", name, i), lambda name=name: read(name)) for i, name in enumerate(picked))
    size = max(high - low for low, high in zip(*a.getBBTight())) + max(high - low for low, high in zip(*b.getBBTight()))
    record("files", picked)
    record("elements", [a.numElements(), b.numElements()])
    a.setCurrentTransform(draw.rotation(rng), draw.vector(rng, 3, size))
    b.setCurrentTransform(draw.rotation(rng), draw.vector(rng, 3, size * rng.choice([0.2, 0.5, 1])))
    record("boxes", [a.getBBTight(), b.getBBTight()], 1e-6)
    record.call("collides", a.collides, b)
    record.call("distance_simple", a.distance_simple, b)
    record.call("withinDistance", a.withinDistance, b, rng.uniform(0, size))
    start, direction = draw.vector(rng, 3, size), draw.unit(rng)
    record.call("rayCast", a.rayCast, start, direction, then=lambda r: [bool(r[0]), r[1] if r[0] else None])
