"""Pinocchio and Coal as judges of dynamics and distances. MORTISE_PINOCCHIO_PYTHON names an interpreter that has both
(pip install pin coal); MORTISE_JUDGE_COUNT, how many robots and ten times as many pairs of shapes (60)."""

import json
import os
import pathlib
import random
import subprocess
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import pinocchio_questions  # noqa: E402

COUNT = int(os.environ.get("MORTISE_JUDGE_COUNT", "60"))
GRAVITY = [0.3, -0.2, -9.81]


def ask(questions):
    python = os.environ.get("MORTISE_PINOCCHIO_PYTHON") or os.environ.get("MORTISE_KLAMPT_PYTHON")
    if not python:
        pytest.skip("MORTISE_PINOCCHIO_PYTHON does not name an interpreter that has the packages pin and coal")
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "LD_PRELOAD")}
    if subprocess.run([python, "-c", "import pinocchio, coal"], env=clean, capture_output=True).returncode:
        pytest.skip(f"{python} does not have the packages pin and coal")
    done = subprocess.run([python, str(pathlib.Path(__file__).parent / "pinocchio_answers.py")], input=json.dumps(questions),
                          capture_output=True, text=True, env=clean)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def robots(tmp_path_factory):
    """(question, answer, joints by link) of random robots at random states."""
    folder, rng, questions, joints = tmp_path_factory.mktemp("robots"), random.Random(7), [], []
    for i in range(COUNT):
        text, moving, links = pinocchio_questions.random_urdf(rng)
        (folder / f"r{i}.urdf").write_text(text)

        def state(bound, moving=moving):
            return {joint: rng.uniform(-bound, bound) for joint in moving.values()}
        questions.append({"ask": "dynamics", "file": str(folder / f"r{i}.urdf"), "gravity": GRAVITY, "q": state(2), "dq": state(2),
                          "ddq": state(3), "tau": state(20), "links": links})
        joints.append(moving)
    return list(zip(questions, ask(questions), joints))


def close(ours, theirs, tolerance=1e-9):
    ours, theirs = np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float)
    assert ours.shape == theirs.shape
    assert np.abs(ours - theirs).max(initial=0) <= tolerance * max(1.0, np.abs(theirs).max(initial=0)), (ours, theirs)


def columns(names, moving, answer):
    """Indices of the links whose joints the answer lists, in its order."""
    link = {joint: name for name, joint in moving.items()}
    return [names.index(link[joint]) for joint in answer["joints"]]


def whole(values, names, moving):
    x = np.zeros(len(names))
    for link, joint in moving.items():
        x[names.index(link)] = values[joint]
    return x


def posed(question, answer, moving):
    """A robot of the package klampt in the state that is asked about: its world, itself, names of links, `columns`."""
    import klampt
    world = klampt.WorldModel()
    world.loadRobot(question["file"])
    robot = world.robot(0)
    names = [link.getName() for link in robot.links]
    robot.setConfig(list(whole(question["q"], names, moving)))
    robot.setVelocity(list(whole(question["dq"], names, moving)))
    return world, robot, names, columns(names, moving, answer)


def test_kinematics_of_klampt(robots):
    for question, answer, moving in robots:
        _world, robot, names, at = posed(question, answer, moving)
        ddq = list(whole(question["ddq"], names, moving))
        for name, expected in answer["frames"].items():
            link = robot.link(name)
            R, p = link.getTransform()
            close(np.reshape(R, (3, 3)).T, expected["R"])
            close(p, expected["p"])
            close(np.asarray(link.getJacobian([0, 0, 0]))[:, at], expected["J"])
            close(link.getVelocity(), expected["v"])
            close(link.getAngularVelocity(), expected["w"])
            close(link.getAcceleration(ddq), expected["a"])
            close(link.getAngularAcceleration(ddq), expected["alpha"])


def test_dynamics_of_klampt(robots):
    for question, answer, moving in robots:
        _world, robot, names, at = posed(question, answer, moving)
        close(np.asarray(robot.getMassMatrix())[np.ix_(at, at)], answer["M"])
        close(np.asarray(robot.getCoriolisForces())[at], answer["coriolis"])
        close((np.asarray(robot.getCoriolisForceMatrix()) @ robot.getVelocity())[at], answer["coriolis"])
        close(np.asarray(robot.getGravityForces(GRAVITY))[at], answer["gravity"])
        tau = np.asarray(robot.torquesFromAccel(list(whole(question["ddq"], names, moving))))
        close((tau + robot.getGravityForces(GRAVITY))[at], answer["inverse"])
        close(robot.getCom(), answer["com"])
        close(robot.getComVelocity(), answer["vcom"])
        close(robot.getLinearMomentum(), answer["linear"])
        close(robot.getAngularMomentum(), answer["angular"])
        close(robot.getKineticEnergy(), answer["kinetic"])


def test_dynamics_of_mortise(robots):
    import mortise
    for question, answer, moving in robots:
        robot = mortise.load_robot(question["file"])
        names = [link.name for link in robot.links]
        at = columns(names, moving, answer)
        q, dq, ddq, tau = (whole(question[key], names, moving) for key in ("q", "dq", "ddq", "tau"))
        inverse = mortise.inverse_dynamics(robot, q[None], dq[None], ddq[None], gravity=GRAVITY)
        close(inverse[0][at], answer["inverse"])
        if len(at) == len(names) - 1:  # Welded links have equations of their own here, which Pinocchio leaves out.
            M = np.asarray(answer["M"])
            forward = np.zeros(len(names))
            forward[at] = answer["forward"]
            close(mortise.inverse_dynamics(robot, q[None], dq[None], forward[None], gravity=GRAVITY)[0][at],
                  tau[at], 1e-8 * np.linalg.cond(M))


def shape_of(question):
    from mortise import CollisionShape, Geometry
    kind = question["kind"]
    if kind == "sphere":
        return CollisionShape(Geometry.sphere(question["radius"]))
    if kind == "box":
        return CollisionShape(Geometry.box(question["size"]))
    if kind in ("capsule", "cylinder"):
        half = question["length"] / 2
        if kind == "capsule":
            return CollisionShape(Geometry.capsule([0, 0, -half], [0, 0, half], question["radius"]))
        return CollisionShape(Geometry.cylinder(question["radius"], question["length"], base=[0, 0, -half]))
    return CollisionShape(Geometry.mesh(question["vertices"], question["triangles"]))


def test_distances():
    import mortise
    rng, questions = random.Random(11), []
    for _ in range(10 * COUNT):
        kinds = [rng.choice(pinocchio_questions.SHAPES) for _ in range(2)]
        questions.append({"ask": "distance", "shapes": [pinocchio_questions.random_shape(rng, kind) for kind in kinds],
                          "places": [pinocchio_questions.random_place(rng) for _ in range(2)]})
    wrong, compared = [], 0
    for i, (question, answer) in enumerate(zip(questions, ask(questions))):
        a, b = (shape_of(shape) for shape in question["shapes"])
        X, Y = (mortise.RigidTransform(np.array(R), np.array(p)) for R, p in question["places"])
        kinds = [shape["kind"] for shape in question["shapes"]]
        collides, d = a.collides(b, X, Y), a.distance(b, X, Y).distance
        if abs(answer["distance"]) > 1e-6:
            compared += 1
            # A mesh is a surface to Coal and holds what is within it here, so that shapes may lie inside.
            if collides != answer["collides"] and not (collides and "mesh" in kinds):
                wrong.append((i, kinds, "collides", collides, answer))
        if answer["distance"] > 1e-6 and not (collides and "mesh" in kinds):
            # Coal's iterations for cylinders and capsules end at about this.
            if abs(d - answer["distance"]) > 2e-6:
                wrong.append((i, kinds, "distance", d, answer))
    assert compared > 8 * COUNT
    assert wrong == []
