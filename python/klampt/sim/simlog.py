"""Logs of simulations as CSV files: written, and read back to be shown."""

import csv

from ..model.trajectory import RobotTrajectory, SE3Trajectory


def _columns(sim, sensors):
    world = sim.world
    names = ["time"]
    for i in range(world.numRobots()):
        robot = world.robot(i)
        links = [robot.link(j).getName() for j in range(robot.numLinks())]
        drivers = [robot.driver(j).getName() for j in range(robot.numDrivers())]
        for part, items in (("qcmd", links), ("dqcmd", links), ("q", links), ("dq", links),
                            ("t", drivers)):
            names += [f"{robot.getName()}_{part}[{n}]" for n in items]
        for s in sensors.get(i, ()):
            names += [f"{robot.getName()}_{s.name}[{m}]" for m in s.measurementNames()]
    for i in range(world.numRigidObjects()):
        name = world.rigidObject(i).getName()
        parts = ["cx", "cy", "cz", "rx", "ry", "rz", "vx", "vy", "vz", "wx", "wy", "wz"]
        names += [f"{name}_{p}" for p in parts]
    return names


class SimLogger:
    """Writes a row a step: saveStep(). Contacts go to a file of their own."""

    def __init__(self, sim, state_fn, contact_fn=None, colliding="all", saveSensors=True,
                 saveheader=True):
        self.sim = sim
        self.fn, self.contact_fn = state_fn, contact_fn
        self.colliding = colliding
        count = sim.world.numRobots()
        self.sensors = {i: list(sim.controller(i).sensors) for i in range(count)
                        } if saveSensors else {}
        if saveheader:
            self._write(state_fn, [_columns(sim, self.sensors)], "w")
            if contact_fn is not None:
                self._write(contact_fn, [["time", "body1", "body2", "contact", "numContacts", "cpx",
                                          "cpy", "cpz", "fx", "fy", "fz", "mx", "my", "mz"]], "w")

    @staticmethod
    def _write(fn, rows, mode="a"):
        with open(fn, mode, newline="") as f:
            csv.writer(f).writerows(rows)

    def saveStep(self, extra=()):
        """Writes the state now; extra numbers are appended."""
        from ..math import so3
        sim, world = self.sim, self.sim.world
        sim.updateWorld()
        row = [sim.getTime()]
        for i in range(world.numRobots()):
            c = sim.controller(i)
            row += list(c.getCommandedConfig()) + list(c.getCommandedVelocity())
            row += list(sim.getActualConfig(i)) + list(sim.getActualVelocity(i))
            row += list(sim.getActualTorque(i))
            for s in self.sensors.get(i, ()):
                row += list(s.getMeasurements())
        for i in range(world.numRigidObjects()):
            obj = world.rigidObject(i)
            T, (w, v) = obj.getTransform(), obj.getVelocity()
            row += list(T[1]) + list(so3.rotation_vector(T[0])) + list(v) + list(w)
        self._write(self.fn, [row + list(extra)])
        if self.contact_fn is not None:
            self._write(self.contact_fn, self._contacts())

    def _contacts(self):
        sim, world, rows = self.sim, self.sim.world, []
        for a in range(world.numIDs()):
            for b in range(a + 1, world.numIDs()):
                if sim.hadContact(a, b):
                    f, m = sim.contactForce(a, b), sim.contactTorque(a, b)
                    points = sim.getContacts(a, b)
                    n = len(points)
                    center = [sum(p[k] for p in points) / n for k in range(3)] if n else [0.0] * 3
                    rows.append([sim.getTime(), world.getName(a), world.getName(b),
                                 int(sim.inContact(a, b)), n, *center, *f, *m])
        return rows

    def close(self):
        """Nothing is left open."""


class SimLogPlayback:
    """Reads a log: times, and trajectories of robots and objects to show or simulate from."""

    def __init__(self, sim, state_fn, contact_fn=None):
        self.sim = sim
        with open(state_fn, newline="") as f:
            rows = list(csv.reader(f))
        self.names, self.rows = rows[0], [[float(v) for v in row] for row in rows[1:]]
        self.times = [row[0] for row in self.rows]

    def column(self, name):
        """All values of a column."""
        if name not in self.names:
            raise KeyError(f"the log has no column '{name}'")
        k = self.names.index(name)
        return [row[k] for row in self.rows]

    def robotTrajectory(self, index=0, part="q"):
        """RobotTrajectory of a robot: q or qcmd."""
        robot = self.sim.world.robot(index)
        columns = [self.column(f"{robot.getName()}_{part}[{robot.link(j).getName()}]")
                   for j in range(robot.numLinks())]
        return RobotTrajectory(robot, list(self.times), [list(q) for q in zip(*columns)])

    def objectTrajectory(self, index):
        """SE3Trajectory of a rigid object."""
        from ..math import so3
        name = self.sim.world.rigidObject(index).getName()
        columns = [self.column(f"{name}_{p}") for p in ("cx", "cy", "cz", "rx", "ry", "rz")]
        return SE3Trajectory(list(self.times), [(so3.from_rotation_vector(x[3:]), list(x[:3]))
                                                for x in zip(*columns)])

    def updateSim(self, time=-1, timestep=-1):
        """Moves the world to a time, or to a row."""
        k = timestep
        if time >= 0:
            k = min(range(len(self.times)), key=lambda i: abs(self.times[i] - time))
        world = self.sim.world
        for i in range(world.numRobots()):
            world.robot(i).setConfig(self.robotTrajectory(i).milestones[k])
        for i in range(world.numRigidObjects()):
            traj = self.objectTrajectory(i)
            world.rigidObject(i).setTransform(*traj.to_se3(traj.milestones[k]))
