"""Scanners and cameras before planes and balls, of which it is known where a ray meets them, and images as points."""

import math

import numpy

from . import case, draw, make_shapes, robot_files

CASES = {}


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def turned(R, v):
    """A vector by a rotation in columns."""
    return [sum(R[i + 3 * j] * v[j] for j in range(3)) for i in range(3)]


class Scene:
    """A large triangle for a wall, and balls, around a place that a sensor is in."""

    def __init__(self, k, rng, center):
        self.world = k.WorldModel()
        self.planes, self.balls = [], []
        for i in range(rng.randrange(1, 4)):
            away, distance = draw.unit(rng), rng.uniform(1, 5)
            p = [c + distance * a for c, a in zip(center, away)]
            self.planes.append((away, p))
            u = numpy.cross(away, [1, 0, 0] if abs(away[0]) < 0.7 else [0, 1, 0])
            u /= numpy.linalg.norm(u)
            w = numpy.cross(away, u)
            corners = [numpy.array(p) + 1e3 * (math.cos(a) * u + math.sin(a) * w) for a in (0.1, 2.2, 4.3)]
            self.add(k, f"plane{i}", k.Geometry3D(make_shapes.mesh(k, corners, [[0, 1, 2]])))
        for i in range(rng.randrange(0, 4)):
            distance, radius = rng.uniform(1, 4), rng.uniform(0.1, 0.8)
            p = [c + distance * a for c, a in zip(center, draw.unit(rng))]
            ball = k.GeometricPrimitive()
            ball.setSphere(p, radius)
            self.balls.append((p, radius))
            self.add(k, f"ball{i}", k.Geometry3D(ball))

    def add(self, k, name, geometry):
        terrain = self.world.makeTerrain(name)
        terrain.geometry().set(geometry)
        terrain.appearance().setColor(1, 0.5, 0, 1)

    def distance(self, start, direction):
        """Along a ray of unit length; infinite where it meets nothing."""
        best = math.inf
        for normal, p in self.planes:
            slope = dot(normal, direction)
            if slope > 1e-9:
                best = min(best, dot(normal, [a - b for a, b in zip(p, start)]) / slope)
        for p, radius in self.balls:
            to = [a - b for a, b in zip(p, start)]
            along = dot(to, direction)
            inside = radius * radius - (dot(to, to) - along * along)
            if inside >= 0 and along > 0:
                best = min(best, along - math.sqrt(inside))
        return best


def angle(magnitude, kind, u):
    """An angle of a sweep as Klamp't documents it."""
    f = {0: lambda: math.sin(2 * math.pi * u), 1: lambda: 1 - 2 * abs(u % 2 - 1), 2: lambda: 2 * (u % 1) - 1}[kind]()
    return magnitude * f


def beam(x, y):
    return [math.sin(x), math.cos(x) * math.sin(y), math.cos(x) * math.cos(y)]


# Where no robot is.
FAR = [0, 50, 0]


def with_robot(place, rng, center):
    """A scene around a place, and a robot in its world."""
    scene = Scene(place.klampt, rng, center)
    scene.world.loadRobot(str(place.data / "robots" / "planar3R.rob"))
    robot = scene.world.robot(0)
    robot.setConfig(draw.vector(rng, 3, 1.5))
    return scene, robot


def seen_from(place, rng, center, name, kind):
    """A scene around a place, and a sensor of a robot in its world."""
    scene, robot = with_robot(place, rng, center)
    return scene, robot.addSensor(name, kind)


def set_up(record, sensor, given, what=""):
    """Settings of a sensor, each recorded."""
    for key, value in given.items():
        record.call(f"{what}setSetting {key}", sensor.setSetting, key, str(value))


def gap(scene, p):
    """How far a point is from the nearest surface."""
    walls = [abs(dot(n, [a - b for a, b in zip(p, o)])) for n, o in scene.planes]
    return min(walls + [abs(math.dist(p, c) - r) for c, r in scene.balls])


@case(CASES, 4, 1e-6)
def lasers(place, rng, record):
    """LaserRangeSensor: patterns, periods, phases, limits of range."""
    link = rng.choice([-1, -1, 0, 2])
    scene, sensor = seen_from(place, rng, [0, 0, 0], "laser", "LaserRangeSensor")
    # Behind the robot, whose links are slim, a sensor that is on none of them looks away from them.
    T = draw.transform(rng, 0.3)
    if link == -1:
        T = (T[0], [0, 50 + rng.random(), 0])
        scene, sensor = seen_from(place, rng, T[1], "laser", "LaserRangeSensor")
    sensor.setTransform(*T)
    record.call("setLink", sensor.setLink, link)
    count = rng.choice([1, 2, 7, 20])
    kinds = [rng.choice([0, 0, 1, 2, 2]) for _ in range(2)]
    sweeps = [rng.uniform(0.1, 1.5), rng.choice([0, 0, rng.uniform(0.1, 1)])]
    periods = [rng.choice([0, 0, rng.uniform(0.2, 2)]) for _ in range(2)]
    phases = [rng.choice([0, rng.uniform(0, 1)]) for _ in range(2)]
    near, far = rng.choice([0.05, 0.1, 1.5]), rng.choice([1000.0, 3.0, 8.0])
    for key, value in {"measurementCount": count, "xSweepType": kinds[0], "ySweepType": kinds[1], "xSweepMagnitude": sweeps[0],
                       "ySweepMagnitude": sweeps[1], "xSweepPeriod": periods[0], "ySweepPeriod": periods[1],
                       "xSweepPhase": phases[0], "ySweepPhase": phases[1], "depthMinimum": near, "depthMaximum": far}.items():
        record.call(f"setSetting {key}", sensor.setSetting, key, str(value))
        record.call(f"getSetting {key}", sensor.getSetting, key, then=float, tolerance=1e-5)
    R, t = sensor.getTransformWorld()
    record("getTransformWorld", [list(R), list(t)], 1e-5)
    record("measurementNames before it has measured", list(sensor.measurementNames()))
    what = "".join(f", {axis} {('sinusoid', 'triangular', 'sawtooth')[kinds[i]]}{' in time' if periods[i] else ''}"
                   for i, axis in enumerate("xy") if sweeps[i])
    on = " on a link" if link >= 0 else ""
    now, before = 0.0, 0.0
    for _ in range(3):
        dt = rng.choice([0.1, 0.05, 0.3])
        record.call(f"laser{on}{what}: kinematicSimulate", sensor.kinematicSimulate, scene.world, dt)
        seen = list(sensor.getMeasurements())
        record(f"laser{on}{what}: number", len(seen))
        record(f"laser{on}{what}: names", list(sensor.measurementNames()))
        expected = []
        for i in range(count):
            angles = []
            for j in range(2):
                share = i / (count - 1) if count > 1 else 1.0
                if periods[j] == 0:
                    u = share
                    a = sweeps[j] * (2 * u - 1) if kinds[j] == 2 and count > 1 else angle(sweeps[j], kinds[j], u)
                else:
                    first, last = (before + phases[j]) / periods[j], (now + phases[j]) / periods[j]
                    if count > 1:
                        first += (last - first) / (count - 1)
                    a = angle(sweeps[j], kinds[j], first + share * (last - first))
                angles.append(a)
            d = scene.distance(t, turned(R, beam(*angles)))
            expected.append(d if near < d < far else far)
        before, now = now, now + dt
        for i, (a, b) in enumerate(zip(seen, expected)):
            last = " (the last beam)" if i == count - 1 else ""
            # A beam that grazes a ball, or ends at a limit, may be on either side.
            if link == -1:
                record(f"laser{on}{what}{last}: a beam is as long as the closed form says", a == b or abs(a - b) < 1e-4 * b
                       or min(abs(b - near), abs(b - far)) < 1e-4)
            record(f"laser{on}{what}{last}: beam", a, 1e-4)


@case(CASES, 1, 1e-9)
def noise(place, rng, record):
    """Noise of scanners: its mean and variance, and steps of the resolution."""
    scene, sensor = seen_from(place, rng, FAR, "laser", "LaserRangeSensor")
    R, t = draw.rotation(rng), FAR
    sensor.setTransform(R, t)
    sensor.setLink(-1)
    # Straight into the first wall.
    linear, constant = rng.choice([0, 1e-3]), rng.choice([0, 4e-4])
    resolution = rng.choice([0, 0, 0.05])
    set_up(record, sensor, {"measurementCount": 4000, "xSweepMagnitude": 0, "ySweepMagnitude": 0, "depthVarianceLinear": linear,
                            "depthVarianceConstant": constant, "depthResolution": resolution})
    sensor.kinematicSimulate(scene.world, 0.1)
    seen = numpy.array(sensor.getMeasurements())
    d = scene.distance(t, turned(R, [0, 0, 1]))
    if not math.isfinite(d):
        record("noise of nothing", seen.tolist()[:3])
        return
    variance = linear * d + constant + resolution ** 2 / 12 * (linear + constant > 0)
    record("noise: mean", bool(abs(seen.mean() - d) < 5 * math.sqrt(variance / 4000) + 1e-6 + resolution / 2 * (variance == 0)))
    if resolution == 0:
        record("noise: variance", bool(abs(seen.var() - variance) < 0.15 * variance + 1e-9))
    else:
        steps = seen / resolution
        record("noise: whole steps", bool(numpy.abs(steps - numpy.round(steps)).max() < 1e-3))


@case(CASES, 2, 1e-5)
def laser_points(place, rng, record):
    """laser_to_points: points lie on what is seen."""
    from klampt.model import sensing
    scene, sensor = seen_from(place, rng, FAR, "laser", "LaserRangeSensor")
    sensor.setTransform(draw.rotation(rng), FAR)
    sensor.setLink(-1)
    for key, value in {"measurementCount": 12, "xSweepMagnitude": rng.uniform(0.3, 1.5), "depthMaximum": 50}.items():
        sensor.setSetting(key, str(value))
    sensor.kinematicSimulate(scene.world, 0.1)

    def on_surface(cloud):
        return all(gap(scene, p) <= 1e-3 for p in cloud.getPoints().tolist())
    record.call("laser_to_points lie on what is seen", sensing.laser_to_points, sensor, then=on_surface)


CAMERA = ("link", "Tsensor", "enabled", "rate", "rgb", "depth", "xres", "yres", "xfov", "yfov", "zmin", "zmax", "zresolution",
          "zvarianceLinear", "zvarianceConstant")
LASER = ("Tsensor", "depthMaximum", "depthMinimum", "depthResolution", "depthVarianceConstant", "depthVarianceLinear", "enabled",
         "link", "measurementCount", "rate", "xSweepMagnitude", "xSweepPeriod", "xSweepPhase", "xSweepType", "ySweepMagnitude",
         "ySweepPeriod", "ySweepPhase", "ySweepType")
OTHERS = {"ForceTorqueSensor": ("link", "hasForce", "hasTorque", "fVariance", "tVariance"),
          "ContactSensor": ("Tsensor", "link", "patchMin", "patchMax", "patchTolerance", "hasForce", "fVariance", "fResolution",
                            "fSensitivity", "fSaturation", "falloffCoefficient"),
          "Accelerometer": ("Tsensor", "link", "hasAxis", "accelVariance"),
          "GyroSensor": ("link", "hasAngVel", "hasAngAccel", "hasRotation", "angVelVariance", "angAccelVariance", "rotationVariance"),
          "TiltSensor": ("link", "hasAxis", "referenceDir", "Rsensor", "resolution", "variance"),
          "JointPositionSensor": ("indices", "qresolution", "qvariance"), "CameraSensor": CAMERA, "LaserRangeSensor": LASER}


@case(CASES, 1, 1e-5)
def settings(place, rng, record):
    """Names of settings, and numbers of their defaults."""
    kind = rng.choice(sorted(OTHERS))
    world = place.klampt.WorldModel()
    world.loadRobot(str(place.data / "robots" / "planar3R.rob"))
    sensor = world.robot(0).addSensor("s", kind)
    record(f"{kind}: settings that are not listed", [name for name in OTHERS[kind] if name not in sensor.settings()])
    for name in CAMERA if kind == "CameraSensor" else LASER if kind == "LaserRangeSensor" else ("link", "rate", "enabled"):
        if kind != "JointPositionSensor" or name != "link":
            record.call(f"{kind}: default of {name}", sensor.getSetting, name, then=lambda s: [float(x) for x in s.split()])
    if kind == "CameraSensor":
        w, h, f = rng.randrange(4, 30), rng.randrange(4, 30), rng.uniform(0.3, 1.5)
        sensor.setSetting("xres", str(w))
        sensor.setSetting("yres", str(h))
        sensor.setSetting("xfov", str(f))
        record.call("CameraSensor: fx of xfov", sensor.getSetting, "fx", then=float)
        record.call("CameraSensor: fy is a length", sensor.getSetting, "fy", then=lambda s: float(s) > 0)
        record.call("CameraSensor: the middle", sensor.getSetting, "cx", then=lambda s: abs(float(s) - w / 2) <= 0.5)
        record.call("CameraSensor: set fx", sensor.setSetting, "fx", str(1.5 * w))
        record.call("CameraSensor: xfov of fx", sensor.getSetting, "xfov", then=float)


@case(CASES, 3, 1e-4)
def cameras(place, rng, record):
    """CameraSensor: depths and colors along the rays of its own intrinsics."""
    from klampt.model import sensing
    scene, sensor = seen_from(place, rng, FAR, "eye", "CameraSensor")
    w, h = rng.randrange(3, 12), rng.randrange(3, 12)
    near, far = rng.choice([0.05, 0.4]), rng.choice([4.0, 10.0])
    color, depth = rng.choice([(1, 1), (1, 1), (0, 1), (1, 0)])
    set_up(record, sensor, {"xres": w, "yres": h, "xfov": rng.uniform(0.4, 1.4), "zmin": near, "zmax": far, "link": -1, "rgb": color,
                            "depth": depth})
    R, t = draw.rotation(rng), FAR
    record.call("setTransform", sensor.setTransform, R, t)
    record.call("kinematicSimulate", sensor.kinematicSimulate, scene.world, 0.1)
    record("number", len(sensor.getMeasurements()))
    record("names", sorted(sensor.measurementNames()))
    images = record.call("camera_to_images", sensing.camera_to_images, sensor, then=lambda r: [
        list(x.shape) for x in (r if isinstance(r, tuple) else [r])])
    if not depth or images is None:
        return
    depths = images[1] if color else images
    intrinsics = {name: float(sensor.getSetting(name)) for name in ("fx", "fy", "cx", "cy")}
    outside, beyond = 0, 0
    expected = numpy.zeros((h, w))
    for j in range(h):
        for i in range(w):
            v = [(i - intrinsics["cx"]) / intrinsics["fx"], (j - intrinsics["cy"]) / intrinsics["fy"], 1.0]
            length = math.sqrt(dot(v, v))
            d = scene.distance(t, turned(R, [x / length for x in v])) / length
            expected[j, i] = min(d, far)
            wrong = abs(depths[j, i] - expected[j, i]) > 1e-3 * max(1, expected[j, i])
            outside += wrong and d < far
            beyond += wrong and d >= far
    record("depths are those of the closed form", bool(outside == 0))
    record("depths beyond zmax are zmax", bool(beyond == 0))
    # Points of the image, in each format.
    for form in ("numpy", "PointCloud", "Geometry3D", "TriangleMesh", "Heightmap"):
        for everything in (False, True):
            record.call(f"camera_to_points {form}{' of all' if everything else ''}", sensing.camera_to_points, sensor, form, everything,
                        then=lambda r, form=form: kind_of(r))
    if color:
        packed = record.call("camera_to_images bgr", sensing.camera_to_images, sensor, "numpy", "bgr", then=lambda r: list(r[0].shape))
        if packed is not None:
            record("colors are mixtures of the scene's", bool(((packed[0] & 0xFF) <= 0xFF).all()))

    def lies(points):
        found = sum(gap(scene, p) > 2e-3 for p in numpy.asarray(points)[:, :3].tolist())
        return [len(points) == int((expected < far).sum()), found == 0]
    record.call("camera_to_points_world lie on what is seen", sensing.camera_to_points_world, sensor, then=lambda r: lies(r) == [True, True])


def kind_of(value):
    """What points came back as, and how many."""
    kind = type(value).__name__
    if kind == "ndarray":
        return [kind, value.shape[1]]
    if kind == "tuple":
        return [kind] + [type(x).__name__ for x in value]
    if kind == "Geometry3D":
        return [kind, value.type()]
    if kind == "PointCloud":
        return [kind, value.numProperties()]
    return [kind]


@case(CASES, 3, 1e-5)
def image_points(place, rng, record):
    """image_to_points in every format."""
    from klampt.model import sensing
    w, h = rng.randrange(2, 7), rng.randrange(2, 7)
    depth = numpy.array([[rng.choice([0.0, rng.uniform(0.3, 4)]) for _ in range(w)] for _ in range(h)])
    color = rng.choice(["none", "bytes", "packed"])
    image = {"none": None, "bytes": numpy.array([[[rng.randrange(256) for _ in range(3)] for _ in range(w)] for _ in range(h)],
                                                dtype=numpy.uint8),
             "packed": numpy.array([[rng.randrange(1 << 24) for _ in range(w)] for _ in range(h)], dtype=numpy.uint32)}[color]
    fields = {"xfov": rng.uniform(0.4, 1.4), "yfov": rng.choice([None, rng.uniform(0.4, 1.4)])}
    if rng.random() < 0.4:
        fields = {"intrinsics": {"fx": rng.uniform(2, 9), "fy": rng.uniform(2, 9), "cx": w / 2, "cy": h / 2}}
    scale = rng.choice([None, None, 0.001, 2.0])
    limits = rng.choice([None, (0.5, 3.0)])
    form = rng.choice(["numpy", "numpy", "PointCloud", "Geometry3D", "TriangleMesh", "Heightmap"])
    everything = rng.random() < 0.5
    what = (f"{form}, {color}{', all' if everything else ''}{', scaled' if scale else ''}{', limits' if limits else ''}"
            f"{', intrinsics' if 'intrinsics' in fields else ', square' if fields['yfov'] is None else ''}")
    given = depth.copy()
    result = record.call(f"image_to_points {what}: kind", lambda: sensing.image_to_points(
        given, image, depth_scale=scale, depth_range=limits, points_format=form, all_points=everything, **fields), then=kind_of)
    if result is None:
        return

    def numbers():
        r = result[0] if isinstance(result, tuple) else result
        if form == "numpy":
            return r
        if form == "PointCloud":
            return [r.getPoints(), r.getPropertyNames(), r.getProperties()]
        if form == "Geometry3D":
            return [r.getPointCloud().getPoints()]
        if form == "TriangleMesh":
            return [r.getVertices(), r.getIndices()]
        return [r.getHeights(), [getattr(r.getViewport(), x) for x in ("w", "h", "fx", "fy", "cx", "cy")]]
    record.call(f"image_to_points {what}", numbers, then=lambda r: [numpy.asarray(x).tolist() for x in r])


@case(CASES, 2, 1e-5)
def viewports(place, rng, record):
    """camera_to_viewport, viewport_to_camera, camera_to_intrinsics and back, camera_ray, camera_project, visible, occluded."""
    from klampt.model import sensing
    scene, sensor = seen_from(place, rng, FAR, "eye", "CameraSensor")
    w, h = 2 * rng.randrange(10, 40), 2 * rng.randrange(10, 40)
    for key, value in {"xres": w, "yres": h, "xfov": rng.uniform(0.4, 1.4), "link": rng.choice([-1, 1])}.items():
        sensor.setSetting(key, str(value))
    sensor.setTransform(*draw.transform(rng))
    for frame in ("world", "link", "sensor"):
        record.call(f"camera_to_viewport {frame}: pose", sensing.camera_to_viewport, sensor, frame, then=lambda v: [
            list(x) for x in v.get_transform()])
    record.call("camera_to_viewport: field of view", sensing.camera_to_viewport, sensor, "world", then=lambda v: [v.w, v.h, v.fx])
    for form in ("opencv", "numpy", "ros", "json"):
        record.call(f"camera_to_intrinsics {form}: kind", sensing.camera_to_intrinsics, sensor, form, then=lambda r: type(r).__name__)
    R, t = sensor.getTransformWorld()
    fx, fy, cx, cy = (float(sensor.getSetting(name)) for name in ("fx", "fy", "cx", "cy"))
    x, y, z = rng.uniform(0, w - 1), rng.uniform(0, h - 1), rng.uniform(0.5, 3)
    local = [(x - cx) / fx * z, (y - cy) / fy * z, z]
    p = [a + b for a, b in zip(turned(R, local), t)]
    record.call("camera_project is the pixel", sensing.camera_project, sensor, p, then=lambda r: bool(
        r is not None and abs(r[0] - x) < 1e-2 and abs(r[1] - y) < 1e-2))
    record.call("camera_project clipped", sensing.camera_project, sensor, [a - 2 * b for a, b in zip(p, turned(R, local))],
                then=lambda r: r is None)
    record.call("camera_ray goes through the point", sensing.camera_ray, sensor, x, y, then=lambda r: bool(
        math.dist(r[0], t) < 1e-5 and math.dist([z * v for v in r[1]], [z * u / math.sqrt(dot(local, local)) for u in turned(R, local)])
        < 1e-2 * z))
    record.call("visible point", sensing.visible, sensor, p)
    record.call("a point behind is not visible", sensing.visible, sensor, [2 * a - b for a, b in zip(t, p)], then=lambda r: not r)
    start = FAR
    end = [a + 3 * b for a, b in zip(start, draw.unit(rng))]
    d = scene.distance(start, [(a - b) / 3 for a, b in zip(end, start)])
    if abs(d - 3) > 1e-2:
        record.call("occluded is what the closed form says", sensing.occluded, start, end, scene.world, then=lambda r: bool(r) == (d < 3))


@case(CASES, 2, 1e-6)
def inertial(place, rng, record):
    """Accelerometers, gyros and units of both that are told to measure, one time after another."""
    k = place.klampt
    kind = rng.choice(["Accelerometer", "GyroSensor"])
    world = robot_files.world_of(place, place.data / "robots" / "planar3R.rob")
    robot = k.WorldModel()
    robot.add("r", world.robot(0))
    robot, world = robot.robot(0), robot
    sensor = robot.addSensor("s", kind)
    link = rng.randrange(3)
    given = {"Accelerometer": {"link": link, "hasAxis": "1 1 1", "accelVariance": "0 0 0"},
             "GyroSensor": {"link": link, "hasAngVel": 1, "hasAngAccel": 1, "hasRotation": 1}}[kind]
    set_up(record, sensor, given, f"{kind}: ")
    if kind == "GyroSensor":
        for key in ("angVelVariance", "rotationVariance", "angAccelVariance"):
            sensor.setSetting(key, "0 0 0 0 0 0 0 0 0")
    robot.setConfig(draw.vector(rng, 3, 1.5))
    for i in range(4):
        robot.setVelocity(draw.vector(rng, 3, 2))
        record.call(f"{kind}: kinematicSimulate", sensor.kinematicSimulate, world, rng.choice([0.1, 0.02, 0.5]))
        record.call(f"{kind}: reading {i}", lambda: list(sensor.getMeasurements()))
    record.call(f"{kind}: kinematicReset", sensor.kinematicReset)
    sensor.kinematicSimulate(world, 0.1)
    record.call(f"{kind}: reading after kinematicReset", lambda: list(sensor.getMeasurements()))


@case(CASES, 1.5, 1e-4)
def simulated(place, rng, record):
    """Scanners and cameras of a simulated robot: readings at their rates, sweeps that go on in time."""
    from klampt.model import sensing
    k = place.klampt
    scene, _ = with_robot(place, rng, FAR)
    sim = k.Simulator(scene.world)
    sim.setGravity([0, 0, 0])
    rate, kind = rng.choice([20, 50, 100]), rng.choice(["laser", "laser", "camera"])
    R = draw.rotation(rng)
    Tsensor = " ".join(repr(x) for x in [R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8], *FAR])
    if kind == "camera":
        sensor = sim.controller(0).addSensor("eye", "CameraSensor")
        given = {"xres": 4, "yres": 3, "zmax": 20}
    else:
        sensor = sim.controller(0).addSensor("laser", "LaserRangeSensor")
        given = {"measurementCount": rng.choice([1, 5]), "xSweepPeriod": rng.uniform(0.5, 2), "xSweepMagnitude": rng.uniform(0.2, 1.5),
                 "xSweepType": 0, "depthMaximum": 50, "xSweepPhase": rng.choice([0, 0.3])}
    set_up(record, sensor, {"rate": rate, "link": -1, "Tsensor": Tsensor, **given}, f"{kind}: ")
    for _ in range(5):
        sim.simulate(0.05)
        record.call(f"{kind}: number", lambda: len(sensor.getMeasurements()))
        if kind == "laser":
            record.call(f"{kind} in a simulation: beams", lambda: list(sensor.getMeasurements()))
    if kind == "camera":
        record.call("camera in a simulation: kinds", sensing.camera_to_images, sensor, then=lambda r: [list(x.shape) for x in r])
