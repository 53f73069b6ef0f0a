"""What a completed interface of a robot answers and does in Cartesian space, as numbers.

A program of its own, so that it runs on Klamp't's Python files, too: control_probe.py OUTPUT ROBOT... writes a line of JSON
a robot.
"""

import contextlib
import io
import json
import math
import os
import random
import sys

FRAMES = ("world", "base", "end effector", "tool")
TOOL = [0.05, -0.02, 0.1]


def flat(value):
    return [float(value)] if isinstance(value, (int, float)) else [v for part in value for v in flat(part)]


def attempt(call):
    """Numbers, or what went wrong."""
    try:
        return flat(call())
    except Exception as error:
        return f"{type(error).__name__}: {error}"


class Probe:
    def __init__(self, path):
        from klampt import Simulator, WorldModel
        from klampt.control.robotinterfaceutils import RobotInterfaceCompleter
        from klampt.control.simrobotinterface import SimPositionControlInterface
        self.worlds = WorldModel(), WorldModel()  # A simulated one, and one to compute with.
        for world in self.worlds:
            world.loadRobot(path)
        self.sim = Simulator(self.worlds[0])
        self.sim.setGravity([0, 0, 0])
        self.interface = RobotInterfaceCompleter(SimPositionControlInterface(self.sim.controller(0), self.sim))
        self.interface.initialize()
        self.model = self.worlds[1].robot(0)
        if self.model.numDrivers() == 0:
            raise RuntimeError("no drivers")
        self.link = self.model.driver(self.model.numDrivers() - 1).getAffectedLink()

    def step(self, count, command=None):
        for k in range(count):
            self.interface.beginStep()
            if k == 0 and command is not None:
                command()
            self.interface.endStep()

    def tool(self, q):
        for i, value in enumerate(q):
            self.model.driver(i).setValue(value)
        self.model.setConfig(self.model.getConfig())
        link = self.model.link(self.link)
        return (link.getTransform()[0], link.getWorldPosition(TOOL))

    def stands(self):
        """Whether the drivers alone say where the tool is."""
        driven = {link for i in range(self.model.numDrivers()) for link in self.model.driver(i).getAffectedLinks()}
        low, high = self.model.getJointLimits()
        link = self.link
        while link >= 0:
            if low[link] != high[link] and link not in driven:
                return False
            link = self.model.link(link).getParent()
        return True

    def values(self, name):
        """Driver values near the start, others near these, velocities and torques."""
        draw = random.Random(name)
        n = self.model.numDrivers()
        q, near = [], []
        for i in range(n):
            low, high = self.model.driver(i).getLimits()
            at = self.model.driver(i).getValue()
            if not math.isfinite(high - low):
                low, high = at - 1, at + 1
            q.append(min(max(at + draw.uniform(-0.2, 0.2), low), high))
            near.append(min(max(q[-1] + draw.uniform(-0.05, 0.05), low), high))
        return q, near, [draw.uniform(-1, 1) for _ in range(n)], [draw.uniform(-1, 1) for _ in range(n)]


def probe(path, moves):
    name = os.path.basename(path)
    p = Probe(path)
    q, near, dq, torques = p.values(name)
    p.step(3)
    p.step(1, lambda: p.interface.setToolCoordinates(TOOL))
    record = {"robot": name, "stands": p.stands(), "link": p.link}
    for frame in FRAMES:
        record["position " + frame] = attempt(lambda: p.interface.cartesianPosition(q, frame))
        record["velocity " + frame] = attempt(lambda: p.interface.cartesianVelocity(q, dq, frame))
        record["force " + frame] = attempt(lambda: p.interface.cartesianForce(q, torques, frame))
    if not moves:
        return record
    target = p.tool(near)
    record["start"], record["target"] = flat(p.tool(q)), flat(target)
    for kind, command, steps in (
            ("set pose", lambda: p.interface.setCartesianPosition(target), 1),
            ("set point", lambda: p.interface.setCartesianPosition(target[1]), 1),
            ("move pose", lambda: p.interface.moveToCartesianPosition(target, 1.0), 150),
            ("linear pose", lambda: p.interface.moveToCartesianPositionLinear(target, 1.0), 150),
            ("velocity", lambda: p.interface.setCartesianVelocity([0.02, 0.03, -0.04], 0.25), 40)):
        try:
            p.step(1, lambda: p.interface.setPosition(q))
            p.step(2)
            p.step(1, command)
            p.step(steps)
            record[kind] = flat(p.tool(p.interface.commandedPosition()))
            record[kind + " q"] = [a - b for a, b in zip(p.interface.commandedPosition(), q)]
        except Exception as error:
            record[kind] = f"{type(error).__name__}: {error}"
            break  # Klamp't's interfaces are then between two steps.
    return record


def main(output, *robots):
    with open(output, "w") as out:
        for path in robots:
            with contextlib.redirect_stdout(io.StringIO()):
                try:
                    record = probe(path, os.path.basename(path) in MOVED)
                except RuntimeError as error:  # Files that cannot be read, and robots that nothing moves.
                    record = {"robot": os.path.basename(path), "left out": str(error)}
            out.write(json.dumps(record) + "\n")


# Whose interfaces are commanded, too: a step of a simulation takes long for some.
MOVED = ("tx90l.rob", "ur5.rob", "kinova_gen3_7dof.urdf", "kinova_with_robotiq_85.urdf", "jaco.rob", "puma760.rob",
         "baxter_col.rob", "planar3R.rob", "puma760pr2.rob")

if __name__ == "__main__":
    main(*sys.argv[1:])
