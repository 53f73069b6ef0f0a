"""Driving, learned models, root finding, viewports, sensors by what they are, logs of simulations and records of commands."""

import importlib.util
import math
import re

import numpy as np
import pytest

from conftest import ROOT, needs_robotsim, reference

pytestmark = needs_robotsim


def of_layer(path):
    """A module of Klamp't's own Python files that needs nothing but numpy and klampt."""
    file = reference() / "klampt-python" / "layer" / "Python" / "klampt" / path
    if not file.is_file():
        pytest.skip("Klamp't's Python files are not in the reference folder")
    package = ".".join(["klampt", *path.split("/")[:-1]])
    spec = importlib.util.spec_from_file_location(f"{package}.layer_{file.stem}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def box_world(height=0.0):
    from klampt import WorldModel
    from klampt.model.create import box
    world = WorldModel()
    world.loadRobot(str(ROOT / "data" / "robots" / "bench_arm.urdf"))
    box(0.2, 0.2, 0.2, center=(2.0, 0.0, height), mass=1.0, world=world, name="cube")
    return world


def test_driving_forwards_backwards_and_turning():
    from klampt.model import driving
    poses = [[0, 0, 0], [-1, 1, 1.5 * math.pi], [0, 0, 0], [-1, 0, 0]]
    path = driving.discretize_differential_drive_poses_se2([0, 1, 2, 3], poses, 0.02)
    assert path.times[0] == 0 and path.times[-1] == pytest.approx(3)
    assert path.milestones[-1][:2] == pytest.approx([-1, 0])
    for a, b in zip(path.milestones, path.milestones[1:]):
        moved = np.subtract(b[:2], a[:2])
        side = abs(moved[0] * math.sin(a[2]) - moved[1] * math.cos(a[2]))
        assert side <= 0.25 * np.linalg.norm(moved) + 1e-9
    turn = driving.discretize_differential_drive_poses_se2([0, 1], [[0, 0, 0], [0, 0, 1]], 0.1)
    assert all(m[:2] == [0, 0] for m in turn.milestones) and turn.milestones[-1][2] == pytest.approx(1)
    with pytest.raises(ValueError, match="pose 1"):
        driving.DifferentiallyFlat2DTrajectory([0, 1], [[0, 0, 0], [1, 0]])


def test_driving_agrees_with_the_layer():
    from klampt.model import driving
    layer = of_layer("model/driving.py")
    rng = np.random.default_rng(3)
    for _ in range(20):
        poses = np.column_stack((rng.uniform(-2, 2, (4, 2)), rng.uniform(-3, 3, 4))).tolist()
        times = [0.0, 0.7, 1.5, 2.1]
        ours, theirs = (m.DifferentiallyFlat2DTrajectory(times, poses) for m in (driving, layer))
        assert np.asarray(ours.milestones) == pytest.approx(np.asarray(theirs.milestones), abs=1e-12)
        ours, theirs = (m.discretize_differential_drive_poses_se2(times, poses, 0.13) for m in (driving, layer))
        assert ours.times == theirs.times
        assert np.asarray(ours.milestones) == pytest.approx(np.asarray(theirs.milestones), abs=1e-12)


def test_linear_models_agree_with_the_layer():
    from klampt.control import system_id
    layer = of_layer("control/system_id.py")
    rng = np.random.default_rng(5)
    A, B, C = rng.normal(size=(3, 3)), rng.normal(size=(3, 2)), rng.normal(size=3)
    ours, theirs = system_id.LinearSystemID(3, 2), layer.LinearSystemID(3, 2)
    for _ in range(40):
        x, u = rng.normal(size=3), rng.normal(size=2)
        y = A @ x + B @ u + C + 1e-3 * rng.normal(size=3)
        for model in (ours, theirs):
            model.add(x.tolist(), u.tolist(), y.tolist())
    for a, b, truth in zip(ours.getModel(), theirs.getModel(), (A, B, C)):
        assert a == pytest.approx(np.asarray(b), abs=1e-6) and a == pytest.approx(truth, abs=5e-3)
    estimator, other = ours.estimators[0], theirs.estimators[0]
    assert estimator.standardError() == pytest.approx(other.standardError(), rel=1e-4)
    # Klamp't's variance leaves out how it scales its matrices.
    mean, variance = estimator.predictionAndVariance(np.ones(6))
    assert mean == pytest.approx(other.predictionAndVariance(np.ones(6))[0], rel=1e-4) and 0 < variance < 1e-5


def test_linear_models_with_known_entries():
    from klampt.control.blocks.system_id import LinearSystemIDBlock, LinearSystemIDPredictionBlock
    from klampt.control.system_id import LinearSystemID
    rng = np.random.default_rng(6)
    model = LinearSystemID(2, 1)
    model.setPattern([[1, None], [0, None]], None, [0, 0])
    model.fixB(0, 0, 0.0)
    for _ in range(10):
        x, u = rng.normal(size=2), rng.normal(size=1)
        model.add(x, u, [x[0] + 0.1 * x[1], 0.9 * x[1] + 0.5 * u[0]])
    A, B, C = model.getModel()
    assert A == pytest.approx(np.array([[1, 0.1], [0, 0.9]])) and B == pytest.approx(np.array([[0], [0.5]]))
    assert C == pytest.approx(np.zeros(2)) and model.getOutput([1, 1], [2]) == pytest.approx([1.1, 1.9])
    block, predictor = LinearSystemIDBlock(1, 1), LinearSystemIDPredictionBlock(1, 1)
    x = 1.0
    for k in range(12):
        u, last = math.sin(k), x
        predicted = predictor.advance([x], [u], [x])
        x = 0.5 * x + u + 0.25
        A, B, C = block.advance([x], [last], [u])
    assert [A[0, 0], B[0, 0], C[0]] == pytest.approx([0.5, 1, 0.25]) and predicted == pytest.approx([x])


def test_root_finding():
    from klampt.math import rootfind
    from klampt.math.vectorfield import VectorFieldFunction

    class Circle(VectorFieldFunction):
        """The unit circle's points with x = y."""

        def eval(self, x):
            return [x[0] ** 2 + x[1] ** 2 - 1, x[0] - x[1]]

        def jacobian(self, x):
            return [[2 * x[0], 2 * x[1]], [1, -1]]
    assert rootfind.setVectorField(Circle()) == 1
    status, x, _ = rootfind.findRoots([3.0, 0.5], 100)
    assert status in (0, 1) and x == pytest.approx([math.sqrt(0.5)] * 2)
    status, x, _ = rootfind.findRootsBounded([-0.2, -0.9], [[-1, -1], [0, 0]], 100)
    assert status in (0, 1) and x == pytest.approx([-math.sqrt(0.5)] * 2)
    assert rootfind.findRoots([0.0, 0.0], 100)[0] == 3 and rootfind.findRoots([3.0, 0.5], 1)[0] == 4
    rootfind.destroy()
    with pytest.raises(RuntimeError, match="setVectorField"):
        rootfind.findRoots([0.0], 1)


def test_viewports_as_files(tmp_path):
    from klampt import Viewport
    from klampt.math import se3, so3
    from klampt.vis.glviewport import GLViewport
    view = GLViewport()
    assert isinstance(view, Viewport) and view.fov == pytest.approx(math.radians(60))
    view.resize(800, 500)
    view.setFOV(1.2)
    T = (so3.from_rpy((0.3, -0.2, 1.0)), [1.0, 2.0, 3.0])
    view.controller.dist = 2.5
    view.set_transform(T)
    view.save_file(str(tmp_path / "view.txt"))
    other = GLViewport()
    other.load_file(str(tmp_path / "view.txt"))
    assert (other.w, other.h, other.fx, other.controller.dist) == (800, 500, view.fx, 2.5)
    assert se3.error(other.get_transform(), T) == pytest.approx([0] * 6, abs=1e-9)
    x, y, z = other.project([1.5, 2.5, 5.0], clip=False)
    source, direction = other.click_ray(x, y)
    assert np.cross(direction, np.subtract([1.5, 2.5, 5.0], source)) == pytest.approx(np.zeros(3), abs=1e-9)
    (tmp_path / "old.txt").write_text("VIEWPORT\nFRAME 0 0 640 480\nPERSPECTIVE 1\nSCALE 1.0\nNEARPLANE 0.5\nFARPLANE 50\n"
                                      "CAMTRANSFORM 1 0 0 4  0 1 0 5  0 0 1 6  0 0 0 1\nORBITDIST 2\n")
    other.load_file(str(tmp_path / "old.txt"))
    assert (other.fx, other.n, other.f) == (640.0, 0.5, 50.0) and other.controller.matrix()[1] == pytest.approx([4, 5, 6])
    other.fov = 90.0  # degrees, as in earlier versions
    assert other.getFOV() == pytest.approx(math.pi / 2)
    (tmp_path / "bad.txt").write_text("no viewport")
    with pytest.raises(IOError, match="bad.txt"):
        other.load_file(str(tmp_path / "bad.txt"))


def test_what_a_view_sees():
    from klampt.model import sensing
    from klampt.vis.glviewport import GLViewport
    world = box_world()
    cube = world.rigidObject(0)
    view = GLViewport()
    view.set_transform(([0, -1, 0, 0, 0, -1, 1, 0, 0], [0, 0, 0]))  # along x
    assert sensing.visible(view, [2, 0, 0]) and not sensing.visible(view, [-2, 0, 0])
    assert sensing.visible(view, cube) and sensing.visible(view, ([2, 0, 0], 0.1))
    assert sensing.visible(view, ([1, -5, -1], [2, 5, 1]), full=False)
    assert not sensing.visible(view, ([1, -5, -1], [2, 5, 1]), full=True)
    assert not sensing.visible(view, [200, 0, 0], require_depth=True)
    assert sensing.occluded([0, 0, 0], [3, 0, 0], [cube]) and not sensing.occluded([0, 0, 0], [0, 3, 0], world)
    assert sensing.visible_fraction(view, cube) == 1.0
    assert sensing.visible_fraction(view, ([2.5, 0, 0], 0.05), occluders=[cube]) == 0.0


def test_a_scene_under_a_pixel():
    from klampt import vis
    vis.kill()
    world = box_world()
    vis.add("world", world)
    scene = vis.scene()
    view = scene.getViewport()
    view.set_transform(([0, -1, 0, 0, 0, -1, 1, 0, 0], [0, 0, 0]))
    item, point = scene.rayCast(320, 240, filter=lambda name, thing: thing is world or name == "cube")
    assert item.item.getName() == "cube" and point == pytest.approx([1.9, 0, 0], abs=1e-6)
    assert scene.rayCast(0, 0, filter=lambda name, thing: thing is world or name == "cube") == (None, None)
    vis.kill()


def test_sensors_by_what_they_are():
    from klampt.model.sensing import Sensorium
    world = box_world()
    robot = world.robot(0)
    small, large = (robot.addSensor(name, "CameraSensor") for name in ("small", "large"))
    robot.addSensor("positions", "JointPositionSensor")
    for sensor, size in ((small, 64), (large, 128)):
        for key in ("xres", "yres"):
            sensor.setSetting(key, str(size))
    sensors = Sensorium(robot)
    assert set(sensors.cameras()) == {"small", "large"} and not sensors.lasers()
    assert sensors.bestCamera().name == "large"
    sensors.preferences["cameras"] = ["small"]
    assert sensors.bestCamera().name == "small"
    sensors.preferCamerasByResolution()
    assert sensors.preferences["cameras"] == ["large", "small"]
    sensors.disable("large")
    copy = sensors.copy()
    sensors.enable("large")
    assert set(copy.cameras()) == {"small"} and set(sensors.cameras()) == {"small", "large"}
    with pytest.raises(ValueError, match="nothing"):
        sensors.enable("nothing")


def test_logs_of_simulations(tmp_path):
    from klampt import Simulator
    from klampt.sim.simlog import SimLogger, SimLogPlayback
    world = box_world(1.0)
    sim = Simulator(world)
    logger = SimLogger(sim, str(tmp_path / "state.csv"), str(tmp_path / "contact.csv"))
    for _ in range(5):
        sim.simulate(0.02)
        logger.saveStep()
    heights = world.rigidObject(0).getTransform()[1][2]
    logger.close()
    header = (tmp_path / "state.csv").read_text().splitlines()[0].split(",")
    assert header[0] == "time" and "cube_comx" in header and "cube_rz" in header
    assert (tmp_path / "contact.csv").read_text().startswith("time,body1,body2,numContacts,cpx_avg,")
    other = box_world(1.0)
    playback = SimLogPlayback(Simulator(other), str(tmp_path / "state.csv"))
    assert playback.times == pytest.approx([0.02 * k for k in range(1, 6)])
    playback.updateSim(timestep=-1)
    assert other.rigidObject(0).getTransform()[1][2] == pytest.approx(heights) and heights < 1.0
    playback.updateSim(time=0.05)
    assert other.rigidObject(0).getTransform()[1][2] > heights
    assert playback.objectTrajectory(0).duration() == pytest.approx(0.08)


def simulated():
    from klampt import Simulator
    from klampt.control import RobotInterfaceCompleter
    from klampt.control.simrobotinterface import SimPositionControlInterface
    sim = Simulator(box_world())
    interface = RobotInterfaceCompleter(SimPositionControlInterface(sim.controller(0), sim))
    interface.initialize()
    return interface


def test_commands_are_recorded_and_given_again(tmp_path):
    from klampt.control import StepContext
    from klampt.control.robotinterfaceutils import RobotInterfaceLogger, RobotInterfaceRecorder
    interface = simulated()
    n = interface.numJoints()
    recorder = RobotInterfaceRecorder(interface, str(tmp_path / "record.txt"))
    logger = RobotInterfaceLogger(interface, str(tmp_path / "log.csv"))
    ends = []
    for k in range(30):
        with StepContext(interface):
            if k == 3:
                interface.moveToPosition(np.full(n, 0.05), speed=0.5)
            if k == 20:
                interface.setPosition([0.02] * n)
            recorder.step()
            logger.step()
            ends.append(interface.commandedPosition())
    recorder.stop()
    logger.stop()
    rows = (tmp_path / "log.csv").read_text().splitlines()
    assert rows[0].startswith("controlRate,parts") and rows[2].startswith("clock,status") and len(rows) == 33
    assert len((tmp_path / "record.txt").read_text().splitlines()) == 2
    again = simulated()
    playback = RobotInterfaceRecorder(again, str(tmp_path / "record.txt"), playback=True)
    for k in range(30):
        with StepContext(again):
            playback.step()
            assert again.commandedPosition() == pytest.approx(ends[k])
    assert playback.done()


def test_control_modes_of_a_completed_interface():
    from klampt.control import StepContext
    interface = simulated()
    with StepContext(interface):
        interface.moveToPosition([0.5] * interface.numJoints())
        assert interface.isMoving()
        interface.setControlMode("position")
        assert not interface.isMoving()
        with pytest.raises(NotImplementedError, match="nothing"):
            interface.setControlMode("nothing")


def test_balance_while_standing():
    from klampt import WorldModel
    from klampt.model.contact import ContactPoint, Hold
    from klampt.plan.contactcspace import StanceCSpace, TransitionCSpace
    world = WorldModel()
    world.loadRobot(str(ROOT / "data" / "robots" / "bench_arm.urdf"))
    robot = world.robot(0)
    x, y, _ = robot.getCom()

    def stance(size, at):
        hold = Hold()
        corners = [[at + sx * size, y + sy * size, 0.0] for sx in (-1, 1) for sy in (-1, 1)]
        hold.setFixed(robot.link(0), [ContactPoint(c, [0, 0, 1], 0.5) for c in corners])
        return StanceCSpace(robot, [hold])
    wide, far = stance(0.3, x), stance(0.1, x + 1.0)
    q = robot.getConfig()
    assert wide.testSupportPolygon(q) and not far.testSupportPolygon(q)
    wide.equilibriumMargin = 0.5
    assert not wide.testSupportPolygon(q)
    with pytest.raises(TypeError, match="int"):
        TransitionCSpace(wide, 3)


def test_the_stance_of_the_page_is_feasible(monkeypatch):
    from klampt.io import resource
    from klampt.plan.robotcspace import StanceCSpace
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs" / "klampt_python.md").read_text()
    snippet = next(code for code in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
                   if "import StanceCSpace" in code)
    names = {}
    exec(compile(snippet, "page", "exec"), names)  # noqa: S102
    space, robot, stand = names["space"], names["robot"], resource.get("stand.config")
    assert space.isFeasible(stand)
    lifted = list(stand)
    lifted[2] += 0.2
    assert not space.isFeasible(lifted)
    for side in ("left", "right"):
        robot.enableSelfCollision(robot.link(side + "_thigh").getIndex(), robot.link(side + "_hip_yaw").getIndex(), True)
    overlapping = StanceCSpace(robot, resource.get("feet.stance"), world=names["world"])
    with pytest.raises(RuntimeError, match="call setup"):
        overlapping.isFeasible(stand)
    with pytest.raises(RuntimeError, match="StanceCSpace"):
        overlapping.isVisible(stand, stand)
    overlapping.setup()
    assert not overlapping.isFeasible(stand), "as the page says of its hips"


def test_cameras_see_the_colors_that_programs_set():
    from klampt import Simulator
    from klampt.model import sensing
    world = box_world()
    robot = world.robot(0)
    camera = robot.addSensor("eye", "CameraSensor")
    for key, value in {"xres": 64, "yres": 48, "xfov": 1.0, "zmax": 10, "link": -1, "shading": 0}.items():
        camera.setSetting(key, str(value))
    camera.setTransform([0, -1, 0, 0, 0, -1, 1, 0, 0], [1.0, 0.0, 0.0])  # Towards the cube.
    seen = []
    for color in (None, (1, 0, 0, 1), (0, 1, 0)):
        if color is not None:
            world.rigidObject(0).appearance().setColor(*color)
        camera.kinematicSimulate(world, 0.1)
        image, depth = sensing.camera_to_images(camera)
        assert depth[24, 32] == pytest.approx(0.9)
        seen.append(image[24, 32].tolist())
    assert seen == [[102, 51, 204], [255, 0, 0], [0, 255, 0]]
    sim = Simulator(world.copy())
    sim.simulate(0.1)
    image, _ = sensing.camera_to_images(sim.controller(0).sensor("eye"))
    assert image[24, 32].tolist() == [0, 255, 0]


def test_screenshots_show_what_is_in_the_scene():
    from klampt import Geometry3D, GeometricPrimitive, vis
    from klampt.io import resource
    from klampt.model.trajectory import Trajectory
    world = box_world()
    robot = world.robot(0)
    vis.clear()
    try:
        view = vis.getViewport()
        view.w, view.h, view.fx, view.fy, view.cx, view.cy = 160, 120, 120, 120, 80, 60
        view.set_transform(([0, -1, 0, 0, 0, -1, 1, 0, 0], [-1.0, 0.0, 0.0]))  # Along x, at the cube.
        vis.setBackgroundColor(0, 0, 0)
        vis.add("world", world)
        vis.hide(("world", robot.getName()))
        picture, depth = vis.screenshot("numpy", True)
        assert picture.shape == (120, 160, 3) and picture.dtype == np.uint8 and depth.dtype == np.float32
        assert depth[60, 80] == pytest.approx(2.9) and depth[0, 0] == pytest.approx(view.f)
        assert picture[0, 0].tolist() == [0, 0, 0]

        vis.setColor(("world", "cube"), 1, 0, 0, 1)
        assert vis.screenshot()[60, 80].tolist() == pytest.approx([255, 0, 0], abs=10)
        ball = GeometricPrimitive()
        ball.setSphere([0, 0, 0], 0.05)
        vis.add("ball", Geometry3D(ball), color=(0, 0, 1, 0.5))  # In front, and one sees half through it.
        assert vis.screenshot()[60, 80].tolist() == pytest.approx([127, 0, 127], abs=10)
        assert vis.screenshot("numpy", True)[1][60, 80] == pytest.approx(2.9)
        vis.hide("ball")
        vis.hide(("world", "cube"))
        for color in ((0, 1, 0), np.array([0, 1, 0, 1.0])):
            vis.add("same", world.rigidObject(0), color=color)
            assert vis.screenshot()[60, 80].tolist() == pytest.approx([0, 255, 0], abs=10)
        world.rigidObject(0).appearance().setDraw(False)
        assert vis.screenshot()[60, 80].tolist() == [0, 0, 0]
        vis.remove("same")
        world.rigidObject(0).appearance().setDraw(True)
        vis.add("point", [1.0, 0.4, 0.4], color=(0, 1, 0, 1), size=3)
        vis.add("path", Trajectory([0, 1], [[1, -0.5, -0.4], [1, 0.5, -0.4]]), color=(1, 1, 0, 1))
        picture = vis.screenshot()
        assert picture[36, 56].tolist() == [0, 255, 0]
        assert (picture[84, 50:110] == [255, 255, 0]).all()
        w, h, data = vis.screenshot("bytes")
        assert (w, h) == (160, 120) and data == picture[::-1].tobytes()

        vis.clear()
        vis.add("world", world)
        vis.setColor(("world", robot.getName()), 1, 1, 1)
        before = vis.screenshot()
        q = robot.getConfig()
        vis.add("ghost", [v + 0.5 for v in q], color=(1, 0, 0, 1))
        assert (vis.screenshot() != before).any() and robot.getConfig() == q
        with pytest.raises(ValueError, match="jpeg"):
            vis.screenshot("jpeg")
        small = resource.thumbnail(world, (32, 24))
        pixels = np.asarray(small) if hasattr(small, "size") else np.frombuffer(small, np.uint8).reshape(24, 32, 4)
        assert pixels.shape[:2] == (24, 32) and (pixels[:, :, :3] != pixels[0, 0, :3]).any()
    finally:
        vis.clear()
        vis.setBackgroundColor(0.8, 0.8, 0.9)
        vis.setViewport(type(vis.getViewport())())
