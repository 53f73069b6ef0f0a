"""Planning for robots in one call: spaces, and plans to a configuration, a set, or a pose."""

import warnings

from .._compat import deprecated_names
from ..model import collide
from ..robotsim import IKObjective
from . import robotcspace
from .cspace import CSpace, MotionPlan, configure_planner, configurePlanner
from .cspaceutils import AffineEmbeddedCSpace, EmbeddedCSpace, EmbeddedMotionPlan

# Programs get these along with `import *`.
import random
from ..robotsim import RobotModel, WorldModel


def preferred_plan_options(robot, movingSubset=None, optimizing=False):
    """Options of MotionPlan that serve most robots."""
    if optimizing:
        return {"type": "rrt", "perturbationRadius": 0.5, "bidirectional": 1, "shortcut": 1,
                "restart": 1, "restartTermCond": "{foundSolution:1,maxIters:1000}"}
    return {"type": "sbl", "perturbationRadius": 0.5, "randomizeFrequency": 1000, "shortcut": 1}


def _affine_drivers(robot, moving):
    """Drivers of moving links, and whether any moves several links at once."""
    drivers = [i for i in range(robot.numDrivers())
               if any(l in moving for l in robot.driver(i).getAffectedLinks())]
    return drivers, any(robot.driver(i).getType() == "affine" for i in drivers)


def make_space(world, robot, edgeCheckResolution=1e-2, extraConstraints=(), equalityConstraints=(),
               equalityTolerance=1e-3, ignoreCollisions=(), movingSubset=None):
    """The space of a robot in a world, ready to plan in.

    extraConstraints: tests (q) -> bool. equalityConstraints: IK objectives to keep.
    ignoreCollisions: bodies or pairs to leave out. movingSubset: links that move; None,
    'all' or 'auto' for all.
    """
    subset = None if movingSubset is None or isinstance(movingSubset, str) else list(movingSubset)
    n = robot.numLinks()
    partial = subset is not None and len(subset) < n
    collider = collide.WorldCollider(world, ignore=ignoreCollisions)
    if any(not isinstance(c, IKObjective) for c in equalityConstraints):
        raise NotImplementedError("equalityConstraints wants IK objectives; for others use "
                                  "robotcspace.ImplicitManifoldRobotCSpace")
    if len(equalityConstraints) == 0:
        space = robotcspace.RobotCSpace(robot, collider)
    else:
        space = robotcspace.ClosedLoopRobotCSpace(robot, equalityConstraints, collider)
        space.tol = equalityTolerance
        if partial:
            space.setIKActiveDofs(subset)
    space.eps = edgeCheckResolution
    for c in extraConstraints:
        space.addConstraint(c)
    moving = set(range(n)) if subset is None else set(subset)
    drivers, affine = _affine_drivers(robot, moving)
    if affine:
        if len(equalityConstraints):
            raise ValueError("affine drivers and closed loops cannot be planned for together")
        robotcspace.disable_inactive(robot, collider, moving)
        space = AffineEmbeddedCSpace.fromRobotDrivers(robot, space, drivers)
    elif partial:
        space = robotcspace.EmbeddedRobotCSpace(space, subset, xinit=robot.getConfig())
        space.disableInactiveCollisions()
    space.setup()
    return space


def _plan(space, q0, options):
    if hasattr(space, "lift"):
        return EmbeddedMotionPlan(space, q0, **options)
    return MotionPlan(space, **options)


def _report(space, robot, which, q):
    """Warns of the tests that an endpoint fails."""
    x = space.project(q) if hasattr(space, "project") else q
    failures = space.cspace.feasibilityFailures(x)
    if not failures:
        return
    warnings.warn(f"{which} configuration fails {failures}", stacklevel=2)
    if "self collision" in failures:
        robot.setConfig(q)
        for i in range(robot.numLinks()):
            for j in range(i):
                if robot.selfCollisionEnabled(i, j) and robot.link(i).geometry().collides(
                        robot.link(j).geometry()):
                    print(f"  links {robot.link(i).getName()} and {robot.link(j).getName()} collide")


def plan_to_config(world, robot, target, edgeCheckResolution=1e-2, extraConstraints=(),
                   equalityConstraints=(), equalityTolerance=1e-3, ignoreCollisions=(),
                   movingSubset="auto", verbose=True, **planOptions):
    """A MotionPlan from the robot's configuration to target; None when an end is infeasible.

    movingSubset: 'auto' for the links whose values differ, 'all', or a list. Other
    arguments as for make_space() and MotionPlan.
    """
    q0 = robot.getConfig()
    assert len(q0) == len(target), f"the target wants {len(q0)} values, got {len(target)}"
    if movingSubset is None or movingSubset == "all":
        subset = list(range(len(q0)))
    elif isinstance(movingSubset, str):
        subset = [i for i, (a, b) in enumerate(zip(q0, target)) if a != b]
    else:
        subset = list(movingSubset)
        for i in set(range(len(q0))) - set(subset):
            if q0[i] != target[i]:
                raise ValueError(f"the target moves link {i} ({robot.link(i).getName()}), which is "
                                 f"not in movingSubset: {q0[i]:g} to {target[i]:g}")
    if not subset:
        warnings.warn("plan_to_config(): the robot is at the target already", stacklevel=2)
        subset = list(range(len(q0)))
    space = make_space(world, robot, edgeCheckResolution, extraConstraints, equalityConstraints,
                       equalityTolerance, ignoreCollisions, subset)
    plan = _plan(space, q0, planOptions)
    try:
        plan.setEndpoints(q0, target)
    except RuntimeError:
        _report(space, robot, "Start", q0)
        _report(space, robot, "Goal", target)
        robot.setConfig(q0)
        return None
    return plan


def plan_to_set(world, robot, target, edgeCheckResolution=1e-2, extraConstraints=(),
                equalityConstraints=(), equalityTolerance=1e-3, ignoreCollisions=(),
                movingSubset=None, **planOptions):
    """A MotionPlan to a set: a CSpace, a test, or a pair (test, sampler)."""
    q0 = robot.getConfig()
    if isinstance(target, CSpace):
        goal = (target.feasible, target.sample)
    elif callable(target) or (isinstance(target, (tuple, list)) and len(target) == 2
                              and all(map(callable, target))):
        goal = target
    else:
        raise TypeError("the target must be a CSpace, a test, or a pair (test, sampler)")
    subset = None if movingSubset is None or isinstance(movingSubset, str) else movingSubset
    space = make_space(world, robot, edgeCheckResolution, extraConstraints, equalityConstraints,
                       equalityTolerance, ignoreCollisions, subset)
    plan = _plan(space, q0, planOptions)
    try:
        plan.setEndpoints(q0, goal)
    except RuntimeError:
        _report(space, robot, "Start", q0)
        raise
    return plan


def plan_to_cartesian_objective(world, robot, iktargets, iktolerance=1e-3,
                                edgeCheckResolution=1e-2, extraConstraints=(),
                                equalityConstraints=(), equalityTolerance=1e-3,
                                ignoreCollisions=(), movingSubset=None, **planOptions):
    """A MotionPlan to configurations that fulfil IK objectives."""
    goals = robotcspace.ClosedLoopRobotCSpace(robot, iktargets, None)
    goals.tol = iktolerance
    if movingSubset is not None and not isinstance(movingSubset, str):
        goals.setIKActiveDofs(list(movingSubset))
    return plan_to_set(world, robot, goals, edgeCheckResolution, extraConstraints,
                       equalityConstraints, equalityTolerance, ignoreCollisions, movingSubset,
                       **planOptions)


def wizard(world_or_space_or_plan, moving_object=None, draw_end_effectors=None,
           draw_infeasible=False, debug_plan_time=30):
    """An editor of planning problems; Klamp't's opens a window and is not offered."""
    raise NotImplementedError("the planning wizard is not offered; use make_space() and "
                              "plan_to_config()")


deprecated_names(__name__, preferredPlanOptions="preferred_plan_options", makeSpace="make_space",
                 planToConfig="plan_to_config", planToSet="plan_to_set",
                 planToCartesianObjective="plan_to_cartesian_objective")
