"""Cameras and laser scanners: images, points, intrinsics, visibility."""

from ._sensing.images import (camera_to_images, camera_to_points, camera_to_points_world,
                              image_to_points)
from ._sensing.camera import (camera_project, camera_ray, camera_to_intrinsics, camera_to_viewport,
                              get_sensor_xform, intrinsics_to_camera, set_sensor_xform,
                              viewport_to_camera)
from ._sensing.visibility import (laser_to_points, occluded, sample_visible_surface, visible,
                                  visible_fraction)
from ._sensing.sensorium import Sensorium

# Programs get these along with `import *`.
import math
import time
import warnings
from ..io import loader
from ..math import se3, so3, vectorops
from ..robotsim import *
from ..vis.glviewport import GLViewport
from . import coordinates
from .collide import bb_create, bb_intersect
from .robotinfo import RobotInfo
