"""Rigid transforms as pairs (R, t): a rotation of 9 numbers (see so3) and a translation.

A method that returns a transform returns such a pair; one that takes a transform takes
its two parts: ``x.setTransform(*T)``.
"""

from typing import Callable, List, TYPE_CHECKING, Tuple

from ..model.typing import Matrix3, RigidTransform, Rotation, Vector3
from . import so3, vectorops

if TYPE_CHECKING:
    import numpy


def identity() -> RigidTransform:
    """The transform that leaves everything in place."""
    return ([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0])


def inv(T: RigidTransform) -> RigidTransform:
    """The inverse transform."""
    R, (x, y, z) = T
    a, b, c, d, e, f, g, h, i = R
    return ([a, d, g, b, e, h, c, f, i],
            [-a * x - b * y - c * z, -d * x - e * y - f * z, -g * x - h * y - i * z])


def apply(T: RigidTransform, point: Vector3) -> Vector3:
    """The point moved by T, as a list."""
    R, t = T
    x, y, z = point
    return [R[0] * x + R[3] * y + R[6] * z + t[0],
            R[1] * x + R[4] * y + R[7] * z + t[1],
            R[2] * x + R[5] * y + R[8] * z + t[2]]


def apply_rotation(T: RigidTransform, point: Vector3) -> Vector3:
    """A direction turned by T's rotation, as a tuple."""
    return so3.apply(T[0], point)


def rotation(T: RigidTransform) -> Matrix3:
    """The 3 x 3 matrix of T's rotation, by rows."""
    R, _ = T
    return so3.matrix(R)


def from_rotation(mat: List[List[float]]) -> RigidTransform:
    """A pure rotation, of a 3 x 3 matrix by rows."""
    return (so3.from_matrix(mat), [0.0, 0.0, 0.0])


def translation(T: RigidTransform) -> Vector3:
    """The translation of T."""
    return T[1]


def from_translation(t: Vector3) -> RigidTransform:
    """A pure translation."""
    return (so3.identity(), t[:])


def homogeneous(T: RigidTransform) -> List[List[float]]:
    """The 4 x 4 homogeneous matrix, by rows."""
    R, t = T
    return [[R[0], R[3], R[6], t[0]],
            [R[1], R[4], R[7], t[1]],
            [R[2], R[5], R[8], t[2]],
            [0.0, 0.0, 0.0, 1.0]]


def from_homogeneous(mat: List[List[float]]) -> RigidTransform:
    """Transform of a 4 x 4 homogeneous matrix by rows."""
    columns = [[mat[row][column] for row in range(3)] for column in range(4)]
    return (columns[0] + columns[1] + columns[2], columns[3])


def ndarray(T: RigidTransform) -> "numpy.ndarray":
    """The 4 x 4 homogeneous matrix as an array."""
    import numpy
    return numpy.array(homogeneous(T))


def from_ndarray(mat: "numpy.ndarray") -> "RigidTransform":
    """Transform of a 4 x 4 array."""
    return from_homogeneous(mat)  # type: ignore[arg-type]


def mul(T1: RigidTransform, T2: RigidTransform) -> RigidTransform:
    """The product T1 T2: T2 first, then T1."""
    if len(T1) != 2:
        raise ValueError("T1 is not a transform: a pair (R, t) is wanted")
    if len(T2) != 2:
        raise ValueError("T2 is not a transform: a pair (R, t) is wanted "
                         "(did you mean to use apply()?)")
    R1, (tx, ty, tz) = T1
    R2, (x, y, z) = T2
    if len(R1) != 9 or len(R2) != 9:
        return (so3.mul(R1, R2), None)  # type: ignore[return-value]
    a, b, c, d, e, f, g, h, i = R1
    j, k, l, m, n, o, p, q, r = R2
    return ([a * j + d * k + g * l, b * j + e * k + h * l, c * j + f * k + i * l,
             a * m + d * n + g * o, b * m + e * n + h * o, c * m + f * n + i * o,
             a * p + d * q + g * r, b * p + e * q + h * r, c * p + f * q + i * r],
            [a * x + d * y + g * z + tx, b * x + e * y + h * z + ty, c * x + f * y + i * z + tz])


def distance(T1: RigidTransform, T2: RigidTransform, Rweight=1.0, tweight=1.0) -> float:
    """Weighted sum of the angle between and the distance between T1 and T2."""
    (R1, t1), (R2, t2) = T1, T2
    return Rweight * so3.distance(R1, R2) + tweight * vectorops.distance(t1, t2)


def error(T1: RigidTransform, T2: RigidTransform) -> List[float]:
    """Six numbers (w, v): T1 = (from_moment(w) R2, t2 + v)."""
    (R1, t1), (R2, t2) = T1, T2
    return so3.error(R1, R2) + vectorops.sub(t1, t2)


def interpolate(T1: RigidTransform, T2: RigidTransform, u: float) -> RigidTransform:
    """Point u in [0, 1]: shortest rotation and straight translation."""
    return (so3.interpolate(T1[0], T2[0], u), vectorops.interpolate(T1[1], T2[1], u))


def interpolator(T1: RigidTransform, T2: RigidTransform) -> Callable:
    """A function of u like interpolate(T1, T2, u), with the axis computed once."""
    (R1, t1), (R2, t2) = T1, T2
    turn, way = so3.interpolator(R1, R2), vectorops.sub(t2, t1)

    def at(u):
        return (turn(u), vectorops.madd(t1, way, u))
    return at
