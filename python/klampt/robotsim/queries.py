"""Settings and results of distance and contact queries."""


class DistanceQuerySettings:
    """The exactness of a distance: `relErr`, `absErr`, and `upperBound`, beyond which nothing is sought."""

    def __init__(self):
        self.relErr = 0.0
        self.absErr = 0.0
        self.upperBound = float("inf")


class DistanceQueryResult:
    """A distance `d`, below 0 for shapes that overlap; where `hasClosestPoints`, the nearest points `cp1` and `cp2` in the
    world and the elements `elem1` and `elem2` they are on; where `hasGradients`, the unit directions `grad1` and `grad2` in
    which each shape moves to get away from the other least."""

    def __init__(self):
        self.d = 0.0
        self.hasClosestPoints = False
        self.hasGradients = False
        self.cp1, self.cp2 = [], []
        self.grad1, self.grad2 = [], []
        self.elem1 = self.elem2 = -1


class ContactQueryResult:
    """Contacts of two shapes with padding: `depths`, `points1` and `points2` in the world, unit `normals` from the first to
    the second, and the elements `elems1` and `elems2`."""

    def __init__(self):
        self.depths = []
        self.points1, self.points2, self.normals = [], [], []
        self.elems1, self.elems2 = [], []


def distance_result(numbers):
    """Makes a result of (d, p1, p2, normal, elem1, elem2)."""
    result = DistanceQueryResult()
    result.d, p1, p2, normal, elem1, elem2 = numbers
    if elem1 < 0:
        return result
    result.hasClosestPoints = result.hasGradients = True
    result.cp1, result.cp2, result.elem1, result.elem2 = p1, p2, elem1, elem2
    result.grad1, result.grad2 = list(normal), [-x for x in normal]
    return result
