"""Tools driven with velocities, by small steps of inverse kinematics."""

import math

from ..math import se3, so3, vectorops
from ..model import ik
from ..robotsim import IKObjective

__all__ = ["CartesianDriveSolver"]


class CartesianDriveSolver:
    """Moves links of a robot with given velocities: start(), then drive() each step.

    driveTransforms holds where each tool should be, driveSpeedAdjustment the part of the
    speed that was possible lately.
    """

    def __init__(self, robot):
        self.robot = robot
        self.positionTolerance = 1e-4
        self.rotationTolerance = 1e-3
        self.ikSolveTolerance = 0
        self.driveSpeedAdjustment = 1.0
        self.links = self.baseLinks = None
        self.endEffectorOffsets = None
        self.driveTransforms = None
        self.ikGoals = None
        self.qmin = self.qmax = self.vmin = self.vmax = None
        self.solver = None

    def start(self, q, links, baseLinks=None, endEffectorPositions=None):
        """Starts at a configuration.

        links: a link or a list (indices or names). baseLinks: what each is relative to.
        endEffectorPositions: the tool's point in each link.
        """
        if isinstance(links, (int, str)):
            links = [links]
        if isinstance(baseLinks, (int, str)):
            baseLinks = [baseLinks]
        if endEffectorPositions is None:
            endEffectorPositions = [(0, 0, 0)] * len(links)
        elif not hasattr(endEffectorPositions[0], "__iter__"):
            endEffectorPositions = [endEffectorPositions]
        for name, items in (("baseLinks", baseLinks), ("endEffectorPositions", endEffectorPositions)):
            if items is not None and len(items) != len(links):
                raise ValueError(f"{name} wants {len(links)} entries, one a link, got {len(items)}")
        self.robot.setConfig(q)
        self.links, self.baseLinks = list(links), baseLinks
        self.endEffectorOffsets = [list(p) for p in endEffectorPositions]
        bodies = [self.robot.link(l) for l in links]
        bases = [None if b is None or b == "" or (isinstance(b, int) and b < 0)
                 else self.robot.link(b) for b in (baseLinks or [None] * len(links))]
        self._bases = bases
        self.driveTransforms = [self._tool(l, b, p) for l, b, p in
                                zip(bodies, bases, self.endEffectorOffsets)]
        self.ikGoals = [ik.fixed_objective(l, b, local=p) for l, b, p in
                        zip(bodies, bases, self.endEffectorOffsets)]
        self.solver = ik.solver(self.ikGoals)
        self.solver.setMaxIters(20)
        self.driveSpeedAdjustment = 1.0

    @staticmethod
    def _tool(link, base, point):
        T = (link.getTransform()[0], link.getWorldPosition(point))
        if base is not None:
            T = se3.mul(se3.inv(base.getTransform()), T)
        return [list(T[0]), list(T[1])]

    def setTolerance(self, positionTolerance, rotationTolerance=None):
        """Sets how far tools may be off, in meters and radians."""
        self.positionTolerance = positionTolerance
        self.rotationTolerance = (positionTolerance if rotationTolerance is None
                                  else rotationTolerance)

    def setMaxIters(self, maxIters):
        """Iterations of the solver a step."""
        self.solver.setMaxIters(maxIters)

    def setActiveDofs(self, activeDofs):
        """Links that may move."""
        self.solver.setActiveDofs(activeDofs)

    def setJointLimits(self, qmin, qmax=None):
        """Limits instead of the robot's; None for the robot's."""
        assert (qmin is None) == (qmax is None), "qmin and qmax belong together"
        self.qmin, self.qmax = qmin, qmax

    def setVelocityLimits(self, vmin=None, vmax=None):
        """Velocity limits instead of the robot's; None for the robot's."""
        assert (vmin is None) == (vmax is None), "vmin and vmax belong together"
        self.vmin, self.vmax = vmin, vmax

    def _listed(self, v, name):
        if v is None:
            return [None] * len(self.links)
        if not hasattr(v[0], "__iter__") and v[0] is not None:
            v = [v]
        if len(v) != len(self.links):
            raise ValueError(f"{name} wants {len(self.links)} vectors, one a link, got {len(v)}")
        return v

    def _step_limits(self, q, dt):
        """Joint limits, tightened to what can be reached in dt."""
        low, high = self.robot.getJointLimits()
        low, high = list(self.qmin or low), list(self.qmax or high)
        vmax = self.robot.getVelocityLimits() if self.vmax is None else self.vmax
        vmin = vectorops.mul(vmax, -1.0) if self.vmin is None else self.vmin
        for i, x in enumerate(q):
            low[i], high[i] = max(low[i], x + dt * vmin[i]), min(high[i], x + dt * vmax[i])
        return low, high

    def _goals(self, angVel, vel, amount):
        """Objectives of tools moved on by amount seconds."""
        tp, tr = self.positionTolerance, self.rotationTolerance
        for i, (w, v) in enumerate(zip(angVel, vel)):
            goal = IKObjective(self.ikGoals[i])
            if math.isfinite(tp) and math.isfinite(tr):
                goal.rotationScale, goal.positionScale = tp / (tp + tr), tr / (tp + tr)
            R, t = self.driveTransforms[i]
            if v is None:
                goal.setFreePosition()
            else:
                goal.setFixedPosConstraint(self.endEffectorOffsets[i], vectorops.madd(t, v, amount))
            if w is None:
                goal.setFreeRotConstraint()
            else:
                goal.setFixedRotConstraint(so3.mul(so3.from_moment(vectorops.mul(w, amount)), R))
            self.solver.set(i, goal)

    def _advance(self, angVel, vel, dt):
        """Moves driveTransforms by what was achieved; returns the seconds achieved."""
        reached = [self._tool(self.robot.link(l), b, p) for l, b, p in
                   zip(self.links, self._bases, self.endEffectorOffsets)]
        done = weight = 0.0
        for (R, t), (R0, t0), w, v in zip(reached, self.driveTransforms, angVel, vel):
            if v is not None:
                speed = vectorops.norm(v)
                way = vectorops.dot(vectorops.sub(t, t0), v) / max(speed, 1e-8)
                done += speed * min(max(way, 0.0), dt * speed)
                weight += speed**2
            if w is not None:
                speed = vectorops.norm(w)
                turn = vectorops.dot(so3.error(R, R0), w) / max(speed, 1e-8)
                done += speed * min(max(turn, 0.0), dt * speed)
                weight += speed**2
        amount = done / max(weight, 1e-8)
        for i, (w, v) in enumerate(zip(angVel, vel)):
            R, t = self.driveTransforms[i]
            t = reached[i][1] if v is None else vectorops.madd(t, v, amount)
            if w is None:
                R = reached[i][0]
            else:
                R = so3.mul(so3.from_moment(vectorops.mul(w, amount)), R)
                R = so3.from_quaternion(so3.quaternion(R))
            self.driveTransforms[i] = [R, t]
        return amount

    def drive(self, qcur, angVel, vel, dt):
        """One step: (progress, configuration).

        angVel, vel: velocities a link in its base's frame; None leaves rotation or position
        free. progress is the part of the step that was possible, -1 when none was.
        """
        if len(qcur) != self.robot.numLinks():
            raise ValueError(f"{self.robot.numLinks()} values are wanted, got {len(qcur)}")
        if angVel is None and vel is None:
            return (1.0, qcur)
        angVel, vel = self._listed(angVel, "angVel"), self._listed(vel, "vel")
        if not any(v is not None and any(v) for v in list(angVel) + list(vel)):
            return (1.0, qcur)
        self.robot.setConfig(qcur)
        low, high = self._step_limits(qcur, dt)
        self.solver.setJointLimits(low, high)
        tolerance = min(self.positionTolerance, self.rotationTolerance)
        self.solver.setTolerance(min(1e-6, tolerance / (math.sqrt(3.0) * len(self.links))))
        if self.driveSpeedAdjustment <= 0:
            self.driveSpeedAdjustment = 0.1
        failed = False
        while self.driveSpeedAdjustment > 1e-8:
            self.robot.setConfig(qcur)
            self._goals(angVel, vel, dt * self.driveSpeedAdjustment)
            before = vectorops.norm(self.solver.getResidual())
            solved = self.solver.solve()
            q = self.robot.getConfig()
            for k in self.solver.getActiveDofs():
                q[k] = _within(q[k], low[k], high[k])
            self.robot.setConfig(q)
            after = vectorops.norm(self.solver.getResidual())
            if after < before - 1e-8 or (solved and after <= before):
                amount = self._advance(angVel, vel, dt)
                self._adjust(amount / dt, failed)
                return (amount / dt, q)
            failed = True
            self.driveSpeedAdjustment -= 0.1
        self.driveSpeedAdjustment = 0.0
        self.robot.setConfig(qcur)
        return (-1, qcur)

    def _adjust(self, progress, failed):
        if math.ceil(progress * 10) < math.floor(self.driveSpeedAdjustment * 10):
            self.driveSpeedAdjustment = max(0.0, self.driveSpeedAdjustment - 0.1)
        elif not failed:
            self.driveSpeedAdjustment = min(1.0, self.driveSpeedAdjustment + 0.1)

    def getTrajectory(self, qcur, angVel, vel, dt, numSteps, reset=True):
        """Configurations of numSteps steps; with reset the solver stays where it was."""
        kept = ([list(T) for T in self.driveTransforms], self.driveSpeedAdjustment)
        path = [qcur]
        for _ in range(numSteps):
            progress, q = self.drive(path[-1], angVel, vel, dt)
            path.append(q if progress > 0 else path[-1])
        if reset:
            self.driveTransforms, self.driveSpeedAdjustment = kept
        return path


def _within(x, low, high):
    """x, or x a whole turn away, within limits; else the nearer limit."""
    for turn in (0.0, 2 * math.pi, -2 * math.pi):
        if low <= x + turn <= high:
            return x + turn
    return max(min(x, high), low)
