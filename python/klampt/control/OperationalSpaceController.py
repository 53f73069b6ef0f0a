"""Velocity-based operational space control, for programs of versions 0.5 to 0.8: tasks x = f(q), each with a velocity that
brings it to its desired value, in the order of their priorities.

`mortise.OperationalSpaceController` (docs/controllers.md) controls torques and knows the robot's inertia.
"""

import math

import numpy as np

from ..math import se3, so3, vectorops
from .controller import ControllerBase


class Task:
    """A task x = f(q). Override getSensedValue() and getJacobian(), and taskDifference() where x is no vector.

    The commanded velocity is hP e + hD (dx - dxdes) + hI (integral of e), with e = x - xdes: gains are numbers below 0, or
    matrices. It is no longer than vcmdmax, and changes by no more than dvcmdmax a second.
    """

    def __init__(self):
        self.level, self.weight, self.name = 1, 1, "unnamed"
        self.hP, self.hD, self.hI = -1, 0, 0
        self.xdes, self.dxdes = [0], [0]
        self.eI, self.eImax = None, float("inf")
        self.vcmdmax = self.dvcmdmax = float("inf")
        self.qLast = None
        self.activeDofs = None

    def getDesiredValue(self):
        """Returns the desired value of x."""
        return self.xdes

    def setDesiredValue(self, xdes):
        """Sets the desired value of x."""
        self.xdes = xdes

    def setDesiredVelocity(self, dxdes):
        """Sets the desired velocity of x."""
        self.dxdes = dxdes

    def setGains(self, hP=-1, hD=-0.1, hI=-0.1):
        """Sets gains on the error, its derivative and its integral."""
        self.hP, self.hD, self.hI = hP, hD, hI

    def setGainsTaskFrame(self, A, Ainv, hP, hD, hI):
        """Sets gains of the coordinates y = A x, a list each or a number."""
        self.hP, self.hD, self.hI = (Ainv @ np.diag(h) @ A if np.ndim(h) == 1 else h for h in (hP, hD, hI))

    def setPriority(self, level=1):
        """Sets the priority; tasks of lower numbers come first."""
        self.level = level

    def setWeight(self, weight):
        """Sets the weight among tasks of the same priority, one number or one a row; 0: the task is off."""
        self.weight = weight

    def setName(self, name):
        """Sets the name."""
        self.name = name

    def resetITerm(self):
        """Forgets the integral of the error."""
        self.eI = None

    def updateState(self, q, dq, dt):
        """Prepares for a step."""

    def getSensedValue(self, q):
        """The value of f at q."""
        raise NotImplementedError(f"{type(self).__name__} gives no getSensedValue()")

    def getJacobian(self, q):
        """The derivative of f at q, a row a number of x."""
        raise NotImplementedError(f"{type(self).__name__} gives no getJacobian()")

    def taskDifference(self, a, b):
        """The vector from b to a."""
        return vectorops.sub(a, b)

    def getSensedError(self, q):
        """The vector from the desired value to the one at q."""
        return self.taskDifference(self.getSensedValue(q), self.xdes)

    def getSensedVelocity(self, q, dq, dt):
        """The velocity of x since the last step; None before there is one."""
        if self.qLast is None:
            return None
        return vectorops.div(self.taskDifference(self.getSensedValue(q), self.getSensedValue(self.qLast)), dt)

    def getCommandVelocity(self, q, dq, dt):
        """The velocity of x that is asked for."""
        command = np.dot(self.hP, self.getSensedError(q))
        current = self.getSensedVelocity(q, dq, dt)
        if current is not None:
            command = command + np.dot(self.hD, np.subtract(current, self.dxdes))
        if self.eI is not None:
            command = command + np.dot(self.hI, self.eI)
        if current is not None:
            command = np.add(current, _shortened(np.subtract(command, current), self.dvcmdmax * dt))
        return _shortened(command, self.vcmdmax).tolist()

    def advance(self, q, dq, dt):
        """Ends a step: integrates the error."""
        if np.any(np.greater(self.weight, 0)):
            error = np.asarray(self.getSensedError(q), dtype=float)
            self.eI = _shortened(error * dt if self.eI is None else self.eI + error * dt, self.eImax)
        self.qLast = q

    def drawGL(self, q):
        """Draws nothing: there is no display."""

    def _active(self, J):
        """The Jacobian of the links that may move for this task."""
        J = np.array(J, dtype=float)
        if self.activeDofs is not None:
            J[:, [i for i in range(J.shape[1]) if i not in self.activeDofs]] = 0
        return J


def _shortened(v, longest):
    """A vector, no longer than that."""
    length = np.linalg.norm(v)
    return np.asarray(v, dtype=float) * (longest / length if length > longest else 1.0)


class COMTask(Task):
    """The center of mass, in the world or in the frame of a link."""

    def __init__(self, robot, baseLinkNo=-1):
        Task.__init__(self)
        self.robot, self.baseLinkNo, self.name = robot, baseLinkNo, "CoM"

    def getSensedValue(self, q):
        self.robot.setConfig(q)
        com = self.robot.getCom()
        return com if self.baseLinkNo < 0 else se3.apply(se3.inv(self.robot.link(self.baseLinkNo).getTransform()), com)

    def getJacobian(self, q):
        self.robot.setConfig(q)
        J = np.array(self.robot.getComJacobian(), dtype=float)
        if self.baseLinkNo >= 0:
            J = _relative(self.robot.link(self.baseLinkNo), J, self.robot.getCom())
        return self._active(J)


def _relative(base, J, point):
    """The Jacobian of a point as seen from a link."""
    local = base.getLocalPosition(point)
    R = np.array(so3.matrix(base.getTransform()[0]))
    return R.T @ (J - np.array(base.getPositionJacobian(local)))


class LinkTask(Task):
    """A link's point (localPosition) and orientation: taskType is 'po', 'position' or 'orientation'; in the world or in the
    frame of another link."""

    def __init__(self, robot, linkNo, taskType, baseLinkNo=-1):
        if taskType not in ("po", "position", "orientation"):
            raise ValueError(f"taskType is 'po', 'position' or 'orientation', got {taskType!r}")
        Task.__init__(self)
        self.robot, self.linkNo, self.baseLinkNo, self.taskType = robot, linkNo, baseLinkNo, taskType
        self.link = robot.link(linkNo)
        self.baseLink = None if baseLinkNo < 0 else robot.link(baseLinkNo)
        self.localPosition = [0.0, 0.0, 0.0]
        self.name = "Link"

    def getSensedValue(self, q):
        self.robot.setConfig(q)
        T = self.link.getTransform()
        if self.baseLink is not None:
            T = se3.mul(se3.inv(self.baseLink.getTransform()), T)
        R, p = T[0], se3.apply(T, self.localPosition)
        return {"po": (R, p), "position": p, "orientation": R}[self.taskType]

    def taskDifference(self, a, b):
        if self.taskType == "position":
            return vectorops.sub(a, b)
        if self.taskType == "orientation":
            return _turn(a, b)
        return _turn(a[0], b[0]) + vectorops.sub(a[1], b[1])

    def getJacobian(self, q):
        self.robot.setConfig(q)
        rows = []
        if self.taskType != "position":
            turn = np.array(self.link.getOrientationJacobian(), dtype=float)
            if self.baseLink is not None:
                R = np.array(so3.matrix(self.baseLink.getTransform()[0]))
                turn = R.T @ (turn - np.array(self.baseLink.getOrientationJacobian()))
            rows.append(turn)
        if self.taskType != "orientation":
            move = np.array(self.link.getPositionJacobian(self.localPosition), dtype=float)
            rows.append(move if self.baseLink is None else
                        _relative(self.baseLink, move, self.link.getWorldPosition(self.localPosition)))
        return self._active(np.vstack(rows))


def _turn(a, b):
    """The rotation vector, in the frame that a and b are in, that leads from b to a."""
    return so3.moment(so3.mul(a, so3.inv(b)))


class JointTask(Task):
    """Some joints, by index."""

    def __init__(self, robot, jointIndices):
        Task.__init__(self)
        self.robot, self.jointIndices, self.name = robot, list(jointIndices), "Joint"

    def getSensedValue(self, q):
        return [q[i] for i in self.jointIndices]

    def getJacobian(self, q):
        J = np.zeros((len(self.jointIndices), self.robot.numLinks()))
        J[range(len(self.jointIndices)), self.jointIndices] = 1
        return J


class JointLimitTask(JointTask):
    """Slows joints that would pass their limits if they braked with a part 1/buffersize of their acceleration."""

    def __init__(self, robot):
        JointTask.__init__(self, robot, [])
        self.buffersize, self.wscale, self.maxw = 2.0, 0.1, 10
        self.qmin, self.qmax = robot.getJointLimits()
        self.accelMax = robot.getAccelerationLimits()
        self.weight, self.xdes, self.dxdes = 0, [], []
        self.name = "Joint limits"
        self.setGains(-0.1, -0.2, 0)

    def updateState(self, q, dq, dt):
        joints, weights, values, velocities = [], [], [], []
        for i, (x, v) in enumerate(zip(q, dq)):
            low, high, a = self.qmin[i], self.qmax[i], self.accelMax[i]
            limit, sign = (high, 1) if v > 0 else (low, -1)
            room = sign * (limit - x)
            if high <= low or not (a > 0 and np.isfinite(a) and np.isfinite(limit)) or v * v * self.buffersize / (2 * a) <= room:
                continue
            needed = v * v / (2 * room) if room > 0 else float("inf")
            full = needed >= a
            braking = a if full else needed
            joints.append(i)
            weights.append(self.maxw if full else max(0.0, min(self.maxw, self.wscale * (needed - a / self.buffersize) / (a - needed))))
            values.append(min(max(x, low), high))
            velocities.append(v - sign * braking * dt)
        if joints != self.jointIndices:
            self.resetITerm()
        self.jointIndices, self.xdes, self.dxdes = joints, values, velocities
        self.weight = weights if joints else 0


class OperationalSpaceController:
    """Solves for the velocity of the joints that fulfils tasks in the order of their priorities, within the robot's limits of
    velocity and acceleration. Links whose joint limits coincide, and others than activeDofs where there are any, stand still."""

    def __init__(self, robot):
        self.robot = robot
        self.taskList = []
        self.activeDofs = None
        self.motionModel = None
        self.qdes = self.ulast = None

    def addTask(self, task, **args):
        """Adds a task, and returns it. priority, name, weight, gains (three), value and velocity as its setters take them;
        without value it stays where the robot is."""
        for key, setter in (("priority", task.setPriority), ("name", task.setName), ("weight", task.setWeight)):
            if key in args:
                setter(args.pop(key))
        if "gains" in args:
            task.setGains(*args.pop("gains"))
        q = self.robot.getConfig()
        task.setDesiredValue(args.pop("value") if "value" in args else task.getSensedValue(q))
        task.setDesiredVelocity(args.pop("velocity") if "velocity" in args else [0.0] * len(task.getSensedError(q)))
        if args:
            raise TypeError(f"addTask() takes priority, name, weight, gains, value and velocity, got {', '.join(sorted(args))}")
        self.robot.setConfig(q)
        self.taskList.append(task)
        return task

    def getTaskByName(self, taskName):
        """The task of a name; None: there is none."""
        return next((task for task in self.taskList if task.name == taskName), None)

    def setDesiredValuesFromConfig(self, qdes, tasks=None):
        """Sets desired values to those at a configuration."""
        for task in self.taskList if tasks is None else tasks:
            task.setDesiredValue(task.getSensedValue(qdes))

    def setDesiredVelocitiesFromVelocity(self, q, dq, tasks=None):
        """Sets desired velocities to those of a robot that moves so."""
        for task in self.taskList if tasks is None else tasks:
            task.setDesiredVelocity(np.dot(task.getJacobian(q), dq).tolist())

    def setDesiredVelocitiesFromDifference(self, qdes0, qdes1, dt, tasks=None):
        """Sets desired velocities to those between two configurations, dt apart."""
        for task in self.taskList if tasks is None else tasks:
            change = task.taskDifference(task.getSensedValue(qdes1), task.getSensedValue(qdes0))
            task.setDesiredVelocity(vectorops.div(change, dt))

    def printStatus(self, q):
        """Prints the errors of all tasks, by priority."""
        for level in sorted({task.level for task in self.taskList}):
            errors = (f"{task.name} {vectorops.norm(task.getSensedError(q)):.3g}" for task in self.taskList
                      if task.level == level and np.any(task.weight))
            print(f"priority {level}: {', '.join(errors)}")

    def _levels(self, q, dq, dt):
        """Rows and wanted velocities of each priority."""
        levels = {}
        for task in self.taskList:
            if np.any(task.weight):
                weight = np.reshape(task.weight, (-1, 1))
                rows, wanted = task.getJacobian(q) * weight, np.array(task.getCommandVelocity(q, dq, dt)) * weight[:, 0]
                levels.setdefault(task.level, []).append((rows, wanted))
        return [tuple(np.concatenate(part) for part in zip(*levels[level])) for level in sorted(levels)]

    def _bounds(self, dq, dt):
        """Velocities that the robot may have next."""
        vmax, amax = (np.array(v, dtype=float) for v in (self.robot.getVelocityLimits(), self.robot.getAccelerationLimits()))
        last = np.array(dq if self.ulast is None else self.ulast, dtype=float)
        high = np.maximum(np.minimum(vmax, last + dt * amax), last - dt * amax)
        low = np.minimum(np.maximum(-vmax, last - dt * amax), last + dt * amax)
        qmin, qmax = self.robot.getJointLimits()
        for i in range(len(low)):
            if qmin[i] == qmax[i] or (self.activeDofs is not None and i not in self.activeDofs):
                low[i] = high[i] = 0.0
        return low, high

    def solve(self, q, dq, dt):
        """Returns the desired configuration in dt (s) and the desired velocity, lists of a value a link.

        Raises ValueError for a dt that is not above 0, and where a task asks for what is no number.
        """
        if not (dt > 0 and math.isfinite(dt)):
            raise ValueError(f"expected a dt above 0 s, found {dt}")
        for task in self.taskList:
            task.updateState(q, dq, dt)
        levels, (low, high) = self._levels(q, dq, dt), self._bounds(dq, dt)
        if not all(np.all(np.isfinite(J)) and np.all(np.isfinite(v)) for J, v in levels):
            raise ValueError("tasks ask for what is no number: the state, their desired values or gains hold NaN or infinity")
        if self.motionModel is None:
            u = _prioritized(levels, low, high)
        else:  # The velocity will be A u + b.
            A, b = (np.asarray(m.todense() if hasattr(m, "todense") else m, dtype=float)
                    for m in self.motionModel.linearization(q, dq))
            u = _prioritized([(J @ A, v - J @ b) for J, v in levels], low, high)
        self.qdes, self.ulast = vectorops.madd(q, u.tolist(), dt), u.tolist()
        return self.qdes, self.ulast

    def advance(self, q, dq, dt):
        """Ends a step of all tasks."""
        for task in self.taskList:
            task.advance(q, dq, dt)


def _prioritized(levels, low, high):
    """The vector within bounds that fulfils levels (J, v) of J u = v by least squares, each without disturbing those before it.

    Where it would leave the bounds, the entry that leaves them most is put on its bound, and the others are solved for again.
    Singular values below a millionth of a level's largest count as zero.
    """
    low, high = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
    held = low == high
    u = np.where(held, low, 0.0)
    while True:
        fixed = np.where(held, u, 0.0)
        u, Z = fixed.copy(), np.eye(len(low))[:, ~held]
        for J, v in levels:
            if Z.shape[1] == 0:
                break
            U, s, Vt = np.linalg.svd(J @ Z)
            rank = int(np.sum(s > 1e-6 * s[0])) if len(s) and s[0] > 1e-12 else 0
            z = (U[:, :rank].T @ (v - J @ u)) / s[:rank]
            u = u + Z @ (Vt[:rank].T @ z)
            Z = Z @ Vt[rank:].T
        beyond = np.where(held, 0.0, np.maximum(low - u, u - high))
        worst = int(np.argmax(beyond))
        if beyond[worst] <= 1e-12:
            return u
        u[worst] = low[worst] if u[worst] < low[worst] else high[worst]
        held[worst] = True


class OpSpaceController(ControllerBase):
    """A controller of the tasks that setupTasks() makes; manageTasks() may change them in every step. Override them."""

    def __init__(self, robot):
        self.robot = robot
        self.opController = OperationalSpaceController(robot)
        self.reset()

    def setMotionModel(self, mm):
        """Sets a model of how the robot follows velocities: linearization(q, dq) gives (A, b), dq of the next step is A u + b."""
        self.opController.motionModel = mm

    def setupTasks(self, opSpaceController):
        """Adds tasks; without any the robot keeps its configuration."""
        opSpaceController.addTask(JointTask(self.robot, range(self.robot.numLinks())))

    def manageTasks(self, inputs, opSpaceController):
        """Changes tasks before a step."""

    def reset(self):
        """Begins anew with the tasks at where the robot's model is."""
        self.opController.taskList, self.opController.ulast = [], None
        self.setupTasks(self.opController)

    def inputNames(self):
        return ["q", "dq", "dt"]

    def outputNames(self):
        return ["qcmd", "dqcmd"]

    def signal(self, type, **inputs):
        if type == "enter":
            self.robot.setConfig(inputs["q"])
            self.reset()

    def output_and_advance(self, **inputs):
        if not self.inputValid(**inputs):
            raise KeyError(f"the inputs q, dq and dt are wanted, got {', '.join(sorted(inputs))}")
        q, dq, dt = inputs["q"], inputs["dq"], inputs["dt"]
        self.manageTasks(inputs, self.opController)
        qdes, dqdes = self.opController.solve(q, dq, dt)
        self.opController.advance(q, dq, dt)
        return {"qcmd": qdes, "dqcmd": dqdes}


def make(robot):
    """Keeps the configuration in which the robot's model is."""
    return OpSpaceController(robot)
