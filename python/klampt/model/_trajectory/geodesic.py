"""Trajectories in curved spaces: rotations and rigid transforms."""

import warnings

from ...math import so2, so3, se3, vectorops
from ...math.geodesic import SE2Space, SE3Space, SO3Space
from .base import Trajectory


class GeodesicTrajectory(Trajectory):
    """Milestones are points of a GeodesicSpace, joined by its shortest paths."""

    def __init__(self, geodesic, times=None, milestones=None):
        self.geodesic = geodesic
        Trajectory.__init__(self, times, milestones)

    def interpolate_state(self, a, b, u, dt):
        return self.geodesic.interpolate(a, b, u)

    def difference_state(self, a, b, u, dt):
        x = self.interpolate_state(a, b, u, dt)
        ahead, behind = self.geodesic.difference(b, x), self.geodesic.difference(a, x)
        return vectorops.mul(vectorops.sub(ahead, behind), 1.0 / dt)

    def constructor(self):
        return lambda times, milestones: GeodesicTrajectory(self.geodesic, times, milestones)

    def length(self, metric=None):
        return Trajectory.length(self, self.geodesic.distance if metric is None else metric)

    def checkValid(self):
        Trajectory.checkValid(self)
        try:
            d = self.geodesic.extrinsicDimension()
        except NotImplementedError:
            return
        if len(self.milestones[0]) != d:
            raise ValueError(f"milestones have {len(self.milestones[0])} entries, "
                             f"points of the space {d}")

    def extractDofs(self, dofs):
        """Not possible: raises ValueError."""
        raise ValueError(f"the entries of a {type(self).__name__} belong together")

    def stackDofs(self, trajs, strict=False):
        Trajectory.stackDofs(self, trajs, strict=False)
        try:
            self.checkValid()
        except ValueError as e:
            warnings.warn(f"{type(self).__name__}.stackDofs: {e}", stacklevel=2)


class SO3Trajectory(GeodesicTrajectory):
    """Milestones are rotations of 9 numbers."""

    def __init__(self, times=None, milestones=None):
        GeodesicTrajectory.__init__(self, SO3Space(), times, milestones)

    def deriv_angvel(self, t, endBehavior="halt"):
        """Angular velocity at t (3 numbers)."""
        return so3.deskew(self.deriv(t, endBehavior))

    def preTransform(self, R):
        """Replaces each rotation X by R X."""
        self.milestones[:] = [so3.mul(R, m) for m in self.milestones]

    def postTransform(self, R):
        """Replaces each rotation X by X R."""
        self.milestones[:] = [so3.mul(m, R) for m in self.milestones]

    def getPointTrajectory(self, localPt):
        """Trajectory of a point fixed to the rotating frame, at the milestones."""
        return Trajectory(self.times, [so3.apply(m, localPt) for m in self.milestones])

    def constructor(self):
        return SO3Trajectory


def flat_states(milestones):
    """12-vectors of a list of (R, t) pairs or of 12-vectors."""
    if milestones is not None and len(milestones) > 0 and len(milestones[0]) == 2:
        return [list(R) + list(t) for R, t in milestones]
    return milestones


class SE3Trajectory(GeodesicTrajectory):
    """Milestones are transforms as 12 numbers (rotation, then translation).

    Pairs (R, t) are accepted too; eval() and deriv() return pairs.
    """

    def __init__(self, times=None, milestones=None):
        GeodesicTrajectory.__init__(self, SE3Space(), times, flat_states(milestones))

    def to_se3(self, state):
        """Pair (R, t) of 12 numbers."""
        return (state[:9], state[9:])

    def from_se3(self, T):
        """12 numbers of a pair (R, t)."""
        return list(T[0]) + list(T[1])

    def waypoint(self, state):
        return self.to_se3(state)

    def eval(self, t, endBehavior="halt", scanIndex=None):
        """The transform (R, t) at time t."""
        return self.to_se3(GeodesicTrajectory.eval(self, t, endBehavior, scanIndex))

    def deriv(self, t, endBehavior="halt", scanIndex=None):
        """Derivative as (skew matrix of the angular velocity, velocity)."""
        return self.to_se3(GeodesicTrajectory.deriv(self, t, endBehavior, scanIndex))

    def deriv_screw(self, t, endBehavior="halt", scanIndex=None):
        """Angular velocity and velocity, 6 numbers."""
        dR, v = self.deriv(t, endBehavior, scanIndex)
        return so3.deskew(dR) + v

    def preTransform(self, T):
        """Replaces each transform X by T X."""
        self.milestones[:] = [self.from_se3(se3.mul(T, self.to_se3(m))) for m in self.milestones]

    def postTransform(self, T):
        """Replaces each transform X by X T."""
        self.milestones[:] = [self.from_se3(se3.mul(self.to_se3(m), T)) for m in self.milestones]

    def getRotationTrajectory(self):
        """SO3Trajectory of the rotations."""
        return SO3Trajectory(self.times, [m[:9] for m in self.milestones])

    def getPositionTrajectory(self, localPt=None):
        """Trajectory of the origin, or of a point fixed to the frame."""
        if localPt is None:
            return Trajectory(self.times, [m[9:] for m in self.milestones])
        return Trajectory(self.times, [se3.apply(self.to_se3(m), localPt) for m in self.milestones])

    def extractDofs(self, dofs):
        """The rotations (dofs 0 to 8) or entries of the position (dofs 9 to 11)."""
        dofs = list(dofs)
        if dofs == list(range(9)):
            return self.getRotationTrajectory()
        if all(9 <= d < 12 for d in dofs):
            return Trajectory(list(self.times), [[m[d] for d in dofs] for m in self.milestones])
        raise ValueError("an SE3Trajectory gives its dofs 0 to 8 together, or some of 9 to 11")

    def constructor(self):
        return SE3Trajectory


class SE2Trajectory(GeodesicTrajectory):
    """Milestones are transforms of the plane (x, y, angle)."""

    def __init__(self, times=None, milestones=None):
        GeodesicTrajectory.__init__(self, SE2Space(), times, milestones)

    def constructor(self):
        return SE2Trajectory

    def preTransform(self, pose):
        """Replaces each transform X by pose X."""
        x, y, theta = pose
        self.milestones[:] = [vectorops.add(so2.apply(theta, m[:2]), [x, y]) + [theta + m[2]]
                              for m in self.milestones]

    def postTransform(self, pose):
        """Replaces each transform X by X pose."""
        x, y, theta = pose
        self.milestones[:] = [vectorops.add(so2.apply(m[2], [x, y]), m[:2]) + [theta + m[2]]
                              for m in self.milestones]

    def convert_se3(self):
        """SE3Trajectory in the plane z = 0."""
        return SE3Trajectory(self.times[:], [(so3.rotation((0, 0, 1), m[2]), [m[0], m[1], 0])
                                             for m in self.milestones])
