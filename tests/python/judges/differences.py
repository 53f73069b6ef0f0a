"""Differences from the real Klamp't that are meant: each stands in the table of docs/results/klampt_python.md under its name."""

import re

import comparison

# Errors by which Klamp't's own code fails, and what it says of what it does not support.
SLIPS = ("AttributeError", "TypeError", "NameError", "IndexError", "KeyError", "AssertionError", "UnboundLocalError",
         "RecursionError", "ImportError", "ModuleNotFoundError", "ZeroDivisionError", "ParseError", "NotImplementedError")
UNSUPPORTED = ("not implemented", "not supported", "does not support", "unsupported", "Cannot perform", "Can't do", "TODO",
               "not GeometricPrimitive type", "maximum recursion depth", "Internal error", "what do we do", "can't be converted",
               "Can't convert", "inhomogeneous")


def raises(value):
    return isinstance(value, dict) and "raises" in value


def slip(ours, theirs):
    return raises(theirs) and not raises(ours) and theirs["raises"] in SLIPS


def unsupported(ours, theirs):
    return raises(theirs) and not raises(ours) and any(text.lower() in theirs["says"].lower() for text in UNSUPPORTED)


def answered(ours, theirs):
    """Both give something."""
    return not raises(ours) and not raises(theirs)


def any_values(ours, theirs):
    return True


def unsigned(ours, theirs):
    """A distance that ours gives with a sign and Klamp't without."""
    return answered(ours, theirs) and isinstance(ours, float) and ours < 0 <= theirs


def reaches_farther(ours, theirs):
    return answered(ours, theirs) and ours > theirs


def ours_holds(ours, theirs):
    """A statement that has to hold, and does with ours."""
    return ours is True and theirs is False


def ours_holds_or_raises(ours, theirs):
    """The same, or a call that fails in Klamp't."""
    return ours is True and (theirs is False or raises(theirs))


def only_theirs_raises(ours, theirs):
    return raises(theirs) and not raises(ours)


def loses_links(ours, theirs):
    """Goals that are those of ours but for the links."""
    return answered(ours, theirs) and theirs[1:3] == [0, -1] and comparison.equal(ours[3:], theirs[3:], 1e-6)


def becomes_rotations(ours, theirs):
    return answered(ours, theirs) and [ours[0], theirs[0]] == ["SE3Trajectory", "SO3Trajectory"] and ours[1:] == theirs[1:]


def only_theirs_is_empty(ours, theirs):
    return theirs in (0, []) and ours not in (0, [])


def numbers_of(value):
    """All numbers of a value, in their order."""
    value = comparison.bare(value)
    return [x for item in value for x in numbers_of(item)] if isinstance(value, list) else [value] if comparison.number(value) else []


def half_a_turn(ours, theirs):
    """The same but for a rotation near half a turn, whose axis may point either way: texts have six digits of it."""
    a, b = numbers_of(ours), numbers_of(theirs)
    turns = [sum(x * x for x in a[i:i + 3]) ** 0.5 for i in range(len(a) - 2)] + [1 + a[i] + a[i + 4] + a[i + 8] for i in range(len(a) - 8)]
    return len(a) == len(b) and any(abs(t - 3.1416) < 3e-2 or abs(t) < 1e-3 for t in turns) and all(
        abs(abs(x) - abs(y)) < 5e-3 for x, y in zip(a, b))


def flattened(ours, theirs):
    return answered(ours, theirs) and [x for row in comparison.bare(ours) for x in row] == comparison.bare(theirs)


def deeper(ours, theirs):
    return answered(ours, theirs) and isinstance(ours, float) and isinstance(theirs, (int, float)) and ours < theirs


def about_the_same(ours, theirs):
    """Values that agree to a hundredth, and Jacobians."""
    ours, theirs = comparison.bare(ours), comparison.bare(theirs)
    return answered(ours, theirs) and isinstance(ours, list) and (
        comparison.equal(ours, theirs, 1e-2) or isinstance(ours[0], list) and ours[0] and isinstance(ours[0][0], float))


def no_columns(ours, theirs):
    """A Jacobian without columns, where Klamp't's has those of all links."""
    return answered(ours, theirs) and all(row == [] for row in comparison.bare(ours))


# Name of the row, cases and labels that it is about (regular expressions), and a test of the two values.
TABLE = [
    ("calls that fail inside Klamp't", r".*", r".*", slip),
    ("kinds that Klamp't does not support", r".*", r".*", unsupported),
    ("Coriolis forces behind sliding joints", r"dynamics\..*", r".*\(sliding\).*", answered),
    ("angular acceleration behind sliding joints", r"robots\.kinematics", r".*\(sliding\)\.get(Angular|Point)Acceleration",
     answered),
    ("angular momentum", r"dynamics\.dynamics", r"getAngularMomentum", answered),
    ("velocity between poses of a floating base", r"robots\.configurations|models\.subrobots|trajectories\.evaluation",
     r"interpolateDeriv.*|RobotTrajectory\.deriv \w+ of a floating base", answered),
    ("velocity between poses of a floating base", r"trajectories\.evaluation",
     r"RobotTrajectory\.deriv is the rate of eval of a floating base", ours_holds),
    ("rotations of goals near half a turn", r"ik\..*", r".*\(half a turn\).*", about_the_same),
    ("Jacobians where no link may move", r"ik\.module", r".*jacobian.* where no link may move", no_columns),
    ("spheres and points at triangles", r"shape_pairs\.contacts|shapes\.points", r".* is that of the nearest triangle", ours_holds),
    ("depths of overlapping meshes", r"shape_pairs\.contacts", r"(mesh|solid)-(mesh|solid) in each other: contacts: deepest",
     reaches_farther),
    ("links with several shapes", r"robots\.self_collisions", r".*\(several shapes\)", answered),
    ("goals between links", r"ik\.relative", r"goal between links.*", ours_holds),
    ("poses near an axis goal, goals in another local frame", r"ik\.objectives", r".*(closestMatch|transformLocal).*fit.*", ours_holds),
    ("plans that lose their ends", r"planning\.plans", r"planMore works", ours_holds),
    ("links with several shapes", r"robots\.models", r"link\(.*\)\.geometry\(\)\..*", answered),
    ("limits of pr2gripper_x2", r".*", r"getAccelerationLimits", answered),
    ("sets of driver values", r"simulation\.driven", r"setPIDCommand: getActualConfig", answered),
    ("the spin of bodies", r"simulation\.flight", r"spin", answered),
    ("geometries that are translated in world files", r"worlds\.files", r"object 0: (mass|geometry)", answered),
    ("friction pyramids", r"stability\..*", r".*(holds a point|equilibrium|force_closure|equilibrium_torques).*", any_values),
    ("goals that are reached", r"ik\.solutions", r"solved", ours_holds),
    ("shapes without a surface", r"shape_changes\.conversions", r"(point|segment) to .*", any_values),
    ("inertias of boxes that are made", r"models\.created", r"b?box: mass", answered),
    ("limits of turning joints", r"ik\.solutions", r"within limits", ours_holds),
    ("names of primitives", r"shape_data\.primitives", r"type|.*: loaded", answered),
    ("support of turned shapes", r"shapes\.supports", r".*", reaches_farther),
    ("points in primitives", r"shapes\.points", r".* within: .*", answered),
    ("distances of segments", r"shapes\.points|shape_pairs\..*", r".*segment.*", answered),
    ("clouds whose points have radii", r"shapes\.(points|rays)", r"cloud.*", answered),
    ("signed distances", r"shape_pairs\..*", r".*(distance|deepest|margins).*", deeper),
    ("distances of single triangles", r"shapes\.points|shape_pairs\..*", r".*triangle.*", answered),
    ("distances of clouds with margins and boxes", r"shape_pairs\..*", r".*cloud.*", answered),
    ("distances with an upper bound", r"shape_pairs\..*", r".*distance_ext", answered),
    ("contacts of boxes", r"shape_pairs\.contacts", r".*(aabb|box|solid).*", answered),
    ("regions of interest that are inverted", r"shapes\.slices", r".*roi ~.*", answered),
    ("vertices that are added", r"shape_data\.meshes", r"after|vertices|copy", answered),
    ("colors of clouds", r"shape_data\.clouds", r"(getColors|properties after).*", any_values),
    ("Trajectory.insert", r"trajectories\.editing", r".*insert", answered),
    ("trajectories that are stacked", r"trajectories\.editing", r".*after stackDofs", answered),
    ("HermiteTrajectory.eval_accel", r"trajectories\.evaluation", r"HermiteTrajectory\.eval_accel", answered),
    ("paths of several sections", r"trajectories\.multipaths", r"load.*|eval|concat.*|set|getTrajectory", any_values),
    ("objects that touch themselves", r"models\.colliders", r"collisions.*|collisionTests|tests.*|objectObject.*|isCollisionEnabled",
     any_values),
    ("normals that are not weighted", r"models\.geometry_module", r"vertex_normals, not weighted", answered),
    ("PlaneFitter.goodness_of_fit", r"models\.geometry_module", r"goodness_of_fit", answered),
    ("Jacobians of parts of robots", r"models\.subrobots", r"link\.getOrientationJacobian", answered),
    ("equilibrium in two dimensions", r"stability\.flat", r"com_equilibrium_2d", answered),
    ("beams of scanners", r"sight\.lasers", r"laser.*(triangular|sawtooth in time|\(the last beam\)).*closed form says", ours_holds),
    ("beams of scanners", r"sight\.lasers", r"laser.*(triangular|sawtooth in time|\(the last beam\)).*: beam", answered),
    ("what accelerometers feel", r"sight\.inertial", r"Accelerometer: reading.*", answered),
    ("depths beyond the range of cameras", r"sight\.cameras", r"depths beyond zmax are zmax|camera_to_points_world lie.*", ours_holds),
    ("points of images", r"sight\.cameras", r"camera_to_points Geometry3D.*", answered),
    ("points of images", r"sight\.image_points", r"image_to_points .*(limits|bytes, all).*", answered),
    ("pixels of cameras", r"sight\.viewports", r"camera_project.*|camera_ray.*|a point behind.*|occluded.*", ours_holds),
    ("pixels of cameras", r"sight\.settings", r"CameraSensor: xfov of fx", answered),
    ("readings that are not there", r"sight\.simulated", r"laser.*", only_theirs_is_empty),
    ("boxes of fields, grids and heightmaps", r"volumes\.(surfaces|grids|heightmaps)", r".*: box", answered),
    ("boxes of fields, grids and heightmaps", r"volumes\.conversions", r"surface to OccupancyGrid of .*: box", answered),
    ("boxes of fields, grids and heightmaps", r"resources\.files", r"load Geometry3D, surface", answered),
    ("contacts and rays of occupancy grids", r"volumes\.grids", r"(grid|sphere)-.*|grid: rayCast.*", ours_holds),
    ("heightmaps", r"volumes\.heightmaps", r".*(is right|meets the surface)", ours_holds),
    ("occupancy grids of closed meshes", r"volumes\.made", r"solid to OccupancyGrid: values.*", ours_holds),
    ("heightmaps of fields and grids", r"volumes\.conversions", r"(grid|surface) to heightmap.*", answered),
    ("fields, grids and heightmaps that are changed", r"volumes\.edits", r".*(moves the box|scales.*|read again)", ours_holds),
    ("rays and contacts of groups", r"groups\..*", r"(rayCast|.*contacts where|.*distance is that|.*nearest points|distance_point).*",
     ours_holds_or_raises),
    ("groups that are changed", r"groups\.changes", r".*(box is that of the parts|read again)", ours_holds),
    ("groups that are changed", r"resources\.shapes", r"to_json Geometry3D, group", answered),
    ("tools that are driven", r"cartesian\..*", r".*(whole way is made|leaves driveTransforms)", ours_holds),
    ("rotations of goals near half a turn", r"resources\..*", r".*IK.*transform.*|.*Hold of a transform.*", half_a_turn),
    ("goals in JSON", r"resources\.(as_json|files)", r"(from_json|load) IK.*", loses_links),
    ("trajectories in JSON", r"resources\.as_json", r"from_json SE3Trajectory.*", becomes_rotations),
    ("files that Klamp't does not read again", r"resources\.files", r"load Geometry3D, sphere", only_theirs_raises),
    ("files that Klamp't does not read again", r"resources\.stored", r"get (IKGoal, planar|of none).*", only_theirs_raises),
    ("lists of configurations from arrays", r"resources\.arrays", r"from_numpy Configs", flattened),
]

# Where the real package has the Python files that PyPI brings; none with newer ones (klampt_judge.py --layer).
OLDER_FILES = [
    ("Python files of 2025", r"trajectories\..*", r"path_to_trajectory.*|.*\.length|.*eval_state|.*deriv_angvel|.*(stack|insert|concat).*",
     any_values),
]


def explain(case, label, ours, theirs, older=True):
    """The row that explains a difference, or None."""
    for name, cases, labels, holds in TABLE + (OLDER_FILES if older else []):
        if re.fullmatch(cases, case) and re.fullmatch(labels, label) and holds(ours, theirs):
            return name
    return None
