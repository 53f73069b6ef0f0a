"""klampt.vis in pages of a browser: what a page is told of items, and what people do in it. The page is a WebSocket client."""

import os
import pathlib
import subprocess
import sys
import textwrap

import pytest
from conftest import ROOT, needs_robotsim

sys.path.insert(0, str(ROOT / "tests" / "python"))
from page_client import PageClient, numbers  # noqa: E402

PAGE = pathlib.Path(os.environ.get("MORTISE_BINARY_DIR", "build/release")) / "share/mortise/viewer.html"
pytestmark = [needs_robotsim, pytest.mark.skipif(not PAGE.exists(), reason="this build has no viewer")]
WORLD = ROOT / "data" / "worlds" / "heron_shelf.xml"
HEAD = f"""
import sys, threading, time
from klampt import WorldModel, vis
from klampt.io import resource
from klampt.math import so3
world = WorldModel()
assert world.readFile({str(WORLD)!r})
"""


class Program:
    """A program with klampt.vis in another process, and a page that looks on."""

    def __init__(self, text, folder, **environment):
        packages = [os.environ.get("MORTISE_PYTHON_DIR"), os.environ.get("PYTHONPATH"), str(ROOT / "python")]
        env = {**os.environ, "MORTISE_VIS": "browser", "DISPLAY": "", "WAYLAND_DISPLAY": "",
               "PYTHONPATH": os.pathsep.join(p for p in packages if p), **environment}
        file = folder / "program.py"
        file.write_text(HEAD + textwrap.dedent(text))
        self.process = subprocess.Popen([sys.executable, str(file)], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, cwd=folder)

    def address(self):
        """The address of the window that opens next."""
        for line in self.process.stderr:
            if "the viewer is at " in line:
                return line.split()[-1]
        raise AssertionError(f"the program ended with {self.process.wait()}")

    def page(self):
        page = PageClient(self.address())
        page.until(lambda p: p.hello and p.control("close window"))
        return page

    def close(self, page):
        page.send(type="control", id="close window")
        return self.end()

    def end(self):
        out, err = self.process.communicate(timeout=120)
        assert self.process.returncode == 0 and "Traceback" not in err, err
        return out


@pytest.fixture
def run(tmp_path):
    programs = []

    def start(text, **environment):
        programs.append(Program(text, tmp_path, **environment))
        return programs[-1]

    yield start
    for program in programs:
        if program.process.poll() is None:
            program.process.kill()
            program.process.communicate()


def test_items_are_drawn_and_widgets_call_back(run):
    program = run("""
        vis.add("world", world)
        vis.add("point", [0.25, 0.5, 1.0], color=(1, 0, 0, 1))
        vis.add("ghost", world.robot(0).getConfig(), color=(0, 1, 0, 0.5))
        vis.addText("hint", "press go", (10, 10))
        vis.setColor(("world", world.terrain(0).getName()), 0, 0, 1)
        vis.addAction(lambda: print("action"), "Act", "a")
        vis.addButton("Go", lambda: vis.setItemConfig("point", [0, 0, 2]))
        vis.addInput("speed", 1.0, lambda value: print("speed", value), min=0, max=2)
        vis.addCheckbox("loop", lambda value: print("loop", value), True)
        vis.addSelect("planner", ["PRM", "RRT"], lambda value: print("planner", value), "RRT")
        vis.loop(callback=lambda: time.sleep(0.01))
        print(vis.getWidgetState("speed"), vis.shown())
    """)
    page = program.page()
    page.until(lambda p: {"point", "ghost"} <= set(p.drawings) and p.bodies and p.control("widget planner"))
    assert page.drawings["point"]["T"][9:] == [0.25, 0.5, 1.0] and numbers(page.drawings["point"]["points"]) == [0, 0, 0]
    assert page.drawings["ghost"]["color"] == "#00ff00" and page.drawings["ghost"]["opacity"] == 0.5
    assert page.bodies == [{"id": 0, "hidden": False, "color": "#0000ff"}]
    assert page.control("text hint")["text"] == "press go" and page.control("widget planner")["text"] == "RRT"
    page.send(type="control", id="action 0")
    page.send(type="control", id="widget Go")
    page.until(lambda p: p.drawings["point"]["T"][11] == 2)
    page.send(type="control", id="widget speed", number=1.5)
    page.send(type="control", id="widget loop", checked=False)
    page.send(type="control", id="widget planner", text="PRM")
    out = program.close(page)
    assert out.splitlines() == ["action", "speed 1.5", "loop False", "planner PRM", "1.5 False"]


def test_calls_of_threads_arrive_though_nobody_asks_whether_the_window_is_open(run):
    program = run("""
        vis.add("world", world)
        vis.show()
        called = threading.Event()
        vis.threadCall(lambda: (print(threading.current_thread().name), called.set()))
        assert called.wait(60)
        while vis.shown():
            time.sleep(0.01)
        vis.threadCall(lambda: print("too late"))
    """)
    assert program.close(program.page()).splitlines() == ["klampt.vis"]


def test_frames_end_a_window_where_they_are_said(run):
    out = run("""
        vis.add("world", world)
        count = []
        vis.loop(callback=lambda: count.append(1))
        print(len(count))
    """, MORTISE_VIS_FRAMES="5").end()
    assert 1 <= int(out) <= 6


def test_items_are_edited(run):
    program = run("""
        vis.add("world", world)
        vis.add("goal", (so3.identity(), [0, 0, 1]))
        vis.edit("goal")
        vis.edit(("world", world.robot(0).getName()))
        before = world.robot(0).getConfig()
        vis.loop(callback=lambda: time.sleep(0.01))
        print(vis.getItemConfig("goal")[9:])
        print([k for k, (a, b) in enumerate(zip(before, world.robot(0).getConfig())) if a != b])
    """)
    page = program.page()
    page.until(lambda p: "goal" in p.drawings and p.drawings["goal"]["drag"] == "pose" and p.control("edit heron 2"))
    page.send(type="dragged", name="goal", T=[1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5, 0.25, 2], done=True)
    slider = page.control("edit heron 2")
    page.send(type="control", id="edit heron 2", number=slider["min"] + 0.125 * (slider["max"] - slider["min"]))
    assert program.close(page).splitlines() == ["[0.5, 0.25, 2.0]", "[2]"]


@pytest.mark.parametrize("accepts", [True, False])
def test_resources_are_edited(run, accepts):
    program = run("""
        q = world.robot(0).getConfig()
        accepted, edited = resource.edit("q", q, "Config", "a pose", world=world)
        print(accepted, [k for k, (a, b) in enumerate(zip(q, edited)) if a != b], world.robot(0).getConfig() == q)
        print(resource.edit("p", [1.0, 2.0, 3.0], "Vector3"))
        accepted, path = resource.edit("qs", [q, q], "Configs", world=world)
        print(accepted, len(path))
    """)
    button = "widget accept" if accepts else "widget cancel"
    page = PageClient(program.address())
    page.until(lambda p: p.control("edit heron 3") and p.control(button))
    assert any(each["text"] == "a pose" for each in page.controls if each["kind"] == "label")
    slider = page.control("edit heron 3")
    page.send(type="control", id="edit heron 3", number=slider["min"] + 0.125 * (slider["max"] - slider["min"]))
    page.send(type="control", id=button)
    page = PageClient(program.address())
    page.until(lambda p: p.drawings.get("p", {}).get("drag") == "point")
    page.send(type="dragged", name="p", T=[1, 0, 0, 0, 1, 0, 0, 0, 1, 4, 5, 6], done=True)
    page.send(type="control", id=button)
    page = PageClient(program.address())
    page.until(lambda p: p.control("widget insert"))
    page.send(type="control", id="widget insert")
    page.until(lambda p: p.control("widget milestone")["number"] == 1)
    page.send(type="control", id=button)
    wanted = ["True [3] True", "(True, [4.0, 5.0, 6.0])", "True 3"] if accepts else ["False [] True", "(False, [1.0, 2.0, 3.0])", "False 2"]
    assert program.end().splitlines() == wanted


def test_clicks_pick_items(run):
    program = run("""
        vis.add("world", world)
        vis.pick(lambda name, item, point: print("picked", name, [round(x, 6) for x in point]))
        vis.loop(callback=lambda: time.sleep(0.01))
    """)
    page = program.page()
    page.send(type="picked", origin=[0, 0, 10], direction=[0, 0, 1])
    page.send(type="picked", origin=[0.05, 0.05, 10], direction=[0, 0, -1])
    page.send(type="picked", origin=[0.05, 0.05, 10], direction=[0, 0, -1])
    lines = program.close(page).splitlines()
    assert len(lines) == 1 and lines[0].startswith("picked ") and "[0.05, 0.05, " in lines[0]


DRAWING = """
    from klampt.vis.glprogram import GLPluginInterface, GLRealtimeProgram
    class Drawing(GLRealtimeProgram):
        def __init__(self):
            GLRealtimeProgram.__init__(self, "drawing")
            self.pixels, self.idles = None, 0
        def idle(self):
            self.idles += 1
        def display(self):
            from OpenGL import GL
            world.drawGL()
            pixels = GL.glReadPixels(0, 0, int(self.view.w), int(self.view.h), GL.GL_RGB, GL.GL_UNSIGNED_BYTE)
            self.pixels = len(set(bytes(pixels)))
    program = Drawing()
    program.run()
    print("over", program.idles > 0, program.pixels)
"""


def test_programs_that_draw_say_what_they_miss_without_a_display(run):
    program = run(DRAWING, MORTISE_VIS_FRAMES="3")
    out, err = program.process.communicate(timeout=120)
    assert program.process.returncode == 0 and out.split()[:2] == ["over", "True"], err
    assert err.count("Drawing draws with OpenGL itself, and no display is there") == 1


def test_programs_that_draw_get_a_window(run, tmp_path):
    pytest.importorskip("OpenGL.GLUT")
    from shutil import which
    if not which("Xvfb"):
        pytest.skip("there is no Xvfb")
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24"], pass_fds=[write],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        os.close(write)
        display = os.read(read, 20).decode().strip()
        out = run(DRAWING, DISPLAY=f":{display}", BROWSER="true", LIBGL_ALWAYS_SOFTWARE="1", MORTISE_VIS_FRAMES="4").end()
        word, idles, colors = out.split()
        assert (word, idles) == ("over", "True") and int(colors) > 1, "the world is drawn"
    finally:
        server.terminate()
        server.wait()


def test_without_a_choice_one_line_says_how_to_see(tmp_path):
    code = "import sys; sys.path[:0] = %r; import conftest; from klampt import vis; vis.show(); vis.show(False); vis.loop(); vis.spin(1)" % (
        [str(ROOT / "python"), str(ROOT / "tests/python/klampt")],)
    env = {key: value for key, value in os.environ.items() if not key.startswith("MORTISE_VIS")}
    for choice, lines in (({}, 1), ({"MORTISE_VIS": "headless"}, 0)):
        done = subprocess.run([sys.executable, "-c", code], env={**env, **choice}, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0 and done.stderr.count("MORTISE_VIS=browser") == lines, done.stderr
    done = subprocess.run([sys.executable, "-c", code], env={**env, "MORTISE_VIS": "qt"}, capture_output=True, text=True, timeout=120)
    assert done.returncode != 0 and "MORTISE_VIS=browser" in done.stderr
