"""Which item of a scene a ray hits first."""

from ..math import vectorops


def _geometry(item):
    """The geometry of an item, None for what has none."""
    if hasattr(item, "rayCast"):
        return item
    body = callable(getattr(item, "geometry", None)) and not hasattr(item, "numRobots")
    return item.geometry() if body else None


def _distance(geometry, source, direction, tolerance):
    """Returns how far a ray goes to a geometry, None when it does not hit. Points and lines are as thick as the tolerance."""
    if geometry.empty():
        return None
    thin = geometry.type() == "PointCloud" or (
        geometry.type() == "GeometricPrimitive" and geometry.getGeometricPrimitive().type in ("Point", "Segment", "Line"))
    margin = geometry.getCollisionMargin()
    if thin:
        geometry.setCollisionMargin(tolerance)
    try:
        hit, point = geometry.rayCast(source, direction)
    finally:
        geometry.setCollisionMargin(margin)
    return vectorops.dot(vectorops.sub(point, source), direction) if hit else None


def cast(items, parts, source, direction, wanted=None, tolerance=0.01):
    """(item, point) of what a ray hits first, (None, None) for nothing.

    items: (name, item) pairs, item.item what is shown; parts(item): the pairs of an item's parts; wanted(name, shown) says
    which ones count.
    """
    closest, found = float("inf"), (None, None)
    queue = list(items)
    while queue:
        name, item = queue.pop()
        if item.hidden or (wanted is not None and not wanted(name, item.item)):
            continue
        geometry = _geometry(item.item)
        if geometry is None:
            queue += parts(item)
            continue
        distance = _distance(geometry, source, direction, tolerance)
        if distance is not None and distance < closest:
            closest = distance
            found = (item, vectorops.madd(source, direction, distance))
    return found
