"""Controllers as blocks with inputs and outputs."""

from . import estimators, filters, state_machine, utils
from .core import Block, Sink, Source, SuperBlock
from .robotcontroller import RobotControllerBlock

__all__ = ["Block", "SuperBlock", "Source", "Sink", "RobotControllerBlock", "utils", "filters", "estimators",
           "state_machine"]
