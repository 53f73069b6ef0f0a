"""Components written in Python in programs: the plugin mortise_python_host."""

import json
import os
import pathlib
import shutil
import signal
import subprocess

import mortise
import parts
import pytest

HERE = pathlib.Path(__file__).parent
FILE = HERE / "parts.py"


@pytest.fixture(scope="module")
def run(program):
    host = program.parents[1] / "lib" / "mortise" / "plugins" / "mortise_python_host.so"
    if not host.exists():
        pytest.skip("the plugin mortise_python_host is not built")

    def call(*arguments, code=0, **options):
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        environment.update(options.pop("env", {}))
        done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=200, env=environment, **options)
        assert done.returncode == code, done.stdout + done.stderr
        return done

    return call


@pytest.fixture()
def swing(tmp_path, data):
    """A world with a controller of a file beside it."""
    shutil.copy(FILE, tmp_path / "parts.py")

    def write(controller, sensors=""):
        path = tmp_path / "swing.xml"
        path.write_text(f'<world><robot name="arm" file="{data}/robots/reacher.rob"/>'
                        f'<simulation><robot index="0">{controller}{sensors}</robot></simulation></world>')
        return path

    return write


def test_world_names_a_file(run, swing):
    world = swing('<controller type="parts.py:test.Damper" rate="500" damping="2"/>')
    found = json.loads(run("sim", world, "--duration", "0.5", "--json").stdout)
    simulation = mortise.Simulation(mortise.load_world(world))
    simulation.advance(0.5)
    assert found["state_hash"] == simulation.state_hash()
    other = json.loads(run("sim", swing(""), "--controller", f"{{type: {FILE}:Damper, damping: 2, rate: 500 Hz}}", "--duration",
                           "0.5", "--json").stdout)
    assert other["state_hash"] == found["state_hash"]


def test_same_bits_as_in_cpp(run, swing, program):
    """The same arithmetic in C++, the damper of sdk/examples: the same state hash, settings and all."""
    library = program.parents[1] / "lib" / "mortise" / "test_plugins" / "test_acme_controllers.so"
    if not library.exists():
        pytest.skip("the example of the SDK is not built")
    still = json.loads(run("sim", swing(""), "--duration", "10", "--json").stdout)
    for rest in ("", 'rest="0.3 0.2 0 0.1 0 0"'):
        found = []
        for controller in ("acme.SpringDamper", "parts.py:Damper"):
            world = swing(f'<controller type="{controller}" name="damper" rate="500" stiffness="3" damping="0.7" {rest}/>')
            found.append(json.loads(run("sim", world, "--plugin", library, "--duration", "10", "--json").stdout))
        assert found[0]["robots"] == found[1]["robots"] and found[0]["state_hash"] == found[1]["state_hash"]
        assert found[0]["robots"] != still["robots"]


def test_described_and_listed_without_python(run, tmp_path):
    shutil.copy(FILE, tmp_path / "parts.py")
    (tmp_path / "helper.py").write_text("raise SystemExit(3)\n")
    run("plugins", "describe", tmp_path / "parts.py", "--write")
    side_car = (tmp_path / "parts.mortise.yaml").read_text()
    assert "test.Damper" in side_car and "N*m*s/rad" in side_car and "MIT" in side_car
    environment = {"MORTISE_PLUGIN_PATH": str(tmp_path), "PYTHONHOME": "/nowhere"}  # Python could not even start.
    listed = json.loads(run("plugins", "list", "--json", env=environment).stdout)
    own = {entry["name"]: entry for entry in listed if entry["library"] == str(tmp_path / "parts.py")}
    assert {"test.Damper", "test.Height", "test.Filtered", "test.Double", "test.Lines"} <= set(own)
    assert own["test.Damper"]["version"] == "1.2.3" and own["test.Damper"]["kind"] == "controller"
    told = run("plugins", "info", "TestDamper", env=environment).stdout
    assert "Torque for each radian away from rest." in told and "time_limit" in told
    wrong = run("plugins", "info", "test.Dampr", code=1, env=environment).stderr
    assert "test.Damper" in wrong


def test_stale_side_car(run, tmp_path, data):
    shutil.copy(FILE, tmp_path / "parts.py")
    run("plugins", "describe", tmp_path / "parts.py", "--write")
    with open(tmp_path / "parts.py", "a") as file:
        file.write("\n# changed\n")
    environment = {"MORTISE_PLUGIN_PATH": str(tmp_path)}
    assert "stale" in run("plugins", "list", "--json", env=environment).stderr
    run("sim", data / "robots" / "reacher.rob", "--controller", "test.Damper", "--duration", "0.01", env=environment)


def test_doctor(run, tmp_path):
    shutil.copy(FILE, tmp_path / "parts.py")
    run("plugins", "describe", tmp_path / "parts.py", "--write")
    assert "parts.py" in run("plugins", "doctor", tmp_path / "parts.py").stdout
    (tmp_path / "broken.py").write_text("import mortise\n\nthis is no Python\n")
    told = run("plugins", "doctor", tmp_path / "broken.py", code=1).stdout
    assert "broken.py" in told and "SyntaxError" in told


@pytest.mark.parametrize("text, message", [
    ("import mortise\n\nthis is no Python\n", "broken.py:3: "),
    ("import mortise\nx = 1 / 0\n", "broken.py:2: "),
    ("import nowhere_to_be_found\n", "broken.py:1: "),
    ("x = 1\n", "no component is declared"),
    ("import mortise\n@mortise.controller('bad name')\nclass A:\n    def update(self, i, c): pass\n", "bad name"),
    ("import mortise\n@mortise.controller('a.A')\nclass A:\n    x = mortise.setting(3, min=5)\n    def update(self, i, c): pass\n",
     "'x'"),
    ("import sys\nsys.exit(0)\n", "SystemExit"),
])
def test_files_that_cannot_be_used(run, tmp_path, text, message):
    (tmp_path / "broken.py").write_text(text)
    told = run("plugins", "describe", tmp_path / "broken.py", code=1).stderr
    assert message in told and "broken.py" in told


def test_faults_have_file_and_line(run, swing, tmp_path):
    world = swing('<controller type="parts.py:test.Bad"/>')
    line = next(n for n, text in enumerate(FILE.read_text().split("\n"), 1) if "three is too many" in text)
    done = run("sim", world, "--duration", "1", "--log", tmp_path / "run.csv", code=1)
    assert f"parts.py:{line}: ValueError: three is too many (in update)" in done.stderr and "test.Bad" in done.stderr
    assert len((tmp_path / "run.csv").read_text().strip().split("\n")) >= 20


@pytest.mark.parametrize("how", ["sleep", "spin"])
def test_time_limit(run, swing, how):
    world = swing(f'<controller type="parts.py:test.Bad" how="{how}" time_limit="0.3"/>')
    told = run("sim", world, "--duration", "1", code=1).stderr
    assert "did not return within its time limit of 0.3 s" in told and "parts.py:" in told


def test_killed_process_leaves_a_whole_log(run, swing, tmp_path):
    world = swing('<controller type="parts.py:test.Bad" how="kill"/>')
    run("sim", world, "--duration", "1", "--log", tmp_path / "run.csv", "--mcap", tmp_path / "run.mcap", code=143)
    rows = (tmp_path / "run.csv").read_text().split("\n")
    assert len(rows) >= 20 and rows[-1] == "" and all(row.count(",") == rows[0].count(",") for row in rows[:-1])
    run("log", "info", tmp_path / "run.mcap")


def test_process_that_vanishes_leaves_all_but_its_last_second(run, swing, tmp_path):
    world = swing('<controller type="parts.py:test.Bad" how="vanish"/>')
    run("sim", world, "--duration", "5", "--log", tmp_path / "run.csv", "--mcap", tmp_path / "run.mcap", code=-signal.SIGKILL)
    rows = (tmp_path / "run.csv").read_text().split("\n")
    assert rows[-1] == "" and all(row.count(",") == rows[0].count(",") for row in rows[:-1])
    assert 1.5 < float(rows[-2].split(",")[0]) <= 2.6
    told = json.loads(run("log", "info", tmp_path / "run.mcap", "--json").stdout)
    assert 1.5 < told["end"] <= 2.6 and told["damage"]


def test_saved_states_continue(run, swing, tmp_path):
    world = swing('<controller type="parts.py:test.Counting" rate="200"/>')
    whole = json.loads(run("sim", world, "--duration", "0.4", "--json").stdout)
    run("sim", world, "--duration", "0.2", "--save-state", tmp_path / "half.state")
    rest = json.loads(run("sim", world, "--state", tmp_path / "half.state", "--duration", "0.2", "--json").stdout)
    assert rest["state_hash"] == whole["state_hash"]


def test_prints_do_not_disturb_results(run, swing, tmp_path):
    (tmp_path / "loud.py").write_text("import mortise\nprint('loaded')\n@mortise.controller('test.Loud')\nclass Loud:\n"
                                      "    def update(self, input, commands):\n        print('update')\n")
    done = run("sim", swing('<controller type="loud.py"/>'), "--duration", "0.05", "--json")
    assert json.loads(done.stdout)["steps"] == 50 and "loaded" in done.stderr and done.stderr.count("update") == 5


def test_pipeline(run, tmp_path, data):
    (tmp_path / "p.yaml").write_text(
        f"mortise: 1\nworld: {data}/robots/reacher.rob\nplugins: [{FILE}]\n"
        "components:\n  - {controller: test.Damper, rate: 200 Hz, damping: 2, estimator: test.Filtered}\n"
        "  - {sensor: test.Height, name: up}\n"
        "stages:\n  - test.Double: {number: 4}\n  - simulate: {duration: 0.1, follow: way, save: s}\n"
        "  - report: {to: [report.txt]}\n")
    (tmp_path / "q.yaml").write_text((tmp_path / "p.yaml").read_text().replace("follow: way, ", ""))
    done = json.loads(run("run", tmp_path / "q.yaml", "--output", tmp_path / "out", "--json").stdout)
    assert "doubled" in json.dumps(done)
    assert (tmp_path / "out" / "doubled.txt").read_text() == "8.0"
    (tmp_path / "bad.yaml").write_text((tmp_path / "q.yaml").read_text().replace("number: 4", "number: 13"))
    told = run("run", tmp_path / "bad.yaml", "--output", tmp_path / "bad", code=1).stderr
    assert "13 brings bad luck" in told
    (tmp_path / "wrong.yaml").write_text((tmp_path / "q.yaml").read_text().replace("damping", "dampnig"))
    told = run("run", tmp_path / "wrong.yaml", "--output", tmp_path / "wrong", code=1).stderr
    assert "dampnig" in told and "damping" in told and "wrong.yaml:5" in told


def test_pipelines_name_files(run, tmp_path, data):
    shutil.copy(FILE, tmp_path / "parts.py")

    def write(name, prefix, plugins):
        path = tmp_path / name
        path.write_text(
            f"mortise: 1\nworld: {data}/robots/reacher.rob\n{plugins}components:\n"
            f"  - {{controller: '{prefix}test.Damper', rate: 200 Hz, damping: 2, estimator: '{prefix}test.Filtered'}}\n"
            f"  - {{sensor: '{prefix}Height', name: up}}\n".replace("'Height", "'test.Height") +
            f"stages:\n  - '{prefix}test.Double': {{number: 4}}\n  - simulate: {{duration: 0.1, save: s}}\n")
        return path

    def end(path, out):
        done = json.loads(run("run", path, "--output", tmp_path / out, "--json").stdout)
        return done["results"]["s"]["state_hash"]

    by_name = end(write("names.yaml", "", "plugins: parts.py\n"), "names")
    by_file = end(write("files.yaml", "parts.py:", ""), "files")
    assert by_name == by_file
    locked = (tmp_path / "files" / "run.lock.yaml").read_text()
    assert "parts.py" in locked and "test.Damper" in locked
    run("run", tmp_path / "files" / "run.lock.yaml", "--output", tmp_path / "again")
    checked = run("config", "check", tmp_path / "files.yaml", code=1).stderr
    assert "cannot be checked" in checked  # A check runs nothing that a file names.
    assert "'parts.py' was not opened, because a check runs no Python" in checked and "offers no" not in checked
    assert "files.yaml:" in checked and f"--plugin {tmp_path / 'parts.py'}" in checked
    run("config", "check", tmp_path / "files.yaml", "--plugin", tmp_path / "parts.py")
    path = write("wrong.yaml", "parts.py:", "")
    path.write_text(path.read_text().replace("test.Damper", "test.Dampr"))
    told = run("run", path, "--output", tmp_path / "wrong", code=1).stderr
    assert "offers no controller 'test.Dampr'" in told and "wrong.yaml:4" in told and "test.Damper" in told
    path.write_text(path.read_text().replace("parts.py:test.Dampr", "nothing.py"))
    told = run("run", path, "--output", tmp_path / "wrong", code=1).stderr
    assert "nothing.py" in told and "wrong.yaml:4" in told


def test_checks_say_that_they_open_no_file(run, tmp_path):
    shutil.copy(FILE, tmp_path / "parts.py")
    for name, expected in (("parts.py", "'parts.py' was not opened, because a check runs no Python"),
                           ("nothing.py", "there is no file 'nothing.py'")):
        robot = tmp_path / "own.rob"
        robot.write_text('links "a"\nparents -1\nTParent 1 0 0 0 1 0 0 0 1 0 0 0\nmass 1\nqMin -1\nqMax 1\n'
                         f'property controller <controller type="{name}"/>\n')
        told = run("robot", "check", robot).stdout
        assert expected in told and "own.rob" in told and "no plugin has" not in told, told
        world = tmp_path / "own.xml"
        world.write_text(f'<world><robot name="r" file="own.rob"/><simulation><robot index="0">'
                         f'<controller type="{name}"/></robot></simulation></world>')
        assert expected in run("world", "check", world).stdout


def test_pipelines_plan_in_spaces(run, tmp_path, data):
    shutil.copy(FILE, tmp_path / "parts.py")

    def write(stage):
        path = tmp_path / "p.yaml"
        path.write_text(f"mortise: 1\nworld: {data}/robots/reacher.rob\nplugins: [parts.py]\nstages:\n  - {stage}\n"
                        "  - report: {to: [report.txt]}\n")
        return path

    ends = "start: [0.5, 0.5], goal: [3.5, 0.5]"
    done = [json.loads(run("run", write(f"test.Corridor: {{{ends}, radius: 20 cm, iterations: 5000, planner: RRTConnect, seed: 3}}"),
                           "--output", tmp_path / f"out{i}", "--json").stdout)["results"]["path"] for i in range(2)]
    assert done[0]["solved"] and done[0]["path"][0] == [0.5, 0.5] and done[0]["path"][-1] == [3.5, 0.5]
    assert max(q[1] for q in done[0]["path"]) > 1.2 and done[0]["path_hash"] == done[1]["path_hash"]
    here = parts.Corridor(radius=0.2).space().plan([0.5, 0.5], [3.5, 0.5], planner="RRTConnect", iterations=5000, seed=3)
    assert here.path_hash == done[0]["path_hash"]
    for stage, words in ((f"test.Corridor: {{{ends}, radius: 5, iterations: 200}}", ("test.Corridor", "start")),
                         ("test.Corridor: {start: [0.5], goal: [3.5, 0.5]}", ("start: expected 2 numbers, found 1",)),
                         ("test.Corridor: {start: [0.5, 0.5]}", ("goal", "p.yaml:5")),
                         (f"test.Corridor: {{{ends}, planner: RTT}}", ("RTT",)),
                         (f"test.Corridor: {{{ends}, radius: 7}}", ("parts.py:", "a disc of seven"))):
        told = run("run", write(stage), "--output", tmp_path / "bad", "--force", code=1).stderr
        assert all(word in told for word in words), told
    path = write("test.Gentle: {goal: [0.3, 0.2], iterations: 2000, save: way}")
    path.write_text(path.read_text().replace("  - report", "  - simulate: {follow: way, duration: 0.2, save: s}\n  - report"))
    done = json.loads(run("run", path, "--output", tmp_path / "out", "--json").stdout)
    assert done["status"] == "done" and done["results"]["s"]["worst_status"] != "error"


def test_formats(run, tmp_path):
    (tmp_path / "way.lines").write_text("0 1 2\n1 3 4\n")
    told = json.loads(run("path", "info", tmp_path / "way.lines", "--plugin", FILE, "--json").stdout)
    assert "2" in json.dumps(told)
    run("convert", tmp_path / "way.lines", tmp_path / "way.path", "--plugin", FILE)
    assert mortise.load(tmp_path / "way.path") == mortise.Trajectory([0, 1], [[1, 2], [3, 4]])
    run("convert", tmp_path / "way.path", tmp_path / "back.lines", "--plugin", FILE)
    assert (tmp_path / "back.lines").read_text().split() == ["0", "1", "2", "1", "3", "4"]


KLAMPT = """
import math
class Sway:
    def __init__(self, robot, size):
        self.start, self.q, self.size = None, robot.getConfig(), size
    def output(self, **inputs):
        q = self.q[:]
        q[1] += self.size * math.sin(inputs["t"])
        return {"qcmd": q, "dqcmd": [0] * len(q)}
    def advance(self, **inputs):
        self.start = self.start or inputs["t"]
    def signal(self, type, **inputs):
        self.size = 0

def make(robot, size=0.1):
    return Sway(robot, size)
"""


def test_klampts_make(run, swing, tmp_path):
    (tmp_path / "sway.py").write_text(KLAMPT)
    world = swing('<controller type="sway.py" rate="100" size="0.2"/>')
    moved = json.loads(run("sim", world, "--duration", "1.5", "--json").stdout)
    still = json.loads(run("sim", swing('<controller type="sway.py" size="0"/>'), "--duration", "1.5", "--json").stdout)
    start = mortise.load_world(world).robot(0).q[1]
    assert moved["robots"][0]["q"][1] - start == pytest.approx(0.2, abs=0.03)
    assert still["robots"][0]["q"][1] - start == pytest.approx(0, abs=0.03)
    swing('<controller type="sway.py" rate="100" size="0.2"/>')
    run("sim", world, "--duration", "0.7", "--save-state", tmp_path / "s.state")
    rest = json.loads(run("sim", world, "--state", tmp_path / "s.state", "--duration", "0.8", "--json").stdout)
    assert rest["state_hash"] == moved["state_hash"]


def test_klampts_blocks(run, swing, tmp_path):
    (tmp_path / "block.py").write_text(
        "from klampt.control.blocks.robotcontroller import RobotControllerBlock, RobotControllerIO\n"
        "class Hold(RobotControllerBlock):\n"
        "    def __init__(self, robot):\n        RobotControllerBlock.__init__(self, robot)\n        self.q = robot.getConfig()\n"
        "    def advance(self, **inputs):\n        api = RobotControllerIO(inputs)\n        return api.makePositionCommand(self.q)\n"
        "def make(robot):\n    return Hold(robot)\n")
    done = json.loads(run("sim", swing('<controller type="block.py"/>'), "--duration", "0.2", "--json").stdout)
    assert done["worst_status"] != "error"


@pytest.mark.parametrize("text, error", [
    # A block gets the inputs that it names.
    ("from klampt.control.blocks.utils import LambdaBlock\n"
     "def make(robot):\n"
     "    q = robot.getConfig()\n"
     "    return LambdaBlock(lambda now: q[:1] + [q[1] + 0.2 * now] + q[2:], ['t'], ['qcmd'])\n", ""),
    ("from klampt.control.blocks.utils import LambdaBlock\n"
     "def make(robot):\n    return LambdaBlock(lambda x: x, ['nothing'], ['qcmd'])\n", "has an input 'nothing'; inputs are"),
    ("from klampt.control.blocks.state_machine import TimedSequenceBlock\n"
     "from klampt.control.blocks.utils import LambdaBlock\n"
     "def make(robot):\n    return TimedSequenceBlock([LambdaBlock(lambda: 0)], [1])\n", "gives state, but none of qcmd"),
    # As manual 0.7 has them.
    ("from klampt.control.controller import BaseController, TimedControllerSequence\n"
     "class To(BaseController):\n"
     "    def __init__(self, q):\n        self.q, self.calls = q, 0\n"
     "    def output(self, **inputs):\n        return {'qcmd': self.q}\n"
     "    def advance(self, **inputs):\n        self.calls += 1\n"
     "def make(robot):\n"
     "    q = robot.getConfig()\n    p = q[:1] + [q[1] + 0.1] + q[2:]\n"
     "    return TimedControllerSequence([To(q), To(p)], [0.1, 10])\n", ""),
])
def test_klampts_ways(run, swing, tmp_path, text, error):
    (tmp_path / "made.py").write_text(text)
    world = swing('<controller type="made.py" rate="100"/>')
    if error:
        assert error in run("sim", world, "--duration", "0.5", code=1).stderr
        return
    done = json.loads(run("sim", world, "--duration", "0.5", "--json").stdout)
    start = mortise.load_world(world).robot(0).q[1]
    assert done["robots"][0]["q"][1] - start == pytest.approx(0.1, abs=0.03)
    run("sim", world, "--duration", "0.25", "--save-state", tmp_path / "s.state")
    rest = json.loads(run("sim", world, "--state", tmp_path / "s.state", "--duration", "0.25", "--json").stdout)
    assert rest["state_hash"] == done["state_hash"]


def test_one_file_in_two_folders(run, tmp_path, swing):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "same.py").write_text(
            f"import mortise\n@mortise.controller('test.{name.upper()}')\nclass C:\n    def update(self, input, commands):\n"
            f"        self.host.log('this is {name}')\n")
    for name in ("a", "b"):
        told = run("sim", swing(f'<controller type="{name}/same.py"/>'), "--duration", "0.01").stderr
        assert f"this is {name}" in told


def test_interpreter_is_not_started_for_others(run, data):
    done = run("sim", data / "worlds" / "blocks.xml", "--duration", "0.01", "--plugin", FILE, code=0,
               env={"PYTHONHOME": "/nowhere"}) if (FILE.with_suffix(".mortise.yaml")).exists() else run(
        "sim", data / "worlds" / "blocks.xml", "--duration", "0.01", env={"PYTHONHOME": "/nowhere"})
    assert done.returncode == 0


def test_damaged_python_is_an_error(run, swing):
    world = swing('<controller type="parts.py:test.Damper"/>')
    told = run("sim", world, "--duration", "0.01", code=1, env={"PYTHONHOME": "/nowhere"}).stderr
    assert "Python" in told


def test_modules_of_others(run, swing, tmp_path):
    """What a component imports finds Python's library: numpy, and extensions of other packages."""
    (tmp_path / "uses.py").write_text("import json, ctypes, decimal, numpy.linalg, neighbor, mortise\n"
                                      "@mortise.controller('test.Uses')\nclass Uses:\n"
                                      "    def update(self, input, commands):\n"
                                      "        assert numpy.linalg.norm([3, 4]) == 5 and neighbor.ANSWER == 42\n")
    (tmp_path / "neighbor.py").write_text("ANSWER = 42\n")
    run("sim", swing('<controller type="uses.py"/>'), "--duration", "0.05")


def recorded(run, tmp_path, data, settings, code=0):
    """The lines that test.Heights wrote in a pipeline, what the run printed, and its hash."""
    (tmp_path / "p.yaml").write_text(
        f"mortise: 1\nworld: {data}/robots/reacher.rob\nplugins: [{FILE}]\n"
        f"components:\n  - {{recorder: test.Heights, record: [robots], rate: 100 Hz, link: 2{settings}}}\n"
        "stages:\n  - simulate: {duration: 0.1, save: s}\n")
    done = run("run", tmp_path / "p.yaml", "--output", tmp_path / "out", "--json", code=code)
    written = sorted((tmp_path / "out").glob("*heights.txt"))
    return (written[0].read_text().splitlines() if written else []), done


def test_recorders(run, tmp_path, data):
    lines, done = recorded(run, tmp_path, data, "")
    assert lines[0] == "reacher robots" and len(lines) == 13
    assert [float(line.split()[0]) for line in lines[1:12]] == pytest.approx([0.01 * i for i in range(11)])
    assert lines[12] == "end " + json.loads(done.stdout)["results"]["s"]["state_hash"]
    robot = mortise.load_robot(data / "robots" / "reacher.rob")
    assert float(lines[1].split()[1]) == pytest.approx(mortise.RobotState(robot).positions[2][2])
    shutil.rmtree(tmp_path / "out")
    saved, _ = recorded(run, tmp_path, data, ", snapshot_period: 50 ms")
    assert [line.split()[0] for line in saved].count("saved") == 2 and "bytes True" in "\n".join(saved)


def test_recorders_that_fail_are_faults(run, tmp_path, data):
    lines, done = recorded(run, tmp_path, data, ", fail_at: 50 ms", code=1)
    assert "the pen is dry" in done.stderr + done.stdout and "parts.py" in done.stderr + done.stdout
    assert 5 <= len(lines) <= 7  # Whole up to the tick before.
    shutil.rmtree(tmp_path / "out")
    _, done = recorded(run, tmp_path, data, ", file: ../heights.txt", code=1)
    assert "heights.txt" in done.stderr and not (tmp_path / "heights.txt").exists()
