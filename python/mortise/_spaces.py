"""Spaces to plan in, written in Python, as steps of pipelines: a class says what is feasible, users say from where to where.

    import mortise

    @mortise.space("acme.Corridor", summary="A disc of some radius among walls.")
    class Corridor(mortise.PlanningSpace):
        radius: float = mortise.setting(0.1, "Of the disc.", min=0, unit="m")
        low, high = [0, 0], [4, 2]

        def feasible(self, q):
            return abs(q[0] - 2) > self.radius or q[1] > 1 + self.radius

A pipeline then has a stage `acme.Corridor: {start: [0.5, 0.5], goal: [3.5, 0.5], iterations: 5000, save: way}`.
"""

from typing import Any, Callable, Dict, Optional, Sequence

import numpy as np

from . import _mortise
from ._components import Stage, _declare, setting


class _Stopped(Exception):
    """Ctrl-C, on its way out of the planner."""


class PlanningSpace(Stage):
    """A space to plan in, and the step of a pipeline that plans there.

    `low` and `high`, (d,), are finite bounds, known once `prepare(world)` was called, which may set them; `feasible(q)`
    says whether a configuration is. Where they are defined, these count, too: `visible(a, b)`, `sampler(random)`,
    `distance(a, b)`, `resolution`, `weights` and `names`, as for `mortise.Space`; `initial()`, the start where users give
    none; `configuration(q)`, the full configuration (num_links,) of the world's first robot that stands for q, so that
    later stages can follow the path.
    """

    start: Any = setting([], "Where the path begins; empty: where the space says, or where the robot stands.", type="real_list")
    goal: Any = setting(None, "Where it ends.", type="real_list", required=True)
    planner: str = setting("any", "Which planner, by name.")
    planner_settings: Any = setting({}, "Settings of the planner.")
    iterations: int = setting(0, "Rounds of the planner, at most; 0: as many as `seconds` allows.", min=0)
    seconds: float = setting(0.0, "Wall time for planning; 0: 10 s, or none where `iterations` limits it.", min=0, unit="s")
    optimize: bool = setting(False, "Goes on after the first path, to better ones.")
    seed: int = setting(-1, "Of the planner; -1: that of the pipeline.", min=-1)
    tolerance: float = setting(1e-9, "How far from the goal a path may end, in the space's distance.", min=0)
    speed: float = setting(1.0, "Distance that the path's motion covers each second.", min=1e-9)
    save: str = setting("path", "Name of the result and of the motion, for later stages.")
    time_limit: float = setting(600.0, "Wall time that the stage may take.", min=1e-3, unit="s", infinite=True)

    low: Optional[Sequence[float]] = None
    high: Optional[Sequence[float]] = None

    def prepare(self, world: Any) -> None:
        """Before planning: what the space takes from the pipeline's world."""

    def space(self, world: Any = None, feasible: Optional[Callable[[Any], bool]] = None) -> Any:
        """The same as a `mortise.Space`, for programs."""
        self.prepare(world)
        if self.low is None or self.high is None:
            raise TypeError(f"{type(self).__name__} needs 'low' and 'high': as attributes of the class, or set by prepare(world)")
        given: Dict[str, Any] = {name: getattr(self, name) for name in ("visible", "sampler", "distance", "resolution", "weights", "names")
                                 if getattr(self, name, None) is not None}
        return _mortise.Space(self.low, self.high, feasible or self.feasible, **given)  # type: ignore[attr-defined]

    def check(self, context: Any) -> None:
        """Checks what can be found wrong without planning: bounds, and the lengths of start and goal."""
        self._ends(self.space(context.world), context.world)

    def _ends(self, space: Any, world: Any) -> Any:
        """Start and goal, of the right length."""
        start = self.start
        if len(start) == 0:
            initial = getattr(self, "initial", None)
            start = initial() if initial is not None else world.robot(0).q if len(world.robots) > 0 else []
        for name, q in (("start", start), ("goal", self.goal)):
            if len(q) != space.dimension:
                raise ValueError(f"{name}: expected {space.dimension} numbers, found {len(q)}")
        return np.array(start, dtype=float), np.array(self.goal, dtype=float)

    def run(self, context: Any) -> None:
        """Plans, and keeps the result and the motion."""
        calls = 0

        def feasible(q: Any) -> bool:
            nonlocal calls
            calls += 1
            if calls % 64 == 0 and context.stop_requested:
                raise _Stopped
            return self.feasible(q)  # type: ignore[attr-defined, no-any-return]

        space = self.space(context.world, feasible)
        start, goal = self._ends(space, context.world)
        try:
            found = space.plan(start, goal, planner=self.planner, settings=self.planner_settings or None, optimize=self.optimize,
                               iterations=self.iterations or None, time_limit=self.seconds or None, tolerance=self.tolerance,
                               seed=context.seed if self.seed < 0 else self.seed)
        except _Stopped:
            context.save_result(self.save, {"status": "stopped", "solved": False})
            return
        context.save_result(self.save, {**found.report, "path": [list(q) for q in found.path]})
        if not found:
            raise RuntimeError(f"no path was found: {found.message or found.status}")
        self._follow(context, found.path)

    def _follow(self, context: Any, path: Any) -> None:
        """Leaves the path as a motion, where it is one of the world's robot."""
        full = getattr(self, "configuration", None)
        robots = context.world.robots
        if len(robots) == 0 or (full is None and path.shape[1] != robots[0].robot.num_links):
            return
        measure = getattr(self, "distance", None) or (lambda a, b: float(np.linalg.norm(b - a)))
        times = [0.0]
        for a, b in zip(path, path[1:]):
            times.append(times[-1] + measure(a, b) / self.speed)
        rows = path if full is None else np.array([full(q) for q in path], dtype=float)
        context.save_trajectory(self.save, _mortise.Trajectory(times, rows))


def space(name: str, *, summary: Optional[str] = None, aliases: Sequence[str] = ()) -> Callable[[type], type]:
    """Declares a space to plan in: a class derived from `mortise.PlanningSpace`, with `feasible(self, q)`."""
    declare = _declare("stage", name, summary, aliases, {})

    def decorate(cls: type) -> type:
        if not (isinstance(cls, type) and issubclass(cls, PlanningSpace)):
            raise TypeError(f"@mortise.space('{name}') decorates a class derived from mortise.PlanningSpace, not {cls!r}")
        if not callable(getattr(cls, "feasible", None)):
            raise TypeError(f"space '{name}' needs the method feasible")
        return declare(cls)

    return decorate
