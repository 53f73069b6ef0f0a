"""Mistakes that mypy --strict finds: one in each line that ends with `# refused`, and nowhere else (tests/check/check_types.py)."""

import mortise
import numpy as np

robot = mortise.load_robot("a.urdf")
world = mortise.load_world("a.xml", "b.xml")
state = mortise.RobotState(robot)
simulation = mortise.Simulation(world)

mortise.load_robot(42)  # refused
mortise.load_robot()  # refused
mortise.load_robot("a.urdf", "b.urdf")  # refused
mortise.load_world("a.xml", 3)  # refused
mortise.RobotState(world)  # refused
mortise.Simulation(robot)  # refused
mortise.Simulation(world, timestep=0.1)  # refused
name: int = robot.name  # refused
robot.q_max = np.zeros(3)  # refused
print(robot.nothing)  # refused
simulation.advance("1 s")  # refused
simulation.step(1.5)  # refused
simulation.add_hook_after(3)  # refused
simulation.apply_wrench(2.5, force=[0, 0, 1])  # refused
status: int = simulation.step()  # refused
mortise.Geometry.sphere("1")  # refused
mortise.Geometry.box([1, 2, 3], pose=3.5j, centered="yes")  # refused
mortise.CollisionShape(robot)  # refused
print(robot.links[0].geometry.margin)  # refused
state.transform(1.5)  # refused
state.transform(0) @ robot  # refused
mortise.retime(world, [[0, 0]])  # refused
mortise.retime(robot, [[0, 0]], torque="yes")  # refused
mortise.solve_ik(robot, 3)  # refused
mortise.Space([0], [1], feasible=3)  # refused
mortise.plan("world.xml", goal=[0])  # refused
mortise.shortest_ramp("0", 1)  # refused
mortise.shortest_ramp(0, 1).duration = 2  # refused
mortise.balance(robot, [0], 3.5, 7, 8, 9, 10, 11, 12, 13, 14)  # refused
