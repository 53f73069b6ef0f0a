"""Visualization: windows with items, actions and plugins.

Importing this imports no OpenGL, no Qt and no matplotlib.
"""

from ..robotsim import *
from ..model.trajectory import *
from . import glcommon, glinterface, glprogram, glrobotprogram, glviewport, visualization
from .glinterface import GLPluginInterface
from .glprogram import (GLNavigationProgram, GLPluginProgram, GLProgram, GLProgramAction,
                        GLRealtimeProgram)
from .glrobotprogram import GLSimulationPlugin, GLWorldPlugin
from .glviewport import GLViewport
from .visualization import *
from ._settings import answer_input as _answer_input

# Programs get these along with `import *`.
import math
import os
import sys
import threading
import time
from ..math import se3, so2, so3, spline, vectorops
from ..math.geodesic import GeodesicSpace, SE2Space, SE3Space, SO3Space
from ..model import collide, config, coordinates
from ..model.contact import ContactPoint, Hold
from ..model.subrobot import SubRobotModel
from . import gldraw, glinit

_answer_input()
