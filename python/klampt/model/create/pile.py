"""Arrangements and piles of rigid objects in a container."""

import math
import random

from ...math import so3, vectorops
from .. import collide

_MARGIN = 0.0025  # Meters left free below an object.


def _bound(objects):
    """Tight box of a body, or around several."""
    if hasattr(objects, "__iter__"):
        return collide.bb_union(*(_bound(o) for o in objects))
    return objects.geometry().getBBTight()


def _inside(container, wall):
    low, high = _bound(container)
    return vectorops.add(low, [wall] * 3), vectorops.sub(high, [wall] * 3)


def xy_randomize(obj, bmin, bmax):
    """Turns an object about z and moves it within a box, both at random."""
    R, t = obj.getTransform()
    R = so3.mul(so3.rotation((0, 0, 1), random.uniform(0, 2 * math.pi)), R)
    obj.setTransform(R, [0.0, 0.0, t[2]])
    low, high = obj.geometry().getBB()
    x, y = (random.uniform(bmin[i] - low[i], bmax[i] - high[i]) for i in (0, 1))
    obj.setTransform(R, [x, y, t[2]])


def _conflicts(objects, fixed, without=()):
    """Number of collisions of each object."""
    own, others = [o.geometry() for o in objects], [o.geometry() for o in fixed]
    counts = [0] * len(objects)
    for i, j in collide.self_collision_iter(own, lambda a, b: not {a, b} & set(without)):
        counts[i] += 1
        counts[j] += 1
    for i, _ in collide.group_collision_iter(own, others, lambda a, b: a not in without):
        counts[i] += 1
    return counts


def xy_jiggle(world, objects, fixed_objects, bmin, bmax, iters, randomize=True, verbose=0):
    """Moves objects within a box until none collide; returns indices of those that still do."""
    objects = list(objects)
    if randomize:
        for obj in objects:
            xy_randomize(obj, bmin, bmax)
    for _ in range(iters):
        counts = _conflicts(objects, fixed_objects)
        if not any(counts):
            return []
        worst = max(range(len(objects)), key=lambda i: counts[i])
        if verbose:
            print(counts[worst], "conflicts with object", objects[worst].getName())
        xy_randomize(objects[worst], bmin, bmax)
    removed = []
    while True:
        counts = _conflicts(objects, fixed_objects, removed)
        if not any(counts):
            return removed
        removed.append(max(range(len(objects)), key=lambda i: counts[i]))


def make_object_arrangement(world, container, objects, container_wall_thickness=0.01,
                            max_iterations=100, remove_failures=False):
    """Spreads objects over the floor of a container; returns the world.

    When some do not fit: None, or with remove_failures the world without them.
    """
    low, high = _inside(container, container_wall_thickness)
    for obj in objects:
        R, t = obj.getTransform()
        t[2] += low[2] - _bound(obj)[0][2] + _MARGIN
        obj.setTransform(R, t)
    failures = xy_jiggle(world, objects, [container], low, high, max_iterations)
    if failures and not remove_failures:
        return None
    for index in sorted((objects[i].index for i in failures), reverse=True):
        world.remove(world.rigidObject(index))
    return world


def make_object_pile(world, container, objects, container_wall_thickness=0.01,
                     randomize_orientation=True, visualize=False, verbose=0):
    """Lets objects settle one by one into a container; returns (world, None)."""
    from ...sim import settle
    low, high = _inside(container, container_wall_thickness)
    top = low[2]
    for obj in objects:
        R, t = obj.getTransform()
        if randomize_orientation is True:
            R = so3.sample()
        obj.setTransform(R, t)
        xy_randomize(obj, low, high)
        R, t = obj.getTransform()
        t[2] += top - _bound(obj)[0][2] + _MARGIN
        obj.setTransform(R, t)
        if verbose:
            print("Settling object", obj.getName())
        T, _ = settle.settle(world, obj, debug=visualize)
        if T is not None:
            obj.setTransform(*T)
        top = max(top, _bound(obj)[1][2])
    return (world, None)
