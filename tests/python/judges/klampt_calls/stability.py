"""Equilibrium, support polygons, force closure, torques that hold."""

import math

from . import case, draw, robot_files

CASES = {}


def contacts(rng, n, flat):
    out = []
    for _ in range(n):
        normal = [0, 0, 1] if flat else draw.unit(rng)
        if not flat and normal[2] < 0 and rng.random() < 0.8:
            normal = [-x for x in normal]
        out.append([*draw.vector(rng), *normal, rng.uniform(0.2, 1.2)])
    return out


def ordered(polygon):
    return sorted([round(x, 6) + 0.0 for x in row] for row in polygon)


@case(CASES, 3, 1e-5)
def equilibrium(place, rng, record):
    """com_equilibrium and support_polygon."""
    k = place.klampt
    n = rng.randrange(1, 6)
    flat = rng.random() < 0.5
    points = contacts(rng, n, flat)
    f = rng.choice([[0, 0, -1], [0, 0, -9.8], [*draw.vector(rng, 2, 2), -5]])
    edges = rng.choice([4, 4, 8])
    k.set_friction_cone_approximation_edges(edges)
    what = f"{'flat' if flat else 'any'}, {edges} edges: "
    for _ in range(2):
        com = draw.vector(rng)
        record.call(what + "com_equilibrium", k.com_equilibrium, points, f, com, then=lambda r: r is not None)
    record.call(what + "com_equilibrium of none", k.com_equilibrium, points, f, None)
    polygon = record.call(what + "support_polygon: rows", k.support_polygon, points, then=lambda r: all(len(x) == 3 for x in r))
    if polygon is not None:
        for _ in range(5):
            x, y = draw.vector(rng, 2, 1.5)
            record(what + "support_polygon holds a point", all(row[0] * x + row[1] * y <= row[2] + 1e-9 for row in polygon))
            record(what + "equilibrium above a point", k.com_equilibrium(points, [0, 0, -1], [x, y, 0.5]) is not None)
    k.set_friction_cone_approximation_edges(4)


@case(CASES, 1, 1e-5)
def flat(place, rng, record):
    """The same in two dimensions."""
    k = place.klampt
    n = rng.randrange(1, 5)
    points = [[*draw.vector(rng, 2), rng.uniform(0.5, 2.6), rng.uniform(0.2, 1.2)] for _ in range(n)]
    for _ in range(3):
        record.call("com_equilibrium_2d", k.com_equilibrium_2d, points, [0, -1], draw.vector(rng, 2), then=lambda r: r is not None)
    record.call("force_closure_2d", k.force_closure_2d, points)


@case(CASES, 1, 1e-5)
def closure(place, rng, record):
    """force_closure."""
    k = place.klampt
    points = []
    for _ in range(rng.randrange(1, 7)):
        p = draw.unit(rng)
        points.append([*p, *[-x for x in p], rng.uniform(0.2, 1.2)])
    record.call(f"force_closure of {len(points)}", k.force_closure, points)
    if len(points) == 2:
        opposite = [points[0], [*[-x for x in points[0][:3]], *[-x for x in points[0][3:6]], 0.5]]
        record.call("force_closure of opposite ones", k.force_closure, opposite)


@case(CASES, 2, 1e-3)
def torques(place, rng, record):
    """equilibrium_torques: whether there are some, and their largest share of the limits."""
    k = place.klampt
    name, robot, _ = robot_files.pick(place, rng, 0.2)
    record("robot", name)
    robot_files.pose(robot, rng, speed=False)
    n = rng.randrange(1, 4)
    links = [rng.randrange(robot.numLinks()) for _ in range(n)]
    points = []
    for i in links:
        p = robot.link(i).getTransform()[1]
        normal = draw.unit(rng)
        normal[2] = abs(normal[2])
        points.append([*p, *normal, rng.uniform(0.3, 1)])
    norm = rng.choice([0, 1, 2])
    limit = robot.getTorqueLimits()

    def shown(r):
        if r is None:
            return None
        t, f = r
        shares = [abs(x) / m if m and math.isfinite(m) else abs(x) for x, m in zip(t, limit)]
        return [len(t), len(f), max(shares) if norm == 0 else sum(abs(x) for x in t) if norm == 1 else sum(x * x for x in t)]
    record.call(f"equilibrium_torques(norm={norm})", k.equilibrium_torques, robot, points, links, [0, 0, -9.8], norm, then=shown)


@case(CASES, 1.5, 1e-6)
def module(place, rng, record):
    """klampt.model.contact."""
    from klampt.model import contact
    k = place.klampt
    points = [contact.ContactPoint(row[:3], row[3:6], row[6]) for row in contacts(rng, rng.randrange(1, 5), rng.random() < 0.5)]
    T = draw.transform(rng)
    p = points[0]
    record("tolist", p.tolist())
    p.transform(T)
    record("transformed", p.tolist())
    p.reflect()
    record("reflected", p.tolist())
    world = place.keep("contact world", lambda: balls(k))
    a, b = world.rigidObject(0), world.rigidObject(1)
    hold = contact.Hold()
    hold.setFixed(a, points)
    record.call("hold", lambda: [hold.link, hold.ikConstraint.saveString().split()[:2], [c.tolist() for c in hold.contacts]])
    record.call("com_equilibrium", contact.com_equilibrium, points, (0, 0, -1), draw.vector(rng), then=lambda r: r is not None)
    record.call("com_equilibrium of hold", contact.com_equilibrium, [hold], (0, 0, -1), draw.vector(rng), then=lambda r: r is not None)
    record.call("force_closure", contact.force_closure, points)
    record.call("skew", contact.skew, draw.vector(rng))
    a.setTransform(draw.rotation(rng), [0, 0, 0])
    b.setTransform(draw.rotation(rng), [v * 0.99 for v in draw.unit(rng)])
    record.call("geometry_contacts", contact.geometry_contacts, a.geometry(), b.geometry(), 0.02, 0.02, then=lambda r: len(r) > 0)
    record.call("world_contact_map", contact.world_contact_map, world, 0.03, 0.5, then=lambda m: sorted(
        [list(key), len(value) > 0] for key, value in m.items()))


def balls(k):
    world = k.WorldModel()
    for name in ("a", "b"):
        o = world.makeRigidObject(name)
        p = k.GeometricPrimitive()
        p.setSphere([0, 0, 0], 0.5)
        o.geometry().set(k.Geometry3D(p))
        m = o.getMass()
        m.setMass(2.0)
        m.setInertia([0.1, 0, 0, 0, 0.2, 0, 0, 0, 0.3])
        o.setMass(m)
    return world
