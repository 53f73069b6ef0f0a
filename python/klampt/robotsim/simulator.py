"""Simulation."""

import base64
import math

import numpy as np

from ._native import native
from .entities import RigidObjectModel, TerrainModel
from .link import RobotModelLink
from .mass import ContactParameters
from .robot import RobotModel
from .sensor import SensorModel
from .controller import SimRobotController
from .world import WorldModel

_SETTINGS = ("gravity", "simStep", "autoDisable", "boundaryLayerCollisions", "rigidObjectCollisions",
             "robotSelfCollisions", "robotRobotCollisions", "adaptiveTimeStepping", "minimumAdaptiveTimeStep",
             "maxContacts", "clusterNormalScale", "errorReductionParameter", "dampedLeastSquaresParameter",
             "instabilityConstantEnergyThreshold", "instabilityLinearEnergyThreshold", "instabilityMaxEnergyThreshold",
             "instabilityPostCorrectionEnergy")
#: Settings of Klamp't's simulator that nothing here depends on: kept and given back.
_KEPT = {"autoDisable": "0", "minimumAdaptiveTimeStep": "1e-06", "clusterNormalScale": "0.1",
         "instabilityConstantEnergyThreshold": "1", "instabilityLinearEnergyThreshold": "1.5",
         "instabilityMaxEnergyThreshold": "100000", "instabilityPostCorrectionEnergy": "0.8"}


def _text(value):
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, list):
        return " ".join(_text(v) for v in value)
    return "%.12g" % value


class Simulator:
    """Simulates a world, as its file says where it was read from one. Each call of `simulate` poses the world."""

    STATUS_NORMAL = 0
    STATUS_ADAPTIVE_TIME_STEPPING = 1
    STATUS_CONTACT_UNRELIABLE = 2
    STATUS_UNSTABLE = 3
    STATUS_ERROR = 4

    def __init__(self, model):
        self._world = model._state
        self._sim = native.Simulator(model._state.native)
        self._robots = model.numRobots()
        self._kept = dict(_KEPT)
        self._disabled = {}
        self.world = model
        self.index = 0
        self.initialState = self.getState()

    @property
    def sim(self):
        """A number that identifies the simulation."""
        return id(self._sim)

    def __repr__(self):
        return "<Simulator: %g s, %s>" % (self.getTime(), self.getStatusString())

    def reset(self):
        """Back to how it was when it was made."""
        self._sim.reset()

    def getStatus(self):
        """The worst status of the last call of `simulate`, one of STATUS_..."""
        return self._sim.status()

    def getStatusString(self, s=-1):
        """A status as text; by default that of the last call."""
        names = ("normal", "adaptive time stepping", "unreliable contact", "unstable", "error")
        s = self.getStatus() if s < 0 else s
        if s >= len(names):
            raise RuntimeError("there is no status %d" % s)
        return names[s]

    def checkObjectOverlap(self):
        """Ids of bodies that are inside each other: two lists of the same length."""
        return self._sim.overlaps()

    def getState(self):
        """Everything that goes on from here, as base64."""
        return base64.b64encode(self._sim.save()).decode("ascii")

    def setState(self, str):
        """Goes on from what `getState` gave."""
        self._sim.restore(base64.b64decode(str))

    def simulate(self, t):
        """Simulates t seconds and poses the world."""
        self._sim.advance(float(t))

    def fakeSimulate(self, t):
        """Moves robots to where they are commanded, without physics, and the clock by t."""
        self._sim.fake(float(t))

    def getTime(self):
        """Simulated seconds."""
        return self._sim.time()

    def updateWorld(self):
        """Poses the world as the simulation has it; `simulate` does that, too."""
        self._sim.updateWorld()

    def _robot(self, robot):
        if not 0 <= int(robot) < self._robots:
            raise RuntimeError("the simulation has no robot %d: there are %d" % (robot, self._robots))
        return int(robot)

    def getActualConfig(self, robot):
        """Configuration of a simulated robot."""
        return self._sim.config(self._robot(robot))

    def getActualVelocity(self, robot):
        """Velocity of a simulated robot."""
        return self._sim.velocity(self._robot(robot))

    def getActualTorque(self, robot):
        """Torques of a simulated robot's drivers in the last step."""
        return self._sim.torques(self._robot(robot))

    def enableContactFeedback(self, obj1, obj2):
        """Has no effect: contacts of all pairs are always known."""

    def enableContactFeedbackAll(self):
        """Has no effect: contacts of all pairs are always known."""

    def inContact(self, aid, bid):
        """Returns whether two ids touch now; -1: any other."""
        return self._sim.summary(int(aid), int(bid))["inContact"]

    def getContacts(self, aid, bid):
        """Contacts now, n x 7: point, normal into the first, friction."""
        if self._is_robot(aid) or self._is_robot(bid):
            return np.zeros((0, 7))
        return self._sim.contacts(int(aid), int(bid))

    def _is_robot(self, id):
        """Robots are no bodies: their links have the contacts."""
        return id >= 0 and self.world.entityType(id) == "robot"

    def getContactForces(self, aid, bid):
        """Forces on the first in the last step, n x 3, one row a contact."""
        if self._is_robot(aid) or self._is_robot(bid):
            return np.zeros((0, 3))
        return self._sim.contactForces(int(aid), int(bid))

    def contactForce(self, aid, bid):
        """Force on the first, mean over the last call of `simulate`."""
        return self._sim.summary(int(aid), int(bid))["meanForce"]

    def contactTorque(self, aid, bid):
        """Torque on the first about its origin, mean over the last call of `simulate`."""
        return self._sim.summary(int(aid), int(bid))["meanTorque"]

    meanContactForce = contactForce

    def hadContact(self, aid, bid):
        """Returns whether two ids touched in the last call of `simulate`."""
        return self._sim.summary(int(aid), int(bid))["hadContact"]

    def hadSeparation(self, aid, bid):
        """Returns whether two ids were apart at some time in the last call of `simulate`."""
        return self._sim.summary(int(aid), int(bid))["hadSeparation"]

    def hadPenetration(self, aid, bid):
        """Returns whether bare surfaces of two ids met in the last call of `simulate`; with -1, -1: any two."""
        if aid < 0:
            return any(self._sim.summary(i, -1)["hadPenetration"] for i in range(self.world.numIDs()))
        return self._sim.summary(int(aid), int(bid))["hadPenetration"]

    def controller(self, robot):
        """Controller of a robot, by index or model."""
        index = robot.index if isinstance(robot, RobotModel) else int(robot)
        if not 0 <= index < self.world.numRobots():
            raise RuntimeError("the simulation has no robot %d" % index)
        return SimRobotController._of(self, index)

    def body(self, entity):
        """The body of a link, rigid object or terrain."""
        if not isinstance(entity, (RobotModelLink, RigidObjectModel, TerrainModel)):
            raise TypeError("links, rigid objects and terrains have bodies, not a %s" % type(entity).__name__)
        id = entity.getID()
        if id < 0:
            raise RuntimeError("%r does not belong to the simulated world" % (entity,))
        return SimBody._of(self, id)

    def getJointForces(self, link):
        """Force and torque (fx, fy, fz, mx, my, mz) that a link gets through its joint, in the link's axes at its origin:
        what moves and holds it and all that hangs on it, contacts left out."""
        robot = link.robot()
        n = robot.numLinks()
        below = {link.index}
        for i in range(link.index + 1, n):
            if robot.link(i).getParent() in below:
                below.add(i)
        gravity = np.asarray(self._sim.setting("gravity"))
        R, t = link.getTransform()
        R, t = np.reshape(R, (3, 3)).T, np.asarray(t)
        force, torque = np.zeros(3), np.zeros(3)
        for i in below:
            part = robot.link(i)
            mass = part.getMass()
            p = np.asarray(part.getWorldPosition(mass.com))
            weight = mass.mass * gravity
            contact = self._sim.summary(part.getID(), -1)
            f = -weight - np.asarray(contact["meanForce"])
            force += f
            torque += np.cross(p - t, -weight)
            origin = np.asarray(part.getTransform()[1])
            torque -= np.asarray(contact["meanTorque"]) + np.cross(origin - t, contact["meanForce"])
        return (R.T @ force).tolist() + (R.T @ torque).tolist()

    def setGravity(self, g):
        """Sets gravity, such as (0, 0, -9.8)."""
        self._sim.setSetting("gravity", [float(v) for v in g])

    def setSimStep(self, dt):
        """Sets the step of physics, seconds."""
        self._sim.setSetting("simStep", [float(dt)])

    def settings(self):
        """Names of all settings."""
        return list(_SETTINGS)

    def getSetting(self, name):
        """A setting as text. Raises RuntimeError for a name that there is not."""
        if name in self._kept:
            return self._kept[name]
        value = self._sim.setting(name) if name in _SETTINGS else None
        if value is None:
            raise RuntimeError("the simulator has no setting '%s': use one of %s" % (name, ", ".join(_SETTINGS)))
        return _text(value)

    def setSetting(self, name, value):
        """Changes a setting, given as text. Raises RuntimeError for a name that there is not, and for a wrong value."""
        if name not in _SETTINGS:
            raise RuntimeError("the simulator has no setting '%s': use one of %s" % (name, ", ".join(_SETTINGS)))
        try:
            numbers = [float(v) for v in str(value).replace("True", "1").replace("False", "0").split()]
        except ValueError:
            numbers = []
        if len(numbers) != (3 if name == "gravity" else 1) or not all(math.isfinite(v) for v in numbers):
            raise RuntimeError("'%s' is no value of the setting '%s'" % (value, name))
        if name in self._kept:
            self._kept[name] = str(value)
        else:
            self._sim.setSetting(name, numbers)


class SimBody:
    """A body of a simulation: a link, rigid object or terrain. Its frame is at the center of mass; functions with Object
    in their names mean the frame of the model. Forces last for one call of `simulate`. Got from `Simulator.body`."""

    def __init__(self):
        self.sim, self.objectID = None, -1

    @classmethod
    def _of(cls, simulator, id):
        body = cls()
        body.sim, body.objectID = simulator, id
        body._native = simulator._sim
        return body

    @property
    def geometry(self):
        """A number that identifies the body's geometry."""
        return self.objectID

    body = geometry

    def getID(self):
        """The id in the world."""
        return self.objectID

    def _switches(self):
        return self.sim._disabled.setdefault(self.objectID, {"enabled": True, "dynamics": True})

    def enable(self, enabled=True):
        """Sets whether the body takes part: off, it touches nothing and stays."""
        self._native.setCollision(self.objectID, -1, bool(enabled))
        if self.sim.world.entityType(self.objectID) == "rigidObject":
            if not enabled:
                self._native.setBodyVelocity(self.objectID, [0.0] * 3, [0.0] * 3)
            self._native.setDynamics(self.objectID, bool(enabled))
        self._switches()["enabled"] = bool(enabled)

    def isEnabled(self):
        """Returns whether the body takes part."""
        return self._switches()["enabled"]

    def enableDynamics(self, enabled=True):
        """Off: the body keeps its velocity, whatever pushes it."""
        self._native.setDynamics(self.objectID, bool(enabled))
        self._switches()["dynamics"] = bool(enabled)

    def isDynamicsEnabled(self):
        """Returns whether forces move the body."""
        return self._switches()["dynamics"]

    def _matrix(self):
        R, t = self._native.pose(self.objectID)
        return np.reshape(R, (3, 3)).T, np.asarray(t)

    def _center(self):
        return np.asarray(self._native.center(self.objectID))

    def applyWrench(self, f, t):
        """A force at the center of mass and a torque, world axes."""
        R, p = self._matrix()
        self._native.applyWrench(self.objectID, f, t, (R @ self._center() + p).tolist())

    def applyForceAtPoint(self, f, pworld):
        """A force at a point of the world."""
        self._native.applyWrench(self.objectID, f, [0.0] * 3, pworld)

    def applyForceAtCOMLocalPoint(self, f, plocal_com):
        """A force at a point given from the center of mass in the body's axes."""
        R, p = self._matrix()
        self.applyForceAtPoint(f, (R @ (self._center() + plocal_com) + p).tolist())

    applyForceAtLocalPoint = applyForceAtCOMLocalPoint

    def applyForceAtObjectLocalPoint(self, f, plocal):
        """A force at a point of the model's frame."""
        R, p = self._matrix()
        self.applyForceAtPoint(f, (R @ np.asarray(plocal, dtype=float) + p).tolist())

    def setTransform(self, R, t):
        """Places the body, by its center of mass."""
        M = np.reshape(np.asarray(R, dtype=float), (3, 3)).T
        self._native.setPose(self.objectID, R, (np.asarray(t, dtype=float) - M @ self._center()).tolist())

    def getTransform(self):
        """Returns where the body is, by its center of mass: (R, t)."""
        R, t = self._native.pose(self.objectID)
        return R, (np.reshape(R, (3, 3)).T @ self._center() + t).tolist()

    def setObjectTransform(self, R, t):
        """Places the body, by the frame of its model."""
        self._native.setPose(self.objectID, R, t)

    def getObjectTransform(self):
        """Returns where the body is, by the frame of its model."""
        return self._native.pose(self.objectID)

    def setVelocity(self, w, v):
        """Sets angular velocity and velocity of the center of mass."""
        R, _ = self._matrix()
        origin = np.asarray(v, dtype=float) - np.cross(w, R @ self._center())
        self._native.setBodyVelocity(self.objectID, w, origin.tolist())

    def getVelocity(self):
        """(angular velocity, velocity of the center of mass)."""
        R, _ = self._matrix()
        w, v = self._native.bodyVelocity(self.objectID)
        return w, (np.asarray(v) + np.cross(w, R @ self._center())).tolist()

    def setObjectVelocity(self, w, v):
        """Sets angular velocity and velocity of the model's origin."""
        self._native.setBodyVelocity(self.objectID, w, v)

    def getObjectVelocity(self):
        """(angular velocity, velocity of the model's origin)."""
        return self._native.bodyVelocity(self.objectID)

    def _set_surface(self, friction, restitution, stiffness, damping, padding, preshrink):
        self._native.setSurface(self.objectID, friction, restitution, stiffness, damping, padding, preshrink)

    def setCollisionPadding(self, padding):
        """Sets the layer around the body in which contacts are found, meters."""
        surface = self._native.surface(self.objectID)
        if surface[4] != padding:
            self._set_surface(*surface[:4], float(padding), surface[5])

    def getCollisionPadding(self):
        """The layer around the body in which contacts are found, meters."""
        return self._native.surface(self.objectID)[4]

    def setCollisionPreshrink(self, shrinkVisualization=False):
        """Shrinks the body by its padding, so that both together are as large as it was."""
        surface = self._native.surface(self.objectID)
        self._set_surface(*surface[:5], 2 if shrinkVisualization else 1)

    def getSurface(self):
        """A copy of the surface."""
        return ContactParameters._of(self._native.surface(self.objectID))

    def setSurface(self, params):
        """Replaces the surface."""
        self._set_surface(*params._numbers(), *self._native.surface(self.objectID)[4:])


class SimJoint:
    """A hinge, slider or fixed connection between two bodies of a simulation, or a body and the world."""

    def __init__(self):
        self.type, self.a, self.b = 0, None, None
        self.joint = -1
        self._axis, self._point, self._friction = None, None, 0.0

    def _make(self, kind, number, a, b, point, axis):
        if self.joint >= 0:
            self.destroy()
        if a is None:
            raise TypeError("a joint needs a body")
        self.type, self.a, self.b = number, a, b
        self._point, self._axis = point, axis
        joints = a.sim.__dict__.setdefault("_joints", [])
        self.joint = a._native.addJoint(kind, a.objectID, -1 if b is None else b.objectID, point, axis)
        joints.append(self)

    def makeHinge(self, *args):
        """makeHinge(a, b, pt, axis), or (a, pt, axis) for a hinge in the world."""
        if len(args) == 4:
            self._make("hinge", 1, *args)
        else:
            self._make("hinge", 1, args[0], None, *args[1:])

    def makeSlider(self, *args):
        """makeSlider(a, b, axis), or (a, axis) for a slider in the world."""
        a, b, axis = args if len(args) == 3 else (args[0], None, args[1])
        self._make("slider", 2, a, b, a.getTransform()[1], axis)

    def makeFixed(self, a, b):
        """Fixes two bodies to each other."""
        self._make("fixed", 3, a, b, a.getTransform()[1], [0.0, 0.0, 1.0])

    def _require(self):
        if self.joint < 0:
            raise RuntimeError("the joint is not made: call makeHinge, makeSlider or makeFixed first")

    def destroy(self):
        """Takes the joint away."""
        self._require()
        self.a._native.removeJoint(self.joint)
        joints = self.a.sim._joints
        joints.remove(self)
        for other in joints:
            if other.joint > self.joint:
                other.joint -= 1
        self.joint = -1

    def setLimits(self, min, max):
        """Limits from where the bodies are now, rad or m."""
        self._require()
        self.a._native.changeJoint(self.joint, float(min), float(max), None)

    def setFriction(self, friction):
        """Dry friction, N m or N."""
        self._require()
        self.a._native.changeJoint(self.joint, None, None, float(friction))

    def setVelocity(self, vel, fmax):
        """Raises RuntimeError: joints of simulations are not driven; give the bodies forces, or use a robot."""
        raise RuntimeError("joints between bodies are not driven here: use addForce, or a robot with a driver")

    def addForce(self, force):
        """A torque about a hinge, or a force along a slider, for the next call of `simulate`."""
        self._require()
        axis = np.asarray(self._axis, dtype=float)
        push = (force * axis / np.linalg.norm(axis)).tolist()
        back = [-x for x in push]
        zero = [0.0] * 3
        self.a.applyWrench(*((zero, push) if self.type == 1 else (push, zero)))
        if self.b is not None:
            self.b.applyWrench(*((zero, back) if self.type == 1 else (back, zero)))
