"""Planar robots of any number of equal links."""

from ._files import cube, load_text


def make(n, world, link_length=1, tempname="temp.rob", debug=False):
    """Loads a robot of n links along x, turning about y; returns it."""
    def row(key, value):
        return key + "\t" + "  ".join([value] * n)
    frames = ["1 0 0  0 1 0  0 0 1  0 0 0"] + [f"1 0 0  0 1 0  0 0 1  {link_length:g} 0 0"] * (n - 1)
    lines = ["# Planar robot", "Tparent\t" + "  ".join(frames), row("axis", "0 1 0"),
             row("jointtype", "r"), row("qMin", "0"), row("qMax", "6.28319"), row("q", "0"),
             row("geometry", '"' + cube([0.0, -0.05, -0.05], [1.0, 0.05, 0.05]) + '"'),
             row("geomscale", f"{max(link_length, 0.05):g}"), row("mass", "1"), "automass",
             row("torqueMax", "10"), row("accMax", "1"), row("velMax", "1")]
    lines += [f"joint spin {i}" for i in range(n)]
    lines += [row("servoP", "50"), row("servoI", "100"), row("servoD", "3")]
    robot = load_text(world, "\n".join(lines) + "\n", tempname, debug)
    robot.setName(f"Planar {n}R")
    return robot
