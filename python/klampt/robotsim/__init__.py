"""Klamp't's classes on top of Mortise: worlds, robots, geometries, inverse kinematics, simulation and planners.

Rotations are lists of nine numbers, column by column, and poses pairs (R, t). Handles refer to things of a world, which
they keep alive; two handles to the same thing are different objects. Getters give new lists.
"""

from typing import Dict, Iterator, List, Optional, Sequence, Tuple, Union  # noqa: F401 (programs get them from here)

import numpy as np  # noqa: F401

from . import _earlier
from .appearance import Appearance
from .containers import (SwigPyIterator, doubleArray, doubleArray_frompointer, doubleMatrix, doubleVector, floatArray,
                         floatArray_frompointer, floatVector, intArray, intArray_frompointer, intVector, stringMap,
                         stringVector)
from .controller import SimRobotController
from .entities import RigidObjectModel, TerrainModel
from .functions import *  # noqa: F401,F403
from .generalized_ik import GeneralizedIKObjective, GeneralizedIKSolver
from .geometry import Geometry3D
from .ik import IKObjective, IKSolver
from .link import RobotModelDriver, RobotModelLink
from .mass import ContactParameters, Mass
from .queries import ContactQueryResult, DistanceQueryResult, DistanceQuerySettings
from .robot import RobotModel
from .sensor import SensorModel
from .shapes.cloud import PointCloud
from .shapes.grid import ImplicitSurface, OccupancyGrid
from .shapes.heightmap import Heightmap
from .shapes.mesh import ConvexHull, TriangleMesh
from .shapes.primitive import GeometricPrimitive
from .simulator import SimBody, SimJoint, Simulator
from .viewport import Viewport
from .widgets import (AABBPoser, BoxPoser, ObjectPoser, PointPoser, RobotPoser, SpherePoser, TransformPoser, Widget,
                      WidgetSet)
from .world import WorldModel

VolumeGrid = ImplicitSurface
SimRobotSensor = SensorModel
SurfaceParameters = ContactParameters
_earlier.install()

Config = Vector = IntArray = Vector3 = Matrix3 = Point = Rotation = Sequence
RigidTransform = Tuple

# Classes and functions, not the modules that they come from: 'from klampt import ik' means klampt.model.ik.
__all__ = [_name for _name, _value in list(globals().items())
           if not _name.startswith("_") and type(_value) is not type(np)] + ["np"]
