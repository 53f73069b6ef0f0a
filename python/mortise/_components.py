"""Components written in Python: decorators that declare them, and what they are handed.

A controller, sensor, estimator, recorder, stage, file format or driver of a robot is a class with a decorator; its settings are
class attributes:

    import mortise

    @mortise.controller("acme.Damper", summary="Opposes motion of every driver.")
    class Damper(mortise.Controller):
        gain: float = mortise.setting(1.0, "Torque for each radian a second.", min=0, unit="N*m*s/rad", changeable=True)

        def update(self, input, commands):
            commands.set_torque(-self.gain * self.robot.driver_velocities(input.dq))

The page docs/python_components.md says more.
"""

import inspect
import re
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, TypeVar

import numpy as np

from . import _mortise

_Class = TypeVar("_Class", bound=type)
_Function = TypeVar("_Function", bound=Callable[..., Any])

_TYPES = {bool: "boolean", int: "integer", float: "real", str: "string", dict: "map"}
_TYPE_NAMES = ("boolean", "integer", "real", "string", "real_list", "integer_list", "string_list", "map", "any")
TIME_LIMIT = 30.0  # s, the default of every component's `time_limit`


class _Setting:
    """The object that `setting` returns; `declare` of the class puts the default in its place."""

    __slots__ = ("default", "entry")

    def __init__(self, default: Any, entry: Dict[str, Any]) -> None:
        self.default = default
        self.entry = entry


def _type_name(name: str, default: Any, wanted: Any) -> str:
    if isinstance(wanted, str):
        if wanted not in _TYPE_NAMES:
            raise TypeError(f"setting '{name}': type is one of {', '.join(_TYPE_NAMES)}, not '{wanted}'")
        return wanted
    if wanted is not None:
        if wanted not in _TYPES:
            raise TypeError(f"setting '{name}': type is bool, int, float, str, dict or one of {', '.join(_TYPE_NAMES)}")
        return _TYPES[wanted]
    if isinstance(default, np.ndarray):
        return "real_list"
    if isinstance(default, (list, tuple)):
        if default and all(isinstance(item, str) for item in default):
            return "string_list"
        if default and all(isinstance(item, int) and not isinstance(item, bool) for item in default):
            return "integer_list"
        if all(isinstance(item, (int, float)) for item in default):
            return "real_list"
        return "any"
    return _TYPES.get(type(default), "any")


def setting(default: Any = None, summary: str = "", *, min: Optional[float] = None, max: Optional[float] = None,
            unit: str = "", choices: Sequence[str] = (), aliases: Sequence[str] = (), required: bool = False,
            size: Optional[int] = None, infinite: bool = False, changeable: bool = False, type: Any = None) -> Any:
    """A setting of a component, as a class attribute.

    The type is that of the default (bool, int, float, str, list of one of them, dict); without a default, or to choose
    another one, `type` says it: float, int, bool, str, dict, or 'real_list', 'integer_list', 'string_list', 'any'.
    Numbers are in the SI unit `unit`; users may write others of the same dimension ('90 deg'). `changeable`: can change
    while the component runs, and is saved with its state.
    """
    entry: Dict[str, Any] = {"summary": summary, "type": type}
    for key, value in (("min", min), ("max", max), ("size", size)):
        if value is not None:
            entry[key] = value
    if unit:
        entry["unit"] = unit
    for key, names in (("choices", choices), ("aliases", aliases)):
        if isinstance(names, str):
            raise TypeError(f"{key}: expected a list of names, found '{names}'")
        if names:
            entry[key] = list(names)
    for key, on in (("required", required), ("infinite", infinite), ("changeable", changeable)):
        if on:
            entry[key] = True
    return _Setting(default, entry)


def command(function: _Function) -> _Function:
    """Makes a method of a controller a command of its name, for `commands:` of pipelines and `--command`.

    It is called with the arguments as they are written (numbers, text, list, dict); the first line of its docstring is
    what lists of commands show.
    """
    function.__mortise_command__ = True  # type: ignore[attr-defined]
    return function


_ANNOTATIONS = {bool: "boolean", int: "integer", float: "real", str: "string", "bool": "boolean", "int": "integer",
                "float": "real", "str": "string"}


def _settings_of(cls: type) -> List[Dict[str, Any]]:
    """The settings of a class and of those it derives from; puts the defaults in their places."""
    found: Dict[str, Dict[str, Any]] = {}
    for base in reversed(cls.__mro__):
        for name, value in list(vars(base).items()):
            if not isinstance(value, _Setting):
                continue
            entry = dict(value.entry)
            entry["name"] = name
            wanted = entry["type"] if entry["type"] is not None else _ANNOTATIONS.get(
                vars(base).get("__annotations__", {}).get(name))
            entry["type"] = _type_name(name, value.default, wanted)
            default = value.default
            if entry["type"] == "real" and default is not None:
                default = float(default)
            elif entry["type"] == "real_list" and default is not None:
                default = np.array(default, dtype=float)
            setattr(base, name, default)
            if default is not None and not entry.get("required"):
                entry["default"] = default.tolist() if isinstance(default, np.ndarray) else default
            known = dict(vars(base).get("__mortise_settings__", {}))
            known[name] = entry
            base.__mortise_settings__ = known  # type: ignore[attr-defined]
        for name, entry in vars(base).get("__mortise_settings__", {}).items():
            found.pop(name, None)
            found[name] = entry
    return list(found.values())


def _declare(kind: str, name: str, summary: Optional[str], aliases: Sequence[str],
             attributes: Dict[str, Any]) -> Callable[[_Class], _Class]:
    if isinstance(name, str) and not re.fullmatch(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*", name):
        raise ValueError(f"'{name}' cannot be the name of a component: use letters, digits, '_' and '-', with dots between "
                         "parts: acme.Damper")
    if not isinstance(name, str):
        raise TypeError(f"@mortise.{kind} needs the component's name: @mortise.{kind}('acme.Name')")

    def decorate(cls: _Class) -> _Class:
        if not isinstance(cls, type):
            raise TypeError(f"@mortise.{kind}('{name}') decorates a class, not {cls!r}")
        missing = [method for method in _REQUIRED[kind] if not callable(getattr(cls, method, None))]
        if missing:
            raise TypeError(f"{kind} '{name}' needs the method {' and '.join(missing)}")
        text = inspect.cleandoc(vars(cls).get("__doc__") or "")
        settings = _settings_of(cls)
        if not any(entry["name"] == "time_limit" for entry in settings):
            settings.append({"name": "time_limit", "type": "real", "default": TIME_LIMIT, "unit": "s", "min": 1e-3,
                             "infinite": True,
                             "summary": "Wall time that one call may take; a component that takes longer fails."})
        cls.__mortise__ = {  # type: ignore[attr-defined]
            "kind": kind, "name": name, "aliases": list(aliases),
            "summary": summary if summary is not None else text.split("\n")[0],
            "documentation": text, "schema": {"parameters": settings}, "attributes": attributes}
        return cls

    return decorate


_REQUIRED = {"controller": ("update",), "sensor": ("simulate",), "estimator": ("estimate",), "stage": ("run",),
             "recorder": ("write",), "format": (), "hardware": ("read", "write", "stop", "emergency_stop")}


def _with_roles(attributes: Dict[str, Any], roles: Sequence[str]) -> Dict[str, Any]:
    """The attributes, and the roles where there are any. Raises TypeError for a text: one role is a list of one."""
    if isinstance(roles, str):
        raise TypeError(f"roles: expected a list of texts, found the text {roles!r}; write roles=[{roles!r}]")
    return {**attributes, "roles": list(roles)} if roles else attributes


def controller(name: str, *, summary: Optional[str] = None, aliases: Sequence[str] = (), estimator: str = "",
               roles: Sequence[str] = ()) -> Callable[[_Class], _Class]:
    """Declares a controller: a class with `update(self, input, commands)`. `estimator`: the one it asks for; `roles`: what the
    program may use it for, such as 'default_controller'."""
    return _declare("controller", name, summary, aliases, _with_roles({"estimator": estimator} if estimator else {}, roles))


def sensor(name: str, *, summary: Optional[str] = None, aliases: Sequence[str] = (),
           roles: Sequence[str] = ()) -> Callable[[_Class], _Class]:
    """Declares a sensor: a class with `simulate(self, view, out)` and `channels`, a list of names. `roles`: what it measures, such as
    'joint_positions'."""
    return _declare("sensor", name, summary, aliases, _with_roles({}, roles))


def estimator(name: str, *, summary: Optional[str] = None, aliases: Sequence[str] = ()) -> Callable[[_Class], _Class]:
    """Declares a state estimator: a class with `estimate(self, q, dq)`, which fills both."""
    return _declare("estimator", name, summary, aliases, {})


def recorder(name: str, *, summary: Optional[str] = None, aliases: Sequence[str] = (), outputs: Sequence[str] = ("file",),
             extensions: Sequence[str] = (), roles: Sequence[str] = ()) -> Callable[[_Class], _Class]:
    """Declares a recorder: a class with `write(self, view)`. `outputs`: those of its settings that name files it writes; `extensions`,
    without dot: of logs that it writes, whose names it takes as the setting 'file'; `roles`: what the program may use it for."""
    def decorate(cls: _Class) -> _Class:
        names = [entry["name"] for entry in _settings_of(cls)]
        files = [name for name in outputs if name in names]
        attributes: Dict[str, Any] = {"outputs": files} if files else {}
        if extensions:
            attributes["extensions"] = list(extensions)
        return _declare("recorder", name, summary, aliases, _with_roles(attributes, roles))(cls)

    return decorate


def stage(name: str, *, summary: Optional[str] = None, aliases: Sequence[str] = (),
          outputs: Sequence[str] = ()) -> Callable[[_Class], _Class]:
    """Declares a step of pipelines: a class with `run(self, context)`. `outputs`: settings that name files it writes."""
    return _declare("stage", name, summary, aliases, {"outputs": list(outputs)} if outputs else {})


def file_format(name: str, *, extensions: Sequence[str], reads: Sequence[str] = (), writes: Sequence[str] = (),
                summary: Optional[str] = None, aliases: Sequence[str] = ()) -> Callable[[_Class], _Class]:
    """Declares a file format: a class with `read(self, path, content)`, `write(self, path, value)` or both.

    `extensions` without dot; `reads` and `writes` name what its files hold: 'configuration', 'configurations',
    'trajectory', 'hermite_trajectory', 'multipath', 'vector3', 'matrix3', 'transform', 'matrix', 'geometry', 'robot'.
    """
    attributes: Dict[str, Any] = {"extensions": list(extensions)}
    if reads:
        attributes["reads"] = list(reads)
    if writes:
        attributes["writes"] = list(writes)
    return _declare("format", name, summary, aliases, attributes)


class Component:
    """The common part of all components. Deriving from it, or from `Controller` and so on, is for convenience: any class will do.

    Settings are set before `__init__`, which takes no arguments; so is `host`, a `mortise.Host`, or None where the
    object was made by hand. What later calls depend on belongs into attributes of the object: numbers, texts, arrays,
    lists, dicts and objects of such are saved and restored as they are, unless the class defines `save` (which returns
    such a value) and `restore` (which takes it back).
    """

    host: Any = None

    def __new__(cls, **settings: Any) -> Any:
        made = super().__new__(cls)
        for name, value in settings.items():
            if not any(entry["name"] == name for entry in _settings_of(cls)):
                raise TypeError(f"{cls.__name__} has no setting '{name}'")
            setattr(made, name, value)
        return made

    def __init__(self, **settings: Any) -> None:
        pass


class SensorReading:
    """The last values of one sensor: name, type, channels (a tuple of names), values, a read-only array, and roles, which say what
    the values are ('joint_positions')."""

    __slots__ = ("name", "type", "channels", "values", "roles")

    def __init__(self, name: str, type: str, channels: Tuple[str, ...], values: Any, roles: Tuple[str, ...] = ()) -> None:
        self.name, self.type, self.channels, self.values, self.roles = name, type, channels, values, roles

    def __getitem__(self, channel: str) -> float:
        try:
            return float(self.values[self.channels.index(channel)])
        except ValueError:
            raise KeyError(f"sensor '{self.name}' has no channel '{channel}': {', '.join(self.channels)}") from None

    def __repr__(self) -> str:
        return f"SensorReading('{self.name}', '{self.type}', {len(self.values)} values)"


class SensorReadings(Dict[str, SensorReading]):
    """Sensors by name; `first(type)` finds one by its type, `with_role(role)` by what it measures."""

    def first(self, type: str) -> Optional[SensorReading]:
        """The first sensor of a type; None where there is none."""
        for reading in self.values():
            if reading.type == type:
                return reading
        return None

    def with_role(self, role: str) -> Optional[SensorReading]:
        """The first sensor with a role, such as 'joint_positions'; None where there is none."""
        for reading in self.values():
            if role in reading.roles:
                return reading
        return None


class ControllerSetup:
    """The data that a component is started with.

    robot: a `Robot` (None for sensors fixed in the world), robot_index, world: a `World` as it was loaded or None,
    period (s), q: configuration at the start (num_links,), gravity (3,) m/s^2, sensors: `SensorReadings` that later
    calls will show.
    """

    __slots__ = ("robot", "robot_index", "world", "period", "q", "gravity", "sensors")
    robot: Any
    robot_index: int
    world: Any
    period: float
    q: Any
    gravity: Any
    sensors: SensorReadings


class ControllerInput:
    """The data that a component sees at an update.

    time (s), tick (physics steps), period (s), sensors: `SensorReadings`, whose arrays stay the same ones; q and dq: the
    values of the joint position and velocity sensors (num_links,), None where there are none; estimate: (q, dq) of the
    estimator that the controller asked for, truth: (q, dq) of the simulator for estimators, else None. Read-only arrays.
    """

    __slots__ = ("time", "tick", "period", "sensors", "q", "dq", "estimate", "truth")
    time: float
    tick: int
    period: float
    sensors: SensorReadings
    q: Any
    dq: Any
    estimate: Any
    truth: Any


def _fill(name: str, numbers: Any, value: Any) -> None:
    """Writes numbers, one or one a driver, into the array of this name."""
    try:
        numbers[:] = value
    except ValueError:
        found = np.shape(value)
        if found in ((), numbers.shape):
            raise
        raise ValueError(f"{name}: expected {len(numbers)} numbers, one a driver, found an array of shape {found}") from None


class ActuatorCommands:
    """The commands of each driver's motor until the next update.

    Arrays with one entry a driver: mode (OFF, TORQUE, PID or VELOCITY), kP, kI, kD, position, velocity, torque. They
    still hold what the last update left there; gains begin as those of the robot's servos.
    """

    OFF, TORQUE, PID, VELOCITY = 0, 1, 2, 3
    __slots__ = ("mode", "kP", "kI", "kD", "position", "velocity", "torque")
    mode: Any
    kP: Any
    kI: Any
    kD: Any
    position: Any
    velocity: Any
    torque: Any

    def __setattr__(self, name: str, value: Any) -> None:
        # `commands.torque = tau` means the numbers, as `commands.torque[:] = tau` does.
        try:
            numbers = getattr(self, name)
        except AttributeError:
            object.__setattr__(self, name, value)
        else:
            _fill(name, numbers, value)

    def __len__(self) -> int:
        return len(self.mode)

    def set_torque(self, torque: Any) -> None:
        """Torques, (num_drivers,) or one number for all, N m or N."""
        self.mode.fill(1)
        _fill("torque", self.torque, torque)

    def set_pid(self, position: Any, velocity: Any = 0.0, torque: Any = 0.0) -> None:
        """Servos track positions and velocities, with torques added; (num_drivers,) or one number each."""
        self.mode.fill(2)
        _fill("position", self.position, position)
        _fill("velocity", self.velocity, velocity)
        _fill("torque", self.torque, torque)

    def set_velocity(self, velocity: Any) -> None:
        """Motors keep these velocities, (num_drivers,) or one number for all."""
        self.mode.fill(3)
        _fill("velocity", self.velocity, velocity)

    def off(self) -> None:
        """No motor does anything."""
        self.mode.fill(0)


class Controller(Component):
    """A controller; `update` is called every period and says what motors do until the next one."""

    robot: Any = None

    def start(self, setup: ControllerSetup) -> None:
        """Once before the first update, and again after a reset: everything begins anew."""
        self.robot = setup.robot


class Sensor(Component):
    """A sensor; `simulate` is called every period and fills `out`, an array with one entry for each of `channels`."""

    channels: Sequence[str] = ()

    def start(self, setup: ControllerSetup) -> None:
        """Once before the first reading, and after a reset; `channels` must be known afterwards."""


class Estimator(Component):
    """A state estimator; `estimate(q, dq)` fills both before each update of the controller."""

    def start(self, setup: ControllerSetup) -> None:
        """Once before the first reading, and after a reset."""

    def read_sensors(self, input: ControllerInput) -> None:
        """Before each update of the controller."""

    def read_command(self, commands: ActuatorCommands) -> None:
        """After each update: what the controller asked of the drivers."""

    def advance(self, period: float) -> None:
        """After `read_command`: predicts the state after `period` seconds."""


class RecorderSetup:
    """The data that a recorder is opened with.

    world: a `World`; directory: where files go; prefix: begins the names of files; what: what the user asked for, such as
    ["robots", "objects"].
    """

    __slots__ = ("world", "directory", "prefix", "what")
    world: Any
    directory: str
    prefix: str
    what: List[str]

    def path(self, name: str) -> str:
        """Returns the place of the file of a name: below the directory, with the prefix. Raises Error for names that lead out of it."""
        path: str = _mortise._output_path(self.directory, self.prefix + name)  # type: ignore[attr-defined]
        return path


class Recorder(Component):
    """A recorder; `write(view)` is called once a recorded tick, the start included, with a `SimulationView`.

    With a method `write_snapshot(view, state)` and the attribute `snapshot_period` (s) it gets saved states, bytes that
    `Simulation.restore` takes.
    """

    snapshot_period: float = 0.0

    def open(self, setup: RecorderSetup) -> None:
        """Once, before the first tick."""

    def close(self) -> None:
        """At the end, also of runs that fail: what was written must be whole afterwards."""

    def finish(self, ending: Dict[str, Any]) -> None:
        """Before `close`, where the run knows how it ended: time (s), tick, status and state_hash."""


class Stage(Component):
    """A step of a pipeline; `check(context)` may raise what can be found wrong without running."""


class FileFormat(Component):
    """A file format with `read(path, content)`, `write(path, value)` or both."""
