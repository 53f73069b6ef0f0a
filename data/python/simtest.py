"""Simulates a world in a window and lets its robots follow paths, with the package klampt: a place to try controllers.

    python3 simtest.py FILE... [--path PATH]... [--duration T] [--start]

FILE: worlds, robots, rigid objects and terrains. PATH: a motion for the first, second, ... robot. Keys: s starts and stops the
simulation, the space bar makes one step, l logs. Without a display, or with --duration, it runs for that long and prints where
robots and objects are.
"""

import argparse

from klampt import WorldModel
from klampt.model.trajectory import RobotTrajectory
from klampt.vis.glrobotprogram import GLSimulationProgram


class SimTest(GLSimulationProgram):
    """A simulation whose robots follow paths; put your own controller into `control_loop`."""

    def __init__(self, world, paths=()):
        GLSimulationProgram.__init__(self, world, "SimTest")
        self.paths = []
        for i, file in enumerate(paths):
            path = RobotTrajectory(world.robot(i))
            path.load(file)
            self.paths.append(path)

    def control_loop(self):
        """Called before each step: tells each robot where to be at its end, and how fast."""
        time = self.sim.getTime() + self.dt
        for i, path in enumerate(self.paths):
            moving = path.startTime() <= time < path.endTime()
            velocity = path.deriv(time) if moving else [0.0] * len(path.milestones[0])
            self.sim.controller(i).setPIDCommand(path.eval(time), velocity)

    def run_for(self, duration):
        """Simulates so many seconds without a window."""
        while self.sim.getTime() < duration - 1e-9:
            self.sim_step(min(self.dt, duration - self.sim.getTime()))
        self.sim.updateWorld()


def state_text(world):
    """A line for each robot and object."""
    lines = []
    for i in range(world.numRobots()):
        robot = world.robot(i)
        lines.append("robot %s: %s" % (robot.getName(), " ".join("%.4f" % x for x in robot.getConfig())))
    for i in range(world.numRigidObjects()):
        body = world.rigidObject(i)
        lines.append("object %s: %s" % (body.getName(), " ".join("%.4f" % x for x in body.getTransform()[1])))
    return "\n".join(lines)


def main(arguments=None):
    parser = argparse.ArgumentParser(description="simulate a world in a window")
    parser.add_argument("files", nargs="+", metavar="FILE", help="worlds, robots, rigid objects and terrains")
    parser.add_argument("--path", action="append", default=[], help="motion of the first, second, ... robot")
    parser.add_argument("--duration", type=float, help="simulate so many seconds without a window")
    parser.add_argument("--start", action="store_true", help="start at once")
    given = parser.parse_args(arguments)
    world = WorldModel()
    for file in given.files:
        if not world.readFile(file):
            parser.error("'%s' cannot be read" % file)
    if len(given.path) > world.numRobots():
        parser.error("there are %d paths for %d robots" % (len(given.path), world.numRobots()))
    program = SimTest(world, given.path)
    if given.duration is not None:
        program.run_for(given.duration)
        print(state_text(world))
        return
    program.simulate = given.start
    program.run()


if __name__ == "__main__":
    main()
