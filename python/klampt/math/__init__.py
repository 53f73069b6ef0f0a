"""Vectors, rotations, rigid transforms, splines and geodesic spaces."""

__all__ = ["vectorops", "so2", "so3", "se3"]
