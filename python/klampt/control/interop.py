"""Bridges: interfaces to the display, controller blocks to interfaces."""

from .blocks.robotcontroller import RobotControllerBlock
from .robotinterface import RobotInterfaceBase
from .robotinterfaceutils import RobotInterfaceCompleter


class SimRobotControllerToInterface:
    """Makes an interface look like a SimRobotController."""

    def __init__(self, robotInterface):
        if not robotInterface.properties.get("complete", False):
            robotInterface = RobotInterfaceCompleter(robotInterface)
        self.robotInterface = robotInterface

    def initialize(self):
        self.robotInterface.initialize()

    def beginStep(self):
        self.robotInterface.beginStep()

    def endStep(self):
        self.robotInterface.endStep()

    def model(self):
        return self.robotInterface.klamptModel()

    def getRate(self):
        return 1.0 / self.robotInterface.controlRate()

    def getCommandedConfig(self):
        return self.robotInterface.configToKlampt(self.robotInterface.commandedPosition())

    def getCommandedVelocity(self):
        return self.robotInterface.velocityToKlampt(self.robotInterface.commandedVelocity())

    def getCommandedTorque(self):
        return self.robotInterface.commandedTorque()

    def getSensedConfig(self):
        return self.robotInterface.configToKlampt(self.robotInterface.sensedPosition())

    def getSensedVelocity(self):
        return self.robotInterface.velocityToKlampt(self.robotInterface.sensedVelocity())

    def getSensedTorque(self):
        return self.robotInterface.sensedTorque()

    def setMilestone(self, q, dq=None):
        if dq is not None:
            raise NotImplementedError("interfaces stop at milestones; leave dq out")
        self.robotInterface.moveToPosition(self.robotInterface.configFromKlampt(q))

    def setLinear(self, q, dt):
        self.robotInterface.setPiecewiseLinear([dt], [self.robotInterface.configFromKlampt(q)])

    def setCubic(self, q, v, dt):
        i = self.robotInterface
        i.setPiecewiseCubic([dt], [i.configFromKlampt(q)], [i.velocityFromKlampt(v)])

    def remainingTime(self):
        return self.robotInterface.destinationTime() - self.robotInterface.clock()

    def setVelocity(self, dq, dt):
        self.robotInterface.setVelocity(self.robotInterface.velocityFromKlampt(dq), dt)

    def setTorque(self, t):
        self.robotInterface.setTorque(t)

    def setPIDCommand(self, qdes, dqdes, tfeedforward=None):
        i = self.robotInterface
        i.setPID(i.configFromKlampt(qdes), i.velocityFromKlampt(dqdes), tfeedforward)

    def setPIDGains(self, kP, kI, kD):
        self.robotInterface.setPIDGains(kP, kI, kD)

    def getPIDGains(self):
        return self.robotInterface.getPIDGains()

    def setRate(self, dt):
        raise NotImplementedError("the rate of an interface is its own, see controlRate()")

    def getControlType(self):
        raise NotImplementedError("interfaces do not say how they are controlled")

    def setManualMode(self, enabled):
        raise NotImplementedError("interfaces have no manual mode")

    def sensor(self, index_or_name):
        """A sensor of the model, kept up to date by hand: sensorMeasurements() of the interface has what it measures."""
        return self.model().sensor(index_or_name)

    def commands(self):
        return []

    def sendCommand(self, name, args):
        raise ValueError(f"there is no command '{name}'")

    def getSetting(self, name):
        return self.robotInterface.getSetting(name)

    def setSetting(self, name, val):
        return self.robotInterface.setSetting(name, val)

    def _queue(self, durations, configs, velocities=None):
        """Appends pieces to the motion that is under way."""
        i = self.robotInterface
        times, queue = i.queuedTrajectory() if i.isMoving() else ([0.0], [i.commandedPosition()])
        ends = [times[-1] + sum(durations[:k + 1]) for k in range(len(durations))]
        configs = [i.configFromKlampt(q) for q in configs]
        if velocities is None:
            i.setPiecewiseLinear(list(times[1:]) + ends, list(queue[1:]) + configs)
            return
        still = [[0.0] * len(configs[0])] * (len(times) - 1)
        i.setPiecewiseCubic(list(times[1:]) + ends, list(queue[1:]) + configs,
                            still + [i.velocityFromKlampt(v) for v in velocities])

    def addLinear(self, q, dt):
        """Appends a straight motion of dt seconds."""
        self._queue([dt], [q])

    def addCubic(self, q, v, dt=None):
        """Appends a cubic motion of dt seconds that ends with velocity v; addCubic(q, dt) ends at rest."""
        if dt is None:
            v, dt = [0.0] * len(q), v
        self._queue([dt], [q], [v])

    def addMilestone(self, q, dq=None):
        """Appends a motion to q, at rest there, as fast as the velocity limits allow."""
        self._queue([self._time_to(q)], [q], [dq if dq is not None else [0.0] * len(q)])

    def addMilestoneLinear(self, q):
        """Appends a straight motion to q, as fast as the velocity limits allow."""
        self._queue([self._time_to(q)], [q])

    def _time_to(self, q):
        i = self.robotInterface
        last = i.configToKlampt(i.destinationPosition() if i.isMoving() else i.commandedPosition())
        limits = self.model().getVelocityLimits()
        return max([1.5 * abs(a - b) / v for a, b, v in zip(q, last, limits) if v > 0] + [1.0 / i.controlRate()])


class RobotControllerBlockToInterface:
    """Runs a RobotControllerBlock on an interface: advance() once a step."""

    def __init__(self, controller, robotInterface, controllerRateRatio=1):
        if not isinstance(robotInterface, RobotInterfaceBase):
            raise TypeError("robotInterface must be a RobotInterfaceBase, got "
                            f"{type(robotInterface).__name__}")
        if not isinstance(controller, RobotControllerBlock):
            raise TypeError("controller must be a RobotControllerBlock, got "
                            f"{type(controller).__name__}")
        if controllerRateRatio != 1:
            raise NotImplementedError("the controller must have the interface's rate")
        if not robotInterface.properties.get("complete", False):
            robotInterface = RobotInterfaceCompleter(robotInterface, base_initialized=True)
        self.robotInterface = robotInterface
        self.controller = controller
        self.lastInputs = None
        self.lastOutputs = None

    def _inputs(self):
        i = self.robotInterface
        inputs = {"t": i.clock(), "dt": 1.0 / i.controlRate(),
                  "q": i.configToKlampt(i.sensedPosition()),
                  "dq": i.velocityToKlampt(i.sensedVelocity()),
                  "qcmd": i.configToKlampt(i.commandedPosition()),
                  "dqcmd": i.velocityToKlampt(i.commandedVelocity())}
        try:
            inputs["torque"] = i.velocityToKlampt(i.sensedTorque())
        except NotImplementedError:
            pass
        for s in i.enabledSensors():
            inputs[s] = i.sensorMeasurements(s)
        return inputs

    def advance(self, step_interface=False):
        """Runs the controller once; with step_interface within a step of the interface."""
        i = self.robotInterface
        if step_interface:
            i.beginStep()
        self.lastInputs = self._inputs()
        res = self.lastOutputs = self.controller.advance(**self.lastInputs)
        if "qcmd" in res:
            q = i.configFromKlampt(res["qcmd"])
            if "dqcmd" in res:
                extra = (i.velocityFromKlampt(res["torquecmd"]),) if "torquecmd" in res else ()
                i.setPID(q, i.velocityFromKlampt(res["dqcmd"]), *extra)
            else:
                i.setPosition(q)
        elif "dqcmd" in res:
            i.setVelocity(i.velocityFromKlampt(res["dqcmd"]), res["tcmd"])
        elif "torquecmd" in res:
            i.setTorque(i.velocityFromKlampt(res["torquecmd"]))
        if step_interface:
            i.endStep()


class RobotInterfacetoVis:
    """Shows an interface's state: configurations, status and motion; update() each step."""

    def __init__(self, robotInterface, visRobotIndex=0):
        self.interface = robotInterface
        self.visRobotIndex = visRobotIndex
        self.text_x = 10
        self.text_y = 10
        self.tag = f"_{visRobotIndex}_"

    def _value(self, name):
        try:
            return getattr(self.interface, name)()
        except NotImplementedError:
            return None

    def _text(self, name, text, row, **attributes):
        from .. import vis
        if text is not None:
            vis.addText(self.tag + name, text, (self.text_x, self.text_y + 15 * row), **attributes)
        elif self.tag + name in vis.scene().texts:
            vis.remove(self.tag + name)

    def _ghost(self, name, q, color):
        from .. import vis
        if q is not None and all(x is not None for x in q):
            vis.add(self.tag + name, self.interface.configToKlampt(q), robot=self.visRobotIndex,
                    color=color)
        elif self.tag + name in vis.scene().items:
            vis.remove(self.tag + name)

    def update(self):
        """Brings the display up to date."""
        t, status = self._value("clock"), self._value("status")
        moving, end = self._value("isMoving"), self._value("destinationTime")
        self._text("clock", "no clock" if t is None else f"{t:.3f}", 0)
        self._text("status", None if status == "ok" else f"Status: {status}", 1, color=(1, 0, 0))
        left = "" if end is None or t is None else f", {max(0.0, end - t):.3f}s left"
        self._text("moving", "Moving" + left if moving else None, 2)
        sensed, commanded = self._value("sensedPosition"), self._value("commandedPosition")
        self._ghost("q_sns", sensed, (0, 1, 0, 0.5))
        self._ghost("q_cmd", None if commanded == sensed else commanded, (1, 1, 0, 0.5))
        self._ghost("q_dest", self._value("destinationPosition") if moving else None,
                    (1, 0, 0, 0.5))
