"""A robot reduced to some of its links: an arm, a hand."""

import warnings

import numpy as np

from ..math import so3
from ..robotsim import RobotModel, RobotModelLink
from ._trajectory.base import Trajectory
from ._trajectory.hermite import HermiteTrajectory
from .collide import self_collision_iter

# Programs get these along with `import *`.
from ..robotsim import *


class SubRobotModel:
    """Acts like a RobotModel whose configurations hold only the given links' values.

    links: indices or names. The rest of the robot stays as it is.
    """

    def __init__(self, robot, links):
        assert isinstance(robot, (RobotModel, SubRobotModel)), (
            f"a RobotModel or SubRobotModel is wanted, got {type(robot).__name__}")
        base = robot._robot if isinstance(robot, SubRobotModel) else robot
        self._links = []
        for l in links:
            index = base.link(l).index if isinstance(l, str) else int(l)
            if isinstance(robot, SubRobotModel) and not isinstance(l, str):
                index = robot._links[index]
            if not 0 <= index < base.numLinks():
                raise ValueError(f"link {l!r} is not one of the {base.numLinks()} of "
                                 f"{base.getName()}")
            self._links.append(index)
        self._robot = base
        self._inv_links = {l: i for i, l in enumerate(self._links)}
        self._drivers = None
        self.index = robot.index
        self.world = robot.world

    def _reference(self, reference):
        n = self._robot.numLinks()
        if reference is None:
            return list(self._robot.getConfig())
        if isinstance(reference, (int, float)):
            return [reference] * n
        if len(reference) != n:
            raise ValueError(f"the reference wants {n} values, got {len(reference)}")
        return list(reference)

    def _full_row(self, row, reference):
        if len(row) != len(self._links):
            raise ValueError(f"{len(self._links)} values are wanted, got {len(row)}")
        full = self._reference(reference)
        for i, v in zip(self._links, row):
            full[i] = v
        return full

    def tofull(self, obj, reference=None):
        """The whole robot's version of an index, link, configuration(s) or trajectory.

        reference: values of the other links; None takes the robot's configuration.
        """
        if isinstance(obj, int):
            return self._links[obj]
        if isinstance(obj, SubRobotModelLink):
            return obj._link
        if isinstance(obj, HermiteTrajectory):
            raise NotImplementedError("Hermite trajectories cannot be made whole; discretize() first")
        if isinstance(obj, Trajectory):
            milestones = self.tofull(obj.milestones, reference)
            return obj._of_robot(self._robot, milestones)
        if not hasattr(obj, "__iter__"):
            raise ValueError("an index, configuration, list of them or Trajectory is wanted, got "
                             f"{type(obj).__name__}")
        if len(obj) and hasattr(obj[0], "__iter__"):
            own = (reference is not None and hasattr(reference, "__iter__")
                   and hasattr(reference[0], "__iter__"))
            full = [self._full_row(row, reference[i] if own else reference)
                    for i, row in enumerate(obj)]
        else:
            full = self._full_row(obj, reference)
        return np.array(full) if isinstance(obj, np.ndarray) else full

    def fromfull(self, object):
        """The part of this robot of an index, link, configuration(s) or trajectory."""
        if isinstance(object, int):
            return self._inv_links.get(object, None)
        if isinstance(object, RobotModelLink):
            return SubRobotModelLink(object, self)
        if isinstance(object, np.ndarray):
            return object[..., self._links]
        if isinstance(object, HermiteTrajectory):
            return object.extractDofs(self._links)
        if isinstance(object, Trajectory):
            milestones = [self.fromfull(m) for m in object.milestones]
            return object._of_robot(self, milestones)
        if not hasattr(object, "__iter__"):
            raise ValueError("an index, configuration, list of them or Trajectory is wanted, got "
                             f"{type(object).__name__}")
        if len(object) and hasattr(object[0], "__iter__"):
            return [self.fromfull(row) for row in object]
        n = self._robot.numLinks()
        assert len(object) == n, f"a configuration of {n} values is wanted, got {len(object)}"
        return [object[i] for i in self._links]

    def getName(self):
        return self._robot.getName()

    def getID(self):
        return self._robot.getID()

    def numLinks(self):
        return len(self._links)

    def link(self, index):
        return SubRobotModelLink(
            self._robot.link(index if isinstance(index, str) else self._links[index]), self)

    def _computeDrivers(self):
        if self._drivers is None:
            every = (self._robot.driver(i) for i in range(self._robot.numDrivers()))
            self._drivers = [d for d in every
                             if any(l in self._inv_links for l in d.getAffectedLinks())]
        return self._drivers

    def numDrivers(self):
        return len(self._computeDrivers())

    def driver(self, index):
        drivers = self._computeDrivers()
        if isinstance(index, str):
            return SubRobotModelDriver(self._robot.driver(index), self)
        if not 0 <= index < len(drivers):
            raise ValueError(f"driver {index} is asked for, there are {len(drivers)}")
        return SubRobotModelDriver(drivers[index], self)

    def _pick(self, values):
        return [values[i] for i in self._links]

    def _merge(self, current, values):
        return self._full_row(values, list(current))

    def getConfig(self):
        return self._pick(self._robot.getConfig())

    def getVelocity(self):
        return self._pick(self._robot.getVelocity())

    def setConfig(self, q):
        self._robot.setConfig(self._merge(self._robot.getConfig(), q))

    def setVelocity(self, q):
        self._robot.setVelocity(self._merge(self._robot.getVelocity(), q))

    config = property(getConfig, setConfig)
    velocity = property(getVelocity, setVelocity)

    def getJointLimits(self):
        qmin, qmax = self._robot.getJointLimits()
        return (self._pick(qmin), self._pick(qmax))

    def setJointLimits(self, qmin, qmax):
        lower, upper = self._robot.getJointLimits()
        self._robot.setJointLimits(self._merge(lower, qmin), self._merge(upper, qmax))

    def getVelocityLimits(self):
        return self._pick(self._robot.getVelocityLimits())

    def setVelocityLimits(self, vmax):
        self._robot.setVelocityLimits(self._merge(self._robot.getVelocityLimits(), vmax))

    def getAccelerationLimits(self):
        return self._pick(self._robot.getAccelerationLimits())

    def setAccelerationLimits(self, amax):
        self._robot.setAccelerationLimits(self._merge(self._robot.getAccelerationLimits(), amax))

    def getTorqueLimits(self):
        return self._pick(self._robot.getTorqueLimits())

    def setTorqueLimits(self, tmax):
        self._robot.setTorqueLimits(self._merge(self._robot.getTorqueLimits(), tmax))

    def _full_dof(self, index):
        return index if isinstance(index, str) else self._links[index]

    def setDOFPosition(self, index, qi):
        self._robot.setDOFPosition(self._full_dof(index), qi)

    def getDOFPosition(self, index):
        return self._robot.getDOFPosition(self._full_dof(index))

    def _moving_alone(self, what):
        """A quantity of motion with only this robot's links moving."""
        before = self._robot.getVelocity()
        self._robot.setVelocity(self.tofull(self.getVelocity(), 0.0))
        try:
            return getattr(self._robot, what)()
        finally:
            self._robot.setVelocity(before)

    def getLinearMomentum(self):
        return self._moving_alone("getLinearMomentum")

    def getAngularMomentum(self):
        return self._moving_alone("getAngularMomentum")

    def getKineticEnergy(self):
        return self._moving_alone("getKineticEnergy")

    def getMassMatrix(self):
        """Rows and columns of this robot's links."""
        return np.asarray(self._robot.getMassMatrix())[np.ix_(self._links, self._links)]

    def getGravityForces(self, g):
        """Entries of this robot's links."""
        return self._pick(self._robot.getGravityForces(g))

    def getMassMatrixInv(self):
        """Inverse of getMassMatrix(): the other links do not move."""
        return np.linalg.inv(self.getMassMatrix())

    def getCoriolisForces(self):
        """Entries of this robot's links while only they move."""
        return self._pick(self._moving_alone("getCoriolisForces"))

    def getCoriolisForceMatrix(self):
        """Rows and columns of this robot's links while only they move."""
        return np.asarray(self._moving_alone("getCoriolisForceMatrix"))[np.ix_(self._links, self._links)]

    def torquesFromAccel(self, ddq):
        """Torques, without gravity, that accelerate this robot's links while the others stand still."""
        return (self.getMassMatrix() @ np.asarray(ddq, dtype=float) + np.asarray(self.getCoriolisForces())).tolist()

    def accelFromTorques(self, t):
        """Accelerations, without gravity, by torques on this robot's links while the others are held still."""
        return np.linalg.solve(self.getMassMatrix(), np.asarray(t, dtype=float)
                               - np.asarray(self.getCoriolisForces())).tolist()

    def getCom(self):
        """Center of mass of this robot's links, in the world."""
        parts = [(self._robot.link(i), self._robot.link(i).getMass()) for i in self._links]
        total = sum(m.getMass() for _, m in parts)
        if total <= 0:
            raise RuntimeError("the links of this part of the robot have no mass")
        sums = sum(m.getMass() * np.asarray(l.getWorldPosition(m.getCom())) for l, m in parts)
        return (sums / total).tolist()

    def getComJacobian(self):
        """Jacobian (3, n) of getCom()."""
        parts = [(self._robot.link(i), self._robot.link(i).getMass()) for i in self._links]
        total = sum(m.getMass() for _, m in parts)
        J = sum(m.getMass() * np.asarray(l.getPositionJacobian(m.getCom())) for l, m in parts)
        return J[:, self._links] / max(total, 1e-300)

    def getTotalInertia(self):
        """Moments of inertia (3, 3) of this robot's links around getCom(), in world axes."""
        com, total = np.asarray(self.getCom()), np.zeros((3, 3))
        for i in self._links:
            link, m = self._robot.link(i), self._robot.link(i).getMass()
            R, t = link.getTransform()
            M = so3.ndarray(R)
            inertia = np.asarray(m.getInertia(), dtype=float)
            inertia = np.diag(inertia) if inertia.size == 3 else inertia.reshape(3, 3)
            d = M @ np.asarray(m.getCom()) + np.asarray(t) - com
            total += M @ inertia @ M.T + m.getMass() * (d @ d * np.eye(3) - np.outer(d, d))
        return total

    def reduce(self, robot=None):
        raise NotImplementedError("reduce() of part of a robot is not defined; reduce the robot")

    def interpolate(self, a, b, u):
        return self._pick(self._robot.interpolate(self.tofull(a), self.tofull(b), u))

    def distance(self, a, b):
        return self._robot.distance(self.tofull(a), self.tofull(b))

    def interpolateDeriv(self, a, b):
        return self._pick(self._robot.interpolateDeriv(self.tofull(a), self.tofull(b)))

    def randomizeConfig(self, unboundedScale=1.0):
        before = self._robot.getConfig()
        self._robot.randomizeConfig(unboundedScale)
        self._robot.setConfig(self._merge(before, self._pick(self._robot.getConfig())))

    def configToDrivers(self, q):
        values = self._robot.configToDrivers(self.tofull(q))
        return [values[d.index] for d in self._computeDrivers()]

    def velocityToDrivers(self, dq):
        values = self._robot.velocityToDrivers(self.tofull(dq, 0.0))
        return [values[d.index] for d in self._computeDrivers()]

    def _from_drivers(self, values, setter, getter):
        drivers = self._computeDrivers()
        if len(values) != len(drivers):
            raise ValueError(f"{len(drivers)} driver values are wanted, got {len(values)}")
        for d, v in zip(drivers, values):
            getattr(d, setter)(v)
        return self.fromfull(list(getattr(self._robot, getter)()))

    def configFromDrivers(self, driverValues):
        return self._from_drivers(driverValues, "setValue", "getConfig")

    def velocityFromDrivers(self, driverVelocities):
        return self._from_drivers(driverVelocities, "setVelocity", "getVelocity")

    def _full_link(self, link):
        return self._robot.link(link).getIndex() if isinstance(link, str) else self._links[link]

    def selfCollisionEnabled(self, link1, link2):
        return self._robot.selfCollisionEnabled(self._full_link(link1), self._full_link(link2))

    def enableSelfCollision(self, link1, link2, value=True):
        self._robot.enableSelfCollision(self._full_link(link1), self._full_link(link2), value)

    def selfCollides(self):
        geometries = [self._robot.link(i).geometry() for i in self._links]
        return any(True for _ in self_collision_iter(geometries, self.selfCollisionEnabled))

    def drawGL(self, keepAppearance=True):
        for i in self._links:
            self._robot.link(i).drawWorldGL(keepAppearance)

    def mount(self, link, subRobot, R, t):
        self._robot.mount(self.tofull(link), subRobot, R, t)

    def sensor(self, index):
        return self._robot.sensor(index)


class SubRobotModelLink:
    """A link of a SubRobotModel; what it does not change is the robot's link's."""

    def __init__(self, link, robot):
        self._link = link
        self._robot = robot
        self.robotIndex = link.robotIndex
        self.index = link.index  # Of the whole robot: objectives and solvers count there.

    def __getattr__(self, name):
        if name.startswith("__") or name == "_link":
            raise AttributeError(name)
        return getattr(self._link, name)

    def robot(self):
        return self._robot

    def getIndex(self):
        return self._robot.fromfull(self._link.getIndex())

    def getParent(self):
        p = self._robot.fromfull(self._link.getParent())
        return -1 if p is None else p

    def parent(self):
        p = self.getParent()
        return None if p < 0 else self._robot.link(p)

    def setParent(self, p):
        self._link.setParent(self._robot.tofull(p))

    def _columns(self, J):
        return np.asarray(J)[:, self._robot._links]

    def getJacobian(self, p):
        return self._columns(self._link.getJacobian(p))

    def getPositionJacobian(self, p):
        return self._columns(self._link.getPositionJacobian(p))

    def getOrientationJacobian(self):
        return self._columns(self._link.getOrientationJacobian())


class SubRobotModelDriver:
    """A driver of a SubRobotModel; links are counted within it."""

    def __init__(self, driver, robot):
        self._driver = driver
        self._robot = robot

    def __getattr__(self, name):
        if name.startswith("__") or name == "_driver":
            raise AttributeError(name)
        return getattr(self._driver, name)

    def robot(self):
        return self._robot

    def getAffectedLink(self):
        return self._robot._inv_links[self._driver.getAffectedLink()]

    def getAffectedLinks(self):
        inverse = self._robot._inv_links
        return [inverse[l] for l in self._driver.getAffectedLinks() if l in inverse]
