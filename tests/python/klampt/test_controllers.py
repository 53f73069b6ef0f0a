"""klampt.control.controller, as programs for versions 0.5 to 0.8 use it, and states of blocks."""

import pytest


def test_register_maps_inputs_and_outputs():
    from klampt.control import controller

    double = controller.LambdaController(lambda x: 2 * x, ["x"], "y")
    together = controller.MultiController([double])
    last = together.launch(controller.LambdaController(lambda a, b: (a + b, a - b), ["a", "b"], ["sum", "difference"]))
    together.map_input(last, "y", "a")
    together.map_input(last, "x", "b")
    together.map_output(last, "sum", "qcmd")
    assert together.output_and_advance(x=3) == {"y": 6, "qcmd": 9}
    together.map_my_output("qcmd")
    assert together.output_and_advance(x=1) == {"qcmd": 3}
    with pytest.raises(KeyError, match="no input x"):
        double.output(z=1)


def test_sequence_sends_events_and_keeps_its_state():
    from klampt.control import controller

    class Heard(controller.BaseController):
        def __init__(self):
            self.told = []

        def output(self, **inputs):
            return {"qcmd": inputs["t"]}

        def signal(self, type, **inputs):
            self.told.append(type)

        def getState(self):
            return list(self.told)

        def setState(self, state):
            self.told = list(state)

    parts = [Heard(), Heard()]
    sequence = controller.TimedControllerSequence(parts, [0.5, 1])
    before = sequence.getState()
    assert [sequence.output_and_advance(t=t / 4) for t in range(6)][-2:] == [{"qcmd": 1.0}, None]
    assert [part.told for part in parts] == [["exit"], ["enter", "exit"]] and sequence.current == -1
    sequence.setState(before)
    assert sequence.current == 0 and parts[0].told == []
    with pytest.raises(ValueError, match="2 controllers, but 1 times"):
        controller.TimedControllerSequence(parts, [1])


def test_vectors():
    from klampt.control import controller

    compose = controller.ComposeController({"left": [0, 1], "right": [3]}, "qcmd")
    assert compose.output(left=[1, 2, 9, 9], right=[9, 9, 9, 4]) == {"qcmd": [1, 2, 0.0, 4]}
    linear = controller.LinearController()
    linear.addGain("q", [[1, 2], [0, 1]])
    linear.addGain("dq", -1)
    linear.setConstant([10, 0])
    assert linear.output(q=[1, 1], dq=[2, 3]) == {"torquecmd": [11.0, -2.0]}


def test_states_of_blocks_in_machines():
    from klampt.control.blocks import core, state_machine, utils

    machine = state_machine.TimedSequenceBlock([core.Counter(), core.ValueSource(1)], [1, 2])
    saved = machine.__getstate__()
    for t in (0, 0.5, 1.5):
        machine.advance(t)
    machine.__setstate__(saved)
    assert machine.current == 0 and machine.blocks[0].value == 0
    named = utils.LambdaBlock(lambda x, y: x - y, ["a", "b"])
    assert named.advance(a=3, b=1) == 2 and named.advance(3, 1) == 2
