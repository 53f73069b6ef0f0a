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


def _frame_of(model, part_indices, tool_link_index, frame, base_link_index):
    """Transform of the frame in the world."""
    if frame not in _FRAMES:
        raise ValueError(f"frame '{frame}' is not known; use " + ", ".join(_FRAMES))
    if frame == "world":
        return se3.identity()
    if frame != "base":
        return model.link(tool_link_index).getTransform()
    if base_link_index is None:
        base_link_index = model.link(model.driver(part_indices[0]).getAffectedLink()).getParent()
    return se3.identity() if base_link_index < 0 else model.link(base_link_index).getTransform()


def klamptCartesianPosition(model, q, part_indices, tool_coordinates, tool_link_index, frame, base_link_index=None):
    """Transform (R, t) of the tool in a frame."""
    if frame == "tool":
        return se3.identity()
    if frame == "end effector":
        return (so3.identity(), list(tool_coordinates))
    _pose(model, q, part_indices)
    R, t = model.link(tool_link_index).getTransform()
    base = _frame_of(model, part_indices, tool_link_index, frame, base_link_index)
    return se3.mul(se3.inv(base), (R, se3.apply((R, t), tool_coordinates)))


def _in_frame(pair, T):
    back = so3.inv(T[0])
    return tuple(list(so3.apply(back, v)) for v in pair)


def klamptCartesianVelocity(model, q, dq, part_indices, tool_coordinates, tool_link_index, frame, base_link_index=None):
    """Angular and linear velocity of the tool along the axes of a frame; in 'base', relative to it."""
    _pose(model, q, part_indices)
    if len(dq) != model.numDrivers():
        raise ValueError(f"{model.numDrivers()} velocities are wanted, one a driver, got {len(dq)}")
    for i in range(part_indices[-1] + 1):
        model.driver(i).setVelocity(0.0 if frame == "base" and i < part_indices[0] else dq[i])
    link = model.link(tool_link_index)
    pair = (link.getAngularVelocity(), link.getPointVelocity(tool_coordinates))
    return _in_frame(pair, _frame_of(model, part_indices, tool_link_index, frame, base_link_index))


def klamptCartesianForce(model, q, t, part_indices, tool_coordinates, tool_link_index, frame, base_link_index=None):
    """Torque and force at the tool along the axes of a frame, of driver torques t, by the transpose of the Jacobian."""
    _pose(model, q, part_indices)
    J = np.asarray(model.link(tool_link_index).getJacobian(tool_coordinates))
    wrench = J @ np.asarray(model.velocityFromDrivers(t))
    pair = (wrench[:3].tolist(), wrench[3:].tolist())
    return _in_frame(pair, _frame_of(model, part_indices, tool_link_index, frame, base_link_index))
