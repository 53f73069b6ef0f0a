"""Configuration spaces of robots that stand on contacts."""

from ..math import vectorops
from ..model import collide, contact
from .robotcspace import ClosedLoopRobotCSpace


class StanceCSpace(ClosedLoopRobotCSpace):
    """Configurations that keep a stance (a list of model.contact.Hold) with the center of mass above its support polygon.

    Without a collider one is made of `world`, which does not test links that hold. `equilibriumMargin` (m, 0 at first) is
    how far inside the polygon's planes `sp` the center of mass has to be.
    """

    gravity = (0, 0, -9.8)

    def __init__(self, robot, holds, collider=None, world=None, checkTorqueLimits=False):
        if checkTorqueLimits:
            raise NotImplementedError("StanceCSpace tests no torques; "
                                      "use addFeasibilityTest() with model.contact.equilibrium_torques()")
        if collider is None and world is not None:
            collider = collide.WorldCollider(world, ignore=[robot.link(h.link) for h in holds])
        ClosedLoopRobotCSpace.__init__(self, robot, [h.ikConstraint for h in holds], collider)
        self.holds = holds
        self.sp = contact.support_polygon(holds)
        self.equilibriumMargin = 0.0
        self.addFeasibilityTest(self.testSupportPolygon, "suppPoly")

    def testSupportPolygon(self, q):
        """Whether the center of mass at q is above the support polygon."""
        self.robot.setConfig(q)
        com = self.robot.getCom()
        return all(vectorops.dot(plane[:2], com[:2]) <= plane[2] - self.equilibriumMargin for plane in self.sp)


class TransitionCSpace(ClosedLoopRobotCSpace):
    """Configurations between two StanceCSpaces, one of which has all holds of the other: those that keep the larger stance
    and balance on the smaller one."""

    def __init__(self, space1, space2):
        for space in (space1, space2):
            if not isinstance(space, StanceCSpace):
                raise TypeError(f"a StanceCSpace is wanted, got {type(space).__name__}")
        self.space1, self.space2 = sorted((space1, space2), key=lambda s: len(s.holds))
        ClosedLoopRobotCSpace.__init__(self, self.space1.robot, [h.ikConstraint for h in self.space2.holds],
                                       self.space2.collider)
        self.addFeasibilityTest(self.space1.testSupportPolygon, "suppPoly")
