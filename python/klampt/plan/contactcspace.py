"""Configuration spaces of robots that stand on contacts."""

from .robotcspace import ClosedLoopRobotCSpace, ContactCSpace, StanceCSpace

__all__ = ["ContactCSpace", "StanceCSpace", "TransitionCSpace"]


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
