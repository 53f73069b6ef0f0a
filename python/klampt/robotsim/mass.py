"""Masses and surfaces."""

import math


def finite_list(values, what):
    """The numbers as a list. Raises ValueError where one is not finite."""
    values = [float(v) for v in values]
    if not all(math.isfinite(v) for v in values):
        raise ValueError("%s: expected finite numbers, found %s" % (what, values))
    return values


class Mass:
    """A body's mass in kg, its center of mass, and its inertia about the center of mass: nine numbers, or three on the diagonal."""

    def __init__(self):
        self.mass = 0.0
        self._com = [0.0, 0.0, 0.0]
        self._inertia = [0.0] * 9

    @classmethod
    def _of(cls, numbers):
        mass = cls()
        mass.mass, mass._com, mass._inertia = numbers
        return mass

    def _numbers(self):
        a = self._inertia
        return float(self.mass), self._com, a if len(a) == 9 else [a[0], 0.0, 0.0, 0.0, a[1], 0.0, 0.0, 0.0, a[2]]

    def setMass(self, mass):
        """Sets the mass, kg."""
        mass = float(mass)
        if not (mass >= 0 and math.isfinite(mass)):
            raise ValueError("mass: expected kilograms of at least 0, found %g" % mass)
        self.mass = mass

    def getMass(self):
        """The mass, kg."""
        return self.mass

    def setCom(self, com):
        """Sets the center of mass, in the body's frame."""
        com = finite_list(com, "com")
        if len(com) != 3:
            raise ValueError("a center of mass has 3 numbers, not %d" % len(com))
        self._com = com

    def getCom(self):
        """The center of mass, in the body's frame."""
        return self._com

    def setInertia(self, inertia):
        """Sets the inertia: nine numbers, or three on the diagonal."""
        inertia = finite_list(inertia, "inertia")
        if len(inertia) not in (3, 9):
            raise ValueError("an inertia has 9 numbers, or 3 on the diagonal, not %d" % len(inertia))
        self._inertia = inertia

    def getInertia(self):
        """The inertia, as it was set: nine numbers, or three on the diagonal."""
        return self._inertia

    def estimate(self, g, mass, surfaceFraction=0):
        """Center of mass and inertia of `mass` kg spread through a geometry, `surfaceFraction` of it over the surface."""
        g._sync()
        com, inertia = g._shape.massProperties(float(mass), float(surfaceFraction))
        self.mass, self._com, self._inertia = float(mass), com, inertia

    com = property(getCom, setCom)
    inertia = property(getInertia, setInertia)

    def __repr__(self):
        return "<Mass: %g kg, com %s>" % (self.mass, self._com)


class ContactParameters:
    """A surface: friction `kFriction`, restitution `kRestitution`, stiffness `kStiffness` and damping `kDamping` of each
    contact point."""

    def __init__(self):
        self.kFriction = 0.0
        self.kRestitution = 0.0
        self.kStiffness = float("inf")
        self.kDamping = float("inf")

    @classmethod
    def _of(cls, numbers):
        parameters = cls()
        parameters.kFriction, parameters.kRestitution, parameters.kStiffness, parameters.kDamping = numbers[:4]
        return parameters

    def _numbers(self):
        return float(self.kFriction), float(self.kRestitution), float(self.kStiffness), float(self.kDamping)

    def __repr__(self):
        return "<ContactParameters: friction %g, restitution %g>" % (self.kFriction, self.kRestitution)
