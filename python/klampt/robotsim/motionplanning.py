"""Planners by name, in spaces out of functions; and the ramps of `ramps`."""

import json
import math

from ._native import native
from .containers import doubleMatrix, doubleVector
from .functions import destroy, set_random_seed
from .planning_tests import CountedTest, DirectTest, Test, named, ordered
from .ramps import (brake_1d, brake_nd, combine_nd_cubic, interpolate_1d_min_accel, interpolate_1d_min_time,
                    interpolate_nd_min_accel, interpolate_nd_min_time, interpolate_nd_min_time_linear)
from .roadmap import shortest_path

__all__ = ["CSpaceInterface", "PlannerInterface", "set_plan_type", "set_plan_setting", "set_plan_json_string",
           "get_plan_json_string", "interpolate_1d_min_time", "interpolate_1d_min_accel", "interpolate_nd_min_time",
           "interpolate_nd_min_accel", "interpolate_nd_min_time_linear", "brake_1d", "brake_nd", "combine_nd_cubic",
           "set_random_seed", "destroy", "doubleVector", "doubleMatrix"]

_type = "any"
_settings: "dict[str, object]" = {}
# Planners that draw all of their samples at once, and how often such a tree asks whether it may end.
_ANEW, _TREE = ("ompl:fmt", "ompl:bfmt"), 20000


def set_plan_type(type):
    """Chooses the type of planners made later: 'any', 'prm', 'rrt', 'sbl', 'sblprt', 'rrt*', 'prm*', 'lazyprm*',
    'lazyrrg*', 'fmm', 'fmm*', or a planner of OMPL as 'ompl:NAME', such as 'ompl:rrt*' or 'ompl:BITstar': capital and
    small letters are the same, and so are '*' and 'star'. Raises RuntimeError for another one."""
    global _type
    if native.plannerSettings(type) is None:
        raise RuntimeError("there is no planner '%s': `mortise plugins list --kind planner` shows them" % type)
    _type = type


def set_plan_setting(setting, value):
    """An option of planners made later, such as 'knn' or 'perturbationRadius'; those without it pass it over."""
    if setting == "type":
        return set_plan_type(value)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            pass
    _settings[setting] = value


def set_plan_json_string(string):
    """Type and options of planners made later, as JSON."""
    try:
        values = json.loads(string)
    except ValueError as error:
        raise RuntimeError("the planner's options are no JSON: %s" % error) from None
    global _type
    _settings.clear()
    _type = "any"
    for key, value in values.items():
        set_plan_setting(key, value)


def get_plan_json_string():
    """Type and options of planners made later, as JSON."""
    return json.dumps(dict(_settings, type=_type))


class CSpaceInterface:
    """A configuration space out of functions: tests of configurations and edges, a sampler, a metric. Configurations are
    lists of numbers."""

    index = property(id, doc="A number that identifies the space.")

    def __init__(self, other=None):
        self._feasible, self._visible = [], []
        self._functions = {}
        self._properties = {}
        self._eps = 1e-2
        self._adaptive = False
        self._uniform = False  # Whether the sampler draws anywhere between 'minimum' and 'maximum'.
        self._order = ((), (), 0.0)
        self._direct = None  # A native.DirectSpace that answers for all functions.
        self._changes = 0
        if other is not None:
            self.__dict__.update({k: v.copy() if isinstance(v, (list, dict)) else v for k, v in vars(other).items()})

    def _changed(self):
        """A program has changed a function: no native space answers for all of them any more."""
        self._direct = None
        self._changes += 1

    def _set_direct(self, space):
        """All functions are those of a native.DirectSpace, whose tests are asked in place of those in Python."""
        self._feasible = [test if test.function is direct else CountedTest(test, direct)
                          for test, direct in zip(self._feasible, space.tests)]
        self._direct = space
        self._changes += 1

    def destroy(self):
        """Drops all functions."""
        self._changed()
        self._feasible, self._visible, self._functions = [], [], {}

    def setFeasibility(self, pyFeas):
        """The one test of configurations."""
        self._changed()
        self._feasible = [Test("feasible", pyFeas)]

    def addFeasibilityTest(self, name, pyFeas):
        """One more test of configurations, all of which must hold."""
        self._changed()
        kind = DirectTest if isinstance(pyFeas, native.RobotTest) else Test
        self._feasible.append(kind(str(name), pyFeas))

    def setVisibility(self, pyVisible):
        """The one test of edges."""
        self._changed()
        self._visible = [Test("visible", pyVisible)]

    def addVisibilityTest(self, name, pyVisible):
        """One more test of edges, all of which must hold."""
        self._changed()
        self._visible.append(Test(str(name), pyVisible))

    def setVisibilityEpsilon(self, eps):
        """Edges are checked in steps of this length, unless there are tests of edges."""
        if not eps > 0:
            raise RuntimeError("the length of steps must be above 0, not %g" % eps)
        self._visible = []
        self._eps = float(eps)

    def setSampler(self, pySamp):
        """A function that gives configurations at random."""
        self._changed()
        self._functions["sample"] = pySamp

    def setNeighborhoodSampler(self, pySamp):
        """A function of a configuration and a radius that gives configurations near it."""
        self._changed()
        self._functions["sampleNear"] = pySamp

    def setDistance(self, pyDist):
        """A metric; without one, the Euclidean."""
        self._changed()
        self._functions["distance"] = pyDist
        self._functions.pop("metric", None)

    def setInterpolate(self, pyInterp):
        """A function of two configurations and a fraction; without one, straight lines."""
        self._changed()
        self._functions["interpolate"] = pyInterp
        self._functions.pop("metric", None)

    def _set_robot_metric(self, robot):
        """Distances and straight lines are those of a robot, without the way through Python."""
        metric = native.RobotMetric(robot._robot)
        self._functions.update(metric=metric, distance=metric.distance, interpolate=metric.interpolate)

    def setProperty(self, key, value):
        """Sets what is known of the space: 'minimum' and 'maximum' (numbers), 'volume', 'euclidean', 'metric', ..."""
        self._properties[str(key)] = value

    def getProperty(self, key):
        """A property as it was set. Raises RuntimeError when it was not."""
        try:
            return self._properties[key]
        except KeyError:
            raise RuntimeError("the space has no property '%s'" % key) from None

    def _in_order(self):
        """The tests of configurations, in the order that was measured: again whenever there were half as many calls more."""
        tests = self._feasible
        if not self._adaptive or not tests:
            return tests
        known, order, until = self._order
        if known != tests or tests[0].calls >= until:
            order = ordered(tests)
            self._order = (list(tests), order, 1.5 * tests[0].calls + 1)
        return order

    def isFeasible(self, q):
        """Returns whether all tests of configurations hold."""
        if not self._feasible:
            raise RuntimeError("the space has no feasibility test: call setFeasibility or addFeasibilityTest")
        if self._direct is not None and self._direct.refresh():
            return self._direct.feasible(q)
        return all(test(q) for test in self._in_order())

    def _steps(self, a, b):
        """Configurations between two, no farther apart than the length of steps: the middle, those of the halves, ..."""
        n = max(math.ceil(self.distance(a, b) / self._eps), 1)
        stride = 1 << (n - 1).bit_length()
        while stride > 1:
            for i in range(stride // 2, n, stride):
                yield self.interpolate(a, b, i / n)
            stride //= 2

    def isVisible(self, a, b):
        """Returns whether the edge between two feasible configurations is feasible."""
        if self._visible:
            return all(test(a, b) for test in (ordered(self._visible) if self._adaptive else self._visible))
        if self._direct is not None and self._direct.refresh():
            return self._direct.visible(a, b, self._eps)
        return all(self.isFeasible(q) for q in self._steps(a, b))

    def testFeasibility(self, name, q):
        """Returns whether one test of configurations holds."""
        return named(self._feasible, name)(q)

    def testVisibility(self, name, a, b):
        """Returns whether one test of edges holds, or, where there are none, one of configurations along the edge."""
        if self._visible:
            return named(self._visible, name)(a, b)
        test = named(self._feasible, name)
        return all(test(q) for q in self._steps(a, b))

    def feasibilityFailures(self, q):
        """Names of the tests of configurations that do not hold."""
        return [test.name for test in self._feasible if not test(q)]

    def visibilityFailures(self, a, b):
        """Names of the tests of edges that do not hold."""
        if self._visible:
            return [test.name for test in self._visible if not test(a, b)]
        return [test.name for test in self._feasible if not all(test(q) for q in self._steps(a, b))]

    def _bounds(self):
        def numbers(key):
            value = self._properties.get(key, ())
            if isinstance(value, str):
                value = value.strip("[]() ").replace(",", " ").split()
            try:
                return [float(v) for v in value]
            except TypeError:
                return [float(value)]
        return numbers("minimum"), numbers("maximum")

    def sample(self):
        """A configuration at random."""
        if self._functions.get("sample") is not None:
            return self._functions["sample"]()
        low, high = self._bounds()
        if not low or len(low) != len(high):
            raise RuntimeError("the space has no sampler: call setSampler, or set the properties 'minimum' and 'maximum'")
        return [a + (b - a) * native.random() for a, b in zip(low, high)]

    def distance(self, a, b):
        """Returns how far apart two configurations are."""
        if self._functions.get("distance") is not None:
            return self._functions["distance"](a, b)
        return sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5

    def interpolate(self, a, b, u):
        """The configuration at a fraction of the way."""
        if self._functions.get("interpolate") is not None:
            return self._functions["interpolate"](a, b, u)
        return [x + u * (y - x) for x, y in zip(a, b)]

    def adaptiveQueriesEnabled(self):
        """Returns whether tests are put in the order in which they cost least."""
        return self._adaptive

    def enableAdaptiveQueries(self, enabled=True):
        """Puts tests in the order in which they cost least, by what was measured."""
        self._adaptive = bool(enabled)

    def optimizeQueryOrder(self):
        """Puts tests in that order now."""
        self._feasible, self._visible = ordered(self._feasible), ordered(self._visible)

    def setFeasibilityDependency(self, name, precedingTest):
        """A test of configurations comes after another one."""
        named(self._feasible, name).after.append(precedingTest)
        self._order = ((), (), 0.0)

    def setFeasibilityPrior(self, name, costPrior=0.0, feasibilityProbability=0.0, evidenceStrength=1.0):
        """Sets what a test of configurations is thought to cost (seconds), and how often it holds."""
        named(self._feasible, name).prior(costPrior, feasibilityProbability, evidenceStrength)
        self._order = ((), (), 0.0)

    def setVisibilityDependency(self, name, precedingTest):
        """A test of edges comes after another one."""
        named(self._visible, name).after.append(precedingTest)

    def setVisibilityPrior(self, name, costPrior=0.0, visibilityProbability=0.0, evidenceStrength=1.0):
        """Sets what a test of edges is thought to cost (seconds), and how often it holds."""
        named(self._visible, name).prior(costPrior, visibilityProbability, evidenceStrength)

    def feasibilityCost(self, name):
        """Mean time of a test of configurations, seconds."""
        return named(self._feasible, name).cost

    def feasibilityProbability(self, name):
        """Returns how often a test of configurations held."""
        return named(self._feasible, name).probability

    def visibilityCost(self, name):
        """Mean time of a test of edges, seconds."""
        return named(self._visible, name).cost

    def visibilityProbability(self, name):
        """Returns how often a test of edges held."""
        return named(self._visible, name).probability

    def feasibilityQueryOrder(self):
        """Names of the tests of configurations in their order."""
        return [test.name for test in self._feasible]

    def visibilityQueryOrder(self):
        """Names of the tests of edges in their order."""
        return [test.name for test in self._visible]

    def getStats(self):
        """Calls, times and shares of what held, by test."""
        stats = {}
        for kind, tests in (("feasible", self._feasible), ("visible", self._visible)):
            for test in tests:
                key = "%s_%s" % (kind, test.name)
                stats[key + "_count"], stats[key + "_cost"] = test.calls, test.cost
                stats[key + "_probability"] = test.probability
        return stats

    def _straight(self):
        """Returns whether edges are lines in coordinates, which grids and some planners need."""
        free = self._uniform or self._functions.get("sample") is None
        return free and self._functions.get("interpolate") is None

    def _as_dict(self):
        direct = self._direct
        if direct is not None:
            samplers = () if direct.samples else ("sample", "sampleNear")
            return dict({key: self._functions[key] for key in samplers if key in self._functions}, direct=direct,
                        feasible=[(test.name, function) for test, function in zip(self._feasible, direct.tests)])
        tests = self._in_order()
        return dict(self._functions, visible=[(t.name, t) for t in self._visible],
                    feasible=[(t.name, t.function if isinstance(t, DirectTest) else t) for t in tests])


class PlannerInterface:
    """A planner of the type and with the options that were set when it was made."""

    index = property(id, doc="A number that identifies the planner.")

    @property
    def spaceIndex(self):
        """A number that identifies the space."""
        return id(self._space)

    def __init__(self, cspace):
        self._space = cspace
        self._goal = {}
        self._costs = {}
        self._starts, self._goals = [], []
        self._milestones = []
        self._started = False
        self._planner = native.Planner(_type, dict(_settings))
        self._kind = (_type, dict(_settings))
        self._kept = (None, -1)  # Functions without any of a program, and of which changes of the space they are.

    def destroy(self):
        """Forgets everything."""
        self._planner = self._space = None
        self._goal, self._costs = {}, {}
        self._kept = (None, -1)

    def _functions(self):
        if self._space is None:
            raise RuntimeError("the planner is closed")
        if self._kept[1] == self._space._changes:
            return self._kept[0]
        functions = native.PlanningFunctions(dict(self._space._as_dict(), **self._goal, **self._costs))
        self._kept = (functions, self._space._changes) if functions.alone() else (None, -1)
        return functions

    def _feasible(self, q, what):
        q = [float(v) for v in q]
        if not self._space.isFeasible(q):
            raise RuntimeError("the %s configuration is not feasible: it fails %s" % (
                what, ", ".join(self._space.feasibilityFailures(q)) or "no test alone"))
        return q

    def setEndpoints(self, start, goal):
        """From a configuration to a configuration, or to where a test holds. Raises RuntimeError where one is not
        feasible."""
        if callable(goal):
            return self.setEndpointSet(start, goal)
        self._starts = [self._feasible(start, "start")]
        self._goals = [self._feasible(goal, "goal")]
        if len(self._starts[0]) != len(self._goals[0]):
            raise RuntimeError("start and goal have %d and %d numbers" % (len(self._starts[0]), len(self._goals[0])))
        self._goal = {}
        self._restart()
        return True

    def setEndpointSet(self, start, goal, goalSample=None):
        """From a configuration to where a test holds, with a function that gives such configurations where there is one."""
        self._starts, self._goals = [self._feasible(start, "start")], []
        self._goal = {"goalTest": goal, "goalSample": goalSample}
        self._restart()
        return True

    def setCostFunction(self, edgeCost=None, terminalCost=None):
        """Sets the cost of paths: a function of the ends of an edge, and one of the last configuration."""
        self._costs = {"edgeCost": edgeCost, "terminalCost": terminalCost}
        self._restart()

    def _restart(self):
        self._kept = (None, -1)
        if self._started:
            self._planner = native.Planner(*self._kind)
        self._started = False

    def _start(self):
        if self._started:
            return
        starts, goals = self._starts, self._goals
        if not starts:
            if not self._milestones:
                raise RuntimeError("the planner has no endpoints: call setEndpoints or addMilestone first")
            starts, goals = self._milestones[:1], self._milestones[1:]
            if not goals:
                self._goal = {"goalTest": lambda q: False, "goalSample": lambda: None}
                self._kept = (None, -1)
        low, high = self._space._bounds()
        if starts and not len(low) == len(high) == len(starts[0]):
            low, high = [], []  # Limits of something else.
        volume = float(self._space._properties.get("volume", "inf"))
        self._planner.start(self._functions(), self._space._straight(), starts, goals, self._space._eps, low, high, volume)
        self._started = True

    def planMore(self, iterations):
        """Plans so many rounds more. What functions raise comes out here.

        Planners that begin a whole tree anew each time (FMT, BFMT) get at least what one tree takes.
        """
        self._start()
        least = _TREE if self._kind[0].lower() in _ANEW else 0
        self._planner.plan(self._functions(), max(int(iterations), least))

    def getSolutionPath(self):
        """The best path so far, a list of configurations; None: there is none."""
        return self._planner.path()

    def addMilestone(self, milestone):
        """Adds a configuration to start from; returns its index. Without endpoints a roadmap grows from there."""
        q = self._feasible(milestone, "milestone")
        self._milestones.append(q)
        if not self._starts:
            self._restart()
        return len(self._milestones) - 1

    def getClosestMilestone(self, config):
        """Index of the nearest configuration of the roadmap; -1: there is none."""
        vertices = self.getRoadmap()[0]
        if not vertices:
            return -1
        return min(range(len(vertices)), key=lambda i: self._space.distance(vertices[i], config))

    def getMilestone(self, index):
        """A configuration of the roadmap."""
        vertices = self.getRoadmap()[0]
        if not 0 <= index < len(vertices):
            raise RuntimeError("the roadmap has no configuration %d: it has %d" % (index, len(vertices)))
        return vertices[index]

    def getPath(self, milestone1, milestone2):
        """The shortest path in the roadmap between two configurations, or from one to the nearest of several, by
        indices; None: there is none."""
        vertices, edges = self.getRoadmap()
        goals = {milestone2} if isinstance(milestone2, int) else set(milestone2)
        return shortest_path(vertices, edges, milestone1, goals, self._space.distance)

    def getData(self, setting):
        """A number of `getStats`."""
        stats = self.getStats()
        if setting not in stats:
            raise RuntimeError("the planner counts no '%s': there are %s" % (setting, sorted(stats)))
        return float(stats[setting])

    def getStats(self):
        """Returns what the planner counted, by name."""
        return self._planner.stats()

    def getRoadmap(self):
        """(configurations, pairs of indices)."""
        if not self._started:
            return [list(q) for q in self._milestones], []
        return self._planner.roadmap(self._functions())

    def dump(self, fn):
        """Writes the roadmap as a graph (TGF): configurations by number, '#', edges."""
        vertices, edges = self.getRoadmap()
        with open(fn, "w") as file:
            for i, q in enumerate(vertices):
                file.write("%d %s\n" % (i, " ".join(repr(v) for v in q)))
            file.write("#\n")
            for a, b in edges:
                file.write("%d %d\n" % (a, b))
