"""Configuration spaces written in Python, and planners on them."""

import math
import random
import warnings

from ..math import vectorops
from . import motionplanning


class CSpace:
    """A space to plan in. Override feasible(x); where wanted sample(), sampleneighborhood(c, r),
    visible(a, b), distance(a, b) and interpolate(a, b, u).

    Attributes: bound, a list of (lower, upper); eps, the resolution of edges; properties.
    """

    def __init__(self):
        self.cspace = None
        self.feasibilityTests = None
        self.feasibilityTestNames = None
        self.feasibilityTestDependencies = None
        self.eps = 1e-3
        self.bound = [(0, 1)]
        self.properties = {}

    def setBounds(self, bound):
        """Sets bound, and the properties minimum, maximum and volume."""
        self.bound = bound
        self.properties["minimum"] = [a for a, _ in bound]
        self.properties["maximum"] = [b for _, b in bound]
        self.properties["volume"] = math.prod(b - a for a, b in bound if a != b)

    def close(self):
        """Gives the planner's side of the space back."""
        if self.cspace is not None:
            self.cspace.destroy()
            self.cspace = None

    def setup(self, reinit=False):
        """Makes the planner's side of the space; called when a planner is made."""
        if self.cspace is not None:
            if not reinit:
                warnings.warn("CSpace.setup() is called a second time; the first result is lost", stacklevel=2)
            self.cspace.destroy()
        self.cspace = motionplanning.CSpaceInterface()
        if self.feasibilityTests is not None:
            for name, test in zip(self.feasibilityTestNames, self.feasibilityTests):
                self.cspace.addFeasibilityTest(name, test)
            self.cspace.enableAdaptiveQueries()
            for name, before in self.feasibilityTestDependencies:
                self.cspace.setFeasibilityDependency(name, before)
        else:
            self.cspace.setFeasibility(self.feasible)
        if hasattr(self, "visible"):
            self.cspace.setVisibility(self.visible)
        else:
            self.cspace.setVisibilityEpsilon(self.eps)
        self.cspace.setSampler(self.sample)
        self.cspace._uniform = getattr(self.sample, "__func__", None) is CSpace.sample
        self.cspace.setNeighborhoodSampler(self.sampleneighborhood)
        if hasattr(self, "distance"):
            self.cspace.setDistance(self.distance)
        if hasattr(self, "interpolate"):
            self.cspace.setInterpolate(self.interpolate)
        for key, value in {**self._limits(), **self.properties}.items():
            text = " ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
            self.cspace.setProperty(key, text)

    def _limits(self):
        """Properties that `bound` stands for where it was set by itself."""
        if self.bound is None or not len(self.bound):
            return {}
        return {"minimum": [float(a) for a, _ in self.bound], "maximum": [float(b) for _, b in self.bound]}

    def sample(self):
        """A configuration drawn uniformly within bound."""
        return [random.uniform(a, b) for a, b in self.bound]

    def sampleneighborhood(self, c, r):
        """A configuration within r of c, and within bound."""
        return [random.uniform(max(a, x - r), min(b, x + r)) for x, (a, b) in zip(c, self.bound)]

    def addFeasibilityTest(self, func, name=None, dependencies=None):
        """Adds a test (x) -> bool; dependencies are names of tests run before it."""
        assert name is None or isinstance(name, str), "the name of a test must be a string"
        assert callable(func), "a feasibility test must be a function"
        if self.feasibilityTests is None:
            self.feasibilityTests, self.feasibilityTestNames = [], []
            self.feasibilityTestDependencies = []
        name = f"test_{len(self.feasibilityTests)}" if name is None else name
        self.feasibilityTests.append(func)
        self.feasibilityTestNames.append(name)
        before = dependencies if isinstance(dependencies, (list, tuple)) else [dependencies]
        self.feasibilityTestDependencies += [(name, d) for d in before if d is not None]

    def inBounds(self, x):
        """Returns whether x is within bound."""
        return all(a <= v <= b for v, (a, b) in zip(x, self.bound))

    def feasible(self, x):
        """Returns whether x passes all tests; without tests, whether it is within bound."""
        if self.feasibilityTests is None:
            return self.inBounds(x)
        return all(test(x) for test in self.feasibilityTests)

    def _require_setup(self):
        if self.cspace is None:
            raise RuntimeError(f"the planner's side of this {type(self).__name__} is not made yet: call setup() first, or make a "
                               "MotionPlan of it, which does")

    def isFeasible(self, x):
        """feasible(x) as planners see it, counted in getStats(); after setup()."""
        self._require_setup()
        return self.cspace.isFeasible(x)

    def isVisible(self, x, y):
        """Returns whether planners may join x and y; after setup()."""
        self._require_setup()
        return self.cspace.isVisible(x, y)

    def getStats(self):
        """Counts and times of the planner's side; empty before setup()."""
        return {} if self.cspace is None else self.cspace.getStats()


# Planner options that are on or off.
_SWITCHES = {"shortcut", "restart", "bidirectional", "ignoreConnectedComponents", "useGrid",
             "storeEdges"}


class MotionPlan:
    """A planner on a CSpace. Options are those of setOptions(), which come before."""

    def __init__(self, space, type=None, **options):
        if space.cspace is None:
            space.setup()
        if type is not None:
            motionplanning.set_plan_type(type)
        if options:
            MotionPlan.setOptions(**options)
        self.space = space
        self.planOptions = motionplanning.get_plan_json_string()
        self.planner = motionplanning.PlannerInterface(space.cspace)
        self.edgeCost = None
        self.terminalCost = None

    def close(self):
        """Gives the planner back; it is of no use afterwards."""
        if self.planner is not None:
            self.planner.destroy()

    @staticmethod
    def setOptions(**opts):
        """Sets options of planners made later: type, knn, connectionThreshold, ..."""
        for key, value in opts.items():
            if key == "type":
                motionplanning.set_plan_type(str(value))
            else:
                if key in _SWITCHES and not isinstance(value, str):
                    value = bool(value)  # Programs write 1 and 0.
                motionplanning.set_plan_setting(
                    key, value if isinstance(value, (str, bool, int)) else float(value))

    def setEndpoints(self, start, goal):
        """goal: a configuration, a test (x) -> bool, or a pair (test, sampler)."""
        if callable(goal):
            self.planner.setEndpointSet(start, goal)
        elif len(goal) == 2 and callable(goal[0]):
            self.planner.setEndpointSet(start, goal[0], goal[1])
        else:
            self.planner.setEndpoints(start, goal)

    def setCostFunction(self, edgeCost=None, terminalCost=None):
        """edgeCost(a, b) and terminalCost(x) replace the path's length."""
        for cost in (edgeCost, terminalCost):
            if cost is not None and not callable(cost):
                raise TypeError("setCostFunction() wants functions")
        self.edgeCost, self.terminalCost = edgeCost, terminalCost
        self.planner.setCostFunction(edgeCost, terminalCost)

    def addMilestone(self, x):
        """Adds a configuration; returns its index."""
        return self.planner.addMilestone(x)

    def getClosestMilestone(self, x):
        """Index of the milestone nearest to x."""
        return self.planner.getClosestMilestone(x)

    def planMore(self, iterations):
        """Plans on for a number of iterations."""
        self.planner.planMore(iterations)

    def getPath(self, milestone1=None, milestone2=None):
        """The path found, or between two milestones: a list of configurations, or None."""
        if milestone1 is None and milestone2 is None:
            return self.planner.getSolutionPath()
        return self.planner.getPath(milestone1, milestone2)

    def getPathEndpoints(self):
        """The path from start to goal as versions before 0.7 call it: getPath(), None until there is one."""
        return self.getPath()

    def getRoadmap(self):
        """(V, E): configurations, and pairs of their indices."""
        return self.planner.getRoadmap()

    def getStats(self):
        """Numbers of the planner by name."""
        return self.planner.getStats()

    def pathCost(self, path):
        """Cost of a path by the cost functions, or its length."""
        edge = self.space.cspace.distance if self.edgeCost is None else self.edgeCost
        cost = 0.0 if self.terminalCost is None else self.terminalCost(path[-1])
        return cost + sum(edge(a, b) for a, b in zip(path, path[1:]))


# Planners that improve paths by themselves, and those that take cost functions.
OPTIMIZING_PLANNERS = {"fmm*", "rrt*", "prm*", "lazyprm*", "lazyrrg*"}
COST_ACCEPTING_PLANNERS = {"prm", "rrt", "rrt*", "prm*", "lazyprm*", "lazyrrg*"}


def _planner_options(space, type, edgeCost, stepsize, knn, shortcut, restart, restartIters,
                     pointLocation):
    cartesian = (not hasattr(space, "interpolate") or space.properties.get("euclidean", 0)
                 or space.properties.get("cartesian", 0))
    if pointLocation == "auto":
        pointLocation = "kdtree" if cartesian else "balltree"
    args = {"type": type}
    if type == "prm":
        args.update(knn=knn, connectionThreshold=stepsize, pointLocation=pointLocation)
        if edgeCost is not None:
            args["ignoreConnectedComponents"] = True
    elif type in ("fmm", "fmm*"):
        args["gridResolution"] = stepsize
        if not cartesian:
            warnings.warn(f"{type} knows only Cartesian spaces", stacklevel=2)
        if any(math.isinf(a) or math.isinf(b) for a, b in space.bound):
            raise ValueError(f"{type} wants finite bounds")
    elif type == "rrt":
        args.update(bidirectional=True, perturbationRadius=stepsize, pointLocation=pointLocation)
    elif type == "sbl":
        args.update(perturbationRadius=stepsize, gridResolution=stepsize)
    elif type in ("rrt*", "prm*", "lazyprm*", "lazyrrg*"):
        args["pointLocation"] = pointLocation
    elif type.startswith("ompl:"):
        args.update(suboptimalityFactor=0.0, knn=knn, connectionThreshold=stepsize)
    if type in ("rrt", "sbl"):
        args.update(shortcut=shortcut, restart=restart,
                    restartTermCond="{foundSolution:1,maxIters:%d}" % restartIters)
    return args


def _check_goal(space, start, goal):
    """Warns of endpoints that cannot work."""
    def failures(x):
        return space.cspace.feasibilityFailures(x)
    if not space.isFeasible(start):
        warnings.warn(f"Start configuration fails constraints {failures(start)}", stacklevel=2)
    if callable(goal):
        goal(start)
        return
    if not hasattr(goal, "__iter__"):
        raise TypeError("the goal must be a configuration, a test, or (test, sampler)")
    if not callable(goal[0]):
        if not space.isFeasible(goal):
            warnings.warn(f"Goal configuration fails constraints {failures(goal)}", stacklevel=2)
        return
    if not callable(goal[1]):
        raise TypeError("goal sampler is not callable")
    goal[0](start)
    if len(goal[1]()) != len(start):
        warnings.warn("the goal's sampler returns configurations of another size than the start", stacklevel=2)


def configure_planner(space, start, goal, edgeCost=None, terminalCost=None, optimizing=True,
                      type="auto", stepsize=None, knn=10, shortcut="auto", restart="auto",
                      restartIters=1000, pointLocation="auto", **otherSettings):
    """Chooses a planner for a problem and sets it up; returns (MotionPlan, options)."""
    if type == "auto":
        type = "sbl" if edgeCost is None else "prm"
    if space.cspace is None:
        space.setup()
    if stepsize is None:
        widths = [a - b for a, b in space.bound if not (math.isinf(a) or math.isinf(b))]
        stepsize = 0.1 * vectorops.norm(widths)
    shortcut = optimizing if shortcut == "auto" else shortcut
    restart = optimizing if restart == "auto" else restart
    goalset = callable(goal) or callable(goal[0])
    if bool(type in OPTIMIZING_PLANNERS or shortcut or restart or goalset) != bool(optimizing):
        warnings.warn(f"planner {type} with these options is "
                      f"{'not ' if optimizing else ''}optimizing", stacklevel=2)
    if (edgeCost is not None or terminalCost is not None) and not (shortcut or restart) and (
            type not in COST_ACCEPTING_PLANNERS):
        warnings.warn(f"planner {type} takes no cost functions", stacklevel=2)
    args = _planner_options(space, type, edgeCost, stepsize, knn, shortcut, restart, restartIters,
                            pointLocation)
    args.update(otherSettings)
    MotionPlan.setOptions(**args)
    planner = MotionPlan(space)
    _check_goal(space, start, goal)
    planner.setEndpoints(start, goal)
    if edgeCost or terminalCost:
        planner.setCostFunction(edgeCost, terminalCost)
    return (planner, args)


def configurePlanner(*args, **kwargs):
    """Old name of configure_planner()."""
    return configure_planner(*args, **kwargs)
