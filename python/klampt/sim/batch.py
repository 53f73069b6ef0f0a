"""Many simulations: one run with measurements, Monte-Carlo runs, and saved tables."""

import csv

from ..model import access
from ..robotsim import Simulator


def doSim(world, duration, initialCondition, returnItems=None, trace=False, simDt=0.01,
          simInit=None, simStep=None, simTerm=None):
    """Simulates a world and returns items of it.

    initialCondition: values by item name (see klampt.model.access) or a function of the
    world. returnItems: names of items; default those of initialCondition. trace: their
    values over time instead of at the end. simInit(sim), simStep(sim), simTerm(sim) are
    called at the start, after each step, and to stop early. The world is left as it was.
    """
    if returnItems is None:
        returnItems = list(initialCondition) if isinstance(initialCondition, dict) else []
    before = access.Snapshot(world)
    try:
        if callable(initialCondition):
            initialCondition(world)
        else:
            access.set_dict(world, initialCondition)
        sim = Simulator(world)
        if simInit is not None:
            simInit(sim)
        rows = {name: [] for name in returnItems}
        rows["time"], rows["status"] = [], []
        done = False
        while True:
            if trace or sim.getTime() + 1e-9 >= duration or done:
                _record(world, sim, returnItems, rows)
            if sim.getTime() + 1e-9 >= duration or done:
                break
            if simStep is not None:
                simStep(sim)
            sim.simulate(min(simDt, duration - sim.getTime()))
            sim.updateWorld()
            done = bool(simTerm is not None and simTerm(sim))
    finally:
        before.restore()
    return rows if trace else {k: v[-1] for k, v in rows.items()}


def _record(world, sim, items, rows):
    sim.updateWorld()
    for name in items:
        rows[name].append(access.get_item(world, name))
    rows["time"].append(sim.getTime())
    rows["status"].append(sim.getStatusString())


def batchSim(world, duration, initialConditions, returnItems, simDt=0.01, simInit=None,
             simStep=None, simTerm=None):
    """doSim() of each initial condition; what fails is None."""
    results = []
    for i, condition in enumerate(initialConditions):
        try:
            results.append(doSim(world, duration, condition, returnItems, False, simDt, simInit,
                                 simStep, simTerm))
        except Exception as e:
            print(f"batchSim(): run {i} failed: {e}")
            results.append(None)
    return results


def monteCarloSim(world, duration, initialConditionSamplers, N, returnItems, simDt=0.01,
                  simInit=None, simStep=None, simTerm=None):
    """N runs from sampled conditions: functions by item name. Returns (condition, result) pairs."""
    results = []
    for i in range(N):
        condition = {name: sampler() for name, sampler in initialConditionSamplers.items()}
        result = batchSim(world, duration, [condition], returnItems, simDt, simInit, simStep,
                          simTerm)[0]
        if result is not None:
            results.append((condition, result))
    return results


def saveStateCSV(state, f):
    """Writes values by name as one row with names above; f: a file or its name."""
    saveStatesCSV([state], f)


def saveStatesCSV(states, f):
    """Writes one row a state (values by name)."""
    if isinstance(f, str):
        with open(f, "w", newline="") as out:
            return saveStatesCSV(states, out)
    flat = [_flat(s) for s in states]
    out = csv.writer(f)
    out.writerow(flat[0])
    out.writerows(row.values() for row in flat)


def _flat(state):
    row = {}
    for name, value in state.items():
        values = access.flatten(value)
        if len(values) == 1 and not isinstance(value, (list, tuple)):
            row[name] = value
        else:
            row.update({f"{name}[{i}]": v for i, v in enumerate(values)})
    return row


def saveMonteCarloCSV(fn, mcresults):
    """Writes conditions and results of monteCarloSim(), a run a row."""
    saveStatesCSV([{**{f"initial {k}": v for k, v in a.items()}, **b} for a, b in mcresults], fn)
