"""Robots for the calls: those of Klamp't's data, and random .rob files."""

import pathlib
import random

from . import draw

# Small ones are drawn more often than those that take seconds to read.
LARGE = {"baxter.rob", "AL5D.rob", "jaco.rob", "kinova_gen3_7dof.urdf", "kinova_with_robotiq_85.urdf", "tx90ball.rob", "tx90pr2.rob",
         "pr2.rob", "tx90l.rob"}
# The real Klamp't does not read these.
UNREAD = {"blank.rob", "sphere.rob", "tx90ball_pair.rob"}


def files(place):
    folder = place.data / "robots"
    found = sorted(folder.glob("*.rob")) + sorted(folder.glob("*.urdf")) + sorted(folder.glob("*/*.urdf"))
    return [file for file in found if file.name not in UNREAD]


def numbers(values):
    return " ".join(repr(float(v)) for v in values)


def joints_and_drivers(rng, kinds, floating):
    """Lines of a .rob file: a joint a link, some welded or turning for ever, and their drivers, some of several links."""
    lines, free, welds = [], [], []
    if floating:
        lines.append("joint floating 5 -1")
    for i in range(6 if floating else 0, len(kinds)):
        draws = rng.random()
        kind = "weld" if draws < 0.1 else "spin" if draws < 0.3 and kinds[i] == "r" else "normal"
        lines.append(f"joint {kind} {i}")
        if kind == "weld":
            welds.append(i)
        else:
            free.append(i)
    while free:
        i = free.pop(0)
        if free and rng.random() < 0.15:
            scales, offsets = [1, rng.uniform(0.3, 2)], [0, rng.uniform(-0.2, 0.2)]
            lines.append(f"driver affine 2 {i} {free.pop(0)} {numbers(scales)} {numbers(offsets)} -2 2 -3 3 -20 20")
        elif rng.random() < 0.9 or not free:
            lines.append(f"driver normal {i}")
    return lines, welds


def random_rob(rng):
    """Text of a .rob file: a tree of 2 to 9 links with any axes, offsets, inertias, limits, joints and drivers."""
    n = rng.randrange(2, 10)
    floating = n >= 7 and rng.random() < 0.4
    parents = [-1] + [i if rng.random() < 0.7 else rng.randrange(0, i + 1) for i in range(n - 1)]
    kinds = ["r" if rng.random() < 0.75 else "p" for _ in range(n)]
    axes = [draw.unit(rng) for _ in range(n)]
    places = [draw.transform(rng, 0.5) for _ in range(n)]
    if floating:
        parents[:7] = [-1, 0, 1, 2, 3, 4, 5]
        parents[7:] = [rng.randrange(5, i) for i in range(7, n)]
        kinds[:6] = ["p", "p", "p", "r", "r", "r"]
        axes[:6] = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1], [0, 1, 0], [1, 0, 0]]
        places[:6] = [([1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0])] * 6
    rows = [[R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8], *t] for R, t in places]
    low = [-rng.uniform(0.1, 3) for _ in range(n)]
    high = [rng.uniform(0.1, 3) for _ in range(n)]
    inertias = []
    for _ in range(n):
        R, d = draw.rotation(rng), [rng.uniform(0.1, 0.3) for _ in range(3)]
        inertias += [sum(R[i + 3 * k] * d[k] * R[j + 3 * k] for k in range(3)) for i in range(3) for j in range(3)]
    joints, welds = joints_and_drivers(rng, kinds, floating)
    for i in welds:
        low[i] = high[i] = 0.0
    lines = ["links " + " ".join(f'"l{i}"' for i in range(n)), "parents " + " ".join(map(str, parents)),
             "jointtype " + " ".join(kinds), "axis " + numbers(x for a in axes for x in a),
             "TParent " + numbers(x for row in rows for x in row), "qMin " + numbers(low), "qMax " + numbers(high),
             "q " + numbers(rng.uniform(a, b) for a, b in zip(low, high)),
             "mass " + numbers(rng.uniform(0.1, 5) for _ in range(n)),
             "com " + numbers(x for _ in range(n) for x in draw.vector(rng, 3, 0.2)), "inertia " + numbers(inertias),
             "velMax " + numbers(rng.uniform(0.5, 4) for _ in range(n)),
             "accMax " + numbers(rng.uniform(1, 9) for _ in range(n)),
             "torqueMax " + numbers(rng.uniform(5, 90) for _ in range(n))]
    return "\n".join(lines + joints) + "\n"


def several_shapes(place, name):
    """Whether a robot's file is a URDF in which a link has more than one shape."""
    def read():
        import xml.etree.ElementTree
        path = next((f for f in files(place) if f.name == name and f.suffix == ".urdf"), None)
        return path is not None and any(len(link.findall("collision")) > 1
                                        for link in xml.etree.ElementTree.parse(path).getroot().findall("link"))
    return place.keep(("several shapes", name), read)


def world_of(place, path):
    """A world with one robot, read once."""
    def read():
        world = place.klampt.WorldModel()
        if world.loadRobot(str(path)) is None and world.numRobots() == 0:
            raise RuntimeError(f"{path} cannot be read")
        if world.numRobots() == 0:
            raise RuntimeError(f"{path} has no robot")
        return world
    return place.keep(("robot", str(path)), read)


def pick(place, rng, made=0.4):
    """A robot: a random file, or one of Klamp't's. Returns (name, robot, its world)."""
    chance, number = rng.random(), rng.randrange(40)
    listed = files(place)
    choice = listed[rng.randrange(len(listed))]
    if choice.name in LARGE and rng.random() < 0.7:
        choice = listed[rng.randrange(len(listed))]
    if chance < made:
        choice = pathlib.Path(place.scratch) / f"random{number}.rob"
        if not choice.exists():
            choice.write_text(random_rob(random.Random(f"robot {number}")))
    world = world_of(place, choice)
    return choice.name, world.robot(0), world


def pose(robot, rng, speed=True):
    """Sets a random configuration and velocity; returns both."""
    low, high = robot.getJointLimits()
    q = draw.within(rng, low, high)
    robot.setConfig(q)
    dq = draw.vector(rng, robot.numLinks(), 2)
    if speed:
        robot.setVelocity(dq)
    return q, dq


def slides_on_turning(robot, link=None):
    """' (sliding)' where a link or one before it slides on one that turns; of the whole robot, where any does."""
    links = range(robot.numLinks()) if link is None else [link]
    for i in links:
        slides = False
        while i >= 0:
            if slides and robot.link(i).isRevolute():
                return " (sliding)"
            slides = slides or robot.link(i).isPrismatic()
            i = robot.link(i).getParentIndex()
    return ""
