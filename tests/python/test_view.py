"""Views from Python: controls and their callbacks, drawings, worlds that move, what is refused, and how views end."""

import os
import pathlib
import signal
import subprocess
import sys
import threading
import urllib.error

import mortise
import numpy as np
import pytest
from page_client import PageClient, numbers

PAGE = pathlib.Path(os.environ.get("MORTISE_BINARY_DIR", "build/release")) / "share/mortise/viewer.html"
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="this build has no viewer")


@pytest.fixture
def world(data):
    return mortise.load_world(data / "worlds" / "blocks.xml")


@pytest.fixture
def view(world):
    with world.view() as view:
        yield view


@pytest.fixture
def page(view):
    page = PageClient(view.address)
    page.until(lambda p: p.hello and view.pages == 1)
    yield page
    page.close()


def test_controls_call_back_on_the_thread_that_updates(view, page):
    called = []
    view.set_title("Arm")
    view.add_button("Plan", lambda: called.append(("plan", threading.current_thread())))
    gain = view.add_slider("gain", 0, 10, 2.5, lambda value: called.append(("gain", value)), step=0.5)
    view.add_checkbox("loop", True, lambda value: called.append(("loop", value)))
    view.add_select("planner", ["PRM", "RRT"], callback=lambda value: called.append(("planner", value)))
    view.add_text("name", "a", lambda value: called.append(("name", value)), group="File")
    view.add_number("count", 3, lambda value: called.append(("count", value)), min=0)
    said = view.add_label("idle", "status")
    page.until(lambda p: len(p.controls) == 7)
    assert page.title == "Arm" and [c["kind"] for c in page.controls] == [
        "button", "slider", "checkbox", "select", "text", "number", "label"]
    assert page.control("gain")["number"] == 2.5 and page.control("name")["group"] == "File"
    page.send(type="control", id="Plan")
    page.send(type="control", id="gain", number=7.5)
    page.send(type="control", id="loop", checked=False)
    page.send(type="control", id="planner", text="RRT")
    page.send(type="control", id="name", text="b")
    page.send(type="control", id="count", number=4)
    page.until(lambda p: len(called) == 6, lambda: view.update())
    assert called == [("plan", threading.current_thread()), ("gain", 7.5), ("loop", False), ("planner", "RRT"), ("name", "b"), ("count", 4)]
    assert gain.value == 7.5 and view.control("loop").value is False
    said.value = "done"
    gain.enabled = False
    page.until(lambda p: p.control("status")["text"] == "done" and not p.control("gain")["enabled"])
    gain.remove()
    page.until(lambda p: p.control("gain") is None)
    assert view.controls == ["Plan", "loop", "planner", "name", "count", "status"]


def test_labels_that_are_taken_get_numbers_and_ids_replace(view):
    assert view.add_button("Go").id == "Go" and view.add_button("Go").id == "Go 2"
    first = view.add_slider("x", 0, 1, id="same")
    second = view.add_slider("y", 0, 2, 2, id="same")
    assert first.value == second.value == 2 and view.controls == ["Go", "Go 2", "same"]


def test_what_pages_may_not_say_is_refused_by_name(view, page):
    view.add_slider("gain", 0, 1, 0.5)
    view.add_label("text", "label")
    view.add_select("one", ["a", "b"])
    view.draw_points("fixed", [[0, 0, 0]])
    page.until(lambda p: len(p.controls) == 3)
    wrong = [({"id": "none"}, "no control 'none'"), ({"id": "gain", "number": 2}, "not between"), ({"id": "gain"}, "takes 'number'"),
             ({"id": "gain", "text": "1"}, "takes 'number'"), ({"id": "label", "text": "x"}, "a label"), ({"id": "one", "text": "c"}, "no option 'c'")]
    for message, words in wrong:
        page.send(type="control", **message)
        page.until(lambda p, words=words: any(words in text for text in p.problems))
    page.send(type="dragged", name="fixed", T=[1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0])
    page.until(lambda p: any("not to be dragged" in text for text in p.problems))
    page.send(type="play")
    page.until(lambda p: any("read-only" in text for text in p.problems))
    assert view.control("gain").value == 0.5 and view.update()


def test_exceptions_of_callbacks_are_shown_and_nothing_ends(view, page, capsys):
    def fail():
        raise ValueError("no path to there")

    called = []
    view.add_button("fail", fail)
    view.add_button("work", lambda: called.append(1))
    page.until(lambda p: len(p.controls) == 2)
    page.send(type="control", id="fail")
    page.send(type="control", id="work")
    page.until(lambda p: called and p.problems, lambda: view.update())
    assert "the callback of 'fail': ValueError: no path to there" in page.problems[0]
    assert "no path to there" in capsys.readouterr().err and "Traceback" not in page.problems[0]

    def stop():
        raise SystemExit(3)

    view.add_button("stop", stop)
    page.send(type="control", id="stop")
    with pytest.raises(SystemExit):
        page.until(lambda p: False, lambda: view.update(1))


def test_drawings_are_sent_once_and_moved_cheaply(view, page):
    cloud = np.array([[0, 0, 0], [1, 2, 3.5]])
    view.draw_points("cloud", cloud, color=(1, 0, 0), colors=[[1, 0, 0], [0, 1, 0.5]])
    view.draw_lines("way", [[0, 0, 0], [1, 0, 0], [1, 1, 0]], "#00ff00", width=3)
    view.draw_lines("pairs", [[0, 0, 0], [1, 0, 0]], segments=True)
    view.draw_frame("goal", mortise.RigidTransform(np.eye(3), [1, 2, 3]), size=0.2)
    view.draw_mesh("box", mortise.Geometry.box([2, 2, 2], centered=True), color=(0, 0, 1, 0.5))
    view.draw_mesh("triangle", ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    view.draw_text("note", "here", [0, 0, 1])
    page.until(lambda p: len(p.drawings) == 7)
    drawings = page.drawings
    assert numbers(drawings["cloud"]["points"]) == [0, 0, 0, 1, 2, 3.5] and drawings["cloud"]["color"] == "#ff0000"
    assert numbers(drawings["cloud"]["colors"], "B") == [255, 0, 0, 255, 0, 255, 128, 255]
    assert numbers(drawings["way"]["points"]) == [0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0]
    assert drawings["goal"]["T"][9:] == [1, 2, 3] and drawings["goal"]["size"] == 0.2
    assert drawings["box"]["opacity"] == 0.5 and len(numbers(drawings["box"]["triangles"], "I")) == 36
    assert numbers(drawings["triangle"]["triangles"], "I") == [0, 1, 2] and drawings["note"]["text"] == "here"
    before = drawings["box"]
    view.move("box", mortise.RigidTransform(np.eye(3), [0, 0, 5]))
    page.until(lambda p: p.drawings["box"]["T"][11] == 5)
    assert page.drawings["box"] is before, "a pose alone was sent"
    view.erase("way")
    page.until(lambda p: "way" not in p.drawings)
    late = PageClient(view.address)
    late.until(lambda p: set(p.drawings) == {"cloud", "pairs", "goal", "box", "triangle", "note"})
    late.close()
    view.clear_drawings()
    page.until(lambda p: not p.drawings)


def test_drawings_are_dragged_by_pages(view, page):
    poses = []
    view.draw_frame("goal", on_drag=poses.append)
    view.draw_points("via", [[0, 0, 0]], pose=mortise.RigidTransform(np.eye(3), [1, 0, 0]), on_drag=poses.append)
    page.until(lambda p: p.drawings.get("via", {}).get("drag") == "point" and p.drawings["goal"]["drag"] == "pose")
    turned = [0, -1, 0, 1, 0, 0, 0, 0, 1, 0.5, 0, 0.25]
    page.send(type="dragged", name="goal", T=turned)
    page.send(type="dragged", name="goal", T=turned, done=True)
    page.send(type="dragged", name="via", T=turned, done=True)
    page.until(lambda p: len(poses) >= 2 and np.allclose(poses[-1].R, np.eye(3)), lambda: view.update())
    assert np.allclose(poses[0].R, [[0, -1, 0], [1, 0, 0], [0, 0, 1]]) and np.allclose(poses[0].p, [0.5, 0, 0.25])
    assert np.allclose(view.pose_of("via").p, [0.5, 0, 0.25]), "a point is moved, not turned"


@pytest.mark.parametrize("call, words", [
    (lambda v: v.draw_points("", [[0, 0, 0]]), "empty name"),
    (lambda v: v.draw_points("p", [[0, 0, np.nan]]), "points"),
    (lambda v: v.draw_points("p", [[0, 0, 0]], color="red"), "#rrggbb"),
    (lambda v: v.draw_points("p", [[0, 0, 0]], color=(1, 2, 0)), "0 to 1"),
    (lambda v: v.draw_points("p", [[0, 0, 0]], colors=[[0, 0, 0], [1, 1, 1]]), "one for each"),
    (lambda v: v.draw_lines("l", [[0, 0, 0]], segments=True), "two for each"),
    (lambda v: v.draw_mesh("m", ([[0, 0, 0]], [[0, 0, 1]])), "row 0 names no vertex"),
    (lambda v: v.draw_mesh("m", 3), "Geometry or a pair"),
    (lambda v: v.draw_frame("f", size=-1), "size"),
    (lambda v: v.draw_frame("f", on_drag=3), "on_drag"),
    (lambda v: v.move("none", None), "no drawing 'none'"),
    (lambda v: v.add_slider("s", 1, 0), "minimum"),
    (lambda v: v.add_slider("s", 0, 1, 2), "between"),
    (lambda v: v.add_select("s", []), "options"),
    (lambda v: v.add_button("b", 3), "callback"),
    (lambda v: v.control("none"), "no control 'none'"),
    (lambda v: v.look_at([0, 0, 0], [0, 0, 0]), "camera"),
    (lambda v: v.set_configuration("nobody", [0]), "nobody"),
    (lambda v: v.mark(10**6, "#ff0000"), "1000000"),
])
def test_what_cannot_be_shown_is_said(view, call, words):
    with pytest.raises((mortise.Error, TypeError, ValueError, IndexError, KeyError)) as failed:
        call(view)
    assert words in str(failed.value)


def test_worlds_move(view, page, world):
    name = world.objects[0].name
    page.until(lambda p: p.states == 1)
    before = page.states
    view.set_pose(name, mortise.RigidTransform(np.eye(3), [0, 0, 2]))
    assert page.states == before, "nothing is shown before the update"
    page.until(lambda p: p.states > before, lambda: view.update())
    view.mark(name, (1, 0, 0))
    view.look_at([1, 1, 1], [0, 0, 0])
    page.until(lambda p: p.bodies and p.camera)
    assert page.bodies == [{"id": world.id(name), "hidden": False, "color": "#ff0000"}] and page.camera["position"] == [1, 1, 1]
    view.set_world(world.with_new_object("another", world.objects[0].geometry, world.objects[0].inertia))
    page.until(lambda p: p.reloads == 1)
    with pytest.raises(ValueError, match="set_world"):
        view.place(world)


def test_simulations_are_followed(world):
    simulation = mortise.Simulation(world)
    with simulation.view() as view:
        page = PageClient(view.address)
        page.until(lambda p: p.states == 1)
        topics = [channel["topic"] for channel in page.hello["channels"]]
        assert "/mortise/contacts" in topics
        simulation.advance(0.1)
        page.until(lambda p: p.states == 2, lambda: view.update())
        hash_, twin = simulation.state_hash(), mortise.Simulation(world)
        twin.advance(0.1)
        assert hash_ == twin.state_hash(), "who looks on changes nothing"
        simulation.reset()
        simulation.advance(0.05)
        page.until(lambda p: p.states == 3, lambda: view.update())
        page.close()


def test_clicks_are_told(view, page, world):
    clicks = []
    view.on_click(lambda *click: clicks.append(click))
    page.send(type="picked", origin=[0, 0, 1], direction=[0, 0, -2], id=world.id(world.objects[0].name))
    page.send(type="picked", origin=[0, 0, 1], direction=[0, 0, 0])
    page.until(lambda p: clicks and p.problems, lambda: view.update())
    (origin, direction, id), = clicks
    assert list(origin) == [0, 0, 1] and list(direction) == [0, 0, -1] and id == world.id(world.objects[0].name)


def test_callbacks_on_a_named_thread(view, page):
    names = []
    view.add_button("who", lambda: names.append(threading.current_thread().name))
    thread = view.run_in_thread("my view")
    page.send(type="control", id="who")
    page.until(lambda p: names)
    assert names == ["my view"]
    view.close()
    thread.join(30)
    assert not thread.is_alive() and not view.is_open and not view.update()
    with pytest.raises(mortise.Error, match="closed"):
        view.add_button("more")


def test_only_its_own_pages_are_served(view, page):
    assert page.get("logs")[0] == 200
    for headers in ({"Authorization": "Bearer 0"}, {"Host": "evil.example"}, {"Origin": "http://evil.example"}):
        with pytest.raises(urllib.error.HTTPError) as refused:
            page.get("logs", headers)
        assert refused.value.code in (401, 403)
    assert "frame-ancestors 'none'" in page.get("")[1]["Content-Security-Policy"]


def test_notebooks_get_a_page_and_a_picture(view, page, needs_plugin):
    needs_plugin("sensors_embree")
    text = view._repr_html_()
    assert f'src="{view.address}"' in text and "<iframe" in text and "data:image/png;base64," in text
    policy = page.get("")[1]["Content-Security-Policy"]
    assert "frame-ancestors http://127.0.0.1:*" in policy and "'none'" in policy and "evil" not in policy
    view.close()
    still = view._repr_html_()
    assert "<iframe" not in still and "data:image/png;base64," in still
    assert view.png(64, 48).startswith(b"\x89PNG")


def test_show_takes_what_there_is(world, data, tmp_path):
    for thing in (world, world.robots[0].robot if world.robots else mortise.load_robot(data / "robots" / "reacher.rob"),
                  mortise.Simulation(world), str(data / "worlds" / "blocks.xml")):
        with mortise.show(thing, browser=False, wait=False) as view:
            page = PageClient(view.address)
            page.until(lambda p: p.hello)
            page.close()
    log = tmp_path / "run.mcap"
    simulation = mortise.Simulation(world)
    simulation.log(log)
    simulation.advance(0.05)
    del simulation
    with mortise.show(log, browser=False, wait=False) as view:
        page = PageClient(view.address)
        page.until(lambda p: p.hello)
        assert b'"session":"log"' in page.get("logs")[2] and page.get("log/0")[2][:5] == b"\x89MCAP"
        view.add_button("works on logs, too")
        page.until(lambda p: p.controls)
        page.close()
        with pytest.raises(mortise.Error, match="shows files"):
            view.set_pose(0, None)
    with pytest.raises(TypeError, match="thing"):
        mortise.show(3, wait=False)


def test_plans_are_shown_with_their_ways(data):
    world = mortise.load_world(data / "worlds" / "heron_shelf.xml")
    plan = mortise.plan(world, mortise.load(data / "motions" / "heron_shelf_goal.config"), iterations=20000)
    with pytest.raises(TypeError, match="world"):
        mortise.show(plan, browser=False, wait=False)
    with mortise.show(plan, world, browser=False, wait=False) as view:
        page = PageClient(view.address)
        assert b'"name":"path"' in page.get("logs")[2]
        page.close()


def test_a_program_ends_by_ctrl_c(data, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(f"import mortise\nmortise.show({str(data / 'worlds' / 'blocks.xml')!r}, browser=False)\nprint('after')\n")
    process = subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = process.stderr.readline()
    assert "the viewer is at http://127.0.0.1:" in line
    page = PageClient(line.split()[-1])
    page.until(lambda p: p.hello)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0 and out == "after\n" and "Traceback" not in err


def test_views_that_nobody_closes_end_with_python(data):
    done = subprocess.run([sys.executable, "-c", f"import mortise; v = mortise.load_world({str(data / 'worlds' / 'blocks.xml')!r}).view(); "
                           "v.add_button('b', lambda: v)"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stderr == ""
