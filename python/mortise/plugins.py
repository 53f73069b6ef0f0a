"""Plugins, what they offer, and components written in Python.

A component is a class with a decorator, such as `controller("acme.Name")`; its settings are class attributes made by `setting`. The
page docs/python_components.md says more.
"""

from ._components import (ActuatorCommands, Component, Controller, ControllerInput, ControllerSetup, Estimator, FileFormat, Recorder,
                          RecorderSetup, Sensor, SensorReading, SensorReadings, Stage, command, controller, estimator, file_format,
                          recorder, sensor, setting, stage)
from ._hardware import Hardware, HardwareSensor, HardwareSetup, HardwareState, hardware
from ._mortise import (Host, SimulationView, StageContext, TimeLimitExceeded, add_plugin, add_plugin_folder, component, components,
                       plugin_problems)

__all__ = ["ActuatorCommands", "Component", "Controller", "ControllerInput", "ControllerSetup", "Estimator", "FileFormat", "Hardware",
           "HardwareSensor", "HardwareSetup", "HardwareState", "Host", "Recorder", "RecorderSetup", "Sensor", "SensorReading",
           "SensorReadings", "SimulationView", "Stage", "StageContext", "TimeLimitExceeded", "add_plugin", "add_plugin_folder", "command",
           "component", "components", "controller", "estimator", "file_format", "hardware", "plugin_problems",
           "recorder", "sensor", "setting", "stage"]
