"""Components written in Python inside `import mortise`: the same path as in programs."""

import gc
import os
import pathlib
import subprocess
import sys
import threading
import time
import weakref

import mortise
import numpy as np
import parts
import pytest

FILE = pathlib.Path(__file__).with_name("parts.py")


@pytest.fixture(scope="module")
def arm(data):
    return mortise.load_world(data / "robots" / "heron.urdf")


def simulate(world, controller, seconds=0.2, **options):
    simulation = mortise.Simulation(world, controllers={0: controller}, control_rate=200, **options)
    simulation.advance(seconds)
    return simulation


def test_settings_become_a_schema():
    declared = parts.Damper.__mortise__
    assert (declared["kind"], declared["name"], declared["aliases"]) == ("controller", "test.Damper", ["TestDamper"])
    settings = {entry["name"]: entry for entry in declared["schema"]["parameters"]}
    assert list(settings) == ["stiffness", "damping", "rest", "time_limit"]
    assert settings["stiffness"]["default"] == 4.0 and settings["stiffness"]["unit"] == "N*m/rad"
    assert settings["stiffness"]["type"] == "real" and settings["stiffness"]["changeable"]
    assert parts.Damper.stiffness == 4.0


def test_settings_are_inherited():
    class Softer(parts.Damper):
        stiffness: float = mortise.setting(1.0, "Less.", unit="N*m/rad")
        extra: int = mortise.setting(3, "More.")

    mortise.controller("test.Softer")(Softer)
    settings = {entry["name"]: entry for entry in Softer.__mortise__["schema"]["parameters"]}
    assert settings["stiffness"]["default"] == 1.0 and settings["extra"]["type"] == "integer"
    assert parts.Damper.__mortise__["schema"]["parameters"][0]["default"] == 4.0


@pytest.mark.parametrize("make, message", [
    (lambda: mortise.controller("a.B")(type("B", (), {})), "needs the method update"),
    (lambda: mortise.controller(parts.Damper), "needs the component's name"),
    (lambda: mortise.space("a.B")(type("B", (), {})), "derived from mortise.PlanningSpace"),
    (lambda: mortise.space("a.B")(type("B", (mortise.PlanningSpace,), {})), "needs the method feasible"),
    (lambda: mortise.setting(1, choices="ab"), "expected a list of names"),
    (lambda: parts.Damper(gian=2), "has no setting 'gian'"),
])
def test_wrong_declarations_are_type_errors(make, message):
    with pytest.raises(TypeError, match=message):
        make()


def test_class_object_dict_and_file_are_the_same(arm):
    hashes = {simulate(arm, given).state_hash() for given in (
        parts.Damper, parts.Damper(), {"type": parts.Damper}, {"type": parts.Damper, "damping": "1 N*m*s/rad"},
        str(FILE) + ":Damper", {"type": str(FILE) + ":test.Damper"})}
    assert len(hashes) == 1
    assert simulate(arm, parts.Damper(damping=3.0)).state_hash() not in hashes
    assert simulate(arm, {"type": parts.Damper, "damping": 3}).state_hash() not in hashes


def test_unknown_settings_are_errors(arm):
    with pytest.raises(mortise.Error, match="dampign"):
        simulate(arm, {"type": parts.Damper, "dampign": 1})
    with pytest.raises(mortise.Error, match="damping"):
        simulate(arm, {"type": parts.Damper, "damping": -1})
    with pytest.raises(mortise.Error, match="several components of kind controller"):
        simulate(arm, str(FILE))
    with pytest.raises(mortise.Error, match="no controller 'Dumper'") as caught:
        simulate(arm, str(FILE) + ":Dumper")
    assert "test.Damper" in str(caught.value)


def test_plugin_file_is_listed(arm):
    mortise.add_plugin(FILE)
    info = mortise.component("controller", "test.Damper")
    assert info["library"] == str(FILE) and info["version"] == "1.2.3" and info["package"] == "parts"
    assert info["summary"].startswith("As acme") and info["documentation"].startswith("Pulls every driver")
    assert simulate(arm, "test.Damper").state_hash() == simulate(arm, parts.Damper).state_hash()
    with pytest.raises(mortise.Error) as caught:
        mortise.component("controller", "test.Dampr")
    assert "test.Damper" in str(caught.value)


def test_save_restore_continue(arm):
    simulation = simulate(arm, parts.Counting)
    saved, before = simulation.save(), simulation.state_hash()
    simulation.advance(0.2)
    later = simulation.state_hash()
    for _ in range(2):
        simulation.restore(saved)
        assert simulation.state_hash() == before
        simulation.advance(0.2)
        assert simulation.state_hash() == later
    other = mortise.Simulation(arm, controllers={0: parts.Counting}, control_rate=200)
    other.restore(saved)
    other.advance(0.2)
    assert other.state_hash() == later


@pytest.mark.parametrize("saves", [False, True])
def test_settings_of_every_type_are_saved(arm, saves):
    @mortise.controller("test.Everything")
    class Everything(mortise.Controller):
        flag: bool = mortise.setting(True, changeable=True)
        maybe = mortise.setting(None, changeable=True, type=int)
        text: str = mortise.setting("a", changeable=True)
        number = mortise.setting(None, changeable=True, type=float)
        numbers = mortise.setting([], changeable=True, type="real_list")
        counts = mortise.setting([1, 2], changeable=True)
        names = mortise.setting(["x"], changeable=True)
        three = mortise.setting(None, changeable=True, type="real_list", size=3)
        anything = mortise.setting(None, changeable=True, type="any")

        def update(self, input, commands):
            assert len(self.numbers) in (0, 2)

    if saves:
        Everything.save = lambda self: 7
        Everything.restore = lambda self, state: state == 7
    simulation = simulate(arm, Everything)
    controller = simulation.controller()
    before, settings = simulation.save(), str(controller.settings)
    first = simulation.state_hash()
    changes = {"flag": False, "maybe": 4, "text": "b", "number": 0.25, "numbers": [1.5, 2.5], "counts": [], "names": ["y", "z"],
               "three": [1, 2, 3], "anything": {"a": [1, "b"]}}
    hashes = {first}
    for name, value in changes.items():
        controller.set(name, value)
        hashes.add(simulation.state_hash())
    assert len(hashes) == 1 + len(changes)
    after, changed, last = simulation.save(), str(controller.settings), simulation.state_hash()
    for saved, shown, state in ((before, settings, first), (after, changed, last), (before, settings, first)):
        simulation.restore(saved)
        assert str(controller.settings) == shown and simulation.state_hash() == state
        simulation.advance(0.02)
        assert not simulation.fault


def test_reset_begins_anew(arm):
    simulation = mortise.Simulation(arm, controllers={0: parts.Counting}, control_rate=200)
    start = simulation.state_hash()
    simulation.controller().command("louder", 3)
    simulation.advance(0.2)
    simulation.reset()
    assert simulation.controller().settings["gain"] == 1
    assert simulation.state_hash() == start


def test_commands_and_settings(arm):
    simulation = simulate(arm, parts.Counting)
    controller = simulation.controller()
    assert controller.commands() == {"louder": "More noise."}
    controller.command("louder", 2)
    assert controller.settings["gain"] == 2
    controller.set("gain", 5)
    assert controller.settings["gain"] == 5
    with pytest.raises(KeyError):
        controller.command("quieter", 2)
    with pytest.raises(KeyError):
        controller.set("time_limit", 5)


def line_of(text):
    return next(n for n, line in enumerate(FILE.read_text().split("\n"), 1) if text in line)


@pytest.mark.parametrize("how, message", [
    ("raise", "ValueError: three is too many"), ("nan", "is not a finite number"), ("shape", "ValueError"),
    ("exit", "SystemExit: 4"), ("mode", r"commands.mode\[0\] is 9")])
def test_faults_are_named(arm, how, message):
    import re
    simulation = mortise.Simulation(arm, controllers={0: {"type": parts.Bad, "how": how}}, control_rate=100)
    assert simulation.advance(0.1) == "error"
    assert re.search(message, simulation.fault) and "test.Bad" in simulation.fault
    if how == "raise":
        assert f"{FILE}:{line_of('three is too many')}" in simulation.fault and "in update" in simulation.fault
    assert simulation.time < 0.03
    simulation.reset()
    assert simulation.fault == "" and simulation.advance(0.01) != "error"


def test_faults_at_the_start(arm):
    with pytest.raises(mortise.Error, match="cannot begin"):
        mortise.Simulation(arm, controllers={0: {"type": parts.Bad, "how": "start"}})


def test_on_error_hold(arm):
    simulation = mortise.Simulation(arm, controllers={0: {"type": parts.Bad, "on_error": "hold"}}, control_rate=100)
    assert simulation.advance(0.2) != "error" and simulation.time == pytest.approx(0.2)


@pytest.mark.parametrize("how", ["sleep", "spin"])
def test_time_limit(arm, how):
    before = time.monotonic()
    simulation = mortise.Simulation(arm, controllers={0: {"type": parts.Bad, "how": how, "time_limit": "200 ms"}})
    assert simulation.advance(1) == "error"
    assert "time limit of 0.2 s" in simulation.fault and str(FILE) in simulation.fault
    assert time.monotonic() - before < 20
    time.sleep(0.05)  # Nothing comes late.
    assert sum(range(1000)) == 499500


def test_time_limit_in_another_thread(arm):
    found = []

    def work():
        simulation = mortise.Simulation(arm, controllers={0: {"type": parts.Bad, "how": "spin", "time_limit": 0.2}})
        simulation.advance(1)
        found.append(simulation.fault)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(30)
    assert found and "time limit" in found[0]


def test_sensor(arm):
    simulation = mortise.Simulation(arm, sensors={0: [{"type": parts.Height, "name": "up", "link": "hand"}]})
    simulation.advance(0.1)
    values = simulation.sensor("up").values
    assert simulation.sensor("up").channels == ["height", "time"]
    state = mortise.RobotState(arm.robot(0).robot, simulation.configuration())
    assert values[0] == pytest.approx(state.transform("hand").p[2], abs=1e-3) and values[1] == pytest.approx(0.09, abs=0.011)
    bad = mortise.Simulation(arm, sensors={0: [{"type": parts.Height, "bad": True}]})
    assert bad.advance(0.1) == "error" and "height" in bad.fault and "not a number" in bad.fault


def test_views_end_with_their_call(arm):
    sensor = parts.Height()
    simulation = mortise.Simulation(arm, sensors={0: sensor})
    simulation.advance(0.05)
    with pytest.raises(mortise.Error, match="during the call"):
        sensor.view.q()
    assert sensor.observed == 50


def test_estimator(arm):
    mortise.add_plugin(FILE)
    simulation = simulate(arm, "test.Estimated")
    saved = simulation.save()
    simulation.advance(0.1)
    later = simulation.state_hash()
    simulation.restore(saved)
    simulation.advance(0.1)
    assert simulation.state_hash() == later
    assert simulate(arm, {"type": "test.Damper", "estimator": "test.Filtered"}).fault == ""


def test_arrays_that_are_kept_stay_valid(arm):
    kept = []

    @mortise.controller("test.Keeping")
    class Keeping(mortise.Controller):
        def update(self, input, commands):
            kept.append((input.q, commands.torque, input.sensors["q"].values))

    simulate(arm, Keeping)
    gc.collect()
    assert all(np.isfinite(array).all() for triple in kept for array in triple)
    with pytest.raises(ValueError):
        kept[0][0][0] = 1


def test_two_worlds_do_not_share(arm, data):
    one = mortise.Simulation(arm, controllers={0: parts.Counting}, control_rate=200)
    two = mortise.Simulation(arm, controllers={0: parts.Counting}, control_rate=200)
    for _ in range(20):
        one.advance(0.005)
        two.advance(0.01)
    alone = mortise.Simulation(arm, controllers={0: parts.Counting}, control_rate=200)
    alone.advance(0.2)
    assert two.state_hash() == alone.state_hash() != one.state_hash()


def test_no_simulator_stays_alive(arm):
    class Knowing(parts.Damper):
        pass

    mortise.controller("test.Knowing")(Knowing)
    alive = []
    for _ in range(200):
        controller = Knowing()
        simulation = mortise.Simulation(arm, controllers={0: controller})
        controller.simulation = simulation  # A cycle.
        simulation.advance(0.002)
        alive.append(weakref.ref(controller))
        del simulation, controller
    gc.collect()
    assert sum(ref() is not None for ref in alive) == 0


def test_references_do_not_grow(arm):
    simulation = simulate(arm, parts.Damper)
    gc.collect()
    before = sys.getrefcount(None), len(gc.get_objects())
    simulation.advance(2)
    gc.collect()
    assert abs(sys.getrefcount(None) - before[0]) < 50 and abs(len(gc.get_objects()) - before[1]) < 50


def test_interrupt_ends_the_run(data):
    script = ("import mortise, parts, os, signal, threading, time\n"
              "class Slow(parts.Damper):\n"
              "    def update(self, input, commands):\n"
              "        if input.time > 0.05: time.sleep(0.01)\n"
              "mortise.controller('test.Slow')(Slow)\n"
              f"s = mortise.Simulation(mortise.load_world({str(data / 'robots' / 'heron.urdf')!r}), controllers={{0: Slow}})\n"
              "threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
              "try:\n    s.advance(1000)\n"
              "except KeyboardInterrupt:\n    print('interrupted', s.fault == '')\n"
              "s.step(); print(s.time > 0)\n")
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120,
                           env={**os.environ, "PYTHONPATH": f"{FILE.parent}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"})
    assert found.stdout == "interrupted True\nTrue\n", found.stderr


def test_state_is_the_same_bytes():
    from mortise import _component_state as state
    text = "".join(["a", "b"])
    one = {"x": [text, "ab", 1, 2.5, None, True], "a": np.arange(6.0).reshape(2, 3), "t": (1, {"k": {3, 1, 2}}),
           "b": b"\0\1", "s": np.float32(2), "i": 10**30}
    two = state.decode(state.encode(one))
    assert state.encode(two) == state.encode(one)
    assert two["t"] == one["t"] and two["i"] == 10**30 and two["s"].dtype == np.float32
    with pytest.raises(state.Unsaveable):
        state.encode([one, lambda: 0])


@pytest.mark.parametrize("threads", [1, 2])
def test_hash_seeds_and_threads_change_nothing(tmp_path, data, arm, threads):
    """Ten seconds with a controller in Python."""
    program = tmp_path / "run.py"
    program.write_text(f"import sys, threading, mortise\nworld = mortise.load_world({str(data / 'robots' / 'heron.urdf')!r})\nfound = set()\n"
                       "def work():\n"
                       f"    run = mortise.Simulation(world, controllers={{0: {str(FILE) + ':Damper'!r}}}, control_rate=500)\n"
                       "    run.advance(10)\n    found.add(run.state_hash())\n"
                       f"running = [threading.Thread(target=work) for _ in range({threads})]\n"
                       "[t.start() for t in running]; [t.join() for t in running]\nprint(*found)\n")
    found = {subprocess.run([sys.executable, str(program)], text=True, check=True, capture_output=True,
                            env={**os.environ, "PYTHONHASHSEED": seed}).stdout.strip() for seed in ("0", "random")}
    simulation = mortise.Simulation(arm, controllers={0: parts.Damper}, control_rate=500)
    simulation.advance(10)
    assert found == {simulation.state_hash()}


def test_commands_of_the_wrong_size_are_named(arm):
    @mortise.controller("test.Short", summary="Commands two drivers of seven.")
    class Short(mortise.Controller):
        def update(self, input, commands):
            commands.set_torque([0, 0])

    simulation = simulate(arm, Short)
    assert "torque: expected 7 numbers, one a driver, found an array of shape (2,)" in simulation.fault


@mortise.sensor("test.Encoder", roles=["joint_positions"])
class Encoder:
    """Says that every link is at 0.25."""

    def start(self, setup):
        self.channels = [f"q[{i}]" for i in range(setup.robot.num_links)]

    def simulate(self, view, out):
        out[:] = 0.25


@mortise.controller("test.Listener")
class Listener:
    """Keeps what the sensor of positions says."""

    def update(self, input, commands):
        self.reading = input.sensors.with_role("joint_positions")
        self.q = None if input.q is None else input.q.copy()
        commands.off()


def test_roles_are_a_list():
    with pytest.raises(TypeError, match=r"write roles=\['joint_positions'\]"):
        mortise.sensor("test.Letters", roles="joint_positions")


def test_roles_that_nobody_asks_for_are_named(arm):
    @mortise.sensor("test.Misspelt", roles=["joint_postions"])
    class Misspelt:
        def simulate(self, view, out):
            pass

    with pytest.raises(ValueError, match="did you mean 'joint_positions'"):
        mortise.Simulation(arm, sensors={0: Misspelt})


def test_a_sensor_with_a_role_stands_for_the_standard_one(arm):
    listener = Listener()
    simulation = mortise.Simulation(arm, controllers={0: listener}, sensors={0: Encoder()}, control_rate=200)
    simulation.advance(0.05)
    assert Encoder.__mortise__["attributes"] == {"roles": ["joint_positions"]}
    assert "joint_positions" in listener.reading.roles
    assert np.all(listener.q == 0.25), "found by its role, though its type is another"


def test_a_sensor_of_positions_without_all_links_is_named_where_q_is_none(arm, caplog):
    @mortise.sensor("test.HalfEncoder", roles=["joint_positions"])
    class HalfEncoder:
        def start(self, setup):
            self.channels = ["q[0]", "q[1]"]

        def simulate(self, view, out):
            out[:] = 0.25

    listener = Listener()
    with caplog.at_level("INFO", logger="mortise"):
        simulation = mortise.Simulation(arm, controllers={0: listener}, sensors={0: HalfEncoder()})
        simulation.advance(0.05)
    assert listener.q is None
    said = [record.message for record in caplog.records if "input.q is None" in record.message]
    assert len(said) == 1
    assert "has 2 values" in said[0]
    assert "read input.sensors['test.HalfEncoder']" in said[0]
