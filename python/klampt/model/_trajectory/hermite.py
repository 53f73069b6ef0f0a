"""Cubic Hermite trajectories of vectors."""

from ...math import spline, vectorops
from .base import Trajectory

_THIRD = 1.0 / 3.0


def _halves(state):
    n = len(state) // 2
    return state[:n], state[n:]


def neighbors(t, loop):
    """For each inner milestone (each one when looped): previous, index, next, durations."""
    n = len(t.milestones)
    for i in range(0 if loop else 1, n if loop else n - 1):
        p = i - 1 if i > 0 else n - 2
        k = i + 1 if i < n - 1 else 1
        before = t.times[i] - t.times[p] if i > 0 else t.times[-1] - t.times[-2]
        after = t.times[k] - t.times[i] if i < n - 1 else t.times[1] - t.times[0]
        assert before >= 0 and after >= 0, "times must be sorted"
        yield t.milestones[p], t.milestones[i], t.milestones[k], before, after


def check_loop(t, loop):
    """Raises ValueError unless a loop's ends agree."""
    if loop and t.milestones[-1] != t.milestones[0]:
        raise ValueError("a loop is asked for, but the first and last milestones differ")


def bezier_states(times, controlPoints, difference):
    """Times, points and derivatives of a chain of Bezier curves; jumps repeat a time."""
    if len(controlPoints) != 3 * (len(times) - 1) + 1:
        raise ValueError(f"{len(times)} times want {3 * (len(times) - 1) + 1} control points, "
                         f"got {len(controlPoints)}")
    new, points, slopes = [], [], []
    for i in range(len(times) - 1):
        a, b, c, d = controlPoints[3 * i:3 * i + 4]
        dt = times[i + 1] - times[i]
        if dt <= 0:
            raise ValueError("times must be strictly increasing")
        start = vectorops.mul(difference(b, a), 3 / dt)
        end = vectorops.mul(difference(c, d), -3 / dt)
        if i == 0 or vectorops.distance(start, slopes[-1]) > 1e-4:
            new.append(times[0] if i == 0 else new[-1])
            points.append(a if i == 0 else points[-1])
            slopes.append(start)
        new.append(times[i + 1])
        points.append(d)
        slopes.append(end)
    return new, points, slopes


def _without_overshoot(v, x, a, b, before, after):
    """Slope at x between neighbors a and b that keeps the cubic within them."""
    if x <= min(a, b) or x >= max(a, b):
        return 0.0
    lead, tail = x - v * _THIRD * before, x + v * _THIRD * after
    if (v < 0 and lead >= a) or (v > 0 and lead <= a):
        return 3.0 / before * (x - a)
    if (v < 0 and tail < b) or (v > 0 and tail > b):
        return 3.0 / after * (b - x)
    return v


class HermiteTrajectory(Trajectory):
    """Milestones are points with their derivatives appended: (x1 ... xn, v1 ... vn).

    Given dmilestones, milestones are the points alone. eval() returns points, deriv()
    derivatives, eval_state() both.
    """

    def __init__(self, times=None, milestones=None, dmilestones=None):
        if dmilestones is None:
            Trajectory.__init__(self, times, milestones)
        else:
            assert milestones is not None, "dmilestones want milestones"
            Trajectory.__init__(self, times, [q + dq for q, dq in zip(milestones, dmilestones)])

    def makeSpline(self, waypointTrajectory, preventOvershoot=True, loop=False):
        """Becomes a smooth curve through the milestones of a piecewise linear one.

        Derivatives are those of Catmull and Rom (1974); preventOvershoot flattens them
        where the curve would leave the box of its neighbors.
        """
        t = waypointTrajectory
        check_loop(t, loop)
        x, n = t.milestones, len(t.milestones)
        if n == 1:
            slopes = [[0] * len(x[0])]
        elif n == 2:
            span = t.times[1] - t.times[0]
            s = 1.0 / span if span != 0 else 0
            slopes = [[0] * len(x[0]) if loop else vectorops.mul(vectorops.sub(x[1], x[0]), s)] * 2
        else:
            slopes = []
            for p, m, k, before, after in neighbors(t, loop):
                s = 1.0 / (before + after) if before + after != 0 else 0
                v = vectorops.mul(vectorops.sub(k, p), s)
                if preventOvershoot:
                    v = [_without_overshoot(vj, mj, pj, kj, before, after)
                         for vj, mj, pj, kj in zip(v, m, p, k)]
                slopes.append(v)
            if not loop:
                slopes = [self._end(x[0], x[1], slopes[0], t.times[1] - t.times[0], 1)] + slopes + [
                    self._end(x[-1], x[-2], slopes[-1], t.times[-1] - t.times[-2], -1)]
        self.__init__(t.times[:], x, slopes)

    @staticmethod
    def _end(end, inner, slope, dt, sign):
        """Derivative at an end, from that of the next milestone."""
        near = vectorops.madd(inner, slope, -sign * _THIRD * dt)
        control = vectorops.madd(near, vectorops.sub(inner, end), -_THIRD)
        return vectorops.mul(vectorops.sub(control, end), sign * 3.0 / dt)

    def makeBezier(self, times, controlPoints):
        """Becomes a chain of Bezier curves with 3 (len(times) - 1) + 1 control points."""
        self.__init__(*bezier_states(times, controlPoints, vectorops.sub))

    def makeMinTimeSpline(self, milestones, velocities=None, xmin=None, xmax=None, vmax=None,
                          amax=None):
        """Becomes the fastest path through milestones within bounds.

        Without velocities it stops at each milestone and keeps to straight lines.
        """
        from ...plan import motionplanning
        if vmax is None and amax is None:
            raise ValueError("makeMinTimeSpline() wants vmax or amax")
        if len(milestones) == 0 or len(milestones[0]) == 0:
            raise ValueError("makeMinTimeSpline() wants milestones of at least one entry")
        if amax is None:
            raise NotImplementedError("makeMinTimeSpline() wants amax, an acceleration bound")
        n, inf = len(milestones[0]), float("inf")
        if velocities is not None and len(velocities) != len(milestones):
            raise ValueError(f"{len(milestones)} milestones but {len(velocities)} velocities")
        xmin, xmax = [-inf] * n if xmin is None else xmin, [inf] * n if xmax is None else xmax
        vmax = [inf] * n if vmax is None else vmax
        for name, rows in (("milestones", milestones), ("velocities", velocities or []),
                           ("bounds", (xmin, xmax, vmax, amax))):
            if any(len(row) != n for row in rows):
                raise ValueError(f"makeMinTimeSpline(): {name} want {n} entries each")
        times, points = [0], [milestones[0]]
        slopes = [[0] * n if velocities is None else velocities[0]]
        for i, (m0, m1) in enumerate(zip(milestones, milestones[1:])):
            if velocities is None:
                ts, xs, vs = motionplanning.interpolate_nd_min_time_linear(m0, m1, vmax, amax)
            else:
                ts, xs, vs = motionplanning.combine_nd_cubic(*motionplanning.interpolate_nd_min_time(
                    m0, velocities[i], m1, velocities[i + 1], xmin, xmax, vmax, amax))
            times += [times[-1] + t for t in ts[1:]]
            points += xs[1:]
            slopes += vs[1:]
        self.__init__(times, [list(p) for p in points], [list(v) for v in slopes])

    def configTrajectory(self):
        """The positions alone, as a Trajectory of the same times (a name of version 0.8)."""
        return Trajectory(list(self.times), [self.waypoint(m) for m in self.milestones])

    def waypoint(self, state):
        return state[:len(state) // 2]

    def eval_state(self, t, endBehavior="halt", scanIndex=None):
        """Point and derivative at t, one after the other."""
        return self.evalSegment_state(*self.getSegment(t, endBehavior, scanIndex))

    def eval(self, t, endBehavior="halt", scanIndex=None):
        """The point at t."""
        return _halves(self.eval_state(t, endBehavior, scanIndex))[0]

    def deriv(self, t, endBehavior="halt", scanIndex=None):
        """The derivative at t."""
        return _halves(self.eval_state(t, endBehavior, scanIndex))[1]

    def eval_accel(self, t, endBehavior="halt", scanIndex=None):
        """The acceleration at t, the second derivative of the curve; 0 before its start and after its end."""
        i, u = self.getSegment(t, endBehavior, scanIndex)
        if i < 0 or i + 1 >= len(self.times):
            return [0.0] * (len(self.milestones[0]) // 2)
        (x1, v1), (x2, v2) = _halves(self.milestones[i]), _halves(self.milestones[i + 1])
        dt = self.times[i + 1] - self.times[i]
        ddx = spline.hermite_deriv(x1, vectorops.mul(v1, dt), x2, vectorops.mul(v2, dt), u, 2)
        return vectorops.div(ddx, dt * dt)

    def interpolate_state(self, a, b, u, dt):
        assert len(a) == len(b), "milestones of different lengths"
        n = len(a) // 2
        u2, idt = u * u, 1.0 / dt
        u3 = u2 * u
        p, q, r, s = 2.0 * u3 - 3.0 * u2 + 1.0, 3.0 * u2 - 2.0 * u3, (u3 - 2.0 * u2 + u) * dt, (u3 - u2) * dt
        dp, dr, ds = (6.0 * u2 - 6.0 * u) * idt, 3.0 * u2 - 4.0 * u + 1.0, 3.0 * u2 - 2.0 * u
        x1, v1, x2, v2 = a[:n], a[n:], b[:n], b[n:]
        return ([p * w + q * y + r * x + s * z for w, x, y, z in zip(x1, v1, x2, v2)]
                + [dp * (w - y) + dr * x + ds * z for w, x, y, z in zip(x1, v1, x2, v2)])

    def difference_state(self, a, b, u, dt):
        # Klamp't takes both points from b, so the change of position does not count; programs
        # see the same numbers here.
        (_, v1), (x2, v2) = _halves(a), _halves(b)
        x1 = x2
        v1, v2 = vectorops.mul(v1, dt), vectorops.mul(v2, dt)
        dx = spline.hermite_deriv(x1, v1, x2, v2, u)
        ddx = spline.hermite_deriv(x1, v1, x2, v2, u, 2)
        return vectorops.mul(dx, 1.0 / dt) + vectorops.mul(ddx, 1.0 / dt**2)

    def discretize(self, dt):
        """Trajectory of points every dt."""
        res = self.discretize_state(dt)
        return Trajectory(res.times, [self.waypoint(m) for m in res.milestones])

    def length(self, metric=None):
        """Upper bound: length of the control polygons for unit durations."""
        def bound(a, b):
            (x1, v1), (x2, v2) = _halves(a), _halves(b)
            c1, c2 = vectorops.madd(x1, v1, _THIRD), vectorops.madd(x2, v2, -_THIRD)
            return (_THIRD * (vectorops.norm(v1) + vectorops.norm(v2)) + vectorops.distance(c1, c2))
        return Trajectory.length(self, bound)

    def checkValid(self):
        Trajectory.checkValid(self)
        if len(self.milestones[0]) % 2:
            raise ValueError(f"milestones hold points and derivatives, but have "
                             f"{len(self.milestones[0])} entries")

    def extractDofs(self, dofs):
        if not self.times:
            return self.constructor()([], [])
        n = len(self.milestones[0]) // 2
        self._check_dofs(dofs, n)
        return self.constructor()(list(self.times), [[m[j] for j in dofs] + [m[n + j] for j in dofs]
                                                     for m in self.milestones])

    def stackDofs(self, trajs, strict=True):
        if not isinstance(trajs, (list, tuple)):
            raise ValueError("stackDofs() wants a list of trajectories")
        if not all(isinstance(traj, HermiteTrajectory) for traj in trajs):
            raise ValueError("a HermiteTrajectory stacks only HermiteTrajectory objects")
        self.times = sorted({t for traj in trajs for t in traj.times})
        meshes = [traj.remesh(self.times)[0] for traj in trajs]
        self.milestones = []
        for i in range(len(self.times)):
            parts = [_halves(list(m.milestones[i])) for m in meshes]
            self.milestones.append(sum((q for q, _ in parts), []) + sum((v for _, v in parts), []))

    def _scaled(self, times, states, scales):
        scaled = []
        for m, s in zip(states, scales):
            q, v = _halves(m)
            scaled.append(q + vectorops.mul(v, s))
        return self.constructor()(times, scaled)

    def _warped(self, times, states, timescale_inv, timescale_deriv_inv):
        h = 1e-5
        if timescale_deriv_inv is None:
            def timescale_deriv_inv(t):
                return (timescale_inv(t + h) - timescale_inv(t - h)) / (2 * h)
        return self._scaled(times, states, map(timescale_deriv_inv, times))

    def _warp_milestones(self, timescale, timescale_deriv, timescale_deriv_inv):
        h, times = 1e-5, [timescale(t) for t in self.times]
        if timescale_deriv_inv is not None:
            scales = [timescale_deriv_inv(t) for t in times]
        else:
            if timescale_deriv is None:
                def timescale_deriv(t):
                    return (timescale(t + h) - timescale(t - h)) / (2 * h)
            scales = [1.0 / max(1e-8, timescale_deriv(t)) for t in self.times]
        return self._scaled(times, self.milestones, scales)

    def constructor(self):
        return HermiteTrajectory
