"""Every argument that a function took by name in version 0.1 still works, or its error names what took its place."""

import functools
import importlib
import inspect
import os
import pathlib
import re
import warnings

import pytest

LIST = pathlib.Path(__file__).with_name("keywords_0_1.txt")
SOURCE = pathlib.Path(os.environ.get("MORTISE_SOURCE_DIR", pathlib.Path(__file__).parents[3]))
# What an error says of a keyword that a function does not have.
REFUSED = re.compile(r"has no argument|unexpected keyword|no arguments? by name|takes no keyword|unknown key")


def functions():
    rows = [line.split() for line in LIST.read_text().splitlines() if not line.startswith("#")]
    assert len(rows) > 1500
    return {name: keywords for name, *keywords in rows}


def find(name):
    """The object of a dotted name; None where its module needs a library that is not installed."""
    parts = name.split(".")
    for count in range(len(parts) - 1, 0, -1):
        module = ".".join(parts[:count])
        try:
            found = importlib.import_module(module)
            break
        except ModuleNotFoundError as missing:
            if not f"{module}.".startswith(f"{missing.name}."):
                return None
        except ImportError:
            return None
    for part in parts[count:]:
        found = found if part == "__init__" else getattr(found, part)
    return found


def in_python(function):
    maker = function.__init__ if isinstance(function, type) else function
    return inspect.isfunction(getattr(maker, "__func__", maker))


def is_taken(call, keyword, value):
    """Whether what is called with the keyword says nothing of having none of this name."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            call(**{keyword: value})
    except Exception as error:  # Of any kind, for the value or for what is missing.
        return REFUSED.search(str(error)) is None
    return True


def takes(function, keyword):
    if in_python(function):
        parameters = inspect.signature(function).parameters.values()
        return any(each.name == keyword or each.kind is each.VAR_KEYWORD for each in parameters)
    return is_taken(function, keyword, object())


def operations():
    """What takes settings by name, with all that it needs beside them, without which it does not come to their names."""
    import mortise
    robot = mortise.load_robot(SOURCE / "data" / "robots" / "reacher.rob")
    world = mortise.load_world(SOURCE / "data" / "worlds" / "blocks.xml")
    q = robot.initial_configuration()
    goals = [{"link": robot.num_links - 1, "position": [0.3, 0, 0.3]}]
    contacts = [[0, 0, 0, 0, 0, 1, 0.5]]
    solver = mortise.IKSolver(robot, goals)
    return {
        "mortise.retime": functools.partial(mortise.retime, robot, [q, q + 0.1]),
        "mortise.solve_ik": functools.partial(mortise.solve_ik, robot, goals),
        "mortise.IKSolver.solve": solver.solve, "mortise.IKSolver.solve_all": solver.solve_all,
        "mortise.IKSolver.solve_local": solver.solve_local,
        "mortise.balance": functools.partial(mortise.balance, robot, q, contacts),
        "mortise.contact_torques": functools.partial(mortise.contact_torques, robot, q, contacts),
        "mortise.Simulation.__init__": functools.partial(mortise.Simulation, world),
        "mortise.plan": functools.partial(mortise.plan, robot, q, iterations=1),
    }


def test_every_keyword_works():
    found, gone, complete = 0, [], operations()
    for name, keywords in functions().items():
        try:
            function = find(name)
        except AttributeError as error:
            gone.append(f"{name}: {error}")
            continue
        if function is None:
            continue
        found += len(keywords)
        for keyword in keywords:
            # A list is no value of most settings, and where it is one, the work is short.
            if not (takes(function, keyword) and (name not in complete or is_taken(complete[name], keyword, []))):
                gone.append(f"{name}({keyword}=...)")
    assert not gone, "\n".join(gone)
    assert found > 1000


def test_a_keyword_that_never_was_is_refused():
    """Proves that the test above can fail."""
    import mortise
    assert not takes(mortise.sampled, "deviation") and takes(mortise.sampled, "tolerance")
    assert not takes(importlib.import_module("klampt.math.so3").mul, "R3")
    for name, call in operations().items():
        assert not is_taken(call, "tempo", []), name


@pytest.mark.parametrize("keyword, today", [("tolerance", "goal_tolerance"), ("grid_points", "grid")])
def test_former_keywords_say_their_new_names_once(keyword, today):
    with pytest.warns(DeprecationWarning, match=f"'{keyword}' is called '{today}' now") as noted:
        operations()["mortise.retime"](**{keyword: 40})
    assert len([each for each in noted if issubclass(each.category, DeprecationWarning)]) == 1
