"""Blocks one of which is active at a time."""

from .core import Block
from .utils import BlockSignal


def _state_of(block):
    """Returns what the block gives as its state; else its attributes."""
    own = getattr(type(block), "__getstate__", None)
    if own is not None and own is not getattr(object, "__getstate__", None):
        return own(block)
    return {name: value for name, value in vars(block).items() if not name.startswith("_")}


def _put_state(block, state):
    if hasattr(block, "__setstate__"):
        block.__setstate__(state)
    else:
        vars(block).update(state)


class StateMachineBase(Block):
    """Runs the block of the current state, then asks next_state() for the state that follows; its output is the state,
    -1 once it is over. The event 'reset' goes back to the start; blocks get 'enter' and 'exit'."""

    def __init__(self, blocks, start=0, reset_on_enter=True, inputs=0):
        Block.__init__(self, inputs, ["state"])
        self.blocks, self.start, self.current = list(blocks), start, start
        self.reset_on_enter = reset_on_enter

    def next_state(self, state, *args, **kwargs):
        """The state that follows; override this."""
        return state

    def __str__(self):
        marks = (f"{'* ' if i == self.current else '  '}{block}" for i, block in enumerate(self.blocks))
        return type(self).__name__ + "\n" + "\n".join(marks)

    def _tell(self, name, *args):
        if 0 <= self.current < len(self.blocks):
            self.blocks[self.current].signal(name, *args)

    def _go_to(self, state):
        self._tell("exit")
        self.current = state
        self._tell("enter")

    def signal(self, type, *args):
        if type == "reset" or (type == "enter" and self.reset_on_enter):
            self._go_to(self.start)
        else:
            self._tell(type, *args)

    def advance(self, *args, **kwargs):
        if self.current < 0:
            return self.current
        chosen = None
        try:
            self.blocks[self.current]._process()
        except BlockSignal as event:
            if event.type == "change_state":
                chosen = int(event.text)
            else:
                self.signal(event.type)
        if chosen is None:
            chosen = self.next_state(self.current, *args, **kwargs)
        if chosen != self.current:
            self._go_to(chosen)
        return self.current

    def __getstate__(self):
        return {"current": self.current, "blocks": [_state_of(block) for block in self.blocks]}

    def __setstate__(self, state):
        if len(state["blocks"]) != len(self.blocks):
            raise ValueError(f"the state is of {len(state['blocks'])} blocks, there are {len(self.blocks)}")
        self.current = state["current"]
        for block, own in zip(self.blocks, state["blocks"]):
            _put_state(block, own)


class TransitionStateMachine(StateMachineBase):
    """transitions[i][j](inputs) says whether state j follows state i."""

    def __init__(self, blocks, transitions=None, inputs=0, start=0, reset_on_enter=True):
        StateMachineBase.__init__(self, blocks, start, reset_on_enter, inputs)
        self.transitions = [{} for _ in self.blocks] if transitions is None else list(transitions)
        if len(self.transitions) != len(self.blocks):
            raise ValueError(f"there are {len(self.blocks)} blocks, but transitions of {len(self.transitions)}")

    def set_transition(self, fromState, toState, func):
        """State toState follows where func(inputs) is true."""
        for state in (fromState, toState):
            if not 0 <= state < len(self.blocks):
                raise ValueError(f"there is no state {state}: there are {len(self.blocks)}")
        self.transitions[fromState][toState] = func

    def next_state(self, state, *args, **kwargs):
        for target, condition in self.transitions[state].items():
            if condition(*args, **kwargs):
                return target
        return state


class TimedSequenceBlock(TransitionStateMachine):
    """One block after the other, each until its time; the input is the time t."""

    def __init__(self, blocks, times):
        if len(times) != len(blocks):
            raise ValueError(f"there are {len(blocks)} blocks, but {len(times)} times")
        transitions = [{(i + 1 if i + 1 < len(times) else -1): (lambda t, end=end: t >= end)}
                       for i, end in enumerate(times)]
        TransitionStateMachine.__init__(self, blocks, transitions, ["t"])
