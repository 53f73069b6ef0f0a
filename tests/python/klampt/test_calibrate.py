"""Cameras and markers whose places are found from what the cameras saw."""

import math

import numpy as np
import pytest

from conftest import ROOT, needs_robotsim
from test_more_tools import of_layer

pytestmark = needs_robotsim

CAMERA = ([0.0, -1.0, 0.0, 0.0, 0.0, -1.0, 1.0, 0.0, 0.0], [-2.0, 0.1, 0.7])
FEATURES = [(0.05, 0.05, 0), (0.05, -0.05, 0), (-0.05, -0.05, 0), (-0.05, 0.05, 0.01)]


@pytest.fixture
def arm():
    from klampt import WorldModel
    world = WorldModel()
    world.loadRobot(str(ROOT / "data" / "robots" / "bench_arm.urdf"))
    return world.robot(0)


def calibration(module, robot, frames=12):
    """A camera in the world that sees a tag and a point of the hand, with all three kinds of observations, in true places."""
    from klampt.math import se3, so3
    rng = np.random.default_rng(5)
    hand = robot.numLinks() - 1
    calib = module.RobotExtrinsicCalibration()
    calib.robot = robot
    calib.cameras["eye"] = module.CameraInfo(None, {"fx": 640, "fy": 630, "cx": 320, "cy": 240}, CAMERA)
    calib.markers["tag"] = module.TransformMarker(hand, (so3.from_moment([0.2, 0.1, -0.3]), [0.02, 0.0, 0.06]), FEATURES)
    calib.markers[7] = module.PointMarker(hand, [0.01, -0.03, 0.05])
    for i in range(frames):
        calib.addFrame(None, rng.uniform(-0.8, 0.8, robot.numLinks()).tolist())
        calib.addDetection(se3.identity(), i, "tag", error=[1e-3] * 3 + [2e-3] * 3)
        calib.addDetection([0, 0, 0], i, 7, error=2e-3)
        for feature in range(4):
            calib.addDetection([0, 0], i, "tag", feature, error=0.5)
        calib.addDetection([0, 0], i, 7, error=[0.5, 0.4])
    return calib


def observe(calib, noise=False):
    for o, seen in zip(calib.observations, calib.predictedObservations(noise=noise)):
        o.value = seen.value


def off(T, w, t):
    from klampt.math import se3, so3
    return se3.mul(T, (so3.from_moment(w), t))


def test_poses_are_found_again_from_all_kinds_of_observations(arm, tmp_path):
    from klampt.math import se3, vectorops
    from klampt.model import calibrate
    calib = calibration(calibrate, arm)
    observe(calib)
    tag, point = calib.markers["tag"].local_coordinates, calib.markers[7].local_coordinates
    calib.cameras["eye"].local_coordinates = off(CAMERA, [0.2, -0.1, 0.2], [0.1, 0.1, -0.1])
    calib.markers["tag"].local_coordinates = off(tag, [-0.2, 0.1, 0.3], [0.05, -0.1, 0.1])
    calib.markers[7].local_coordinates = [0.0, 0.0, 0.0]
    calib.save(tmp_path / "calibration.json")
    error, cameras, markers = calib.optimize(store=False)
    assert error < 1e-6
    assert vectorops.norm(se3.error(cameras["eye"], CAMERA)) < 1e-7
    assert vectorops.norm(se3.error(markers["tag"], tag)) < 1e-7 and markers[7] == pytest.approx(point, abs=1e-7)
    assert calib.markers[7].local_coordinates == [0, 0, 0]

    again = calibrate.RobotExtrinsicCalibration()
    again.robot = arm
    again.load(tmp_path / "calibration.json")
    assert list(again.markers) == ["tag", 7]
    assert again.optimize()[0] == pytest.approx(error, abs=1e-9)
    assert again.cameras["eye"].local_coordinates[1] == pytest.approx(CAMERA[1], abs=1e-7)


def test_noise_leaves_errors_of_the_size_it_should(arm):
    from klampt.math import se3
    from klampt.model import calibrate
    import random
    random.seed(4)
    calib = calibration(calibrate, arm, 40)
    observe(calib, noise=1)
    calib.cameras["eye"].local_coordinates = off(CAMERA, [0.1, -0.1, 0.1], [0.1, 0.1, -0.1])
    calib.optimize()
    assert np.abs(se3.error(calib.cameras["eye"].local_coordinates, CAMERA)).max() < 2e-3
    scaled = [np.divide(r, calibrate.fit.deviations(o, len(r))) for o, r in zip(calib.observations, calib.predictedResiduals())]
    assert np.concatenate(scaled).std() == pytest.approx(1, abs=0.1)


def test_what_is_not_variable_stays_and_mistakes_are_named(arm):
    from klampt.model import calibrate
    calib = calibration(calibrate, arm)
    observe(calib)
    calib.markers["tag"].variable = calib.cameras["eye"].variable = False
    calib.markers[7].local_coordinates = None
    _, cameras, markers = calib.optimize()
    assert cameras["eye"] == CAMERA and markers[7] == pytest.approx([0.01, -0.03, 0.05], abs=1e-7)
    with pytest.raises(ValueError, match="marker 8"):
        calib.addDetection([0, 0], 0, 8)
    with pytest.raises(ValueError, match="no feature 4"):
        calib.addDetection([0, 0], 0, "tag", 4)
    with pytest.raises(ValueError, match="intrinsics"):
        calib.cameras["eye"].intrinsics = None
        calib.predictedObservations()
    with pytest.raises(ValueError, match="nothing to calibrate"):
        calibrate.RobotExtrinsicCalibration().optimize()


def test_frames_with_a_detector_and_cameras_of_the_robot(arm):
    from klampt.math import se3
    from klampt.model import calibrate
    calib = calibrate.RobotExtrinsicCalibration()
    calib.robot = arm
    calib.cameras["hand camera"] = calibrate.CameraInfo(arm.numLinks() - 1, {"fx": 600, "fy": 600, "cx": 320, "cy": 240}, CAMERA)
    calib.markers[0] = calibrate.TransformMarker.chessboard(3, 2, 0.1)
    assert calib.markers[0].local_features[4] == [0.1, 0.1, 0]
    calib.updateRobotSensors()
    again = calibrate.RobotExtrinsicCalibration()
    again.robot = arm
    again.cameraFromRobot()
    camera = again.cameras["hand camera"]
    assert camera.link == arm.numLinks() - 1 and camera.intrinsics["fx"] == 600
    assert np.allclose(camera.local_coordinates[0], CAMERA[0]) and np.allclose(camera.local_coordinates[1], CAMERA[1])
    q = [0.1] * arm.numLinks()
    calib.addFrame("image", q, detect_fn=lambda image: [
        calibrate.PixelObservation([1, 2], None, None, 0, 3), ((0, 1), [3, 4]), (0, se3.identity())])
    assert [(o.camera_id, o.frame_id, o.marker_id) for o in calib.observations] == [("hand camera", 0, 0)] * 3
    arm.setConfig(q)
    hand = arm.link(arm.numLinks() - 1).getTransform()
    for o in calib.observations:
        assert np.allclose(se3.homogeneous(o.hand_eye_transform), se3.homogeneous(se3.inv(hand)))
    calib.setCameraTransform("hand camera", se3.identity(), world=True)
    assert np.allclose(se3.homogeneous(calib.cameraTransforms(world=True)["hand camera"]), np.eye(4), atol=1e-12)


def test_agrees_with_the_layer(arm):
    from klampt.model import calibrate
    layer = of_layer("model/calibrate.py")
    ours, theirs = calibration(calibrate, arm), calibration(layer, arm)
    for calib in (ours, theirs):
        calib.cameras["eye"].local_coordinates = off(CAMERA, [0.1, 0.1, 0], [0, 0, 0.1])
    a, b = ours.predictedResiduals(), theirs.predictedResiduals()
    assert len(a) == len(b) and all(x == pytest.approx(y, abs=1e-9) for x, y in zip(a, b))
    a, b = ours.predictedObservations(), theirs.predictedObservations()
    assert all(type(x).__name__ == type(y).__name__ for x, y in zip(a, b))
    assert math.isclose(np.square(np.concatenate(ours.predictedResiduals())).sum(),
                        np.square(np.concatenate(theirs.predictedResiduals())).sum(), rel_tol=1e-12)
