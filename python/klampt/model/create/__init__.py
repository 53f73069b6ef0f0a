"""Boxes and spheres, robots on a moving base, planar robots, piles of objects."""

from .primitives import *
from . import primitives, moving_base_robot, planar_robot, pile
