"""An arm that follows a frame which people drag in the browser, by inverse kinematics.

    python3 data/python/drag_goal.py

says an address; `Sway` moves the goal by itself, Ctrl-C ends.
"""

import math
import pathlib

import mortise
import numpy as np

ROBOT = pathlib.Path(__file__).resolve().parents[1] / "robots" / "reacher.rob"


def main() -> None:
    robot = mortise.load_robot(ROBOT)
    q = robot.initial_configuration()
    world = mortise.World().with_robot(robot)
    start = np.array(mortise.solve_ik(robot, {"link": "tool", "position": [0.4, 0.1, 0.3]}).q)
    view = world.view()

    def follow(pose: mortise.RigidTransform) -> None:
        """The arm reaches for the goal from where it is; where it cannot, it comes as near as it can."""
        nonlocal q
        solution = mortise.solve_ik(robot, {"link": "tool", "position": list(pose.p)}, start=q, nearest=True)
        q = np.array(solution.q)
        view.set_configuration(0, q)
        said.value = f"{1000 * solution.residual:.1f} mm off"

    q = start
    view.set_configuration(0, q)
    view.set_title("Drag the goal")
    sways = view.add_checkbox("Sway")
    reach = view.add_slider("reach", 0.02, 0.2, 0.1)
    said = view.add_label("", "tool:")
    view.draw_frame("goal", mortise.RigidTransform(np.eye(3), [0.4, 0.1, 0.3]), size=0.1, on_drag=follow)
    time = 0.0

    def each_frame() -> None:
        nonlocal time
        if sways.value:
            time += 1 / 30
            pose = mortise.RigidTransform(np.eye(3), [0.4, 0.1 + reach.value * math.sin(2 * time), 0.3])
            view.move("goal", pose)
            follow(pose)

    mortise.show(view, wait=False)
    view.loop(each_frame)


if __name__ == "__main__":
    main()
