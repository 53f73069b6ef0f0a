"""klampt.math against Klamp't's own Python: equal to 1e-12, equal types, no slower."""

import importlib
import random
import timeit

import pytest

COUNT = 10000


def close(a, b, tol=1e-12):
    if isinstance(b, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(close(x, y, tol) for x, y in zip(a, b))
    if isinstance(b, (bool, str)) or b is None:
        return a == b
    if hasattr(b, "shape"):
        return type(a) is type(b) and close(a.tolist(), b.tolist(), tol)
    return isinstance(a, (int, float)) and (a == b or abs(a - b) <= tol * max(1.0, abs(b)))


def vec(n):
    return lambda r: [r.uniform(-3, 3) for _ in range(n)]


def unit3(r):
    v = [r.gauss(0, 1) for _ in range(3)]
    s = sum(x * x for x in v) ** 0.5
    return [x / s for x in v]


def rot(r):
    from klampt.math import so3
    return so3.rotation(unit3(r), r.choice([r.uniform(-3.14159, 3.14159), r.uniform(3.0, 3.3), 0.0]))


def xform(r):
    return (rot(r), vec(3)(r))


def num(r):
    return r.uniform(-7, 7)


def par(r):
    return r.uniform(-0.2, 1.2)


def mat(f):
    def make(r):
        R = f(r)
        return [[R[i + 3 * j] for j in range(3)] for i in range(3)]
    return make


CASES = {
    "vectorops": {"add": (vec(5), vec(5), vec(5)), "madd": (vec(4), vec(4), num), "sub": (vec(4), vec(4)),
                  "mul": (vec(4), num), "div": (vec(4), num), "maximum": (vec(4), vec(4)),
                  "minimum": (vec(4), num), "dot": (vec(7), vec(7)), "normSquared": (vec(7),),
                  "norm": (vec(7),), "unit": (vec(7),), "norm_L1": (vec(4),), "norm_Linf": (vec(4),),
                  "distanceSquared": (vec(7), vec(7)), "distance": (vec(7), vec(7)),
                  "cross": (vec(3), vec(3)), "interpolate": (vec(7), vec(7), par)},
    "so2": {"identity": (), "inv": (num,), "apply": (num, vec(2)), "normalize": (num,),
            "diff": (num, num), "interp": (num, num, par), "compose": (num, num), "matrix": (num,),
            "ndarray": (num,)},
    "so3": {"identity": (), "inv": (rot,), "apply": (rot, vec(3)), "matrix": (rot,),
            "from_matrix": (mat(rot),), "ndarray": (rot,), "mul": (rot, rot), "trace": (rot,),
            "angle": (rot,), "rpy": (rot,), "from_rpy": (vec(3),), "rotation_vector": (rot,),
            "axis_angle": (rot,), "from_rotation_vector": (vec(3),), "quaternion": (rot,),
            "from_quaternion": (vec(4),), "distance": (rot, rot), "error": (rot, rot),
            "cross_product": (vec(3),), "diag": (rot,), "deskew": (rot,), "rotation": (unit3, num),
            "canonical": (unit3,), "align": (vec(3), vec(3)), "interpolate": (rot, rot, par),
            "det": (rot,), "is_rotation": (rot,), "moment": (rot,), "__str__": (rot,)},
    "se3": {"identity": (), "inv": (xform,), "apply": (xform, vec(3)),
            "apply_rotation": (xform, vec(3)), "rotation": (xform,), "from_rotation": (mat(rot),),
            "translation": (xform,), "from_translation": (vec(3),), "homogeneous": (xform,),
            "ndarray": (xform,), "mul": (xform, xform), "distance": (xform, xform),
            "error": (xform, xform), "interpolate": (xform, xform, par)},
    "spline": {"hermite_eval": (vec(3), vec(3), vec(3), vec(3), par),
               "hermite_deriv": (vec(3), vec(3), vec(3), vec(3), par),
               "hermite_subdivide": (vec(3), vec(3), vec(3), vec(3)),
               "hermite_length_bound": (vec(3), vec(3), vec(3), vec(3)),
               "hermite_to_bezier": (vec(3), vec(3), vec(3), vec(3)),
               "bezier_subdivide": (vec(3), vec(3), vec(3), vec(3), par),
               "bezier_to_hermite": (vec(3), vec(3), vec(3), vec(3))},
}
ALL = [(m, f) for m, functions in CASES.items() for f in functions]


@pytest.mark.parametrize("module,function", ALL)
def test_equal(layer, module, function):
    ours = getattr(importlib.import_module("klampt.math." + module), function)
    theirs = getattr(layer("math." + module), function)
    r = random.Random(module + function)
    makers = CASES[module][function]
    for _ in range(COUNT if makers else 1):
        args = [m(r) for m in makers]
        assert close(ours(*args), theirs(*args)), (args, ours(*args), theirs(*args))


GEODESICS = ["CartesianSpace(3)", "SO2Space()", "SE2Space()", "SO3Space()", "SE3Space()",
             "MultiGeodesicSpace(CartesianSpace(2),SO3Space())"]


@pytest.mark.parametrize("space", GEODESICS)
def test_geodesics(layer, space):
    import klampt.math.geodesic as own
    ours, theirs = (eval(space, vars(m)) for m in (own, layer("math.geodesic")))
    r = random.Random(space)

    def point():
        if "SO3" in space:
            return ([0.5, 0.25] if "Multi" in space else []) + rot(r)
        return rot(r) + vec(3)(r) if "SE3" in space else vec(ours.extrinsicDimension())(r)
    for _ in range(1000):
        a, b, u = point(), point(), par(r)
        assert close(ours.distance(a, b), theirs.distance(a, b))
        assert close(ours.interpolate(a, b, u), theirs.interpolate(a, b, u))
        d = theirs.difference(a, b)
        assert close(ours.difference(a, b), d)
        assert close(ours.integrate(b, d), theirs.integrate(b, d))


def test_numpy_arguments():
    import numpy
    from klampt.math import se3, so3, vectorops
    R = numpy.array(so3.rotation((0, 0, 1), 0.5))
    assert type(vectorops.add(numpy.ones(3), numpy.ones(3))) is list
    assert so3.from_ndarray(so3.ndarray(list(R))) == list(R)
    assert close([float(x) for x in se3.apply((R, numpy.ones(3)), numpy.zeros(3))], [1.0, 1.0, 1.0])
    assert vectorops.unit((0.0, 0.0)) == (0.0, 0.0)
    with pytest.raises(RuntimeError):
        vectorops.add([1, 2], [1])
    with pytest.raises(ValueError):
        so3.mul(list(R), [1, 2, 3])


def best(f, args):
    timer = timeit.Timer(lambda: f(*args))
    return min(timer.repeat(5, 2000)) / 2000


@pytest.mark.parametrize("module", ["vectorops", "so3", "se3"])
def test_speed_report(layer, module, record_property):
    """Prints times of both; asserts nothing, for the machine may be busy."""
    r = random.Random(1)
    for name, makers in CASES[module].items():
        args = [m(r) for m in makers]
        own = best(getattr(importlib.import_module("klampt.math." + module), name), args)
        other = best(getattr(layer("math." + module), name), args)
        print(f"{module}.{name}: {own * 1e9:.0f} ns, Klamp't {other * 1e9:.0f} ns, "
              f"ratio {own / other:.2f}")
