"""Klamp't's Python controllers as components of Mortise: files with `make(robot)`, which returns an object with `output` and `advance`, or a block of
`klampt.control.blocks` whose `advance(**inputs)` returns a dict, as controllers.

Inputs and outputs are those of Klamp't's controller protocol: t, dt, q, dq, qcmd, dqcmd, and sensors by their names, as
lists; out come qcmd, dqcmd, tcmd and torquecmd (Klamp't manual 0.7, section 9.2). Mortise finds `components_of` as an entry
point of the group `mortise.modules`.
"""

import inspect
import re
from typing import Any, Dict, List, Optional

import numpy as np

from mortise import Controller, _component_state, command, controller, setting

from ..robotsim import WorldModel

_PROTOCOL = ("qcmd", "dqcmd", "tcmd", "torquecmd")


def _klampt_robot(setup: Any) -> Any:
    """The robot as Klamp't's RobotModel, in its world where that has a file."""
    world = WorldModel()
    if setup.world is not None and setup.world.file and world.readFile(setup.world.file):
        robot = world.robot(setup.robot_index)
    elif setup.robot.file and world.loadRobot(setup.robot.file) is not None:
        robot = world.robot(0)
    else:
        raise ValueError(f"robot '{setup.robot.name}' comes from no file, so klampt cannot load it")
    robot.setConfig(setup.q.tolist())
    return robot


def _accepts_all(method: Any) -> bool:
    """Returns whether it takes inputs by any name, and only by name."""
    kinds = {parameter.kind for parameter in inspect.signature(method).parameters.values()}
    return inspect.Parameter.VAR_KEYWORD in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds


def _run_block(block: Any, inputs: Dict[str, Any]) -> Any:
    """Blocks get the inputs that they name, and their outputs go by their names."""
    if not _accepts_all(block.advance):
        ports = list(block.input)
        names = block.input.names
        missing = [name for name in names if name not in inputs]
        if len(names) < len(ports) or missing:
            wanted = f"'{missing[0]}'" if missing else "without a name"
            raise ValueError(f"{block} has an input {wanted}; inputs are {', '.join(sorted(inputs))}")
        inputs = {name: inputs[name] for name in names}
    result = block.advance(**inputs)
    names = block.output.names
    if result is None or isinstance(result, dict) or not names or len(names) < len(list(block.output)):
        return result
    if not set(names) & set(_PROTOCOL):
        raise TypeError(f"{block} gives {', '.join(names)}, but none of {', '.join(_PROTOCOL)}")
    several = len(names) > 1 or hasattr(block, "free_outputs")  # Blocks of blocks return a list.
    return dict(zip(names, result if several else [result]))


class _KlamptController(Controller):
    """The controller that runs the object that `make` returned."""

    module: Any = None
    arguments: List[str] = []

    def start(self, setup: Any) -> None:
        self.robot = setup.robot
        given = {name: getattr(self, name) for name in self.arguments}
        made = type(self).module.make(_klampt_robot(setup), **given)
        if not callable(getattr(made, "advance", None)):
            raise TypeError(f"make(robot) returned {type(made).__name__}, which has no method advance(**inputs)")
        self.controller = made
        self.qcmd = np.array(setup.q, dtype=float)
        self.dqcmd = np.zeros_like(self.qcmd)
        self.velocity_until: Optional[float] = None

    def _inputs(self, input: Any) -> Dict[str, Any]:
        inputs: Dict[str, Any] = {name: reading.values.tolist() for name, reading in input.sensors.items()}
        inputs.update(t=input.time, dt=input.period, qcmd=self.qcmd.tolist(), dqcmd=self.dqcmd.tolist())
        if input.q is not None:
            inputs["q"] = input.q.tolist()
        if input.dq is not None:
            inputs["dq"] = input.dq.tolist()
        return inputs

    def _outputs(self, inputs: Dict[str, Any]) -> Dict[str, Any]:
        made = self.controller
        if callable(getattr(made, "output_and_advance", None)):
            result = made.output_and_advance(**inputs)
        elif callable(getattr(made, "output", None)):
            result = made.output(**inputs)
            made.advance(**inputs)
        elif hasattr(getattr(made, "input", None), "names"):
            result = _run_block(made, inputs)
        else:
            result = made.advance(**inputs)
        if result is None:
            return {}
        if not isinstance(result, dict):
            raise TypeError(f"the controller returned {type(result).__name__} instead of a dict with {', '.join(_PROTOCOL)}")
        return {name: value for name, value in result.items() if value is not None}

    def _links(self, name: str, values: Any) -> Any:
        numbers = np.asarray(values, dtype=float)
        if numbers.shape == (self.robot.num_links,):
            return numbers
        if numbers.shape == (self.robot.num_drivers,) and name == "qcmd":
            return self.robot.configuration_from_drivers(numbers, self.qcmd)
        raise ValueError(f"{name}: expected {self.robot.num_links} numbers, one a link, found {numbers.shape}")

    def _torques(self, values: Any) -> Any:
        numbers = np.asarray(values, dtype=float)
        if numbers.shape == (self.robot.num_drivers,):
            return numbers
        if numbers.shape == (self.robot.num_links,):
            return np.array([numbers[driver.links[0]] for driver in self.robot.drivers])
        raise ValueError(f"torquecmd: expected {self.robot.num_drivers} numbers, one a driver, found {numbers.shape}")

    def update(self, input: Any, commands: Any) -> None:
        out = self._outputs(self._inputs(input))
        if "qcmd" in out:
            self.qcmd = np.array(self._links("qcmd", out["qcmd"]))
            self.dqcmd = np.array(self._links("dqcmd", out["dqcmd"])) if "dqcmd" in out else np.zeros_like(self.qcmd)
            self.velocity_until = None
        elif "dqcmd" in out:
            if "tcmd" not in out:
                raise ValueError("dqcmd without qcmd needs tcmd, how long the velocity holds (s)")
            self.dqcmd = np.array(self._links("dqcmd", out["dqcmd"]))
            self.velocity_until = input.time + float(out["tcmd"])
        elif "torquecmd" in out:
            self.velocity_until = None
            commands.set_torque(self._torques(out["torquecmd"]))
            return
        elif self.velocity_until is None:
            return  # What was commanded last holds.
        if self.velocity_until is not None:
            if input.time >= self.velocity_until - 1e-9:
                self.velocity_until, self.dqcmd = None, np.zeros_like(self.qcmd)
            else:
                self.qcmd = self.qcmd + self.dqcmd * min(input.period, self.velocity_until - input.time)
        commands.set_pid(self.robot.driver_values(self.qcmd), self.robot.driver_velocities(self.dqcmd),
                         self._torques(out["torquecmd"]) if "torquecmd" in out else 0.0)

    @command
    def signal(self, arguments: Any) -> None:
        """A signal to the controller: its type, or {type: NAME, and its inputs}."""
        inputs = dict(arguments) if isinstance(arguments, dict) else {"type": arguments}
        self.controller.signal(inputs.pop("type"), **inputs)

    def save(self) -> Any:
        own = [self.qcmd, self.dqcmd, self.velocity_until]
        made = self.controller
        if getattr(type(made), "__getstate__", None) is not getattr(object, "__getstate__", None):
            state = made.__getstate__()
            if _component_state.saveable(state):
                return [own, "own", state]
        return [own, "attributes", _component_state.saved_attributes(made, vars(made))[0]]

    def restore(self, state: Any) -> None:
        (self.qcmd, self.dqcmd, self.velocity_until), kind, inner = state
        if kind == "own":
            self.controller.__setstate__(inner)
        else:
            _component_state.put_attributes(self.controller, inner)


def components_of(module: Any, stem: str) -> List[type]:
    """The components of a module that declares none: one where it has `make`."""
    return [controller_class(module, stem)] if callable(getattr(module, "make", None)) else []


def controller_class(module: Any, stem: str) -> type:
    """A controller 'klampt.STEM' for a module with `make(robot, ...)`; further arguments with defaults are settings."""
    arguments: Dict[str, Any] = {}
    for parameter in list(inspect.signature(module.make).parameters.values())[1:]:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.default is parameter.empty:
            arguments[parameter.name] = setting(None, f"The argument {parameter.name} of make.", required=True, type="any")
        elif parameter.default is None or isinstance(parameter.default, (bool, int, float, str, list, tuple)):
            arguments[parameter.name] = setting(parameter.default, f"The argument {parameter.name} of make.")
    text = inspect.getdoc(module.make) or inspect.getdoc(module) or f"The controller that make(robot) of {stem}.py returns."
    name = "klampt." + (re.sub(r"\W+", "_", stem) or "controller")
    made = type("KlamptController", (_KlamptController,),
                {**arguments, "__doc__": text, "module": module, "arguments": list(arguments), "__module__": module.__name__})
    return controller(name)(made)
