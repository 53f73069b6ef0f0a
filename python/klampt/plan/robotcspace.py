"""Configuration spaces of robots, free or with loops closed by inverse kinematics."""

import math
import random
import weakref

from ..math import vectorops
from ..model import contact
from ..model.collide import WorldCollider
from ..robotsim import IKObjective, IKSolver, RobotModel
from .cspace import CSpace
from .cspaceutils import EmbeddedCSpace

# Programs get these along with `import *`.
from .. import robotsim
from ..model import collide


def _is_own(robot, cls):
    """Returns whether a robot does what its class says: no program has changed it."""
    return type(robot) is cls and not any(name in vars(robot) for name in ("setConfig", "selfCollides", "distance", "interpolate"))


class RobotCSpace(CSpace):
    """A robot's configurations within joint limits and, with a WorldCollider, free of
    collisions. Collisions with itself are tested in either case.
    """

    def __init__(self, robot, collider=None):
        CSpace.__init__(self)
        self.robot = robot
        self.setBounds(list(zip(*robot.getJointLimits())))
        self.collider = collider
        self.joint_limit_failures = [0] * len(self.bound)
        # What no program has changed is done without the way through Python.
        from ..robotsim._native import native
        own, direct = type(self), native.RobotTest if _is_own(robot, RobotModel) else None
        self._direct = direct is not None
        limits, posed = self.inJointLimits, self._pose
        if direct and own.inJointLimits is RobotCSpace.inJointLimits:
            limits = direct.limits(weakref.ref(self))
        if direct and own._pose is RobotCSpace._pose:
            posed = direct.pose(robot._robot)
        apart = direct.selfCollision(robot._robot) if direct and own.selfCollision is RobotCSpace.selfCollision else (
            lambda x: not self.selfCollision())
        self.addFeasibilityTest(limits, "joint limits")
        self.addFeasibilityTest(posed, "setconfig")
        self.addFeasibilityTest(apart, "self collision", "setconfig")
        if collider is not None:
            self._add_collisions(collider)
        self.properties["geodesic"] = 1
        self._tested = robot, collider, list(self.feasibilityTests)

    def __setattr__(self, name, value):
        """Functions that programs put in place of methods are those that the tests call."""
        object.__setattr__(self, name, value)
        late = {"inJointLimits": ("joint limits", lambda x: self.inJointLimits(x)),
                "selfCollision": ("self collision", lambda x: not self.selfCollision())}.get(name)
        names = getattr(self, "feasibilityTestNames", None) or []
        if late and late[0] in names:
            self.feasibilityTests[names.index(late[0])] = late[1]

    def _pose(self, x):
        self.robot.setConfig(x)
        return True

    def _add_collisions(self, collider):
        """One test a body of the world that may be hit."""
        from ..robotsim._native import native
        world, index = collider.world, self.robot.index

        def shapes(others, other):
            """Pairs of shapes that are tested, by the collider's masks as they are."""
            j = others[other]
            return [(collider.geomList[i][1]._shape, collider.geomList[j][1]._shape) for i in collider.robots[index]
                    if i >= 0 and j >= 0 and j in collider.mask[i]]

        def free(pairs, other):
            changed = {"robotObjectCollisions", "robotTerrainCollisions"} & vars(collider).keys()
            if self._direct and type(collider) is WorldCollider and not changed:
                others = collider.rigidObjects if pairs == collider.robotObjectCollisions else collider.terrains
                return native.RobotTest.pairs(lambda: shapes(others, other))
            return lambda x: not any(True for _ in pairs(index, other))
        for kind, pairs, count, get in (
                ("obj", collider.robotObjectCollisions, world.numRigidObjects(), world.rigidObject),
                ("terrain", collider.robotTerrainCollisions, world.numTerrains(), world.terrain)):
            for i in range(count):
                self.addFeasibilityTest(free(pairs, i), f"{kind} collision {i} {get(i).getName()}",
                                        "setconfig")

    def addConstraint(self, checker, name=None):
        """Adds a test (q) -> bool."""
        self.addFeasibilityTest(checker, name)

    def sample(self):
        return [random.uniform(0, 2 * math.pi) if math.isnan(x) else x for x in CSpace.sample(self)]

    def inJointLimits(self, x):
        """Returns whether x is within bound; failures are counted a joint."""
        for i, (v, (a, b)) in enumerate(zip(x, self.bound)):
            if v < a or v > b:
                self.joint_limit_failures[i] += 1
                return False
        return True

    def selfCollision(self, x=None):
        """Returns whether the robot, at x if given, collides with itself."""
        if x is not None:
            self.robot.setConfig(x)
        return self.robot.selfCollides()

    def envCollision(self, x=None):
        """Returns whether the robot, at x if given, collides with the world."""
        if self.collider is None:
            return False
        if x is not None:
            self.robot.setConfig(x)
        index = self.robot.index
        return (any(True for _ in self.collider.robotObjectCollisions(index))
                or any(True for _ in self.collider.robotTerrainCollisions(index)))

    def setup(self, reinit=False):
        CSpace.setup(self, reinit)
        if self._direct and self._is_unchanged("interpolate", "distance") and len(self.bound) == self.robot.numLinks():
            self.cspace._set_robot_metric(self.robot)
        direct = self._native_space()
        if direct is not None:
            self.cspace._set_direct(direct)

    def _is_unchanged(self, *names):
        """Returns whether methods are those of this class, and no program has put functions in their place."""
        return not any(name in vars(self) or getattr(type(self), name) is not _OWN[name] for name in names)

    def _native_space(self, embedded=None):
        """A native space that answers for all methods, with the links of an embedded space alone where there is one.
        None: a program has changed something.
        """
        from ..robotsim._native import native
        robot, collider, tests = self._tested
        samples = self._is_unchanged("sample", "sampleneighborhood") and CSpace.sample is _OWN["CSpace.sample"]
        if not (self._direct and self._is_unchanged("inJointLimits", "_pose", "selfCollision", "feasible", "interpolate", "distance")
                and not hasattr(self, "visible") and len(self.bound) == robot.numLinks() and self.robot is robot
                and self.feasibilityTests == tests and all(isinstance(test, native.RobotTest) for test in tests)
                and (samples or embedded is None)):
            return None
        return native.DirectSpace(robot._robot, tests, collider, robot.index,
                                  None if embedded is None else weakref.ref(embedded), samples)

    def interpolate(self, a, b, u):
        return self.robot.interpolate(a, b, u)

    def distance(self, a, b):
        return self.robot.distance(a, b)

    def executablePath(self, path):
        """The path as a robot can follow it with straight lines."""
        return path


_OWN = {name: getattr(RobotCSpace, name) for name in ("inJointLimits", "_pose", "selfCollision", "feasible", "interpolate", "distance",
                                                      "sample", "sampleneighborhood")}
_OWN["CSpace.sample"] = CSpace.sample


class ClosedLoopRobotCSpace(RobotCSpace):
    """Configurations that fulfil IK objectives, within tol."""

    def __init__(self, robot, iks, collider=None):
        RobotCSpace.__init__(self, robot, collider)
        self.solver = IKSolver(robot)
        for goal in iks if hasattr(iks, "__iter__") else [iks]:
            self.solver.add(goal)
        self.maxIters = 100
        self.tol = 1e-3
        self.addFeasibilityTest(self.closedLoop, "closed loop constraint")

    def setIKActiveDofs(self, activeSet):
        """Links that may move to close the loop."""
        self.solver.setActiveDofs(activeSet)

    def sample(self):
        return self.solveConstraints(RobotCSpace.sample(self))

    def sampleneighborhood(self, c, r):
        return self.solveConstraints(RobotCSpace.sampleneighborhood(self, c, r))

    def solveConstraints(self, x):
        """A configuration near x that fulfils the objectives, where the solver finds one."""
        self.robot.setConfig(x)
        self.solver.setMaxIters(self.maxIters)
        self.solver.setTolerance(self.tol)
        self.solver.solve()
        return self.robot.getConfig()

    def closedLoop(self, config=None, tol=None):
        """Returns whether the objectives are fulfilled."""
        if config is not None:
            self.robot.setConfig(config)
        limit = self.tol if tol is None else tol
        return max((abs(e) for e in self.solver.getResidual()), default=0.0) <= limit

    def interpolate(self, a, b, u):
        return self.solveConstraints(RobotCSpace.interpolate(self, a, b, u))

    def interpolationPath(self, a, b, epsilon=0.01):
        """Configurations from a to b at most about epsilon apart."""
        pieces = int(math.ceil(self.distance(a, b) / epsilon))
        inner = [self.interpolate(a, b, k / pieces) for k in range(1, pieces)]
        return [a] + inner + [b]

    def discretizePath(self, path, epsilon=0.01):
        """A path with configurations at most about epsilon apart."""
        if path is None or len(path) == 0:
            return path
        result = [path[0]]
        for a, b in zip(path, path[1:]):
            result += self.interpolationPath(a, b, epsilon)[1:]
        return result

    discretize = discretizePath

    def executablePath(self, path, epsilon=0.01):
        return self.discretizePath(path, epsilon)


class ContactCSpace(ClosedLoopRobotCSpace):
    """Configurations that keep contacts: IKObjectives, model.contact.Holds or a Stance of them, or ContactPoints of links.

    Without a collider one is made of `world`, which does not test links that hold. `holds` are the holds among the contacts.
    """

    def __init__(self, robot, contacts, collider=None, world=None):
        goals, self.holds = _constraints(contacts)
        if collider is None and world is not None:
            collider = WorldCollider(world, ignore=[robot.link(h.link) for h in self.holds])
        ClosedLoopRobotCSpace.__init__(self, robot, goals + [h.ikConstraint for h in self.holds], collider)


def _constraints(contacts):
    """The IKObjectives among contacts, and their holds: those of a link's points are made where the link is."""
    if isinstance(contacts, contact.Stance):
        contacts = contacts.holds()
    elif not hasattr(contacts, "__iter__"):
        contacts = [contacts]
    goals, holds, points = [], [], []
    for c in contacts:
        kind = next((k for k, cls in ((goals, IKObjective), (holds, contact.Hold), (points, contact.ContactPoint))
                     if isinstance(c, cls)), None)
        if kind is None:
            raise TypeError(f"contacts are IKObjectives, Holds and ContactPoints, got {type(c).__name__}")
        kind.append(c)
    return goals, holds + contact.contact_map_holds(contact.contact_map(points))


class StanceCSpace(ContactCSpace):
    """Configurations that keep a stance (model.contact.Holds, or a Stance of them) with the center of mass above its support
    polygon.

    Without a collider one is made of `world`, which does not test links that hold. `equilibriumMargin` (m, 0 at first) is
    how far inside the polygon's planes `sp` the center of mass has to be.
    """

    gravity = (0, 0, -9.8)

    def __init__(self, robot, holds, collider=None, world=None, checkTorqueLimits=False):
        if checkTorqueLimits:
            raise NotImplementedError("StanceCSpace tests no torques; "
                                      "use addFeasibilityTest() with model.contact.equilibrium_torques()")
        ContactCSpace.__init__(self, robot, holds, collider, world)
        self.sp = contact.support_polygon(self.holds)
        self.equilibriumMargin = 0.0
        self.addFeasibilityTest(self.testSupportPolygon, "suppPoly")

    def testSupportPolygon(self, q):
        """Returns whether the center of mass at q is above the support polygon."""
        self.robot.setConfig(q)
        com = self.robot.getCom()
        return all(vectorops.dot(plane[:2], com[:2]) <= plane[2] - self.equilibriumMargin for plane in self.sp)


class ImplicitManifoldRobotCSpace(RobotCSpace):
    """Configurations where a VectorFieldFunction is zero, within tol."""

    def __init__(self, robot, implicitConstraint, collider=None):
        RobotCSpace.__init__(self, robot, collider)
        self.implicitConstraint = implicitConstraint
        self.maxIters = 100
        self.tol = 1e-3
        self.addFeasibilityTest(self.onManifold, "implicit manifold constraint")

    def sample(self):
        return self.solveManifold(RobotCSpace.sample(self))

    def sampleneighborhood(self, c, r):
        return self.solveManifold(RobotCSpace.sampleneighborhood(self, c, r))

    def onManifold(self, x, tol=None):
        """Returns whether the function is zero at x."""
        limit = self.tol if tol is None else tol
        return max(abs(v) for v in self.implicitConstraint.eval(x)) <= limit

    def solveManifold(self, x, tol=None, maxIters=None):
        """A configuration near x on the manifold, by Newton's steps of least norm."""
        import numpy as np
        tol = self.tol if tol is None else tol
        x = np.array(x, float)
        low, high = np.array(self.bound, float).T
        for _ in range(self.maxIters if maxIters is None else maxIters):
            value = np.array(self.implicitConstraint.eval(x.tolist()), float)
            if np.max(np.abs(value)) <= tol:
                break
            J = np.atleast_2d(self.implicitConstraint.jacobian(x.tolist()))
            x = np.clip(x - np.linalg.lstsq(J, value, rcond=None)[0], low, high)
        return x.tolist()

    def interpolate(self, a, b, u):
        return self.solveManifold(RobotCSpace.interpolate(self, a, b, u))


class EmbeddedRobotCSpace(EmbeddedCSpace):
    """A robot's space with only some links moving; the others stay as they are (or xinit)."""

    def __init__(self, ambientspace, subset, xinit=None):
        self.robot = ambientspace.robot
        EmbeddedCSpace.__init__(self, ambientspace, subset,
                                self.robot.getConfig() if xinit is None else xinit)
        solve = getattr(ambientspace, "solveConstraints",
                        getattr(ambientspace, "solveManifold", None))
        if isinstance(ambientspace, ClosedLoopRobotCSpace):
            active = ambientspace.solver.getActiveDofs()
            if not set(active) <= set(subset):
                raise ValueError("the dofs that close the loop must be among those that move; "
                                 "use setIKActiveDofs()")
        self._taken = self._functions()
        if solve is not None:
            self.sample = lambda: self.project(solve(self.lift(CSpace.sample(self))))
            self.sampleneighborhood = lambda c, r: self.project(
                solve(self.lift(CSpace.sampleneighborhood(self, c, r))))

    def _functions(self):
        """Returns what was put in place of methods, and the tests."""
        return [value for value in vars(self).values() if callable(value)] + list(self.feasibilityTests or [])

    def setup(self, reinit=False):
        EmbeddedCSpace.setup(self, reinit)
        if (type(self) is EmbeddedRobotCSpace and type(self.ambientspace) is RobotCSpace and len(self.mapping) > 0
                and self._functions() == self._taken):
            direct = self.ambientspace._native_space(self)
            if direct is not None:
                self.cspace._set_direct(direct)

    def disableInactiveCollisions(self):
        """Leaves out tests between links that do not move."""
        disable_inactive(self.robot, self.ambientspace.collider, self.mapping)

    def discretizePath(self, path, epsilon=0.01):
        whole = self.liftPath(path)
        if hasattr(self.ambientspace, "discretizePath"):
            return self.ambientspace.discretizePath(whole, epsilon)
        return whole

    def executablePath(self, path):
        if len(path[0]) == len(self.mapping):
            path = self.liftPath(path)
        return self.ambientspace.executablePath(path)


def disable_inactive(robot, collider, moving):
    """Leaves out tests of links that no moving link carries, except with those that move."""
    n = robot.numLinks()
    active = [False] * n
    for i in moving:
        active[i] = True
    for i in range(n):
        p = robot.link(i).getParent()
        active[i] = active[i] or (p >= 0 and active[p])
    indices = collider.robots[robot.index]
    keep = {indices[i] for i in range(n) if active[i] and indices[i] >= 0}
    for i in range(n):
        index = indices[i]
        if active[i] or index < 0:
            continue
        for other in collider.mask[index] - keep:
            collider.mask[other].discard(index)
        collider.mask[index] &= keep
