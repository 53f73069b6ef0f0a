"""Sensors that are told to measure: settings by Klamp't's names, intrinsics, times."""

import math

import numpy as np
import pytest


ROBOT = """
links "a" "b"
parents -1 0
jointtype r r
axis 0 1 0 0 1 0
TParent 1 0 0 0 1 0 0 0 1 0 0 0  1 0 0 0 1 0 0 0 1 0.5 0 0
qMin -9 -9
qMax 9 9
mass 1 1
com 0 0 0 0 0 0
inertia 1 0 0 0 1 0 0 0 1  1 0 0 0 1 0 0 0 1
"""


def wall(distance):
    """A robot that is not seen, and a wall across z at a distance from the origin."""
    import tempfile

    from klampt import Geometry3D, TriangleMesh, WorldModel
    world = WorldModel()
    with tempfile.NamedTemporaryFile("w", suffix=".rob") as file:
        file.write(ROBOT)
        file.flush()
        assert world.loadRobot(file.name) is not None
    mesh = TriangleMesh()
    mesh.setVertices(np.array([[-900.0, -900, distance], [900, -900, distance], [0, 900, distance]]))
    mesh.setIndices(np.array([[0, 1, 2]], dtype=np.int32))
    world.makeTerrain("wall").geometry().set(Geometry3D(mesh))
    return world


def laser(world, **settings):
    sensor = world.robot(0).addSensor("laser", "LaserRangeSensor")
    for key, value in settings.items():
        sensor.setSetting(key, str(value))
    return sensor


def test_settings_have_the_names_that_klampt_gives_them():
    world = wall(2)
    names = laser(world).settings()
    assert {"measurementCount", "xSweepMagnitude", "ySweepMagnitude", "depthMaximum", "Tsensor", "link", "rate"} <= set(names)
    assert not any("_" in name and name != "point_radius" for name in names)
    assert [laser(world).getSetting(axis + "SweepType") for axis in "xy"] == ["2", "0"]
    gyro = world.robot(0).addSensor("gyro", "GyroSensor")
    assert {"hasAngVel", "angVelVariance"} <= set(gyro.settings()) and gyro.getSetting("link") == "0"


def test_names_of_measurements_are_there_before_it_measures():
    sensor = laser(wall(2), measurementCount=3)
    assert list(sensor.measurementNames()) == ["d[0]", "d[1]", "d[2]"]
    sensor.setSetting("measurementCount", "2")
    assert list(sensor.measurementNames()) == ["d[0]", "d[1]"]


def test_sweeps_go_by_the_times_that_were_given_before():
    world = wall(2)
    sensor = laser(world, measurementCount=3, xSweepType=0, xSweepMagnitude=0.5, xSweepPeriod=1.0, xSweepPhase=0.1)
    first, last = 0.1, 0.1
    for dt in (0.1, 0.05, 0.3):
        sensor.kinematicSimulate(world, dt)
        begin = first + (last - first) / 2
        angles = [0.5 * math.sin(2 * math.pi * u) for u in (begin, (begin + last) / 2, last)]
        assert list(sensor.getMeasurements()) == pytest.approx([2 / math.cos(a) for a in angles], abs=1e-6)
        first, last = last, last + dt
    sensor.kinematicReset()
    sensor.kinematicSimulate(world, 0.1)
    assert list(sensor.getMeasurements()) == pytest.approx([2 / math.cos(0.5 * math.sin(0.2 * math.pi))] * 3, abs=1e-6)


def test_fields_of_view_and_focal_lengths_follow_from_each_other():
    camera = wall(2).robot(0).addSensor("eye", "CameraSensor")
    for key, value in {"xres": 40, "yres": 30, "xfov": 1.0, "yfov": 0.8}.items():
        camera.setSetting(key, str(value))

    def number(name):
        return float(camera.getSetting(name))
    assert number("fx") == pytest.approx(20 / math.tan(0.5)) and number("fy") == pytest.approx(15 / math.tan(0.4))
    assert [number("cx"), number("cy")] == [19.5, 14.5]
    camera.setSetting("fx", "40")
    assert number("xfov") == pytest.approx(2 * math.atan(0.5)) and number("fx") == 40
    camera.setSetting("xfov", "1.2")  # The last one that is set counts.
    assert number("xfov") == 1.2 and number("fx") == pytest.approx(20 / math.tan(0.6))


def test_points_of_a_camera_lie_where_its_depths_are():
    from klampt.model import sensing
    world = wall(3)
    camera = world.robot(0).addSensor("eye", "CameraSensor")
    for key, value in {"xres": 8, "yres": 6, "xfov": 1.0, "link": -1, "zmax": 10}.items():
        camera.setSetting(key, str(value))
    turned = [math.cos(0.3), 0, -math.sin(0.3), 0, 1, 0, math.sin(0.3), 0, math.cos(0.3)]
    camera.setTransform(turned, [0.1, 0.2, 0.3])
    camera.kinematicSimulate(world, 0.1)
    points = sensing.camera_to_points_world(camera)
    assert points.shape == (48, 6) and np.abs(points[:, 2] - 3).max() < 1e-6
    assert points[:, 0].max() - points[:, 0].min() > 2  # Not all at one place.


def test_an_accelerometer_feels_changes_of_velocity_over_the_time_before():
    world = wall(50)
    robot = world.robot(0)
    accelerometer = robot.addSensor("a", "Accelerometer")
    for key, value in {"link": 1, "hasAxis": "1 1 1"}.items():
        accelerometer.setSetting(key, str(value))
    robot.setConfig([0, 0])
    readings = []
    for velocity, dt in ((1, 0.1), (2, 0.2), (4, 0.1)):
        robot.setVelocity([velocity, 0])
        accelerometer.kinematicSimulate(world, dt)
        readings.append(list(accelerometer.getMeasurements()))
    # Link b moves by -0.5 velocity along z.
    assert readings == [pytest.approx([0, 0, 9.8 - 0.5 * change], abs=1e-9) for change in (0, 10, 10)]
