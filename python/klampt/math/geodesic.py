"""Spaces with a distance, shortest paths and tangents, by one interface."""

import math

from . import se3, so2, so3, vectorops


class GeodesicSpace:
    """A space of points given as lists.

    Its points have extrinsicDimension() numbers and intrinsicDimension() degrees of
    freedom. difference(a, b) is the tangent at b that integrate(b, .) carries to a.
    """

    def intrinsicDimension(self):
        """Degrees of freedom."""
        raise NotImplementedError(f"{type(self).__name__} gives no intrinsicDimension()")

    def extrinsicDimension(self):
        """Numbers of a point."""
        raise NotImplementedError(f"{type(self).__name__} gives no extrinsicDimension()")

    def distance(self, a, b):
        """Length of the shortest path."""
        return vectorops.distance(a, b)

    def interpolate(self, a, b, u):
        """Point u in [0, 1] of the shortest path from a to b."""
        return vectorops.interpolate(a, b, u)

    def difference(self, a, b):
        """Tangent at b towards a."""
        return vectorops.sub(a, b)

    def integrate(self, x, d):
        """Point reached from x along the tangent d."""
        return vectorops.add(x, d)


class CartesianSpace(GeodesicSpace):
    """R^d with straight lines."""

    def __init__(self, d):
        self.d = d

    def intrinsicDimension(self):
        return self.d

    def extrinsicDimension(self):
        return self.d


class MultiGeodesicSpace(GeodesicSpace):
    """A product of spaces; squared distances add up with componentWeights."""

    def __init__(self, *components):
        self.components = components
        self.componentWeights = [1] * len(components)

    def intrinsicDimension(self):
        return sum(c.intrinsicDimension() for c in self.components)

    def extrinsicDimension(self):
        return sum(c.extrinsicDimension() for c in self.components)

    def split(self, x):
        """The parts of a point, one a component."""
        parts, start = [], 0
        for c in self.components:
            end = start + c.extrinsicDimension()
            parts.append(x[start:end])
            start = end
        return parts

    def join(self, xs):
        """The point with the given parts."""
        return sum(xs, [])

    def distance(self, a, b):
        parts = zip(self.components, self.componentWeights, self.split(a), self.split(b))
        return math.sqrt(sum(w * c.distance(x, y) ** 2 for c, w, x, y in parts))

    def _each(self, a, b, operation):
        result, start = [0] * len(a), 0
        for c in self.components:
            end = start + c.extrinsicDimension()
            result[start:end] = operation(c, a[start:end], b[start:end])
            start = end
        return result

    def interpolate(self, a, b, u):
        return self._each(a, b, lambda c, x, y: c.interpolate(x, y, u))

    def difference(self, a, b):
        return self._each(a, b, lambda c, x, y: c.difference(x, y))

    def integrate(self, x, diff):
        return self._each(x, diff, lambda c, p, d: c.integrate(p, d))


class SO2Space(GeodesicSpace):
    """Angles; points are lists of one number."""

    def intrinsicDimension(self):
        return 1

    def extrinsicDimension(self):
        return 1

    def distance(self, a, b):
        return abs(so2.diff(a[0], b[0]))

    def interpolate(self, a, b, u):
        return [so2.interp(a[0], b[0], u)]

    def difference(self, a, b):
        return [so2.diff(a[0], b[0])]

    def integrate(self, x, d):
        return [so2.normalize(x[0] + d[0])]


class SE2Space(MultiGeodesicSpace):
    """Transforms of the plane as (x, y, angle)."""

    def __init__(self):
        MultiGeodesicSpace.__init__(self, CartesianSpace(2), SO2Space())


class SO3Space(GeodesicSpace):
    """Rotations of 9 numbers; tangents are the 9 numbers of a skew matrix."""

    def intrinsicDimension(self):
        return 3

    def extrinsicDimension(self):
        return 9

    def distance(self, a, b):
        return vectorops.norm(so3.error(a, b))

    def interpolate(self, a, b, u):
        return so3.interpolate(a, b, u)

    def difference(self, a, b):
        return so3.cross_product(so3.apply(b, so3.error(a, b)))

    def integrate(self, x, d):
        w = so3.apply(so3.inv(x), so3.deskew(d))
        return so3.mul(so3.from_moment(w), x)


class SE3Space(GeodesicSpace):
    """Transforms of 9 + 3 numbers; tangents are a skew matrix and a velocity."""

    def intrinsicDimension(self):
        return 6

    def extrinsicDimension(self):
        return 12

    def to_se3(self, x):
        """The pair (R, t) of 12 numbers."""
        return (x[:9], x[9:])

    def from_se3(self, T):
        """The 12 numbers of a pair (R, t)."""
        return list(T[0]) + list(T[1])

    def distance(self, a, b):
        return vectorops.norm(se3.error(self.to_se3(a), self.to_se3(b)))

    def interpolate(self, a, b, u):
        R, t = se3.interpolate(self.to_se3(a), self.to_se3(b), u)
        return R + t

    def difference(self, a, b):
        w = se3.error(self.to_se3(a), self.to_se3(b))
        return so3.cross_product(so3.apply(b[:9], w[:3])) + w[3:]

    def integrate(self, x, d):
        assert len(x) == 12, f"a transform of 12 numbers is wanted, got {len(x)}"
        R, t = self.to_se3(x)
        w = so3.apply(so3.inv(R), so3.deskew(d[:9]))
        return so3.mul(R, so3.from_moment(w)) + vectorops.add(t, d[9:])
