"""The display without a screen, and what else needs no robot."""

import importlib
import json
import subprocess
import sys

import pytest

from conftest import ROOT  # noqa: F401


@pytest.fixture
def vis():
    from klampt import vis
    from klampt.vis import _settings
    _settings.reset(frames=5)
    vis.kill()
    yield vis
    vis.kill()
    _settings.reset()


def test_import_is_light():
    code = ("import sys; sys.path[:0] = %r; import conftest, klampt; from klampt import vis;"
            "bad = [m for m in ('OpenGL', 'matplotlib', 'PyQt5', 'scipy') if m in sys.modules];"
            "assert not bad, bad" % ([str(ROOT / "python"), str(ROOT / "tests/python/klampt")],))
    subprocess.run([sys.executable, "-c", code], check=True)


def test_window_stays_open_for_its_frames(vis):
    assert not vis.shown()
    vis.show()
    count = 0
    while vis.shown():
        count += 1
    assert count == 5
    vis.show()
    assert vis.shown()
    vis.show(False)
    assert not vis.shown()


def test_loop_setup_callback_cleanup(vis):
    calls = []
    vis.loop(lambda: calls.append("setup"), lambda: calls.append(vis.animationTime()),
             lambda: calls.append("cleanup"))
    assert calls[0] == "setup" and calls[-1] == "cleanup" and len(calls) == 7
    assert calls[2] - calls[1] == pytest.approx(1 / 30)


def test_actions_fire_once(vis, capsys):
    fired = []
    vis.addAction(lambda: fired.append("a"), "first", "a")
    vis.addAction(lambda: 1 / 0, "second")
    vis.addAction(lambda: fired.append("c"), "third")
    vis.dialog()
    assert fired == ["a", "c"]
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_plugins_keys_and_programs(vis):
    from klampt.vis import _settings
    from klampt.vis.glprogram import GLPluginInterface, GLRealtimeProgram
    _settings.reset({"keys": ["space", "p"]}, 4)

    class Program(GLRealtimeProgram):
        def __init__(self):
            GLRealtimeProgram.__init__(self, "test")
            self.keys, self.idles = [], 0

        def keyboardfunc(self, c, x, y):
            self.keys.append(c)

        def idle(self):
            self.idles += 1

        def display(self):
            raise AssertionError("drawn without a context")
    program = Program()
    program.run()
    assert program.keys == [" ", "p"] and program.idles == 4
    assert program.ttotal == pytest.approx(4 * program.dt)

    class Plugin(GLPluginInterface):
        closed = False

        def closefunc(self):
            self.closed = True
    plugin = Plugin()
    vis.run(plugin)
    assert plugin.closed


def test_items(vis):
    from klampt.math import se3
    from klampt.model.trajectory import Trajectory
    vis.add("point", [1, 2, 3], color=(1, 0, 0, 1))
    vis.add("T", se3.identity())
    assert vis.getItemConfig("point") == [1, 2, 3]
    vis.setItemConfig("point", [4, 5, 6])
    assert vis.getItemConfig("point") == [4, 5, 6]
    assert vis.getItemConfig("T") == [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]
    vis.setItemConfig("T", [1, 0, 0, 0, 1, 0, 0, 0, 1, 7, 8, 9])
    assert vis.getItemConfig("T")[9:] == [7, 8, 9]
    vis.setColor("point", 0, 1, 0)
    assert vis.getAttribute("point", "color") == [0, 1, 0, 1.0]
    vis.animate("point", Trajectory([0, 1], [[0, 0, 0], [3, 0, 0]]))
    vis.show()
    vis.shown()
    assert vis.scene().getItem("point").drawConfig == pytest.approx([0.1, 0, 0])
    with pytest.raises(ValueError, match="point"):
        vis.getItemConfig("nothing")
    vis.remove("point")
    vis.clear()
    assert not vis.scene().items


def test_edits_are_answered(vis):
    from klampt.io import resource
    from klampt.vis import _settings
    _settings.reset({"edits": [[1.0, 2.0], None]}, 3)
    assert resource.edit("a", [0.0, 0.0], "Vector2") == (True, [1.0, 2.0])
    assert resource.edit("b", [0.0, 0.0], "Vector2") == (False, [0.0, 0.0])
    assert resource.edit("c", [0.0, 0.0], "Vector2") == (True, [0.0, 0.0])
    assert resource.edit("d", [0.0, 0.0], "Vector2")[0] is False


def test_input_of_the_script(tmp_path):
    script = tmp_path / "s.json"
    script.write_text(json.dumps({"input": ["first"]}))
    code = ("import sys; sys.path[:0] = %r; import conftest; import klampt.vis;"
            "assert input('? ') == 'first'; assert input() == '1'" % (
                [str(ROOT / "python"), str(ROOT / "tests/python/klampt")],))
    import os
    subprocess.run([sys.executable, "-c", code], check=True, stdin=subprocess.DEVNULL,
                   env={**os.environ, "MORTISE_VIS": "headless", "MORTISE_VIS_SCRIPT": str(script)})


def test_old_names_and_cut_names():
    import klampt
    assert klampt.vectorops is importlib.import_module("klampt.math.vectorops")
    assert importlib.import_module("klampt.ik") is importlib.import_module("klampt.model.ik")
    from klampt import robotcollide
    from klampt.model import collide
    assert robotcollide is collide
    with pytest.raises(ImportError, match="sympy"):
        importlib.import_module("klampt.math.symbolic")
    with pytest.warns(DeprecationWarning):
        from klampt.model import config
        assert config.getConfig([1.0, 2.0]) == [1.0, 2.0]


def test_resources_and_text(tmp_path):
    from klampt.io import loader, resource
    from klampt.math import so3
    resource.set("a/b.config", [1.0, 2.5], directory=str(tmp_path))
    assert resource.get("a/b.config", directory=str(tmp_path)) == [1.0, 2.5]
    T = (so3.rotation((0, 0, 1), 0.5), [1.0, 2.0, 3.0])
    back = loader.read_se3(loader.write_se3(T))
    assert back[0] == pytest.approx(T[0]) and back[1] == T[1]
    assert loader.read("Configs", loader.write([[1.0], [2.0, 3.0]], "Configs")) == [[1.0], [2.0, 3.0]]
    with pytest.raises(ValueError, match="announced"):
        loader.read_Vector("3 1 2")
    with pytest.raises(RuntimeError, match="does not exist"):
        resource.get("none.config", directory=str(tmp_path), doedit=False)
    with pytest.warns(UserWarning, match="none.stance, and nobody edited one"):
        resource.get("none.stance", directory=str(tmp_path))


def test_coordinates():
    from klampt.math import so3
    from klampt.model import coordinates
    m = coordinates.Manager()
    m.addFrame("a", worldCoordinates=(so3.rotation((0, 0, 1), 1.5707963267948966), [1, 0, 0]))
    m.addFrame("b", parent="a", relativeCoordinates=(so3.identity(), [1, 0, 0]))
    p = m.point([1, 0, 0], "b")
    assert p.worldCoordinates() == pytest.approx([1, 2, 0])
    assert p.to(m.frame("a")).localCoordinates() == pytest.approx([2, 0, 0])
    m.setFrameCoordinates("a", (so3.identity(), [0, 0, 5]), "world")
    assert p.worldCoordinates() == pytest.approx([2, 0, 5])
    d = m.addPoint("q", [0, 0, 0], "root") - p
    assert d.worldCoordinates() == pytest.approx([-2, 0, -5])
    with pytest.raises(ValueError, match="b"):
        m.frame("c")


def test_line_motions():
    from klampt.control._motions import Line, Pieces
    m = Line([0.0, 0.0], [1.0, -2.0], [1.0, 1.0], [2.0, 2.0])
    # The second joint is the slower one: 0.5 s to speed up, 1.5 s at 1, 0.5 s to stop.
    assert m.duration == pytest.approx(2.5)
    q, v = m.at(1.25)
    assert q == pytest.approx([0.5, -1.0]) and v == pytest.approx([0.5, -1.0])
    assert m.at(0.5)[0][1] == pytest.approx(-0.25)
    assert m.at(9.0) == ([1.0, -2.0], [0.0, 0.0])
    c = Pieces([0.0, 2.0], [[0.0], [1.0]], [[0.0], [0.0]])
    assert c.at(1.0)[0] == pytest.approx([0.5]) and c.at(1.0)[1] == pytest.approx([0.75])


def test_multipath(tmp_path):
    from klampt.model.multipath import MultiPath
    from klampt.model.trajectory import Trajectory
    m = MultiPath()
    m.setTrajectory(Trajectory([0.0, 1.0, 3.0], [[0.0], [1.0], [2.0]]))
    assert m.checkValid() and m.duration() == 3.0 and m.eval(2.0) == pytest.approx([1.5])
    m.save(str(tmp_path / "a.xml"))
    n = MultiPath()
    n.load(str(tmp_path / "a.xml"))
    assert n.getTrajectory().milestones == [[0.0], [1.0], [2.0]]
    assert n.getTrajectory().times == [0.0, 1.0, 3.0]


def test_text_is_an_item(vis):
    vis.addText("label", "one", (20, -30))
    vis.setColor("label", 1, 0, 0)
    vis.addText("label", "two")
    assert vis.scene().getItem("label").item == "two"
    assert vis.getAttribute("label", "color") == [1, 0, 0, 1.0] and vis.getAttribute("label", "position") == (20, -30)
    vis.addPlot("plot")
    vis.remove("plot")
    vis.clearText()
    with pytest.raises(ValueError, match="label"):
        vis.setColor("label", 1, 0, 0)


def test_windows_that_stay_open_for_ever(vis):
    vis.spin(float("inf"))
    assert not vis.shown()
    view = vis.getViewport()
    view.resize(800, 600)
    view.setFOV(1.2)
    assert view.getFOV() == pytest.approx(1.2) and view.fx == view.fy
    view.setFOV(1.2, 0.8)
    assert view.getVFOV() == pytest.approx(0.8)


def test_transforms_are_set_in_any_form(vis):
    from klampt.math import se3, so3
    T = (so3.rotation([0, 0, 1], 0.5), [1.0, 2.0, 3.0])
    for start in (se3.identity(), list(se3.identity())):
        vis.add("T", start)
        vis.setItemConfig("T", T)
        assert vis.getItemConfig("T") == pytest.approx(list(T[0]) + T[1])
