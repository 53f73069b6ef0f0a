"""Files of every kind, plugins, and inverse kinematics."""

import mortise
import numpy as np
import pytest


def test_trajectories_round_trip(tmp_path):
    motion = mortise.Trajectory([0, 0.5, 2], [[0, 1], [2, 3], [4, 5]])
    mortise.save(tmp_path / "a.path", motion)
    assert mortise.load(tmp_path / "a.path") == motion
    q, dq = motion.evaluate(0.25)
    assert np.allclose(q, [1, 2]) and np.allclose(dq, [4, 4])
    qs, dqs = motion.evaluate([-1, 0.5, 9])
    assert np.allclose(qs, [[0, 1], [2, 3], [4, 5]])
    with pytest.raises(ValueError, match="never decrease"):
        mortise.Trajectory([1, 0], [[0], [1]])
    with pytest.raises(ValueError, match="as many rows as times"):
        mortise.Trajectory([0, 1], [[0]])


def test_configurations_round_trip(tmp_path):
    mortise.save(tmp_path / "a.config", np.array([1, 2.5, -3]))
    assert np.array_equal(mortise.load(tmp_path / "a.config"), [1, 2.5, -3])
    mortise.save(tmp_path / "a.configs", [[1, 2], [3, 4]], content="configurations")
    assert [list(q) for q in mortise.load(tmp_path / "a.configs")] == [[1, 2], [3, 4]]


def test_load_finds_out_what_a_file_holds(data):
    assert isinstance(mortise.load(data / "robots" / "pole.rob"), mortise.Robot)
    assert isinstance(mortise.load(data / "worlds" / "blocks.xml"), mortise.World)
    assert isinstance(mortise.load(data / "objects" / "cube.off"), mortise.Geometry)
    with pytest.raises(mortise.Error):
        mortise.load(__file__)


def test_plugins_are_listed():
    names = {component["name"] for component in mortise.components("physics")}
    assert any("ortise" in name or "Native" in name for name in names)
    backend = mortise.component("physics", "mortise")
    assert backend["settings"] and all({"name", "type", "default", "unit"} <= set(entry) for entry in backend["settings"])
    assert all(component["kind"] == "hardware" for component in mortise.components("hardware"))
    assert mortise.component("hardware", "simulated")["name"] == "mortise.SimulatedHardware"
    with pytest.raises(ValueError, match="physics"):
        mortise.components("nothing")
    with pytest.raises(mortise.Error):
        mortise.component("controller", "NoSuchController")


def test_inverse_kinematics_reaches(data):
    robot = mortise.load_robot(data / "robots" / "heron.urdf")
    state = mortise.RobotState(robot)
    random = np.random.default_rng(2)
    lower, upper = np.maximum(robot.q_min, -2), np.minimum(robot.q_max, 2)
    tip = robot.links[-1].name
    for _ in range(5):
        state.set(random.uniform(lower, upper))
        target = state.positions[-1].copy()
        solution = mortise.solve_ik(robot, {"link": tip, "position": list(target)}, seed=1)
        assert solution and solution.residual < 1e-8
        state.set(solution.q)
        assert np.allclose(state.positions[-1], target, atol=1e-8)
    solver = mortise.IKSolver(robot, [{"link": tip, "position": [0, 0, 50]}])
    assert not solver.solve(restarts=2)
    with pytest.raises(mortise.Error, match="link|nothing"):
        mortise.solve_ik(robot, {"link": "nothing", "position": [0, 0, 0]})
    with pytest.raises(TypeError, match="no argument 'restart'; did you mean 'restarts'"):
        solver.solve(restart=2)


def test_goals_take_matrices_poses_and_links(data):
    robot = mortise.load_robot(data / "robots" / "heron.urdf")
    state = mortise.RobotState(robot, [0, 0.2468, 0.8155, 0.3421, 1.4825, -2.5366, 0.9218, 1.3076, 0])
    link = robot.link("hand")
    pose = state.transform(link)
    flat = {"link": "hand", "position": pose.p, "rotation": pose.R.ravel()}
    solutions = [mortise.solve_ik(robot, goal, seed=1) for goal in (
        flat, {**flat, "rotation": pose.R}, {**flat, "rotation": pose.R.tolist()}, {"link": link, "pose": pose},
        [{"link": link.index, "pose": pose.matrix()}])]
    for solution in solutions:
        assert solution and np.array_equal(solution.q, solutions[0].q)
    state.set(solutions[0].q)
    assert np.allclose(state.transform(link).matrix(), pose.matrix(), atol=1e-8)
    with pytest.raises(ValueError, match="'pose' and 'position' say the same"):
        mortise.solve_ik(robot, {"link": "hand", "pose": pose, "position": [0, 0, 0]})
    with pytest.raises(ValueError, match=r"goals\[0\].rotation: expected a 3 x 3 matrix"):
        mortise.solve_ik(robot, [{**flat, "rotation": np.eye(4)}])
    plan = mortise.plan(robot, {"ik": {"link": link, "pose": pose}}, seed=1)
    state.set(plan.path[-1])
    assert np.allclose(state.transform(link).matrix(), pose.matrix(), atol=1e-6)


def test_answers_say_whose_they_are(data):
    robot = mortise.load_robot(data / "robots" / "reacher.rob")
    goal = {"link": "tool", "position": [0.4, 0.1, 0.3], "rpy": [0, 0.5, 0]}
    assert mortise.solve_ik(robot, goal).method == "analytic"
    assert mortise.solve_ik(robot, goal, method="numeric").method == "numeric"
    nearest = mortise.solve_ik(robot, {**goal, "position": [5, 0, 0]}, method="analytic")
    assert not nearest and nearest.method == "numeric"


def test_control_c_ends_a_search_without_end(data):
    import _thread
    import threading
    robot = mortise.load_robot(data / "robots" / "heron.urdf")
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        mortise.solve_ik(robot, {"link": "hand", "position": [50, 0, 0]}, restarts=10 ** 6)
    timer.join()


def test_trajectories_are_finite():
    with pytest.raises(ValueError, match="configurations: expected finite numbers, found others in row 1"):
        mortise.Trajectory([0, 1], [[0, 0], [0, np.nan]])
    with pytest.raises(ValueError, match=r"configurations: expected rows of shape \(n, m\)"):
        mortise.Trajectory([0, 1], [0, 1])
