"""Drivers of robots, written in Python: they read the robot's sensors and write the commands of its motors.

    import mortise

    @mortise.hardware("acme.Bus", summary="A bus of position servos.")
    class Bus(mortise.Hardware):
        device: str = mortise.setting("/dev/ttyUSB0", "Where the bus is.")
        capabilities = ["position"]
        period = 0.01

        def connect(self, setup):
            self.port = open_bus(self.device)
            self.sensors = [mortise.HardwareSensor("q", setup.robot.num_links, roles=["joint_positions"])]

        def read(self, state):
            state["q"][:] = self.port.positions()
            return True

        def write(self, commands, period):
            self.port.set_goals(commands.position)

        def stop(self):
            self.port.set_goals(self.port.positions())

        def emergency_stop(self):
            self.port.switch_off()

The page docs/plugins_hardware.md says more.
"""

from typing import Any, Callable, Dict, List, Optional, Sequence, TypeVar

from ._components import Component, _declare, _with_roles

_Class = TypeVar("_Class", bound=type)


def hardware(name: str, *, summary: Optional[str] = None, aliases: Sequence[str] = (),
             roles: Sequence[str] = ()) -> Callable[[_Class], _Class]:
    """Declares a driver of a robot: a class with `read(self, state)`, `write(self, commands, period)`, `stop(self)` and
    `emergency_stop(self)`. `roles`: what the program may use it for, such as 'default_hardware'."""
    return _declare("hardware", name, summary, aliases, _with_roles({}, roles))


class HardwareSetup:
    """What a driver is connected with.

    robot: a `Robot`; rate: Hz, as the user wants it, 0 where the driver chooses; world: a `World` as it was loaded or None; robot_index:
    of the robot in it, or -1.
    """

    __slots__ = ("robot", "rate", "world", "robot_index")
    robot: Any
    rate: float
    world: Any
    robot_index: int


class HardwareSensor:
    """A sensor of a robot: its name, how many values it has or what they are called, and what they are (`roles`, `type`)."""

    __slots__ = ("name", "size", "channels", "roles", "type")

    def __init__(self, name: str, size: int = 0, *, channels: Sequence[str] = (), roles: Sequence[str] = (), type: str = "") -> None:
        for key, names in (("channels", channels), ("roles", roles)):
            if isinstance(names, str):
                raise TypeError(f"{key}: expected a list of texts, found the text {names!r}")
        if channels and size not in (0, len(channels)):
            raise ValueError(f"sensor '{name}' has {len(channels)} channels, not {size}")
        self.name, self.size, self.channels, self.roles, self.type = name, size or len(channels), list(channels), list(roles), type

    def __repr__(self) -> str:
        return f"HardwareSensor('{self.name}', {self.size})"


class HardwareState:
    """What `read` fills in: `state[name]`, an array of the values of that sensor, and `time` (s), by the robot's clock where it has one."""

    __slots__ = ("time", "_values", "_missing")
    time: float
    _values: Dict[str, Any]
    _missing: List[str]

    def __getitem__(self, name: str) -> Any:
        try:
            return self._values[name]
        except KeyError:
            raise KeyError(f"the hardware has no sensor '{name}': {', '.join(self._values)}") from None

    def __setitem__(self, name: str, values: Any) -> None:
        self[name][:] = values

    def not_measured(self, name: str) -> None:
        """Says that the sensor measured nothing new this time."""
        self[name]
        self._missing.append(name)


class Hardware(Component):
    """A driver of a robot. All functions are called by one thread, and what any of them raises is a fault, which ends in the emergency
    stop.

    `read(state)` fills in the newest state and returns True, False where there is none yet, or a text, why, when the robot has left;
    `write(commands, period)` takes `ActuatorCommands`, which hold until the next ones; `stop()`, at the end, brings the robot to rest;
    `emergency_stop()`, after a fault or when the user wants it, switches the motors off or does whatever is safest.

    capabilities: what it carries out, of "position", "velocity", "torque", "feedforward", "gains", "mixed" and "limits"; sensors: a list
    of `HardwareSensor`, one with the role 'joint_positions' and a value a link; place: for messages; period: s, 0 leaves it to the user;
    sets_pace: whether `read` waits for the next state. They are known after `connect`. skipped and refused are counts for the report.
    """

    capabilities: Sequence[str] = ()
    sensors: Sequence[HardwareSensor] = ()
    place: str = ""
    period: float = 0.0
    sets_pace: bool = False
    skipped: int = 0
    refused: int = 0

    def connect(self, setup: HardwareSetup) -> None:
        """Once, first: opens the connection; the motors stay as they are."""

    def start(self, q: Any, period: float) -> None:
        """Once, after the first state: switches the motors on. q: where the robot is, (num_links,)."""

    def confirm(self) -> None:
        """In place of `write`, after a state without an update: nothing changes."""

    def fault(self) -> str:
        """What is wrong with the robot now; empty: nothing."""
        return ""
