"""A robot's sensors by kind, place and use."""

import math

from ...math import se3, vectorops
from .camera import camera_to_viewport, direction_of, field_of_view
from .images import number, size
from .visibility import visible, visible_fraction


def _pixels(camera):
    w, h = size(camera)
    return w * h


def _wide(camera):
    return math.prod(field_of_view(camera)[:2])


def _rate(camera):
    """Pictures a second; without a rate of its own a camera is as fast as the simulation."""
    rate = number(camera, "rate") if "rate" in camera.settings() else 0
    return rate if rate > 0 else math.inf


class Sensorium:
    """The sensors of a robot (RobotModel or RobotInfo), asked for by what they are rather than by name.

    `sensors`: those that are on, by name. `preferences`: names in the order of preference for 'cameras', 'lasers' and others,
    which the preferX() methods set. Filters around sensors count as sensors of the kind they are put around.
    """

    def __init__(self, robot):
        self.robot_info = robot if hasattr(robot, "klamptModel") else None
        self.robot_model = robot.klamptModel() if self.robot_info is not None else robot
        self.sensors = {s.name: s for s in self.robot_model.sensors}
        self.preferences = {}
        self.disabled_list = []

    def copy(self):
        """Another one with the same sensors, which is narrowed without changing this one."""
        res = Sensorium(self.robot_model)
        res.robot_info = self.robot_info
        res.sensors = dict(self.sensors)
        res.preferences = {k: list(v) for k, v in self.preferences.items()}
        res.disabled_list = list(self.disabled_list)
        return res

    def disable(self, sensor_name):
        """Leaves a sensor out of what is answered."""
        if self.sensors.pop(sensor_name, None) is not None:
            self.disabled_list.append(sensor_name)

    def enable(self, sensor_name):
        """Takes a sensor in again. ValueError for an unknown name."""
        if sensor_name in self.disabled_list:
            self.disabled_list.remove(sensor_name)
            self.sensors[sensor_name] = self.robot_model.sensor(sensor_name)
        elif sensor_name not in self.sensors:
            raise ValueError(f"there is no sensor '{sensor_name}'; there are {', '.join(self.sensors)}")

    def byCondition(self, condition):
        """Sensors by name for which condition(sensor) is true; filters pass for what they are put around."""
        result = {}
        for name, sensor in self.sensors.items():
            base = sensor
            if sensor.type == "FilteredSensor":
                base = self.robot_model.sensor(sensor.getSetting("sensor"))
            if sensor.getEnabled() and base.getEnabled() and condition(base):
                result[name] = sensor
        return result

    def byType(self, type):
        """Sensors by name of a type such as 'CameraSensor'."""
        return self.byCondition(lambda s: s.type == type)

    def byLink(self, link):
        """Sensors by name on a link (index, name or handle)."""
        index = link.index if hasattr(link, "index") else self.robot_model.link(link).index
        return self.byCondition(lambda s: getattr(s.getLink(), "index", -1) == index)

    def _information(self, what):
        if self.robot_info is None:
            raise ValueError(f"{what} wants a Sensorium made of a RobotInfo")
        return self.robot_info

    def byPart(self, part):
        """Sensors by name on the links of a part of the RobotInfo."""
        parts = self._information("byPart()").parts
        if part not in parts:
            raise ValueError(f"the robot has no part '{part}'; there are {', '.join(parts)}")
        indices = {self.robot_model.link(i).index for i in parts[part]}
        return self.byCondition(lambda s: getattr(s.getLink(), "index", -1) in indices)

    def cameras(self, require_rgb=False, require_depth=False):
        """Cameras by name, all or those with colors, with depths."""
        return {name: s for name, s in self.byType("CameraSensor").items()
                if (not require_rgb or number(s, "rgb")) and (not require_depth or number(s, "depth"))}

    def lasers(self):
        return self.byType("LaserRangeSensor")

    def driverTorques(self):
        return self.byType("DriverTorqueSensor")

    def contacts(self):
        return self.byType("ContactSensor")

    def forceTorques(self):
        return self.byType("ForceTorqueSensor")

    def accelerometers(self):
        return self.byType("Accelerometer")

    def gyros(self):
        return self.byType("GyroSensor")

    def imus(self):
        return self.byType("IMUSensor")

    def inertial(self):
        """Accelerometers, gyros and IMUs by name."""
        return {**self.accelerometers(), **self.gyros(), **self.imus()}

    def preferByTask(self, task, type="cameras"):
        """Takes the order of preference for a task of the RobotInfo."""
        tasks = getattr(self._information("preferByTask()"), "preferences", {})
        if not tasks.get(task):
            raise ValueError(f"the robot has no preferences for the task '{task}'; there are {', '.join(tasks)}")
        for name in tasks[task]:
            if name not in self.sensors and name not in self.disabled_list:
                raise ValueError(f"the preferred sensor '{name}' is no sensor of the robot")
        self.preferences[type] = list(tasks[task])

    def _prefer(self, key, cameras=None, largest=True):
        cameras = self.cameras() if cameras is None else cameras
        self.preferences["cameras"] = sorted(cameras, key=lambda n: key(cameras[n]), reverse=largest)

    def preferCamerasByResolution(self):
        """Cameras with more pixels first."""
        self._prefer(_pixels)

    def preferCamerasByFOV(self, largest=True):
        """Cameras with wider views first, or with narrower ones."""
        self._prefer(_wide, largest=largest)

    def preferCamerasByFrameRate(self):
        """Faster cameras first."""
        self._prefer(_rate)

    def preferCamerasByDepth(self):
        """Cameras that measure depths farther away first, others not at all."""
        self._prefer(lambda s: number(s, "zmax"), self.cameras(require_depth=True))

    def _best(self, kind, sensors, key):
        for name in self.preferences.get(kind, ()):
            if name in sensors:
                return sensors[name]
        return max(sensors.values(), key=key, default=None)

    def bestCamera(self, require_rgb=False, require_depth=False):
        """The preferred camera, else the one with most pixels, or None."""
        return self._best("cameras", self.cameras(require_rgb, require_depth), _pixels)

    def bestLaser(self):
        """The preferred scanner, else the one with most measurements, or None."""
        return self._best("lasers", self.lasers(), lambda s: number(s, "measurementCount"))

    def sensorForDepth(self, point):
        """The camera or scanner that measures the depth of a point (world) with the least variance, or None."""
        best, least = None, math.inf
        for sensor in self.sensors.values():
            variance = _depth_variance(sensor, point)
            if variance is not None and variance < least:
                best, least = sensor, variance
        return best

    def camerasInDirection(self, direction, require_rgb=False, require_depth=False):
        """Cameras that look towards a direction, the straightest first."""
        d = vectorops.unit(direction)
        ok = [(vectorops.dot(direction_of(s), d), s) for s in self.cameras(require_rgb, require_depth).values()]
        return [s for c, s in sorted(ok, key=lambda p: -p[0]) if c > 0]

    def camerasThatObserve(self, object, full=False, require_rgb=False, require_depth=False):
        """Cameras that have an object in view."""
        return [s for s in self.cameras(require_rgb, require_depth).values() if visible(s, object, full, require_depth)]

    def bestCameraForDirection(self, direction, require_rgb=False, require_depth=False):
        """The camera that looks straightest in a direction, or None."""
        return next(iter(self.camerasInDirection(direction, require_rgb, require_depth)), None)

    def bestCameraThatObserves(self, object, require_rgb=False, require_depth=False):
        """The camera that sees most of an object, and of those the one that has it closest to its middle, or None."""
        def rank(camera):
            view = camera_to_viewport(camera)
            if hasattr(object, "__iter__"):
                part, center = 1.0, object
            else:
                geometry = object.geometry() if hasattr(object, "geometry") else object
                part, center = visible_fraction(view, object, 20), vectorops.interpolate(*geometry.getBB(), 0.5)
            pixel = view.project(center, False)
            return part, -vectorops.distance(pixel[:2], (view.cx, view.cy))
        return max(self.camerasThatObserve(object, False, require_rgb, require_depth), key=rank, default=None)


def _depth_variance(sensor, point):
    """Variance of a sensor's depth of a point, None where it does not see it."""
    local = se3.apply(se3.inv(sensor.getTransformWorld()), point)
    if sensor.type == "CameraSensor" and number(sensor, "depth"):
        if not visible(sensor, point, require_depth=True):
            return None
        depth, names = local[2], ("zvarianceLinear", "zvarianceConstant")
    elif sensor.type == "LaserRangeSensor":
        depth, names = vectorops.norm(local), ("depthVarianceLinear", "depthVarianceConstant")
        angles = (math.atan2(local[0], local[2]), math.atan2(local[1], local[2]))
        if not number(sensor, "depthMinimum") <= depth <= number(sensor, "depthMaximum") or any(
                abs(a) > number(sensor, s) + 1e-9 for a, s in zip(angles, ("xSweepMagnitude", "ySweepMagnitude"))):
            return None
    else:
        return None
    return number(sensor, names[0]) * depth + number(sensor, names[1])
