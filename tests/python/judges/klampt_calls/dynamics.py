"""Robots' dynamics."""

from . import case, draw, robot_files

CASES = {}


@case(CASES, 4, 1e-8)
def dynamics(place, rng, record):
    """Mass matrices, forces, accelerations, momenta, energies."""
    name, robot, _ = robot_files.pick(place, rng)
    record("robot", name)
    robot_files.pose(robot, rng)
    n = robot.numLinks()
    # Axes and rotations in files are of unit length to about 1e-6.
    loose = 1e-8 if name.startswith("random") else 1e-6
    for what in ("getCom", "getComVelocity", "getComJacobian", "getLinearMomentum", "getAngularMomentum", "getKineticEnergy",
                 "getTotalInertia", "getMassMatrix"):
        record.call(what, getattr(robot, what), tolerance=loose)
    slides = robot_files.slides_on_turning(robot)
    record.call(f"getCoriolisForces{slides}", robot.getCoriolisForces, tolerance=loose)
    record.call("getGravityForces", robot.getGravityForces, rng.choice([(0, 0, -9.8), draw.vector(rng, 3, 10)]))
    record.call("getComJacobianCols", robot.getComJacobianCols, draw.some(rng, range(n), 4))
    ddq = draw.vector(rng, n, 3)
    record.call(f"torquesFromAccel{slides}", robot.torquesFromAccel, ddq, tolerance=loose)


@case(CASES, 1, 1e-7)
def well_conditioned(place, rng, record):
    """Inverses and derivatives, for robots whose links all weigh something."""
    name, robot, _ = robot_files.pick(place, rng, 1.0)
    record("robot", name)
    robot_files.pose(robot, rng)
    n = robot.numLinks()
    slides = robot_files.slides_on_turning(robot)
    record.call("getMassMatrixInv", robot.getMassMatrixInv)
    record.call(f"accelFromTorques{slides}", robot.accelFromTorques, draw.vector(rng, n, 30))
    record.call(f"getMassMatrixTimeDeriv{slides}", robot.getMassMatrixTimeDeriv)
    record.call(f"getMassMatrixDeriv{slides}", robot.getMassMatrixDeriv, rng.randrange(n))
    record.call(f"getCoriolisForceMatrix times dq{slides}", robot.getCoriolisForceMatrix,
                then=lambda C: [sum(x * v for x, v in zip(row, robot.getVelocity())) for row in C])


@case(CASES, 1, 1e-9)
def differences(place, rng, record):
    """Derivatives against differences of what both agree on: who is right where they differ."""
    import numpy
    name, robot, _ = robot_files.pick(place, rng, 1.0)
    record("robot", name)
    slides = robot_files.slides_on_turning(robot)
    q, dq = (numpy.array(x) for x in robot_files.pose(robot, rng))
    n, h = robot.numLinks(), 1e-5

    def mass_matrix(x):
        robot.setConfig(list(x))
        return numpy.array(robot.getMassMatrix())

    def spins(t):
        robot.setConfig(list(q + t * dq))
        robot.setVelocity(list(dq))
        return [numpy.array(robot.link(i).getAngularVelocity()) for i in range(n)]
    rate = (mass_matrix(q + h * dq) - mass_matrix(q - h * dq)) / (2 * h)
    slope = [dq @ (mass_matrix(q + h * e) - mass_matrix(q - h * e)) @ dq / (2 * h) for e in numpy.eye(n)]
    before, after = spins(-h), spins(h)
    robot.setConfig(list(q))
    robot.setVelocity(list(dq))

    def near(a, b):
        return bool(numpy.abs(numpy.array(a) - b).max() < 1e-5)
    record(f"getMassMatrixTimeDeriv is the rate of getMassMatrix{slides}", near(robot.getMassMatrixTimeDeriv(), rate))
    record(f"getCoriolisForces follow from getMassMatrix{slides}",
           near(robot.getCoriolisForces(), rate @ dq - numpy.array(slope) / 2))
    record(f"getAngularAcceleration is the rate of getAngularVelocity{slides}", all(
        near(robot.link(i).getAngularAcceleration([0.0] * n), (after[i] - before[i]) / (2 * h)) for i in range(n)))


@case(CASES, 1, 1e-9)
def masses(place, rng, record):
    """Mass: values and estimates from shapes."""
    k = place.klampt
    mass = k.Mass()
    mass.setMass(rng.uniform(0.1, 3))
    mass.setCom(draw.vector(rng))
    mass.setInertia(draw.vector(rng, rng.choice([3, 9])))
    record("mass", [mass.getMass(), mass.getCom(), mass.getInertia()])
    v, t = rng.choice([lambda: draw.boxes(draw.vector(rng, 3, 0.2), [rng.uniform(0.3, 1) for _ in range(3)]),
                       lambda: draw.ball(rng, 0.4, 5, 7, 0.2)])()
    import numpy
    mesh = k.TriangleMesh()
    mesh.setVertices(numpy.array(v, dtype=float))
    mesh.setIndices(numpy.array(t, dtype=numpy.int32))
    shape = k.Geometry3D(mesh)
    fraction = rng.choice([0, 0, 1, rng.random()])
    m = rng.uniform(0.5, 5)
    record.call(f"estimate(surfaceFraction={fraction})", mass.estimate, shape, m, fraction)
    record("estimated", [mass.getMass(), mass.getCom(), mass.getInertia()], 1e-6)
    primitive = k.GeometricPrimitive()
    kind = rng.randrange(3)
    if kind == 0:
        primitive.setSphere(draw.vector(rng), rng.uniform(0.1, 1))
    elif kind == 1:
        primitive.setAABB(draw.vector(rng, 3, 0.3), [rng.uniform(0.4, 1) for _ in range(3)])
    else:
        primitive.setBox(draw.vector(rng), draw.rotation(rng), [rng.uniform(0.1, 1) for _ in range(3)])
    record.call("estimate of primitive", mass.estimate, k.Geometry3D(primitive), m, 0)
    record("estimated of primitive", [mass.getMass(), mass.getCom(), mass.getInertia()], 1e-6)
