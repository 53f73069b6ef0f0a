"""Sensors that measure a posed robot."""

from . import case, robot_files

CASES = {}
TYPES = ("JointPositionSensor", "JointVelocitySensor", "Accelerometer", "GyroSensor", "TiltSensor", "ForceTorqueSensor",
         "DriverTorqueSensor")


@case(CASES, 1, 1e-6)
def measured(place, rng, record):
    """What sensors say, with their settings."""
    k = place.klampt
    kind = rng.choice(TYPES)
    world = k.WorldModel()
    world.loadRobot(str(place.data / "robots" / rng.choice(["planar3R.rob", "tx90ball.rob", "ur5.rob"])))
    robot = world.robot(0)
    record("numSensors", robot.numSensors())
    sensor = robot.addSensor("s", kind)
    link = rng.randrange(robot.numLinks())
    record(f"{kind}: type", [sensor.getName(), sensor.getType(), robot.numSensors()])
    settings = {"Accelerometer": {"link": link, "hasAxis": "1 1 1"}, "GyroSensor": {"link": link, "hasAngVel": 1, "hasRotation": 1},
                "TiltSensor": {"link": link, "hasAxis": "1 1 1", "referenceDir": "0 0 1", "Rsensor": "1 0 0 0 1 0 0 0 1",
                               "resolution": "0 0 0", "variance": "0 0 0"},
                "ForceTorqueSensor": {"link": link}}.get(kind, {})
    for key, value in settings.items():
        record.call(f"{kind}: setSetting {key}", sensor.setSetting, key, str(value))
    if kind == "GyroSensor":
        for key in ("angVelVariance", "rotationVariance", "angAccelVariance"):
            sensor.setSetting(key, "0 0 0 0 0 0 0 0 0")
    if kind == "Accelerometer":
        sensor.setSetting("accelVariance", "0 0 0")
    robot_files.pose(robot, rng)
    record.call(f"{kind}: kinematicSimulate", sensor.kinematicSimulate, world, 0.01)
    record.call(f"{kind}: number", lambda: len(sensor.getMeasurements()))
    if kind in ("JointPositionSensor", "JointVelocitySensor", "GyroSensor", "TiltSensor"):
        # Klamp't's tilt sensor has numbers behind its three that were never set.
        count = 3 if kind == "TiltSensor" else None
        record.call(f"{kind}: getMeasurements", lambda: list(sensor.getMeasurements())[:count])
    record.call(f"{kind}: measurementNames", lambda: len(sensor.measurementNames()))
    record.call(f"{kind}: getSetting of none", sensor.getSetting, "nothing")
    record.call(f"{kind}: setSetting of none", sensor.setSetting, "nothing", "1")
    record.call(f"{kind}: enabled", sensor.getEnabled)
