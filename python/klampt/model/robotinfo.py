"""Descriptions of robots: model, parts, end effectors, grippers, controllers; JSON files."""

import importlib.util
import json
import os
import warnings

from ..math import so3
from ..robotsim import IKObjective, IKSolver, SensorModel, SimRobotController, WorldModel
from . import config, ik
from .gripperinfo import GripperInfo
from .subrobot import SubRobotModel

# Programs get these along with `import *`.
import sys
from ..math import se3, vectorops
from ..robotsim import Geometry3D, RobotModel

_REQUIRED = ("name", "modelFile")
_OPTIONAL = ("version", "serial", "description", "parts", "baseType", "endEffectors", "grippers",
             "properties", "controllerFile", "controllerArgs", "simulatorFile", "calibrationFiles",
             "resourceDir", "filePaths", "preferences")


def _read_data(fn):
    with open(fn) as f:
        if fn.endswith((".yaml", ".yml")):
            import yaml
            return yaml.safe_load(f)
        return json.load(f)


def _write_data(data, fn):
    with open(fn, "w") as f:
        if fn.endswith((".yaml", ".yml")):
            import yaml
            yaml.safe_dump(data, f)
        else:
            json.dump(data, f)


def _resolve_file(file, paths=()):
    """Absolute path of a file, found in the current folder or one of paths."""
    file = os.path.expanduser(file)
    for folder in ("", *paths):
        path = os.path.join(folder, file)
        if os.path.exists(path):
            return os.path.abspath(path)
    raise RuntimeError(f"{file} is in none of: the current folder, {', '.join(paths)}")


def _module(fn, paths):
    """A Python file or module by name."""
    if not fn.endswith(".py"):
        return importlib.import_module(fn)
    path = _resolve_file(fn, paths)
    spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(path))[0], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _maker(fn, paths, signature):
    module = _module(fn, paths)
    if not hasattr(module, "make"):
        raise RuntimeError(f"{fn} has no function make({signature})")
    return module.make


class RobotInfo:
    """A robot by name. load(file) reads a description; klamptModel() loads its model."""

    all_robots: "dict[str, object]" = {}

    def __init__(self, name, modelFile=None, baseType="fixed", parts=None, endEffectors=None,
                 grippers=None, properties=None):
        for key, value in (("parts", parts), ("endEffectors", endEffectors),
                           ("grippers", grippers), ("properties", properties)):
            if value is not None and not isinstance(value, dict):
                raise ValueError(f"{key} must be a dictionary by name")
            setattr(self, key, {} if value is None else value)
        self.name, self.modelFile, self.baseType = name, modelFile, baseType
        self.version = self.serial = self.description = None
        self.controllerFile = self.controllerArgs = self.simulatorFile = None
        self.calibrationFiles = {}
        self.resourceDir = None
        self.filePaths = []
        self.preferences = {}
        self.robotModel = None
        self._worldTemp = None
        self.load = self._load  # On an instance load() fills it, on the class it makes one.

    @staticmethod
    def register(robotInfo):
        """Makes a robot known by name."""
        RobotInfo.all_robots[robotInfo.name] = robotInfo

    @staticmethod
    def get(name):
        """The robot of a name; KeyError when it is not known."""
        return RobotInfo.all_robots[name]

    @staticmethod
    def load(fn):
        """Reads and registers a description (JSON or YAML)."""
        res = RobotInfo(None)
        folder = os.path.dirname(os.path.abspath(fn))
        res.filePaths.append(folder)
        res.load(fn)
        RobotInfo.register(res)
        return res

    def _load(self, f):
        data = _read_data(f) if isinstance(f, str) else json.load(f)
        own = list(self.filePaths)
        for key in _REQUIRED:
            if key not in data:
                raise IOError(f"a robot's file wants '{key}'")
        for key in _REQUIRED + _OPTIONAL:
            if key in data:
                setattr(self, key, data[key])
        self.filePaths = own + [p for p in self.filePaths if p not in own]
        if self.modelFile is not None:
            self.modelFile = _resolve_file(self.modelFile, self.filePaths)
        for key, value in self.endEffectors.items():
            self.endEffectors[key] = EndEffectorInfo(None, [])
            self.endEffectors[key].fromJson(value)
        self.grippers = {key: self._gripper(key, value) for key, value in self.grippers.items()}

    def _gripper(self, key, value):
        """A gripper of data, or of '!include FILE' or '!mounted FILE LINK'."""
        if isinstance(value, str):
            words = value.split()
            if words[0] not in ("!include", "!mounted") or len(words) != (2 + (
                    words[0] == "!mounted")):
                raise ValueError(f"gripper {key}: '{value}' must be '!include FILE' or "
                                 "'!mounted FILE LINK'")
            gripper = GripperInfo("", 0, register=False)
            gripper.fromJson(_read_data(_resolve_file(words[1], self.filePaths)))
            if words[0] == "!include":
                return gripper
            return GripperInfo.mounted(gripper, self.modelFile, self._mount_link(words[2]), key)
        gripper = GripperInfo("", 0, register=False)
        gripper.fromJson(value)
        return gripper

    def _mount_link(self, target):
        model = self.klamptModel()
        if target in self.endEffectors:
            ee = model.link(self.endEffectors[target].link).index
            below = [i for i in range(model.numLinks()) if model.link(i).getParent() == ee]
            if not below:
                raise ValueError(f"nothing is mounted on end effector {target}")
            return below[0]
        return int(target) if target.isdigit() else model.link(target).index

    def save(self, f):
        """Writes the description to a file or its name."""
        data = {k: getattr(self, k) for k in _REQUIRED + _OPTIONAL
                if k not in ("endEffectors", "grippers")}
        data = {k: v for k, v in data.items() if v not in (None, {}, [])}
        for key in ("endEffectors", "grippers"):
            if getattr(self, key):
                data[key] = {k: v.toJson() for k, v in getattr(self, key).items()}
        if isinstance(f, str):
            _write_data(data, f)
        else:
            json.dump(data, f)

    def klamptModel(self):
        """The RobotModel, loaded and calibrated when first asked for."""
        if self.robotModel is not None:
            return self.robotModel
        if self.modelFile is None:
            raise RuntimeError(f"robot {self.name} has no modelFile")
        self._worldTemp = WorldModel()
        robot = self._worldTemp.loadRobot(_resolve_file(self.modelFile, self.filePaths))
        if robot is None or robot.index < 0:
            raise IOError(f"the robot {self.modelFile} could not be read")
        robot.setName(self.name)
        self.robotModel = robot
        for key, file in self.calibrationFiles.items():
            if key == "kinematics":
                self.configureKinematics(file)
            else:
                try:
                    self.configureSensor(robot.sensor(key))
                except KeyError:
                    warnings.warn(f"calibration '{key}' is neither a sensor nor 'kinematics'", stacklevel=2)
        return robot

    def configureKinematics(self, file):
        """Sets axes and parent transforms of links from a calibration file."""
        for key, items in _read_data(_resolve_file(file, self.filePaths)).items():
            if key == "type":
                continue
            link = self.robotModel.link(key)
            if link.index < 0:
                raise ValueError(f"{file}: the robot has no link {key}")
            for what, value in items.items():
                if what == "axis":
                    link.setAxis(value)
                elif what == "Tparent":
                    link.setParentTransform(*value)
                else:
                    raise KeyError(f"{file}: '{what}' of link {key} is neither axis nor Tparent")

    def saveKinematicCalibration(self, file, update_calibration_attr=True):
        """Writes axes and parent transforms of links."""
        if self.robotModel is None:
            raise RuntimeError("there is no robot model yet; call klamptModel()")
        data = {"type": "KinematicCalibration"}
        for i in range(self.robotModel.numLinks()):
            link = self.robotModel.link(i)
            R, t = link.getParentTransform()
            data[link.getName()] = {"axis": list(link.getAxis()), "Tparent": [list(R), list(t)]}
        _write_data(data, file)
        if update_calibration_attr:
            self.calibrationFiles["kinematics"] = file

    def configureSensor(self, sensor):
        """Sets a sensor's settings from its calibration file, if it has one."""
        if not isinstance(sensor, SensorModel):
            sensor = self.klamptModel().sensor(sensor)
        if sensor.name not in self.calibrationFiles:
            return sensor
        file = _resolve_file(self.calibrationFiles[sensor.name], self.filePaths)
        if file.endswith((".npy", ".npz")):
            from ._sensing.camera import intrinsics_to_camera
            intrinsics_to_camera(file, sensor, "numpy")
            return sensor
        from ..io import loader
        for key, value in _read_data(file).items():
            if key != "type":
                text = loader.write(value, "auto") if hasattr(value, "__iter__") and not isinstance(
                    value, str) else str(value)
                sensor.setSetting(key, text)
        return sensor

    def saveSensorCalibration(self, sensor, file, update_calibration_attr=True):
        """Writes a sensor's settings."""
        if not isinstance(sensor, SensorModel):
            sensor = self.klamptModel().sensor(sensor)
        data = {"type": "SensorCalibration"}
        data.update({s: sensor.getSetting(s) for s in sensor.settings()})
        _write_data(data, file)
        if update_calibration_attr:
            self.calibrationFiles[sensor.name] = file

    def controller(self):
        """The interface that controllerFile's make(robotModel) gives."""
        if self.controllerFile is None:
            raise RuntimeError(f"robot {self.name} has no controllerFile")
        make = _maker(self.controllerFile, self.filePaths, "robotModel")
        res = make(self.klamptModel(), *(self.controllerArgs or ()))
        res.properties["klamptModelFile"] = self.modelFile
        return res

    def configureSimulator(self, sim, robotIndex=0):
        """Adds the controller and emulators that simulatorFile's make(sim, index) gives."""
        if self.simulatorFile is None:
            return
        controller, emulators = _maker(self.simulatorFile, self.filePaths, "sim, robotIndex")(
            sim, robotIndex)
        if not isinstance(controller, SimRobotController):
            sim.setController(robotIndex, controller)
        for e in emulators:
            sim.addEmulator(robotIndex, e)
        for s in sim.controller(robotIndex).sensors:
            self.configureSensor(s)

    def configureControllerEndEffectors(self, controller):
        """Sets tools of parts that match end effectors; returns (parts by name, unmatched)."""
        matches = {}
        for part, indices in controller.parts().items():
            for name, ee in self.endEffectors.items():
                if list(indices) == self.toDriverIndices(ee.activeLinks):
                    interface = controller if part is None else controller.partInterface(part)
                    interface.properties["klamptModelCartesianLink"] = ee.link
                    interface.setToolCoordinates(ee.getTCP())
                    matches[name] = part
        return (matches, [n for n in self.endEffectors if n not in matches])

    def partLinks(self, part):
        """Links of a part as the description gives them."""
        return self.parts[part]

    def partLinkIndices(self, part):
        return self.toIndices(self.parts[part])

    def partLinkNames(self, part):
        return self.toNames(self.parts[part])

    def partDriverIndices(self, part):
        return self.toDriverIndices(self.parts[part])

    def partAsSubrobot(self, part):
        """A part as a SubRobotModel."""
        return SubRobotModel(self.klamptModel(), self.partLinkIndices(part))

    def eeSolver(self, endEffector, target):
        """An IKSolver for an end effector and a target (3 or 12 numbers, or a transform)."""
        ee, robot = self.endEffectors[endEffector], self.klamptModel()
        x = config.get_config(target)
        link = robot.link(ee.link)
        if len(x) == 3:
            goal = ik.objective(link, local=ee.getTCP(), world=x)
        elif len(x) == 12:
            goal = ik.objective(link, local=ee.getTCP(), R=x[:9], t=x[9:])
        else:
            raise ValueError(f"a target of 3 or 12 numbers is wanted, got {len(x)}")
        s = IKSolver(robot)
        s.add(goal)
        s.setActiveDofs(self.toIndices(ee.activeLinks))
        return s

    def toIndices(self, items):
        """Indices of links given by index or name."""
        robot = self.klamptModel() if any(isinstance(v, str) for v in items) else None
        res = []
        for v in items:
            index = robot.link(v).index if isinstance(v, str) else v
            if index < 0:
                raise ValueError(f"robot {self.name} has no link {v}")
            res.append(index)
        return res

    def toDriverIndices(self, items):
        """Indices of the drivers of links."""
        robot = self.klamptModel()
        of = {robot.driver(i).getAffectedLink(): i for i in range(robot.numDrivers())}
        return [of[l] for l in self.toIndices(items) if l in of]

    def toNames(self, items):
        """Names of links given by index or name."""
        return [v if isinstance(v, str) else self.klamptModel().link(v).getName() for v in items]

    def _resources(self):
        return _resolve_file(self.resourceDir, self.filePaths)

    def listResources(self):
        """Files of the robot's resource folder."""
        return [] if self.resourceDir is None else os.listdir(self._resources())

    def getResource(self, name, doedit="auto"):
        """A resource of the robot's folder."""
        from ..io import resource
        return resource.get(name, directory=self._resources(), doedit=doedit,
                            world=self._worldTemp)

    def setResource(self, name, object):
        """Writes a resource to the robot's folder."""
        from ..io import resource
        resource.set(name, object, directory=self._resources())


class EndEffectorInfo:
    """A link, the links that move it, and an IKObjective of its tool or None."""

    def __init__(self, link, activeLinks, ikObjective=None):
        self.link = link
        self.activeLinks = activeLinks
        self.ikObjective = ikObjective
        self.gripper = None

    def setTCP(self, tcp):
        """Sets the tool's point in the link."""
        if self.ikObjective is None:
            self.ikObjective = IKObjective()
            self.ikObjective.setFixedPoint(self.link, tcp, [0, 0, 0])
            self.ikObjective.setFixedRotConstraint(so3.identity())
        else:
            self.ikObjective.setFixedPosConstraint(tcp, [0, 0, 0])

    def getTCP(self):
        """The tool's point in the link."""
        return [0, 0, 0] if self.ikObjective is None else list(self.ikObjective.getPosition()[0])

    def toJson(self):
        from ..io import loader
        goal = None if self.ikObjective is None else loader.to_json(self.ikObjective)
        return {"link": self.link, "activeLinks": self.activeLinks, "ikObjective": goal,
                "gripper": self.gripper}

    def fromJson(self, jsonobj):
        from ..io import loader
        self.link, self.activeLinks = jsonobj["link"], jsonobj["activeLinks"]
        goal = jsonobj.get("ikObjective")
        self.ikObjective = None if goal is None else loader.from_json(goal, "IKObjective")
        self.gripper = jsonobj.get("gripper")
