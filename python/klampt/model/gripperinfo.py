"""Descriptions of grippers: links, drivers, axes, openings, synergies; JSON files."""

import copy
import json

from klampt import Geometry3D, WorldModel

from ..math import se3, vectorops
from .subrobot import SubRobotModel

# Programs get these along with `import *`.
from ..math import so3
from ..robotsim import RobotModel

_REQUIRED = ("name", "baseLink")
_OPTIONAL = ("fingerLinks", "fingerDrivers", "type", "center", "primaryAxis", "secondaryAxis",
             "fingerLength", "fingerWidth", "fingerDepth", "maximumSpan", "minimumSpan",
             "closedConfig", "openConfig", "synergies", "gripperLinks", "klamptModel")


class GripperInfo:
    """A gripper on a robot; attributes are those of the constructor, lengths in meters."""

    all_grippers: "dict[str, object]" = {}

    def __init__(self, name, baseLink, fingerLinks=None, fingerDrivers=None, type=None, center=None,
                 primaryAxis=None, secondaryAxis=None, fingerLength=None, fingerWidth=None,
                 fingerDepth=None, maximumSpan=None, minimumSpan=None, closedConfig=None,
                 openConfig=None, gripperLinks=None, klamptModel=None, register=True):
        self.name, self.baseLink, self.type = name, baseLink, type
        self.fingerLinks = [] if fingerLinks is None else fingerLinks
        self.fingerDrivers = [] if fingerDrivers is None else fingerDrivers
        self.center, self.primaryAxis, self.secondaryAxis = center, primaryAxis, secondaryAxis
        self.fingerLength, self.fingerWidth = fingerLength, fingerWidth
        self.fingerDepth = fingerDepth
        self.maximumSpan, self.minimumSpan = maximumSpan, minimumSpan
        self.closedConfig, self.openConfig = closedConfig, openConfig
        self.gripperLinks, self.klamptModel = gripperLinks, klamptModel
        self.synergies = {}
        if register:
            GripperInfo.register(self)

    @staticmethod
    def register(gripper):
        """Makes a gripper known by name."""
        GripperInfo.all_grippers[gripper.name] = gripper

    @staticmethod
    def get(name):
        """The gripper of a name, or None."""
        return GripperInfo.all_grippers.get(name)

    @staticmethod
    def load(fn):
        """Reads and registers a JSON file."""
        res = GripperInfo(fn, -1, register=False)
        with open(fn) as f:
            res.fromJson(json.load(f))
        GripperInfo.register(res)
        return res

    @staticmethod
    def mounted(gripper, klamptModel, baseLink, name=None, register=True):
        """A gripper as part of a robot file, on a link (index or name)."""
        world = WorldModel()
        if not world.readFile(klamptModel):
            raise IOError(f"the robot {klamptModel} could not be read")
        robot = world.robot(0)
        base = robot.link(baseLink).index if isinstance(baseLink, str) else baseLink
        res = copy.copy(gripper)
        res.name = gripper.name + "_mounted" if name is None else name
        res.klamptModel, res.baseLink = klamptModel, base
        res.fingerLinks = [l + base for l in gripper.fingerLinks]
        first = next((i for i in range(robot.numDrivers())
                      if set(robot.driver(i).getAffectedLinks()) & set(res.fingerLinks)), None)
        if first is None:
            raise RuntimeError(f"{klamptModel} has no drivers of the gripper's fingers")
        res.fingerDrivers = [d + first for d in gripper.fingerDrivers]
        if register:
            GripperInfo.register(res)
        return res

    def _ends(self):
        if self.closedConfig is None or self.openConfig is None:
            raise ValueError(f"gripper {self.name} has no closedConfig and openConfig")
        return self.closedConfig, self.openConfig

    def partwayOpenConfig(self, amount):
        """Finger configuration at an opening from 0 to 1."""
        return vectorops.interpolate(*self._ends(), amount)

    def configToOpening(self, qfinger):
        """Opening from 0 to 1 nearest to a finger configuration."""
        closed, opened = self._ends()
        a, b = vectorops.sub(opened, closed), vectorops.sub(qfinger, closed)
        return min(1, max(0, vectorops.dot(a, b) / vectorops.normSquared(a)))

    def evalSynergy(self, synergy_name, parameters):
        """Finger configuration of a synergy: a function, or directions and an offset."""
        synergy = self.synergies[synergy_name]
        if callable(synergy):
            return synergy(parameters)
        if len(parameters) + 1 != len(synergy):
            raise ValueError(f"synergy {synergy_name} takes {len(synergy) - 1} parameters, got "
                             f"{len(parameters)}")
        q = synergy[-1]
        for direction, p in zip(synergy, parameters):
            q = vectorops.madd(q, direction, p)
        return q

    def configToSynergy(self, qfinger, synergy_name=None):
        """(name, parameters) of the synergy nearest to a finger configuration."""
        import numpy as np
        if synergy_name is not None:
            synergy = self.synergies[synergy_name]
            if callable(synergy):
                raise ValueError(f"synergy {synergy_name} is a function and cannot be inverted")
            A = np.asarray(synergy[:-1], float).T
            b = np.asarray(qfinger, float) - synergy[-1]
            return (synergy_name, np.linalg.lstsq(A, b, rcond=None)[0].tolist())
        options = [self.configToSynergy(qfinger, n) for n, s in self.synergies.items()
                   if not callable(s)]
        return min(options, key=lambda o: vectorops.distance(qfinger, self.evalSynergy(*o)),
                   default=(None, None))

    def _span(self):
        if self.maximumSpan is None:
            raise ValueError(f"gripper {self.name} has no maximumSpan")
        return self.minimumSpan or 0, self.maximumSpan

    def widthToOpening(self, width):
        """Opening from 0 to 1 of a width in meters."""
        low, high = self._span()
        return (width - low) / (high - low)

    def openingToWidth(self, opening):
        """Width in meters of an opening from 0 to 1."""
        low, high = self._span()
        return low + opening * (high - low)

    def setFingerConfig(self, qrobot, qfinger):
        """The robot's configuration with the fingers' replaced."""
        assert len(qfinger) == len(self.fingerLinks), f"{len(self.fingerLinks)} values are wanted"
        q = list(qrobot)
        for i, v in zip(self.fingerLinks, qfinger):
            q[i] = v
        return q

    def getFingerConfig(self, qrobot):
        """The fingers' part of a configuration."""
        return [qrobot[i] for i in self.fingerLinks]

    def descendantLinks(self, robot):
        """Links below the base link, with it."""
        below = {robot.link(self.baseLink).index}
        for i in range(robot.numLinks()):
            if robot.link(i).getParent() in below:
                below.add(i)
        return sorted(below)

    def _all_links(self, robot):
        return self.gripperLinks if self.gripperLinks is not None else self.descendantLinks(robot)

    def getSubrobot(self, robot, all_descendants=True):
        """The gripper as a SubRobotModel."""
        if all_descendants:
            return SubRobotModel(robot, self.descendantLinks(robot))
        return SubRobotModel(robot, [robot.link(self.baseLink).index] + list(self.fingerLinks))

    def getGeometry(self, robot, qfinger=None, type="Group"):
        """The gripper's geometry, a 'Group' in the base link's frame or a 'TriangleMesh'."""
        before = robot.getConfig()
        if qfinger is not None:
            robot.setConfig(self.setFingerConfig(before, qfinger))
        try:
            if type != "Group":
                from . import geometry
                return geometry.merge(*[robot.link(l) for l in self._all_links(robot)])
            res = Geometry3D()
            res.setGroup()
            inverse = se3.inv(robot.link(self.baseLink).getTransform())
            links = [robot.link(l) for l in self._all_links(robot)]
            for i, link in enumerate(l for l in links if not l.geometry().empty()):
                g = link.geometry().copy()
                g.setCurrentTransform(*se3.identity())
                g.transform(*se3.mul(inverse, link.getTransform()))
                res.setElement(i, g)
            return res
        finally:
            robot.setConfig(before)

    def fromJson(self, jsonobj):
        """Takes attributes from plain data."""
        for key in _REQUIRED:
            if key not in jsonobj:
                raise IOError(f"a gripper's file wants '{key}'")
        for key in _REQUIRED + _OPTIONAL:
            if key in jsonobj:
                setattr(self, key, jsonobj[key])

    def toJson(self):
        """Attributes as plain data."""
        if any(callable(v) for v in self.synergies.values()):
            raise RuntimeError("synergies that are functions cannot be written")
        return {key: getattr(self, key) for key in _REQUIRED + _OPTIONAL}

    def save(self, f):
        """Writes JSON to a file or its name."""
        if isinstance(f, str):
            with open(f, "w") as out:
                json.dump(self.toJson(), out)
        else:
            json.dump(self.toJson(), f)

    def visualize(self):
        """Shows the gripper."""
        from klampt import vis
        vis.loop(self.addToVis)

    def addToVis(self, robot=None, animate=True, base_xform=None):
        """Adds the gripper, its center and axes to the display."""
        from klampt import vis
        from .trajectory import Trajectory
        prefix, T = "gripper_" + self.name, base_xform
        if robot is None and self.klamptModel is not None:
            world = WorldModel()
            if world.readFile(self.klamptModel):
                robot = world.robot(0)
        if robot is not None:
            vis.add(prefix + "_gripper", robot)
            T = robot.link(self.baseLink).getTransform() if T is None else T
            if animate and self.openConfig is not None and self.closedConfig is not None:
                q = robot.getConfig()
                ends = [self.setFingerConfig(q, f) for f in self._ends()]
                vis.animate(prefix + "_gripper", Trajectory([0, 1, 2], ends + ends[:1]))
        T = se3.identity() if T is None else T
        center = [0, 0, 0] if self.center is None else self.center
        vis.add(prefix + "_center", se3.apply(T, center))
        for name, axis, length in (("primary", self.primaryAxis, self.fingerLength),
                                   ("secondary", self.secondaryAxis, self.maximumSpan)):
            if axis is not None:
                end = vectorops.madd(center, axis, length or 0.1)
                vis.add(f"{prefix}_{name}", Trajectory([0, 1], [se3.apply(T, center),
                                                                se3.apply(T, end)]))

    def removeFromVis(self):
        """Removes what addToVis() added."""
        from klampt import vis
        for part in ("gripper", "center", "primary", "secondary"):
            if f"gripper_{self.name}_{part}" in vis.scene().items:
                vis.remove(f"gripper_{self.name}_{part}")
