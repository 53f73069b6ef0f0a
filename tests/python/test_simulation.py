"""Worlds and simulations: the numbers of the command line, snapshots, hooks, signals, threads."""

import gc
import json
import os
import signal
import subprocess
import threading
import time
import weakref

import mortise
import numpy as np
import pytest


@pytest.fixture(scope="module")
def blocks(data):
    return mortise.load_world(data / "worlds" / "blocks.xml")


def test_world_says_what_it_holds(blocks):
    assert blocks.num_ids == len(blocks.terrains) + len(blocks.objects) + sum(1 + len(r.robot) for r in blocks.robots)
    for id in range(blocks.num_ids):
        assert blocks.id(blocks.name_of(id)) >= 0
    assert blocks.object("ball").id == blocks.id("ball")
    with pytest.raises(KeyError, match="ball"):
        blocks.object("bal")
    with pytest.raises(ValueError):
        blocks.robot(0).q[0] = 1


def test_with_makes_another_world(blocks):
    moved = blocks.with_object("ball", pose=mortise.RigidTransform(p=[0, 0, 5]), surface={"friction": 0.1})
    assert moved.object("ball").pose.p[2] == 5 and blocks.object("ball").pose.p[2] != 5
    assert moved.object("ball").surface["friction"] == 0.1
    assert moved.robot(0).robot is not None
    q = np.full(len(blocks.robot(0).robot), 0.1)
    assert np.array_equal(blocks.with_configuration(0, q).robot(0).q, q)


def test_things_keep_their_world(data):
    ball = mortise.load_world(data / "worlds" / "blocks.xml").object("ball")
    gc.collect()
    assert ball.name == "ball" and ball.mass > 0


@pytest.mark.parametrize("hashseed", ["0", "7"])
def test_state_hash_is_that_of_the_command_line(data, program, hashseed):
    world = data / "worlds" / "blocks.xml"
    asked = subprocess.run([program, "sim", world, "--duration", "10", "--json"], capture_output=True, check=True)
    expected = json.loads(asked.stdout)["state_hash"]
    script = (f"import mortise; s = mortise.Simulation(mortise.load_world({str(world)!r})); s.advance(10); "
              "print(s.state_hash())")
    import sys
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True,
                           env={**os.environ, "PYTHONHASHSEED": hashseed})
    assert found.stdout.strip() == expected


COMMANDS = """
<command at="0.05" body="ball" velocity="0.2 0.1 0" for="0.1"/>
<command at="0.1" robot="reacher" command="set_q" arguments="0.3 -0.2 0.4 0 0.4 0"/>
<command at="0.21" body="cup" impulse="0.02 0 0.1"/>
<command at="0.25" body="block_top" force="3 0 0" for="0.1003" point="0 0 0.01"/>
<command at="0.3" sensor="q" enabled="false"/>
<command body="ball" torque="0 0 0.001" while="time &gt; 0.3 and time &lt; 0.35"/>
"""


@pytest.fixture
def commanded(data, tmp_path):
    """A world with commands of its own."""
    text = (data / "worlds" / "blocks.xml").read_text().replace("../", f"{data}/")
    head, tail = text.rsplit("</simulation>", 1)
    path = tmp_path / "commanded.xml"
    path.write_text(f"{head}{COMMANDS}</simulation>{tail}")
    return path


def test_commands_of_a_world_act_as_on_the_command_line(commanded, program):
    def asked(*options):
        ran = subprocess.run([program, "sim", commanded, "--json", *options], capture_output=True, check=True)
        return json.loads(ran.stdout)["state_hash"]

    world = mortise.load_world(commanded)
    simulation = mortise.Simulation(world)
    simulation.advance(0.1)
    state = simulation.save()
    expected = asked("--duration", "0.4")
    for go in (lambda: simulation.advance(0.3), lambda: simulation.restore(state), lambda: simulation.step(300),
               simulation.reset, lambda: simulation.advance(0.4)):
        go()
        if simulation.tick == 400:
            assert simulation.state_hash() == expected
    assert simulation.tick == 400
    fresh = mortise.Simulation(world)
    fresh.advance(0.01)
    fresh.restore(state)
    fresh.advance(0.3)
    assert fresh.state_hash() == expected
    settled = mortise.Simulation(world)
    settled.settle(0.5)
    settled.advance(0.4)
    assert settled.state_hash() == asked("--settle", "0.5", "--duration", "0.4")
    plain = mortise.Simulation(world, use_world_commands=False)
    plain.advance(0.4)
    assert plain.state_hash() != expected
    commanded.write_text(commanded.read_text().replace("set_q", "append_q"))
    with pytest.raises(mortise.Error, match=r"commanded\.xml:\d+[^$]*has no command 'append_q'"):
        mortise.Simulation(mortise.load_world(commanded), controllers={"reacher": "JointTrackingController"})


def test_hooks_do_not_change_the_motion(blocks):
    plain, watched = mortise.Simulation(blocks), mortise.Simulation(blocks)
    heights = []
    watched.add_hook_after(lambda simulation: heights.append(simulation.object_pose("ball").p[2]))
    plain.advance(0.3)
    watched.advance(0.3)
    assert plain.state_hash() == watched.state_hash()
    assert len(heights) == watched.tick
    assert plain.summary()["state_hash"] == plain.state_hash()


def test_snapshots_continue_bit_for_bit(blocks):
    simulation = mortise.Simulation(blocks)
    simulation.advance(0.2)
    saved = simulation.save()
    simulation.advance(0.2)
    later = simulation.state_hash()
    simulation.restore(saved)
    simulation.advance(0.2)
    assert simulation.state_hash() == later
    other = mortise.Simulation(blocks)
    other.restore(saved)
    other.advance(0.2)
    assert other.state_hash() == later
    with pytest.raises(mortise.Error):
        simulation.restore(b"nothing of the kind")
    simulation.reset()
    assert simulation.time == 0


def test_an_exception_of_a_hook_leaves_the_simulation_usable(blocks):
    simulation = mortise.Simulation(blocks)

    def hook(running):
        if running.tick == 7:
            raise LookupError("seven")

    simulation.add_hook_before(hook)
    with pytest.raises(LookupError, match="seven"):
        simulation.advance(1)
    assert simulation.tick <= 8
    simulation.remove_hooks()
    reference = mortise.Simulation(blocks)
    simulation.advance(0.5 - simulation.time)
    reference.advance(0.5)
    assert simulation.state_hash() == reference.state_hash()


def test_a_hook_cannot_step(blocks):
    simulation = mortise.Simulation(blocks)
    simulation.add_hook_after(lambda running: running.step())
    with pytest.raises(mortise.Error, match="hook"):
        simulation.step()


def test_ctrl_c_ends_the_call(blocks):
    simulation = mortise.Simulation(blocks)
    simulation.step()
    pressed = []

    def press():
        time.sleep(0.3)
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt):
        simulation.advance(1e6)
    assert time.monotonic() - pressed[0] < 5  # 0.1 on a machine that has nothing else to do.
    tick = simulation.tick
    simulation.step()
    assert simulation.tick == tick + 1


def test_threads_run_side_by_side(blocks):
    expected = mortise.Simulation(blocks)
    expected.advance(0.2)
    simulations = [mortise.Simulation(blocks) for _ in range(3)]
    threads = [threading.Thread(target=simulation.advance, args=(0.2,)) for simulation in simulations]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {simulation.state_hash() for simulation in simulations} == {expected.state_hash()}


def test_one_simulation_is_not_run_twice_at_once(blocks):
    simulation = mortise.Simulation(blocks)
    entered, leave = threading.Event(), threading.Event()

    def hook(running):
        entered.set()
        leave.wait(10)

    simulation.add_hook_before(hook)
    thread = threading.Thread(target=simulation.step)
    thread.start()
    assert entered.wait(10)
    with pytest.raises(mortise.Error, match="another thread"):
        simulation.step()
    leave.set()
    thread.join()


def test_cycles_of_hooks_are_collected(blocks):
    class Hook:
        def __init__(self, simulation):
            self.simulation = simulation

        def __call__(self, simulation):
            pass

    hooks = []
    for _ in range(10):
        simulation = mortise.Simulation(blocks)
        hook = Hook(simulation)
        simulation.add_hook_after(hook)
        hooks.append(weakref.ref(hook))
    del simulation, hook
    gc.collect()
    assert [hook for hook in hooks if hook() is not None] == []


def test_forces_move_things(blocks):
    floating = blocks.with_simulation(gravity=[0, 0, 0]).with_object("ball", pose=mortise.RigidTransform(p=[0, 0, 9]))
    simulation = mortise.Simulation(floating)
    mass = floating.object("ball").mass
    simulation.apply_wrench("ball", force=[mass, 0, 0])
    simulation.advance(0.5)
    v, w = simulation.object_velocity("ball")
    assert np.allclose(v, [0.5, 0, 0], atol=1e-6) and np.allclose(w, 0, atol=1e-6)
    simulation.set_object_state("ball", v=[0, 0, 1])
    assert simulation.object_velocity("ball")[0][2] == 1


def test_forces_of_hooks_last_for_one_step(blocks):
    floating = blocks.with_simulation(gravity=[0, 0, 0]).with_object("ball", pose=mortise.RigidTransform(p=[0, 0, 9]))
    mass = floating.object("ball").mass
    for add in ("add_hook_before", "add_hook_after"):
        simulation = mortise.Simulation(floating)
        getattr(simulation, add)(lambda s: s.apply_wrench("ball", force=[mass, 0, 0]))
        simulation.advance(0.25)
        saved = simulation.save()
        simulation.advance(0.25)
        after = simulation.state_hash()
        late = 0.001 if add == "add_hook_after" else 0  # The force of the last step's hook is still to come.
        assert simulation.object_velocity("ball")[0][0] == pytest.approx(0.5 - late, abs=1e-9)
        simulation.restore(saved)
        simulation.advance(0.25)
        assert simulation.state_hash() == after


def test_steps_are_counted_from_zero(blocks):
    with pytest.raises(ValueError, match="count: expected a number of steps of at least 0, found -1"):
        mortise.Simulation(blocks).step(-1)
    assert repr(mortise.Simulation(blocks).controller()).startswith("SimulatedController(robot 'reacher', ")


def test_contacts_carry_the_weight(blocks):
    simulation = mortise.Simulation(blocks)
    simulation.advance(2)
    contacts = simulation.contacts()
    n = len(contacts["depths"])
    assert n > 0 and contacts["points"].shape == contacts["forces"].shape == (n, 3)
    assert np.allclose(np.linalg.norm(contacts["normals"], axis=1), 1)
    summary = simulation.contact_summary("cup")
    assert summary["in_contact"]
    assert summary["force"][2] == pytest.approx(9.8 * blocks.object("cup").mass, rel=0.05)


def test_times_are_kept_that_are_no_multiple_of_the_step(blocks):
    simulation = mortise.Simulation(blocks)
    for _ in range(60):
        simulation.advance(1 / 60)
    assert simulation.time == pytest.approx(1, abs=1e-12) and simulation.time_step == 0.001
    simulation.reset()
    simulation.advance(0.0004)
    assert simulation.time == pytest.approx(0.0004, abs=1e-15) and simulation.tick == 1
    simulation.reset()
    hashes = []
    for parts in (1, 10):
        simulation.reset()
        for _ in range(parts):
            simulation.advance(0.1 / parts)
        hashes.append(simulation.state_hash())
    assert hashes[0] == hashes[1]


def test_runs_are_logged_and_logs_are_read(blocks, tmp_path):
    simulation = mortise.Simulation(blocks)
    rows, frames = str(tmp_path / "run.csv"), tmp_path / "run.mcap"
    simulation.log(rows)
    simulation.log(frames)
    heights, times = [simulation.object_pose("ball").p[2]], [0.0]
    for _ in range(20):
        simulation.advance(0.01)
        heights.append(simulation.object_pose("ball").p[2])
        times.append(simulation.time)
    unlogged = mortise.Simulation(blocks)
    unlogged.advance(0.2)
    assert simulation.state_hash() == unlogged.state_hash()
    simulation.close_logs()
    simulation.advance(0.1)  # Is in no log.
    table = mortise.load(rows)
    assert len(table["time"]) == 201 and table["time"][::10] == pytest.approx(times)
    assert any(len(column) == 201 and np.allclose(column[::10], heights) for column in table.values())
    log = mortise.load(frames)
    state = log["/mortise/state"]
    assert state["time"] == pytest.approx(times) and state["tick"].tolist() == list(range(0, 201, 10))
    assert any(np.allclose(column, heights, atol=1e-6) for column in state.values())
    assert set(state) >= {"time", "tick"} and "/mortise/contacts" in log
    with pytest.raises(mortise.Error, match="logs are written as"):
        simulation.log(tmp_path / "run.xyz")
    with pytest.raises(ValueError, match="rate: expected a rate above 0"):
        simulation.log(tmp_path / "slow.csv", rate=0)
    simulation.log(tmp_path / "few.csv", what=["objects"], rate=100)
    simulation.advance(0.1)
    del simulation  # Completes the file.
    gc.collect()
    assert len(mortise.load(tmp_path / "few.csv")["time"]) == 11


def test_tables_that_are_damaged_say_where(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('time,"a ""b"", c",word\n0,1,x\n\n0.5,,y\r\n')
    table = mortise.load(path)
    assert list(table) == ["time", 'a "b", c', "word"] and table["word"] == ["x", "y"]
    assert np.isnan(table['a "b", c'][1]) and table["time"].tolist() == [0, 0.5]
    path.write_text("time,a\n0,1\n1\n")
    with pytest.raises(mortise.Error, match="has 1 fields") as caught:
        mortise.load(path)
    assert caught.value.line == 3
    path.write_text('time,"a\n')
    with pytest.raises(mortise.Error, match="quoted field does not end"):
        mortise.load(path)
    (tmp_path / "b.mcap").write_bytes(b"no log")
    with pytest.raises(mortise.Error):
        mortise.load(tmp_path / "b.mcap")
    (tmp_path / "table.txt").write_text("t,x\n0,1\n")
    assert mortise.load(tmp_path / "table.txt", "log")["x"].tolist() == [1]


def test_sensors_are_views(data):
    world = mortise.load_world(data / "worlds" / "watched_blocks.xml")
    simulation = mortise.Simulation(world)
    simulation.advance(0.1)
    sensors = {sensor.name: sensor for robot in range(len(world.robots)) for sensor in simulation.sensors(robot)}
    assert sensors
    for sensor in sensors.values():
        assert len(sensor.channels) == len(sensor.values)
        assert not sensor.values.flags.owndata and np.shares_memory(sensor.values, sensor.values)
        with pytest.raises(ValueError):
            sensor.values[0] = 1
        if sensor.camera is not None and sensor.camera["depth"]:
            assert sensor.depth_image.shape == (sensor.camera["height"], sensor.camera["width"])
            assert np.shares_memory(sensor.depth_image, sensor.values)
        if sensor.camera is not None and sensor.camera["color"]:
            image = sensor.color_image
            height, width = sensor.camera["height"], sensor.camera["width"]
            assert image.shape == (height, width, 3) and image.dtype == np.uint8 and image.flags.c_contiguous
            packed = sensor.values[:height * width].reshape(height, width)
            assert np.array_equal(image @ np.array([65536, 256, 1]), packed) and len(np.unique(packed)) > 5
    kept = next(iter(sensors.values())).values
    del simulation, sensors, sensor
    gc.collect()
    kept.sum()
    with pytest.raises(KeyError, match="it has"):
        mortise.Simulation(world).sensor("nothing")


def test_controllers_take_commands(data):
    world = mortise.load_world(data / "robots" / "heron.urdf")
    robot = world.robot(0).robot
    simulation = mortise.Simulation(world, controllers={0: "PolynomialPathController"}, control_rate=200)
    controller = simulation.controller()
    assert "set_q" in controller.commands()
    q = np.array(robot.initial_configuration())
    q[1] += 0.1
    controller.command("set_q", q)
    simulation.advance(1)
    assert abs(simulation.configuration()[1] - q[1]) < 0.05
    with pytest.raises(KeyError, match="set_q"):
        controller.command("nothing")


def test_backends_and_their_settings(blocks):
    simulation = mortise.Simulation(blocks, backend="kinematic", step=0.01)
    assert simulation.time_step == 0.01 and "inematic" in simulation.backend
    with pytest.raises(mortise.Error, match="[Aa]vailable|did you mean|mortise"):
        mortise.Simulation(blocks, backend="morise")
    with pytest.raises(mortise.Error):
        mortise.Simulation(blocks, settings={"no_such_setting": 1})
    with pytest.raises(mortise.Error):
        mortise.Simulation(blocks, controllers={0: {"type": "NoSuchController"}})


def test_descriptions_are_edited_and_saved(data, tmp_path):
    description = mortise.load_world_description(data / "worlds" / "blocks.xml")
    before = description.compile()
    description.set_object_pose("ball", mortise.RigidTransform(p=[0, 0, 2]))
    description.remove_object("cup")
    file = tmp_path / "edited.xml"
    description.save(file)
    after = mortise.load_world(file)
    assert len(after.objects) == len(before.objects) - 1
    assert after.object("ball").pose.p[2] == 2
    with pytest.raises(KeyError):
        after.object("cup")


def test_errors_of_worlds_have_lines(tmp_path):
    file = tmp_path / "bad.xml"
    file.write_text("<world>\n  <robot file=\"missing.rob\"/>\n</world>\n")
    with pytest.raises(mortise.Error) as raised:
        mortise.load_world(file)
    assert "missing.rob" in str(raised.value)
    assert raised.value.file.endswith("bad.xml") and raised.value.line == 2


def test_pipelines_run(data, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = mortise.run_pipeline(data / "pipelines" / "first.yaml", output=tmp_path / "run")
    assert result["status"] == "done"
    assert (tmp_path / "run" / "result.json").exists()
    with pytest.raises(mortise.Error) as raised:
        mortise.check_pipeline(data / "pipelines" / "first.yaml", settings={"simulation.backend": "nothing"})
    assert raised.value.diagnostics or raised.value.message


def test_many_worlds_use_no_memory(data):
    import resource

    def once():
        return mortise.load_world(data / "robots" / "pole.rob")

    for _ in range(50):
        once()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(500):
        once()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096
