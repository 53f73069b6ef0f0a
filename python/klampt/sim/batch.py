"""Many simulations: one run with measurements, Monte-Carlo runs, and saved tables."""

import time

from ..model import access
from .simulation import SimpleSimulator

# Programs get these along with `import *`.
from ..robotsim import *


def getWorldSimState(world):
    """Configurations, velocities and poses of a world by item name, for setWorldSimState()."""
    state = {}
    for i in range(world.numRigidObjects()):
        state[f"rigidObjects[{i}].transform"] = world.rigidObject(i).getTransform()
    for i in range(world.numRobots()):
        state[f"robots[{i}].config"] = world.robot(i).getConfig()
        state[f"robots[{i}].velocity"] = world.robot(i).getVelocity()
    return state


def setWorldSimState(world, state):
    """Puts back what getWorldSimState() gave."""
    access.set_dict(world, state)


def _every_item(world):
    """Names of all that changes in a simulation."""
    items = []
    for i in range(world.numRigidObjects()):
        items += [f"rigidObjects[{i}].transform", f"rigidObjects[{i}].velocity"]
    for i in range(world.numRobots()):
        items += [f"controllers[{i}].{name}" for name in
                  ("commandedConfig", "commandedVelocity", "sensedConfig", "sensedVelocity", "sensors")]
        items += [f"robots[{i}].{name}" for name in ("actualConfig", "actualVelocity", "actualTorques")]
    return items


class _Record:
    """Values of items of a simulation, of its end or at every step."""

    def __init__(self, sim, items, trace):
        self.sim, self.trace, self.worst = sim, trace, 0
        self.items = [item for item in items if item != "time"]
        self.rows = {name: [] for name in (*self.items, "status")}
        self.start = time.time()

    def add(self):
        """Takes the values as they are now."""
        self.sim.updateWorld()
        for name in self.items:
            self.rows[name].append(access.get_item(self.sim, name))
        self.rows["status"].append(self.sim.getStatusString())

    def result(self):
        """Returns what doSim() returns."""
        if not self.trace:
            self.add()
        found = self.rows if self.trace else {name: values[-1] for name, values in self.rows.items()}
        if not self.trace:
            found["status"] = self.sim.getStatusString(self.worst)
        found["time"] = self.sim.getTime()
        found["wall_clock_time"] = time.time() - self.start
        return found


def doSim(world, duration, initialCondition, returnItems=None, trace=False, simDt=0.01,
          simInit=None, simStep=None, simTerm=None):
    """Simulates a world and returns items of it by name, with 'status', 'time' and 'wall_clock_time'.

    initialCondition: values by item name (see klampt.model.access), or a function of the world; its item 'args' is a
    tuple that simInit, simStep and simTerm get after the simulator. returnItems: names of items; default all that
    changes. trace: their values over time instead of at the end. simInit(sim), simStep(sim), simTerm(sim) are called at
    the start, before each step, and to stop early. The world is left as it was.
    """
    if simDt <= 0:
        raise ValueError(f"simDt must be above 0, got {simDt}")
    before = access.Snapshot(world)
    try:
        args = ()
        if callable(initialCondition):
            initialCondition(world)
        else:
            args = tuple(initialCondition.get("args", ()))
            access.set_dict(world, {k: v for k, v in initialCondition.items() if k != "args"})
        sim = SimpleSimulator(world)
        if simInit is not None:
            simInit(sim, *args)
        record = _Record(sim, _every_item(world) if returnItems is None else returnItems, trace)
        if trace:
            record.add()
        while sim.getTime() + 1e-9 < duration:
            if simTerm is not None and simTerm(sim, *args):
                break
            if simStep is not None:
                simStep(sim, *args)
            sim.simulate(min(simDt, duration - sim.getTime()))
            record.worst = max(record.worst, sim.getStatus())
            if trace:
                record.add()
        return record.result()
    finally:
        before.restore()


def _tried(number, run):
    """The result of a run; 'error', with the reason printed, when it raises."""
    try:
        return run()
    except Exception as error:
        print(f"klampt.sim.batch: run {number} failed: {type(error).__name__}: {error}")
        return "error"


def batchSim(world, duration, initialConditions, returnItems, simDt=0.01, simInit=None,
             simStep=None, simTerm=None):
    """doSim() of each initial condition: a list of them, or lists of values by item name. What fails is 'error'."""
    if isinstance(initialConditions, dict):
        lengths = {len(values) for values in initialConditions.values()}
        if len(lengths) != 1:
            raise ValueError(f"the lists of initial conditions must be equally long, got {sorted(lengths)}")
        initialConditions = [{k: v[i] for k, v in initialConditions.items()} for i in range(lengths.pop())]
    return [_tried(i, lambda condition=condition: doSim(world, duration, condition, returnItems, False, simDt, simInit, simStep, simTerm))
            for i, condition in enumerate(initialConditions)]


def monteCarloSim(world, duration, initialConditionSamplers, N, returnItems, simDt=0.01,
                  simInit=None, simStep=None, simTerm=None):
    """N runs from sampled conditions: functions by item name. Returns (condition, result) pairs; the result of a run
    that fails is 'error'."""
    results = []
    for i in range(N):
        condition = {name: sampler() for name, sampler in initialConditionSamplers.items()}
        results.append((condition, _tried(i, lambda condition=condition: doSim(
            world, duration, condition, returnItems, False, simDt, simInit, simStep, simTerm))))
    return results


def _write(states, f):
    if isinstance(f, str):
        with open(f, "w") as out:
            return _write(states, out)
    saveStateHeaderCSV(states[0], f)
    for state in states:
        f.write(",".join(str(v) for value in state.values() for v in access.flatten(value)) + "\n")


def saveStateHeaderCSV(state, f):
    """Writes the names of values to a file; a list gives one name a number."""
    names = []
    for name, value in state.items():
        count = len(access.flatten(value))
        names += [name] if count == 1 else [f"{name}[{i}]" for i in range(count)]
    f.write(",".join(names) + "\n")


def saveStateCSV(state, f):
    """Writes values by name as one row with names above; f: a file or its name."""
    _write([state], f)


def saveStatesCSV(states, f):
    """Writes one row a state (values by name) with names above."""
    _write(states, f)


def saveStateTrajectoryCSV(stateTraj, f):
    """Writes lists of values by name, such as doSim() with trace gives, as one row a step with its number 'iter'."""
    lists = {k: v for k, v in stateTraj.items() if isinstance(v, list)}
    if not lists:
        raise ValueError("there are no lists of values to write; run doSim() with trace=True")
    count = min(len(v) for v in lists.values())
    _write([{**{k: v[i] for k, v in lists.items()}, "iter": i} for i in range(count)], f)


def saveMonteCarloCSV(fn, mcresults):
    """Writes conditions and results of monteCarloSim(), a run a row."""
    _write([{**{f"initial {k}": v for k, v in a.items()}, **b} for a, b in mcresults if b != "error"], fn)
