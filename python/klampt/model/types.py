"""Types of objects by name: tell, make, describe, convert and transfer them."""

from .._compat import deprecated_names
from ..math import se3, so3, vectorops
from ..robotsim import (ConvexHull, GeometricPrimitive, Geometry3D, Heightmap, IKObjective,
                        ImplicitSurface, OccupancyGrid, PointCloud, RigidObjectModel, RobotModel,
                        RobotModelLink, TerrainModel, TriangleMesh, WorldModel)
from .contact import ContactPoint, Grasp, Hold, Stance
from .multipath import MultiPath
from .trajectory import RobotTrajectory, SE3Trajectory, SO3Trajectory, Trajectory

_VECTORS = {"Vector2", "Vector3", "Matrix3", "Point", "Rotation", "Vector", "Config"}
_ARRAYS = _VECTORS | {"RigidTransform", "IntArray", "StringArray", "Configs"}
_PATHS = {"Configs", "Trajectory", "LinearPath", "MultiPath", "SE3Trajectory", "SO3Trajectory"}
_GEOMETRIES = {"TriangleMesh", "PointCloud", "ImplicitSurface", "OccupancyGrid",
               "GeometricPrimitive", "ConvexHull", "Heightmap", "Geometry3D"}
_MODELS = {"WorldModel", "RobotModel", "RigidObjectModel", "TerrainModel"}
_KNOWN = _ARRAYS | _PATHS | _GEOMETRIES | _MODELS | {"Value", "IKGoal", "ContactPoint", "Hold", "Stance", "Grasp"}

_CLASSES = ((ContactPoint, "ContactPoint"), (Hold, "Hold"), (Stance, "Stance"), (Grasp, "Grasp"),
            (IKObjective, "IKGoal"),
            (SE3Trajectory, ["SE3Trajectory", "Trajectory"]),
            (SO3Trajectory, ["SO3Trajectory", "Trajectory"]), (Trajectory, "Trajectory"),
            (MultiPath, "MultiPath"), (GeometricPrimitive, "GeometricPrimitive"),
            (TriangleMesh, "TriangleMesh"), (PointCloud, "PointCloud"),
            (ImplicitSurface, "ImplicitSurface"), (OccupancyGrid, "OccupancyGrid"),
            (ConvexHull, "ConvexHull"), (Heightmap, "Heightmap"), (WorldModel, "WorldModel"),
            (RobotModel, "RobotModel"), (RigidObjectModel, "RigidObjectModel"),
            (TerrainModel, "TerrainModel"))


def known_types():
    """Names of all types."""
    return set(_KNOWN)


def _nested_type(items):
    if isinstance(items[0], str):
        if not all(isinstance(v, str) for v in items):
            raise ValueError("a list mixes strings with other items")
        return "StringArray"
    if len(items) == 2 and (len(items[0]), len(items[1])) == (9, 3):
        return "RigidTransform"
    if any(len(v) != len(items[0]) for v in items):
        raise ValueError("a list of vectors of different lengths has no type")
    return "Configs"


def _flat_types(items):
    if any(isinstance(v, str) for v in items):
        return "StringArray"
    found = ["Config"]
    if not any(isinstance(v, float) for v in items):
        found.append("IntArray")
    if len(items) in (2, 3):
        found.append(f"Vector{len(items)}")
    if len(items) == 9:
        found.append("Matrix3")
        if vectorops.distance(so3.mul(so3.inv(items), items), so3.identity()) < 1e-5:
            found.append("Rotation")
    return found[0] if len(found) == 1 else found


def object_to_types(object, world=None):
    """Name of an object's type, or a list when several fit."""
    for cls, name in _CLASSES:
        if isinstance(object, cls):
            return name
    if isinstance(object, Geometry3D):
        return ["Geometry3D", object.type()]
    if hasattr(object, "__iter__") and not isinstance(object, str):
        if len(object) and hasattr(object[0], "__iter__"):
            return _nested_type(object)
        return _flat_types(object)
    if isinstance(object, (int, float)):
        return "Value"
    raise ValueError(f"an object of class {type(object).__name__} has no known type")


def object_to_type(obj, validTypes=None, world=None):
    """The first type of an object that is among validTypes; None when none is."""
    kinds = object_to_types(obj, world)
    if not isinstance(kinds, list):
        return kinds
    return next((k for k in kinds if validTypes is None or k in validTypes), None)


_MAKERS = {
    "IKGoal": lambda: IKObjective(), "Vector2": lambda: [0.0, 0.0],
    "Vector3": lambda: [0.0, 0.0, 0.0], "Point": lambda: [0.0, 0.0, 0.0],
    "Rotation": so3.identity, "Matrix3": so3.identity, "RigidTransform": se3.identity,
    "ContactPoint": ContactPoint, "Hold": Hold, "Stance": Stance, "Grasp": Grasp, "LinearPath": Trajectory, "MultiPath": MultiPath,
    "SO3Trajectory": SO3Trajectory, "SE3Trajectory": SE3Trajectory, "Value": lambda: 0,
    "Geometry3D": lambda: Geometry3D(), "TriangleMesh": lambda: TriangleMesh(),
    "PointCloud": lambda: PointCloud(), "ImplicitSurface": lambda: ImplicitSurface(),
    "VolumeGrid": lambda: ImplicitSurface(), "OccupancyGrid": lambda: OccupancyGrid(),
    "ConvexHull": lambda: ConvexHull(), "Heightmap": lambda: Heightmap(),
    "IntArray": lambda: [0], "StringArray": lambda: [""], "WorldModel": lambda: WorldModel()}


def make(type, object=None):
    """A new object of a type; object tells the robot or item it is for."""
    if type in ("Config", "Vector"):
        from . import config
        return config.get_config(object) if object is not None else []
    if type == "Configs":
        return [make("Config", object)]
    if type == "Trajectory":
        if object is None:
            return Trajectory()
        if isinstance(object, RobotModel):
            return RobotTrajectory(object, [0.0], make("Configs", object))
        kinds = object_to_types(object)
        if kinds == "RigidTransform":
            return SE3Trajectory([0.0], make("Configs", object))
        return (SO3Trajectory if "Rotation" in kinds else Trajectory)([0.0], make("Configs", object))
    if type == "GeometricPrimitive":
        shape = GeometricPrimitive()
        shape.setPoint((0, 0, 0))
        return shape
    if type in _MAKERS:
        return _MAKERS[type]()
    if type in _MODELS and isinstance(object, WorldModel):
        return {"RobotModel": object.makeRobot, "RigidObjectModel": object.makeRigidObject,
                "TerrainModel": object.makeTerrain}[type]("Untitled")
    raise ValueError(f"an object of type {type} cannot be made"
                     + (" outside of a world" if type in _MODELS else ""))


def _bounds(geometry):
    low, high = geometry.getBBTight()
    return {"lower bound": low, "upper bound": high}


def _info_geometry(object, kind):
    if kind == "Geometry3D":
        res = {"geometry type": object.type(), "#elements": object.numElements(),
               **_bounds(object)}
        if object.type() == "Group":
            res["elements"] = [info(object.getElement(i)) for i in range(object.numElements())]
        return res
    if kind == "TriangleMesh":
        return {"vertices": len(object.vertices), "triangles": len(object.indices),
                **_bounds(Geometry3D(object))}
    if kind == "PointCloud":
        return {"points": len(object.points), "properties": object.numProperties(),
                **_bounds(Geometry3D(object))}
    if kind in ("ImplicitSurface", "OccupancyGrid"):
        return {"dims": list(object.values.shape), "minimum value": object.values.min(),
                "maximum value": object.values.max(), "lower bound": object.bmin,
                "upper bound": object.bmax}
    if kind == "Heightmap":
        return {"dims": list(object.heights.shape), "minimum value": object.heights.min(),
                "maximum value": object.heights.max()}
    return {}


def _info_model(object, kind):
    if kind == "WorldModel":
        res = {}
        for key, n, get in (("robots", object.numRobots(), object.robot),
                            ("rigid objects", object.numRigidObjects(), object.rigidObject),
                            ("terrains", object.numTerrains(), object.terrain)):
            res["#" + key] = n
            if n:
                res[key] = [info(get(i)) for i in range(n)]
        return res
    res = {"name": object.getName()}
    if kind == "RobotModel":
        links = []
        for i in range(object.numLinks()):
            link = object.link(i)
            links.append({"joint type": "P" if link.isPrismatic() else "R",
                          "name": link.getName()})
            if not link.geometry().empty():
                links[-1]["geometry"] = info(link.geometry())
        res.update({"#links": object.numLinks(), "#drivers": object.numDrivers(), "links": links})
    elif not object.geometry().empty():
        res["geometry"] = info(object.geometry())
    return res


def info(object, world=None):
    """Sizes and bounds of an object by name."""
    try:
        kinds = object_to_types(object, world)
    except ValueError:
        return {"type": None}
    res = {"possible types": kinds} if isinstance(kinds, list) else {}
    kind = kinds[0] if isinstance(kinds, list) else kinds
    res["type"] = kind
    if kind in _ARRAYS:
        res["items"] = len(object)
        if kind == "Configs" and len(object):
            res["dofs"] = len(object[0])
    elif kind in _PATHS and kind != "MultiPath":
        res.update({"items": len(object.times), "duration": object.duration(),
                    "start time": object.startTime(), "end time": object.endTime(),
                    "length": object.length()})
        if object.milestones:
            res["dofs"] = len(object.milestones[0])
    elif kind == "IKGoal":
        res.update({"link": object.link(),
                    "destination link": object.destLink() if object.destLink() >= 0 else None,
                    "position dimensions constrained": object.numPosDims(),
                    "rotation dimensions constrained": object.numRotDims()})
    elif kind in _GEOMETRIES:
        res.update(_info_geometry(object, kind))
    elif kind in _MODELS:
        res.update(_info_model(object, kind))
    return res


def _milestones(object, kind):
    if kind == "Configs":
        return list(object)
    if kind == "MultiPath":
        return object.getTrajectory().milestones
    return list(object.milestones)


def convert(object, dest_type):
    """The object as another type: points and paths, geometries."""
    kind = object_to_type(object)
    if kind == dest_type:
        return object
    if kind in _VECTORS and dest_type in _PATHS:
        object, kind = [object], "Configs"
        if dest_type == "Configs":
            return object
    if kind in _PATHS and dest_type in _VECTORS:
        points = _milestones(object, kind)
        if len(points) != 1:
            raise ValueError(f"a path of {len(points)} milestones is no {dest_type}")
        return points[0]
    if kind in _PATHS and dest_type in _PATHS:
        points = _milestones(object, kind)
        if dest_type == "Configs":
            return points
        if kind == "MultiPath":
            object = object.getTrajectory()
        times = list(range(len(points))) if kind == "Configs" else list(object.times)
        dest = make(dest_type)
        if dest_type == "MultiPath":
            dest.setTrajectory(Trajectory(times, points))
        else:
            dest.times, dest.milestones = times, points
        return dest
    if kind in _GEOMETRIES and dest_type in _GEOMETRIES:
        g = object if isinstance(object, Geometry3D) else Geometry3D(object)
        return g if dest_type == "Geometry3D" else g.convert(dest_type)
    raise ValueError(f"a {kind} cannot be converted to {dest_type}")


def _link_index(robot, link):
    index = robot.link(link).index if isinstance(link, str) else link
    if not 0 <= index < robot.numLinks():
        raise ValueError(f"{robot.getName()} has no link {link}")
    return index


def _link_map(source, target, link_map):
    """Indices of the target's links by those of the source's."""
    names = {target.link(i).getName(): i for i in range(target.numLinks())}
    if link_map is not None and len(link_map) == 1:
        (a, b), = link_map.items()
        if isinstance(a, str) and isinstance(b, str) and "*" in (a, b):
            for pattern in (a, b):
                if not pattern.endswith("*"):
                    raise ValueError(f"'{pattern}' must end with *")
            skip, lead = len(a) - 1, b[:-1]
            res = {}
            for i in range(source.numLinks()):
                name = source.link(i).getName()
                if name.startswith(a[:-1]) and lead + name[skip:] in names:
                    res[i] = names[lead + name[skip:]]
            link_map = res
    if link_map is None:
        link_map = {i: names[source.link(i).getName()] for i in range(source.numLinks())
                    if source.link(i).getName() in names}
    if not link_map:
        raise ValueError("the robots have no links in common; give link_map")
    return {_link_index(source, a): _link_index(target, b) for a, b in link_map.items()}


def _robot_of(item):
    if not isinstance(item, str):
        return item, None
    world = WorldModel()
    if not world.readFile(item):
        raise ValueError(f"the robot {item} could not be read")
    return world.robot(0), world


def transfer(object, source_robot, target_robot, link_map=None):
    """The object of one robot as one of another, link by link.

    object: a link or index, configurations, trajectories, indices, objectives, sub-robots.
    link_map: target links by source links (names or indices), {'prefix*': '*'}, or None for
    equal names.
    """
    from .subrobot import SubRobotModel
    (source, _w1), (target, _w2) = _robot_of(source_robot), _robot_of(target_robot)
    links = _link_map(source, target, link_map)
    if isinstance(object, int):
        return links.get(object, -1)
    if isinstance(object, RobotModelLink):
        return target.link(links.get(object.index, -1))
    if isinstance(object, SubRobotModel):
        moved = [links.get(i, -1) for i in object._links]
        if min(moved) < 0:
            raise ValueError("some links of the sub-robot are not in the target robot")
        return SubRobotModel(target, moved)

    def move(q):
        res = list(target.getConfig())
        for i, j in links.items():
            res[j] = q[i]
        return res
    try:
        kinds = object_to_types(object)
    except ValueError:
        return object
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if "IntArray" in kinds:
        return [links.get(i, -1) for i in object]
    if "Config" in kinds:
        return move(object)
    if "Configs" in kinds:
        return [move(q) for q in object]
    if "IKGoal" in kinds:
        res = IKObjective(object)
        dest = object.destLink()
        res.setLinks(links.get(object.link(), -1), links.get(dest, -1) if dest >= 0 else -1)
        return res
    if kinds[0] == "Trajectory":
        points = [move(q) for q in object.milestones]
        if isinstance(object, RobotTrajectory):
            return RobotTrajectory(target, list(object.times), points)
        return object.constructor()(list(object.times), points)
    return object


deprecated_names(__name__, knownTypes="known_types", objectToTypes="object_to_types",
                 objectToType="object_to_type")
