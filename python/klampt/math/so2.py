"""Rotations of the plane, represented by their angle in radians."""

import math
from typing import List, TYPE_CHECKING

from ..model.typing import Vector2

if TYPE_CHECKING:
    import numpy

twopi = 2 * math.pi


def identity() -> float:
    """The angle of no rotation."""
    return 0


def inv(a: float) -> float:
    """Angle of the inverse rotation."""
    return -a


def apply(a: float, pt: Vector2) -> Vector2:
    """The point pt rotated about the origin, as a list."""
    c, s = math.cos(a), math.sin(a)
    x, y = pt[0], pt[1]
    return [c * x - s * y, s * x + c * y]


def normalize(a: float) -> float:
    """The equal angle within [0, 2 pi]."""
    r = a % twopi
    return r + twopi if r < 0 else r


def diff(a: float, b: float) -> float:
    """Counterclockwise turn from b to a, within [-pi, pi]."""
    d = a % twopi - b % twopi
    if d < -math.pi:
        return d + twopi
    if d > math.pi:
        return d - twopi
    return d


def interp(a: float, b: float, u: float) -> float:
    """Point u in [0, 1] of the shortest turn from a to b; other u extrapolate."""
    return a + u * diff(b, a)


def compose(a: float, b: float) -> float:
    """Angle of one rotation after the other."""
    return a + b


def matrix(a: float) -> List[List[float]]:
    """The 2 x 2 rotation matrix as a list of rows."""
    c, s = math.cos(a), math.sin(a)
    return [[c, -s], [s, c]]


def from_matrix(R: List[List[float]]) -> float:
    """Angle of a 2 x 2 rotation matrix."""
    return math.atan2(R[1][0], R[0][0])


def ndarray(a: float) -> "numpy.ndarray":
    """The 2 x 2 rotation matrix as an array."""
    import numpy
    return numpy.array(matrix(a))


def from_ndarray(R: "numpy.ndarray") -> float:
    """Angle of a 2 x 2 rotation matrix given as an array."""
    return from_matrix(R)  # type: ignore[arg-type]
