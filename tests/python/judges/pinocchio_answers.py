"""Answers of Pinocchio and Coal, for the interpreter that has them: a JSON list of questions on standard input, answers out."""

import json
import sys

import numpy as np


def dynamics(question):
    """Everything about a robot of a URDF file at one state; joints by name."""
    import pinocchio as pin
    model = pin.buildModelFromUrdf(question["file"])
    data = model.createData()
    model.gravity.linear = np.array(question["gravity"])
    q, v, a, tau = (np.zeros(model.nv) for _ in range(4))
    at = {}
    for name in model.names[1:]:
        joint = model.joints[model.getJointId(name)]
        at[name] = joint.idx_v
        q[joint.idx_q], v[joint.idx_v] = question["q"][name], question["dq"][name]
        a[joint.idx_v], tau[joint.idx_v] = question["ddq"][name], question["tau"][name]
    names = list(at)
    order = [at[name] for name in names]
    pin.forwardKinematics(model, data, q, v, a)
    pin.updateFramePlacements(model, data)
    pin.computeJointJacobians(model, data, q)
    frames = {}
    for link in question["links"]:
        frame = model.getFrameId(link, pin.FrameType.BODY)
        X = data.oMf[frame]
        J = pin.getFrameJacobian(model, data, frame, pin.LOCAL_WORLD_ALIGNED).reshape(6, model.nv)
        A = pin.getFrameClassicalAcceleration(model, data, frame, pin.LOCAL_WORLD_ALIGNED)
        V = pin.getFrameVelocity(model, data, frame, pin.LOCAL_WORLD_ALIGNED)
        frames[link] = {"R": X.rotation.tolist(), "p": X.translation.tolist(),
                        "J": np.vstack([J[3:], J[:3]])[:, order].tolist(),  # angular rows first
                        "v": V.linear.tolist(), "w": V.angular.tolist(), "a": A.linear.tolist(), "alpha": A.angular.tolist()}
    M = pin.crba(model, data, q).reshape(model.nv, model.nv)
    M = np.triu(M) + np.triu(M, 1).T
    C = pin.computeCoriolisMatrix(model, data, q, v).reshape(model.nv, model.nv)
    still = pin.rnea(model, data, q, np.zeros(model.nv), np.zeros(model.nv))
    whole = pin.rnea(model, data, q, v, a)
    momentum = pin.computeCentroidalMomentum(model, data, q, v)
    # Pinocchio leaves the root link out, which stands still.
    com, base = pin.centerOfMass(model, data, q, v), model.inertias[0]
    share = data.mass[0] / (data.mass[0] + base.mass)
    whole_com = share * com + (1 - share) * base.lever
    angular = momentum.angular + np.cross(com - whole_com, momentum.linear)
    return {"joints": names, "frames": frames, "M": M[np.ix_(order, order)].tolist(), "coriolis": (C @ v)[order].tolist(),
            "gravity": still[order].tolist(), "inverse": whole[order].tolist(), "forward": pin.aba(model, data, q, v, tau)[order].tolist(),
            "com": whole_com.tolist(), "vcom": (share * data.vcom[0]).tolist(), "linear": momentum.linear.tolist(),
            "angular": angular.tolist(), "kinetic": pin.computeKineticEnergy(model, data, q, v)}


def coal_shape(shape):
    import coal
    kind = shape["kind"]
    if kind == "sphere":
        return coal.Sphere(shape["radius"])
    if kind == "box":
        return coal.Box(*shape["size"])
    if kind == "capsule":
        return coal.Capsule(shape["radius"], shape["length"])
    if kind == "cylinder":
        return coal.Cylinder(shape["radius"], shape["length"])
    mesh = coal.BVHModelOBBRSS()
    mesh.beginModel(len(shape["triangles"]), len(shape["vertices"]))
    mesh.addVertices(np.array(shape["vertices"], dtype=float))
    for triangle in shape["triangles"]:
        corners = [np.array(shape["vertices"][i], dtype=float) for i in triangle]
        mesh.addTriangle(*corners)
    mesh.endModel()
    return mesh


def distances(question):
    """Distance and collision of two shapes."""
    import coal
    shapes = [coal_shape(shape) for shape in question["shapes"]]
    places = [coal.Transform3s(np.array(R, dtype=float), np.array(p, dtype=float)) for R, p in question["places"]]
    request = coal.DistanceRequest()
    request.gjk_tolerance = 1e-10
    request.epa_tolerance = 1e-10
    result = coal.DistanceResult()
    d = coal.distance(shapes[0], places[0], shapes[1], places[1], request, result)
    collides = coal.collide(shapes[0], places[0], shapes[1], places[1], coal.CollisionRequest(), coal.CollisionResult()) > 0
    return {"distance": d, "collides": collides}


def main():
    questions = json.load(sys.stdin)
    kinds = {"dynamics": dynamics, "distance": distances}
    json.dump([kinds[question["ask"]](question) for question in questions], sys.stdout)


if __name__ == "__main__":
    main()
