"""Klamp't's text formats of vectors, transforms, IK objectives, holds, stances and grasps."""

import xml.etree.ElementTree as ET

from ..math import so3, vectorops
from ..model.contact import ContactPoint, Grasp, Hold, Stance
from ..robotsim import GeometricPrimitive, IKObjective


def _items(text, count=None, what="text"):
    items = text.split()
    if count is not None and len(items) != count:
        raise ValueError(f"{what}: {count} items are wanted, got {len(items)}")
    return items


def _counted(text, convert):
    items = text.split()
    if not items:
        raise ValueError("a vector wants its length and its entries, got nothing")
    n = int(items[0])
    if len(items) != n + 1:
        raise ValueError(f"a vector of {n} entries is announced, {len(items) - 1} follow")
    return [convert(v) for v in items[1:]]


def write_Vector(q):
    """n, then n entries."""
    return f"{len(q)}\t" + " ".join(map(str, q))


def read_Vector(text):
    return _counted(text, float)


def write_Vector_raw(x):
    """Entries alone."""
    return " ".join(map(str, x))


def read_Vector_raw(text):
    return [float(v) for v in text.split()]


def write_VectorList(x):
    """Vectors, a line each."""
    return "\n".join(map(write_Vector, x))


def read_VectorList(text):
    items, vectors, k = text.split(), [], 0
    while k < len(items):
        n = int(items[k])
        if k + 1 + n > len(items):
            raise ValueError(f"vector {len(vectors)} announces {n} entries, "
                             f"{len(items) - k - 1} follow")
        vectors.append([float(v) for v in items[k + 1:k + 1 + n]])
        k += n + 1
    return vectors


def write_Matrix(x):
    """Rows and columns, then the rows."""
    return "\n".join([f"{len(x)} {len(x[0])}"] + [write_Vector_raw(row) for row in x])


def read_Matrix(text):
    items = text.split()
    if len(items) < 2:
        raise ValueError("a matrix wants its rows and columns first")
    m, n = int(items[0]), int(items[1])
    values = [float(v) for v in _items(text, 2 + m * n, "a matrix")[2:]]
    return [values[i * n:(i + 1) * n] for i in range(m)]


def write_so3(x):
    """The matrix, row after row."""
    assert len(x) == 9, "a rotation wants 9 numbers"
    return "\t".join(write_Vector_raw(row) for row in so3.matrix(x))


def read_so3(text):
    return so3.inv([float(v) for v in _items(text, 9, "a rotation")])


def write_se3(x):
    """The rotation, row after row, and the translation."""
    return write_so3(x[0]) + "\t" + write_Vector_raw(x[1])


def read_se3(text):
    v = [float(x) for x in _items(text, 12, "a transform")]
    return (so3.inv(v[:9]), v[9:])


def write_Matrix3(x):
    return write_so3(so3.from_matrix(x))


def read_Matrix3(text):
    return so3.matrix(read_so3(text))


def write_ContactPoint(cp):
    """Point, normal, friction."""
    return " ".join(map(str, cp.tolist()))


def read_ContactPoint(text):
    v = [float(x) for x in _items(text, 7, "a contact")]
    return ContactPoint(v[0:3], v[3:6], v[6])


def write_IKObjective(obj):
    return obj.saveString()


def read_IKObjective(text):
    items = text.split()
    if len(items) < 4:
        raise ValueError("an IK objective wants link, target link, position and rotation types")
    obj = IKObjective()
    obj.setLinks(int(items[0]), int(items[1]))
    rest = iter(items[2:])

    def vector():
        return [float(next(rest)) for _ in range(3)]
    try:
        _read_position(obj, next(rest), vector)
        _read_rotation(obj, next(rest), vector)
    except StopIteration:
        raise ValueError("the IK objective ends too early") from None
    return obj


def _read_position(obj, kind, vector):
    if kind == "N":
        obj.setFreePosition()
    elif kind == "F":
        local, world = vector(), vector()
        obj.setFixedPosConstraint(local, world)
    elif kind in ("P", "L"):
        local, world, direction = vector(), vector(), vector()
        if kind == "P":
            obj.setPlanarPosConstraint(local, direction, vectorops.dot(direction, world))
        else:
            obj.setLinearPosConstraint(local, world, direction)
    else:
        raise ValueError(f"position type '{kind}' is not known; use N, P, L or F")


def _read_rotation(obj, kind, vector):
    if kind == "N":
        obj.setFreeRotConstraint()
    elif kind == "F":
        obj.setFixedRotConstraint(so3.from_moment(vector()))
    elif kind == "A":
        local, world = vector(), vector()
        obj.setAxialRotConstraint(local, world)
    elif kind == "T":
        raise NotImplementedError("two-axis rotations are not offered")
    else:
        raise ValueError(f"rotation type '{kind}' is not known; use N, A or F")


def write_Hold(h):
    """begin hold ... end, with link, contacts, position and rotation."""
    local, world = h.ikConstraint.getPosition()
    lines = ["begin hold", f"  link = {h.link}",
             "  contacts = " + " \\\n    ".join(map(write_ContactPoint, h.contacts)),
             f"  position = {write_Vector_raw(local)}  \\\n    {write_Vector_raw(world)}"]
    if h.ikConstraint.numRotDims() == 3:
        lines.append("  rotation = " + write_Vector_raw(so3.moment(h.ikConstraint.getRotation())))
    elif h.ikConstraint.numRotDims() == 2:
        a, b = h.ikConstraint.getRotationAxis()
        lines.append(f"  axis = {write_Vector_raw(a)}  \\\n    {write_Vector_raw(b)}")
    return "\n".join(lines + ["end"])


def parse_lines(text):
    """Lines, those that end in a backslash joined with the next."""
    return text.strip().replace("\\\n", " ").split("\n")


def read_Hold(text):
    lines = [line.strip() for line in parse_lines(text) if line.strip()]
    if lines[0] != "begin hold" or lines[-1] != "end":
        raise ValueError("a hold wants 'begin hold' first and 'end' last")
    values = {}
    for line in lines[1:-1]:
        key, sign, rest = line.partition("=")
        if not sign:
            raise ValueError(f"a hold wants lines 'name = values', got '{line}'")
        values[key.strip()] = [float(v) for v in rest.split()]
    if "link" not in values or "position" not in values:
        raise ValueError("a hold wants a link and a position")
    h = Hold()
    h.link = int(values["link"][0])
    contacts = values.get("contacts", [])
    h.contacts = [ContactPoint(contacts[k:k + 3], contacts[k + 3:k + 6], contacts[k + 6])
                  for k in range(0, len(contacts) - 6, 7)]
    h.ikConstraint = IKObjective()
    h.ikConstraint.setLinks(h.link)
    h.ikConstraint.setFixedPosConstraint(values["position"][:3], values["position"][3:6])
    if "axis" in values:
        h.ikConstraint.setAxialRotConstraint(values["axis"][:3], values["axis"][3:6])
    elif "rotation" in values:
        h.ikConstraint.setFixedRotConstraint(so3.from_moment(values["rotation"]))
    else:
        h.ikConstraint.setFreeRotConstraint()
    return h


def write_Stance(s):
    """begin stance, the holds, end."""
    return "\n".join(["begin stance", *map(write_Hold, s.values()), "end"])


def read_Stance(text):
    lines = [line for line in text.strip().split("\n") if line.strip()]
    if not lines or lines[0].strip() != "begin stance" or lines[-1].strip() != "end":
        raise ValueError("a stance wants 'begin stance' first and 'end' last")
    stance, hold = Stance(), []
    for line in lines[1:-1]:
        if not hold and line.strip() != "begin hold":
            raise ValueError(f"a stance wants 'begin hold' or 'end', got '{line.strip()}'")
        hold.append(line)
        if line.strip() == "end":
            stance.insert(read_Hold("\n".join(hold)))
            hold = []
    if hold:
        raise ValueError("the last hold of the stance has no 'end'")
    return stance


def write_Grasp(g):
    """XML: <Grasp object robot fixed>, with <IKGoal data> and <contact link x n kFriction force>."""
    root = ET.Element("Grasp", {"object": str(g.objectIndex), "robot": str(g.robotIndex)})
    if g.fixedDofs:
        root.set("fixed", "  ".join(f"{i} {v}" for i, v in zip(g.fixedDofs, g.fixedValues)))
    for goal in g.constraints:
        ET.SubElement(root, "IKGoal", data=write_IKObjective(goal))
    for link, c, force in zip(g.contactLinks, g.contacts, g.forces):
        entry = ET.SubElement(root, "contact", link=str(link), x=write_Vector_raw(c.x), n=write_Vector_raw(c.n),
                              kFriction=str(c.kFriction))
        if force is not None:
            entry.set("force", write_Vector_raw(force))
    ET.indent(root)
    return ET.tostring(root, encoding="unicode")


def read_Grasp(text):
    """A grasp of XML; text of a hold or a stance gives their goals and contacts."""
    grasp = Grasp()
    if text.lstrip().startswith("begin"):
        stance = read_Stance(text) if text.split()[1:2] == ["stance"] else Stance([read_Hold(text)])
        for hold in stance.values():
            grasp.constraints.append(hold.ikConstraint)
            for c in hold.contacts:
                grasp.addContact(hold.link, c)
        return grasp
    root = ET.fromstring(text)
    if root.tag != "Grasp":
        raise ValueError(f"a grasp wants the root element <Grasp>, got <{root.tag}>")
    grasp.objectIndex, grasp.robotIndex = int(root.get("object", -1)), int(root.get("robot", 0))
    fixed = root.get("fixed", "").split()
    if len(fixed) % 2:
        raise ValueError("fixed wants pairs of a link's index and its value")
    grasp.fixedDofs, grasp.fixedValues = [int(i) for i in fixed[::2]], [float(v) for v in fixed[1::2]]
    for child in root:
        if child.tag == "IKGoal":
            grasp.constraints.append(read_IKObjective(child.attrib["data"]))
        elif child.tag == "contact":
            x, n, force = (child.get(key) for key in ("x", "n", "force"))
            friction = float(child.attrib["kFriction"])
            grasp.addContact(int(child.attrib["link"]), ContactPoint(_three(x), _three(n), friction),
                             None if force is None else _three(force))
        else:
            raise ValueError(f"a grasp has <IKGoal> and <contact>, got <{child.tag}>")
    return grasp


def _three(text):
    return [float(v) for v in _items(text or "", 3, "a point or direction of a contact")]


def write_GeometricPrimitive(g):
    return g.saveString()


def read_GeometricPrimitive(text):
    g = GeometricPrimitive()
    if not g.loadString(text):
        raise RuntimeError(f"'{text[:40]}' is not a geometric primitive")
    return g


def read_IntArray(text):
    return _counted(text, int)


def read_StringArray(text):
    return _counted(text, str)


readers = {"Config": read_Vector, "Vector": read_Vector, "Configs": read_VectorList,
           "Vector3": read_Vector_raw, "Point": read_Vector_raw, "Matrix": read_Matrix,
           "Matrix3": read_Matrix3, "Rotation": read_so3, "RigidTransform": read_se3,
           "IKObjective": read_IKObjective, "IKGoal": read_IKObjective, "Hold": read_Hold, "Stance": read_Stance, "Grasp": read_Grasp,
           "ContactPoint": read_ContactPoint, "GeometricPrimitive": read_GeometricPrimitive,
           "IntArray": read_IntArray, "StringArray": read_StringArray}
writers = {"Config": write_Vector, "Vector": write_Vector, "Configs": write_VectorList,
           "Vector3": write_Vector_raw, "Point": write_Vector_raw, "Matrix": write_Matrix,
           "Matrix3": write_Matrix3, "Rotation": write_so3, "RigidTransform": write_se3,
           "IKObjective": write_IKObjective, "IKGoal": write_IKObjective, "Hold": write_Hold, "Stance": write_Stance, "Grasp": write_Grasp,
           "ContactPoint": write_ContactPoint, "GeometricPrimitive": write_GeometricPrimitive,
           "IntArray": write_Vector, "StringArray": write_Vector}
