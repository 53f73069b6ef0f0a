"""Contacts and what they bear: balance, equilibrium, torques and grasps.

Contacts are a list of `LinkContact`, of dicts as `mortise.io.load` gives them, or an array (n, 7) of x, y, z, nx, ny, nz, friction.
"""

from ._mortise import (Balance, ContactTorques, Equilibrium, GraspQuality, LinkContact, SupportPolygon, balance, contact_formation,
                       contact_torques, equilibrium, force_closure, friction_cones, grasp_quality, world_contacts, wrench_matrix)

__all__ = ["Balance", "ContactTorques", "Equilibrium", "GraspQuality", "LinkContact", "SupportPolygon", "balance", "contact_formation",
           "contact_torques", "equilibrium", "force_closure", "friction_cones", "grasp_quality", "world_contacts", "wrench_matrix"]
