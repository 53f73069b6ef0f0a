"""klampt.io.ros and control.io.roscontroller: conversions there and back, and what controllers do of trajectories."""

import subprocess
import sys
from types import SimpleNamespace as Record

import numpy as np
import pytest
from klampt.control.io._joint_plans import JointPlans

import klampt
from klampt.math import se3, so3
from klampt.model.trajectory import HermiteTrajectory, RobotTrajectory, SE3Trajectory, Trajectory


def time_of(seconds):
    return Record(to_sec=lambda: seconds)


def message_of(stamp, names, points):
    """A JointTrajectory without ROS: points are (time, {list: numbers})."""
    lists = ("positions", "velocities", "accelerations", "effort")
    return Record(joint_names=names, header=Record(stamp=time_of(stamp)), points=[
        Record(time_from_start=time_of(t), **{name: given.get(name, []) for name in lists}) for t, given in points])


def test_plans_follow_positions_linearly_and_with_velocities_by_cubics():
    plans = JointPlans(3)
    indices = {"a": 0, "b": 1, "c": 2}
    q = [0.0, 0.5, 0.0]
    assert plans.commands(0, q) == {}
    plans.accept(message_of(10, ["b", "nobody"], [(2, {"positions": [1.5, 7]})]), indices, 9, q)
    commands = plans.commands(11, q)
    assert commands["qcmd"] == pytest.approx([0, 1, 0])
    assert commands["dqcmd"] == pytest.approx([0, 0.5, 0])
    # q(s) = s^3 - s on [0, 2].
    plans.accept(message_of(20, ["c"], [(0, {"positions": [0], "velocities": [-1]}),
                                        (2, {"positions": [6], "velocities": [11]})]), indices, 15, q)
    for s in np.linspace(0, 1.9, 20):
        commands = plans.commands(20 + s, q)
        assert commands["qcmd"][2] == pytest.approx(s ** 3 - s)
        assert commands["dqcmd"][2] == pytest.approx(3 * s * s - 1)
    assert plans.commands(30, q)["qcmd"] == pytest.approx([0, 1.5, 6])


def test_plans_splice_and_integrate_velocities_and_feed_efforts_forward():
    plans = JointPlans(2)
    indices = {"a": 0, "b": 1}
    plans.accept(message_of(1, ["a", "b"], [(10, {"positions": [10, 10]})]), indices, 1, [0, 0])
    plans.accept(message_of(4, ["b"], [(1, {"positions": [0]})]), indices, 2, [0, 0])
    assert plans.commands(3, [0, 0])["qcmd"] == pytest.approx([2, 2])
    assert plans.commands(4.5, [0, 0])["qcmd"] == pytest.approx([3.5, 1.5])
    plans.accept(message_of(0, ["a"], [(0, {"velocities": [1]}), (2, {"velocities": [3]})]), indices, 11, [0, 0])
    assert plans.commands(12, [0, 0])["qcmd"][0] == pytest.approx(10 + 1.5)
    assert plans.commands(20, [0, 0])["qcmd"][0] == pytest.approx(10 + 4)
    plans.accept(message_of(0, ["b"], [(1, {"positions": [1], "effort": [8]})]), indices, 20, [0, 0])
    assert plans.commands(20.5, [0, 0])["torquecmd"] == pytest.approx([0, 4])


def test_plans_refuse_other_clocks_and_wrong_lists():
    plans = JointPlans(1)
    for message in (message_of(1.7e9, ["a"], [(1, {"positions": [1]})]),
                    message_of(1, ["a"], [(1, {"positions": [1]})]),
                    message_of(0, ["a"], [(1, {"positions": [1, 2]})]),
                    message_of(0, ["a"], [(1, {"positions": [1]}), (1, {"positions": [2]})]),
                    message_of(0, ["a"], [(1, {"positions": [float("nan")]})]),
                    message_of(0, ["a", "a"], [(1, {"positions": [1, 1]})])):
        with pytest.raises(ValueError):
            plans.accept(message, {"a": 0}, 50, [0])
    assert plans.commands(60, [0]) == {}


def test_without_rospy_the_import_says_what_to_install():
    program = ("import sys\nsys.modules['rospy'] = None\nimport klampt.io\n"
               "for name in ('klampt.io.ros', 'klampt.control.io.roscontroller'):\n"
               "    try:\n        __import__(name)\n"
               "    except ImportError as error:\n        assert 'python3-rospy' in str(error), error\n"
               "    else:\n        raise SystemExit('imported')\n")
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.fixture(scope="module")
def ros():
    pytest.importorskip("rospy", reason="rospy is not installed")
    return pytest.importorskip("klampt.io.ros", reason="rospy is not installed")


@pytest.fixture(scope="module")
def robot(data):
    world = klampt.WorldModel()
    assert world.readFile(str(data / "robots" / "reacher.rob"))
    return world.robot(0)


def test_poses_go_there_and_back(ros):
    T = (so3.rotation([0.6, 0, 0.8], 1.1), [1.0, -2.0, 3.0])
    for to, back in ((ros.to_Pose, ros.from_Pose), (ros.to_Transform, ros.from_Transform),
                     (lambda X: ros.to_PoseStamped(X, 3.5), ros.from_PoseStamped)):
        assert se3.distance(T, back(to(T))) < 1e-12
    assert ros.to_PoseStamped(T, 3.5).header.stamp.to_sec() == 3.5
    assert ros.fromMsg(ros.toMsg([1.0, 2.0, 3.0])) == [1.0, 2.0, 3.0]


def test_paths_go_there_and_back(ros):
    pytest.importorskip("nav_msgs", reason="rospy is not installed: nav_msgs")
    T = (so3.rotation([0.6, 0, 0.8], 1.1), [1.0, -2.0, 3.0])
    path = ros.from_Path(ros.to_Path(SE3Trajectory([0, 2], [T, se3.identity()]), start_time=10.0))
    assert path.times == [0, 2]
    assert se3.distance(path.to_se3(path.milestones[0]), T) < 1e-12


def test_joint_states_go_there_and_back_and_leave_out_foreign_names(ros, robot):
    q = [0.1 * i for i in range(robot.numLinks())]
    message = ros.to_JointState(robot, q=q, dq=None, effort=[1.0] * robot.numDrivers(), indices=[1, 3])
    assert list(message.name) == ["shoulder_pitch", "wrist_roll"]
    assert list(message.position) == [q[1], q[3]]
    assert list(message.velocity) == []
    message.name.append("wheel")
    message.position = [*message.position, 9.0]
    message.effort = [*message.effort, 9.0]
    robot.setConfig([0.0] * robot.numLinks())
    with pytest.warns(UserWarning, match="wheel"):
        back, velocity, effort = ros.from_JointState(message, robot)
    assert back == pytest.approx([0, q[1], 0, q[3], 0, 0])
    assert velocity is None
    assert effort == pytest.approx([0, 1, 0, 1, 0, 0])


def test_trajectories_go_there_and_back(ros, robot):
    motion = RobotTrajectory(robot, [0, 1.5], [[0.0] * 6, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]])
    message = ros.to_JointTrajectory(motion)
    assert message.joint_names == [robot.link(i).getName() for i in range(6)]
    back = ros.from_JointTrajectory(message, robot)
    assert back.times == motion.times
    assert np.allclose(back.milestones, motion.milestones)
    plain = ros.to_JointTrajectory(Trajectory([0, 1], [[1.0, 2.0], [3.0, 4.0]]))
    assert plain.joint_names == ["0", "1"]
    hermite = ros.to_JointTrajectory(HermiteTrajectory([0, 1], [[1.0], [2.0]], [[0.5], [0.25]]))
    assert [list(p.velocities) for p in hermite.points] == [[0.5], [0.25]]


def test_clouds_go_there_and_back_and_of_every_type(ros):
    from sensor_msgs.msg import PointCloud2, PointField
    cloud = klampt.PointCloud()
    points = np.arange(18, dtype=float).reshape(6, 3) / 4
    cloud.setPoints(points)
    cloud.addProperty("intensity", np.arange(6) / 2.0)
    cloud.setSetting("width", "3")
    cloud.setSetting("height", "2")
    message = ros.to_PointCloud2(cloud, "lidar", 2.0)
    assert (message.width, message.height, message.header.frame_id) == (3, 2, "lidar")
    back = ros.from_PointCloud2(message)
    assert np.array_equal(back.points, points)
    assert np.array_equal(np.asarray(back.properties)[:, 0], np.arange(6) / 2.0)
    assert back.getSetting("height") == "2"
    # Another order of fields and bytes, with gaps between rows.
    layout = np.dtype({"names": ["z", "x", "y", "ring"], "formats": [">f8", ">f4", ">i2", ">u1"],
                       "offsets": [8, 0, 4, 6], "itemsize": 20})
    rows = np.zeros(4, layout)
    rows["x"], rows["y"], rows["z"], rows["ring"] = [1, 2, 3, 4], [5, 6, 7, -8], [0.5, 1.5, 2.5, 3.5], [9, 8, 7, 255]
    data = rows[:2].tobytes() + b"gap" + rows[2:].tobytes() + b"gap"
    field = [PointField("z", 8, 8, 1), PointField("x", 0, 7, 1), PointField("y", 4, 3, 1), PointField("ring", 6, 2, 1)]
    foreign = PointCloud2(width=2, height=2, fields=field, is_bigendian=True, point_step=20, row_step=43, data=data)
    back = ros.from_PointCloud2(foreign)
    assert np.array_equal(back.points, [[1, 5, 0.5], [2, 6, 1.5], [3, 7, 2.5], [4, -8, 3.5]])
    assert back.getPropertyName(0) == "ring"
    foreign.data = data[:60]
    with pytest.raises(ValueError, match="too few"):
        ros.from_PointCloud2(foreign)


def test_meshes_go_there_and_back_where_their_geometry_is(ros):
    pytest.importorskip("shape_msgs", reason="rospy is not installed: shape_msgs")
    mesh = klampt.TriangleMesh()
    mesh.setVertices(np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3.0]]))
    mesh.setIndices(np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32))
    geometry = klampt.Geometry3D()
    geometry.setTriangleMesh(mesh)
    geometry.setCurrentTransform(so3.identity(), [1.0, 0.0, 0.0])
    back = ros.from_Mesh(ros.toMsg(geometry))
    assert np.allclose(back.vertices, np.asarray(mesh.vertices) + [1, 0, 0])
    assert np.array_equal(back.indices, mesh.indices)
    assert np.allclose(geometry.getTriangleMesh().vertices, mesh.vertices), "the geometry itself stays where it is"


def test_intrinsics_go_there_and_back(ros):
    view = klampt.robotsim.Viewport()
    view.w, view.h, view.fx, view.fy, view.cx, view.cy = 320, 200, 250.0, 260.0, 159.5, 99.5
    info = ros.to_CameraInfo(view)
    assert info.K[2] == 159.5 and info.K[5] == 99.5
    assert info.P[2] == 159.5 and info.P[6] == 99.5
    other = ros.from_CameraInfo(info, klampt.robotsim.Viewport())
    assert (other.w, other.h, other.fx, other.fy, other.cx, other.cy) == (320, 200, 250, 260, 159.5, 99.5)


def test_frames_of_links_have_the_link_that_carries_them_as_parent(ros, robot):
    sent = {}

    class Broadcaster:
        def sendTransform(self, t, q, stamp, child, parent):
            sent[child] = (parent, t, q)

    robot.setConfig([0.3] * robot.numLinks())
    ros.broadcast_tf(Broadcaster(), robot, "klampt/reacher")
    assert sent["klampt/reacher/shoulder_yaw"][0] == "world"
    parent, t, (x, y, z, w) = sent["klampt/reacher/elbow"]
    assert parent == "klampt/reacher/shoulder_pitch"
    carried = se3.mul(robot.link("shoulder_pitch").getTransform(), (so3.from_quaternion((w, x, y, z)), list(t)))
    assert se3.distance(carried, robot.link("elbow").getTransform()) < 1e-6


STREAM_PROGRAM = """
import sys, time
import numpy as np
import klampt
from klampt import io

def cloud(points):
    made = klampt.PointCloud()
    made.setPoints(np.array(points, dtype=float))
    return made

followed = klampt.Geometry3D()
for wrong, kind in (("ros://", RuntimeError), ("ros:Image//x", RuntimeError)):
    try:
        followed.loadFile(wrong)
    except kind:
        continue
    raise SystemExit(wrong)
assert followed.loadFile("ros://scene/cloud")
other = klampt.Geometry3D()
assert io.subscribe_to_stream(other, "ros", "/scene/cloud", "PointCloud2")
assert not io.process_streams()
import rospy
from klampt.io import ros
publisher = ros.publisher("/scene/cloud", "PointCloud", latch=True)
publisher.publish(cloud([[1, 2, 3], [4, 5, 6]]))
assert io.wait_for_stream("ros", "scene/cloud", 30)
assert io.process_streams()
assert followed.getPointCloud().numPoints() == 2 and other.type() == "PointCloud"
assert not io.process_streams("ros"), "nothing came since"
assert np.array_equal(followed.getPointCloud().points, [[1, 2, 3], [4, 5, 6]])
assert io.detach_from_stream("ros", "scene/cloud") and not io.detach_from_stream("ros", "scene/cloud")
rospy.signal_shutdown("done")
"""


@pytest.fixture
def master(tmp_path):
    """A ROS master of this test, as environment variables."""
    import os
    import shutil
    import socket
    import time
    program = shutil.which("rosmaster")
    if program is None:
        pytest.skip("rosmaster is not installed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "ROS_MASTER_URI": f"http://127.0.0.1:{port}", "ROS_IP": "127.0.0.1",
                   "ROS_LOG_DIR": str(tmp_path)}
    process = subprocess.Popen([program, "--core", "-p", str(port)], env=environment, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.01)
        yield environment
    finally:
        process.terminate()
        process.wait(60)


def test_geometries_follow_clouds_on_topics(ros, master):
    subprocess.run([sys.executable, "-c", STREAM_PROGRAM], env=master, check=True, timeout=120)


def test_streams_without_a_master_say_so(ros, tmp_path):
    import os
    program = ("import klampt\ntry:\n    klampt.Geometry3D().loadFile('ros://cloud')\n"
               "except RuntimeError as error:\n    assert 'roscore' in str(error), error\n"
               "else:\n    raise SystemExit('loaded')\n")
    environment = {**os.environ, "ROS_MASTER_URI": "http://127.0.0.1:1", "ROS_LOG_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True, timeout=120)


CONTROLLER_PROGRAM = """
import sys, time
import klampt
from klampt.control.io import roscontroller

world = klampt.WorldModel()
assert world.readFile(sys.argv[1])
robot = world.robot(0)
controller = roscontroller.make(robot)
import rospy
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

seen = {}
rospy.Subscriber("/reacher/joint_states", JointState, lambda message: seen.__setitem__("state", message))
rospy.Subscriber("/clock", Clock, lambda message: seen.__setitem__("clock", message))
publisher = rospy.Publisher("/reacher/joint_trajectory", JointTrajectory, queue_size=1, latch=True)
motion = JointTrajectory(joint_names=["elbow", "nobody"])
motion.header.stamp = rospy.Time.from_sec(2.0)
motion.points = [JointTrajectoryPoint(positions=[1.0, 5.0], time_from_start=rospy.Duration(1.0))]
publisher.publish(motion)

q = [0.0] * 6
end = time.monotonic() + 60
while time.monotonic() < end:
    commands = controller.advance(t=1.5, dt=0.01, q=q, dq=q, qcmd=q)
    if commands and {"state", "clock"} <= set(seen):
        break
    time.sleep(0.01)
assert seen["clock"].clock.to_sec() == 1.5 and seen["state"].header.stamp.to_sec() == 1.5
assert list(seen["state"].name) == [robot.link(i).getName() for i in range(6)]
assert list(seen["state"].position) == q
half = controller.advance(t=2.5, dt=0.01, q=q, dq=q, qcmd=q)
assert abs(half["qcmd"][2] - 0.5) < 1e-9 and abs(half["dqcmd"][2] - 1) < 1e-9, half
assert half["qcmd"][:2] == [0.0, 0.0]
rospy.signal_shutdown("done")
"""


def test_a_controller_follows_a_topic_and_publishes_states_and_the_time(ros, master, data):
    subprocess.run([sys.executable, "-c", CONTROLLER_PROGRAM, str(data / "robots" / "reacher.rob")], env=master, check=True,
                   timeout=120)
