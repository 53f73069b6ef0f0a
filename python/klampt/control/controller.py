"""Controllers as versions 0.5 to 0.8 had them: output(**inputs) gives commands by name, advance(**inputs) moves on.

Newer programs use klampt.control.blocks.
"""

import numpy as np

from .blocks.robotcontroller import RobotControllerIO

ControllerAccessor = ControllerAPI = RobotControllerIO


class ControllerBase:
    """Override output(), which changes no state, and advance(); getState() and setState() where there is state."""

    def __str__(self):
        return type(self).__name__

    def inputNames(self):
        """Names of the inputs that must be there."""
        return []

    def inputValid(self, **inputs):
        """Returns whether they are."""
        return all(name in inputs for name in self.inputNames())

    def outputNames(self):
        """Names of the outputs, None where they are not known."""
        return None

    def output(self, **inputs):
        """A dict of outputs, such as qcmd, dqcmd, tcmd and torquecmd; None: no command."""
        return None

    def advance(self, **inputs):
        """One time step."""

    def output_and_advance(self, **inputs):
        """The outputs, and then the step."""
        result = self.output(**inputs)
        self.advance(**inputs)
        return result

    def signal(self, type, **inputs):
        """Receives an event: 'reset', 'enter', 'exit', ..."""

    def getState(self):
        """The state as numbers, texts, lists and dicts."""
        raise NotImplementedError(f"{self} gives no getState()")

    def setState(self, state):
        """Back to what getState() returned."""
        raise NotImplementedError(f"{self} gives no setState()")

    def drawGL(self):
        """Draws something of the controller."""


BaseController = ControllerBase


def _states(controllers):
    """The state of each, None where it gives none."""
    found = []
    for controller in controllers:
        try:
            found.append(controller.getState())
        except NotImplementedError:
            found.append(None)
    return found


def _restore(controllers, states):
    if len(states) != len(controllers):
        raise ValueError(f"the state is of {len(states)} controllers, there are {len(controllers)}")
    for controller, state in zip(controllers, states):
        if state is not None:
            controller.setState(state)


class MultiController(ControllerBase):
    """Runs controllers one after the other on one register: a dict of the inputs and of all outputs so far."""

    def __init__(self, controllers=()):
        self.controllers = list(controllers)
        self.register, self.outregister = {}, {}
        self.inmap = [None] * len(self.controllers)
        self.outmap = [None] * len(self.controllers)
        self.myoutmap = None

    def inputNames(self):
        return {name for names in self.inmap if names is not None for name in names.values()}

    def outputNames(self):
        return None if self.myoutmap is None else list(self.myoutmap.values())

    def launch(self, c):
        """Adds a controller; returns its index."""
        self.controllers.append(c)
        self.inmap.append(None)
        self.outmap.append(None)
        return len(self.controllers) - 1

    def map_input(self, c, regitem, citem=None):
        """Controller c gets regitem of the register as its input citem, and nothing that is not mapped."""
        self.inmap[c] = {**(self.inmap[c] or {}), citem or regitem: regitem}

    def map_output(self, c, citem, regitem=None):
        """The output citem of controller c becomes regitem of the register; what is not mapped is dropped."""
        self.outmap[c] = {**(self.outmap[c] or {}), citem: regitem or citem}

    def map_my_output(self, regitem, outitem=None):
        """regitem of the register becomes the output outitem; what is not mapped is no output."""
        self.myoutmap = {**(self.myoutmap or {}), regitem: outitem or regitem}

    def controller_inputs(self, c):
        """Returns what controller c is given."""
        if self.inmap[c] is None:
            return dict(self.register)
        missing = [name for name in self.inmap[c].values() if name not in self.register]
        if missing:
            raise KeyError(f"the input {missing[0]} of {self.controllers[c]} is not in the register: "
                           f"it has {', '.join(sorted(self.register))}")
        return {own: self.register[name] for own, name in self.inmap[c].items()}

    def output_and_advance(self, **inputs):
        self.register.update(inputs)
        self.outregister = {}
        for i, controller in enumerate(self.controllers):
            given = controller.output_and_advance(**self.controller_inputs(i)) or {}
            if self.outmap[i] is not None:
                given = {name: given[own] for own, name in self.outmap[i].items()}
            self.register.update(given)
            self.outregister.update(given)
        if self.myoutmap is None:
            return self.outregister
        return {name: self.outregister[own] for own, name in self.myoutmap.items() if own in self.outregister}

    def signal(self, type, **inputs):
        self.register.update(inputs)
        for i, controller in enumerate(self.controllers):
            controller.signal(type, **self.controller_inputs(i))

    def getState(self):
        return _states(self.controllers)

    def setState(self, state):
        _restore(self.controllers, state)


class LambdaController(ControllerBase):
    """f of the inputs argnames; its results are the outputs outnames (one name, or several), or f returns a dict."""

    def __init__(self, f, argnames, outnames=None):
        self.f, self.argnames, self.outnames = f, argnames, outnames

    def inputNames(self):
        return self.argnames

    def outputNames(self):
        return self.outnames

    def output(self, **inputs):
        if not self.inputValid(**inputs):
            missing = [name for name in self.argnames if name not in inputs]
            raise KeyError(f"there is no input {missing[0]}: there are {', '.join(sorted(inputs))}")
        result = self.f(*[inputs[name] for name in self.argnames])
        if self.outnames is None:
            return result if isinstance(result, dict) else None
        if isinstance(self.outnames, str):
            return {self.outnames: result}
        return dict(zip(self.outnames, result))


class StateMachineController(ControllerBase):
    """Runs controllers[current]; next_state() says which follows, -1: none. Override it."""

    def __init__(self, controllers, start=0):
        self.controllers, self.current = list(controllers), start

    def __str__(self):
        marks = (f"{'* ' if i == self.current else '  '}{c}" for i, c in enumerate(self.controllers))
        return type(self).__name__ + "\n" + "\n".join(marks)

    def next_state(self, state, **inputs):
        """The state that follows."""
        return state

    def output(self, **inputs):
        return None if self.current < 0 else self.controllers[self.current].output(**inputs)

    def advance(self, **inputs):
        if self.current >= 0:
            self.controllers[self.current].advance(**inputs)
            self._move(inputs)

    def output_and_advance(self, **inputs):
        if self.current < 0:
            return None
        result = self.controllers[self.current].output_and_advance(**inputs)
        self._move(inputs)
        return result

    def _move(self, inputs):
        following = self.next_state(self.current, **inputs)
        if following == self.current:
            return
        self.controllers[self.current].signal("exit", **inputs)
        self.current = following
        if following >= 0:
            self.controllers[following].signal("enter", **inputs)

    def signal(self, type, **inputs):
        if self.current >= 0:
            self.controllers[self.current].signal(type, **inputs)

    def getState(self):
        return {"current": self.current, "controllers": _states(self.controllers)}

    def setState(self, state):
        _restore(self.controllers, state["controllers"])
        self.current = state["current"]


class TransitionStateMachineController(StateMachineController):
    """transitions[i][j](inputs), given the dict of inputs, says whether j follows i."""

    def __init__(self, controllers, transitions, start=0):
        StateMachineController.__init__(self, controllers, start)
        self.transitions = transitions

    def next_state(self, state, **inputs):
        for target, condition in (self.transitions[state].items() if state >= 0 else ()):
            if condition(inputs):
                return target
        return state


class TimedControllerSequence(TransitionStateMachineController):
    """One controller after the other, each until its time, s."""

    def __init__(self, controllers, times):
        if len(times) != len(controllers):
            raise ValueError(f"there are {len(controllers)} controllers, but {len(times)} times")
        transitions = [{(i + 1 if i + 1 < len(times) else -1): (lambda inputs, end=end: inputs["t"] >= end)}
                       for i, end in enumerate(times)]
        TransitionStateMachineController.__init__(self, controllers, transitions)


class ComposeController(ControllerBase):
    """Puts entries of several vectors into one: itemindices says which entries each input gives. Those that no input gives
    are self.fill; where flatten is false the output is a dict by index."""

    def __init__(self, itemindices, outitem, flatten=True):
        self.itemindices, self.outitem, self.flatten, self.fill = itemindices, outitem, flatten, 0.0

    def inputNames(self):
        return list(self.itemindices)

    def outputNames(self):
        return [self.outitem]

    def output(self, **inputs):
        found = {i: inputs[name][i] for name, indices in self.itemindices.items() if name in inputs for i in indices}
        if self.flatten:
            return {self.outitem: [found.get(i, self.fill) for i in range(max(found, default=-1) + 1)]}
        return {self.outitem: found}


class LinearController(ControllerBase):
    """K1 x1 + ... + Kn xn + constant, as the output of the name type."""

    def __init__(self, type="torquecmd"):
        self.outputType, self.gains, self.offset = type, {}, None

    def addGain(self, inputTerm, K):
        """Adds the matrix, or number, K times an input."""
        self.gains[inputTerm] = K

    def setConstant(self, offset):
        """Sets the constant."""
        self.offset = offset

    def inputNames(self):
        return list(self.gains)

    def outputNames(self):
        return [self.outputType]

    def output(self, **inputs):
        terms = [np.dot(K, inputs[name]) for name, K in self.gains.items()]
        terms += [] if self.offset is None else [np.asarray(self.offset, dtype=float)]
        return {self.outputType: sum(terms).tolist()} if terms else None


def make(robot):
    """A controller that commands nothing."""
    return ControllerBase()
