"""The names of the package by topic: mortise.model, mortise.io and the others."""

import inspect
import pathlib
import pydoc
import re
import types

import mortise
import pytest

MODULES = {name: thing for name, thing in vars(mortise).items()
           if isinstance(thing, types.ModuleType) and thing.__name__ == f"mortise.{name}" and not name.startswith("_")}


def test_each_name_stands_in_one_module_and_in_the_package():
    assert {"model", "collision", "planning", "sim", "io"} <= set(MODULES)
    places = [(name, topic) for topic, module in MODULES.items() for name in module.__all__]
    assert len(places) == len({name for name, _ in places})
    assert {name for name, _ in places} | {"Error"} == set(mortise.__all__)
    for name, topic in places:
        assert getattr(MODULES[topic], name) is getattr(mortise, name)


@pytest.mark.parametrize("topic", sorted(MODULES))
def test_help_says_what_is_there(topic):
    module = MODULES[topic]
    summary = inspect.getdoc(module).split("\n")[0]
    assert summary.endswith(".") and len(summary) < 100
    text = pydoc.render_doc(module, renderer=pydoc.plaintext)
    assert summary in text
    for name in module.__all__:
        assert name in text


def test_the_page_says_which_name_is_where(data):
    page = (pathlib.Path(data).parent / "docs" / "python.md").read_text()
    rows = dict(re.findall(r"^\| `mortise\.(\w+)` \| (.*) \|$", page, re.MULTILINE))
    assert set(rows) == set(MODULES)
    for topic, row in rows.items():
        assert re.findall(r"`(\w+)`", row) == sorted(MODULES[topic].__all__, key=lambda name: (not name[0].isupper(), name))
