"""Inverse kinematics between links and rigid objects."""

from .entities import RigidObjectModel
from .ik import IKObjective, IKSolver
from .link import RobotModelLink


class GeneralizedIKObjective:
    """The goal of a link or rigid object, relative to the world, or to another link or rigid object."""

    def __init__(self, a, b=None):
        if isinstance(a, GeneralizedIKObjective):
            self.__dict__.update(vars(a))
            self.goal = IKObjective(a.goal)
            return
        self.isObj1, self.isObj2 = isinstance(a, RigidObjectModel), isinstance(b, RigidObjectModel)
        for entity in (a, b):
            if entity is not None and not isinstance(entity, (RigidObjectModel, RobotModelLink)):
                raise TypeError("links and rigid objects have poses to solve for, not a %s" % type(entity).__name__)
        self.obj1, self.link1 = (a, None) if self.isObj1 else (None, a)
        self.obj2, self.link2 = (b, None) if self.isObj2 else (None, b)
        self.goal = IKObjective()

    def setPoint(self, p1, p2):
        """A point of the first at a point of the second."""
        self.goal.setFixedPoint(0, p1, p2)

    def setPoints(self, p1s, p2s):
        """Points of the first at points of the second."""
        self.goal.setFixedPoints(0, p1s, p2s)

    def setTransform(self, R, t):
        """The first at a pose in the frame of the second."""
        self.goal.setFixedTransform(0, R, t)

    def sampleTransform(self):
        """A random pose of the first in the frame of the second that is allowed."""
        return self.goal.sampleTransform()


class GeneralizedIKSolver:
    """Solves generalized objectives of one robot's links, relative to the world and to rigid objects, which stay."""

    def __init__(self, world):
        self.world = world
        self.objectives = []
        self.tol, self.maxIters = 1e-3, 100
        self.useJointLimits = True

    def add(self, objective):
        """Adds an objective."""
        self.objectives.append(GeneralizedIKObjective(objective))

    def setMaxIters(self, iters):
        """Sets the number of iterations at most."""
        self.maxIters = int(iters)

    def setTolerance(self, res):
        """Sets the largest error that counts as solved."""
        self.tol = float(res)

    def _solver(self):
        robots = [o.link1.robot() for o in self.objectives if o.link1 is not None]
        if len({id(r._robot) for r in robots}) != 1 or len(robots) != len(self.objectives):
            raise RuntimeError("objectives of one robot's links can be solved, not of several robots or of rigid objects")
        solver = IKSolver(robots[0])
        solver.tol, solver.maxIters, solver.useJointLimits = self.tol, self.maxIters, self.useJointLimits
        for o in self.objectives:
            goal = IKObjective(o.goal)
            if o.link2 is not None and o.link2._robot is not o.link1._robot:
                raise RuntimeError("the links of an objective must belong to one robot")
            goal.setLinks(o.link1.index, -1 if o.link2 is None else o.link2.index)
            if o.isObj2:
                goal.transform(*o.obj2.getTransform())
            solver.add(goal)
        return solver

    def getResidual(self):
        """Errors of the objectives."""
        return self._solver().getResidual()

    def getJacobian(self):
        """Returns how they change with the links that may move."""
        return self._solver().getJacobian()

    def solve(self):
        """Moves the robot to meet the objectives: (worked, iterations)."""
        solver = self._solver()
        return solver.solve(), solver.lastSolveIters()

    def sampleInitial(self):
        """Moves the robot to a random place within limits."""
        self._solver().sampleInitial()
