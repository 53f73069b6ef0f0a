"""klampt.math: what tests against Klamp't's Python files leave out, and unusual arguments."""

from . import case, draw

CASES = {}


def rotations(rng):
    """Rotations, also by angles near 0 and pi and of right angles."""
    from klampt.math import so3
    angle = rng.choice([0.0, 1e-9, 1e-5, rng.uniform(-3, 3), 3.14159265358979, 3.1415926, 3.14159, 1.5707963267948966])
    axis = rng.choice([draw.unit(rng), [1, 0, 0], [0, 1, 0], [0, 0, -1]])
    return so3.rotation(axis, angle)


@case(CASES, 2, 1e-7)
def rotation(place, rng, record):
    """so3 near its singularities."""
    from klampt.math import so3
    R, S = rotations(rng), rotations(rng)
    for name in ("inv", "trace", "angle", "rotation_vector", "axis_angle", "quaternion", "matrix", "ndarray", "det", "is_rotation",
                 "moment", "deskew", "diag"):
        if name in ("rotation_vector", "axis_angle", "moment") and so3.angle(R) > 3.1415:
            record.call(name + " at pi: back", lambda name=name: so3.rotation(
                so3.axis_angle(R)[0], so3.axis_angle(R)[1]), tolerance=1e-4)
            continue
        record.call(name, getattr(so3, name), R)
    record.call("rpy: back", lambda: so3.from_rpy(so3.rpy(R)))
    u = rng.choice([0, 0.5, 1, rng.random()])
    for name in ("mul", "distance", "error"):
        if so3.distance(R, S) < 3.1415 or name != "error":
            record.call(name, getattr(so3, name), R, S)
    if so3.distance(R, S) < 3.1415:
        record.call("interpolate", so3.interpolate, R, S, u)
    record.call("align", so3.align, draw.unit(rng), draw.unit(rng))
    record.call("canonical", so3.canonical, rng.choice([draw.unit(rng), [0, 0, 1], [-1, 0, 0], [0, 1, 0]]))
    record.call("sample is one", lambda: so3.is_rotation(so3.sample()))


@case(CASES, 1, 1e-9)
def vectors(place, rng, record):
    """vectorops with wrong and unusual arguments."""
    from klampt.math import vectorops
    n = rng.randrange(0, 5)
    a, b = draw.vector(rng, n), draw.vector(rng, rng.choice([n, n, n + 1]))
    for name in ("add", "sub", "dot", "distance", "distanceSquared", "maximum", "minimum"):
        record.call(f"{name} of {len(a)} and {len(b)}", getattr(vectorops, name), a, b)
    record.call("madd", vectorops.madd, a, b, 2)
    record.call("interpolate", vectorops.interpolate, a, b, 0.5)
    for name in ("norm", "unit", "normSquared", "norm_L1", "norm_Linf"):
        record.call(name, getattr(vectorops, name), a)
    record.call("div by 0", vectorops.div, [1.0], 0)
    record.call("cross of 2", vectorops.cross, draw.vector(rng, 2), draw.vector(rng, 2))
    record.call("cross of 4", vectorops.cross, draw.vector(rng, 4), draw.vector(rng, 4))
    record.call("add of none", vectorops.add)
    record.call("unit of zero", vectorops.unit, [0.0, 0.0])
    record.call("unit of small", vectorops.unit, [1e-6, 0.0])


@case(CASES, 1, 1e-8)
def geodesics(place, rng, record):
    """Geodesic spaces, and those of robots."""
    from klampt.math import geodesic
    spaces = {"Cartesian": (geodesic.CartesianSpace(3), lambda: draw.vector(rng)),
              "SO2": (geodesic.SO2Space(), lambda: [rng.uniform(-7, 7)]),
              "SO3": (geodesic.SO3Space(), lambda: draw.rotation(rng)),
              "SE3": (geodesic.SE3Space(), lambda: draw.rotation(rng) + draw.vector(rng))}
    for name, (space, point) in spaces.items():
        a, b, u = point(), point(), rng.choice([0, 1, rng.random()])
        record.call(name + ".distance", space.distance, a, b)
        record.call(name + ".interpolate", space.interpolate, a, b, u)
        record.call(name + ".difference", space.difference, a, b)
        record.call(name + ".dimensions", lambda space=space: [space.intrinsicDimension(), space.extrinsicDimension()])
        record.call(name + ".integrate", lambda space=space, a=a, b=b: space.integrate(a, space.difference(b, a)))


@case(CASES, 0.5, 1e-4)
def roots(place, rng, record):
    """rootfind, whose results are compared as roots."""
    from klampt.math import rootfind, vectorfield
    target = [rng.uniform(0.2, 2), rng.uniform(0.2, 2)]

    class Field(vectorfield.VectorFieldFunction):
        def __init__(self):
            self.m = self.n = 2

        def num_vars(self):
            return 2

        def num_fns(self):
            return 2

        def eval(self, x):
            return [x[0] ** 2 - target[0], x[0] * x[1] - target[1]]

        def eval_i(self, x, i):
            return self.eval(x)[i]

        def jacobian(self, x):
            return [[2 * x[0], 0], [x[1], x[0]]]

        def jacobian_ij(self, x, i, j):
            return self.jacobian(x)[i][j]
    rootfind.setFTolerance(1e-8)
    rootfind.setXTolerance(1e-10)
    record.call("setVectorField", rootfind.setVectorField, Field())
    record.call("findRoots", rootfind.findRoots, [1.0, 1.0], 100, then=lambda r: [r[0], list(r[1])])
