"""A controller, a sensor, a stage and a space written in Python, for heron.xml, heron.yaml and board.yaml."""

import math
from typing import Any, List, Sequence

import mortise
import numpy as np

__version__ = "1.0.0"


@mortise.controller("example.Reach", summary="Moves to a configuration as a spring with a damper would, and carries its weight.")
class Reach(mortise.Controller):
    """Torques of a spring and a damper toward `goal`, and those that cancel gravity.

    The goal is where the robot stands at the start, until the setting or the command `reach` says otherwise.
    """

    stiffness: float = mortise.setting(120.0, "Torque for each radian from the goal.", min=0, unit="N*m/rad", changeable=True)
    damping: float = mortise.setting(15.0, "Torque for each radian a second.", min=0, unit="N*m*s/rad", changeable=True)
    goal: List[float] = mortise.setting([], "Configuration to reach, one number a link; empty: that of the start.", changeable=True)

    def start(self, setup: mortise.ControllerSetup) -> None:
        self.robot = setup.robot
        self.dynamics = mortise.RobotDynamics(setup.robot)
        self.target = self.checked(self.goal) if len(self.goal) > 0 else setup.q.copy()

    def checked(self, q: Sequence[float]) -> Any:
        if len(q) != self.robot.num_links:
            raise ValueError(f"a goal of {len(q)} numbers for a robot of {self.robot.num_links} links")
        return np.array(q, dtype=float)

    def setting_changed(self, name: str) -> None:
        if name == "goal":
            self.target = self.checked(self.goal)

    @mortise.command
    def reach(self, q: Sequence[float]) -> None:
        """Another goal: one number a link."""
        self.target = self.checked(q)

    def update(self, input: mortise.ControllerInput, commands: mortise.ActuatorCommands) -> None:
        self.dynamics.set_state(input.q, input.dq)
        torque = self.stiffness * (self.target - input.q) - self.damping * input.dq + self.dynamics.gravity_forces()
        commands.set_torque([torque[driver.links[0]] for driver in self.robot.drivers])


@mortise.sensor("example.Tip", summary="Where a link is, and how fast it moves, with noise.")
class Tip(mortise.Sensor):
    link: str = mortise.setting("", "Name of the link.", required=True)
    deviation: float = mortise.setting(0.0, "Standard deviation of the noise.", min=0, unit="m", changeable=True)

    channels = ["x", "y", "z", "speed"]

    def start(self, setup: mortise.ControllerSetup) -> None:
        self.robot = setup.robot_index
        setup.robot.link(self.link)  # Raises KeyError with the nearest name.

    def simulate(self, view: mortise.SimulationView, out: Any) -> None:
        out[:3] = view.link_pose(self.link, self.robot).p
        if self.deviation > 0:
            out[:3] += self.host.gaussian(0, self.deviation, 3)
        out[3] = math.dist(view.link_velocity(self.link, self.robot)[0], (0, 0, 0))


@mortise.stage("example.Nod", summary="A motion in which one joint of the first robot swings to and fro.")
class Nod(mortise.Stage):
    link: str = mortise.setting("", "Name of the link that the joint moves.", required=True)
    amplitude: float = mortise.setting(0.3, "How far it swings.", unit="rad")
    period: float = mortise.setting(1.0, "Of one swing.", min=0.01, unit="s")
    duration: float = mortise.setting(2.0, "Of the motion.", min=0.02, unit="s")
    save: str = mortise.setting("nod", "Name of the motion, for later stages.")

    def check(self, context: mortise.StageContext) -> None:
        context.world.robot(0).robot.link(self.link)

    def run(self, context: mortise.StageContext) -> None:
        start = context.world.robot(0)
        times = np.linspace(0, self.duration, 1 + int(self.duration / 0.02))
        q = np.tile(start.q, (len(times), 1))
        q[:, start.robot.link(self.link).index] += self.amplitude * np.sin(2 * np.pi * times / self.period)
        context.save_trajectory(self.save, mortise.Trajectory(times, q))
        hand = mortise.forward_kinematics(start.robot, q)[:, -1, 9:]
        context.save_result(self.save, {"milestones": len(times), "height": float(hand[:, 2].max())})


@mortise.space("example.Board", summary="Where a disc fits between the pins of a board.")
class Board(mortise.PlanningSpace):
    radius: float = mortise.setting(0.1, "Of the disc.", min=0, unit="m")
    low, high = [0, 0], [4, 2]
    pins = np.array([[1.0, 0.5], [1.0, 1.5], [2.0, 0.2], [2.0, 1.0], [2.0, 1.8], [3.0, 0.5], [3.0, 1.5]])

    def feasible(self, q: Any) -> bool:
        return bool(((self.pins - q) ** 2).sum(axis=1).min() > self.radius ** 2)
