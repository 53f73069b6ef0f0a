"""Commands of joints over time, from trajectories."""

import bisect
import math

_SAME_TIME = 1e-9


class _Stretch:
    """A part of a joint's motion; behind its end the joint rests where it ends."""

    __slots__ = ("start", "end", "kind", "q0", "q1", "v0", "v1", "e0", "e1")

    def __init__(self, start, end, kind, q0, q1, v0=0.0, v1=0.0, e0=0.0, e1=0.0):
        self.start, self.end, self.kind = start, end, kind
        self.q0, self.q1, self.v0, self.v1, self.e0, self.e1 = q0, q1, v0, v1, e0, e1

    def at(self, t):
        """(position, velocity, effort)."""
        length = self.end - self.start
        if t >= self.end or length <= 0:
            return self.q1, 0.0, self.e1
        s = max(0.0, t - self.start)
        u = s / length
        effort = self.e0 + u * (self.e1 - self.e0)
        if self.kind == "linear":
            return self.q0 + u * (self.q1 - self.q0), (self.q1 - self.q0) / length, effort
        if self.kind == "hermite":
            slope = (self.q1 - self.q0) / length
            c, d = (3 * slope - 2 * self.v0 - self.v1) / length, (self.v0 + self.v1 - 2 * slope) / length ** 2
            return self.q0 + s * (self.v0 + s * (c + s * d)), self.v0 + s * (2 * c + 3 * s * d), effort
        if self.kind == "velocity":
            v = self.v0 + u * (self.v1 - self.v0)
            return self.q0 + s * (self.v0 + v) / 2, v, effort
        return self.q1, 0.0, effort


def _kind(point):
    if len(point.positions):
        return "hermite" if len(point.velocities) else "linear"
    return "velocity" if len(point.velocities) else "effort" if len(point.effort) else None


def _check(message):
    """Raises ValueError for a message that cannot be followed."""
    names = message.joint_names
    if len(set(names)) != len(names):
        raise ValueError("it names a joint twice")
    last = None
    lists = ("positions", "velocities", "accelerations", "effort")
    for i, point in enumerate(message.points):
        for name in lists:
            values = getattr(point, name)
            if len(values) not in (0, len(names)):
                raise ValueError(f"{name} of point {i} has {len(values)} numbers for {len(names)} joints")
            if not all(math.isfinite(v) for v in values):
                raise ValueError(f"{name} of point {i} has a number that is not finite")
            if bool(len(values)) != bool(len(getattr(message.points[0], name))):
                raise ValueError(f"point {i} has not the same lists as the first one: {name}")
        time = point.time_from_start.to_sec()
        if time < 0 or (last is not None and time <= last):
            raise ValueError(f"times do not increase at point {i}")
        last = time
    if message.points and _kind(message.points[0]) is None:
        raise ValueError("its points have no positions, velocities or efforts")


class JointPlans:
    """Commands of `count` joints; a later trajectory takes over from its start on."""

    def __init__(self, count, max_lead=600.0, max_delay=1.0):
        self.max_lead, self.max_delay = max_lead, max_delay
        self._stretches = [[] for _ in range(count)]

    def _at(self, joint, t):
        """The stretch that counts at t; None where nothing was told."""
        stretches = self._stretches[joint]
        if not stretches:
            return None
        return stretches[max(0, bisect.bisect_right([s.start for s in stretches], t) - 1)]

    def _start(self, message, now):
        stamp = message.header.stamp.to_sec()
        if stamp == 0:
            return now
        length = message.points[-1].time_from_start.to_sec() if message.points else 0.0
        if stamp > now + self.max_lead or stamp + length < now - self.max_delay:
            raise ValueError(f"its stamp is {stamp:g} s, and the simulation is at {now:g} s: set use_sim_time, so that "
                             "stamps are of /clock, or send a stamp of 0 to start at once")
        return stamp

    def accept(self, message, indices, now, q):
        """Follows a message; indices maps names to joints, q is where joints are that were told nothing."""
        _check(message)
        joints = [(indices[name], i) for i, name in enumerate(message.joint_names) if name in indices]
        stamp = self._start(message, now)
        begin = max(stamp, now)
        for joint, i in joints:
            self._replace(message, joint, i, stamp, begin, now, q[joint])

    def _replace(self, message, joint, i, stamp, begin, now, q):
        before = self._at(joint, begin)
        state = (q, 0.0, 0.0) if before is None else before.at(begin)
        if before is not None and before.kind == "effort":
            state = (q, 0.0, state[2])
        counts = self._at(joint, now)
        kept = [s for s in self._stretches[joint] if s.start < begin and (s is counts or s.start > now)]
        if not kept:
            kept = [_Stretch(now, now, "linear", *(state[:1] * 2))]
        self._stretches[joint] = kept
        if not message.points:
            kept.append(_Stretch(begin, begin, "linear", state[0], state[0]))
            return
        kind = _kind(message.points[0])
        places = kind in ("linear", "hermite")

        def value(values):
            return values[i] if len(values) else 0.0

        times = [stamp + point.time_from_start.to_sec() for point in message.points]
        following = sum(t <= begin + _SAME_TIME for t in times)
        jumps = following and (following == len(times) or times[following - 1] > begin - _SAME_TIME)
        start = begin
        for k in range(following - 1 if jumps else following, len(times)):
            point, end = message.points[k], max(begin, times[k])
            q1, v1, e1 = value(point.positions), value(point.velocities), value(point.effort)
            if not places:
                q1 = state[0] + ((end - start) * (state[1] + v1) / 2 if kind == "velocity" else 0.0)
            kept.append(_Stretch(start, end, kind, state[0], q1, state[1], v1, state[2], e1))
            state, start = (q1, v1, e1), end

    def commands(self, t, q):
        """{qcmd, dqcmd, torquecmd} at t, joints that were told nothing resting at q; {} until something was told."""
        if not any(self._stretches):
            return {}
        told = [self._at(joint, t) for joint in range(len(self._stretches))]
        states = [(q[i], 0.0, 0.0) if s is None else s.at(t) for i, s in enumerate(told)]
        efforts = [state[2] for state in states]
        if any(s is not None and s.kind == "effort" for s in told):
            return {"torquecmd": efforts}
        commands = {"qcmd": [state[0] for state in states], "dqcmd": [state[1] for state in states]}
        if any(efforts):
            commands["torquecmd"] = efforts
        return commands
