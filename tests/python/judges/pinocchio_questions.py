"""Random robots, states and shapes for Pinocchio and Coal."""

from klampt_calls import draw


def numbers(values):
    return " ".join(repr(float(x)) for x in values)


def random_urdf(rng):
    """(text, joint names by link) of a URDF: a tree of 2 to 9 links on a fixed base, revolute, prismatic and fixed joints."""
    n = rng.randrange(2, 10)
    links, joints, moving = [], [], {}
    for i in range(n):
        x = [rng.uniform(0.05, 0.2) for _ in range(3)]
        links.append(f'<link name="l{i}"><inertial><origin xyz="{numbers(draw.vector(rng, 3, 0.2))}" rpy="{numbers(draw.vector(rng, 3, 3))}"/>'
                     f'<mass value="{rng.uniform(0.2, 5)!r}"/><inertia ixx="{x[1] + x[2]!r}" iyy="{x[0] + x[2]!r}" izz="{x[0] + x[1]!r}" '
                     f'ixy="{rng.uniform(-.02, .02)!r}" ixz="{rng.uniform(-.02, .02)!r}" iyz="{rng.uniform(-.02, .02)!r}"/></inertial></link>')
        if i == 0:
            continue
        kind = rng.choice(["revolute", "revolute", "prismatic", "fixed"]) if i > 1 else "revolute"
        if kind != "fixed":
            moving[f"l{i}"] = f"j{i}"
        parent = i - 1 if rng.random() < 0.7 else rng.randrange(i)
        joints.append(f'<joint name="j{i}" type="{kind}"><parent link="l{parent}"/><child link="l{i}"/><axis xyz="{numbers(draw.unit(rng))}"/>'
                      f'<origin xyz="{numbers(draw.vector(rng, 3, 0.5))}" rpy="{numbers(draw.vector(rng, 3, 3))}"/>'
                      f'<limit lower="-2" upper="2" effort="50" velocity="3"/></joint>')
    return (f'<robot name="r"><klampt freeze_root_link="1"/>{"".join(links)}{"".join(joints)}</robot>', moving,
            [f"l{i}" for i in range(n)])


SHAPES = ("sphere", "box", "capsule", "cylinder", "mesh")


def random_shape(rng, kind):
    if kind == "sphere":
        return {"kind": kind, "radius": rng.uniform(0.1, 0.6)}
    if kind == "box":
        return {"kind": kind, "size": [rng.uniform(0.1, 1) for _ in range(3)]}
    if kind in ("capsule", "cylinder"):
        return {"kind": kind, "radius": rng.uniform(0.1, 0.4), "length": rng.uniform(0.2, 1)}
    if rng.random() < 0.3:
        v, t = draw.boxes([-rng.uniform(0.1, 0.5) for _ in range(3)], [rng.uniform(0.1, 0.5) for _ in range(3)])
    else:
        v, t = draw.ball(rng, rng.uniform(0.2, 0.5), rng.randrange(3, 7), rng.randrange(4, 9), rng.choice([0, 0.2]))
    return {"kind": kind, "vertices": v, "triangles": t}


def random_place(rng):
    R, p = draw.transform(rng, rng.choice([0.5, 1, 2]))
    return [[R[i::3] for i in range(3)], p]
