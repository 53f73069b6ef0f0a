"""The commands of a completed interface that its base may lack, as motions in software."""

import math

from ..math import se3, so3, vectorops
from ..model import ik
from ..plan.motionplanning import combine_nd_cubic, interpolate_nd_min_time
from . import _motions
from ._cartesian import frame_of, in_frame, position_in, wrench_of
from .cartesian_drive import CartesianDriveSolver


class Kinematics:
    """Tool positions of driver values, and driver values that reach tool positions.

    The tool is a point of the link 'klamptModelCartesianLink' of the properties, else of the first link that the last driver
    moves. Frames: 'world', 'base' (the link before the first driver's), 'end effector' (the tool's link), 'tool'.
    """

    def __init__(self, owner):
        self.owner = owner
        self.tool = [0.0, 0.0, 0.0]

    def link(self):
        model = self.owner.klamptModel()
        if model is None:
            raise NotImplementedError(f"{self.owner}: Cartesian commands want a klamptModel()")
        link = self.owner.properties.get("klamptModelCartesianLink")
        if link is None:
            drivers = self.owner.driverIndices()
            link = model.driver(drivers[-1]).getAffectedLink() if drivers else model.numLinks() - 1
        return model.link(link)

    def pose(self, q):
        """Puts the model at driver values, of all drivers or of the owner's; returns the tool's link."""
        model = self.owner.klamptModel()
        whole = len(q) == model.numDrivers() != self.owner.numJoints()
        model.setConfig(model.configFromDrivers(list(q)) if whole else self.owner.configToKlampt(q))
        return self.link()

    def frame(self, frame):
        """A frame in the world, of the model as it is posed."""
        return frame_of(self.owner.klamptModel(), self.owner.driverIndices(), self.tool, self.link().index, frame)

    def position(self, q, frame="world"):
        self.pose(q)
        if frame in ("tool", "end effector"):  # Whatever the configuration.
            return (so3.identity(), [0.0] * 3 if frame == "tool" else list(self.tool))
        return position_in(self.frame(frame), self.frame("tool"))

    def velocity(self, q, dq, frame="world"):
        model = self.owner.klamptModel()
        whole = len(dq) == model.numDrivers() != self.owner.numJoints()
        model.setVelocity(model.velocityFromDrivers(list(dq)) if whole else self.owner.velocityToKlampt(dq))
        link = self.pose(q)
        return in_frame((link.getAngularVelocity(), link.getPointVelocity(self.tool)), self.frame(frame))

    def force(self, q, t, frame="world"):
        model = self.owner.klamptModel()
        link = self.pose(q)
        whole = len(t) == model.numDrivers() != self.owner.numJoints()
        torques = model.velocityFromDrivers(list(t)) if whole else self.owner.velocityToKlampt(t)
        return in_frame(wrench_of(link, self.tool, torques), self.frame(frame))

    def goal(self, x, frame):
        """IK objective of a tool position (3 numbers) or transform."""
        if frame != "world":
            self.pose(self.owner.commandedPosition())
            base = self.frame(frame)
            x = se3.apply(base, x) if len(x) == 3 else se3.mul(base, x)
        link = self.link()
        if len(x) == 3:
            return ik.objective(link, local=self.tool, world=list(x))
        R, t = x
        return ik.objective(link, R=R, t=vectorops.sub(t, so3.apply(R, self.tool)))

    def solve(self, q, goal, nearest=False):
        """Driver values near q that reach a goal; where there are none, None, or those that come nearer to it than q."""
        model = self.owner.klamptModel()
        start = self.owner.configToKlampt(q)
        s = ik.solver(goal, 100, 1e-4)
        s.setActiveDofs(self.active())
        model.setConfig(start)
        least, best = vectorops.norm(s.getResidual()), None
        for bias in (start, []):  # Near it where that is possible.
            model.setConfig(start)
            s.setBiasConfig(bias)
            if s.solve():
                return self._unwound(q, model.getConfig())
            left = vectorops.norm(s.getResidual())
            if left < least:
                least, best = left, model.getConfig()
        return self._unwound(q, best) if nearest and best is not None else None

    def _unwound(self, q, config):
        """Driver values of a solution, joints that may turn without end by as many whole turns as bring them nearest to q."""
        model = self.owner.klamptModel()
        values = list(self.owner.configFromKlampt(config))
        for k, i in enumerate(self.owner.driverIndices()):
            driver = model.driver(i)
            links = driver.getAffectedLinks()
            if len(links) != 1 or not model.link(links[0]).isRevolute():
                continue
            turned = values[k] + 2 * math.pi * round((q[k] - values[k]) / (2 * math.pi))
            low, high = driver.getLimits()
            if low <= turned <= high:
                values[k] = turned
        return values

    def active(self):
        """Links that drivers move one by one, which inverse kinematics may move apart; all that they move where there are none."""
        model = self.owner.klamptModel()
        moved = [model.driver(i).getAffectedLinks() for i in self.owner.driverIndices()]
        alone = [links for links in moved if len(links) == 1]
        return sorted({l for links in (alone or moved) for l in links})


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
    """A motion of the tool along a line, and whether its end is within reach; else as near as it comes."""
    goal = kinematics.goal(x, frame)
    end = kinematics.solve(q, goal)
    reached = end is not None
    if not reached:
        end = kinematics.solve(q, goal, nearest=True) or list(q)
    start = kinematics.position(q)
    target = kinematics.position(end)
    duration = max(0.1, line(kinematics.owner, q, end, speed).duration)
    passed = [0.0]

    def step(dt, q):
        passed[0] += dt
        u = min(1.0, passed[0] / duration)
        T = se3.interpolate(start, target, u)
        where = T if len(x) == 2 else T[1]
        return kinematics.solve(q, kinematics.goal(where, "world"), nearest=True) or q
    return _motions.Steps(q, step, duration, end), reached


def tool_velocity(kinematics, q, dx, ttl, frame):
    """A motion of the tool with a velocity: 3 numbers, or (angular, linear)."""
    owner = kinematics.owner
    w, v = (None, dx) if len(dx) == 3 else dx
    if frame != "world":
        kinematics.pose(q)
        R = kinematics.frame(frame)[0]
        w, v = (None if a is None else list(so3.apply(R, a)) for a in (w, v))
    drive = CartesianDriveSolver(owner.klamptModel())
    drive.start(owner.configToKlampt(q), kinematics.link().index,
                endEffectorPositions=[kinematics.tool])
    drive.setActiveDofs(kinematics.active())

    def step(dt, q):
        progress, whole = drive.drive(owner.configToKlampt(q), w, v, dt)
        return None if progress < 0 else owner.configFromKlampt(whole)
    return _motions.Steps(q, step, 1.0 if ttl is None else ttl)
