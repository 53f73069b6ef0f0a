"""Extrinsic calibration: where cameras and markers are on a robot or in the world, found from what the cameras saw.

Klamp't's programs import everything from here, and get klampt and its math along with it.
"""

import json
import math
import os
import random
import time
import warnings

import numpy as np

from klampt import *

from ..control.robotinterface import RobotInterfaceBase
from ..control.utils import TimedLooper
from ..io import resource
from ..math import se3, so3, vectorops
from . import sensing
from ._calibrate import fit, records
from ._calibrate.records import (CameraInfo, PixelObservation, PointMarker, PointObservation,
                                 TransformMarker, TransformObservation)
from .trajectory import RobotTrajectory


def robot_sensors(robot, type=None):
    """The sensors of a robot, those of a type if one is given."""
    return [s for s in robot.sensors if type is None or s.type == type]


class RobotExtrinsicCalibration:
    """Cameras, markers and observations of a robot, by which optimize() calibrates.

    Set `robot`, fill `cameras` ({name: CameraInfo}) and `markers` ({name: PointMarker or TransformMarker}), add frames with
    addFrame() or executeTrajectory(), and call optimize(). A camera or marker whose `variable` is False stays where it is.
    """

    def __init__(self):
        self.robot = None
        self.world = None
        self.trajectory = None
        self.cameras = {}
        self.camera_constraints = {}
        self.markers = {}
        self.frames = []
        self.frame_camera_ids = []
        self.configurations = []
        self.observations = []

    def cameraFromRobot(self, sensors=None):
        """Takes cameras of the robot's model: the first, 'all', or those of these names or indices."""
        if sensors is None or sensors == "all":
            found = robot_sensors(self.robot, "CameraSensor")
            if not found:
                raise ValueError("the robot has no camera")
            found = found if sensors == "all" else found[:1]
        else:
            found = [self.robot.sensor(s) for s in (sensors if isinstance(sensors, (list, tuple)) else [sensors])]
            for sensor in found:
                if sensor is None or sensor.type != "CameraSensor":
                    raise ValueError(f"{sensors}: not all of these are cameras of the robot")
        self.cameras = {s.name: CameraInfo(int(s.getSetting("link")), sensing.camera_to_intrinsics(s, "json"),
                                           s.getTransform()) for s in found}

    def _world(self, world):
        if world is None:
            world = self.world
        if world is None:
            if self.robot is None:
                raise ValueError("set the robot first")
            world = WorldModel()
            world.add("temp", self.robot)
        return world

    def editTrajectory(self, world=None, name="calibration_trajectory"):
        """Lets the user change the RobotTrajectory through the configurations, and returns it."""
        world = self._world(world)
        if self.trajectory is None and self.configurations:
            self.trajectory = RobotTrajectory(self.robot, list(range(len(self.configurations))),
                                              self.configurations)
        accepted, trajectory = resource.edit(name, self.trajectory, "Trajectory", world=world)
        if accepted:
            self.trajectory = trajectory
        return self.trajectory

    def executeTrajectory(self, controller, traj, camera_fn, detect_fn=None, speed=1.0, wait=0.0):
        """Moves to each milestone with a RobotInterfaceBase and takes pictures there, halfway through the time to wait.

        camera_fn() gives an image; {camera: function} for several cameras. detect_fn: as in addFrame().
        """
        for i, q in enumerate(traj.milestones):
            print("Moving to milestone", i)
            controller.beginStep()
            controller.moveToPosition(self.robot.configToDrivers(q), speed)
            controller.endStep()
            moving = True
            while moving:
                controller.beginStep()
                moving = controller.isMoving()
                controller.endStep()
                time.sleep(0.1)
            time.sleep(wait * 0.5)
            self._capture(controller, camera_fn, detect_fn)
            time.sleep(wait * 0.5)

    def _capture(self, controller, camera_fn, detect_fn):
        if not camera_fn:
            return
        print("Taking pictures")
        for camera, function in (camera_fn.items() if isinstance(camera_fn, dict) else [(None, camera_fn)]):
            image = function()
            self.addFrame(image, self.robot.configFromDrivers(controller.sensedPosition()), camera, detect_fn)

    def _show(self, world):
        from klampt import vis
        vis.add("world", self._world(world))
        for key, camera in self.cameras.items():
            vis.add(f"Camera_widget {key}", self._sensor(key))
            vis.add(f"Camera {key}", records.in_world(camera, self.robot))
        for key, marker in self.markers.items():
            where = records.in_world(marker, self.robot)
            if isinstance(marker, PointMarker):
                vis.add(f"Marker {key}", where, size=marker.size)
                continue
            vis.add(f"Marker {key}", where, length=marker.size)
            for j, feature in enumerate(marker.local_features or []):
                vis.add(f"Marker {key} feature {j}", se3.apply(where, feature), size=4,
                        color=(1, 0.5, 0, 1), hide_label=True)
        return vis

    def _sensor(self, key):
        """The robot's sensor for a camera, which is added if there is none, at the camera's place."""
        camera = self.cameras[key]
        if isinstance(key, int):
            cameras = robot_sensors(self.robot, "CameraSensor")
            sensor = cameras[key] if 0 <= key < len(cameras) else None
        else:
            sensor = next((s for s in robot_sensors(self.robot) if s.name == key), None)
        if sensor is None:
            sensor = self.robot.addSensor(str(key), "CameraSensor")
            if camera.intrinsics:
                sensing.intrinsics_to_camera(camera.intrinsics, sensor, "json")
            sensor.setSetting("zmin", "0.1")
            sensor.setSetting("zmax", "10")
            sensor.setSetting("link", str(records.link_index(camera.link, self.robot)))
        if camera.local_coordinates is not None:
            sensing.set_sensor_xform(sensor, camera.local_coordinates)
        return sensor

    def visualize(self, world=None, edit=False):
        """Shows cameras and markers until the window is closed; with edit they can be moved."""
        vis = self._show(world)
        items = {**{f"Camera {k}": c for k, c in self.cameras.items()},
                 **{f"Marker {k}": m for k, m in self.markers.items()}} if edit else {}
        for name in items:
            vis.edit(name)
        if self.configurations:
            vis.add("calibration_configs", self.configurations, color=(0, 1, 0, 0.3))
        before = {name: list(vis.getItemConfig(name)) for name in items}
        vis.show()
        while vis.shown():
            for name, item in items.items():
                now = list(vis.getItemConfig(name))
                if now != before[name]:
                    before[name] = now
                    T = now if isinstance(item, PointMarker) else (now[:9], now[9:])
                    item.local_coordinates = records.localized(item, self.robot, T)
                    self._follow(vis, name, item, T)
            time.sleep(0.05)

    def _follow(self, vis, name, item, T):
        """Moves what is drawn with a camera or a marker."""
        if isinstance(item, CameraInfo):
            self._sensor(next(k for k, c in self.cameras.items() if c is item))
        elif isinstance(item, TransformMarker):
            for j, feature in enumerate(item.local_features or []):
                vis.setItemConfig(f"{name} feature {j}", se3.apply(T, feature))

    def manualCapture(self, controller, camera_fn, detect_fn=None, world=None):
        """Shows the robot, which something else moves; the space bar takes pictures and q ends it."""
        vis = self._show(world)
        vis.addAction(lambda: self._capture(controller, camera_fn, detect_fn), "Capture frame", " ",
                      description="Captures a frame from the camera")
        vis.addAction(lambda: vis.show(False), "Quit", "q", description="Exits manual capture mode")
        vis.show()
        looper = TimedLooper(0.1)
        while vis.shown() and looper:
            controller.beginStep()
            vis.lock()
            self.robot.setConfig(self.robot.configFromDrivers(controller.sensedPosition()))
            vis.unlock()
            controller.endStep()

    def editCalibration(self, world=None):
        """Lets the user move the cameras and markers; those that are nowhere start at their links."""
        self._place()
        self.visualize(world, True)

    def _place(self):
        for item in [*self.cameras.values(), *self.markers.values()]:
            if item.local_coordinates is None:
                item.local_coordinates = [0.0] * 3 if isinstance(item, PointMarker) else se3.identity()

    def addFrame(self, frame, q=None, camera_id=None, detect_fn=None):
        """Adds an image of a camera (the first unless given) at a configuration, and what detect_fn(image) finds in it.

        detect_fn returns observations, (marker, value) or ((marker, feature), value). Without q the observations have to
        bring their hand_eye_transform.
        """
        if q is not None:
            if self.robot is None:
                raise ValueError("set the robot first")
            if len(q) != self.robot.numLinks():
                raise ValueError(f"the configuration has {len(q)} entries, {self.robot.numLinks()} are wanted")
        frame_id = len(self.frames)
        if camera_id is None:
            camera_id = next(iter(self.cameras))
        self.frames.append(frame)
        self.configurations.append(q)
        self.frame_camera_ids.append(camera_id)
        for found in (detect_fn(frame) if detect_fn is not None else []):
            if isinstance(found, (PixelObservation, PointObservation, TransformObservation)):
                found.camera_id, found.frame_id = camera_id, frame_id
                if found.marker_id not in self.markers:
                    raise ValueError(f"marker {found.marker_id} is not one of {list(self.markers)}")
                self._relate(found)
                if found.hand_eye_transform is None:
                    raise ValueError("an observation wants a configuration of the robot or a hand_eye_transform")
                self.observations.append(found)
            else:
                marker, value = found
                marker, feature = marker if isinstance(marker, (tuple, list)) else (marker, None)
                self.addDetection(value, frame_id, marker, feature, camera_id)

    def addDetection(self, value, frame_id, marker_id, feature_id=None, camera_id=None, error=None):
        """Adds a pixel, point or transform that the camera saw of a marker, or of a feature of it, and returns the observation.

        error is the standard deviation of the value, or of each of its numbers (of a transform: three for its rotation and
        three for its translation).
        """
        if not 0 <= frame_id < len(self.frames):
            raise ValueError(f"there is no frame {frame_id}")
        if marker_id not in self.markers:
            raise ValueError(f"marker {marker_id} is not one of {list(self.markers)}")
        camera_id = next(iter(self.cameras)) if camera_id is None else camera_id
        if camera_id not in self.cameras:
            raise ValueError(f"camera {camera_id} is not one of {list(self.cameras)}")
        marker = self.markers[marker_id]
        if feature_id is not None and not 0 <= feature_id < len(getattr(marker, "local_features", [])):
            raise ValueError(f"marker {marker_id} has no feature {feature_id}")
        where = (value, camera_id, frame_id, marker_id)
        if len(value) == 2 and not hasattr(value[0], "__iter__"):
            made = PixelObservation(*where, feature_id)
        elif len(value) == 2:
            made = TransformObservation(*where)
        else:
            made = PointObservation(*where, feature_id)
        made.error = error
        self._relate(made)
        self.observations.append(made)
        return made

    def _relate(self, o):
        """Sets an observation's hand_eye_transform by the configuration of its frame, if that is known."""
        q = self.configurations[o.frame_id] if o.frame_id < len(self.configurations) else None
        if self.robot is None or q is None:
            return
        self.robot.setConfig(q)
        eye = records.link_transform(self.cameras[o.camera_id].link, self.robot)
        o.hand_eye_transform = se3.mul(se3.inv(eye), records.link_transform(self.markers[o.marker_id].link, self.robot))

    def _transforms(self, items, world):
        return {k: records.in_world(i, self.robot) if world else i.local_coordinates for k, i in items.items()}

    def cameraTransforms(self, world=False):
        """{camera: transform} on their links, or in the world at the robot's configuration."""
        return self._transforms(self.cameras, world)

    def markerTransforms(self, world=False):
        """{marker: transform or position} on their links, or in the world at the robot's configuration."""
        return self._transforms(self.markers, world)

    def setCameraTransform(self, camera, T, world=False):
        """Places a camera on its link, or in the world."""
        item = self.cameras[camera]
        item.local_coordinates = records.localized(item, self.robot, T) if world else T

    def setMarkerTransform(self, marker, T, world=False):
        """Places a marker on its link, or in the world."""
        item = self.markers[marker]
        item.local_coordinates = records.localized(item, self.robot, T) if world else T

    @staticmethod
    def _poses(items, given):
        """{name: pose}, the ones given before the items' own; one pose is enough if there is one item."""
        if given is not None and not isinstance(given, dict) and len(items) == 1:
            given = {next(iter(items)): given}
        res = {k: i.local_coordinates for k, i in items.items()}
        res.update(given or {})
        for key, pose in res.items():
            if pose is None:
                raise ValueError(f"no transform is known of {key}")
        return res

    def _predict(self, cameras, markers):
        return [fit.predict(o, self.cameras[o.camera_id], self.markers[o.marker_id], cameras[o.camera_id],
                            markers[o.marker_id]) for o in self.observations]

    def predictedObservations(self, camera_transforms=None, marker_transforms=None, noise=False):
        """Returns what would be observed, for the poses given or the present ones; noise multiplies the observations' errors."""
        values = self._predict(self._poses(self.cameras, camera_transforms),
                               self._poses(self.markers, marker_transforms))
        return [fit.observed_like(o, v, noise) for o, v in zip(self.observations, values)]

    def predictedResiduals(self, camera_transforms=None, marker_transforms=None):
        """Returns what would be observed minus what was, a vector for each observation."""
        values = self._predict(self._poses(self.cameras, camera_transforms),
                               self._poses(self.markers, marker_transforms))
        return [fit.residual(o, v) for o, v in zip(self.observations, values)]

    def predictedLogLikelihoods(self, camera_transforms=None, marker_transforms=None):
        """The logarithm of the observations' density, of each one, if errors are normal with the deviations they have."""
        res = []
        for o, r in zip(self.observations, self.predictedResiduals(camera_transforms, marker_transforms)):
            sigma = fit.deviations(o, len(r))
            res.append(-sum(0.5 * (x / s)**2 + math.log(s) + 0.5 * math.log(2 * math.pi) for x, s in zip(r, sigma)))
        return res

    def optimize(self, maxIters=100, tol=1e-7, regularizationFactor=0.0, store=True):
        """Finds the poses of the variable cameras and markers with the least squares of residuals over their errors.

        It starts where they are; regularizationFactor holds them there. Returns (error, camera transforms, marker
        transforms); the error is the square root of the sum of squares of the residuals, as Klamp't has it.
        """
        self._place()
        unknowns = fit.Unknowns(self.cameras, self.markers, self.cameraTransforms(), self.markerTransforms())
        if not self.observations or not unknowns.size:
            raise ValueError("there is nothing to calibrate: observations and a variable camera or marker are wanted")
        hold = math.sqrt(regularizationFactor)

        def weighted(x):
            rows = self.predictedResiduals(*unknowns.poses(x))
            scaled = [np.divide(r, fit.deviations(o, len(r))) for o, r in zip(self.observations, rows)]
            return np.concatenate(scaled + ([hold * x] if hold else []))

        print("Initial RMSE:", self._error(unknowns.start))
        x, J = fit.minimize(weighted, np.zeros(unknowns.size), maxIters, tol)
        poses = unknowns.poses(x)
        error = self._error(poses)
        print("Final RMSE:", error)
        self._print_errors(unknowns, J)
        if store:
            for (which, key, _, _) in unknowns.entries:
                (self.cameras, self.markers)[which][key].local_coordinates = poses[which][key]
        return (error,) + poses

    def _error(self, poses):
        return math.sqrt(sum(vectorops.normSquared(r) for r in self.predictedResiduals(*poses)))

    @staticmethod
    def _print_errors(unknowns, J):
        """Cramér and Rao's bound on the standard errors; infinite ones are those that observations do not determine."""
        A = J.T @ J
        if np.linalg.matrix_rank(A, hermitian=True) < len(A):
            print("The observations do not determine all of the poses")
            return
        errors = np.sqrt(np.diag(np.linalg.inv(A)))
        for which, title in enumerate(("cameras", "markers")):
            print("Cramer-Rao estimate of standard errors for", title)
            for entry, key, point, at in unknowns.entries:
                if entry == which:
                    print(key, ":", *([errors[at:at + 3]] if point else
                                      [errors[at:at + 3], "(r)", errors[at + 3:at + 6], "(t)"]))

    def updateRobotSensors(self):
        """Puts the robot's sensors of the cameras' names, which are added if missing, where the cameras are."""
        for key in self.cameras:
            self._sensor(key)

    def save(self, fn):
        """Writes everything but the images to a JSON file."""
        if isinstance(fn, (str, os.PathLike)):
            with open(fn, "w") as f:
                return self.save(f)
        data = {} if self.robot is None else {"robot": self.robot.getName()}
        data["cameras"] = {k: records.camera_to_json(c) for k, c in self.cameras.items()}
        data["frames"] = [None] * len(self.frames)
        data["frame_camera_ids"] = self.frame_camera_ids
        data["markers"] = {k: records.marker_to_json(m) for k, m in self.markers.items()}
        data["configurations"] = [None if q is None else [float(v) for v in q] for q in self.configurations]
        data["observations"] = [records.observation_to_json(o) for o in self.observations]
        json.dump(data, fn, indent=4)

    def load(self, fn):
        """Reads what save() or Klamp't wrote; names that are whole numbers become numbers again."""
        if isinstance(fn, (str, os.PathLike)):
            with open(fn) as f:
                return self.load(f)
        data = json.load(fn)
        if self.robot is not None and data.get("robot", self.robot.getName()) != self.robot.getName():
            warnings.warn(f"the calibration is of the robot {data['robot']}, not of {self.robot.getName()}", stacklevel=2)
        self.cameras = {_key(k): records.camera_from_json(c) for k, c in data["cameras"].items()}
        self.markers = {_key(k): records.marker_from_json(m) for k, m in data["markers"].items()}
        self.frames = data["frames"]
        self.frame_camera_ids = data["frame_camera_ids"]
        self.configurations = data["configurations"]
        self.observations = [records.observation_from_json(o) for o in data["observations"]]
        self.frame_camera_ids = [_key(k) for k in self.frame_camera_ids]
        for o in self.observations:
            o.camera_id, o.marker_id = _key(o.camera_id), _key(o.marker_id)
            if o.hand_eye_transform is None:
                self._relate(o)

    def saveFrames(self, dirname, pattern="frame{:04d}.png"):
        """Writes the images, with the package Pillow."""
        from PIL import Image
        os.makedirs(dirname, exist_ok=True)
        for i, frame in enumerate(self.frames):
            Image.fromarray(frame).save(os.path.join(dirname, pattern.format(i)))


def _key(name):
    try:
        return int(name)
    except (TypeError, ValueError):
        return name
