"""Controllers that move one joint after the other, or one alone, to and fro."""

import math

from .robotcontroller import RobotControllerBlock, RobotControllerIO


class BigWiggleController(RobotControllerBlock):
    """Each joint in turn to its upper limit, its lower, and back, in period seconds."""

    def __init__(self, robot, period=10):
        RobotControllerBlock.__init__(self, robot)
        self.robot = robot
        self.qmin, self.qmax = (list(x) for x in robot.getJointLimits())
        for i in range(len(self.qmin)):
            if self.qmax[i] - self.qmin[i] > 2 * math.pi:
                self.qmin[i] = max(self.qmin[i], -math.pi)
                self.qmax[i] = min(self.qmax[i], math.pi)
        self.q = robot.getConfig()
        self.index = 0
        self.startTime = None
        self.period = period

    def __getstate__(self):
        return {k: getattr(self, k) for k in ("q", "index", "startTime", "period")}

    def advance(self, **inputs):
        api = RobotControllerIO(inputs)
        if self.startTime is None:
            self.startTime = api.time()
        u = (api.time() - self.startTime) / self.period
        n = len(self.qmin)
        for _ in range(n):
            if self.qmin[self.index] != self.qmax[self.index]:
                break
            self.index = (self.index + 1) % n
        low, high, rest = (x[self.index] for x in (self.qmin, self.qmax, self.q))
        q = list(self.q)
        if u < 0.25:
            q[self.index] += math.sin(2 * math.pi * u) * (high - rest)
        elif u < 0.75:
            q[self.index] = high + 0.5 * (1.0 - math.sin(2 * math.pi * u)) * (low - high)
        elif u < 1.0:
            q[self.index] = low + (1.0 + math.sin(2 * math.pi * u)) * (rest - low)
        else:
            self.startTime = api.time()
            self.index = (self.index + 1) % n
        return api.makePositionCommand(q)

    def signal(self, type, **inputs):
        if type == "reset":
            self.index, self.startTime = 0, None


class OneJointWiggleController(RobotControllerBlock):
    """One joint to and fro by magnitude, in period seconds."""

    def __init__(self, robot, index, magnitude, period=10):
        RobotControllerBlock.__init__(self, robot)
        self.robot, self.index, self.magnitude, self.period = robot, index, magnitude, period
        self.q = robot.getConfig()
        self.startTime = None

    def advance(self, **inputs):
        api = RobotControllerIO(inputs)
        if self.startTime is None:
            self.startTime = api.time()
        q = list(self.q)
        u = (api.time() - self.startTime) / self.period
        q[self.index] += self.magnitude * math.sin(2 * math.pi * u)
        return api.makePositionCommand(q)

    def signal(self, type, **inputs):
        if type == "reset":
            self.startTime = None
