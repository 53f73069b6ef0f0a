"""Distances, contacts and rays between shapes, and in whole worlds.

`CollisionShape` prepares one shape for queries, `WorldCollider` a world; `WorldCollisionState` says where its things are.
"""

from ._mortise import CollisionShape, DistanceResult, RayHit, WorldCollider, WorldCollisionState

__all__ = ["CollisionShape", "DistanceResult", "RayHit", "WorldCollider", "WorldCollisionState"]
