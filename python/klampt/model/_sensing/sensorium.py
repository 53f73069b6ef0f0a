"""A robot's sensors by kind, place and use."""

from ...math import vectorops
from .camera import direction_of, field_of_view
from .images import number, size
from .visibility import visible


class Sensorium:
    """The sensors of a robot; methods give those of a kind, or narrowed copies."""

    def __init__(self, robot):
        self.robot = robot
        self.sensors = {s.name: s for s in robot.sensors}
        self.enabled = dict.fromkeys(self.sensors, True)

    def copy(self):
        res = Sensorium(self.robot)
        res.sensors, res.enabled = dict(self.sensors), dict(self.enabled)
        return res

    def disable(self, sensor_name):
        self.enabled[sensor_name] = False

    def enable(self, sensor_name):
        self.enabled[sensor_name] = True

    def byCondition(self, condition):
        """Sensors for which condition(sensor) is true."""
        return [s for n, s in self.sensors.items() if self.enabled[n] and condition(s)]

    def byType(self, type):
        return self.byCondition(lambda s: s.type == type)

    def byLink(self, link):
        """Sensors on a link (index, name or handle)."""
        index = self.robot.link(link).index if isinstance(link, (int, str)) else link.index
        return self.byCondition(lambda s: getattr(s.link(), "index", -1) == index)

    def cameras(self, require_rgb=False, require_depth=False):
        return [s for s in self.byType("CameraSensor")
                if (not require_rgb or number(s, "rgb"))
                and (not require_depth or number(s, "depth"))]

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
        return self.accelerometers() + self.gyros() + self.imus()

    def preferCamerasByResolution(self):
        """Cameras, those with most pixels first."""
        return sorted(self.cameras(), key=lambda s: -size(s)[0] * size(s)[1])

    def preferCamerasByFOV(self, largest=True):
        """Cameras by their angle of view."""
        return sorted(self.cameras(), key=lambda s: field_of_view(s)[0], reverse=largest)

    def bestCamera(self, require_rgb=False, require_depth=False):
        """The camera with most pixels, or None."""
        ok = self.cameras(require_rgb, require_depth)
        return max(ok, key=lambda s: size(s)[0] * size(s)[1], default=None)

    def bestLaser(self):
        """The scanner with most measurements, or None."""
        return max(self.lasers(), key=lambda s: number(s, "measurementCount"), default=None)

    def camerasInDirection(self, direction, require_rgb=False, require_depth=False):
        """Cameras that have a direction in view, the straightest first."""
        d = vectorops.unit(direction)
        ok = [(vectorops.dot(direction_of(s), d), s)
              for s in self.cameras(require_rgb, require_depth)]
        return [s for c, s in sorted(ok, key=lambda p: -p[0]) if c > 0]

    def camerasThatObserve(self, object, full=False, require_rgb=False, require_depth=False):
        """Cameras that have an object in view."""
        return [s for s in self.cameras(require_rgb, require_depth) if visible(s, object, full)]

    def bestCameraForDirection(self, direction, require_rgb=False, require_depth=False):
        return next(iter(self.camerasInDirection(direction, require_rgb, require_depth)), None)

    def bestCameraThatObserves(self, object, require_rgb=False, require_depth=False):
        ok = self.camerasThatObserve(object, False, require_rgb, require_depth)
        return max(ok, key=lambda s: size(s)[0] * size(s)[1], default=None)
