"""Planar robots of any number of equal links."""

from ...robotsim import Mass
from ._files import cuboid, load_text


def make(n, world, link_length=1, tempname="temp.rob", debug=False):
    """Loads a robot of n links along x, turning about y; returns it."""
    def row(key, value):
        return key + "\t" + "  ".join([value] * n)
    frames = ["1 0 0  0 1 0  0 0 1  0 0 0"] + [f"1 0 0  0 1 0  0 0 1  {link_length:g} 0 0"] * (n - 1)
    lines = ["# Planar robot", "Tparent\t" + "  ".join(frames), row("axis", "0 1 0"),
             row("jointtype", "r"), row("qMin", "0"), row("qMax", "6.28319"), row("q", "0"),
             row("mass", "1"),
             row("torqueMax", "10"), row("accMax", "1"), row("velMax", "1")]
    lines += [f"joint spin {i}" for i in range(n)]
    lines += [row("servoP", "50"), row("servoI", "100"), row("servoD", "3")]
    robot = load_text(world, "\n".join(lines) + "\n", tempname, debug)
    size, mass = max(link_length, 0.05), Mass()
    shape = cuboid([0.0, -0.05 * size, -0.05 * size], [size, 0.05 * size, 0.05 * size])
    mass.estimate(shape, 1.0)
    for link in robot.links:
        link.geometry().set(shape)
        link.setMass(mass)
    robot.setName(f"Planar {n}R")
    return robot
