"""Drivers of robots written in Python, in `mortise drive`."""

import json
import os
import subprocess

import mortise
import pytest

DRIVER = '''
import mortise


@mortise.hardware("test.Bus", summary="Joints that are where they are told to be.")
class Bus(mortise.Hardware):
    how: str = mortise.setting("well", "What happens at the fifth state.")
    calls: str = mortise.setting("", "A file for the names of what was called.")
    capabilities = ["position"]
    period = 0.01

    def note(self, what):
        if self.calls:
            with open(self.calls, "a") as out:
                out.write(what + "\\n")

    def connect(self, setup):
        assert setup.robot.num_links == 6 and setup.world is None and setup.robot_index == -1
        self.place = "the bus"
        self.sensors = [mortise.HardwareSensor("q", 6, roles=["joint_positions"]),
                        mortise.HardwareSensor("heat", channels=["motor", "board"])]
        if self.how == "capability":
            self.capabilities = ["positions"]
        if self.how == "refuses":
            raise RuntimeError("nobody answers")
        self.q = setup.robot.initial_configuration()
        self.states = 0
        self.note("connect")

    def start(self, q, period):
        assert list(q) == list(self.q) and period == 0.01
        self.note("start")

    def read(self, state):
        self.states += 1
        late = self.states >= 5
        if late and self.how == "leaves":
            return "it was switched off"
        if late and self.how == "raises":
            raise OSError("the cable is cut")
        if late and self.how == "forgets":
            return None
        if late and self.how == "silent":
            return False
        state["q"] = self.q
        if late and self.how == "missing":
            state.not_measured("q")
        state["heat"][:] = [20 + self.states, 30]
        if late and self.how == "name":
            state["Q"] = self.q
        self.refused = 3
        return True

    def write(self, commands, period):
        assert len(commands) == 6 and list(commands.mode) == [commands.PID] * 6 and period == 0.01
        assert not commands.position.flags.writeable
        self.q[:] = commands.position
        self.note("write")

    def fault(self):
        return "a motor is too hot" if self.how == "fault" and self.states >= 5 else ""

    def stop(self):
        self.note("stop")

    def emergency_stop(self):
        self.note("emergency_stop")
        if self.how == "raises":
            raise OSError("the cable is still cut")
'''

STUCK = '''
import time

import mortise


@mortise.controller("test.Stuck", summary="Gives no command until the emergency stop was called.")
class Stuck(mortise.Controller):
    calls: str = mortise.setting("", "The file for the names of what was called.")

    def update(self, input, commands):
        commands.set_pid(self.robot.driver_values(input.q))
        while input.tick == 2 and "emergency_stop" not in open(self.calls).read():
            time.sleep(0.01)
'''


@pytest.fixture(scope="module")
def drive(program, data, tmp_path_factory):
    host = program.parents[1] / "lib" / "mortise" / "plugins" / "mortise_python_host.so"
    if not host.exists():
        pytest.skip("the plugin mortise_python_host is not built")
    folder = tmp_path_factory.mktemp("drive")
    driver = folder / "bus.py"
    driver.write_text(DRIVER)

    stuck = folder / "stuck.py"
    stuck.write_text(STUCK)

    def call(how="well", *more, code=0, controller=None):
        calls = folder / "calls"
        calls.write_text("")
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        done = subprocess.run([program, "drive", data / "robots" / "reacher.rob", "--hardware", driver, "--hardware-set", f"how={how}",
                               "--hardware-set", f"calls={calls}", *(controller or follow)(calls), "--duration",
                               "0.2" if how == "well" else "1000", *more],
                              capture_output=True, text=True, timeout=200, env=environment)
        assert done.returncode == code, done.stdout + done.stderr
        return done, calls.read_text().split()

    def follow(calls):
        return "--controller", "PathFollowingController", "--set", f"path={data}/motions/reacher_sweep.path"

    call.stuck = lambda calls: ("--controller", f"{stuck}:test.Stuck", "--set", f"calls={calls}")
    return call


def test_a_driver_drives(drive, tmp_path):
    done, calls = drive("well", "--json", "--log", str(tmp_path / "log.csv"))
    result = json.loads(done.stdout)
    assert result["hardware"] == "test.Bus" and result["ended"] == "the duration is over"
    assert result["updates"] >= 1 and result["refused"] == 3 and not result["emergency_stop"]
    assert calls == ["connect", "start"] + ["write"] * result["updates"] + ["stop"]
    header, *rows = (tmp_path / "log.csv").read_text().splitlines()
    names = header.split(",")
    first, second = ([float(number) for number in row.split(",")] for row in rows[:2])
    assert names[1] == "q.q[shoulder_yaw]" and first[names.index("heat.motor")] == 21
    # Joints are where they were told to be.
    assert second[1] == first[names.index("qcmd[shoulder_yaw]")] or len(rows) < 2


@pytest.mark.parametrize("how, message, last", [
    ("fault", "the bus reports a fault at t = ", "emergency_stop"),
    ("raises", "the cable is cut", "emergency_stop"),
    ("forgets", "read returned None", "emergency_stop"),
    ("name", "the hardware has no sensor 'Q': q, heat", "emergency_stop"),
    ("missing", "has no 'q': where the robot is, is not known", "emergency_stop"),
    ("capability", "there is no capability 'positions'", "connect"),
    ("refuses", "nobody answers", None),
])
def test_what_goes_wrong_is_said(drive, how, message, last):
    done, calls = drive(how, code=1)
    assert message in done.stderr
    assert (calls[-1] if calls else None) == last
    assert "stop" not in calls


def test_an_emergency_stop_that_fails_is_said(drive):
    done, _ = drive("raises", code=1)
    assert "the emergency stop failed: " in done.stderr and "the cable is still cut" in done.stderr


def test_a_robot_that_falls_silent_is_lost(drive):
    done, calls = drive("silent", "--timeout", "0.05", code=1)
    assert "the bus gave no new state for 0.05 s" in done.stderr
    assert calls[-1] == "emergency_stop"


def test_a_controller_that_gives_no_command(drive):
    done, calls = drive("forgets", "--timeout", "3", controller=drive.stuck, code=1)
    assert "it gave no command for 3 s; the emergency stop of the bus was called" in done.stderr
    assert "the program ends when the controller is done with its update" in done.stderr
    assert calls == ["connect", "start", "write", "write", "emergency_stop"]


def test_a_robot_leaves(drive):
    done, calls = drive("leaves", "--json")
    assert json.loads(done.stdout)["ended"] == "it was switched off"
    assert calls[-1] == "stop"


def test_drivers_have_their_methods():
    with pytest.raises(TypeError, match="needs the method write and stop and emergency_stop"):
        mortise.hardware("a.B")(type("B", (mortise.Hardware,), {"read": lambda self, state: True}))
    with pytest.raises(TypeError, match="expected a list of texts"):
        mortise.HardwareSensor("q", 2, roles="joint_positions")
    with pytest.raises(ValueError, match="has 2 channels, not 3"):
        mortise.HardwareSensor("q", 3, channels=["a", "b"])
