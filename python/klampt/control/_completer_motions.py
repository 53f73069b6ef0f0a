"""The commands of a completed interface that its base may lack, as motions in software."""

import math

from ..math import se3, so3, vectorops
from ..model import ik
from ..plan.motionplanning import combine_nd_cubic, interpolate_nd_min_time
from . import _motions
from .cartesian_drive import CartesianDriveSolver


class Kinematics:
    """Tool positions of driver values, and driver values that reach tool positions."""

    def __init__(self, owner):
        self.owner = owner
        self.tool = [0.0, 0.0, 0.0]

    def link(self):
        model = self.owner.klamptModel()
        if model is None:
            raise NotImplementedError(f"{self.owner}: Cartesian commands want a klamptModel()")
        link = self.owner.properties.get("klamptModelCartesianLink")
        if link is None:
            drivers = self.owner.indices()
            link = max((l for i in drivers for l in model.driver(i).getAffectedLinks()),
                       default=model.numLinks() - 1)
            link = model.numLinks() - 1 if self.owner.whole() else link
        return model.link(link)

    def pose(self, q):
        """Puts the model at driver values; returns the link."""
        model = self.owner.klamptModel()
        model.setConfig(self.owner.configToKlampt(q))
        return self.link()

    def position(self, q, frame="world"):
        link = self.pose(q)
        R, _ = link.getTransform()
        T = (R, link.getWorldPosition(self.tool))
        return T if frame == "world" else self._relative(T, frame)

    def _relative(self, T, frame):
        if frame == "tool":
            return se3.identity()
        if frame in ("base", "end effector"):
            base = self.owner.klamptModel().link(0).getTransform()
            return se3.mul(se3.inv(base), T)
        raise ValueError(f"frame '{frame}' is not known; use 'world', 'base' or 'tool'")

    def _rotated(self, q, vectors, frame):
        if frame == "world":
            return vectors
        R = self.position(q)[0] if frame == "tool" else (
            self.owner.klamptModel().link(0).getTransform()[0])
        return tuple(list(so3.apply(so3.inv(R), v)) for v in vectors)

    def velocity(self, q, dq, frame="world"):
        self.owner.klamptModel().setVelocity(self.owner.velocityToKlampt(dq))
        link = self.pose(q)
        twist = (list(link.getAngularVelocity()), list(link.getPointVelocity(self.tool)))
        return self._rotated(q, twist, frame)

    def force(self, q, t, frame="world"):
        import numpy as np
        link = self.pose(q)
        J = np.asarray(link.getJacobian(self.tool))
        wrench = np.linalg.lstsq(J.T, np.asarray(self.owner.velocityToKlampt(t)), rcond=None)[0]
        return self._rotated(q, (wrench[:3].tolist(), wrench[3:].tolist()), frame)

    def goal(self, x, frame):
        """IK objective of a tool position (3 numbers) or transform."""
        if frame != "world":
            base = (self.position(self.owner.commandedPosition()) if frame == "tool"
                    else self.owner.klamptModel().link(0).getTransform())
            x = se3.apply(base, x) if len(x) == 3 else se3.mul(base, x)
        link = self.link()
        if len(x) == 3:
            return ik.objective(link, local=self.tool, world=list(x))
        R, t = x
        return ik.objective(link, R=R, t=vectorops.sub(t, so3.apply(R, self.tool)))

    def solve(self, q, goal):
        """Driver values near q that reach a goal, or None."""
        model = self.owner.klamptModel()
        start = self.owner.configToKlampt(q)
        s = ik.solver(goal, 100, 1e-4)
        s.setActiveDofs(self.active())
        for bias in (start, []):  # Near it where that is possible.
            model.setConfig(start)
            s.setBiasConfig(bias)
            if s.solve():
                return self.owner.configFromKlampt(model.getConfig())
        return None

    def active(self):
        """Links that the drivers move."""
        model = self.owner.klamptModel()
        return sorted({l for i in self.owner.driverIndices()
                       for l in model.driver(i).getAffectedLinks()})


def line(owner, q, target, speed):
    """A straight motion from rest to rest within the limits of speed and acceleration."""
    vmax, amax = owner.limits()
    return _motions.Line(q, target, vectorops.mul(vmax, speed), vectorops.mul(amax, speed**2))


def move(owner, q, v, target, speed):
    """The fastest motion, each joint within its limits, that goes on from velocities v and ends at rest, all joints at once.

    Where there are no limits it is a straight one.
    """
    vmax, amax = owner.limits()
    vmax, amax = vectorops.mul(vmax, speed), vectorops.mul(amax, speed**2)
    model = owner.klamptModel()
    if model is None or not all(map(math.isfinite, [*vmax, *amax])) or min(*vmax, *amax, 1.0) <= 0:
        return line(owner, q, target, speed)
    ends = [model.driver(i).getLimits() for i in owner.driverIndices()]
    low = [min(a, x, y) for (a, _), x, y in zip(ends, q, target)]
    high = [max(b, x, y) for (_, b), x, y in zip(ends, q, target)]
    vmax = [max(a, abs(b)) for a, b in zip(vmax, v)]
    ramps = interpolate_nd_min_time(q, v, target, [0.0] * len(q), low, high, vmax, amax)
    if not ramps[0] or not all(ramps[0]):
        return line(owner, q, target, speed)
    times, points, slopes = combine_nd_cubic(*ramps)
    keep = [i for i in range(len(times)) if i + 1 == len(times) or times[i + 1] - times[i] > 1e-12]
    return _motions.Pieces([times[i] for i in keep], [list(points[i]) for i in keep[:-1]] + [list(target)],
                           [list(slopes[i]) for i in keep])


def tool_line(kinematics, q, x, speed, frame):
    """A motion of the tool along a line, or None when its end is out of reach."""
    goal = kinematics.goal(x, frame)
    end = kinematics.solve(q, goal)
    if end is None:
        return None
    start = kinematics.position(q)
    target = kinematics.position(end)
    duration = max(0.1, line(kinematics.owner, q, end, speed).duration)
    passed = [0.0]

    def step(dt, q):
        passed[0] += dt
        u = min(1.0, passed[0] / duration)
        T = se3.interpolate(start, target, u)
        where = T if len(x) == 2 else T[1]
        return kinematics.solve(q, kinematics.goal(where, "world"))
    return _motions.Steps(q, step, duration, end)


def tool_velocity(kinematics, q, dx, ttl, frame):
    """A motion of the tool with a velocity: 3 numbers, or (angular, linear)."""
    owner = kinematics.owner
    w, v = (None, dx) if len(dx) == 3 else dx
    if frame != "world":
        R = kinematics.position(q)[0] if frame == "tool" else (
            owner.klamptModel().link(0).getTransform()[0])
        w, v = (None if a is None else list(so3.apply(R, a)) for a in (w, v))
    drive = CartesianDriveSolver(owner.klamptModel())
    drive.start(owner.configToKlampt(q), kinematics.link().index,
                endEffectorPositions=[kinematics.tool])
    drive.setActiveDofs(kinematics.active())

    def step(dt, q):
        progress, whole = drive.drive(owner.configToKlampt(q), w, v, dt)
        return None if progress < 0 else owner.configFromKlampt(whole)
    return _motions.Steps(q, step, 1.0 if ttl is None else ttl)
