"""Time-optimal curves between two states."""

from ._native import native


def interpolate_1d_min_time(x0, v0, x1, v1, xmin, xmax, vmax, amax):
    """The fastest motion of one number: (times, positions, velocities); empty lists where there is none."""
    ramp = native.shortestRamp(x0, v0, x1, v1, xmin, xmax, vmax, amax)
    return tuple(ramp) if ramp is not None else ([], [], [])


def _min_acceleration(x0, v0, x1, v1, end_time, xmin, xmax, vmax):
    """By bisection: with more acceleration a motion of a given time never becomes impossible for want of it."""
    low, high = 0.0, 1.0
    ramp = native.rampOfTime(x0, v0, x1, v1, xmin, xmax, vmax, high, end_time)
    while ramp is None and high < 1e12:
        low, high = high, 4 * high
        ramp = native.rampOfTime(x0, v0, x1, v1, xmin, xmax, vmax, high, end_time)
    for _ in range(60):
        if ramp is None or high - low <= 1e-12 * high:
            break
        middle = 0.5 * (low + high)
        found = native.rampOfTime(x0, v0, x1, v1, xmin, xmax, vmax, middle, end_time)
        if found is None:
            low = middle
        else:
            high, ramp = middle, found
    return ramp


def interpolate_1d_min_accel(x0, v0, x1, v1, endTime, xmin, xmax, vmax):
    """The gentlest motion of one number that takes `endTime`: (times, positions, velocities); empty where there is none."""
    ramp = _min_acceleration(x0, v0, x1, v1, endTime, xmin, xmax, vmax)
    return tuple(ramp) if ramp is not None else ([], [], [])


def _columns(ramps):
    if any(ramp is None for ramp in ramps):
        return [], [], []
    return tuple([list(ramp[k]) for ramp in ramps] for k in range(3))


def interpolate_nd_min_time(x0, v0, x1, v1, xmin, xmax, vmax, amax):
    """The fastest motions of several numbers that end together: lists of times, positions and velocities, one a number."""
    T = native.minimumTime(x0, v0, x1, v1, vmax, amax)
    if not T < float("inf"):
        return [], [], []
    return _columns([native.rampOfTime(*numbers, T) for numbers in zip(x0, v0, x1, v1, xmin, xmax, vmax, amax)])


def interpolate_nd_min_accel(x0, v0, x1, v1, endTime, xmin, xmax, vmax):
    """The gentlest motions of several numbers that take `endTime`."""
    return _columns([_min_acceleration(a, b, c, d, endTime, e, f, g)
                     for a, b, c, d, e, f, g in zip(x0, v0, x1, v1, xmin, xmax, vmax)])


def interpolate_nd_min_time_linear(x0, x1, vmax, amax):
    """The fastest motion on a straight line from rest to rest: (times, points, velocities)."""
    d = [b - a for a, b in zip(x0, x1)]
    moving = [i for i, x in enumerate(d) if x != 0]
    if not moving:
        return [0.0], [list(x0)], [[0.0] * len(d)]
    speed = min(vmax[i] / abs(d[i]) for i in moving)
    rate = min(amax[i] / abs(d[i]) for i in moving)
    inf = float("inf")
    ramp = native.shortestRamp(0.0, 0.0, 1.0, 0.0, -inf, inf, speed, rate)
    if ramp is None:
        return [], [], []
    times, s, ds = ramp
    return (list(times), [[a + u * x for a, x in zip(x0, d)] for u in s], [[u * x for x in d] for u in ds])


def brake_1d(x0, v0, amax):
    """The fastest stop of one number: (times, positions, velocities)."""
    return tuple(native.brakingRamp(x0, v0, amax, 0.0))


def brake_nd(x0, v0, xmin, xmax, amax):
    """The fastest stops of several numbers, one after the other as each can."""
    return _columns([native.brakingRamp(x, v, a, 0.0) for x, v, a in zip(x0, v0, amax)])


def _hermite(t, times, x, v):
    if t <= times[0]:
        return x[0], v[0]
    for t0, t1, x0, x1, v0, v1 in zip(times, times[1:], x, x[1:], v, v[1:]):
        if t <= t1:
            h = t1 - t0
            u = (t - t0) / h
            position = (x0 * (1 + 2 * u) * (1 - u) ** 2 + h * v0 * u * (1 - u) ** 2 + x1 * u * u * (3 - 2 * u)
                        - h * v1 * u * u * (1 - u))
            rate = (6 * u * (u - 1) * (x0 - x1) / h + v0 * (1 - u) * (1 - 3 * u) + v1 * u * (3 * u - 2))
            return position, rate
    return x[-1], v[-1] if len(times) == 1 else 0.0 if t > times[-1] else v[-1]


def combine_nd_cubic(times, positions, velocities):
    """Curves of several numbers as one with common times: (times, points, velocities)."""
    merged = sorted({t for own in times for t in own})
    common = [t for i, t in enumerate(merged) if i == 0 or t - merged[i - 1] > 1e-10]
    columns = [[_hermite(t, *own) for t in common] for own in zip(times, positions, velocities)]
    return (common, [[c[i][0] for c in columns] for i in range(len(common))],
            [[c[i][1] for c in columns] for i in range(len(common))])
