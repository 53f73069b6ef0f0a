"""Visualization: windows with items, actions and plugins.

Importing this imports no OpenGL, no Qt and no matplotlib.
"""

from . import glcommon, glinterface, glprogram, glrobotprogram, glviewport, visualization
from .glinterface import GLPluginInterface
from .glprogram import (GLNavigationProgram, GLPluginProgram, GLProgram, GLProgramAction,
                        GLRealtimeProgram)
from .glrobotprogram import GLSimulationPlugin, GLWorldPlugin
from .glviewport import GLViewport
from .visualization import *
from ._settings import answer_input as _answer_input

_answer_input()
