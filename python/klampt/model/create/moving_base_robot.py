"""A robot or a geometry carried by six joints: x, y, z, yaw, pitch, roll."""

import os

from ...math import so3, vectorops
from ._files import cuboid, load_text

_BASE = """# A base that moves and turns freely
links    "tx" "ty" "tz" "rz" "ry" "rx"
parents  -1 0 1 2 3 4
jointtype p p p r r r
axis     1 0 0  0 1 0  0 0 1  0 0 1  0 1 0  1 0 0
Tparent  {frames}
qMin     -1 -1 -1 -inf -inf -inf
qMax      1  1  1  inf  inf  inf
q        0 0 0 0 0 0
geometry "" "" "" "" "" "{geometry}"
geomscale 1 1 1 1 1 {scale}
mass     {mass}
com      {com}
inertia  {inertia}
torqueMax 500 500 500 50 50 50
accMax   4 4 4 4 4 4
velMax   2 2 2 3 3 3
{joints}
servoP   5000 5000 5000 500 500 500
servoI   10 10 10 0.5 0.5 0.5
servoD   100 100 100 10 10 10
viscousFriction 50 50 50 50 50 50
dryFriction 1 1 1 1 1 1
property sensors <sensors><ForceTorqueSensor name="base_force" link="5" hasForce="1 1 1" hasTorque="1 1 1" /></sensors>
{mount}
"""


def make(robotfile, world, tempname="temp.rob", debug=False):
    """Loads a robot (.rob, .urdf) or a geometry on a free base; returns the robot.

    The base's force limits carry five times the weight of it all.
    """
    name, extension = os.path.splitext(os.path.basename(robotfile))
    path = os.path.abspath(robotfile)
    is_robot = extension.lower() in (".rob", ".urdf")
    kinds = ["normal"] * 3 + ["spin"] * 3
    joints = [f"joint {kind} {i}" for i, kind in enumerate(kinds)]
    joints += [f"driver normal {i}" for i in range(6)]
    identity = "1 0 0  0 1 0  0 0 1  0 0 0"
    text = _BASE.format(
        frames="  ".join([identity] * 6),
        geometry="" if is_robot else path,
        scale=1, mass=" ".join(["0.1"] * 6), com=" ".join(["0"] * 18),
        inertia=" ".join(["0.001 0 0 0 0.001 0 0 0 0.001"] * 6), joints="\n".join(joints),
        mount=f'mount 5 "{path}" {identity} as "{name}"' if is_robot else "")
    robot = load_text(world, text, tempname, debug)
    if is_robot:
        robot.link(5).geometry().set(cuboid([0, 0, 0], [0.01, 0.01, 0.01]))
    mass = inertia = 0.0
    for i in range(robot.numLinks()):
        m = robot.link(i).getMass()
        mass += m.mass
        inertia += vectorops.normSquared(m.com) * m.mass + max(m.inertia)
    limits = robot.getTorqueLimits()
    limits[0:3] = [mass * 9.8 * 5] * 3
    limits[3:6] = [inertia * 9.8 * 5] * 3
    robot.setName(f"moving-base[{name}]")
    robot.setTorqueLimits(limits)
    return robot


def get_xform(robot):
    """Transform of the base."""
    return robot.link(5).getTransform()


def _with_base(q, R, t):
    roll, pitch, yaw = so3.rpy(R)
    return list(t) + [yaw, pitch, roll] + list(q[6:])


def set_xform(robot, R, t):
    """Moves the base; the other joints stay."""
    robot.setConfig(_with_base(robot.getConfig(), R, t))


def send_xform_linear(controller, R, t, dt):
    """Commands the base to a transform in dt seconds."""
    controller.setLinear(_with_base(controller.getCommandedConfig(), R, t), dt)


def send_xform_PID(controller, R, t):
    """Commands the base to a transform at once."""
    q = _with_base(controller.getCommandedConfig(), R, t)
    controller.setPIDCommand(q, controller.getCommandedVelocity())
