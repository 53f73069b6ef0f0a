"""Tools of interfaces by their model: positions, velocities and forces in the frames that interfaces have.

q, dq, t: values of all drivers. part_indices: drivers of the part that the tool belongs to. frame: 'world', 'base' (the link
before the part, or base_link_index), 'end effector' (the link) or 'tool' (the tool's point on it).
"""

import numpy as np

from ..math import se3, so3

_FRAMES = ("world", "base", "end effector", "tool")


def _pose(model, q, part_indices):
    if len(q) != model.numDrivers():
        raise ValueError(f"{model.numDrivers()} values are wanted, one a driver, got {len(q)}")
    for i in range(part_indices[-1] + 1):
        model.driver(i).setValue(q[i])
    model.setConfig(model.getConfig())


def frame_of(model, part_indices, tool_coordinates, tool_link_index, frame, base_link_index=None):
    """Transform of a frame in the world, of the model as it is posed."""
    if frame not in _FRAMES:
        raise ValueError(f"frame '{frame}' is not known; use " + ", ".join(_FRAMES))
    if frame == "world":
        return se3.identity()
    if frame != "base":
        T = model.link(tool_link_index).getTransform()
        return T if frame == "end effector" else (T[0], se3.apply(T, tool_coordinates))
    if base_link_index is None:
        base_link_index = model.link(model.driver(part_indices[0]).getAffectedLink()).getParent()
    return se3.identity() if base_link_index < 0 else model.link(base_link_index).getTransform()


def in_frame(pair, T):
    """Two vectors of the world along the axes of a frame."""
    back = so3.inv(T[0])
    return tuple(list(so3.apply(back, v)) for v in pair)


def position_in(T, tool):
    """The tool's transform in a frame, both given in the world."""
    return se3.mul(se3.inv(T), tool)


def wrench_of(link, tool_coordinates, torques):
    """Torque and force at the tool of the torques of links: J times them, as Klamp't has it.

    A tool that is pressed on by a wrench w needs the torques J^T w; only where J J^T is the identity does this give w back.
    """
    wrench = np.asarray(link.getJacobian(tool_coordinates)) @ np.asarray(torques)
    return wrench[:3].tolist(), wrench[3:].tolist()


def klamptCartesianPosition(model, q, part_indices, tool_coordinates, tool_link_index, frame, base_link_index=None):
    """Transform (R, t) of the tool in a frame."""
    if frame == "tool":
        return se3.identity()
    if frame == "end effector":
        return (so3.identity(), list(tool_coordinates))
    _pose(model, q, part_indices)
    tool = frame_of(model, part_indices, tool_coordinates, tool_link_index, "tool")
    return position_in(frame_of(model, part_indices, tool_coordinates, tool_link_index, frame, base_link_index), tool)


def klamptCartesianVelocity(model, q, dq, part_indices, tool_coordinates, tool_link_index, frame, base_link_index=None):
    """Angular and linear velocity of the tool along the axes of a frame; in 'base', relative to it."""
    _pose(model, q, part_indices)
    if len(dq) != model.numDrivers():
        raise ValueError(f"{model.numDrivers()} velocities are wanted, one a driver, got {len(dq)}")
    for i in range(part_indices[-1] + 1):
        model.driver(i).setVelocity(0.0 if frame == "base" and i < part_indices[0] else dq[i])
    link = model.link(tool_link_index)
    pair = (link.getAngularVelocity(), link.getPointVelocity(tool_coordinates))
    return in_frame(pair, frame_of(model, part_indices, tool_coordinates, tool_link_index, frame, base_link_index))


def klamptCartesianForce(model, q, t, part_indices, tool_coordinates, tool_link_index, frame, base_link_index=None):
    """Torque and force at the tool along the axes of a frame, of driver torques t: as `wrench_of`."""
    _pose(model, q, part_indices)
    pair = wrench_of(model.link(tool_link_index), tool_coordinates, model.velocityFromDrivers(t))
    return in_frame(pair, frame_of(model, part_indices, tool_coordinates, tool_link_index, frame, base_link_index))
