"""klampt.model.trajectory against Klamp't's own Python."""

import random

import pytest

from test_math_against_layer import close, rot, vec, xform

COUNT = 60


@pytest.fixture(scope="module")
def both(layer):
    from klampt.model import trajectory
    return trajectory, layer("model.trajectory")


def times(r, n):
    t, res = r.uniform(-1, 1), []
    for _ in range(n):
        res.append(t)
        t += r.uniform(0.05, 1)
    return res


KINDS = {
    "Trajectory": lambda r: vec(3)(r), "HermiteTrajectory": lambda r: vec(6)(r),
    "SO3Trajectory": rot, "SE3Trajectory": lambda r: xform(r)[0] + xform(r)[1],
    "SE2Trajectory": vec(3), "SO3HermiteTrajectory": lambda r: rot(r) + skew(r),
    "SE3HermiteTrajectory": lambda r: rot(r) + vec(3)(r) + skew(r) + vec(3)(r),
    "SE2HermiteTrajectory": vec(6),
}


def skew(r):
    from klampt.math import so3
    return so3.cross_product(vec(3)(r))


def same(a, b):
    return close(a.times, b.times) and close(a.milestones, b.milestones, 1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_evaluation(both, kind):
    r = random.Random(kind)
    for _ in range(COUNT):
        n = r.randint(2, 5)
        ts, ms = times(r, n), [KINDS[kind](r) for _ in range(n)]
        a, b = (getattr(m, kind)(list(ts), [list(x) for x in ms]) for m in both)
        for _ in range(5):
            t = r.choice(ts + [r.uniform(ts[0] - 0.5, ts[-1] + 0.5)])
            for end in ("halt", "loop"):
                if end == "loop" and t > ts[-1] > 0 and t % ts[-1] < ts[0]:
                    continue
                assert close(a.eval(t, end), b.eval(t, end)), (ts, ms, t)
                # Derivatives of geodesic curves are numerical, with a step of 1e-6.
                tol = 1e-6 if "Hermite" in kind and kind != "HermiteTrajectory" else 1e-9
                assert close(a.deriv(t, end), b.deriv(t, end), tol)
        assert a.duration() == b.duration() and close(a.length(), b.length(), 1e-11)
        assert same(a.discretize(0.3), b.discretize(0.3))
        assert type(a.discretize(0.3)).__name__ == type(b.discretize(0.3)).__name__
        cut = r.uniform(ts[0] - 0.1, ts[-1] + 0.1)
        if not ("Hermite" in kind and kind != "HermiteTrajectory"):
            for x, y in zip(a.split(cut), b.split(cut)):
                assert same(x, y)
            assert same(a.after(cut), b.after(cut))


@pytest.mark.parametrize("kind", ["Trajectory", "HermiteTrajectory", "SO3Trajectory"])
def test_editing(both, kind):
    r = random.Random(kind + "edit")
    for _ in range(COUNT):
        n = r.randint(2, 5)
        ts, ms = times(r, n), [KINDS[kind](r) for _ in range(n)]
        a, b = (getattr(m, kind)(list(ts), [list(x) for x in ms]) for m in both)
        c, d = (getattr(m, kind)([0.5, 1.0], [list(ms[0]), list(ms[1])]) for m in both)
        assert same(a.concat(c, relative=True), b.concat(d, relative=True))
        new = sorted(r.uniform(ts[0], ts[-1]) for _ in range(3))
        try:
            y, j = b.remesh(new)
        except AssertionError:  # Klamp't's own check of its result.
            continue
        x, i = a.remesh(new)
        assert same(x, y) and i == j
        warp = lambda t: 2 * t + 0.1 * t ** 3  # noqa: E731
        assert same(a.timeWarp(warp), b.timeWarp(warp))
        inverse = lambda t: 0.5 * t  # noqa: E731
        assert same(a.timeWarp(lambda t: 2 * t, 0.1, inverse), b.timeWarp(lambda t: 2 * t, 0.1, inverse))
        if kind != "SO3Trajectory":
            dofs = [1, 0]
            assert same(a.extractDofs(dofs), b.extractDofs(dofs))


def test_splines(both):
    r = random.Random(5)
    for _ in range(COUNT):
        n = r.randint(1, 6)
        ts, ms = times(r, n), [vec(2)(r) for _ in range(n)]
        for loop in (False, True):
            points = ms[:-1] + [ms[0]] if loop and n > 2 else ms
            if loop and n <= 2:
                continue
            for overshoot in (True, False):
                made = []
                for m in both:
                    h = m.HermiteTrajectory()
                    h.makeSpline(m.Trajectory(list(ts), points), overshoot, loop)
                    made.append(h)
                assert same(*made)
        Rs = [rot(r) for _ in range(n)]
        made = []
        for m in both:
            h = m.SO3HermiteTrajectory()
            h.makeSpline(m.SO3Trajectory(list(ts), Rs))
            made.append(h)
        assert same(*made)
        k = r.randint(1, 3)
        bt, controls = times(r, k + 1), [vec(2)(r) for _ in range(3 * k + 1)]
        made = []
        for m in both:
            h = m.HermiteTrajectory()
            h.makeBezier(bt, controls)
            made.append(h)
        assert same(*made)


OPTIONS = [dict(), dict(dt=0.2), dict(velocities="trapezoidal"), dict(velocities="cosine"),
           dict(velocities="parabolic"), dict(velocities="minimum-jerk"), dict(smoothing=None),
           dict(timing="Linf", smoothing=None), dict(timing="L2", velocities="constant"),
           dict(timing="sqrt-L2", speed=2.0), dict(stoptol=0.1), dict(vmax=0.5, amax=2.0),
           dict(vmax=[1, 2], amax=[3, 1]), dict(velocities="triangular"), dict(speed=0.5)]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_path_to_trajectory(both, options):
    r = random.Random(str(options))
    for _ in range(20):
        path = [vec(2)(r) for _ in range(r.randint(2, 5))]
        a, b = (m.path_to_trajectory(path, **options) for m in both)
        assert close(a.times, b.times, 1e-9) and same(a, b), (path, a.times, b.times)
        assert type(a).__name__ == type(b).__name__


def test_recorded_path():
    from klampt.model.trajectory import path_to_trajectory
    t = path_to_trajectory([[0, 0], [1, 1], [2, 0], [3, 1]], dt=0.2)
    assert len(t.times) == 14
    assert t.endTime() == pytest.approx(1.188365635226713, abs=1e-12)
    assert t.times[1] - t.times[0] == pytest.approx(0.08779599264317475, abs=1e-12)
