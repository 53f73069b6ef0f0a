"""Timing of paths: path_to_trajectory."""

import math

from ...math import vectorops
from .base import Trajectory
from .hermite import HermiteTrajectory
from .robot import RobotTrajectory

_SMOOTH = {
    # name: (position, derivative, largest derivative, largest second derivative)
    "constant": (lambda t: t, lambda t: 1.0, 1.0, 0.0),
    "triangular": (lambda t: 2 * t**2 if t < 0.5 else 1.0 - 2 * (1.0 - t)**2,
                   lambda t: 4 * t if t < 0.5 else 4 * (1.0 - t), 2.0, 2.0),
    "cosine": (lambda t: 0.5 * (1.0 - math.cos(t * math.pi)),
               lambda t: 0.5 * math.pi * math.sin(t * math.pi), 0.5 * math.pi, 0.5 * math.pi**2),
    "parabolic": (lambda t: 3 * t**2 - 2 * t**3, lambda t: 6 * t - 6 * t**2, 1.5, 6),
    "minimum-jerk": (lambda t: 10.0 * t**3 - 15.0 * t**4 + 6.0 * t**5,
                     lambda t: 30.0 * t**2 - 60.0 * t**3 + 30.0 * t**4, 3.75,
                     (lambda s: 30 * s - 45 * s**2 + 15 * s**3)(1.0 + math.sqrt(1.0 / 3.0))),
}


def _ramp(t):
    """Constant speed 4/3 with ramps of a quarter at both ends."""
    if t < 0.25:
        return 8.0 / 3.0 * t**2
    if t > 0.75:
        return 1.0 - 8.0 / 3.0 * (1.0 - t)**2
    return 1.0 / 6.0 + 4.0 / 3.0 * (t - 0.25)


def _ramp_speed(t):
    return 16.0 / 3.0 * t if t < 0.25 else 16.0 / 3.0 * (1.0 - t) if t > 0.75 else 4.0 / 3.0


def _profile(name, limited, total):
    """Position and speed over unit time, their bounds, and the unlimited duration."""
    key = "triangular" if name == "trapezoidal" else name
    if key not in _SMOOTH:
        raise NotImplementedError(f"the velocity profile '{name}' is not known; use one of "
                                  "constant, trapezoidal, triangular, parabolic, cosine, "
                                  "minimum-jerk")
    ease, speed, vmax, amax = _SMOOTH[key]
    if name == "trapezoidal" and not limited:
        ease, speed = _ramp, _ramp_speed
    power = {"constant": 1.0, "minimum-jerk": 1.0 / 3.0}.get(name, 0.5)
    return ease, speed, vmax, amax, total if power == 1.0 else math.pow(total, power)


def _check_limits(**limits):
    for name, limit in limits.items():
        values = limit if hasattr(limit, "__iter__") else [limit]
        if not all(v >= 0 for v in values):
            raise ValueError(f"{name} must not be negative")


def _exceeds(v, limit):
    """Largest factor by which |v| is over a scalar bound of the norm or a bound an entry."""
    if not hasattr(limit, "__iter__"):
        return vectorops.norm(v) / limit
    worst = 0.0
    for x, most in zip(v, limit):
        if abs(x) > most * worst:
            worst = abs(x) / most
    return worst


def _limited_durations(path, milestones, vmax, amax):
    """Durations of segments from finite differences of speed and acceleration."""
    own = path.difference_state if isinstance(path, Trajectory) else None
    last, durations = len(milestones) - 1, []
    for i in range(last):
        q, n = milestones[i], milestones[i + 1]
        p = milestones[i - 1] if i else q
        nn = milestones[i + 2] if i + 2 <= last else n
        if own:
            v = vectorops.mul(own(p, n, 0.5, 1.0), 0.5)
            bends = [vectorops.sub(own(q, n, 0.0, 1.0), own(p, q, 1.0, 1.0)),
                     vectorops.sub(own(n, nn, 0.0, 1.0), own(q, n, 1.0, 1.0))]
        else:
            v = vectorops.mul(vectorops.sub(n, p), 0.5)
            bends = [vectorops.madd(vectorops.add(p, n), q, -2.0),
                     vectorops.madd(vectorops.add(q, nn), n, -2.0)]
        d = _exceeds(v, vmax)
        for bend, inner in zip(bends, (i > 0, i + 1 < last)):
            if inner:
                d = max(d, math.sqrt(_exceeds(bend, amax)))
        durations.append(d)
    return durations


def _durations(path, milestones, timing, vmax, amax):
    pairs = list(zip(milestones, milestones[1:]))
    if isinstance(timing, (list, tuple)):
        return timing
    if callable(timing):
        return [timing(a, b) for a, b in pairs]
    if timing == "path" and isinstance(path, Trajectory):
        return [b - a for a, b in zip(path.times, path.times[1:])]
    if timing == "limited":
        _check_limits(vmax=vmax, amax=amax)
        return _limited_durations(path, milestones, vmax, amax)

    def chebyshev(a, b):
        return max(abs(x - y) for x, y in zip(a, b))
    metrics = {"uniform": lambda a, b: 1.0, "L2": vectorops.distance, "Linf": chebyshev}
    if hasattr(path, "robot"):
        metrics["robot"] = path.robot.distance
    name = timing[5:] if timing.startswith("sqrt-") else timing
    assert name in metrics, (f"timing '{timing}' is not known here; use limited, path, or one of "
                             + ", ".join(metrics) + ", also with sqrt- before it")
    values = [metrics[name](a, b) for a, b in pairs]
    return [math.sqrt(v) for v in values] if name != timing else values


def _split_at_stops(milestones, durations, stoptol):
    """Indices where the path bends so much that it should stop there, and both ends."""
    stops = [0]
    for i in range(1, len(milestones) - 1):
        bend = vectorops.madd(vectorops.add(milestones[i - 1], milestones[i + 1]),
                              milestones[i], -2.0)
        if vectorops.norm(bend) > stoptol * (durations[i] * durations[i - 1]):
            stops.append(i)
    return stops + [len(milestones) - 1]


def _joined(pieces):
    res = pieces[0]
    for piece in pieces[1:]:
        if res.milestones[-1] != piece.milestones[0]:
            res.times.append(res.times[-1])
            res.milestones.append(piece.milestones[0])
        res = res.concat(piece, relative=True)
    return res


def _overrun(path, res, vmax, amax, dt):
    """Returns how far a first trajectory is over the bounds: factors of time for speed, acceleration."""
    over_v = over_a = 0.0
    points = [res.waypoint(m) for m in res.milestones]
    for i in range(len(points) - 1):
        q, n = points[i], points[i + 1]
        p = points[i - 1] if i else q
        if isinstance(path, Trajectory):
            own = path.difference_state
            v = own(p, n, 0.5, dt * 2.0)
            a = vectorops.div(vectorops.sub(own(q, n, 0.0, dt), own(p, q, 1.0, dt)), dt)
        else:
            v = vectorops.div(vectorops.sub(n, p), dt * 2.0)
            a = vectorops.div(vectorops.madd(vectorops.add(p, n), q, -2.0), dt**2)
        if hasattr(vmax, "__iter__"):
            over_v = max(over_v, _exceeds(v, vmax))
        elif vectorops.norm(v) > vmax * over_a:
            # Klamp't compares with the acceleration's factor here and keeps the last one.
            over_v = vectorops.norm(v) / vmax
        if i:
            over_a = max(over_a, math.sqrt(_exceeds(a, amax)))
    return over_v, over_a


def path_to_trajectory(path, velocities="auto", timing="limited", smoothing="spline", stoptol=None,
                       vmax="auto", amax="auto", speed=1.0, dt=0.01, startvel=0.0, endvel=0.0,
                       verbose=0):
    """Gives a path its times: a list of milestones or a Trajectory becomes a timed trajectory.

    Args:
        velocities: profile along the path: 'auto', 'constant', 'trapezoidal', 'triangular',
            'parabolic', 'cosine', 'minimum-jerk'.
        timing: durations of the segments: 'limited' (bounds vmax, amax), 'path' (as they
            are), 'uniform', 'L2', 'Linf', 'robot' (metrics; 'sqrt-...' their roots), a list
            or a function of two milestones.
        smoothing: 'spline' (Hermite) or None, 'linear' (straight lines).
        stoptol: stops at milestones where the path bends more; None never stops.
        vmax, amax: bounds, a number for the norm or a list; 'auto' asks the robot.
        speed: a factor of the result's speed, or 'limited' to scale to the bounds.
        dt: resolution of the result.
    """
    assert dt > 0.0, "dt has to be positive"
    limited = timing == "limited" or speed == "limited"
    robot = path.robot if isinstance(path, RobotTrajectory) else None
    if vmax == "auto" and limited:
        vmax = robot.getVelocityLimits() if robot else 1.0
    if amax == "auto" and limited:
        amax = robot.getAccelerationLimits() if robot else 4.0
    number = isinstance(speed, (int, float))
    if number:
        if not speed > 0:
            raise ValueError(f"speed must be positive, got {speed}")
        if speed != 1.0:
            dt *= speed
    milestones = path.milestones if isinstance(path, Trajectory) else path
    durations = _durations(path, milestones, timing, vmax, amax)
    if verbose >= 1:
        print("path_to_trajectory(): durations of segments:", durations)
    if startvel != 0.0 or endvel != 0.0:
        print("path_to_trajectory(): start and end velocities are not respected, they are 0")
    if stoptol is not None:
        stops = _split_at_stops(milestones, durations, stoptol)
        if len(stops) > 2:
            # Durations given by a list belong to the whole path.
            res = _joined([path_to_trajectory(
                milestones[a:b + 1], velocities,
                durations[a:b] if isinstance(timing, (list, tuple)) else timing, smoothing, None,
                vmax, amax, 1.0 if number else speed, dt) for a, b in zip(stops, stops[1:])])
            if number and speed != 1.0:
                res.times = vectorops.mul(res.times, 1.0 / speed)
            return res
    base = RobotTrajectory(robot) if robot else Trajectory()
    base.milestones, base.times = milestones, [0]
    for d in durations:
        base.times.append(base.times[-1] + d)
    total = base.times[-1]
    if smoothing == "spline":
        curve = HermiteTrajectory()
        curve.makeSpline(base)
        base = curve
    if total == 0.0:
        return base
    return _timed(path, base, total, velocities, timing, vmax, amax, speed, dt, verbose)


def _timed(path, base, total, velocities, timing, vmax, amax, speed, dt, verbose):
    limited = timing == "limited"
    if velocities == "auto":
        velocities = "constant" if limited else "trapezoidal"
    ease, pace, top, bend, duration = _profile(velocities, limited, total)
    if limited:
        duration = max(total * top, total * math.sqrt(top**2 + bend))
    res = base.timeWarp(lambda t: duration * t / total, dt,
                        timescale_inv=lambda t: total * ease(t / duration),
                        timescale_deriv_inv=lambda t: total / duration * pace(t / duration))
    if limited or speed == "limited":
        over_v, over_a = _overrun(path, res, vmax, amax, dt)
        scaling = over_a
        if velocities != "trapezoidal":
            scaling = max(over_v, over_a)
        elif over_v >= over_a:
            scaling = max(over_v, over_a)
            res.times = [t * scaling for t in res.times]
        if verbose >= 1:
            print("path_to_trajectory(): the bounds stretch time by", scaling)
        if scaling > 0:  # Nothing moves otherwise.
            speed = speed * scaling if isinstance(speed, (int, float)) else scaling
    if isinstance(speed, (int, float)) and speed != 1.0:
        res = res.timeWarp(lambda t: t / speed, timescale_deriv_inv=lambda t: speed)
    return res
