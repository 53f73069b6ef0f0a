"""Least errors of objectives, one set after the other."""

import numpy as np

from ._native import native


def _evaluate(solver, objectives, q, active):
    solver.robot.setConfig(q)
    goals = solver._goals(objectives)
    return np.asarray(native.ikResidual(solver.robot._robot, goals)), native.ikJacobian(solver.robot._robot, goals, active)


def _damped_inverse(J, damping):
    if J.size == 0:
        return np.zeros((J.shape[1], J.shape[0]))
    return J.T @ np.linalg.inv(J @ J.T + damping * np.eye(len(J)))


def minimize(solver, active, limits, function, gradient):
    """Gauss-Newton steps for the objectives; in their null space, steps for the secondary ones (Siciliano and Slotine,
    1991) or against a gradient; halved until errors, or the function, fall. active: links that move; limits: of their joints."""
    low, high = (np.asarray(v) for v in limits)
    q = np.asarray(solver.robot.getConfig())

    def clamped(x):
        return np.clip(x, low, high) if len(low) else x

    def merit(x):
        r1, _ = _evaluate(solver, solver.objectives, x, active)
        if function is not None:
            second = float(function(list(x)))
        else:
            second = float(np.sum(_evaluate(solver, solver.secondary_objectives, x, active)[0] ** 2))
        return float(r1 @ r1), second

    def better(new, old):
        tolerance = solver.tol ** 2
        if new[0] > tolerance and new[0] > old[0] * (1 - 1e-9):
            return False
        return old[0] > tolerance and new[0] < old[0] or new[1] < old[1] - 1e-12

    q = clamped(q)
    current = merit(q)
    for solver.lastIters in range(1, solver.maxIters + 1):  # noqa: B020 (the counter is an attribute)
        r1, J1 = _evaluate(solver, solver.objectives, q, active)
        inverse = _damped_inverse(J1, 1e-6 + 0.1 * float(r1 @ r1))
        step = -inverse @ r1
        null = np.eye(len(active)) - np.linalg.pinv(J1) @ J1 if len(J1) else np.eye(len(active))
        if function is not None:
            step = step - null @ np.asarray(gradient(list(q)), dtype=float)[active]
        elif solver.secondary_objectives:
            r2, J2 = _evaluate(solver, solver.secondary_objectives, q, active)
            step = step - null @ (_damped_inverse(J2 @ null, 1e-6) @ (r2 + J2 @ step))
        length = 1.0
        while length > 1e-6:
            candidate = q.copy()
            candidate[active] += length * step
            candidate = clamped(candidate)
            value = merit(candidate)
            if better(value, current):
                break
            length *= 0.5
        else:
            break
        q, current = candidate, value
    solver.robot.setConfig(q)
    return solver.isSolved()
