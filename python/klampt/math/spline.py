"""Cubic Hermite and Bezier curves."""

from . import vectorops

# Coefficients of (x1, x2, v1, v2) by the order of the derivative.
_BASIS = (
    lambda u: (2.0 * u**3 - 3.0 * u * u + 1.0, -2.0 * u**3 + 3.0 * u * u, u**3 - 2.0 * u * u + u,
               u**3 - u * u),
    lambda u: (6.0 * u * u - 6.0 * u, -6.0 * u * u + 6.0 * u, 3.0 * u * u - 4.0 * u + 1.0,
               3.0 * u * u - 2.0 * u),
    lambda u: (12 * u - 6.0, 6.0 - 12.0 * u, 6.0 * u - 4.0, 6.0 * u - 2.0),
    lambda u: (12.0, -12.0, 6.0, 6.0),
)


def _combine(order, x1, v1, x2, v2, u):
    assert len(x1) == len(v1) == len(x2) == len(v2), "control points of different lengths"
    a, b, c, d = _BASIS[order](u)
    return [a * p + b * q + c * r + d * s for p, q, r, s in zip(x1, x2, v1, v2)]


def hermite_eval(x1, v1, x2, v2, u):
    """Point u in [0, 1] of the curve from x1 to x2 with end derivatives v1, v2."""
    return _combine(0, x1, v1, x2, v2, u)


def hermite_deriv(x1, v1, x2, v2, u, order=1):
    """Derivative of the given order by u (order 0: the point itself)."""
    if order not in (0, 1, 2, 3):
        return [0] * len(x1)
    return _combine(order, x1, v1, x2, v2, u)


def hermite_subdivide(x1, v1, x2, v2, u=0.5):
    """The two curves before and after the parameter u."""
    xm, vm = hermite_eval(x1, v1, x2, v2, u), hermite_deriv(x1, v1, x2, v2, u)
    w = 1.0 - u
    return [(x1, vectorops.mul(v1, u), xm, vectorops.mul(vm, u)),
            (xm, vectorops.mul(vm, w), x2, vectorops.mul(v2, w))]


def hermite_length_bound(x1, v1, x2, v2):
    """An upper bound of the arc length."""
    return bezier_length_bound(*hermite_to_bezier(x1, v1, x2, v2))


def hermite_to_bezier(x1, v1, x2, v2):
    """The four Bezier control points of a Hermite curve."""
    return x1, vectorops.madd(x1, v1, 1.0 / 3.0), vectorops.madd(x2, v2, -1.0 / 3.0), x2


def bezier_subdivide(x1, x2, x3, x4, u=0.5):
    """The two curves before and after the parameter u (de Casteljau, 1959)."""
    between = vectorops.interpolate
    a, b, c = between(x1, x2, u), between(x2, x3, u), between(x3, x4, u)
    d, e = between(a, b, u), between(b, c, u)
    middle = between(d, e, u)
    return [(x1, a, d, middle), (middle, e, c, x4)]


def bezier_length_bound(x1, x2, x3, x4):
    """Length of the control polygon, which bounds the arc length from above."""
    return (vectorops.distance(x1, x2) + vectorops.distance(x2, x3)
            + vectorops.distance(x3, x4))


def bezier_discretize(x1, x2, x3, x4, res, return_params=False):
    """Control polygon of the curve, halved until no piece is longer than res.

    Returns the points, or (points, params) with the parameter of the start and of the
    end of each piece.
    """
    path, params = [x1], [0.0]
    waiting = [((x1, x2, x3, x4), 0.0, 1.0)]
    while waiting:
        curve, start, end = waiting.pop()
        if bezier_length_bound(*curve) > res:
            first, second = bezier_subdivide(*curve)
            middle = 0.5 * (start + end)
            waiting.append((second, middle, end))
            waiting.append((first, start, middle))
        else:
            path.extend(curve[1:])
            params.append(end)
    return (path, params) if return_params else path


def bezier_to_hermite(x1, x2, x3, x4):
    """Hermite form (x1, v1, x2, v2) of a Bezier curve."""
    return (x1, vectorops.mul(vectorops.sub(x2, x1), 3.0), x4,
            vectorops.mul(vectorops.sub(x4, x3), 3.0))
