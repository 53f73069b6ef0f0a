"""Vector arithmetic on plain sequences (list, tuple, ndarray); results are lists.

Two vectors of different lengths raise RuntimeError.
"""

import math as _math
import operator as _op

# Programs get these along with `import *`.
import math

_add, _sub, _mul, _div = _op.add, _op.sub, _op.mul, _op.truediv


def _mismatch(a, b):
    raise RuntimeError(
        f"Vector dimensions not equal: {len(a)} and {len(b)} entries; give vectors of one length")


def add(*items):
    """Sum of any number of vectors of one length; 0 without arguments."""
    if len(items) == 2:
        a, b = items
        if len(a) != len(b):
            _mismatch(a, b)
        return list(map(_add, a, b))
    if not items:
        return 0
    first = items[0]
    for v in items:
        if len(v) != len(first):
            _mismatch(first, v)
    return [sum(column) for column in zip(*items)]


def madd(a, b, c):
    """a + c b with a scalar c."""
    if len(a) != len(b):
        _mismatch(a, b)
    return [x + c * y for x, y in zip(a, b)]


def sub(a, b):
    """a - b; b is a vector or a scalar."""
    if hasattr(b, "__iter__"):
        if len(a) != len(b):
            _mismatch(a, b)
        return list(map(_sub, a, b))
    return [x - b for x in a]


def mul(a, b):
    """Elementwise product; b is a vector or a scalar."""
    if hasattr(b, "__iter__"):
        if len(a) != len(b):
            _mismatch(a, b)
        return list(map(_mul, a, b))
    return [x * b for x in a]


def div(a, b):
    """Elementwise quotient; b is a vector or a scalar."""
    if hasattr(b, "__iter__"):
        if len(a) != len(b):
            _mismatch(a, b)
        return list(map(_div, a, b))
    return [x / b for x in a]


def maximum(a, b):
    """Elementwise maximum; b is a vector or a scalar."""
    if hasattr(b, "__iter__"):
        return [max(x, y) for x, y in zip(a, b)]
    return [max(x, b) for x in a]


def minimum(a, b):
    """Elementwise minimum; b is a vector or a scalar."""
    if hasattr(b, "__iter__"):
        return [min(x, y) for x, y in zip(a, b)]
    return [min(x, b) for x in a]


def dot(a, b):
    """Inner product."""
    if len(a) != len(b):
        _mismatch(a, b)
    return sum(map(_mul, a, b))


def normSquared(a):
    """Squared Euclidean norm."""
    return sum(map(_mul, a, a))


def norm(a):
    """Euclidean norm."""
    return _math.sqrt(sum(map(_mul, a, a)))


norm_L2 = norm


def norm_L1(a):
    """Sum of absolute values."""
    return sum(map(abs, a))


def norm_Linf(a):
    """Largest absolute value."""
    return max(map(abs, a))


def unit(a, epsilon=1e-5):
    """a scaled to norm 1; a copy of a when its norm is at most epsilon."""
    length = _math.sqrt(sum(map(_mul, a, a)))
    if length > epsilon:
        scale = 1.0 / length
        return [x * scale for x in a]
    return a[:]


def distanceSquared(a, b):
    """Squared Euclidean distance."""
    n = len(a)
    if n != len(b):
        _mismatch(a, b)
    if n == 3:
        x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
        return x * x + y * y + z * z
    if n == 2:
        x, y = a[0] - b[0], a[1] - b[1]
        return x * x + y * y
    total = 0
    for x, y in zip(a, b):
        d = x - y
        total += d * d
    return total


def distance(a, b):
    """Euclidean distance."""
    if len(a) != len(b):
        _mismatch(a, b)
    try:
        return _math.dist(a, b)
    except TypeError:  # Numbers of a kind that is no float.
        return _math.sqrt(distanceSquared(a, b))


def cross(a, b):
    """Cross product: a 3-tuple for 3-vectors, a number for 2-vectors."""
    n = len(a)
    if n != len(b):
        _mismatch(a, b)
    if n == 3:
        return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    if n == 2:
        return a[0] * b[1] - a[1] * b[0]
    raise RuntimeError(f"cross() wants vectors of 2 or 3 entries, got {n}")


def interpolate(a, b, u):
    """a + u (b - a)."""
    if hasattr(b, "__iter__"):
        if len(a) != len(b):
            _mismatch(a, b)
        return [x + u * (y - x) for x, y in zip(a, b)]
    return [x + u * (b - x) for x in a]
