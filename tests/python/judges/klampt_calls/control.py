"""klampt.control: motion generation, Cartesian drive, identification, interfaces of robots."""

from . import case, draw, robot_files

CASES = {}


@case(CASES, 2, 1e-6)
def generation(place, rng, record):
    """Velocity- and acceleration-bounded motion."""
    from klampt.control import motion_generation
    n = rng.randrange(1, 4)
    x, vmax = draw.vector(rng, n), [rng.uniform(0.5, 2) for _ in range(n)]
    amax = [rng.uniform(1, 4) for _ in range(n)]
    low, high = [-5.0] * n, [5.0] * n
    for what, make in (("velocity", lambda: motion_generation.VelocityBoundedMotionGeneration(x, vmax)),
                       ("acceleration", lambda: motion_generation.AccelerationBoundedMotionGeneration(x, low, high, vmax, amax))):
        g = record.call(f"{what}: made", make, then=lambda g: None)
        if g is None:
            continue
        # Klamp't's own update fails for the first, and its other commands for the second.
        record.call(f"{what}: setTarget", g.setTarget, draw.vector(rng, n))
        record.call(f"{what}: remainingTime", g.remainingTime)
        record.call(f"{what}: target", g.target)
        for _ in range(3 if what == "acceleration" else 0):
            record.call(f"{what}: update", g.update, rng.uniform(0.01, 0.5))
            record.call(f"{what}: remainingTime", g.remainingTime)
            record.call(f"{what}: predict", g.predict, rng.uniform(0, 1))


@case(CASES, 1, 1e-6)
def identification(place, rng, record):
    """OnlineLeastSquares, LinearSystemID."""
    from klampt.control import system_id
    import numpy
    n = rng.randrange(1, 4)
    fit = system_id.OnlineLeastSquares(n)
    for _ in range(n + 3):
        record.call("add", fit.add, numpy.array(draw.vector(rng, n)), rng.uniform(-1, 1))
    for what in ("solution", "residualNorm2", "residualNorm", "standardError", "solutionCovariance"):
        record.call(what, getattr(fit, what))
    linear = system_id.LinearSystemID(2, 1)
    for _ in range(8):
        linear.add(numpy.array(draw.vector(rng, 2)), numpy.array(draw.vector(rng, 1)), numpy.array(draw.vector(rng, 2)))
    record.call("getModel", linear.getModel)
    record.call("getOutput", linear.getOutput, numpy.array(draw.vector(rng, 2)), numpy.array(draw.vector(rng, 1)))


@case(CASES, 2, 2e-3)
def interface(place, rng, record):
    """KinematicSimControlInterface under RobotInterfaceCompleter: moveToPosition, setVelocity, what is commanded."""
    from klampt.control import simrobotinterface
    from klampt.control.robotinterfaceutils import RobotInterfaceCompleter
    robot = robot_files.world_of(place, place.data / "robots" / rng.choice(["planar3R.rob", "tx90ball.rob", "ur5.rob"])).robot(0)
    low, high = robot.getJointLimits()
    q, other = draw.within(rng, low, high, 1.5), draw.within(rng, low, high, 1.5)
    robot.setConfig(q)
    base = RobotInterfaceCompleter(simrobotinterface.KinematicSimControlInterface(robot))
    record.call("initialize", base.initialize)
    record("numJoints", base.numJoints())
    for what in ("controlRate", "parts"):
        record.call(what, getattr(base, what))
    start = base.configFromKlampt(q)
    record("configFromKlampt", start)
    target = [a + 0.1 * (b - a) for a, b in zip(start, base.configFromKlampt(other))]

    def steps(count):
        for _ in range(count):
            base.beginStep()
            base.endStep()
    base.beginStep()
    record.call("setPosition", base.setPosition, start)
    base.endStep()
    steps(5)
    record.call("commandedPosition", base.commandedPosition)
    base.beginStep()
    record.call("moveToPosition", base.moveToPosition, target, rng.choice([0.5, 1.0]))
    base.endStep()
    steps(10)
    record.call("isMoving", base.isMoving)
    record.call("commandedPosition on the way", base.commandedPosition, tolerance=2e-2)
    steps(800)
    record.call("isMoving at the end", base.isMoving)
    record.call("commandedPosition at the end", base.commandedPosition)
    record.call("sensedPosition at the end", base.sensedPosition)
    base.beginStep()
    record.call("setVelocity", base.setVelocity, [0.1] * base.numJoints(), 0.2)
    base.endStep()
    steps(200)
    record.call("position after setVelocity", base.commandedPosition, tolerance=2e-2)
    record.call("configToKlampt", base.configToKlampt, start)
