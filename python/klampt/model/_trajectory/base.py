"""Piecewise linear trajectories, the base of all others."""

import bisect
import math
import warnings

from ...math import vectorops


def segment(times, count, t, endBehavior="halt", scanIndex=None):
    """Index and parameter u in [0, 1] of the segment of a sorted list of times that holds t.

    Index -1 means before the first time, count - 1 at or after the last. scanIndex starts
    a linear search there instead of a binary one.
    """
    n = len(times)
    if n == 0:
        raise ValueError("Empty trajectory: it has no times to look up")
    if n == 1:
        return (-1, 0)
    last = times[-1]
    if t > last:
        if endBehavior != "loop":
            return (count - 1, 0)
        t = t % last if last != 0 else 0
    if scanIndex is None:
        if t >= last:
            return (count - 1, 0)
        if t <= times[0]:
            return (-1, 0)
        k = bisect.bisect_right(times, t) - 1
    else:
        k = max(0, min(scanIndex, n - 2))
        while k >= 0 and t < times[k]:
            k -= 1
        if k < 0:
            return (-1, 0)
        while k + 1 < n and t >= times[k + 1]:
            k += 1
        if k + 1 >= n:
            return (count - 1, 0)
    u = (t - times[k]) / (times[k + 1] - times[k])
    assert 0 <= u <= 1, f"the times are not sorted near {t}"
    return (k, u)


class Trajectory:
    """Milestones met at times, with straight lines in between.

    Attributes: times, a list of n numbers, not decreasing; milestones, a list of n
    vectors of one length. Nothing is checked before checkValid(). Subclasses override
    interpolate_state and difference_state for other spaces.
    """

    def __init__(self, times=None, milestones=None):
        self.milestones = [] if milestones is None else milestones
        self.times = list(range(len(self.milestones))) if times is None else times

    def load(self, fn):
        """Reads lines of ``time n x1 ... xn``."""
        self.times, self.milestones = [], []
        with open(fn) as lines:
            for number, line in enumerate(lines, 1):
                try:
                    row = [float(word) for word in line.split()]
                except ValueError as e:
                    raise ValueError(f"{fn}:{number}: numbers are wanted, {e}") from None
                if row:
                    self.times.append(row[0])
                    self.milestones.append(row[2:])

    def save(self, fn):
        """Writes lines of ``time n x1 ... xn``."""
        with open(fn, "w") as out:
            for t, x in zip(self.times, self.milestones):
                out.write("%f\t%d %s\n" % (t, len(x), " ".join(map(str, x))))

    def startTime(self):
        """The first time; 0 when empty."""
        return self.times[0] if self.times else 0.0

    def endTime(self):
        """The last time; 0 when empty."""
        return self.times[-1] if self.times else 0.0

    def duration(self):
        """Last time minus first time."""
        return self.endTime() - self.startTime()

    def checkValid(self):
        """Raises ValueError unless times are sorted and milestones fit."""
        if len(self.times) != len(self.milestones):
            raise ValueError(f"{len(self.times)} times but {len(self.milestones)} milestones")
        if not self.times:
            raise ValueError("Trajectory is empty")
        for i in range(1, len(self.times)):
            if self.times[i - 1] > self.times[i]:
                raise ValueError(f"times[{i}] is before times[{i - 1}]: times must be sorted")
        n = len(self.milestones[0])
        for i, m in enumerate(self.milestones):
            if len(m) != n:
                raise ValueError(f"milestones[{i}] has {len(m)} entries, the first has {n}")

    def getSegment(self, t, endBehavior="halt", scanIndex=None):
        """Pair (index, u) of the segment at t; index < 0 before the first milestone."""
        return segment(self.times, len(self.milestones), t, endBehavior, scanIndex)

    def eval(self, t, endBehavior="halt", scanIndex=None):
        """The configuration at time t."""
        if scanIndex is None and type(self) is Trajectory:
            times = self.times
            if times and times[0] < t < times[-1]:
                i = bisect.bisect_right(times, t)
                start = times[i - 1]
                u = (t - start) / (times[i] - start)
                a, b = self.milestones[i - 1], self.milestones[i]
                if len(a) == len(b):
                    return [x + u * (y - x) for x, y in zip(a, b)]
        i, u = self.getSegment(t, endBehavior, scanIndex)
        return self.evalSegment_state(i, u)

    def deriv(self, t, endBehavior="halt", scanIndex=None):
        """The velocity at time t; zero outside."""
        i, u = self.getSegment(t, endBehavior, scanIndex)
        return self.derivSegment_state(i, u)

    def waypoint(self, state):
        """The configuration of a milestone (for Hermite curves: its first half)."""
        return state

    def evalSegment_state(self, i, u):
        """The state at (i, u) of getSegment()."""
        if i < 0:
            return self.milestones[0]
        if i + 1 >= len(self.milestones):
            return self.milestones[-1]
        return self.interpolate_state(self.milestones[i], self.milestones[i + 1], u,
                                      self.times[i + 1] - self.times[i])

    def derivSegment_state(self, i, u):
        """The derivative of the state at (i, u) of getSegment()."""
        if i < 0:
            return [0.0] * len(self.milestones[0])
        if i + 1 >= len(self.milestones):
            return [0.0] * len(self.milestones[-1])
        return self.difference_state(self.milestones[i], self.milestones[i + 1], u,
                                     self.times[i + 1] - self.times[i])

    def interpolate_state(self, a, b, u, dt):
        """State at u in [0, 1] of the segment from a to b that lasts dt."""
        return vectorops.interpolate(a, b, u)

    def difference_state(self, a, b, u, dt):
        """Derivative by time at u of the segment from a to b that lasts dt."""
        return vectorops.mul(vectorops.sub(b, a), 1.0 / dt)

    def concat(self, suffix, relative=False, jumpPolicy="strict"):
        """A new trajectory that goes on with suffix.

        relative shifts suffix by the last time. Where both meet at one time, jumpPolicy
        'strict' raises ValueError unless the configurations are equal, 'blend' drops this
        one's last milestone, 'jump' keeps both.
        """
        if self.__class__ is not suffix.__class__:
            raise ValueError("concat() wants trajectories of one class, got "
                             f"{type(self).__name__} and {type(suffix).__name__}")
        offset = self.times[-1] if relative and self.times else 0
        later = [t + offset for t in suffix.times]
        keep = len(self.times)
        if self.times:
            if later[0] < self.times[-1]:
                raise ValueError(f"the suffix starts at {later[0]}, before this trajectory "
                                 f"ends at {self.times[-1]} (use relative=True?)")
            if later[0] == self.times[-1]:
                equal = not (suffix.milestones[0] != self.milestones[-1])
                if jumpPolicy == "strict" and not equal:
                    d = vectorops.distance(suffix.milestones[0], self.milestones[-1])
                    raise ValueError(f"concat() would jump by a distance of {d:g} at time "
                                     f"{later[0]:g} (use jumpPolicy='jump' or 'blend'?)")
                if jumpPolicy == "strict" or (jumpPolicy == "blend" and not equal):
                    keep -= 1
        return self.constructor()(self.times[:keep] + later,
                                  self.milestones[:keep] + suffix.milestones)

    def insert(self, time):
        """Adds a milestone at a time (or finds the one there); returns its index."""
        if not self.times:
            self.times, self.milestones = [time], [[]]
            return 0
        if time <= self.times[0]:
            if time < self.times[0]:
                self.times.insert(0, time)
                self.milestones.insert(0, self.milestones[0][:])
            return 0
        if time >= self.times[-1]:
            if time > self.times[-1]:
                self.times.append(time)
                self.milestones.append(self.milestones[-1][:])
            return len(self.times) - 1
        i, u = self.getSegment(time)
        if u == 0:
            return i
        q = self.evalSegment_state(i, u)
        self.times.insert(i + 1, time)
        self.milestones.insert(i + 1, q)
        return i + 1

    def split(self, time):
        """The pair of trajectories before and after a time."""
        make = self.constructor()
        first, last = self.milestones[0], self.milestones[-1]
        if time <= self.times[0]:
            return (make([time], [first]), make([time] + self.times, [first] + self.milestones))
        if time >= self.times[-1]:
            return (make(self.times + [time], self.milestones + [last]), make([time], [last]))
        i, u = self.getSegment(time)
        x = self.interpolate_state(self.milestones[i], self.milestones[i + 1], u,
                                   self.times[i + 1] - self.times[i])
        front = make(self.times[:i + 1], self.milestones[:i + 1])
        back = make(self.times[i + 1:], self.milestones[i + 1:])
        if u > 0:
            front.times.append(time)
            front.milestones.append(x)
        if u < 1:
            back.times.insert(0, time)
            back.milestones.insert(0, x)
        return (front, back)

    def before(self, time):
        """The part before a time."""
        return self.split(time)[0]

    def after(self, time):
        """The part after a time."""
        return self.split(time)[1]

    def splice(self, suffix, time=None, relative=False, jumpPolicy="strict"):
        """The part before a time (default: suffix's start), then suffix; see concat()."""
        if time is None:
            time = suffix.times[0]
        if relative and self.times:
            time += self.times[-1]
        return self.before(time).concat(suffix, relative, jumpPolicy)

    def _of_robot(self, robot, milestones):
        """The same times with other milestones, which are configurations of `robot` where they are of a robot here."""
        return self.constructor()(self.times, milestones)

    def constructor(self):
        """A callable (times, milestones) that makes a trajectory like this one."""
        return Trajectory

    def length(self, metric=None):
        """Sum of distances between milestones, by metric(a, b)."""
        metric = vectorops.distance if metric is None else metric
        return sum(metric(a, b) for a, b in zip(self.milestones, self.milestones[1:]))

    def discretize_state(self, dt):
        """A trajectory of this class with milestones every dt, and at the end."""
        assert dt > 0, "dt must be positive"
        end = self.times[-1]
        times, states = [self.times[0]], [self.milestones[0][:]]
        t, k = self.times[0], None
        while t + dt < end:
            t += dt
            k, u = self.getSegment(t, scanIndex=k)
            times.append(t)
            states.append(self.evalSegment_state(k, u))
        if not abs(t - end) > 1e-6:
            times.pop()
            states.pop()
        times.append(end)
        states.append(self.milestones[-1][:])
        return self.constructor()(times, states)

    def discretize(self, dt):
        """A piecewise linear trajectory with milestones every dt, and at the end."""
        return self.discretize_state(dt)

    def remesh(self, newtimes, tol=1e-6):
        """Moves milestones to newtimes; old ones stay where the new curve misses by tol.

        Returns the trajectory and the index in it of each new time.
        """
        events = sorted([(t, -1 - i) for i, t in enumerate(self.times)]
                        + [(t, i) for i, t in enumerate(newtimes)])
        res = self.constructor()(None, None)
        res.times.append(events[0][0])
        res.milestones.append(self.milestones[0])
        indices, k = [], 0
        while events[k][0] < self.startTime():
            if events[k][1] >= 0:
                indices.append(0)
            k += 1
        if k:
            res.times.append(self.startTime())
            res.milestones.append(self.milestones[0])
        first = last = 0  # Old milestones not yet replaced: first ... last.
        for t, index in events[k:]:
            if index < 0:
                last = -index - 1
                continue
            if t != res.times[-1]:
                self._remesh_to(res, t, first, last, tol)
                first = last + 1
            indices.append(len(res.times) - 1)
        for j in range(first, last):
            res.times.append(self.times[j])
            res.milestones.append(self.milestones[j])
        return (res, indices)

    def _remesh_to(self, res, t, first, last, tol):
        if self.times[last] == t:
            x = self.milestones[last]
        else:
            x = self.evalSegment_state(*self.getSegment(t, scanIndex=last))
        res.times.append(t)
        res.milestones.append(x)
        for j in range(first, last):
            if self.times[j] == t:
                continue
            seg, u = res.getSegment(self.times[j], scanIndex=len(res.times) - 1)
            miss = self.difference_state(res.evalSegment_state(seg, u), self.milestones[j],
                                         1.0, 1.0)
            if vectorops.norm(miss) > tol:
                res.times[-1:] = [self.times[j], t]
                res.milestones[-1:] = [self.milestones[j], x]

    def _check_dofs(self, dofs, n):
        for d in dofs:
            if abs(d) >= n:
                raise ValueError(f"dof {d} is asked for, there are {n}")

    def extractDofs(self, dofs):
        """A trajectory of the entries at the given indices."""
        if not self.times:
            return self.constructor()([], [])
        self._check_dofs(dofs, len(self.milestones[0]))
        return self.constructor()(list(self.times), [[m[j] for j in dofs] for m in self.milestones])

    def stackDofs(self, trajs, strict=True):
        """Becomes the trajectory whose milestones are those of trajs, one after the other."""
        if not isinstance(trajs, (list, tuple)):
            raise ValueError("stackDofs() wants a list of trajectories")
        if strict and any(traj.__class__ != self.__class__ for traj in trajs):
            warnings.warn("stackDofs() merges trajectories of different classes", stacklevel=2)
        self.times = sorted({t for traj in trajs for t in traj.times})
        meshes = [traj.remesh(self.times)[0] for traj in trajs]
        self.milestones = [sum((list(m.milestones[i]) for m in meshes), [])
                           for i in range(len(self.times))]

    def timeWarp(self, timescale, dt=None, timescale_inv=None, timescale_deriv=None,
                 timescale_deriv_inv=None):
        """The trajectory whose milestone at time t is met at timescale(t), an increasing map.

        With dt, the result has a milestone every dt of the new time, through
        timescale_inv when it is given and by a search otherwise.
        """
        if dt is None:
            return self._warp_milestones(timescale, timescale_deriv, timescale_deriv_inv)
        if timescale_inv is None:
            old = self._times_every(timescale, dt)
            return self.remesh(old)[0].timeWarp(timescale, None, timescale_inv, timescale_deriv,
                                                timescale_deriv_inv)
        new = []
        t, end = timescale(self.startTime()), timescale(self.endTime())
        while t + dt < end:
            new.append(t)
            t += dt
        new.append(end)
        old = [timescale_inv(t) for t in new]
        old[0], old[-1] = self.startTime(), self.endTime()
        states, k = [], None
        for t in old:
            k, u = self.getSegment(t, scanIndex=k)
            states.append(self.evalSegment_state(k, u))
        return self._warped(new, states, timescale_inv, timescale_deriv_inv)

    def _warped(self, times, states, timescale_inv, timescale_deriv_inv):
        return self.constructor()(times, states)

    def _warp_milestones(self, timescale, timescale_deriv, timescale_deriv_inv):
        return self.constructor()([timescale(t) for t in self.times],
                                  [m[:] for m in self.milestones])

    def _times_every(self, timescale, dt):
        """Old times that the map carries to steps of at most dt, by the secant method."""
        old = [self.startTime()]
        before = timescale(self.startTime())
        for a, b in zip(self.times, self.times[1:]):
            after = timescale(b)
            pieces = math.ceil((after - before) / dt) if after - before >= dt else 1
            for j in range(1, pieces):
                target = before + j * (after - before) / pieces
                old.append(_secant(lambda s, target=target: timescale(s) - target, a, b, dt * 1e-3))
            old.append(b)
            before = after
        return old


def _secant(f, a, b, threshold):
    """Root of an increasing f within [a, b]."""
    u0, u1, f0, f1 = a, b, f(a), f(b)
    for _ in range(100):
        if abs(u1 - u0) <= threshold:
            break
        u = 0.5 * (u0 + u1) if f1 == f0 else u1 - f1 * (u1 - u0) / (f1 - f0)
        u0, f0 = u1, f1
        u1 = max(a, min(b, u))
        f1 = f(u1)
    return u1
