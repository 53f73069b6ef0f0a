"""klampt.io: values as text, JSON and arrays, and back."""

from . import case, draw, make_shapes

CASES = {}


@case(CASES, 2, 1e-5)
def texts(place, rng, record):
    """loader.write and loader.read, to_json and from_json: back and forth, and the numbers in between."""
    from klampt.io import loader
    from klampt.model import contact, trajectory
    k = place.klampt
    goal = k.IKObjective()
    goal.setFixedTransform(3, *draw.transform(rng))
    values = {"Config": draw.vector(rng, 4), "Configs": [draw.vector(rng, 3) for _ in range(3)], "Vector3": draw.vector(rng),
              "Matrix3": draw.rotation(rng), "Rotation": draw.rotation(rng), "RigidTransform": draw.transform(rng),
              "ContactPoint": contact.ContactPoint(draw.vector(rng), draw.unit(rng), 0.5), "IKGoal": goal,
              "Trajectory": trajectory.Trajectory([0.0, 1.0], [draw.vector(rng), draw.vector(rng)])}

    def numbers(value):
        if isinstance(value, contact.ContactPoint):
            return value.tolist()
        if isinstance(value, k.IKObjective):
            return [list(value.getPosition()[1]), list(value.getRotation())]
        if isinstance(value, trajectory.Trajectory):
            return [value.times, value.milestones]
        return value
    for kind, value in values.items():
        if kind not in ("Trajectory", "ContactPoint"):
            text = record.call(f"{kind}: write", loader.write, value, kind, then=lambda t: [
                float(x) if x[0] in "-0123456789" else x for x in t.split()])
            if text is not None:
                record.call(f"{kind}: read", loader.read, kind, text, then=numbers)
        json = record.call(f"{kind}: to_json", loader.to_json, value, kind, then=lambda j: j if isinstance(j, (list, dict)) else str(j))
        if json is not None:
            record.call(f"{kind}: from_json", loader.from_json, json, kind, then=numbers)
    record.call("read of nonsense", loader.read, "Config", "3 1 2")
    for name in ("a.config", "b.off", "c.xml", "d.json", "e.path", "f.rob", "g.nothing"):
        record.call(f"filename_to_types {name}", loader.filename_to_types, name, then=sorted)


@case(CASES, 1, 1e-9)
def arrays(place, rng, record):
    """numpy_convert."""
    from klampt.io import numpy_convert
    k = place.klampt
    T = draw.transform(rng)
    record.call("to_numpy of a transform", numpy_convert.to_numpy, T, "RigidTransform")
    record.call("from_numpy of a transform", lambda: numpy_convert.from_numpy(numpy_convert.to_numpy(T, "RigidTransform"), "RigidTransform"))
    record.call("to_numpy of a rotation", numpy_convert.to_numpy, T[0], "Rotation")
    record.call("to_numpy of a config", numpy_convert.to_numpy, draw.vector(rng, 5), "Config")
    mesh = make_shapes.random_mesh(k, rng, True)
    record.call("to_numpy of a mesh", numpy_convert.to_numpy, mesh, then=lambda r: [r[0], r[1]])
    cloud = make_shapes.cloud(k, rng)
    record.call("to_numpy of a cloud", numpy_convert.to_numpy, cloud)
