"""The code of the pages about Python runs, and says what its comments say."""

import contextlib
import io
import os
import pathlib
import re

import pytest

SNIPPET = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ANNOUNCED = re.compile(r"^print\((?:.*)\)\s+# (.*)$|^\s+print\(error\)\s+# (.*)$", re.MULTILINE)


@pytest.mark.parametrize("name, least", [("docs/python.md", 10), ("docs/python_tutorial.md", 10), ("docs/python_view.md", 4), ("README.md", 1)])
def test_snippets_run(name, least, data, tmp_path, monkeypatch, needs_plugin):
    page = (data.parent / name).read_text()
    snippets = SNIPPET.findall(page)
    if ".view()" in "".join(snippets) and not (pathlib.Path(os.environ["MORTISE_BINARY_DIR"]) / "share/mortise/viewer.html").exists():
        pytest.skip("this build has no viewer")
    if "RRTConnect" in page:
        needs_plugin("planners_ompl")
    assert len(snippets) >= least
    (tmp_path / "data").symlink_to(data)
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "page"}
    for snippet in snippets:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(snippet, name, "exec"), names)  # noqa: S102
        for announced in ANNOUNCED.findall(snippet):
            text = announced[0] or announced[1]
            if text.startswith(("Robot(", "World(", "q: ")):
                assert text in printed.getvalue()


def test_everything_public_is_documented():
    import mortise

    silent = []
    for name in mortise.__all__:
        thing = getattr(mortise, name)
        if not (getattr(thing, "__doc__", None) or "").strip():
            silent.append(name)
    assert silent == []
