"""Convex regions of the plane that never end, from their farthest points: what bounds them."""

import math

import numpy as np


def _left(v):
    return np.array([-v[1], v[0]])


def _direction(support, normal):
    """Returns the direction of the farthest point of a cone within the square from -1 to 1; None where that is the origin."""
    point = support(normal)
    if point is None or np.abs(point).max() <= 0.5:
        return None
    return point / np.linalg.norm(point)


def _last_from(support, u, side):
    """The last direction of a cone from u to one side, and the angle up to there."""
    angle = 0.0
    while angle <= math.pi + 1e-6:
        aside = side * _left(u)
        following = _direction(support, aside)
        if following is None or aside @ following <= 1e-7:
            break
        angle += math.atan2(aside @ following, u @ following)
        u = following
    return u, angle


def _normals_of(support):
    """Directions across which a set ends that goes on in those of a cone, counter-clockwise; lines that have no corner
    with each other come alone: (normals, whether they are a chain). None for a cone that is the origin alone."""
    found = [_direction(support, np.array(n, dtype=float)) for n in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    found = [u for u in found if u is not None]
    if not found:
        return None
    last, left = _last_from(support, found[0], 1)
    first, right = _last_from(support, found[0], -1)
    if left + right > math.pi + 1e-6:
        return [], False
    if left + right > math.pi - 1e-6:
        return [-_left(first)], False
    if any((first + last) @ u < 0 for u in found):
        return [-_left(first), _left(first)], False
    start, arc = _left(last), math.pi - left - right
    pieces = max(1, math.ceil(arc / (0.499 * math.pi)))
    inner = [math.cos(arc * k / pieces) * start + math.sin(arc * k / pieces) * _left(start) for k in range(1, pieces)]
    return [start, *inner, -_left(first)], True


def planes_of_unbounded(support, directions, small):
    """Rows (nx, ny, offset) of the lines that bound a polygon without end; None where it ends.

    support(n): its farthest point within a large square; directions(n): the same of the directions in which it never
    ends, within the square from -1 to 1. Gaps below small count as none.
    """
    normals = _normals_of(directions)
    if normals is None:
        return None
    normals, chain = normals
    supports = [(n, p) for n, p in ((n, support(n)) for n in normals) if p is not None]
    i = 0
    while chain and i + 1 < len(supports):
        (na, a), (nb, b) = supports[i:i + 2]
        along = b - a
        det = na[0] * nb[1] - na[1] * nb[0]
        length = np.linalg.norm(along)
        if length > small and det > 1e-9:
            out = np.array([along[1], -along[0]]) / length
            point = support(out)
            if point is not None and out @ (point - a) > small:
                supports.insert(i + 1, (out, point))
                continue
            supports.insert(i + 1, (out, a))
            i += 1
        i += 1
    # Directions whose line touches the region in a corner alone bound nothing.
    planes = []
    for k, (n, p) in enumerate(supports):
        ends = chain and k in (0, len(supports) - 1)
        edge = any(j != k and abs(n @ (q - p)) <= small and np.linalg.norm(q - p) > small for j, (_, q) in
                   enumerate(supports))
        if ends or edge or not chain:
            planes.append((float(n[0]), float(n[1]), float(n @ p)))
    if chain and len(supports) > 2 and all(abs(supports[0][0] @ (p - supports[0][1])) <= small for _, p in supports):
        n, p = supports[len(supports) // 2]  # Half a line ends there.
        planes.append((float(n[0]), float(n[1]), float(n @ p)))
    kept = []
    for plane in planes:
        if not kept or np.abs(np.subtract(plane, kept[-1])).max() > small:
            kept.append(plane)
    return kept
