"""Runs random calls on the package `klampt` of whichever interpreter runs this file, and writes what they give.

The same program runs under the interpreter with the real Klamp't and under the one with ours: both draw the same calls from
the same seed. Lines of output are {"begin": case, "index": i, "number": n} and then one [label, value, tolerance] for each value,
written at once, since the real Klamp't ends the process on some calls. Values are plain: exceptions are {"raises": name,
"says": text}, NumPy arrays {"array": nested lists}, other objects {"object": type}.
"""

import argparse
import importlib
import json
import os
import pathlib
import random
import sys
import traceback
import warnings

GROUPS = ("math", "robots", "dynamics", "shapes", "shape_pairs", "shape_data", "shape_changes", "ik", "stability", "trajectories",
          "models", "control", "files", "sensors", "simulation", "worlds", "motions", "planning", "sight", "volumes", "groups", "resources",
          "cartesian")


def plain(value, depth=0):
    """A value that JSON can hold."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    kind = type(value).__name__
    if type(value).__module__ == "numpy":
        if getattr(value, "shape", ()) == ():
            return plain(value.item())
        return {"array": value.tolist()}
    if isinstance(value, dict):
        return {"table": [[str(key), plain(item, depth + 1)] for key, item in value.items()]}
    if isinstance(value, (list, tuple)) or kind.endswith("Vector"):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(plain(item, depth + 1) for item in value)
    return {"object": kind}


class Record:
    """What the calls of one case gave."""

    def __init__(self, answers, tolerance):
        self.answers = answers
        self.tolerance = tolerance

    def __call__(self, label, value, tolerance=None):
        """Notes a value."""
        self.note(label, plain(value), self.tolerance if tolerance is None else tolerance)

    def note(self, *entry):
        self.answers.write(json.dumps(entry) + "\n")

    def call(self, label, function, *arguments, tolerance=None, then=None):
        """Calls a function and notes what it gives, or that it raises; returns what it gave."""
        try:
            result = function(*arguments)
            shown = then(result) if then else result
        except Exception as error:
            self.note(label, {"raises": type(error).__name__, "says": str(error)[:300]}, 0)
            return None
        self(label, shown, tolerance)
        return result


class Place:
    """What cases work with: the package, folders, and what was read before."""

    def __init__(self, data, scratch):
        self.data = pathlib.Path(data)
        self.scratch = pathlib.Path(scratch)
        self.kept = {}

    def keep(self, key, make):
        if key not in self.kept:
            self.kept[key] = make()
        return self.kept[key]


def quiet():
    """Gives standard output to what the package prints; returns a stream for the cases."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    if not os.environ.get("JUDGE_VERBOSE"):
        os.dup2(nowhere, 2)
    warnings.simplefilter("ignore")
    return answers


def newer(layer, scratch):
    """The compiled module of the package under newer Python files of Klamp't: a folder that goes first on the path."""
    import importlib.util
    import shutil
    wheel = pathlib.Path(importlib.util.find_spec("klampt").origin).parent
    folder = pathlib.Path(scratch) / "newer"
    if not folder.exists():
        shutil.copytree(layer, folder / "klampt", ignore=shutil.ignore_patterns("robotsim.py", "rootfind.py", "__pycache__"))
        for file in ("robotsim.py", "math/rootfind.py", *(f.relative_to(wheel) for f in wheel.rglob("*.so"))):
            shutil.copy(wheel / file, folder / "klampt" / file)
        for libraries in wheel.parent.glob("[kK]lampt.libs"):
            os.symlink(libraries, folder / libraries.name)
    sys.path.insert(0, str(folder))


def cases(groups):
    """(group, case name, function, weight, tolerance) of some groups."""
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    found = []
    for group in groups:
        module = importlib.import_module("klampt_calls." + group)
        found += [(group, name, *entry) for name, entry in module.CASES.items()]
    return found


def plan(groups, count, only):
    """(case, index) pairs: `count` is shared among the cases by their weights, at least one each."""
    listed = cases(groups)
    total = sum(entry[3] for entry in listed)
    for group, name, function, weight, tolerance in listed:
        if only and only != group + "." + name:
            continue
        for index in range(max(1, round(count * weight / total))):
            yield group + "." + name, index, function, tolerance


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--groups", default=",".join(GROUPS))
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", required=True)
    parser.add_argument("--scratch", required=True)
    parser.add_argument("--layer", default="")
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--index", type=int, default=-1)
    options = parser.parse_args()
    answers = quiet()
    place = Place(options.data, options.scratch)
    if options.layer:
        newer(options.layer, options.scratch)
    import klampt
    place.klampt = klampt
    answers.write(json.dumps({"version": klampt.__version__, "file": klampt.__file__}) + "\n")
    for number, (name, index, function, tolerance) in enumerate(plan(options.groups.split(","), options.count, options.only)):
        if number < options.skip or options.index >= 0 and index != options.index:
            continue
        answers.write(json.dumps({"begin": name, "index": index, "number": number}) + "\n")
        record = Record(answers, tolerance)
        rng = random.Random(f"{options.seed} {name} {index}")
        random.seed(f"{options.seed} {name} {index}")
        klampt.set_random_seed(rng.randrange(1 << 30))
        try:
            function(place, rng, record)
        except Exception as error:
            record.note("the case itself", {"raises": type(error).__name__, "says": traceback.format_exc()[-600:]}, 0)
    answers.write(json.dumps({"end": True}) + "\n")
    answers.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
