"""klampt.io.loader and resource: every type as text, JSON and file, and back."""

import json
import os

import numpy

from . import case, draw, make_shapes

CASES = {}


def tokens(text):
    """Words of a text, numbers as numbers."""
    out = []
    for word in text.replace("\\", " ").split():
        try:
            out.append(float(word))
        except ValueError:
            out.append(word)
    return out


def goal(k, rng):
    """An inverse kinematics goal of any kind, and its kind."""
    g = k.IKObjective()
    kind = rng.choice(["point", "points", "transform", "axis", "planar", "linear", "rotation", "free", "point and axis", "relative point",
                       "relative transform"])
    link, other = rng.randrange(1, 6), rng.randrange(6, 9)
    a, b, R = draw.vector(rng), draw.vector(rng), draw.rotation(rng)
    if kind == "point":
        g.setFixedPoint(link, a, b)
    elif kind == "points":
        g.setFixedPoints(link, [[0, 0, 0], [1, 0, 0], [0, 1, 0]], [b, [x + y for x, y in zip(b, R[0:3])], [x + y for x, y in zip(b, R[3:6])]])
    elif kind == "transform":
        g.setFixedTransform(link, R, b)
    elif kind == "relative point":
        g.setRelativePoint(link, other, a, b)
    elif kind == "relative transform":
        g.setRelativeTransform(link, other, R, b)
    else:
        g.setLinks(link)
        n = draw.unit(rng)
        if kind == "planar":
            g.setPlanarPosConstraint(a, n, rng.uniform(-1, 1))
        elif kind == "linear":
            g.setLinearPosConstraint(a, b, n)
        elif kind in ("point and axis", "free", "axis", "rotation"):
            g.setFreePosition()
        if kind == "point and axis":
            g.setFixedPosConstraint(a, b)
        if kind in ("axis", "point and axis"):
            g.setAxialRotConstraint(draw.unit(rng), draw.unit(rng))
        elif kind == "rotation":
            g.setFixedRotConstraint(R)
        else:
            g.setFreeRotConstraint()
    return kind, g


def numbers(value):
    """What an object of any type holds, as plain values."""
    kind = type(value).__name__
    if kind == "ContactPoint":
        return [kind, value.tolist()]
    if kind == "Hold":
        return [kind, value.link, [c.tolist() for c in value.contacts], numbers(value.ikConstraint)]
    if kind == "IKObjective":
        out = [kind, value.link(), value.destLink(), value.numPosDims(), value.numRotDims()]
        if value.numPosDims():
            local, world = value.getPosition()
            if value.numPosDims() == 3:
                out += [list(local), list(world)]
            else:
                n = list(value.getPositionDirection())
                out += [list(local), n, sum(a * b for a, b in zip(n, world)) if value.numPosDims() == 1 else list(world)]
        if value.numRotDims() == 3:
            out.append(list(value.getRotation()))
        elif value.numRotDims() == 2:
            out += [list(x) for x in value.getRotationAxis()]
        return out
    if kind.endswith("Trajectory"):
        return [kind, list(value.times), [list(m) for m in value.milestones]]
    if kind == "MultiPath":
        return [kind, len(value.sections), [[list(q) for q in s.configs] for s in value.sections],
                [None if s.times is None else list(s.times) for s in value.sections]]
    if kind == "GeometricPrimitive":
        return [kind, tokens(value.saveString())]
    if kind == "TriangleMesh":
        return [kind, value.getVertices(), value.getIndices()]
    if kind == "PointCloud":
        return [kind, value.getPoints(), value.getPropertyNames() if value.numProperties() else [],
                value.getProperties() if value.numProperties() else []]
    if kind == "ConvexHull":
        return [kind, value.getPoints()]
    if kind in ("ImplicitSurface", "OccupancyGrid"):
        return [kind, list(value.getBmin()), list(value.getBmax()), value.getValues()]
    if kind == "Geometry3D":
        return [kind, make_shapes.content(value)]
    if kind == "Heightmap":
        return [kind, value.getHeights()]
    return value


def values(place, rng):
    """A value of each type: {type: (what it is called in labels, value)}."""
    from klampt.model import contact, trajectory
    k = place.klampt
    hold = contact.Hold()
    hold.link = rng.randrange(1, 5)
    hold.contacts = [contact.ContactPoint(draw.vector(rng), draw.unit(rng), rng.random()) for _ in range(rng.randrange(1, 4))]
    hold.ikConstraint = k.IKObjective()
    held = rng.choice(["transform", "point"])
    if held == "transform":
        hold.ikConstraint.setFixedTransform(hold.link, *draw.transform(rng))
    else:
        hold.ikConstraint.setFixedPoint(hold.link, draw.vector(rng), draw.vector(rng))
    what, target = goal(k, rng)
    n = rng.randrange(1, 5)
    times = [0.5 * i for i in range(n)]
    kind = rng.choice(make_shapes.KINDS[:7])
    return {
        "Config": ("Config", draw.vector(rng, n)), "Vector": ("Vector", draw.vector(rng, n)), "Vector2": ("Vector2", draw.vector(rng, 2)),
        "Vector3": ("Vector3", draw.vector(rng)), "Point": ("Point", draw.vector(rng)),
        "Configs": ("Configs", [draw.vector(rng, n) for _ in range(3)]),
        "Matrix": ("Matrix", [draw.vector(rng, n) for _ in range(2)]), "Matrix3": ("Matrix3", [draw.vector(rng) for _ in range(3)]),
        "Rotation": ("Rotation", draw.rotation(rng)), "RigidTransform": ("RigidTransform", draw.transform(rng)),
        "IntArray": ("IntArray", [rng.randrange(9) for _ in range(n)]), "StringArray": ("StringArray", ["a", "bc", "d"][:n]),
        "Value": ("Value", rng.choice([1.5, 2, "text", True])),
        "ContactPoint": ("ContactPoint", contact.ContactPoint(draw.vector(rng), draw.unit(rng), 0.25)),
        "Hold": (f"Hold of a {held}", hold), "IKGoal": (f"IKGoal, {what}", target), "IKObjective": (f"IKObjective, {what}", target),
        "Trajectory": ("Trajectory", trajectory.Trajectory(times, [draw.vector(rng) for _ in times])),
        "HermiteTrajectory": ("HermiteTrajectory", trajectory.HermiteTrajectory(times, [draw.vector(rng, 6) for _ in times])),
        "SO3Trajectory": ("SO3Trajectory", trajectory.SO3Trajectory(times, [draw.rotation(rng) for _ in times])),
        "SE3Trajectory": ("SE3Trajectory", trajectory.SE3Trajectory(times, [draw.rotation(rng) + draw.vector(rng) for _ in times])),
        "GeometricPrimitive": (f"GeometricPrimitive, {kind}", make_shapes.primitive(k, rng, kind)),
    }


@case(CASES, 4, 1e-5)
def texts(place, rng, record):
    """write, and read of what was written."""
    from klampt.io import loader
    for kind, (what, value) in values(place, rng).items():
        text = record.call(f"write {what}", loader.write, value, kind, then=tokens)
        if text is not None:
            record.call(f"read {what}", loader.read, kind, text, then=numbers)
        record.call(f"write {what}, auto: same", lambda kind=kind, value=value: loader.write(value, "auto") == loader.write(value, kind)
                    if kind in ("IKObjective", "Hold", "ContactPoint", "GeometricPrimitive") else None)


@case(CASES, 3, 1e-5)
def as_json(place, rng, record):
    """to_json, through json's text, from_json."""
    from klampt.io import loader
    for kind, (what, value) in values(place, rng).items():
        plain = record.call(f"to_json {what}", lambda kind=kind, value=value: json.loads(json.dumps(loader.to_json(value, kind))),
                            then=lambda j: tree(j))
        if plain is not None:
            record.call(f"from_json {what}", loader.from_json, plain, kind, then=numbers)
        plain = record.call(f"to_json {what}, auto", lambda value=value: json.loads(json.dumps(loader.to_json(value))),
                            then=lambda j: tree(j))
        if plain is not None:
            record.call(f"from_json {what}, auto", loader.from_json, plain, then=numbers)


def tree(value):
    """JSON's tables in the order of their keys; texts as words."""
    if isinstance(value, dict):
        return [[key, tree(value[key])] for key in sorted(value)]
    if isinstance(value, list):
        return [tree(x) for x in value]
    return tokens(value) if isinstance(value, str) and " " in value else value


@case(CASES, 3, 1e-5)
def shapes(place, rng, record):
    """Shapes as JSON: data alone and as a Geometry3D."""
    from klampt.io import loader
    k = place.klampt
    kind = rng.choice(("mesh", "solid", "cloud", "cloud with properties", "hull", "surface", "grid", "sphere", "box", "segment", "triangle",
                       "point", "aabb", "group"))
    g = make_shapes.make(k, rng, kind.split()[0], 0.1 if "with" in kind else None)
    if kind != "group":
        data = {"TriangleMesh": "getTriangleMesh", "PointCloud": "getPointCloud", "ConvexHull": "getConvexHull",
                "ImplicitSurface": "getImplicitSurface", "OccupancyGrid": "getOccupancyGrid",
                "GeometricPrimitive": "getGeometricPrimitive"}[g.type()]
        value = getattr(g, data)()
        plain = record.call(f"to_json {kind}", lambda: json.loads(json.dumps(loader.to_json(value))), then=tree)
        if plain is not None:
            record.call(f"from_json {kind}", loader.from_json, plain, then=numbers)
    plain = record.call(f"to_json Geometry3D, {kind}", lambda: json.loads(json.dumps(loader.to_json(g))), then=tree)
    if plain is not None:
        record.call(f"from_json Geometry3D, {kind}", loader.from_json, plain, then=numbers)


@case(CASES, 3, 1e-4)
def files(place, rng, record):
    """save and load by name of type and by ending."""
    from klampt.io import loader
    k = place.klampt
    endings = {"Config": ".config", "Configs": ".configs", "Vector3": ".vector3", "Matrix3": ".matrix3", "RigidTransform": ".xform",
               "IKGoal": ".ikgoal", "Hold": ".hold", "Trajectory": ".path", "GeometricPrimitive": ".geom"}
    given = values(place, rng)
    for kind, end in endings.items():
        what, value = given[kind]
        path = str(place.scratch / ("value" + end))
        if os.path.exists(path):
            os.remove(path)
        record.call(f"save {what}", lambda: bool(loader.save(value, kind, path)) or kind == "Trajectory")
        record.call(f"text of {what}", lambda: tokens(open(path).read()))
        record.call(f"load {what}", loader.load, kind, path, then=numbers)
        if kind != "GeometricPrimitive":
            record.call(f"load {what}, auto", loader.load, "auto", path, then=numbers)
        if kind in ("Config", "RigidTransform", "IKGoal", "Trajectory", "Configs"):
            path = str(place.scratch / "value.json")
            record.call(f"save {what} as json", loader.save, value, "json", path)
            record.call(f"load {what} as json", loader.load, "json", path, then=numbers)
    for kind, end in (("mesh", ".off"), ("solid", ".obj"), ("cloud", ".pcd"), ("sphere", ".geom"), ("surface", ".vol")):
        path = str(place.scratch / ("shape" + end))
        record.call(f"save Geometry3D, {kind}", loader.save, make_shapes.make(k, rng, kind), "auto", path)
        record.call(f"load Geometry3D, {kind}", loader.load, "Geometry3D", path, then=lambda g: [g.type(), g.numElements(), g.getBBTight()])


@case(CASES, 2, 1e-6)
def given_texts(place, rng, record):
    """Texts as Klamp't's programs and people write them, and what is wrong."""
    from klampt.io import loader
    a, b, m = draw.vector(rng), draw.vector(rng), [0.5 * x for x in draw.unit(rng)]

    def row(*vectors):
        return " ".join(repr(x) for v in vectors for x in v)
    good = {"Config": f"3\t{row(a)}", "Vector": f" 3  {row(a)}\n", "Configs": f"3 {row(a)}\n3 {row(b)}\n", "Vector3": row(a),
            "Matrix": f"2 3\n{row(a)}\n{row(b)}", "Matrix3": row(a, b, m), "Rotation": row(a, b, m),
            "RigidTransform": row([1, 0, 0], [0, 0, -1], [0, 1, 0], a), "ContactPoint": row(a, b) + " 0.5", "IntArray": "3 1 2 3",
            "StringArray": "2 a b", "GeometricPrimitive": f"Sphere {row(a)} 0.5",
            "Hold": f"begin hold\n  link = 4\n  contacts = {row(a, b)} 0.5 \\\n    {row(b, a)} 0.25\n  position = {row(a)}  \\\n {row(b)}\n"
                    f"  axis = {row(draw.unit(rng))} \\\n {row(draw.unit(rng))}\nend"}
    goals = {"free": "3 -1 N N", "point": f"3 -1 F {row(a, b)} N", "transform": f"3 -1 F {row(a, b)} F {row(m)}",
             "axis": f"3 5 F {row(a, b)} A {row(draw.unit(rng), draw.unit(rng))}", "planar": f"3 -1 P {row(a, b, draw.unit(rng))} N",
             "linear": f"3 -1 L {row(a, b, draw.unit(rng))} N", "rotation": f"3 -1 N F {row(m)}"}
    for kind, text in good.items():
        record.call(f"read {kind}", loader.read, kind, text, then=numbers)
    for kind, text in goals.items():
        record.call(f"read IKGoal, {kind}", loader.read, "IKGoal", text, then=numbers)

        def loaded(text=text):
            g = place.klampt.IKObjective()
            return numbers(g) if g.loadString(text) else "not read"
        record.call(f"loadString {kind}", loaded)
    wrong = {"Config": f"3 {row(a)} 4", "Vector": "", "Matrix": "2 2 1 2 3", "Rotation": "1 0 0", "RigidTransform": row(a, b),
             "ContactPoint": row(a), "IKGoal": "3 -1 F 1 2", "Hold": "begin hold\nlink = 3\nend", "IntArray": "2 1", "nothing": "1"}
    for kind, text in wrong.items():
        record.call(f"read of a wrong {kind}", loader.read, kind, text, then=lambda r: "read")
    for end in (".config", ".configs", ".tri", ".off", ".stl", ".ply", ".wrl", ".dae", ".poly", ".geom", ".pcd", ".vector3", ".matrix3",
                ".ikgoal", ".xform", ".path", ".hold", ".stance", ".grasp", ".rob", ".urdf", ".obj", ".env", ".xml", ".json"):
        record.call(f"filename_to_type {end}", loader.filename_to_type, "folder/name" + end)
        record.call(f"filename_to_types {end}", loader.filename_to_types, "folder/name" + end, then=sorted)


@case(CASES, 2, 1e-5)
def stored(place, rng, record):
    """klampt.io.resource: set and get in a folder."""
    from klampt.io import resource
    folder = str(place.scratch / "resources")
    record.call("set_directory", resource.set_directory, folder)
    record.call("get_directory", resource.get_directory, then=lambda s: os.path.basename(s.rstrip("/")))
    given = values(place, rng)
    for kind, end in (("Config", ".config"), ("Configs", ".configs"), ("Vector3", ".vector3"), ("RigidTransform", ".xform"),
                      ("IKGoal", ".ikgoal"), ("Trajectory", ".path"), ("Hold", ".hold")):
        what, value = given[kind]
        record.call(f"set {what}", resource.set, "thing" + end, value, kind, then=lambda r: True if r is None else bool(r))
        record.call(f"get {what}", resource.get, "thing" + end, kind, then=numbers)
        record.call(f"get {what}, auto", resource.get, "thing" + end, then=numbers)
    record.call("get of none", resource.get, f"nothing{rng.randrange(1000)}.config", "Config", then=numbers)
    record.call("get of none with a default", lambda: resource.get("nothing.config", "Config", default=[1.0, 2.0], doedit=False))


@case(CASES, 1, 1e-9)
def arrays(place, rng, record):
    """numpy_convert of every type, and back."""
    from klampt.io import numpy_convert
    k = place.klampt
    for kind, (what, value) in values(place, rng).items():
        if kind in ("Config", "Configs", "Vector3", "Matrix3", "Rotation", "RigidTransform", "Trajectory", "Matrix", "Point"):
            array = record.call(f"to_numpy {what}", numpy_convert.to_numpy, value, kind,
                                then=lambda r: [numpy.asarray(x).tolist() for x in r] if isinstance(r, tuple) else r)
            if array is not None:
                record.call(f"from_numpy {what}", numpy_convert.from_numpy, array, kind, then=lambda r: [
                    x.tolist() if hasattr(x, "tolist") else x for x in r] if isinstance(r, tuple) else numbers(r))
    for kind in ("mesh", "cloud", "surface", "grid", "heightmap", "hull"):
        g = make_shapes.make(k, rng, kind)
        array = record.call(f"to_numpy Geometry3D, {kind}", numpy_convert.to_numpy, g, "Geometry3D",
                            then=lambda r: [numpy.asarray(x).tolist() for x in r] if isinstance(r, tuple) else r)
        if array is not None and kind in ("mesh", "cloud"):
            name = {"mesh": "TriangleMesh", "cloud": "PointCloud"}[kind]
            record.call(f"from_numpy {name}", numpy_convert.from_numpy, array, name, then=numbers)
