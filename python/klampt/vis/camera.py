"""Cameras: where a view looks from. matrix() is the camera's transform (R, t)."""

from ..math import se3, so3, vectorops


basis_vectors = {sign + name: [float(sign + "1") if name == axis else 0.0 for axis in "xyz"]
                 for name in "xyz" for sign in ("", "-")}


def orientation_matrix(axis1, axis2, axis3):
    """The rotation whose rows are three axes, each of three numbers or a name such as 'x' and '-z'."""
    return so3.from_matrix([basis_vectors[a] if isinstance(a, str) else a for a in (axis1, axis2, axis3)])


class free:
    """Position and roll, pitch, yaw."""

    def __init__(self):
        self.pos = [0.0, 0.0, 0.0]
        self.rot = [0.0, 0.0, 0.0]

    def matrix(self):
        return (so3.from_rpy(self.rot), self.pos)

    def set_matrix(self, T):
        R, self.pos = T
        self.rot = list(so3.rpy(R))


class target:
    """Position and a point looked at, with an up direction."""

    def __init__(self):
        self.pos = [0.0, 0.0, 0.0]
        self.tgt = [1.0, 0.0, 0.0]
        self.up = [0.0, 0.0, 1.0]

    def matrix(self):
        back = vectorops.unit(vectorops.sub(self.pos, self.tgt))
        right = vectorops.unit(vectorops.cross(self.up, back))
        up = vectorops.cross(back, right)
        return (list(right) + list(up) + list(back), self.pos)

    def set_matrix(self, T):
        R, self.pos = T
        self.tgt = vectorops.sub(self.pos, R[6:9])
        self.up = list(R[3:6])


class orbit:
    """A point looked at, distance, and rotation (roll, pitch, yaw) around it."""

    def __init__(self):
        self.tgt = [0.0, 0.0, 0.0]
        self.rot = [0.0, 0.0, 0.0]
        self.dist = 1.0
        # Columns are the camera's right, up and backward axes in the world.
        self.ori = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0]

    def matrix(self):
        roll, pitch, yaw = self.rot
        R = so3.mul(so3.mul(so3.rotation((0, 0, 1), yaw), so3.rotation((1, 0, 0), pitch)),
                    so3.mul(self.ori, so3.rotation((0, 0, 1), roll)))
        return (R, se3.apply((R, self.tgt), (0, 0, self.dist)))

    def set_orientation(self, R, ori=None):
        """Turns the camera to a rotation."""
        if ori is not None:
            self.ori = ori
        self.ori, self.rot = so3.mul(R, so3.identity()), [0.0, 0.0, 0.0]

    def set_matrix(self, T):
        R, t = T
        self.set_orientation(R)
        self.tgt = vectorops.madd(t, R[6:9], -self.dist)
