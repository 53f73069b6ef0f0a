"""Simulation with controllers, emulators, hooks and logs written in Python."""

from ..robotsim import *
from .simulation import *
