"""Motions made step by step towards targets that may change."""

from ..math import vectorops
from ..model.trajectory import HermiteTrajectory, Trajectory
from ..plan import motionplanning


class VelocityBoundedMotionGeneration:
    """Linear motion towards targets with bounded velocity: update(dt) gives (x, v)."""

    def __init__(self, x0, vmax):
        if len(x0) != len(vmax):
            raise ValueError(f"vmax wants {len(x0)} entries, got {len(vmax)}")
        self.vmax = vmax
        self.curTime = 0.0
        self.reset(x0)

    def reset(self, x0):
        """Rests at x0."""
        self.x, self.v = list(x0), [0.0] * len(x0)
        self.times, self.milestones, self.trajTime = [0.0], [self.x], 0.0

    def _trim(self, append):
        later = [(t - self.trajTime, m) for t, m in zip(self.times, self.milestones)
                 if t > self.trajTime] if append else []
        self.times = [0.0] + [t for t, _ in later]
        self.milestones = [self.x] + [m for _, m in later]
        self.trajTime = 0.0

    def setTarget(self, xtarget, append=False):
        """Goes to a target now, or with append after what is under way."""
        assert len(xtarget) == len(self.x), f"{len(self.x)} values are wanted, got {len(xtarget)}"
        self._trim(append)
        last = self.milestones[-1]
        duration = max((abs(b - a) / v for a, b, v in zip(last, xtarget, self.vmax)), default=0.0)
        self.times.append(self.times[-1] + duration)
        self.milestones.append(list(xtarget))

    def setVelocity(self, vtarget, duration=1, append=False):
        """Moves with a velocity for a duration."""
        assert duration >= 0, "duration must not be negative"
        self._trim(append)
        self.times.append(self.times[-1] + duration)
        self.milestones.append(vectorops.madd(self.milestones[-1], vtarget, duration))

    def brake(self):
        """Stops where it is."""
        self.setTarget(self.x)

    def update(self, dt, xtarget=None):
        """Moves on by dt; returns (x, v)."""
        if dt <= 0:
            raise ValueError(f"dt must be positive, got {dt}")
        if xtarget is not None:
            self.setTarget(xtarget)
        self.curTime += dt
        self.trajTime += dt
        self.x, self.v = self.predict(0)
        return (self.x, self.v)

    def predict(self, t):
        """(x, v) t seconds from now."""
        t += self.trajTime
        if t >= self.times[-1]:
            return (list(self.milestones[-1]), [0.0] * len(self.x))
        path = Trajectory(self.times, self.milestones)
        i = next(k for k in range(len(self.times) - 1) if t < self.times[k + 1])
        dt = self.times[i + 1] - self.times[i]
        step = vectorops.sub(self.milestones[i + 1], self.milestones[i])
        u = (t - self.times[i]) / dt
        return (path.interpolate_state(self.milestones[i], self.milestones[i + 1], u, dt),
                vectorops.div(step, dt))

    def remainingTime(self):
        """Seconds until it rests."""
        return max(0.0, self.times[-1] - self.trajTime)

    duration = remainingTime

    def target(self):
        """Returns where it comes to rest."""
        return self.milestones[-1]

    def trajectory(self):
        """Returns what is left, from time 0."""
        left = [(t - self.trajTime, m) for t, m in zip(self.times, self.milestones)
                if t > self.trajTime]
        return Trajectory([0.0] + [t for t, _ in left], [self.x] + [m for _, m in left])


class AccelerationBoundedMotionGeneration:
    """Fastest motion towards targets with bounded velocity and acceleration."""

    def __init__(self, x0, xmin=None, xmax=None, vmax=None, amax=None):
        n, inf = len(x0), float("inf")
        if amax is None:
            raise ValueError("amax must be given")
        self.xmin = [-inf] * n if xmin is None else xmin
        self.xmax = [inf] * n if xmax is None else xmax
        self.vmax = [inf] * n if vmax is None else vmax
        self.amax = amax
        for name in ("xmin", "xmax", "vmax", "amax"):
            if len(getattr(self, name)) != n:
                raise ValueError(f"{name} wants {n} entries, got {len(getattr(self, name))}")
        self.curTime = 0.0
        self.reset(x0)

    def reset(self, x0):
        """Rests at x0."""
        self.x, self.v = list(x0), [0.0] * len(x0)
        self._path = HermiteTrajectory([0.0], [self.x], [self.v])
        self.trajTime = 0.0

    def _continue(self, times, points, slopes, append):
        rest = self.trajectory() if append else HermiteTrajectory([0.0], [self.x], [self.v])
        start = rest.times[-1]
        rest.times = rest.times + [start + t for t in times[1:]]
        rest.milestones = rest.milestones + [list(p) + list(v)
                                             for p, v in zip(points[1:], slopes[1:])]
        self._path, self.trajTime = rest, 0.0

    def _end(self, append):
        if not append:
            return self.x, self.v
        last, n = self._path.milestones[-1], len(self.x)
        return last[:n], last[n:]

    def setTarget(self, xtarget, vtarget=None, append=False):
        """Goes to a target (with a velocity) now, or with append after what is under way."""
        vtarget = [0.0] * len(xtarget) if vtarget is None else vtarget
        x, v = self._end(append)
        curves = motionplanning.interpolate_nd_min_time(x, v, xtarget, vtarget, self.xmin,
                                                        self.xmax, self.vmax, self.amax)
        if len(curves[0]) == 0:
            if list(x) != list(xtarget):
                raise ValueError(f"no motion from {x} to {xtarget} keeps to the limits")
            return
        self._continue(*motionplanning.combine_nd_cubic(*curves), append)

    def setVelocity(self, vtarget, duration=1, append=False):
        """Speeds up to a velocity, keeps it for a duration, and stops."""
        assert duration >= 0, "duration must not be negative"
        x, v = self._end(append)
        times, points, slopes = [0.0], [x], [v]
        for target, extra in ((vtarget, duration), ([0.0] * len(v), 0.0)):
            ramp = max(abs(b - a) / acc for a, b, acc in zip(slopes[-1], target, self.amax))
            mean = vectorops.mul(vectorops.add(slopes[-1], target), 0.5)
            for way, speed, dt in ((mean, target, ramp), (target, target, extra)):
                if dt > 0:
                    points.append(vectorops.madd(points[-1], way, dt))
                    times.append(times[-1] + dt)
                    slopes.append(list(speed))
        self._continue(times, points, slopes, append)

    def brake(self):
        """Stops as fast as it can."""
        curves = motionplanning.brake_nd(self.x, self.v, self.xmin, self.xmax, self.amax)
        self._continue(*motionplanning.combine_nd_cubic(*curves), False)

    def update(self, dt, xtarget=None, vtarget=None):
        """Moves on by dt; returns (x, v)."""
        if dt <= 0:
            raise ValueError(f"dt must be positive, got {dt}")
        if xtarget is not None:
            self.setTarget(xtarget, vtarget)
        self.curTime += dt
        self.trajTime += dt
        self.x, self.v = self.predict(0)
        return (self.x, self.v)

    def predict(self, t):
        """(x, v) t seconds from now."""
        return (self._path.eval(self.trajTime + t), self._path.deriv(self.trajTime + t))

    def remainingTime(self):
        """Seconds until the target."""
        return max(0.0, self._path.times[-1] - self.trajTime)

    duration = remainingTime

    def target(self):
        """Returns where it ends."""
        return self._path.waypoint(self._path.milestones[-1])

    def trajectory(self):
        """Returns what is left, from time 0."""
        later = [(t - self.trajTime, m) for t, m in zip(self._path.times, self._path.milestones)
                 if t > self.trajTime]
        return HermiteTrajectory([0.0] + [t for t, _ in later],
                                 [list(self.x) + list(self.v)] + [m for _, m in later])
