"""Inverse kinematics.

`solve_ik` solves one problem, `IKSolver` many of one structure.
"""

from ._mortise import IKSolution, IKSolver, solve_ik

__all__ = ["IKSolution", "IKSolver", "solve_ik"]
