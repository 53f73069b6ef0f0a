"""Smooth trajectories in curved spaces, by de Casteljau's construction on geodesics."""

from ...math import se3, so2, so3, vectorops
from ...math.geodesic import SE2Space, SE3Space, SO3Space
from .base import Trajectory
from .geodesic import GeodesicTrajectory, SE3Trajectory, SO3Trajectory, flat_states
from .hermite import bezier_states, check_loop, neighbors

_THIRD = 1.0 / 3.0
_STEP = 1e-6  # Step of the numerical derivative along a segment.


class GeodesicHermiteTrajectory(Trajectory):
    """Milestones are points of a GeodesicSpace with their tangents appended.

    Given outgoingLieDerivatives, milestones are the points alone. After Gao et al.,
    "Geodesic Hermite curves", and the construction of Park and Ravani (1995).
    """

    def __init__(self, geodesic, times=None, milestones=None, outgoingLieDerivatives=None):
        self.geodesic = geodesic
        if outgoingLieDerivatives is not None:
            assert milestones is not None, "outgoingLieDerivatives want milestones"
            milestones = [list(a) + list(b) for a, b in zip(milestones, outgoingLieDerivatives)]
        if milestones is not None:
            n = 2 * geodesic.extrinsicDimension()
            assert all(len(m) == n for m in milestones), (
                f"milestones want a point and a tangent, {n} numbers")
        Trajectory.__init__(self, times, milestones)
        self._skip_deriv = False

    def _become(self, times, points, tangents):
        GeodesicHermiteTrajectory.__init__(self, self.geodesic, times, points, tangents)

    def makeSpline(self, waypointTrajectory, loop=False):
        """Becomes a smooth curve through the milestones of a GeodesicTrajectory."""
        t = waypointTrajectory
        check_loop(t, loop)
        x, n = t.milestones, len(t.milestones)

        def tangent(a, b, dt):
            return vectorops.mul(self.geodesic.difference(b, a), 1.0 / dt if dt != 0 else 0)
        if n == 1:
            slopes = [[0] * len(x[0])]
        elif n == 2 and loop:
            slopes = [[0.0] * len(x[0])] * 2
        elif n == 2:
            dt = t.times[1] - t.times[0]
            slopes = [tangent(x[0], x[1], dt), tangent(x[1], x[0], -dt)]
        else:
            slopes = [vectorops.mul(vectorops.add(tangent(m, p, -before), tangent(m, k, after)), 0.5)
                      for p, m, k, before, after in neighbors(t, loop)]
            if not loop:
                slopes = ([tangent(x[0], x[1], t.times[1] - t.times[0])] + slopes
                          + [tangent(x[-1], x[-2], t.times[-2] - t.times[-1])])
        self._become(t.times[:], x, slopes)

    def makeBezier(self, times, controlPoints):
        """Becomes a chain of Bezier curves with 3 (len(times) - 1) + 1 control points."""
        self._become(*bezier_states(times, controlPoints, self.geodesic.difference))

    def waypoint(self, state):
        return state[:len(state) // 2]

    def _controls(self, a, b, dt):
        n = self.geodesic.extrinsicDimension()
        assert len(a) == 2 * n and len(b) == 2 * n, f"milestones want {2 * n} numbers"
        return (a[:n], self.geodesic.integrate(a[:n], vectorops.mul(a[n:], _THIRD * dt)),
                self.geodesic.integrate(b[:n], vectorops.mul(b[n:], -_THIRD * dt)), b[:n])

    def interpolate_state(self, a, b, u, dt):
        points = self._controls(a, b, dt)
        x = self._casteljau(points, u)
        if self._skip_deriv:
            return x + [0.0] * len(x)
        ahead = self._casteljau(points, u + _STEP)
        return x + vectorops.mul(self.geodesic.difference(ahead, x), 1.0 / (dt * _STEP))

    def _casteljau(self, points, u):
        between = self.geodesic.interpolate
        while len(points) > 1:
            points = [between(p, q, u) for p, q in zip(points, points[1:])]
        return points[0]

    def difference_state(self, a, b, u, dt):
        raise NotImplementedError("second derivatives of geodesic Hermite curves are not offered; "
                                  "discretize() the trajectory and take differences")

    def eval_state(self, t, endBehavior="halt", scanIndex=None):
        """Point and tangent at t, one after the other."""
        return Trajectory.eval(self, t, endBehavior, scanIndex)

    def _points_only(self, function, *args):
        self._skip_deriv = True
        try:
            return function(*args)
        finally:
            self._skip_deriv = False

    def eval(self, t, endBehavior="halt", scanIndex=None):
        """The point at t."""
        res = self._points_only(self.eval_state, t, endBehavior, scanIndex)
        return res[:len(res) // 2]

    def deriv(self, t, endBehavior="halt", scanIndex=None):
        """The tangent at t."""
        res = self.eval_state(t, endBehavior, scanIndex)
        return res[len(res) // 2:]

    def length(self, metric=None):
        """Upper bound: length of the control polygons."""
        metric = self.geodesic.distance if metric is None else metric
        total = 0
        for i, (a, b) in enumerate(zip(self.milestones, self.milestones[1:])):
            points = self._controls(a, b, self.times[i + 1] - self.times[i])
            total += sum(metric(p, q) for p, q in zip(points, points[1:]))
        return total

    def _discretized_points(self, dt):
        res = self._points_only(self.discretize_state, dt)
        n = self.geodesic.extrinsicDimension()
        return res.times, [m[:n] for m in res.milestones]

    def discretize(self, dt):
        """GeodesicTrajectory of points every dt."""
        return GeodesicTrajectory(self.geodesic, *self._discretized_points(dt))

    def checkValid(self):
        Trajectory.checkValid(self)
        n = 2 * self.geodesic.extrinsicDimension()
        if len(self.milestones[0]) != n:
            raise ValueError(f"milestones have {len(self.milestones[0])} numbers, {n} are wanted")

    def extractDofs(self, dofs):
        """Not possible: raises ValueError."""
        raise ValueError(f"the entries of a {type(self).__name__} belong together")

    def stackDofs(self, trajs, strict=True):
        """Not possible: raises ValueError."""
        raise ValueError(f"a {type(self).__name__} cannot stack trajectories")

    def constructor(self):
        return lambda times, milestones: GeodesicHermiteTrajectory(self.geodesic, times, milestones)


class SO3HermiteTrajectory(GeodesicHermiteTrajectory):
    """Milestones are rotations and skew matrices of angular velocities (9 + 9 numbers)."""

    def __init__(self, times=None, milestones=None, outgoingLieDerivatives=None):
        GeodesicHermiteTrajectory.__init__(self, SO3Space(), times, milestones,
                                           outgoingLieDerivatives)

    def preTransform(self, R):
        """Multiplies rotations and tangents by R from the left."""
        self.milestones[:] = [so3.mul(R, m[:9]) + so3.mul(R, m[9:]) for m in self.milestones]

    def postTransform(self, R):
        """Multiplies rotations and tangents by R from the right."""
        self.milestones[:] = [so3.mul(m[:9], R) + so3.mul(m[9:], R) for m in self.milestones]

    def deriv_angvel(self, t, endBehavior="halt"):
        """Angular velocity at t (3 numbers)."""
        return so3.deskew(self.deriv(t, endBehavior))

    def discretize(self, dt):
        """SO3Trajectory of rotations every dt."""
        return SO3Trajectory(*self._discretized_points(dt))

    def constructor(self):
        return SO3HermiteTrajectory


class SE3HermiteTrajectory(GeodesicHermiteTrajectory):
    """Milestones are transforms and tangents (12 + 12 numbers, or pairs (R, t))."""

    def __init__(self, times=None, milestones=None, outgoingLieDerivatives=None):
        GeodesicHermiteTrajectory.__init__(self, SE3Space(), times, flat_states(milestones),
                                           flat_states(outgoingLieDerivatives))

    def to_se3(self, state):
        """Pair (R, t) of the first 12 numbers."""
        return (state[:9], state[9:12])

    def from_se3(self, T):
        """12 numbers of a pair (R, t)."""
        return list(T[0]) + list(T[1])

    def waypoint(self, state):
        return self.to_se3(state)

    def eval(self, t, endBehavior="halt", scanIndex=None):
        """The transform (R, t) at t."""
        return self.to_se3(GeodesicHermiteTrajectory.eval(self, t, endBehavior, scanIndex))

    def deriv(self, t, endBehavior="halt", scanIndex=None):
        """Derivative as (skew matrix of the angular velocity, velocity)."""
        return self.to_se3(GeodesicHermiteTrajectory.deriv(self, t, endBehavior, scanIndex))

    def deriv_screw(self, t, endBehavior="halt", scanIndex=None):
        """Angular velocity and velocity, 6 numbers."""
        dR, v = self.deriv(t, endBehavior, scanIndex)
        return so3.deskew(dR) + v

    def preTransform(self, T):
        """Replaces each transform X by T X."""
        for i, m in enumerate(self.milestones):
            (dR, v) = self.to_se3(m[12:])
            self.milestones[i] = (self.from_se3(se3.mul(T, self.to_se3(m)))
                                  + self.from_se3((so3.mul(T[0], dR), so3.apply(T[0], v))))

    def postTransform(self, T):
        """Replaces each transform X by X T."""
        for i, m in enumerate(self.milestones):
            (dR, v) = self.to_se3(m[12:])
            self.milestones[i] = (self.from_se3(se3.mul(self.to_se3(m), T))
                                  + self.from_se3((so3.mul(dR, T[0]),
                                                   so3.apply(so3.inv(T[0]), v))))

    def discretize(self, dt):
        """SE3Trajectory of transforms every dt."""
        return SE3Trajectory(*self._discretized_points(dt))

    def constructor(self):
        return SE3HermiteTrajectory


class SE2HermiteTrajectory(GeodesicHermiteTrajectory):
    """Milestones are (x, y, angle) with their derivatives."""

    def __init__(self, times=None, milestones=None, outgoingLieDerivatives=None):
        GeodesicHermiteTrajectory.__init__(self, SE2Space(), times, milestones,
                                           outgoingLieDerivatives)

    def constructor(self):
        return SE2HermiteTrajectory

    def preTransform(self, pose):
        """Replaces each transform X by pose X."""
        x, y, theta = pose
        self.milestones[:] = [vectorops.add(so2.apply(theta, m[:2]), [x, y]) + [theta + m[2]]
                              + so2.apply(theta, m[3:5]) + [m[5]] for m in self.milestones]

    def postTransform(self, pose):
        """Replaces each transform X by X pose."""
        x, y, theta = pose
        self.milestones[:] = [vectorops.add(so2.apply(m[2], [x, y]), m[:2]) + [theta + m[2]]
                              + m[3:6] for m in self.milestones]

    def convert_se3(self):
        """SE3HermiteTrajectory in the plane z = 0."""
        poses = [(so3.rotation((0, 0, 1), m[2]), [m[0], m[1], 0]) for m in self.milestones]
        twists = [(so3.cross_product([0, 0, m[5]]), [m[3], m[4], 0]) for m in self.milestones]
        return SE3HermiteTrajectory(self.times[:], poses, twists)
