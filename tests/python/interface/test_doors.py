"""The same work through every door: pipelines, the command line, the package mortise and Klamp't's API give the same bits.

A row of the table is one operation with one choice of settings; its entries are the doors that offer it, functions that do the
work and give back numbers, words or arrays. Whoever adds a door adds an entry, whoever adds an operation a row: door_list.py
has every door, and the last tests compare it with what programs and packages list and with what the rows used.
"""

import json
import re
import subprocess

import door_list
import klampt
import mortise
import numpy as np
import pytest

WORLD = "worlds/blocks.xml"
SHELF = "worlds/heron_shelf.xml"


USED, RAN = set(), set()  # Doors that rows went through, as (kind, name), and rows that ran to their end.


OPERATIONS = {"simulate", "ik", "plan", "shortcut", "retime", "evaluate", "convert", "equilibrium", "support polygon", "torques",
              "grasp"}


class Doors:
    """What the rows need: files of the project, a folder of their own, and the programs."""

    def __init__(self, data, program, folder):
        self.data, self.program, self.folder = data, program, folder

    def file(self, name):
        return str(self.data / name)

    def command(self, *words):
        """What `mortise WORDS --json` prints."""
        USED.add(("command", " ".join(words[:2]) if " ".join(map(str, words[:2])) in door_list.COMMANDS else words[0]))
        done = subprocess.run([self.program, *map(str, words), "--json"], cwd=self.folder, capture_output=True, text=True)
        assert done.returncode == 0 or done.stdout, f"{words}: {done.stderr}"
        return json.loads(done.stdout)

    def pipeline(self, stages, world=WORLD, more=""):
        """The results of `mortise run` of these lines."""
        number = len(list(self.folder.glob("*.yaml")))
        USED.update(("stage", re.match(r"\w+", stage).group()) for stage in stages)
        path = self.folder / f"p{number}.yaml"
        path.write_text(f"mortise: 1\nworld: {self.file(world)}\n{more}stages:\n"
                        + "".join(f"  - {stage}\n" for stage in stages))
        return self.command("run", path, "-o", self.folder / f"p{number}")["results"], self.folder / f"p{number}"


@pytest.fixture
def doors(data, program, tmp_path, monkeypatch):
    """The doors; what a row calls of the packages is written down."""
    def noted(kind, name, door):
        def call(*arguments, **options):
            USED.add((kind, name))
            return door(*arguments, **options)
        return call

    for kind, package, names in (("python", mortise, door_list.FUNCTIONS), ("klampt", klampt, door_list.KLAMPT_CALLS)):
        for name, operation in names.items():
            if operation in OPERATIONS:
                monkeypatch.setattr(package, name, noted(kind, name, getattr(package, name)))
    return Doors(data, program, tmp_path)


# -- Simulating ------------------------------------------------------------------------------------------------------


def simulate(doors, duration, *, stage="", options=(), settings=None, klampt_too=False, more=""):
    results, _ = doors.pipeline([f"simulate: {{duration: {duration}, save: s{stage}}}"], more=more)
    world = mortise.load_world(doors.file(WORLD))
    simulation = mortise.Simulation(world, **(settings or {}))
    simulation.advance(duration)
    answers = {
        "pipeline": results["s"]["state_hash"],
        "command": doors.command("sim", doors.file(WORLD), "--duration", duration, *options)["state_hash"],
        "python": simulation.state_hash(),
        "python, of a pipeline": mortise.run_pipeline(doors.folder / "p0.yaml", output=doors.folder / "again")["results"]["s"]["state_hash"],
    }
    if klampt_too:  # What SimTest finds unstable it scales unless it is told not to.
        answers["SimTest"] = doors.command("SimTest", doors.file(WORLD), "--duration", duration, "--on-unstable", "report")["state_hash"]
    if klampt_too:  # Its states have no hash: the configuration stands for it.
        model = klampt.WorldModel()
        assert model.readFile(doors.file(WORLD))
        simulator = klampt.Simulator(model)
        simulator.simulate(duration)
        assert simulator.getActualConfig(0) == list(simulation.configuration(0))
        simulator.updateWorld()
        for i in range(model.numRigidObjects()):
            pose = simulation.object_pose(model.rigidObject(i).getName())
            assert model.rigidObject(i).getTransform()[1] == list(pose.p), i
    return answers


BALLS = """<world>
  <rigidObject name="a" position="0 0 0"><geometry mesh="{ball}"/>
    <physics mass="1" inertia="0.004 0.004 0.004" kRestitution="1" kFriction="0" kStiffness="inf" kDamping="inf"/></rigidObject>
  <rigidObject name="b" position="0.5 0 0"><geometry mesh="{ball}"/>
    <physics mass="1" inertia="0.004 0.004 0.004" kRestitution="1" kFriction="0" kStiffness="inf" kDamping="inf"/></rigidObject>
  <simulation><globals gravity="0 0 0"/><object name="a"><velocity linear="2 0 0"/></object></simulation>
</world>"""


def hit(doors, word):
    """A ball hits another so that Klamp't's rule takes the step for unstable."""
    path = doors.folder / "balls.xml"
    path.write_text(BALLS.format(ball=doors.file("objects/ball.geom")))
    results, _ = doors.pipeline([f"simulate: {{duration: 0.3, save: s, on_unstable: {word}}}"], world=str(path))
    simulation = mortise.Simulation(mortise.load_world(str(path)), on_unstable=word)
    simulation.advance(0.3)
    command = doors.command("sim", path, "--duration", 0.3, "--on-unstable", word)
    answers = {
        "pipeline": (results["s"]["state_hash"], [body["body"] for body in results["s"].get("unstable", [])]),
        "command": (command["state_hash"], [body["body"] for body in command.get("unstable", [])]),
        "python": (simulation.state_hash(), [body["body"] for body in simulation.unstable]),
    }
    model = klampt.WorldModel()
    assert model.readFile(str(path))
    simulator = klampt.Simulator(model)
    simulator.simulate(0.3)
    velocities = [simulator.body(model.rigidObject(i)).getVelocity()[1] for i in range(2)]
    same = velocities == [list(simulation.object_velocity(name)[0]) for name in ("a", "b")]
    assert same == (word == "scale"), "Klamp't's rule by default, and no other"
    assert simulator.getStatus() == simulator.STATUS_UNSTABLE, "the worst of the call"
    return answers


# -- Inverse kinematics ----------------------------------------------------------------------------------------------

GOAL = {"link": "tool", "position": [0.4, 0.1, 0.3]}


def ik(doors, goal, **options):
    robot = mortise.load_robot(doors.file("robots/reacher.rob"))
    start = robot.initial_configuration().tolist()  # Numbers as NumPy 1 and 2 write them.
    words = [f"--{key}={str(value).lower()}" if not isinstance(value, bool) else f"--{key}" for key, value in options.items()]
    stage = ", ".join(f"{key}: {str(value).lower()}" for key, value in options.items())
    text = json.dumps(goal)
    results, _ = doors.pipeline([f"ik: {{goals: {text}, start: {start}, save: q{', ' + stage if stage else ''}}}"],
                                "robots/reacher.rob")
    command = doors.command("robot", "ik", doors.file("robots/reacher.rob"), "--goal", text, *words)
    solution = mortise.solve_ik(robot, goal, **options)
    solver = mortise.IKSolver(robot, goal).solve(**options)
    return {"python, a solver": (list(solver.q), solver.residual),
            "pipeline": (results["q"]["q"], results["q"]["residual"]), "command": (command["q"], command["residual"]),
            "python": (list(solution.q), solution.residual)}


# -- Planning --------------------------------------------------------------------------------------------------------

REACH = "motions/heron_shelf_goal.config"


def plan(doors, stage="", options=(), settings=None, after=()):
    """`after`: stages behind the plan, each (pipeline, option, argument of Python)."""
    goal = doors.file(REACH)
    lines = [f"plan: {{goal: {goal}, iterations: 20000, save: path{stage}}}"]
    lines += [pipeline for pipeline, _, _ in after]
    results, _ = doors.pipeline(lines, SHELF)
    last = list(results.values())[-1]
    words = list(options) + [word for _, words, _ in after for word in words]
    command = doors.command("plan", doors.file(SHELF), "--goal", goal, "--iterations", 20000, *words)
    python = dict(settings or {})
    for _, _, arguments in after:
        python.update(arguments)
    answer = mortise.plan(mortise.load_world(doors.file(SHELF)), mortise.load(goal), iterations=20000, **python)
    return results, last, command, answer


def planned(doors, **choice):
    results, _, command, answer = plan(doors, **choice)
    return {"pipeline": results["path"]["path_hash"], "command": command["path_hash"], "python": answer.path_hash}


SHORTCUT = ("shortcut: {path: path, iterations: 200, save: short}", ["--shortcut", "{iterations: 200}"],
            {"shortcut": {"iterations": 200}})


def shortened(doors, **choice):
    results, last, command, answer = plan(doors, after=[SHORTCUT], **choice)
    doors.command("plan", doors.file(SHELF), "--goal", doors.file(REACH), "--iterations", 20000, *choice.get("options", ()),
                  "-o", "raw.configs")
    alone = doors.command("path", "shortcut", "raw.configs", "--world", doors.file(SHELF), "--iterations", 200)
    return {"pipeline": (last["length"], last["milestones"]), "command": (command["shortcut"]["length"], command["shortcut"]["milestones"]),
            "path command": (alone["length"], alone["milestones"]),
            "python": (answer.report["shortcut"]["length"], answer.report["shortcut"]["milestones"])}


# -- Motions ---------------------------------------------------------------------------------------------------------

ROBOT, SWEEP = "robots/reacher.rob", "motions/reacher_sweep.path"


def retime(doors, stage="curve: automatic", options=(), settings=None):
    results, folder = doors.pipeline([f"retime: {{path: {doors.file(SWEEP)}, {stage}, save: fast}}"], ROBOT)
    command = doors.command("path", "retime", doors.file(SWEEP), "--robot", doors.file(ROBOT), "-o", "fast.xml", *options)
    timing = mortise.retime(mortise.load_robot(doors.file(ROBOT)), mortise.load(doors.file(SWEEP)), **(settings or {}))
    written = mortise.load(str(doors.folder / "fast.xml"))
    peaks = [timing.peak_velocity, timing.peak_acceleration, timing.peak_torque]
    # The file of the pipeline and of the command hold the motion with all its digits.
    saved = mortise.load(str(folder / "fast.json"))
    at = np.linspace(0, timing.duration, 50)
    assert np.array_equal(saved.configurations, timing.motion.configurations)
    assert np.array_equal(saved.times, timing.motion.times) and np.array_equal(saved.velocities, timing.motion.velocities)
    assert np.array_equal([timing.path.evaluate(t)[0] for t in at], [written.evaluate(t)[0] for t in at])
    return {"pipeline": (results["fast"]["duration"], [results["fast"]["peak"][k] for k in ("velocity", "acceleration", "torque")]),
            "command": (command["duration"], [command["peak"][k] for k in ("velocity", "acceleration", "torque")]),
            "python": (timing.duration, peaks)}


def motion_file(doors):
    """A motion with velocities, as a file."""
    doors.command("path", "retime", doors.file(SWEEP), "--robot", doors.file(ROBOT), "-o", "fast.xml")
    return doors.folder / "fast.xml"


def evaluate(doors, stage="", options=(), settings=None):
    path, times = motion_file(doors), [0.25, 0.5, 1.125]
    at = [word for t in times for word in ("--at", t)]
    results, _ = doors.pipeline([f"evaluate: {{path: {path}, at: {times}, save: e{stage}}}"], ROBOT)
    motion = mortise.load(str(path))
    values = lambda samples: [(sample["q"], sample["dq"]) for sample in samples]  # noqa: E731
    return {"pipeline": values(results["e"]["samples"]),
            "command": values(doors.command("path", "eval", path, *at, *options)["samples"]),
            "command with goals": values(doors.command("path", "evaluate", path, "--robot", doors.file(ROBOT), *at, *options)["samples"]),
            "python": [tuple(list(v) for v in motion.evaluate(t, **(settings or {}))) for t in times]}


def convert(doors, stage="", options=()):
    path = motion_file(doors)
    results, folder = doors.pipeline([f"convert: {{path: {path}, to: c.path, save: c{stage}}}"], ROBOT)
    doors.command("path", "convert", path, "c.path", "--robot", doors.file(ROBOT), *options)
    return {"pipeline": (folder / "c.path").read_text(), "command": (doors.folder / "c.path").read_text()}


# -- Contacts --------------------------------------------------------------------------------------------------------

HUMANOID, STAND, FEET = "robots/humanoid.urdf", "planning/humanoid/stand.config", "planning/humanoid/feet.stance"


def feet(doors, friction=None):
    holds = mortise.load(doors.file(FEET))
    return [{**contact, "link": hold["link"], **({} if friction is None else {"friction": friction})}
            for hold in holds for contact in hold["contacts"]]


def on_slope(doors):
    """Feet on ground that leans: there cones and pyramids do not bear the same."""
    contacts = feet(doors, 0.6)
    turn = mortise.rotation_about_axis(np.array([1, 1, 0]) / np.sqrt(2), 0.2)
    for contact in contacts:
        contact["n_W"] = turn @ contact["n_W"]
    path = doors.folder / "slope.json"
    path.write_text(json.dumps([{"link": int(c["link"]), "point": list(c["p_WC"]), "normal": list(c["n_W"]), "friction": c["friction"]}
                                for c in contacts]))
    return contacts, path


def equilibrium(doors, stage="", options=(), settings=None, also=()):
    contacts, path = on_slope(doors)
    robot, q = mortise.load_robot(doors.file(HUMANOID)), mortise.load(doors.file(STAND))
    settings = settings or {}
    command = doors.command("robot", "balance", doors.file(HUMANOID), "--q", doors.file(STAND), "--contacts", path, *options)
    balance = mortise.balance(robot, q, contacts, **settings)
    plain = mortise.equilibrium([[*c["p_WC"], *c["n_W"], c["friction"]] for c in contacts], com=balance.com_W,
                                mass=robot.total_mass, **settings)
    answers = {"command": (command["balanced"], command["forces"]),
               "python, of a robot": (balance.balanced, None if balance.forces_W is None else balance.forces_W.tolist()),
               "python": (plain.balanced, None if plain.forces_W is None else plain.forces_W.tolist())}
    if "klampt" in also:
        rows = [[*c["p_WC"], *c["n_W"], c["friction"]] for c in contacts]
        forces = klampt.com_equilibrium(rows, [0, 0, -9.8 * robot.total_mass], list(balance.com_W))
        answers["klampt"] = (forces is not None, forces)
    return answers


def polygon(doors, stage="", options=(), settings=None, also=()):
    contacts, path = on_slope(doors)
    robot, q = mortise.load_robot(doors.file(HUMANOID)), mortise.load(doors.file(STAND))
    motion = doors.folder / "stand.configs"
    motion.write_text(2 * (doors.data / STAND).read_text())
    settings = settings or {}
    results, _ = doors.pipeline([f"balance: {{path: {motion}, contacts: {path}, margin: -10, save: b{stage}}}"], HUMANOID)
    command = doors.command("robot", "balance", doors.file(HUMANOID), "--q", doors.file(STAND), "--contacts", path, *options)
    along = doors.command("robot", "balance", doors.file(HUMANOID), "--path", motion, "--contacts", path, *options)
    balance = mortise.balance(robot, q, contacts, **settings)
    plain = mortise.SupportPolygon([[*c["p_WC"], *c["n_W"], c["friction"]] for c in contacts], **settings)
    assert command["polygon"] == balance.polygon.corners.tolist() == plain.corners.tolist()
    if "klampt" in also:  # Lines instead of corners: each corner is on two of them, and within the others.
        lines = np.array(klampt.support_polygon([[*c["p_WC"], *c["n_W"], c["friction"]] for c in contacts]))
        slack = lines[:, 2] - plain.corners @ lines[:, :2].T
        assert slack.min() > -1e-9 and all((abs(corner) < 1e-9).sum() >= 2 for corner in slack)
    return {"pipeline": results["b"]["margin"], "command": command["margin"], "command, of a motion": along["margin"],
            "python, of a robot": balance.margin, "python": plain.margin(balance.com_W)}


def torques(doors, options=(), settings=None, also=()):
    crouch = doors.file("planning/humanoid/crouch.config")
    contacts, path = on_slope(doors)
    robot, q = mortise.load_robot(doors.file(HUMANOID)), mortise.load(doors.file("planning/humanoid/crouch.config"))
    command = doors.command("robot", "torques", doors.file(HUMANOID), "--q", doors.file("planning/humanoid/crouch.config"),
                            "--contacts", path, *options)
    answer = mortise.contact_torques(robot, q, contacts, **(settings or {}))
    if "klampt" in also:
        model = klampt.WorldModel()
        robot = model.loadRobot(doors.file(HUMANOID))
        robot.setConfig(list(mortise.load(doors.file("planning/humanoid/crouch.config"))))
        rows = [[*c["p_WC"], *c["n_W"], c["friction"]] for c in contacts]
        found, forces = klampt.equilibrium_torques(robot, rows, [int(c["link"]) for c in contacts], [0, 0, -9.8])
        assert (found, forces) == (answer.torques.tolist(), answer.forces_W.ravel().tolist())
    more = "".join(f", {key}: {value}" for key, value in (settings or {}).items())
    results, _ = doors.pipeline([f"torques: {{config: {crouch}, contacts: {path}, within_limits: false, save: t{more}}}"], HUMANOID)
    return {"command": (command["torques"], command["forces"], command["largest_utilization"]),
            "pipeline": (results["t"]["torques"], results["t"]["forces"], results["t"]["largest_utilization"]),
            "python": (answer.torques.tolist(), answer.forces_W.tolist(), answer.largest_utilization)}


def grasp(doors, options=(), settings=None, also=()):
    rows = [[np.cos(t), np.sin(t), 0.1 * t, np.cos(t), np.sin(t), 0, 0.5] for t in (0, 2.1, 4.2)]
    path = doors.folder / "grasp.json"
    path.write_text(json.dumps([{"point": row[:3], "normal": row[3:6], "friction": row[6]} for row in rows]))
    command = doors.command("robot", "grasp", doors.file("robots/pincer.rob"), "--contacts", path, *options)
    quality = mortise.grasp_quality(rows, **(settings or {}))
    edges = {key: value for key, value in (settings or {}).items() if key == "cone_edges"}
    assert mortise.force_closure(rows, **edges) == quality.force_closure
    more = "".join(f", {key}: {value}" for key, value in (settings or {}).items())
    results, _ = doors.pipeline([f"grasp: {{contacts: {path}, save: g{more}}}"], "robots/pincer.rob")
    answers = {"command": (command["force_closure"], command["quality"]),
               "pipeline": (results["g"]["force_closure"], results["g"]["quality"]),
               "python": (quality.force_closure, quality.quality)}
    if "klampt" in also:
        assert klampt.force_closure(rows) == quality.force_closure
    return answers


ROWS = {
    "simulate": lambda doors: simulate(doors, 0.2, klampt_too=True),
    "simulate with settings": lambda doors: simulate(
        doors, 0.1, options=["--backend", "ode", "--step", "2ms", "--seed", 3, "--contacts", "engine"],
        settings={"backend": "ode", "step": 0.002, "seed": 3, "contacts": "engine"},
        more="seed: 3\nsimulation: {backend: ode, step: 2 ms, contacts: engine}\n"),
    "simulate, reporting energy from nowhere": lambda doors: hit(doors, "report"),
    "simulate by Klamp't's rule": lambda doors: hit(doors, "scale"),
    "ik": lambda doors: ik(doors, GOAL),
    "ik with settings": lambda doors: ik(doors, {**GOAL, "rpy": [0, 1.2, 0.3]}, seed=4, restarts=200, tolerance=1e-7),
    "ik, the nearest": lambda doors: ik(doors, GOAL, nearest=True),
    "plan": planned,
    "plan with settings": lambda doors: planned(
        doors, stage=", planner: RRTConnect, margin: 5 mm, seed: 3",
        options=["--planner", "RRTConnect", "--margin", "5mm", "--seed", 3],
        settings={"planner": "RRTConnect", "margin": 0.005, "seed": 3}),
    "shortcut": shortened,
    "retime": retime,
    "retime with settings": lambda doors: retime(
        doors, "curve: blend, deviation: 0.02, velocity_scaling: 0.5, torque: true, torque_scale: 0.75, grid: 100",
        ["--curve", "blend", "--deviation", 0.02, "--velocity-scaling", 0.5, "--torque", "--torque-scale", 0.75, "--grid", 100],
        {"curve": "blend", "deviation": 0.02, "velocity_scaling": 0.5, "torque": True, "torque_scale": 0.75, "grid": 100}),
    "evaluate": evaluate,
    "evaluate straight": lambda doors: evaluate(doors, ", interpolation: linear", ["--interpolation", "linear"], {"cubic": False}),
    "convert": convert,
    "convert with settings": lambda doors: convert(doors, ", every: 20 ms, start: 1 s", ["--every", "20ms", "--start", "1s"]),
    "equilibrium": equilibrium,
    "equilibrium with Klamp't's pyramids": lambda doors: equilibrium(
        doors, options=["--cone-edges", 4], settings={"cone_edges": 4}, also=["klampt"]),
    "support polygon": polygon,
    "support polygon with pyramids": lambda doors: polygon(doors, ", cone_edges: 6", ["--cone-edges", 6], {"cone_edges": 6}),
    "support polygon with Klamp't's pyramids": lambda doors: polygon(
        doors, ", cone_edges: 4", ["--cone-edges", 4], {"cone_edges": 4}, also=["klampt"]),
    "torques": torques,
    "torques with settings": lambda doors: torques(
        doors, ["--cone-edges", 8, "--objective", "sum_of_utilizations", "--force-limit", "400 N"],
        {"cone_edges": 8, "objective": "sum_of_utilizations", "force_limit": 400}),
    "torques with Klamp't's pyramids": lambda doors: torques(doors, ["--cone-edges", 4], {"cone_edges": 4}, also=["klampt"]),
    "grasp": grasp,
    "grasp with pyramids": lambda doors: grasp(
        doors, ["--cone-edges", 4, "--budget", "each"], {"cone_edges": 4, "budget": "each"}, also=["klampt"]),
}


@pytest.mark.parametrize("row", ROWS)
def test_every_door_gives_the_same(row, doors):
    answers = ROWS[row](doors)
    assert len(answers) > 1
    first = next(iter(answers))
    for door, answer in answers.items():
        assert answer == answers[first], f"{row}: '{door}' and '{first}' differ"
    RAN.add(row)


def commands(program, *group):
    """All commands below one, by full names, as the program lists them to shells."""
    done = subprocess.run([program, "complete", *group, ""], capture_output=True, text=True, check=True)
    names = [line.split("\t")[0] for line in done.stdout.splitlines()]
    whole = [" ".join([*group, name]) for name in names if name[0].isalpha()]
    if group:
        return whole
    below = [name for name in whole if re.search(r"^Commands:$", explained(program, name), re.MULTILINE)]
    return whole + [name for each in below if each != "help" for name in commands(program, each)]


def explained(program, name):
    return subprocess.run([program, name, "--help"], capture_output=True, text=True).stdout


def test_every_command_is_listed(program):
    listed = set(commands(program))
    assert "sim" in listed and "robot ik" in listed and "plan benchmark" in listed
    assert listed == set(door_list.COMMANDS), "door_list.py has every command, and no others"


def test_every_stage_is_listed(program):
    done = subprocess.run([program, "plugins", "list", "--kind", "stage", "--json"], capture_output=True, text=True, check=True)
    names = {entry["name"].split(".")[-1].lower() for entry in json.loads(done.stdout)}
    assert names == set(door_list.STAGES), "door_list.py has every stage, and no others"


def test_every_function_is_listed():
    offered = {name for name in dir(mortise) if name[0].islower() and callable(getattr(mortise, name))}
    classes = {name for name in door_list.FUNCTIONS if name[0].isupper()}
    assert offered == set(door_list.FUNCTIONS) - classes, "door_list.py has every function of the package, and no others"
    endings = ("equilibrium", "polygon", "torques", "closure", "_2d", "Simulator")
    offered = {name for name in dir(klampt) if name.endswith(endings) and not re.search("[a-z](Equil|Poly|Torq|Clos)", name)}
    assert offered == set(door_list.KLAMPT_CALLS), "door_list.py has every function of Klamp't's that does an operation"


def test_every_door_is_in_a_row():
    """A door of an operation that no row goes through would prove nothing."""
    if RAN != set(ROWS):
        pytest.skip("not all rows ran to their end")
    tables = {"command": door_list.COMMANDS, "stage": door_list.STAGES, "python": door_list.FUNCTIONS, "klampt": door_list.KLAMPT_CALLS}
    doors = {(kind, name): operation for kind, table in tables.items() for name, operation in table.items()
             if operation in OPERATIONS}
    assert set(doors) - USED == set(), "doors of operations that no row uses"
    assert OPERATIONS <= {re.sub("[, ]*(with|the|straight).*", "", row) for row in ROWS}
