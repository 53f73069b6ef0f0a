"""Rotations of space as lists of 9 numbers: the matrix, column after column.

The matrix with rows (a11 a12 a13), (a21 a22 a23), (a31 a32 a33) is the list
[a11, a21, a31, a12, a22, a32, a13, a23, a33].
"""

import math
from typing import Callable, List, TYPE_CHECKING, Tuple

from ..model.typing import Matrix3, Rotation, Vector3
from . import vectorops

if TYPE_CHECKING:
    import numpy

_sqrt, _sin, _cos, _acos, _pi = math.sqrt, math.sin, math.cos, math.acos, math.pi


def __str__(R: Rotation) -> str:
    """Three lines of text, a row of the matrix each."""
    return "\n".join(" ".join(map(str, row)) for row in matrix(R))


def identity() -> Rotation:
    """The rotation that leaves everything in place."""
    return [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]


def inv(R: Rotation) -> Rotation:
    """The inverse, which is the transpose."""
    a, b, c, d, e, f, g, h, i = R
    return [a, d, g, b, e, h, c, f, i]


def apply(R: Rotation, point: Vector3) -> Vector3:
    """The point (or direction) rotated by R, as a tuple."""
    x, y, z = point[0], point[1], point[2]
    return (R[0] * x + R[3] * y + R[6] * z,
            R[1] * x + R[4] * y + R[7] * z,
            R[2] * x + R[5] * y + R[8] * z)


def matrix(R: Rotation) -> Matrix3:
    """The 3 x 3 matrix as a list of rows."""
    return [[R[0], R[3], R[6]], [R[1], R[4], R[7]], [R[2], R[5], R[8]]]


def from_matrix(mat: Matrix3) -> Rotation:
    """Rotation of a 3 x 3 matrix given by rows."""
    return [mat[0][0], mat[1][0], mat[2][0], mat[0][1], mat[1][1], mat[2][1], mat[0][2], mat[1][2],
            mat[2][2]]


def ndarray(R: Rotation) -> "numpy.ndarray":
    """The 3 x 3 matrix as an array."""
    import numpy
    return numpy.array(matrix(R))


def from_ndarray(mat: "numpy.ndarray") -> Rotation:
    """Rotation of a 3 x 3 array."""
    return mat.T.flatten().tolist()


def mul(R1: Rotation, R2: Rotation) -> Rotation:
    """The product R1 R2: R2 first, then R1."""
    if len(R1) != 9:
        raise ValueError("R1 is not a rotation matrix: 9 numbers are wanted")
    if len(R2) != 9:
        raise ValueError("R2 is not a rotation matrix: 9 numbers are wanted "
                         "(did you mean to use apply()?)")
    a, b, c, d, e, f, g, h, i = R1
    j, k, l, m, n, o, p, q, r = R2
    return [a * j + d * k + g * l, b * j + e * k + h * l, c * j + f * k + i * l,
            a * m + d * n + g * o, b * m + e * n + h * o, c * m + f * n + i * o,
            a * p + d * q + g * r, b * p + e * q + h * r, c * p + f * q + i * r]


def _mul_inv(R1, R2):
    """R1 R2^T."""
    a, b, c, d, e, f, g, h, i = R1
    j, m, p, k, n, q, l, o, r = R2
    return [a * j + d * k + g * l, b * j + e * k + h * l, c * j + f * k + i * l,
            a * m + d * n + g * o, b * m + e * n + h * o, c * m + f * n + i * o,
            a * p + d * q + g * r, b * p + e * q + h * r, c * p + f * q + i * r]


def trace(R: Rotation) -> float:
    """Sum of the diagonal."""
    return R[0] + R[4] + R[8]


def angle(R: Rotation) -> float:
    """Angle between R and the identity, within [0, pi]."""
    c = (R[0] + R[4] + R[8] - 1.0) * 0.5
    return _acos(1.0 if c > 1.0 else -1.0 if c < -1.0 else c)


def _sign(x):
    return (x > 0) - (x < 0)


def _clamped(x):
    return min(1.0, max(x, -1.0))


def rpy(R: Rotation) -> Vector3:
    """Roll, pitch and yaw in radians: R = Rz(yaw) Ry(pitch) Rx(roll)."""
    pitch = -math.asin(_clamped(R[2]))
    cp = _cos(pitch)
    if abs(cp) > 1e-7:
        s = _sign(cp)
        yaw = _acos(_clamped(R[0] / cp))
        if _sign(R[1]) != s:
            yaw = 2 * _pi - yaw
        roll = _acos(_clamped(R[8] / cp))
        if _sign(R[5]) != s:
            roll = 2 * _pi - roll
        return roll, pitch, yaw
    # The pitch is a right angle: roll and yaw turn about one axis, roll is set to 0.
    yaw = -math.asin(_clamped(R[3]))
    if _sign(_cos(yaw)) != _sign(R[4]):
        yaw = _pi - yaw
    return 0, pitch, yaw


def from_rpy(rollpitchyaw: Vector3) -> Rotation:
    """Rz(yaw) Ry(pitch) Rx(roll) of a triple (roll, pitch, yaw) in radians."""
    roll, pitch, yaw = rollpitchyaw
    cr, sr = _cos(roll), _sin(roll)
    cp, sp = _cos(pitch), _sin(pitch)
    cy, sy = _cos(yaw), _sin(yaw)
    return [cy * cp, sy * cp, -sp,
            cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr,
            cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr]


def _half_turn_signs(x, y, z, R):
    """Signs of the axis of a half turn, relative to its largest entry."""
    xy, xz, yz = R[3], R[6], R[7]
    if x > y and x > z:
        return [x, -y if xy < 0 else y, -z if xz < 0 else z]
    if x <= y and y > z:
        return [-x if xy < 0 else x, y, -z if yz < 0 else z]
    return [-x if xz < 0 else x, -y if yz < 0 else y, z]


def _near_half_turn(R, theta):
    """Rotation vector for angles near pi, from the diagonal of R."""
    c = _cos(theta)
    squares = [(R[0] - c) / (1.0 - c), (R[4] - c) / (1.0 - c), (R[8] - c) / (1.0 - c)]
    assert min(squares) > -1e-5, "rotation_vector() wants a rotation matrix"
    x, y, z = [theta * _sqrt(max(s, 0)) for s in squares]
    beyond = theta - _pi
    if abs(beyond) < 1e-5:
        return _half_turn_signs(x, y, z, R)
    if beyond * (R[5] - R[7]) > 0:
        x = -x
    if beyond * (R[6] - R[2]) > 0:
        y = -y
    if beyond * (R[1] - R[3]) > 0:
        z = -z
    return [x, y, z]


def rotation_vector(R: Rotation) -> Vector3:
    """The vector w along the axis, as long as the angle: R = exp([w])."""
    theta = angle(R)
    if abs(theta - _pi) < 0.5:
        return _near_half_turn(R, theta)
    s = 0.5 * theta / _sin(theta) if theta > 1e-5 else 0.5
    return [s * (R[5] - R[7]), s * (R[6] - R[2]), s * (R[1] - R[3])]


def axis_angle(R: Rotation) -> Tuple:
    """The pair (axis, angle)."""
    w = rotation_vector(R)
    return (vectorops.unit(w), vectorops.norm(w))


def from_axis_angle(aa: Tuple) -> Rotation:
    """Rotation of a pair (axis, angle)."""
    return rotation(aa[0], aa[1])


def from_rotation_vector(w: Vector3) -> Rotation:
    """exp([w]): turns about w by |w| radians."""
    length = vectorops.norm(w)
    if length < 1e-7:
        return identity()
    s = 1.0 / length
    return rotation((w[0] * s, w[1] * s, w[2] * s), length)


moment = rotation_vector
from_moment = from_rotation_vector


def from_quaternion(q: Tuple) -> Rotation:
    """Rotation of a unit quaternion (w, x, y, z)."""
    w, x, y, z = q
    x2, y2, z2 = 2 * x, 2 * y, 2 * z
    xx, yy, zz = x * x2, y * y2, z * z2
    xy, xz, yz = x * y2, x * z2, y * z2
    wx, wy, wz = w * x2, w * y2, w * z2
    return [1.0 - yy - zz, xy + wz, xz - wy,
            xy - wz, 1.0 - xx - zz, yz + wx,
            xz + wy, yz - wx, 1.0 - xx - yy]


def quaternion(R: Rotation) -> Tuple:
    """The unit quaternion (w, x, y, z) of R, as a list."""
    t = R[0] + R[4] + R[8] + 1.0
    if t > 1e-5:
        s = _sqrt(t)
        f = 0.5 / s
        return vectorops.unit([0.5 * s, (R[5] - R[7]) * f, (R[6] - R[2]) * f, (R[1] - R[3]) * f])
    # A half turn: start from the largest entry of the diagonal.
    i = 0
    if R[4] > R[0]:
        i = 1
    if R[8] > max(R[0], R[4]):
        i = 2
    j, k = (i + 1) % 3, (i + 2) % 3
    s = _sqrt(R[4 * i] - R[4 * j] - R[4 * k] + 1.0)
    if s < 1e-7:
        raise ValueError("quaternion() found no axis: is this a rotation matrix?")
    f = 0.5 / s
    v = [0.0, 0.0, 0.0]
    v[i] = 0.5 * s
    v[j] = (R[3 * j + i] + R[3 * i + j]) * f
    v[k] = (R[3 * k + i] + R[3 * i + k]) * f
    return vectorops.unit([(R[3 * j + k] - R[3 * k + j]) * f] + v)


def distance(R1: Rotation, R2: Rotation) -> float:
    """Angle of the rotation between R1 and R2."""
    return angle(_mul_inv(R1, R2))


def error(R1: Rotation, R2: Rotation) -> Vector3:
    """Rotation vector of R1 R2^T: R1 = from_moment(w) R2."""
    return rotation_vector(_mul_inv(R1, R2))


def cross_product(w: Vector3) -> Rotation:
    """The skew matrix [w] with [w] x = w cross x."""
    return [0.0, w[2], -w[1], -w[2], 0.0, w[0], w[1], -w[0], 0.0]


def diag(R: Rotation) -> Vector3:
    """The diagonal, as a list."""
    return [R[0], R[4], R[8]]


def deskew(R: Rotation) -> Vector3:
    """The w of the skew part: [w] = (R - R^T) / 2."""
    return [0.5 * (R[5] - R[7]), 0.5 * (R[6] - R[2]), 0.5 * (R[1] - R[3])]


def rotation(axis: Vector3, angle: float) -> Rotation:
    """Turn about a unit axis by an angle in radians (Rodrigues, 1840)."""
    x, y, z = axis
    c, s = _cos(angle), _sin(angle)
    v = 1.0 - c
    vx, vy = v * x, v * y
    xy, xz, yz = vx * y, vx * z, vy * z
    sx, sy, sz = s * x, s * y, s * z
    return [vx * x + c, xy + sz, xz - sy, xy - sz, vy * y + c, yz + sx, xz + sy, yz - sx, v * z * z + c]


def canonical(v: Vector3) -> Rotation:
    """A basis (columns) whose x axis is the unit vector v."""
    if abs(vectorops.normSquared(v) - 1.0) > 1e-4:
        raise RuntimeError(f"canonical() wants a unit vector, got one of norm {vectorops.norm(v)}")
    assert len(v) == 3
    x, y, z = v
    if abs(x - 1.0) < 1e-5:
        return identity()
    if abs(x + 1.0) < 1e-5:
        return [-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0]
    s = 1.0 / (1.0 + x)
    return [x, y, z, -y, x + s * z * z, -s * y * z, -z, -s * y * z, x + s * y * y]


def align(a: Vector3, b: Vector3) -> Rotation:
    """The smallest rotation that turns the direction of a into that of b."""
    na, nb = vectorops.norm(a), vectorops.norm(b)
    if na < 1e-5 or nb < 1e-5:
        return identity()
    a, b = vectorops.mul(a, 1.0 / na), vectorops.mul(b, 1.0 / nb)
    c = vectorops.dot(a, b)
    if abs(c + 1) < 1e-5:
        # Opposite directions: any axis across a will do.
        v = vectorops.cross(a, (0, 0, 1))
        if vectorops.norm(v) < 1e-5:
            v = vectorops.cross(a, (0, 1, 0))
        return rotation(vectorops.mul(v, 1.0 / vectorops.norm(v)), _pi)
    skew = cross_product(vectorops.cross(a, b))
    s = 1.0 / (1.0 + c)
    return [i + k + s * kk for i, k, kk in zip(identity(), skew, mul(skew, skew))]


def _axis_between(R1, R2):
    """Axis (in R1's frame) and angle of R1^T R2."""
    w = rotation_vector(mul(inv(R1), R2))
    theta = vectorops.norm(w)
    return (vectorops.div(w, theta) if theta else [1, 0, 0]), theta


def interpolate(R1: Rotation, R2: Rotation, u: float) -> Rotation:
    """Point u in [0, 1] of the shortest rotation from R1 to R2."""
    axis, theta = _axis_between(R1, R2)
    if theta == 0:
        return R1
    return mul(R1, rotation(axis, theta * u))


def interpolator(R1: Rotation, R2: Rotation) -> Callable:
    """A function of u like interpolate(R1, R2, u), with the axis computed once."""
    axis, theta = _axis_between(R1, R2)

    def at(u):
        return mul(R1, rotation(axis, theta * u))
    return at


def det(R: Rotation) -> float:
    """Determinant of the matrix."""
    a, b, c, d, e, f, g, h, i = R
    return a * (e * i - f * h) + d * (h * c - b * i) + g * (b * f - e * c)


def is_rotation(R: Rotation, tol=1e-5) -> bool:
    """Returns whether R is orthogonal within tol and not a reflection."""
    if any(abs(p - q) > tol for p, q in zip(_mul_inv(R, R), identity())):
        return False
    return not det(R) < 0


def sample() -> Rotation:
    """A rotation drawn uniformly, from Python's own random module."""
    import random
    return from_quaternion(vectorops.unit([random.gauss(0, 1) for _ in range(4)], 0.0))
