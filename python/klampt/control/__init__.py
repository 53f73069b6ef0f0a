"""Interfaces of robots, real and simulated, by driver values."""

from .robotinterface import RobotInterfaceBase
from .robotinterfaceutils import OmniRobotInterface, RobotInterfaceCompleter, StepContext
from .utils import TimedLooper

__all__ = ["RobotInterfaceBase", "StepContext", "TimedLooper", "RobotInterfaceCompleter",
           "OmniRobotInterface"]
