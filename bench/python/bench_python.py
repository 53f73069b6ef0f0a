"""The cost of calls from Python, beside PyKDL (python3-pykdl) in the same run: medians of several rounds, and ratios.

    PYTHONPATH=build/release/python python3 bench/python/bench_python.py data/robots/bench_arm.urdf
"""

import statistics
import sys
import time
import timeit

import mortise
import numpy as np


def nanoseconds(statement, names, rounds=7):
    """Median time of one execution."""
    timer = timeit.Timer(statement, globals=names)
    count, _ = timer.autorange()
    count = max(1, count // 4)
    return statistics.median(timer.repeat(rounds, count)) / count * 1e9


def peer(robot):
    """The same chain for PyKDL, and a function of it for each thing that is compared."""
    try:
        import PyKDL as kdl
    except ImportError:
        return None
    chain = kdl.Chain()
    for link in robot.links:
        X = link.X_PL0
        frame = kdl.Frame(kdl.Rotation(*X.R.ravel()), kdl.Vector(*X.p))
        axis = kdl.Vector(*link.axis)
        # KDL's segments have the joint before the frame; the frame before the joint goes to a segment of its own.
        chain.addSegment(kdl.Segment(kdl.Joint(kdl.Joint.Fixed), frame))
        kind = kdl.Joint.TransAxis if link.prismatic else kdl.Joint.RotAxis
        chain.addSegment(kdl.Segment(kdl.Joint(link.name, kdl.Vector.Zero(), axis, kind), kdl.Frame()))
    n = chain.getNrOfJoints()
    return {"kdl": kdl, "chain": chain, "q_kdl": kdl.JntArray(n), "frame": kdl.Frame(), "J_kdl": kdl.Jacobian(n),
            "fk": kdl.ChainFkSolverPos_recursive(chain), "jac": kdl.ChainJntToJacSolver(chain)}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    robot = mortise.load_robot(sys.argv[1])
    n = len(robot)
    state, dynamics = mortise.RobotState(robot), mortise.RobotDynamics(robot)
    q = np.linspace(-0.5, 0.5, n)
    names = {"robot": robot, "state": state, "dynamics": dynamics, "q": q, "q_list": list(q), "tip": n - 1,
             "J": np.zeros((6, n), order="F"), "point": np.zeros(3), "X": mortise.RigidTransform()}
    other = peer(robot)
    rows = [("method without arguments", "X.inverse()", "frame.Inverse()", 350),
            ("property", "robot.num_links", "chain.getNrOfJoints()", 350),
            ("array attribute", "state.q", None, 60),
            ("set(ndarray), with frames", "state.set(q)", "fk.JntToCart(q_kdl, frame)", 600),
            ("set(list), with frames", "state.set(q_list)", None, 1200),
            ("frames and a Jacobian into out", "dynamics.set_position(q); dynamics.jacobian(tip, point, J)",
             "fk.JntToCart(q_kdl, frame); jac.JntToJac(q_kdl, J_kdl)", 1000)]
    print(f"{robot!r}\n{'':34}{'ns':>9}{'asked':>9}{'PyKDL':>9}{'ratio':>9}")
    for title, ours, theirs, asked in rows:
        own = nanoseconds(ours, names)
        line = f"{title:34}{own:9.0f}{asked:9}"
        if other is not None and theirs:
            them = nanoseconds(theirs, other)
            line += f"{them:9.0f}{own / them:9.2f}"
        print(line)
    many = np.random.default_rng(0).uniform(-1, 1, (100000, n))
    out = np.empty((100000, n, 12))
    seconds = {}
    for threads in (1, 2):
        times = []
        for _ in range(5):
            begin = time.perf_counter()
            mortise.forward_kinematics(robot, many, out=out, threads=threads)
            times.append(time.perf_counter() - begin)
        seconds[threads] = statistics.median(times)
    print(f"100,000 forward kinematics: {seconds[1] * 1e4:.0f} ns each, two threads {seconds[1] / seconds[2]:.2f} times as fast")


if __name__ == "__main__":
    main()
