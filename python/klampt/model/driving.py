"""Trajectories of wheeled robots: poses (x, y, heading) that a car without side slip can follow."""

import math

from ..math import vectorops
from .trajectory import HermiteTrajectory, SE2Trajectory

_SAME_PLACE = 1e-2  # m; closer poses are a turn on the spot


def _pose(state):
    """The pose (x, y, heading along the velocity) of a state (x, y, vx, vy)."""
    return [state[0], state[1], math.atan2(state[3], state[2])]


class DifferentiallyFlat2DTrajectory(HermiteTrajectory):
    """A smooth curve in the plane whose tangent is the heading of what drives along it.

    Either `poses` are points (x, y) with `velocities`, or, without them, poses (x, y, heading): then the speed at a pose is
    the distance of its neighbors over the time between them.
    """

    def __init__(self, times, poses, velocities=None):
        wanted = 3 if velocities is None else 2
        for i, pose in enumerate(poses):
            if len(pose) != wanted:
                raise ValueError(f"pose {i} has {len(pose)} entries; {wanted} are wanted "
                                 f"{'without' if velocities is None else 'with'} velocities")
        if velocities is None:
            if len(times) < 2 or len(times) != len(poses):
                raise ValueError(f"{len(times)} times and {len(poses)} poses; at least two of each are wanted")
            velocities = [self._velocity(times, poses, i) for i in range(len(poses))]
            poses = [list(pose[:2]) for pose in poses]
        HermiteTrajectory.__init__(self, times, poses, velocities)

    @staticmethod
    def _velocity(times, poses, i):
        first, last = max(i - 1, 0), min(i + 1, len(poses) - 1)
        if first < i < last:  # the geometric mean of both sides, twice
            span = 2 * math.sqrt((times[i] - times[first]) * (times[last] - times[i]))
        else:
            span = times[last] - times[first]
        speed = vectorops.distance(poses[first][:2], poses[last][:2]) / span
        return [math.cos(poses[i][2]) * speed, math.sin(poses[i][2]) * speed]

    def eval_se2(self, t, endBehavior="halt", scanIndex=None):
        """The pose (x, y, heading) at t."""
        return _pose(self.eval_state(t, endBehavior, scanIndex))

    def discretize_se2(self, dt):
        """An SE2Trajectory with a pose every dt, and one at the end."""
        times, t = [], self.times[0]
        while t < self.times[-1]:
            times.append(t)
            t += dt
        times.append(self.times[-1])
        return SE2Trajectory(times, [self.eval_se2(t) for t in times])


def _drive(times, poses, dt, backwards):
    """The SE2Trajectory through poses, forwards or backwards."""
    turn = math.pi if backwards else 0.0
    curve = DifferentiallyFlat2DTrajectory(times, [[x, y, heading + turn] for x, y, heading in poses])
    states = curve.discretize_state(dt)
    path = [_pose(s) for s in states.milestones]
    if backwards:
        path = [[x, y, (heading + turn) % (2 * math.pi)] for x, y, heading in path]
    return SE2Trajectory(states.times, path)


def _kind(a, b):
    """Returns how a robot gets from a pose to the next: it turns, or drives in one of two directions."""
    ahead = vectorops.sub(b[:2], a[:2])
    if vectorops.norm(ahead) < _SAME_PLACE:
        return "turn"
    return "backwards" if math.cos(a[2]) * ahead[0] + math.sin(a[2]) * ahead[1] < 0 else "forwards"


def discretize_differential_drive_poses_se2(times, poses, dt):
    """An SE2Trajectory through poses (x, y, heading) for a robot with two driven wheels, a pose every dt.

    Poses closer than a centimeter are a turn on the spot; those behind the robot are driven to backwards.
    """
    for i, pose in enumerate(poses):
        if len(pose) != 3:
            raise ValueError(f"pose {i} has {len(pose)} entries; (x, y, heading) are wanted")
    if len(poses) < 2 or len(times) != len(poses):
        raise ValueError(f"{len(times)} times and {len(poses)} poses; at least two of each are wanted")
    kinds = [_kind(a, b) for a, b in zip(poses, poses[1:])]
    result, first = None, 0
    while first < len(kinds):
        last = first + 1
        while last < len(kinds) and kinds[last] == kinds[first]:
            last += 1
        part = slice(first, last + 1)
        if kinds[first] == "turn":
            piece = SE2Trajectory(times[part], poses[part]).discretize(dt)
        else:
            piece = _drive(times[part], poses[part], dt, kinds[first] == "backwards")
        if result is None:
            result = piece
        else:
            piece.milestones[0] = result.milestones[-1]
            result = result.concat(piece)
        first = last
    return result
