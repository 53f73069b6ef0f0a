"""Records of robot interfaces: rows of what they say, and commands that can be given again."""

import csv
import json

SETTING_COMMAND_METHODS = ["reset", "enableSensor", "setPIDGains", "setToolCoordinates", "setGravityCompensation"]
MOTION_COMMAND_METHODS = ["estop", "softStop", "setPosition", "setVelocity", "setTorque", "setPID", "moveToPosition",
                          "setPiecewiseLinear", "setPiecewiseCubic", "setCartesianPosition", "moveToCartesianPosition",
                          "setCartesianVelocity", "setCartesianForce", "setControlMode"]
STRUCTURE_QUERY_METHODS = ["numJoints", "parts", "controlRate", "jointName", "sensors", "hasSensor", "klamptModel"]
SETTING_QUERY_METHODS = ["status", "clock", "getPIDGains", "getToolCoordinates", "getGravityCompensation"]
SENSOR_QUERY_METHODS = ["enabledSensors", "sensorMeasurements", "sensorUpdateTime"]
MOTION_QUERY_METHODS = ["isMoving", "sensedPosition", "sensedVelocity", "sensedTorque", "commandedPosition",
                        "commandedVelocity", "commandedTorque", "destinationPosition", "destinationVelocity",
                        "destinationTime", "queuedTrajectory", "sensedCartesianPosition", "sensedCartesianVelocity",
                        "sensedCartesianForce", "commandedCartesianPosition", "commandedCartesianVelocity",
                        "commandedCartesianForce", "destinationCartesianPosition", "destinationCartesianVelocity",
                        "queuedCartesianTrajectory"]
UTILITY_METHODS = ["indices", "cartesianPosition", "cartesianVelocity", "cartesianForce", "partToRobotConfig",
                   "robotToPartConfig", "configFromKlampt", "velocityFromKlampt", "configToKlampt", "velocityToKlampt"]
COMMAND_METHODS = SETTING_COMMAND_METHODS + MOTION_COMMAND_METHODS
QUERY_METHODS = STRUCTURE_QUERY_METHODS + SETTING_QUERY_METHODS + SENSOR_QUERY_METHODS + MOTION_QUERY_METHODS
CUSTOM_METHODS = ["functionCall", "setSetting", "getSetting", "setFilter", "stateValue"]
ALL_METHODS = COMMAND_METHODS + QUERY_METHODS + CUSTOM_METHODS

_RECORDED = COMMAND_METHODS + ["moveToCartesianPositionLinear", "functionCall", "setSetting"]


def _plain(value):
    """Arrays and numbers of numpy as lists and numbers."""
    return value.tolist()


def _opened(file, mode):
    """(file, whether it is to be closed here) of a name or an open file."""
    return (open(file, mode, newline=""), True) if isinstance(file, str) else (file, False)


class RobotInterfaceLogger:
    """Writes CSV: names and values of TEST_PROPERTIES, names of TEST_METHODS, and then, a call of step(), a row of what these
    return, or of why they do not."""

    TEST_PROPERTIES = ["controlRate", "parts", "sensors", "enabledSensors", "numJoints", "indices"]
    TEST_METHODS = ["clock", "status", "isMoving", "sensedPosition", "sensedVelocity", "sensedTorque", "commandedPosition",
                    "commandedVelocity", "commandedTorque", "destinationPosition", "destinationVelocity", "destinationTime"]

    def __init__(self, interface, file):
        self.interface = interface
        self.file, self._own = _opened(file, "w")
        self._writer = csv.writer(self.file)
        self._begun = False

    def _row(self, names):
        row = []
        for name in names:
            try:
                row.append(str(getattr(self.interface, name)()))
            except Exception as e:
                row.append(f"Error {e}")
        return row

    def step(self):
        """Writes a row."""
        if self.file is None:
            raise RuntimeError("step() was called after stop()")
        if not self._begun:
            self._begun = True
            self._writer.writerow(self.TEST_PROPERTIES)
            self._writer.writerow(self._row(self.TEST_PROPERTIES))
            self._writer.writerow(self.TEST_METHODS)
        self._writer.writerow(self._row(self.TEST_METHODS))

    def stop(self):
        """Ends the log."""
        if self.file is not None and self._own:
            self.file.close()
        self.file = None


class RobotInterfaceRecorder:
    """Writes the commands that an interface is given to a file, a line of JSON each, or gives them again (playback).

    step() is called in each step of the interface, after its commands and before endStep(). playback_delay: when the first
    command is given again, s of the interface's clock; None for the times at which they were recorded.
    """

    def __init__(self, interface, file, playback=False, playback_delay=None):
        self._interface = interface
        self._playback = playback
        self._file, self._own = _opened(file, "r" if playback else "w")
        self._commands, self._next, self._delay = [], 0, 0.0
        if playback:
            self._commands = [json.loads(line) for line in self._file if line.strip()]
            if self._commands and playback_delay is not None:
                self._delay = playback_delay - self._commands[0]["time"]
        else:
            self._depth = 0
            for name in _RECORDED:
                self._listen(name)

    def _listen(self, name):
        """Notes the calls of a command, but not those that it makes itself."""
        command = getattr(self._interface, name, None)
        if command is None:
            return

        def noted(*args, **kwargs):
            if self._file is not None and self._depth == 0:
                self._commands.append({"name": name, "args": args, "kwargs": kwargs})
            self._depth += 1
            try:
                return command(*args, **kwargs)
            finally:
                self._depth -= 1
        setattr(self._interface, name, noted)

    def step(self):
        """Writes the commands since the last step, or gives those whose time has come."""
        if self._file is None:
            return
        now = self._interface.clock()
        if not self._playback:
            for command in self._commands:
                self._file.write(json.dumps({"time": now, "command": command}, default=_plain) + "\n")
            self._commands = []
            return
        while not self.done() and now >= self._commands[self._next]["time"] + self._delay:
            command = self._commands[self._next]["command"]
            self._next += 1
            getattr(self._interface, command["name"])(*command["args"], **command["kwargs"])

    def stop(self):
        """Ends the record; the interface is as it was."""
        if self._file is None:
            return
        if not self._playback:
            for name in _RECORDED:
                self._interface.__dict__.pop(name, None)
        if self._own:
            self._file.close()
        self._file = None

    def done(self):
        """Returns whether all commands were given again; while recording, never before stop()."""
        return self._file is None or (self._playback and self._next >= len(self._commands))
