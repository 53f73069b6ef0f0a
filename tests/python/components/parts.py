"""Components for the tests. It is a plugin: the tests name this file."""

import os
import signal
import time

import mortise
import numpy as np

__version__ = "1.2.3"
__license__ = "MIT"


@mortise.controller("test.Damper", aliases=["TestDamper"], summary="As acme.SpringDamper of sdk/examples.")
class Damper(mortise.Controller):
    """Pulls every driver to a rest position and opposes its motion."""

    stiffness: float = mortise.setting(4.0, "Torque for each radian away from rest.", min=0, unit="N*m/rad", changeable=True)
    damping: float = mortise.setting(1.0, "Torque for each radian a second.", min=0, unit="N*m*s/rad", changeable=True)
    rest: list = mortise.setting([], "Rest position of each driver, rad; empty: all 0.", changeable=True)

    def update(self, input, commands):
        q, dq = self.robot.driver_values(input.q), self.robot.driver_velocities(input.dq)
        rest = self.rest if len(self.rest) > 0 else 0.0
        commands.set_torque(-self.stiffness * (q - rest) - self.damping * dq)


@mortise.controller("test.Counting")
class Counting(mortise.Controller):
    """Holds state of every kind: numbers, arrays, texts, random generators, objects."""

    class Memory:
        def __init__(self):
            self.total = 0.0
            self.recent = [np.zeros(2), "none"]

    gain: float = mortise.setting(1.0, "Of the noise.", changeable=True)

    def start(self, setup):
        self.robot = setup.robot
        self.memory = self.Memory()
        self.generator = np.random.default_rng(5)
        self.names = {"one": 1}
        self.count = 0

    def update(self, input, commands):
        self.count += 1
        self.memory.total += float(input.q.sum())
        self.memory.recent = [np.array([self.count, input.time]), f"step {self.count}"]
        self.names["one"] += self.count
        noise = self.gain * self.generator.normal() + self.host.gaussian(0, 0.1)
        commands.set_torque(noise - 0.5 * self.robot.driver_velocities(input.dq) + 1e-3 * self.memory.total)

    @mortise.command
    def louder(self, factor):
        """More noise."""
        self.gain *= factor


@mortise.controller("test.Bad")
class Bad(mortise.Controller):
    """Fails in the way that `how` says, at its third update."""

    how: str = mortise.setting("raise", "What goes wrong.", choices=["raise", "nan", "shape", "sleep", "spin", "kill", "vanish", "start",
                                                                    "exit", "mode"])

    def start(self, setup):
        self.count = 0
        if self.how == "start":
            raise RuntimeError("cannot begin")

    def update(self, input, commands):
        self.count += 1
        if self.count < 3:
            return
        if self.how == "raise":
            raise ValueError("three is too many")
        if self.how == "nan":
            commands.set_torque(np.nan)
        if self.how == "shape":
            commands.torque[:] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
        if self.how == "sleep":
            time.sleep(1e6)
        while self.how == "spin":
            pass
        if self.how == "kill":
            os.kill(os.getpid(), signal.SIGTERM)
        if self.how == "vanish" and input.time > 2.5:
            os.kill(os.getpid(), signal.SIGKILL)
        if self.how == "exit":
            raise SystemExit(4)
        if self.how == "mode":
            commands.mode[0] = 9


@mortise.sensor("test.Height", summary="How high a link is.")
class Height(mortise.Sensor):
    link: str = mortise.setting("", "Name of the link; empty: the last one.")
    bad: bool = mortise.setting(False, "Measures what is not a number.")
    channels = ["height", "time"]

    def start(self, setup):
        self.index = setup.robot.num_links - 1 if self.link == "" else setup.robot.find_link(self.link)
        self.observed = 0

    def simulate(self, view, out):
        self.view = view
        out[0] = np.nan if self.bad else view.link_pose(self.index).p[2]
        out[1] = view.time

    def observe(self, view, dt):
        self.observed += 1


@mortise.estimator("test.Filtered", summary="Sensors, with filtered velocities.")
class Filtered(mortise.Estimator):
    weight: float = mortise.setting(0.5, "Of what is new.", min=0, max=1)

    def start(self, setup):
        self.speed = np.zeros(setup.robot.num_links)

    def read_sensors(self, input):
        self.position = input.q.copy()
        self.speed += self.weight * (input.dq - self.speed)
        assert input.truth is not None

    def estimate(self, q, dq):
        q[:] = self.position
        dq[:] = self.speed


@mortise.controller("test.Estimated", estimator="test.Filtered")
class Estimated(mortise.Controller):
    def update(self, input, commands):
        q, dq = input.estimate
        commands.set_torque(-2 * self.robot.driver_velocities(dq) - self.robot.driver_values(q))


@mortise.stage("test.Double", summary="Doubles a number.")
class Double(mortise.Stage):
    number: float = mortise.setting(1.0, "What is doubled.", min=0)
    save: str = mortise.setting("doubled", "Name of the result.")

    def check(self, context):
        if self.number == 13:
            raise ValueError("13 brings bad luck")

    def run(self, context):
        context.save_result(self.save, {"value": 2 * self.number, "links": context.world.robot(0).robot.num_links})
        context.save_trajectory("way", mortise.Trajectory([0, 1], [context.world.robot(0).q, context.world.robot(0).q]))
        with open(context.output_path("doubled.txt"), "w") as file:
            file.write(str(2 * self.number))


@mortise.space("test.Corridor", summary="A disc that goes round a wall.")
class Corridor(mortise.PlanningSpace):
    radius: float = mortise.setting(0.1, "Of the disc.", min=0, unit="m")
    low, high = [0, 0], [4, 2]

    def feasible(self, q):
        if self.radius == 7:
            raise LookupError("a disc of seven")
        return abs(q[0] - 2) > self.radius or q[1] > 1 + self.radius


@mortise.space("test.Gentle", summary="An arm whose joints stay within a ball.")
class Gentle(mortise.PlanningSpace):
    reach: float = mortise.setting(1.0, "Radius of the ball.", min=0)

    def prepare(self, world):
        self.rest = world.robot(0).q
        self.low, self.high = self.rest[:2] - 2, self.rest[:2] + 2

    def initial(self):
        return self.rest[:2]

    def feasible(self, q):
        return np.linalg.norm(q - self.rest[:2]) < self.reach

    def configuration(self, q):
        return np.concatenate([q, self.rest[2:]])


@mortise.file_format("test.Lines", extensions=["lines"], reads=["trajectory"], writes=["trajectory"],
                     summary="Times and configurations, a line each.")
class Lines(mortise.FileFormat):
    def read(self, path, content):
        rows = np.loadtxt(path, ndmin=2)
        return mortise.Trajectory(rows[:, 0], rows[:, 1:])

    def write(self, path, value):
        np.savetxt(path, np.column_stack([value.times, value.configurations]), fmt="%.17g")


@mortise.recorder("test.Heights", summary="A line a tick: time and height of a link.")
class Heights(mortise.Recorder):
    file: str = mortise.setting("heights.txt", "Name of the file.")
    link: int = mortise.setting(0, "Which link.", min=0)
    fail_at: float = mortise.setting(-1.0, "Raises at this time; below 0: never.", unit="s")
    snapshot_period: float = mortise.setting(0.0, "Between saved states.", min=0, unit="s")

    def open(self, setup):
        self.out = open(setup.path(self.file), "w")
        print(setup.world.robot(0).robot.name, *setup.what, file=self.out)

    def write(self, view):
        if 0 <= self.fail_at <= view.time:
            raise ValueError("the pen is dry")
        print(view.time, view.link_pose(self.link).p[2], file=self.out)

    def write_snapshot(self, view, state):
        print("saved", view.time, type(state).__name__, len(state) > 0, file=self.out)

    def finish(self, ending):
        print("end", ending["state_hash"], file=self.out)

    def close(self):
        self.out.close()
