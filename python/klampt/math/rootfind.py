"""Zeros of vector fields by Newton's method; see klampt.math.vectorfield for the class of the fields.

The field and the tolerances are those set last, for the whole program.
"""

import numpy as np

_CONVERGED_X, _CONVERGED_F, _DIVERGED, _DEGENERATE, _ITERATIONS, _NUMERICAL = range(6)
_SMALLEST_STEP = 1e-8  # shorter fractions of Newton's step than this count as none
_state = {"f": 1e-8, "x": 1e-8, "field": None}


def setFTolerance(tolf):
    """Largest value |f| (greatest component) that counts as zero."""
    _state["f"] = float(tolf)


def setXTolerance(tolx):
    """Largest step |dx| (greatest component) that counts as none."""
    _state["x"] = float(tolx)


def setVectorField(pVFObj):
    """Chooses the field: an object with eval(x) and jacobian(x). Returns 1, or 0 for None."""
    _state["field"] = pVFObj
    return 0 if pVFObj is None else 1


def _value(field, x):
    return np.atleast_1d(np.asarray(field.eval(x.tolist()), dtype=float))


def _solve(start, low, high, iterations):
    field = _state["field"]
    if field is None:
        raise RuntimeError("there is no vector field; call setVectorField() first")
    x = np.clip(np.asarray(start, dtype=float), low, high)
    f = _value(field, x)
    for k in range(int(iterations)):
        if not np.all(np.isfinite(f)):
            return _NUMERICAL, x, k
        if np.max(np.abs(f), initial=0.0) <= _state["f"]:
            return _CONVERGED_F, x, k
        J = np.asarray(field.jacobian(x.tolist()), dtype=float).reshape(len(f), len(x))
        if not np.all(np.isfinite(J)):
            return _NUMERICAL, x, k
        if np.max(np.abs(J.T @ f), initial=0.0) <= 1e-14 * np.max(np.abs(f)):
            return _DEGENERATE, x, k
        step = np.linalg.lstsq(J, -f, rcond=None)[0]
        part, moved = 1.0, None
        while part >= _SMALLEST_STEP:
            trial = np.clip(x + part * step, low, high)
            g = _value(field, trial)
            if np.all(np.isfinite(g)) and g @ g < f @ f:
                moved = trial
                break
            part *= 0.5
        if moved is None:
            return (_CONVERGED_X if np.max(np.abs(step)) <= _state["x"] else _DEGENERATE), x, k
        short = np.max(np.abs(moved - x)) <= _state["x"]
        x, f = moved, g
        if short:
            return _CONVERGED_X, x, k + 1
        if np.max(np.abs(x)) > 1e100:
            return _DIVERGED, x, k + 1
    done = np.max(np.abs(f), initial=0.0) <= _state["f"]
    return (_CONVERGED_F if done else _ITERATIONS), x, int(iterations)


def findRoots(startVals, iter):
    """(status, x, iterations): a zero near startVals. status: 0 the step and 1 the value is within its tolerance, 2 x grows
    without bound, 3 no step makes the value smaller, 4 iterations are used up, 5 a number is not finite."""
    status, x, used = _solve(startVals, -np.inf, np.inf, iter)
    return status, x.tolist(), used


def findRootsBounded(startVals, boundVals, iter):
    """Finds roots as findRoots() does, with x within boundVals: a pair (xmin, xmax), or all of xmin followed by all of xmax."""
    bounds = np.asarray(boundVals, dtype=float).reshape(2, -1)
    status, x, used = _solve(startVals, bounds[0], bounds[1], iter)
    return status, x.tolist(), used


def destroy():
    """Forgets the vector field."""
    _state["field"] = None
