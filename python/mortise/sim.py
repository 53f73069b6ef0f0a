"""Worlds in motion.

`Simulation` steps a world with a physics plugin, controllers and sensors.
"""

from ._mortise import SimulatedController, SimulatedSensor, Simulation

__all__ = ["SimulatedController", "SimulatedSensor", "Simulation"]
