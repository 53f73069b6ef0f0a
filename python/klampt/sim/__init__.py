"""Simulation with controllers, emulators, hooks and logs written in Python."""

from .simulation import *
