"""Poses of frames and rotations.

`RigidTransform` is the pose X_AB of a frame B in a frame A; products read left to right. Rotations are 3 x 3 arrays, angles are in
radians.
"""

from ._mortise import (RigidTransform, moment_from_rotation, orthonormalized, rotation_about_axis, rotation_from_moment,
                       rotation_from_roll_pitch_yaw)

__all__ = ["RigidTransform", "moment_from_rotation", "orthonormalized", "rotation_about_axis", "rotation_from_moment",
           "rotation_from_roll_pitch_yaw"]
