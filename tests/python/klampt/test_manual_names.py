"""What Klamp't's manuals name and later versions dropped does what the manuals say: spaces of stances, earlier names of methods and
modules, stances and grasps as resources."""

import os
import random
import subprocess
import sys

import numpy as np
import pytest

from conftest import needs_robotsim

pytestmark = needs_robotsim


@pytest.fixture()
def humanoid(data):
    """A humanoid that stands on a floor, with pairs of links left out whose boxes overlap."""
    from klampt import WorldModel
    world = WorldModel()
    assert world.readFile(str(data / "worlds" / "humanoid_beam.xml"))
    robot = world.robot(0)
    for side in ("left", "right"):
        robot.enableSelfCollision(robot.link(f"{side}_hip_yaw").index, robot.link(f"{side}_thigh").index, False)
    return world


def feet(data):
    from klampt.io import loader
    return loader.load("auto", str(data / "planning" / "humanoid" / "feet.stance"))


def test_spaces_of_contacts_and_stances(humanoid, data):
    from klampt.model import contact
    from klampt.plan.robotcspace import ClosedLoopRobotCSpace, ContactCSpace, StanceCSpace
    robot, stance = humanoid.robot(0), feet(data)
    start = robot.getConfig()
    local = {}
    for link, hold in stance.items():
        T = robot.link(link)
        local[link] = [T.getLocalPosition(c.x) for c in hold.contacts]
    standing, touching = StanceCSpace(robot, stance, world=humanoid), ContactCSpace(robot, stance.holds(), world=humanoid)
    assert isinstance(standing, ContactCSpace) and isinstance(touching, ClosedLoopRobotCSpace)
    assert standing.feasible(start) and touching.feasible(start)
    random.seed(3)
    kept = fallen = 0
    for _ in range(200):
        q = standing.sampleneighborhood(start, 0.4)
        if not touching.feasible(q):
            assert not standing.feasible(q)
            continue
        robot.setConfig(q)
        for link, points in local.items():
            for p, c in zip(points, stance[link].contacts):
                assert robot.link(link).getWorldPosition(p) == pytest.approx(c.x, abs=5e-3)
        balanced = contact.com_equilibrium(stance, com=robot.getCom()) is not None
        assert standing.feasible(q) == balanced
        kept, fallen = kept + balanced, fallen + (not balanced)
    assert kept > 5 and fallen > 5
    standing.equilibriumMargin = 1.0
    assert not standing.feasible(start)


def test_stances_agree_with_the_layer(humanoid, data):
    from klampt.plan.robotcspace import StanceCSpace
    from test_more_tools import of_layer
    robot, holds = humanoid.robot(0), feet(data).holds()
    start = robot.getConfig()
    ours, theirs = (cls(robot, holds, world=humanoid) for cls in (StanceCSpace, of_layer("plan/contactcspace.py").StanceCSpace))
    random.seed(5)
    said = []
    for margin in (0.0, 0.03):
        ours.equilibriumMargin = theirs.equilibriumMargin = margin
        for _ in range(100):
            q = ours.sampleneighborhood(start, 0.4)
            assert ours.testSupportPolygon(q) == theirs.testSupportPolygon(q) and ours.feasible(q) == theirs.feasible(q)
            said.append(ours.feasible(q))
    assert 10 < sum(said) < 190


def test_contacts_of_a_space_are_goals_holds_or_points(humanoid, data):
    from klampt.model import ik
    from klampt.model.contact import ContactPoint
    from klampt.plan.robotcspace import ContactCSpace
    robot = humanoid.robot(0)
    foot = feet(data)[11]
    start = robot.getConfig()
    point = ContactPoint(foot.contacts[0].x, [0, 0, 1], 0.5)
    point.object1, point.object2 = robot.link(11), humanoid.terrain(0)
    for contacts, holds in ((ik.fixed_objective(robot.link(11)), 0), ([ik.fixed_objective(robot.link(11))], 0), (foot, 1), ([point], 1)):
        space = ContactCSpace(robot, contacts)
        assert len(space.holds) == holds and space.closedLoop(start)
        lifted = list(start)
        lifted[2] += 0.1
        assert not space.closedLoop(lifted)
        assert space.closedLoop(space.solveConstraints(lifted))
        robot.setConfig(start)
    with pytest.raises(TypeError, match="got int"):
        ContactCSpace(robot, [3])


class Square:
    """The unit square with a wall that has a gap."""

    @staticmethod
    def space():
        from klampt.plan.cspace import CSpace

        class Walled(CSpace):
            def __init__(self):
                CSpace.__init__(self)
                self.bound, self.eps = [(0, 1), (0, 1)], 1e-2

            def feasible(self, x):
                return self.inBounds(x) and not (0.45 < x[0] < 0.55 and x[1] < 0.7)
        return Walled()


def test_paths_between_endpoints():
    from klampt.plan.cspace import MotionPlan
    plan = MotionPlan(Square.space(), "rrt", perturbationRadius=0.2)
    plan.setEndpoints([0.1, 0.1], [0.9, 0.1])
    assert plan.getPathEndpoints() is None and plan.planner.getPathEndpoints() is None
    for _ in range(200):
        plan.planMore(50)
        if plan.getPathEndpoints() is not None:
            break
    path = plan.getPathEndpoints()
    assert path == plan.getPath() == plan.planner.getPathEndpoints() and path[0] == [0.1, 0.1] and path[-1] == [0.9, 0.1]
    assert max(x[1] for x in path) >= 0.7
    plan.close()


def simulator(data):
    from klampt import Simulator, WorldModel
    world = WorldModel()
    assert world.readFile(str(data / "robots" / "reacher.rob"))
    return Simulator(world)


def test_earlier_names_of_commands(data):
    ways = []
    for torque, milestone, of in (("setTorque", "addMilestone", "controller"), ("setTorqueCommand", "appendMilestone", "robotControllers"),
                                  ("setTorqueCommand", "addMilestone", "getController")):
        sim = simulator(data)
        controller = getattr(sim, of)(0)
        getattr(controller, milestone)([0.1, -0.2, 0.1, 0, 0, 0])
        getattr(controller, milestone)([0.2, -0.1, 0.1, 0, 0, 0], [0.1, 0, 0, 0, 0, 0])
        sim.simulate(0.3)
        moved = sim.getActualConfig(0)
        getattr(controller, torque)([0.5, -2.0, 1.0, 0.1, 0, 0])
        sim.simulate(0.1)
        assert controller.getControlType() == "torque" and controller.getCommandedTorque() == [0.5, -2.0, 1.0, 0.1, 0, 0]
        ways.append((moved, sim.getActualConfig(0)))
    assert ways[0] == ways[1] == ways[2] and ways[0][0] != ways[0][1]


def test_modules_of_holds_and_loading(data, tmp_path):
    import klampt.hold
    import klampt.loading
    from klampt import hold, loading
    from klampt.io import loader
    from klampt.model import contact
    from klampt.model import hold as of_model
    assert klampt.hold is hold is of_model and klampt.loading is loading is loader and hold.Hold is contact.Hold
    foot = feet(data)[11]
    hold.save(foot, tmp_path / "foot.hold")
    again = hold.load(tmp_path / "foot.hold")
    assert hold.writeHold(again) == hold.writeHold(foot) == loading.writeHold(foot) == loading.write(foot, "Hold")
    assert loading.readHold(hold.writeHold(foot)).link == 11 and len(again.contacts) == 4
    with pytest.raises(AttributeError, match="readNothing"):
        loading.readNothing  # noqa: B018


def test_stances_and_grasps_are_resources(data, tmp_path):
    """Both are read and written by name and as JSON, and mortise reads the same of the files."""
    import mortise
    from klampt.io import loader, resource
    from klampt import IKObjective
    from klampt.model import types
    from klampt.model.contact import ContactPoint, Grasp, Stance
    stance = feet(data)
    goal = IKObjective()
    goal.setLinks(4)
    goal.setFixedPosConstraint([0, 0, 0.125], [0.25, 0, 0.5])
    goal.setFixedRotConstraint([1, 0, 0, 0, 1, 0, 0, 0, 1])
    grasp = Grasp()
    grasp.objectIndex, grasp.constraints = 2, [goal]
    grasp.fixedDofs, grasp.fixedValues = [5, 6], [0.5, -0.25]
    grasp.addContact(7, ContactPoint([0.5, 0.0, 0.25], [0.0, 0.0, 1.0], 0.75), [0.0, 0.0, 4.5])
    grasp.addContact(8, ContactPoint([0.5, 0.5, 0.25], [0.0, 1.0, 0.0], 0.5))
    resource.set_directory(str(tmp_path))
    for name, value, kind in (("feet.stance", stance, "Stance"), ("hand.grasp", grasp, "Grasp"), ("hand.xml", grasp, "Grasp")):
        assert resource.set(name, value) and types.object_to_type(value) == kind and kind in resource.known_types()
        again = resource.get(name, doedit=False)
        assert type(again) is type(value) and loader.write(again, kind) == loader.write(value, kind)
        assert loader.write(loader.from_json(loader.to_json(value)), kind) == loader.write(value, kind)
        assert isinstance(types.make(kind), type(value))
    theirs = mortise.load(tmp_path / "feet.stance")
    assert [hold["link"] for hold in theirs] == list(stance)
    assert theirs[1]["contacts"][3]["p_WC"].tolist() == stance[17].contacts[3].x
    theirs = mortise.load(tmp_path / "hand.grasp")
    assert (theirs["object"], theirs["fixed"]) == (2, [(5, 0.5), (6, -0.25)])
    assert [c["link"] for c in theirs["contacts"]] == [7, 8] and theirs["contacts"][0]["force_W"].tolist() == [0, 0, 4.5]
    assert theirs["contacts"][1]["force_W"] is None and theirs["goals"][0]["p_DP"].tolist() == [0.25, 0, 0.5]
    held = loader.read("Grasp", loader.write(stance, "Stance"))
    assert held.contactLinks == [11] * 4 + [17] * 4 and len(held.constraints) == 2
    with pytest.raises(ValueError, match="has a hold already"):
        Stance([stance[11], stance[11]])
    for kind, text in (("Stance", "begin stance\nlink = 3\nend"), ("Stance", "begin hold"), ("Stance", "begin stance\nbegin hold\nlink = 3\nend"),
                       ("Grasp", "<Hand/>"), ("Grasp", "<Grasp fixed='1'/>"), ("Grasp", "<Grasp><finger/></Grasp>"),
                       ("Grasp", "<Grasp><contact link='1' x='1 2' n='0 0 1' kFriction='1'/></Grasp>")):
        with pytest.raises(ValueError):
            loader.read(kind, text)


def test_moved_grasps_and_stances(data):
    from klampt.math import se3, so3
    from klampt.model.contact import ContactPoint, Grasp
    stance = feet(data)
    before = stance[11].contacts[0].x
    turn = (so3.rotation([0, 0, 1], 1.0), [1, 2, 3])
    stance.transform(turn)
    assert stance[11].contacts[0].x == pytest.approx(se3.apply(turn, before))
    grasp = Grasp()
    grasp.addContact(1, ContactPoint([1, 0, 0], [0, 0, 1], 0.5), [1, 0, 0])
    grasp.addContact(2, ContactPoint())
    grasp.transform(turn)
    assert grasp.contacts[0].x == pytest.approx(se3.apply(turn, [1, 0, 0])) and grasp.forces[1] is None
    assert grasp.forces[0] == pytest.approx([np.cos(1), np.sin(1), 0])


PROGRAM = """
from control.controller import BaseController
from control import trajectory_controller
import control.OperationalSpaceController


class Still(BaseController):
    def output(self, **inputs):
        return {"torquecmd": [0.0] * 6}


def make(robot):
    import klampt.control.controller
    assert issubclass(Still, klampt.control.controller.ControllerBase)
    return Still()
"""


def python(code, tmp_path, **environment):
    return subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env={**os.environ, **environment}, capture_output=True, text=True)


def test_the_package_control_is_found_where_it_is_asked_for(tmp_path):
    code = "import klampt, control.controller as c, klampt.control.controller as k; assert c is k; print(c.BaseController.__name__)"
    refused = python(code, tmp_path)
    assert refused.returncode != 0 and "No module named 'control'" in refused.stderr
    found = python(code, tmp_path, MORTISE_KLAMPT_SCRIPTS="1")
    assert found.stdout == "ControllerBase\n", found.stderr
    # Another package of the name comes first.
    (tmp_path / "control").mkdir()
    (tmp_path / "control" / "__init__.py").write_text("tf = 7\n")
    code = "import klampt, control; print(control.tf); import control.controller as c; print(c.__name__)"
    found = python(code, tmp_path, MORTISE_KLAMPT_SCRIPTS="1")
    assert found.stdout == "7\nklampt.control.controller\n", found.stderr


def test_programs_that_mortise_runs_have_the_package_control(data, program, tmp_path):
    (tmp_path / "still.py").write_text(PROGRAM)
    done = subprocess.run([program, "sim", data / "robots" / "reacher.rob", "--controller", "still.py", "--duration", "0.02"], cwd=tmp_path,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    # In a program's own process the name is free again afterwards.
    code = "import sys; from mortise import _component_modules as m; m.load('still.py'); import control.controller\n" \
        "print(control.__name__, len([f for f in sys.meta_path if type(f).__name__ in ('EarlierPackages', '_OfferedPackages')]))"
    done = python(code, tmp_path)
    assert done.stdout == "klampt.control 0\n", done.stderr
