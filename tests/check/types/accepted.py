"""Programs whose types are right: mypy --strict accepts all of this (tests/check/check_types.py)."""

from pathlib import Path
from typing import Optional

import mortise
import numpy as np
from mortise.collision import CollisionShape, DistanceResult
from mortise.model import Geometry, Robot, World
from numpy.typing import NDArray


def kinematics(path: Path) -> NDArray[np.float64]:
    robot: Robot = mortise.load_robot(path)
    state = mortise.RobotState(robot, q=[0.0] * robot.num_links)
    state.set(np.zeros(robot.num_links), dq=robot.q_max)
    state.q = np.zeros(robot.num_links)
    parent: int = robot.link("wrist").parent
    masses: list[float] = [link.mass for link in robot.links]
    shape: Optional[Geometry] = robot.link(parent).geometry
    print(masses, shape.kind if shape is not None else "none", state.transform(robot.links[0]) @ mortise.RigidTransform(p=[0, 0, 1]))
    dynamics = mortise.RobotDynamics(robot)
    J = dynamics.jacobian("wrist", p_LP=(0, 0, 0.1), out=np.zeros((6, robot.num_links), order="F"))
    return J @ state.dq


def timing(robot: Robot, path: NDArray[np.float64]) -> float:
    result = mortise.retime(robot, path, torque=True)
    rest: float = mortise.time_path([[0, 0], [1, 1]], velocity_max=1, acceleration_max=[1, 2]).duration
    ramp = mortise.shortest_ramp(0, 1, velocity_max=1, acceleration_max=2)
    return result.duration + rest + ramp.duration + result.motion.end_time


def collisions(world: World) -> DistanceResult:
    box = Geometry.box([1, 2, 3], pose=(np.eye(3), [0, 0, 1]))
    state = mortise.WorldCollisionState(mortise.WorldCollider(world))
    pair = state.any_collision("robots", ["table", 3])
    if pair is not None:
        a, b = pair
        print(world.name_of(a), world.name_of(b))
    print(state.collisions().shape, CollisionShape(box).collides(Geometry.sphere(1.0), pose=np.eye(4)))
    return CollisionShape(box).distance(Geometry.point([0, 0, 5]), upper_bound=3)


def simulation(world: World) -> bytes:
    run = mortise.Simulation(world, backend="ode", settings={"iterations": 50}, controllers={0: "PID"})
    run.add_hook_after(lambda simulation: print(simulation.time))
    status: str = run.step(10)
    kinetic, potential = run.energy()
    run.apply_wrench(world.objects[0], force=[0, 0, kinetic + potential])
    run.set_object_state("ball", pose=mortise.RigidTransform(), v=np.zeros(3))
    return run.save() if status == "normal" else b""


def planning(world: World) -> NDArray[np.float64]:
    space = mortise.Space([0, 0], [1, 1], lambda q: bool(q[0] > 0.1), sampler=lambda random: random.random(2))
    found = space.plan([0.2, 0.2], [0.9, 0.9], time_limit=1, iterations=100)
    goals = [{"link": "wrist", "position": [0.1, 0.2, 0.3]}]
    robot = world.robot().robot
    solved: bool = mortise.solve_ik(robot, goals, start=robot.initial_configuration(), active=["wrist", 2]).solved
    print(solved, mortise.plan(world, goal={"ik": goals}).motion)
    return found.path
