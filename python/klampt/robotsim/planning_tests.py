"""Tests of configurations and edges, and what is known of them: how often they hold, and what they cost."""

import time


class Test:
    """A test and what is known of it."""

    def __init__(self, name, function):
        self.name, self.function = name, function
        self.after = []
        self.calls, self.passed, self.seconds, self.weight = 0.0, 0.0, 0.0, 1.0

    def __call__(self, *args):
        start = time.perf_counter()
        result = bool(self.function(*args))
        self.seconds += time.perf_counter() - start
        self.calls += 1
        self.passed += result
        return result

    def prior(self, cost, probability, strength):
        """Sets what is thought of the test, as if it had been called `strength` times."""
        self.calls, self.passed, self.seconds = strength, probability * strength, cost * strength

    @property
    def cost(self):
        return self.seconds / self.calls if self.calls else 0.0

    @property
    def probability(self):
        return self.passed / self.calls if self.calls else 0.0


class DirectTest(Test):
    """A test that planners call without the way through Python."""

    def __init__(self, name, function):
        self.name, self.function, self.counter = name, function, function
        self.after = []
        function.calls = function.passed = function.seconds = 0

    calls = property(lambda self: self.counter.calls)
    passed = property(lambda self: self.counter.passed)
    seconds = property(lambda self: self.counter.seconds)

    def __call__(self, q):
        return self.function(q)

    def prior(self, cost, probability, strength):
        self.counter.calls, self.counter.passed = strength, probability * strength
        self.counter.seconds = cost * strength


class CountedTest(DirectTest):
    """A test in Python around one that planners call directly, which counts for it."""

    def __init__(self, test, counter):
        DirectTest.__init__(self, test.name, counter)
        self.function, self.after = test.function, test.after


def named(tests, name):
    """The test of a name. Raises RuntimeError, with those that there are."""
    for test in tests:
        if test.name == name:
            return test
    raise RuntimeError("there is no test '%s': there are %s" % (name, [t.name for t in tests]))


def ordered(tests):
    """Cheapest per rejection first, each after those it depends on."""
    left = sorted(tests, key=lambda t: t.cost / max(1 - t.probability, 1e-9))
    done = []
    while left:
        ready = next((t for t in left if all(n in [d.name for d in done] for n in t.after)), left[0])
        left.remove(ready)
        done.append(ready)
    return done
