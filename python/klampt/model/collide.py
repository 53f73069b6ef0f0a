"""Collisions between groups of geometries and between the bodies of a world.

A bounding box is a pair (lower corner, upper corner).
"""

from ..math import vectorops
from ..robotsim import RigidObjectModel, RobotModel, RobotModelLink, TerrainModel

# Programs get these along with `import *`.
import warnings
from typing import Tuple, Union
from ..math import se3
from ..robotsim import *

BBType = Tuple[list, list]
CollidableType = Union[RobotModel, RobotModelLink, RigidObjectModel, TerrainModel]
WorldBodyType = Union[RobotModelLink, RigidObjectModel, TerrainModel]


def bb_create(*ptlist):
    """Smallest box around points; without points the empty box."""
    if not ptlist:
        return ([float("inf")] * 3, [float("-inf")] * 3)
    return (list(map(min, zip(*ptlist))), list(map(max, zip(*ptlist))))


def bb_empty(bb):
    """Returns whether the box holds nothing."""
    return any(a > b for a, b in zip(bb[0], bb[1]))


def bb_intersect(a, b):
    """Returns whether two boxes meet."""
    return not any(q < u or v < p for p, q, u, v in zip(a[0], a[1], b[0], b[1]))


def bb_contains(bb, x):
    """Returns whether the box holds the point x."""
    return not any(v < p or v > q for p, q, v in zip(bb[0], bb[1], x))


def bb_intersection(*bbs):
    """The common part of boxes."""
    return (list(map(max, zip(*(b[0] for b in bbs)))), list(map(min, zip(*(b[1] for b in bbs)))))


def bb_union(*bbs):
    """The smallest box around boxes."""
    return (list(map(min, zip(*(b[0] for b in bbs)))), list(map(max, zip(*(b[1] for b in bbs)))))


def self_collision_iter(geomlist, pairs="all"):
    """Yields colliding index pairs (i, j) with i < j.

    pairs: 'all', a function (i, j) -> bool, or a list of pairs to test.
    """
    if pairs == "all" or callable(pairs):
        n = len(geomlist)
        candidates = ((i, j) for i in range(n) for j in range(i + 1, n)
                      if pairs == "all" or pairs(i, j))
    else:
        candidates = pairs
    for i, j in candidates:
        if geomlist[i].collides(geomlist[j]):
            yield (i, j)


def _group_pairs(first, second, pairs):
    """Index pairs whose groups' boxes allow a contact; items are (index, geometry)."""
    if pairs != "all" and not callable(pairs):
        yield from pairs
        return
    boxes1 = [g.getBB() for _, g in first]
    boxes2 = [g.getBB() for _, g in second]
    all1, all2 = bb_union(*boxes1), bb_union(*boxes2)
    near = [(j, b) for (j, _), b in zip(second, boxes2) if bb_intersect(b, all1)]
    for (i, _), box in zip(first, boxes1):
        if not bb_intersect(box, all2):
            continue
        for j, box2 in near:
            if bb_intersect(box, box2) and (pairs == "all" or pairs(i, j)):
                yield (i, j)


def group_collision_iter(geomlist1, geomlist2, pairs="all"):
    """Yields index pairs of colliding geometries, one of each list; pairs as above."""
    if len(geomlist1) == 0 or len(geomlist2) == 0:
        return
    for i, j in _group_pairs(list(enumerate(geomlist1)), list(enumerate(geomlist2)), pairs):
        if geomlist1[i].collides(geomlist2[j]):
            yield (i, j)


def group_subset_collision_iter(geomlist, alist, blist, pairs="all"):
    """Like group_collision_iter for two lists of indices into one list."""
    if len(alist) == 0 or len(blist) == 0:
        return
    first, second = [(i, geomlist[i]) for i in alist], [(i, geomlist[i]) for i in blist]
    for i, j in _group_pairs(first, second, pairs):
        if i != j and geomlist[i].collides(geomlist[j]):
            yield (i, j)


def _first_hit(items, s, d):
    """Nearest hit (key, point) of a ray from s along d; items are (key, geometry)."""
    best, nearest = None, float("inf")
    for key, g in items:
        hit, point = g.rayCast(s, d)
        if hit:
            along = vectorops.dot(d, vectorops.sub(point, s))
            if along < nearest:
                nearest, best = along, (key, point)
    return best


def ray_cast(geomlist, s, d):
    """(index, point) of the first geometry a ray from s along d meets, or None."""
    return _first_hit(enumerate(geomlist), s, d)


class WorldCollider:
    """Collision tests between the bodies of a world.

    geomList holds (body, geometry) pairs, mask the set of indices each is tested with;
    terrains, rigidObjects and robots hold indices into geomList, -1 without a geometry.
    ignore: bodies or pairs of bodies to leave out.
    """

    def __init__(self, world, ignore=()):
        world.enableInitCollisions(True)
        self.world = world
        self.geomList = []
        self.terrains = [self._register(world.terrain(i)) for i in range(world.numTerrains())]
        self.rigidObjects = [self._register(world.rigidObject(i))
                             for i in range(world.numRigidObjects())]
        robots = [world.robot(i) for i in range(world.numRobots())]
        self.robots = [[self._register(r.link(i)) for i in range(r.numLinks())] for r in robots]
        self.mask = [set() for _ in self.geomList]
        self._enable_defaults(robots)
        for item in ignore:
            self.ignoreCollision(item)

    def _register(self, body):
        g = body.geometry()
        if g is None or g.type() == "":
            return -1
        self.geomList.append((body, g))
        return len(self.geomList) - 1

    def _enable(self, i, j):
        if i >= 0 and j >= 0 and i != j:
            self.mask[i].add(j)
            self.mask[j].add(i)

    def _enable_defaults(self, robots):
        links = [l for r in self.robots for l in r if l >= 0]
        moving = [l for l in links if self.geomList[l][0].getParent() >= 0]
        for t in self.terrains:
            for other in self.rigidObjects + moving:
                self._enable(t, other)
        for k, o in enumerate(self.rigidObjects):
            for other in self.rigidObjects[:k] + links:
                self._enable(o, other)
        for k, r in enumerate(self.robots):
            for other in self.robots[:k]:
                for i in r:
                    for j in other:
                        self._enable(i, j)
            for i in range(len(r)):
                for j in range(i):
                    if r[i] >= 0 and r[j] >= 0 and robots[k].selfCollisionEnabled(i, j):
                        self._enable(r[i], r[j])

    def _getGeomIndex(self, object):
        assert isinstance(object, (RobotModel, RobotModelLink, RigidObjectModel, TerrainModel)), (
            f"a body of the world is wanted, got {type(object).__name__}")
        for i, (body, _) in enumerate(self.geomList):
            if type(body) is type(object) and body.getID() == object.getID():
                return i
        return None

    def ignoreCollision(self, ign):
        """Leaves out a body, or a pair of bodies."""
        if hasattr(ign, "__iter__"):
            a, b = (self._getGeomIndex(x) for x in ign)
            if a is None or b is None:
                raise ValueError("ignoreCollision() wants a pair of bodies of the world")
            self.mask[a].discard(b)
            self.mask[b].discard(a)
            return
        i = self._getGeomIndex(ign)
        if i is None:
            raise ValueError("ignoreCollision() wants a body of the world with a geometry")
        for j in self.mask[i]:
            self.mask[j].discard(i)
        self.mask[i] = set()

    def isCollisionEnabled(self, obj_or_pair):
        """Returns whether a body is tested with any other, or a pair of bodies with each other."""
        if hasattr(obj_or_pair, "__iter__"):
            a, b = (self._getGeomIndex(x) for x in obj_or_pair)
            return a is not None and b is not None and b in self.mask[a]
        i = self._getGeomIndex(obj_or_pair)
        return i is not None and len(self.mask[i]) > 0

    def collisionTests(self, filter1=None, filter2=None, bb_reject=True):
        """Yields pairs of (body, geometry) to test.

        With filter1 both bodies must pass it, with filter2 one passes each (that of
        filter1 comes first). bb_reject leaves out pairs whose boxes are apart.
        """
        boxes = [g.getBB() for _, g in self.geomList] if bb_reject else None
        for i, others in enumerate(self.mask):
            a = self.geomList[i]
            for j in sorted(others):
                if j < i or (boxes and not bb_intersect(boxes[i], boxes[j])):
                    continue
                b = self.geomList[j]
                if filter1 is None or (filter2 is None and filter1(a[0]) and filter1(b[0])):
                    yield (a, b)
                elif filter2 is not None:
                    if filter1(a[0]) and filter2(b[0]):
                        yield (a, b)
                    if filter2(a[0]) and filter1(b[0]):
                        yield (b, a)

    def collisions(self, filter1=None, filter2=None):
        """Yields pairs of colliding bodies; filters as for collisionTests()."""
        for a, b in self.collisionTests(filter1, filter2):
            if a[1].collides(b[1]):
                yield (a[0], b[0])

    def _test(self, i, j):
        if i >= 0 and j >= 0 and j in self.mask[i]:
            (a, g), (b, h) = self.geomList[i], self.geomList[j]
            if g.collides(h):
                yield (a, b)

    def robotSelfCollisions(self, robot=None):
        """Yields pairs of colliding links of a robot (index or handle), or of each robot."""
        if robot is None:
            for r in range(len(self.robots)):
                yield from self.robotSelfCollisions(r)
            return
        links = self.robots[_index(robot)]
        for k, i in enumerate(links):
            for j in links[:k]:
                yield from self._test(i, j)

    def robotObjectCollisions(self, robot, object=None):
        """Yields pairs (link, object), of one rigid object or of all."""
        for o in self.rigidObjects if object is None else [self.rigidObjects[_index(object)]]:
            for i in self.robots[_index(robot)]:
                yield from self._test(i, o)

    def robotTerrainCollisions(self, robot, terrain=None):
        """Yields pairs (link, terrain), of one terrain or of all."""
        for t in self.terrains if terrain is None else [self.terrains[_index(terrain)]]:
            for i in self.robots[_index(robot)]:
                yield from self._test(i, t)

    def objectTerrainCollisions(self, object, terrain=None):
        """Yields pairs (object, terrain), of one terrain or of all."""
        for t in self.terrains if terrain is None else [self.terrains[_index(terrain)]]:
            yield from self._test(self.rigidObjects[_index(object)], t)

    def objectObjectCollisions(self, object, object2=None):
        """Yields pairs of rigid objects, with one other or with all."""
        for o in self.rigidObjects if object2 is None else [self.rigidObjects[_index(object2)]]:
            yield from self._test(self.rigidObjects[_index(object)], o)

    def rayCast(self, s, d, indices=None):
        """(body, point) that a ray from s along d meets first, or None."""
        items = self.geomList if indices is None else [self.geomList[i] for i in indices if i >= 0]
        return _first_hit(items, s, d)

    def rayCastRobot(self, robot, s, d):
        """(link, point) of a robot that a ray meets first, or None."""
        return self.rayCast(s, d, self.robots[_index(robot)])


def _index(item):
    return item if isinstance(item, int) else item.index
