"""Random inputs, the same under every interpreter: plain lists, nothing of the package under test."""

import math


def vector(rng, size=3, bound=1.0):
    return [rng.uniform(-bound, bound) for _ in range(size)]


def unit(rng):
    while True:
        v = [rng.gauss(0, 1) for _ in range(3)]
        s = math.sqrt(sum(x * x for x in v))
        if s > 1e-3:
            return [x / s for x in v]


def rotation(rng):
    """A rotation of any angle, by columns."""
    q = [rng.gauss(0, 1) for _ in range(4)]
    s = math.sqrt(sum(x * x for x in q))
    if s < 1e-3:
        return [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    w, x, y, z = (v / s for v in q)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return [rows[i][j] for j in range(3) for i in range(3)]


def transform(rng, bound=1.0):
    return (rotation(rng), vector(rng, 3, bound))


def within(rng, low, high, unbounded=3.0):
    """Values between limits, where these are finite."""
    out = []
    for a, b in zip(low, high):
        a = a if math.isfinite(a) and abs(a) < 1e6 else -unbounded
        b = b if math.isfinite(b) and abs(b) < 1e6 else unbounded
        out.append(rng.uniform(min(a, b), max(a, b)))
    return out


def some(rng, items, most):
    """At most so many of the items, none twice."""
    items = list(items)
    return rng.sample(items, min(most, len(items)))


def distance_to_triangles(p, vertices, triangles):
    """The distance of a point from the nearest triangle, by all of them."""
    import numpy
    p, best = numpy.array(p), math.inf
    for triangle in triangles:
        corners = [numpy.array(vertices[i]) for i in triangle]
        sides = list(zip(corners, corners[1:] + corners[:1]))
        n = numpy.cross(corners[1] - corners[0], corners[2] - corners[0])
        if n @ n > 0:
            q = p - n * ((p - corners[0]) @ n) / (n @ n)
            if all(numpy.cross(b - a, q - a) @ n >= 0 for a, b in sides):
                best = min(best, float(numpy.linalg.norm(p - q)))
        for a, b in sides:
            length = (b - a) @ (b - a)
            s = min(1.0, max(0.0, (p - a) @ (b - a) / length)) if length > 0 else 0.0
            best = min(best, float(numpy.linalg.norm(p - a - s * (b - a))))
    return best


def boxes(low, high):
    """Triangles of an axis-parallel box: vertices, indices."""
    v = [[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    t = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
         [1, 5, 7], [1, 7, 3]]
    return v, t


def ball(rng, radius, rings=6, around=8, bumps=0.0):
    """Triangles of a closed, star-shaped body around the origin; bumps make it uneven."""
    v = [[0, 0, radius]]
    for i in range(1, rings):
        for j in range(around):
            a, b = math.pi * i / rings, 2 * math.pi * j / around
            r = radius * (1 + bumps * rng.uniform(-1, 1))
            v.append([r * math.sin(a) * math.cos(b), r * math.sin(a) * math.sin(b), r * math.cos(a)])
    v.append([0, 0, -radius])
    t = []
    for j in range(around):
        t.append([0, 1 + j, 1 + (j + 1) % around])
        last = 1 + (rings - 2) * around
        t.append([len(v) - 1, last + (j + 1) % around, last + j])
    for i in range(rings - 2):
        for j in range(around):
            a, b = 1 + i * around + j, 1 + i * around + (j + 1) % around
            t += [[a, a + around, b], [b, a + around, b + around]]
    return v, t
