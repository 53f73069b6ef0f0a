"""Logs of simulations as CSV files: written, and read back to be shown."""

import csv

from ..math import se3, so3, vectorops
from ..model.trajectory import RobotTrajectory, SE3Trajectory

_OBJECT = ("x", "y", "z", "rx", "ry", "rz", "dx", "dy", "dz", "wx", "wy", "wz")
_CONTACT = ["time", "body1", "body2", "numContacts"] + [
    f"{kind}{axis}_avg" for kind in ("cp", "cn", "f", "m") for axis in "xyz"]


def _mean(rows):
    return vectorops.div([sum(column) for column in zip(*rows)], len(rows)) if len(rows) else [0.0] * 3


class SimLogger:
    """Writes a row a call of saveStep() to `state_fn`, and a row for each pair of bodies that touched to `contact_fn`; None
    for no such file.

    colliding: 'all', or a list of bodies and ids, whose contacts are written. Set `saveSensors` and call saveHeader() when
    readings are wanted, too.
    """

    def __init__(self, sim, state_fn, contact_fn=None, colliding="all", saveheader=True):
        self.sim = sim
        self.fn, self.contact_fn = state_fn, contact_fn
        self.saveSensors = False
        self.f = None if state_fn is None else open(state_fn, "w", newline="")
        self.f_contact = None if contact_fn is None else open(contact_fn, "w", newline="")
        if isinstance(colliding, str) and colliding == "all":
            sim.enableContactFeedbackAll()
            colliding = range(sim.world.numIDs())
        self.colliding = []
        for body in colliding:
            if not isinstance(body, int) and not hasattr(body, "getID"):
                raise ValueError(f"bodies or their ids are wanted in colliding, got {body!r}")
            self.colliding.append(body if isinstance(body, int) else body.getID())
        if saveheader:
            self.saveHeader()
            self.saveContactHeader()

    @staticmethod
    def _write(file, row):
        if file is not None:
            csv.writer(file, lineterminator="\n").writerow(row)

    def saveHeader(self, extra=[]):
        """Writes the names of the columns of states, and of extra ones."""
        world, names = self.sim.world, ["time"]
        for i in range(world.numRobots()):
            robot = world.robot(i)
            name = robot.getName()
            links = [robot.link(j).getName() for j in range(robot.numLinks())]
            names += [f"{name}_cm{axis}" for axis in "xyz"]
            names += [f"{name}_{part}[{link}]" for part in ("qcmd", "dqcmd", "q", "dq") for link in links]
            names += [f"{name}_t[{j}]" for j in range(robot.numDrivers())]
            if self.saveSensors:
                names += [f"{name}_{s.name}[{m}]" for s in self.sim.controller(i).sensors for m in s.measurementNames()]
        for i in range(world.numRigidObjects()):
            name = world.rigidObject(i).getName()
            names += [f"{name}_{part}" for part in ("comx", "comy", "comz", *_OBJECT)]
        self._write(self.f, names + list(extra))

    def saveContactHeader(self):
        """Writes the names of the columns of contacts."""
        self._write(self.f_contact, _CONTACT)

    def saveStep(self, extra=[]):
        """Writes the state now; extra numbers are appended."""
        sim, world = self.sim, self.sim.world
        sim.updateWorld()
        row = [sim.getTime()]
        for i in range(world.numRobots()):
            controller = sim.controller(i)
            row += list(world.robot(i).getCom())
            row += list(controller.getCommandedConfig()) + list(controller.getCommandedVelocity())
            row += list(sim.getActualConfig(i)) + list(sim.getActualVelocity(i)) + list(sim.getActualTorque(i))
            if self.saveSensors:
                for sensor in controller.sensors:
                    row += list(sensor.getMeasurements())
        for i in range(world.numRigidObjects()):
            obj = world.rigidObject(i)
            T, (w, v) = obj.getTransform(), obj.getVelocity()
            row += list(se3.apply(T, obj.getMass().getCom())) + list(T[1]) + list(so3.rotation_vector(T[0]))
            row += list(v) + list(w)
        self._write(self.f, row + list(extra))
        if self.f_contact is not None:
            self._save_contacts()

    def _save_contacts(self):
        sim, world = self.sim, self.sim.world
        for k, a in enumerate(self.colliding):
            for b in self.colliding[k + 1:]:
                if sim.hadContact(a, b):
                    points = [list(p) for p in sim.getContacts(a, b)]
                    self._write(self.f_contact, [
                        sim.getTime(), world.getName(a), world.getName(b), len(points), *_mean([p[:3] for p in points]),
                        *_mean([p[3:6] for p in points]), *sim.contactForce(a, b), *sim.contactTorque(a, b)])

    def close(self):
        """Closes the files."""
        for file in (self.f, self.f_contact):
            if file is not None:
                file.close()


def _read(fn):
    """(names of columns, rows) of a file; what is no number stays text."""
    def value(text):
        try:
            return float(text)
        except ValueError:
            return text
    if fn is None:
        return [], []
    with open(fn, newline="") as f:
        rows = list(csv.reader(f))
    if not rows:
        raise IOError(f"{fn} is empty; a row of names is wanted")
    return rows[0], [[value(v) for v in row] for row in rows[1:]]


class SimLogPlayback:
    """Reads a log: updateSim() puts the world where it was; robotTrajectory() and objectTrajectory() give all
    times at once. Robots and objects that the log does not have stay as they are."""

    def __init__(self, sim, state_fn, contact_fn=None):
        self.sim = sim
        self.state_header, self.state_array = _read(state_fn)
        self.contact_header, self.contact_array = _read(contact_fn)
        self.state_to_index = {name: i for i, name in enumerate(self.state_header)}
        self.contact_to_index = {name: i for i, name in enumerate(self.contact_header)}
        self.times = self.column("time") if "time" in self.state_to_index else []
        world = sim.world
        self.robot_indices = [self._robot(world.robot(i)) for i in range(world.numRobots())]
        self.rigid_object_indices = [
            self._indices({part: [f"{world.rigidObject(i).getName()}_{part}"] for part in _OBJECT})
            for i in range(world.numRigidObjects())]

    def _indices(self, names):
        """Columns of lists of names, None when one is missing."""
        if any(n not in self.state_to_index for part in names.values() for n in part):
            return None
        found = {key: [self.state_to_index[n] for n in part] for key, part in names.items()}
        return {key: part[0] if key in _OBJECT else part for key, part in found.items()}

    def _robot(self, robot):
        return self._indices({part: [f"{robot.getName()}_{part}[{robot.link(j).getName()}]"
                                     for j in range(robot.numLinks())] for part in ("q", "dq")})

    def column(self, name):
        """All values of a column of states."""
        if name not in self.state_to_index:
            raise KeyError(f"the log has no column '{name}'")
        k = self.state_to_index[name]
        return [row[k] for row in self.state_array]

    def robotTrajectory(self, index=0, part="q"):
        """RobotTrajectory of a robot: q or qcmd."""
        robot = self.sim.world.robot(index)
        columns = [self.column(f"{robot.getName()}_{part}[{robot.link(j).getName()}]")
                   for j in range(robot.numLinks())]
        return RobotTrajectory(robot, list(self.times), [list(q) for q in zip(*columns)])

    def objectTrajectory(self, index):
        """SE3Trajectory of a rigid object."""
        name = self.sim.world.rigidObject(index).getName()
        columns = [self.column(f"{name}_{p}") for p in _OBJECT[:6]]
        return SE3Trajectory(list(self.times), [(so3.from_rotation_vector(x[3:]), list(x[:3]))
                                                for x in zip(*columns)])

    def updateSim(self, time=-1, timestep=-1):
        """Puts the world to a row: the last one not later than a time, or the one of a number (-1: the last). So are the
        objects of the simulation; its robots go on from where they are."""
        if time >= 0:
            if not self.times:
                raise ValueError("the log has no column 'time'; give a timestep")
            timestep = max((i for i, t in enumerate(self.times) if t <= time), default=0)
        row = self.state_array[min(timestep, len(self.state_array) - 1)]
        sim, world = self.sim, self.sim.world
        for i, indices in enumerate(self.robot_indices):
            if indices is not None:
                robot = world.robot(i)
                robot.setConfig([row[k] for k in indices["q"]])
                robot.setVelocity([row[k] for k in indices["dq"]])
        for i, indices in enumerate(self.rigid_object_indices):
            if indices is not None:
                x, r, v, w = ([row[indices[p]] for p in _OBJECT[k:k + 3]] for k in (0, 3, 6, 9))
                obj, R = world.rigidObject(i), so3.from_rotation_vector(r)
                obj.setTransform(R, x)
                obj.setVelocity(w, v)
                sim.body(obj).setObjectTransform(R, x)
                sim.body(obj).setVelocity(w, v)
