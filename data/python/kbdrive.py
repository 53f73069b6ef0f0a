"""Drives a simulated robot by keys, with the package klampt.

    python3 kbdrive.py FILE... [--speed V]

The first ten drivers (motors) of the first robot move forward while 1, 2, ..., 0 are down, and backward while q, w, ..., p are;
where the window tells of no keys that are let go, a second press stops. V: rad/s or m/s, at most what the robot can; default
0.5. Programs beside this one import `load_world_and_interface`.
"""

import argparse

from klampt import WorldModel
from klampt.vis.glrobotprogram import GLSimulationProgram

FORWARD, BACKWARD = "1234567890", "qwertyuiop"


def drive_of(key):
    """The driver and the direction, 1 or -1, that a key stands for; None: neither."""
    if len(key) != 1:
        return None
    for keys, sign in ((FORWARD, 1), (BACKWARD, -1)):
        if key in keys:
            return keys.index(key), sign
    return None


class KeyboardDrive(GLSimulationProgram):
    """Moves targets of drivers at constant speed and lets the robot's servos follow."""

    def __init__(self, world, speed=0.5):
        GLSimulationProgram.__init__(self, world, "kbdrive")
        self.robot = world.robot(0)
        self.speed = speed
        self.signs = {}  # Driver: 1 forward, -1 backward.
        self.target = self.robot.getConfig()
        self.simulate = True

    def keyboardfunc(self, key, x, y):
        drive = drive_of(key)
        if drive is None or drive[0] >= self.robot.numDrivers():
            return GLSimulationProgram.keyboardfunc(self, key, x, y)
        if self.signs.get(drive[0]) == drive[1]:
            del self.signs[drive[0]]
        else:
            self.signs[drive[0]] = drive[1]
        return True

    def keyboardupfunc(self, key, x, y):
        drive = drive_of(key)
        if drive is None:
            return False
        self.signs.pop(drive[0], None)
        return True

    def control_loop(self):
        """Advances targets by what their drivers move in a step, within their limits."""
        here = self.robot.getConfig()
        self.robot.setConfig(self.target)
        self.robot.setVelocity([0.0] * self.robot.numLinks())
        for index, sign in self.signs.items():
            driver = self.robot.driver(index)
            low, high = driver.getLimits()
            least, most = driver.getVelocityLimits()
            rate = max(least, min(most, sign * self.speed))
            value = driver.getValue() + rate * self.dt
            if low <= value <= high:
                driver.setValue(value)
                driver.setVelocity(rate)
        self.target = self.robot.getConfig()
        self.sim.controller(0).setPIDCommand(self.target, self.robot.getVelocity())
        self.robot.setConfig(here)


def load_world_and_interface(files):
    """The world of some files, and the interface of the first of them that is a Python module or a robot's info."""
    from klampt.control.robotinterfaceutils import make_from_file
    world, interface = WorldModel(), None
    for file in files:
        if file.endswith((".py", ".json")):
            interface = make_from_file(file, None)
        elif not world.readFile(file):
            raise RuntimeError("'%s' cannot be read" % file)
    return world, interface


def main(arguments=None):
    parser = argparse.ArgumentParser(description="drive a simulated robot by keys")
    parser.add_argument("files", nargs="+", metavar="FILE", help="worlds, robots, rigid objects and terrains")
    parser.add_argument("--speed", type=float, default=0.5, help="rad/s or m/s (default 0.5)")
    given = parser.parse_args(arguments)
    world, _ = load_world_and_interface(given.files)
    if world.numRobots() == 0:
        parser.error("there is no robot")
    print("forward: %s, backward: %s" % (" ".join(FORWARD), " ".join(BACKWARD)))
    program = KeyboardDrive(world, given.speed)
    program.run()
    print("the robot is at", " ".join("%.4f" % x for x in program.sim.getActualConfig(0)))


if __name__ == "__main__":
    main()
