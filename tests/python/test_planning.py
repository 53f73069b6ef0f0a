"""Planning in worlds and in spaces out of functions of Python."""

import gc
import json
import random
import re
import signal
import subprocess
import threading
import time
import weakref

import mortise
import numpy as np
import pytest


def around_the_disc(q):
    return (q[0] - 0.5) ** 2 + (q[1] - 0.5) ** 2 > 0.09


def free_everywhere(path, step=1e-3):
    for a, b in zip(path[:-1], path[1:]):
        for u in np.linspace(0, 1, int(np.linalg.norm(b - a) / step) + 2):
            assert around_the_disc(a + u * (b - a))


OMPL = ["RRTConnect", "AITstar"]


@pytest.mark.parametrize("planner", ["any", "RRTConnect", "PRM"])
def test_a_space_of_functions(planner, needs_plugin):
    if planner in OMPL:
        needs_plugin("planners_ompl")
    space = mortise.Space([0, 0], [1, 1], around_the_disc)
    result = space.plan([0.1, 0.5], [0.9, 0.5], planner=planner, iterations=5000, seed=4)
    assert result and result.solved and result.status == "solved" and len(result.path_hash) == 16
    assert np.allclose(result.path[0], [0.1, 0.5]) and np.allclose(result.path[-1], [0.9, 0.5])
    free_everywhere(result.path, 0.01)
    assert result.length == pytest.approx(np.linalg.norm(np.diff(result.path, axis=0), axis=1).sum())
    again = space.plan([0.1, 0.5], [0.9, 0.5], planner=planner, iterations=5000, seed=4)
    assert again.path_hash == result.path_hash and np.array_equal(again.path, result.path)
    assert "solved" in repr(result) and result.report["seed"] == 4


def test_the_roadmap_is_arrays():
    space = mortise.Space([0, 0], [1, 1], around_the_disc)
    roadmap = space.plan([0.1, 0.5], [0.9, 0.5], planner="PRM", iterations=300, optimize=True, seed=1).roadmap
    vertices, edges = roadmap["vertices"], roadmap["edges"]
    assert vertices.ndim == 2 and vertices.shape[1] == 2 and edges.shape[1] == 2 and len(edges) == len(roadmap["costs"])
    assert edges.min() >= 0 and edges.max() < len(vertices) and all(around_the_disc(q) for q in vertices)
    lengths = np.linalg.norm(vertices[edges[:, 0]] - vertices[edges[:, 1]], axis=1)
    assert np.allclose(lengths, roadmap["costs"])
    assert np.allclose(vertices[roadmap["starts"][0]], [0.1, 0.5])


def test_functions_of_every_kind_are_called():
    asked = {"visible": 0, "sampler": 0, "distance": 0}

    def visible(a, b):
        asked["visible"] += 1
        return all(around_the_disc(a + u * (b - a)) for u in np.linspace(0, 1, 50))

    def sampler(numbers):
        asked["sampler"] += 1
        return numbers.uniform(0, 1, 2)

    def distance(a, b):
        asked["distance"] += 1
        return float(np.abs(a - b).sum())

    space = mortise.Space([0, 0], [1, 1], around_the_disc, visible=visible, sampler=sampler, distance=distance)
    result = space.plan([0.1, 0.5], [0.9, 0.5], planner="PRM", iterations=2000)
    assert result and all(asked.values())
    region = space.plan([0.1, 0.5], lambda q: q[0] > 0.95, planner="RRT", iterations=5000)
    assert region and region.path[-1][0] > 0.95
    given = space.plan([0.1, 0.5], lambda q: q[0] > 0.95, goal_sampler=lambda numbers: numbers.uniform([0.96, 0], [1, 1]), iterations=5000)
    assert given and given.path[-1][0] > 0.95


def test_what_has_no_path_says_why():
    space = mortise.Space([0, 0], [1, 1], around_the_disc)
    result = space.plan([0.5, 0.5], [0.9, 0.5])
    assert not result and result.status == "start_infeasible" and "feasible" in result.message and result.path.shape == (0, 2)
    assert result.path_hash == "" and result.cost == np.inf
    assert space.plan([0.1, 0.5], [2, 0.5]).status == "goal_infeasible"
    wall = mortise.Space([0, 0], [1, 1], lambda q: abs(q[0] - 0.5) > 0.2)
    assert wall.plan([0.1, 0.5], [0.9, 0.5], iterations=200).status in ("stopped", "exhausted")


class Own(Exception):
    pass


@pytest.mark.parametrize("where", ["feasible", "visible", "sampler", "distance", "goal", "goal_sampler"])
@pytest.mark.parametrize("planner", ["any", "RRTConnect", "PRM", "AITstar"])
def test_exceptions_arrive_unchanged(where, planner, needs_plugin):
    if planner in OMPL:
        needs_plugin("planners_ompl")
    raised = Own("here")
    calls = [0]

    def failing(good):
        def function(*arguments):
            calls[0] += 1
            if calls[0] > 5:
                raise raised
            return good(*arguments)
        return function

    functions = {"feasible": around_the_disc, "visible": lambda a, b: around_the_disc((a + b) / 2),
                 "sampler": lambda numbers: numbers.uniform(0, 1, 2), "distance": lambda a, b: float(np.linalg.norm(a - b))}
    goal, sampler = [0.9, 0.5], None
    if where in functions:
        functions[where] = failing(functions[where])
    elif where == "goal":
        goal = failing(lambda q: False)
    else:
        goal, sampler = (lambda q: q[0] > 2), failing(lambda numbers: None)
    space = mortise.Space([0, 0], [1, 1], **functions)
    with pytest.raises(Own) as caught:
        space.plan([0.1, 0.5], goal, planner=planner, goal_sampler=sampler, iterations=5000, optimize=True)
    assert caught.value is raised and caught.value.__traceback__ is not None
    assert space.dimension == 2


def test_bad_answers_of_functions_are_errors():
    with pytest.raises(ValueError, match="sampler"):
        mortise.Space([0, 0], [1, 1], around_the_disc, sampler=lambda n: [1, 2, 3]).plan([0.1, 0.5], [0.9, 0.5], planner="PRM")
    with pytest.raises(ValueError, match="distance"):
        mortise.Space([0, 0], [1, 1], around_the_disc, distance=lambda a, b: -1).plan([0.1, 0.5], [0.9, 0.5], planner="PRM")
    with pytest.raises(TypeError, match="feasible"):
        mortise.Space([0, 0], [1, 1], None)
    with pytest.raises(mortise.Error):
        mortise.Space([0, 0], [1, -1], around_the_disc)
    space = mortise.Space([0, 0], [1, 1], around_the_disc)
    with pytest.raises(ValueError, match="start"):
        space.plan([0.1], [0.9, 0.5])
    with pytest.raises(ValueError, match="goal"):
        space.plan([0.1, 0.5], [0.9, 0.5, 1])
    with pytest.raises(TypeError, match="iterations"):
        space.plan([0.1, 0.5], [0.9, 0.5], iterations=1.5)
    with pytest.raises(TypeError, match="time_limit"):
        space.plan([0.1, 0.5], [0.9, 0.5], time_limit="x")
    with pytest.raises(mortise.Error, match="planner"):
        space.plan([0.1, 0.5], [0.9, 0.5], planner="NoSuchPlanner")


def test_kept_arguments_keep_their_numbers():
    kept = []

    def feasible(q):
        kept.append((q, q.copy(), q[:1]))
        return around_the_disc(q)

    mortise.Space([0, 0], [1, 1], feasible).plan([0.1, 0.5], [0.9, 0.5], iterations=100)
    assert len(kept) > 10 and all(np.array_equal(q, copied) and part[0] == copied[0] for q, copied, part in kept)

    def reshaping(q):
        good = around_the_disc(q)
        q.shape = (2, 1)
        return good

    assert mortise.Space([0, 0], [1, 1], reshaping).plan([0.1, 0.5], [0.9, 0.5], iterations=1000)


def test_spaces_that_refer_to_themselves_are_collected():
    class Holder:
        def __init__(self):
            self.space = mortise.Space([0, 0], [1, 1], self.feasible)

        def feasible(self, q):
            return True

    holders = [Holder() for _ in range(200)]
    dead = [weakref.ref(holder) for holder in holders]
    assert holders[0].space.plan([0, 0], [1, 1])
    del holders
    gc.collect()
    assert sum(ref() is not None for ref in dead) == 0


def test_interrupts_end_a_plan():
    space = mortise.Space([0, 0], [1, 1], lambda q: abs(q[0] - 0.5) > 0.2)
    asked = []

    def interrupt():
        asked.append(time.perf_counter())
        signal.raise_signal(signal.SIGINT)

    timer = threading.Timer(0.3, lambda: (asked.append(time.perf_counter()), signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        space.plan([0.1, 0.5], [0.9, 0.5], time_limit=60)
    assert time.perf_counter() - asked[0] < 5


def test_worlds_are_planned_in_as_by_the_command(data, program, tmp_path, needs_plugin):
    needs_plugin("planners_ompl")
    world = mortise.load_world(data / "worlds" / "heron_shelf.xml")
    goal = mortise.load(data / "motions" / "heron_shelf_goal.config")
    result = mortise.plan(world, goal, planner="RRTConnect", seed=3, iterations=20000, roadmap=tmp_path / "map.json")
    assert result and np.allclose(result.path[0], world.robots[0].q) and np.allclose(result.path[-1], goal, atol=1e-9)
    told = json.loads(subprocess.run(
        [program, "plan", data / "worlds" / "heron_shelf.xml", "--goal", data / "motions" / "heron_shelf_goal.config", "--planner",
         "RRTConnect", "--seed", "3", "--iterations", "20000", "--json"], check=True, capture_output=True, text=True).stdout)
    assert result.path_hash == told["path_hash"] and np.array_equal(result.path, told["path"])
    assert len(json.loads((tmp_path / "map.json").read_text())["configurations"]) >= 2
    collider = mortise.WorldCollider(world, fixed_links_against_terrains=False)
    assert not collider.colliding(result.path).any()
    timed = mortise.plan(world, goal, planner="RRTConnect", seed=3, iterations=20000, shortcut={"iterations": 50}, retime="blend", check=True)
    assert timed.motion.duration > 0 and timed.report["check"]["valid"]
    q, _ = timed.motion.evaluate(timed.motion.end_time)
    assert np.allclose(q, goal, atol=1e-6)


def test_errors_of_plans_name_the_key(data):
    world = mortise.load_world(data / "worlds" / "heron_shelf.xml")
    with pytest.raises(mortise.Error, match="goal"):
        mortise.plan(world, [1, 2])
    with pytest.raises(TypeError, match="plan.. has no argument 'margn'; did you mean 'margin'"):
        mortise.plan(world, world.robots[0].q, margn=1)
    with pytest.raises(mortise.Error, match="margin"):
        mortise.plan(world, world.robots[0].q, margin=-1)
    with pytest.raises(mortise.Error, match="planner"):
        mortise.plan(world, world.robots[0].q, planner="RTT")
    with pytest.raises(TypeError, match="world"):
        mortise.plan(3, [1])


def test_keywords_of_plans_are_the_settings_of_the_pipeline_stage(program):
    """Every setting of the stage `plan` stands in the signature, and is taken by name."""
    described = json.loads(subprocess.run([program, "plugins", "info", "mortise.Plan", "--json"], check=True, capture_output=True, text=True).stdout)
    settings = {parameter["name"] for parameter in described[0]["schema"]["parameters"]} - {"goal", "start", "planner", "settings", "save"}
    signature = mortise.plan.__doc__.splitlines()[0]
    assert len(settings) > 15
    missing = [name for name in sorted(settings) if f" {name}: " not in signature]
    assert missing == [], signature
    own = {"start", "goal", "planner", "settings", "goal_sampler", "tolerance"}
    of_spaces = set(re.findall(r"(\w+): ", mortise.Space.plan.__doc__.splitlines()[0])) - own
    assert of_spaces == {"time_limit", "iterations", "optimize", "seed"} and of_spaces <= settings


def test_hostile_arguments_do_not_crash(data):
    rng = random.Random(7)
    values = [None, 0, -1, float("nan"), "x", [], [0.1, 0.5], [0.9, 0.5], [[0.1, 0.5], [0.2, 0.5]], {}, object(), np.zeros((0, 2)), lambda *a: 1,
              lambda *a: None, lambda *a: [0.5, 0.5], lambda q: q[0] > 0.8, np.array([np.nan, 1]), "PRM", 10**30, [None, None]]

    def pick():
        return values[rng.randrange(len(values))]

    allowed = (TypeError, ValueError, IndexError, KeyError, OverflowError, mortise.Error)
    for _ in range(1500):
        try:
            space = mortise.Space(pick() if rng.random() < 0.2 else [0, 0], [1, 1] if rng.random() < 0.8 else pick(),
                                  around_the_disc if rng.random() < 0.6 else pick(), visible=pick() if rng.random() < 0.3 else None,
                                  sampler=pick() if rng.random() < 0.3 else None, distance=pick() if rng.random() < 0.3 else None)
            space.plan(pick(), pick(), planner=pick() if rng.random() < 0.2 else "any", iterations=3, goal_sampler=pick())
        except allowed as error:
            assert str(error)
