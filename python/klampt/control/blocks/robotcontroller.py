"""Controllers of robots as blocks."""

from .core import Block


class RobotControllerBlock(Block):
    """advance(**inputs) gets t, dt, q, dq, qcmd, dqcmd, torque and sensors by name, and
    returns commands by name: qcmd, dqcmd, tcmd, torquecmd.
    """

    def __init__(self, robotModel=None):
        self.robotModel = robotModel
        inputs = ["t", "dt", "q", "dq", "torque", "qcmd", "dqcmd"]
        if robotModel is not None:
            inputs += [s.name for s in robotModel.sensors if s.name not in inputs]
        Block.__init__(self, inputs, ["qcmd", "dqcmd", "tcmd", "torquecmd"])


class RobotControllerIO:
    """Reads a controller's inputs and makes its commands."""

    def __init__(self, kwargs):
        self.inputs = kwargs
        self.retval = {}

    def time(self):
        return self.inputs["t"]

    def timeStep(self):
        return self.inputs["dt"]

    def commandedConfiguration(self):
        return self.inputs.get("qcmd")

    def commandedVelocity(self):
        return self.inputs.get("dqcmd")

    def sensedConfiguration(self):
        return self.inputs.get("q")

    def sensedVelocity(self):
        return self.inputs.get("dq")

    def sensedTorque(self):
        return self.inputs.get("torque")

    def sensorNames(self):
        return self.inputs.keys()

    def sensorValue(self, sensor):
        return self.inputs.get(sensor)

    def makePositionCommand(self, q):
        return {"qcmd": q}

    def makePIDCommand(self, q, dq):
        return {"qcmd": q, "dqcmd": dq}

    def makeFeedforwardPIDCommand(self, q, dq, torque):
        return {"qcmd": q, "dqcmd": dq, "torquecmd": torque}

    def makeVelocityCommand(self, dq, t):
        return {"dqcmd": dq, "tcmd": t}

    def makeTorqueCommand(self, torque):
        return {"torquecmd": torque}

    def setPositionCommand(self, value):
        self.retval["qcmd"] = value

    def setPIDCommand(self, q, dq):
        self.retval.update(qcmd=q, dqcmd=dq)

    def setFeedforwardPIDCommand(self, q, dq, torque):
        self.retval.update(qcmd=q, dqcmd=dq, torquecmd=torque)

    def setVelocityCommand(self, v, dt):
        self.retval.update(dqcmd=v, tcmd=dt)

    def setTorqueCommand(self, torque):
        self.retval["torquecmd"] = torque

    def setJointPositionCommand(self, index, value):
        """Commands the position of one joint; the others keep theirs."""
        if "torquecmd" in self.retval and "qcmd" not in self.retval:
            raise ValueError("positions and torques of joints cannot be mixed")
        self.retval.setdefault("qcmd", list(self.inputs["qcmd"]))[index] = value

    def setJointVelocityCommand(self, index, value):
        """Commands the velocity of one joint; the others keep theirs."""
        if "torquecmd" in self.retval and "qcmd" not in self.retval:
            raise ValueError("velocities and torques of joints cannot be mixed")
        self.retval.setdefault("dqcmd", list(self.inputs["dqcmd"]))[index] = value
        if "qcmd" in self.retval:
            self.retval["qcmd"][index] = self.inputs["qcmd"][index] + value * self.inputs["dt"]
        else:
            self.retval["tcmd"] = self.inputs["dt"]

    def makeCommand(self):
        return self.retval
