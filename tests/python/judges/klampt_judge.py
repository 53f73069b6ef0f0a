"""The real Klamp't as a judge: the same random calls through its Python package and through ours, compared.

    MORTISE_KLAMPT_PYTHON=/path/to/venv/bin/python PYTHONPATH=build/release/python python3 klampt_judge.py --count 5000

MORTISE_KLAMPT_PYTHON names an interpreter that has klampt 0.10.1 from PyPI. Prints every difference with the command that
repeats its case alone, and a summary; ends with 1 where there are differences that differences.py does not explain.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import comparison
import differences

HERE = pathlib.Path(__file__).resolve().parent


class Side:
    """One of the two packages: runs the cases, starting again behind a case that ends the process."""

    def __init__(self, python, options, environment, more=()):
        self.command = [python, str(HERE / "klampt_runner.py"), "--groups", options.groups, "--count", str(options.count),
                        "--seed", str(options.seed), "--data", options.data, "--only", options.only, "--index", str(options.index), *more]
        self.environment = environment
        self.version = None

    def run(self, scratch):
        """Case by case: {(case, index): [[label, value, tolerance], ...]}; a last entry None says that the process ended."""
        found, skip, at_end = {}, 0, False
        while not at_end:
            process = subprocess.Popen(self.command + ["--scratch", scratch, "--skip", str(skip)], stdout=subprocess.PIPE,
                                       text=True, env=self.environment, stdin=subprocess.DEVNULL)
            values, number = None, None
            for line in process.stdout:
                try:
                    entry = json.loads(line)
                except json.JSONDecodeError:
                    continue
                if isinstance(entry, list):
                    values.append(entry)
                elif "begin" in entry:
                    values, number = [], entry["number"]
                    found[entry["begin"], entry["index"]] = values
                elif "version" in entry:
                    self.version = entry
                else:
                    at_end = True
            process.wait()
            if not at_end:
                if number is None:
                    raise RuntimeError(f"{' '.join(self.command)} ended with {process.returncode} before its first case")
                values.append(None)
                skip = number + 1
        return found


def repeat(options, case, index):
    return f"--groups {case.split('.')[0]} --count {options.count} --seed {options.seed} --only {case} --index {index}"


class Findings:
    """What the comparison found."""

    def __init__(self, older):
        self.older = older
        self.compared = self.cases = self.ended = 0
        self.explained = collections.Counter()
        self.open = []
        self.about = ""

    def compare(self, case, index, ours, theirs):
        self.cases += 1
        self.about = next((f" ({entry[1]})" for entry in ours if entry and entry[0] in ("robot", "files")), "")
        by_label = collections.defaultdict(list)
        ended = None in theirs
        self.ended += ended
        theirs = [entry for entry in theirs if entry is not None]
        for label, value, _ in theirs:
            by_label[label].append(value)
        if None in ours:
            self.enter(case, index, "the process", "ended", "went on")
        ours = [entry for entry in ours if entry is not None]
        # Behind a failure of the calls themselves nothing can be compared.
        failed = [next((value for label, value, _ in values if label == "the case itself"), "went on") for values in (ours, theirs)]
        if failed != ["went on", "went on"]:
            self.enter(case, index, "the case itself", *failed)
            return
        behind = None  # Why the real package's values are missing from here on.
        for label, value, tolerance in ours:
            if not by_label[label]:
                if behind:
                    self.explained[behind] += 1
                elif not ended:
                    self.enter(case, index, label, value, "no such value")
                continue
            expected = by_label[label].pop(0)
            self.compared += 1
            if not comparison.equal(value, expected, tolerance):
                reason = self.enter(case, index, label, value, expected)
                behind = reason if differences.raises(expected) and not differences.raises(value) else behind
        for label, values in by_label.items():
            for value in values:
                self.enter(case, index, label, "no such value", value)

    def enter(self, case, index, label, ours, theirs):
        """Notes a difference; the row that explains it, or None."""
        reason = differences.explain(case, label, ours, theirs, self.older)
        if reason:
            self.explained[reason] += 1
        else:
            self.open.append((case, index, label, ours, theirs, self.about))
        return reason


def judge(options, scratch):
    """Runs both sides at once; the findings."""
    import concurrent.futures
    real = os.environ.get("MORTISE_KLAMPT_PYTHON")
    if not real:
        raise RuntimeError("MORTISE_KLAMPT_PYTHON does not name an interpreter that has klampt 0.10.1")
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHONPATH", "LD_PRELOAD"))}
    sides = [Side(sys.executable, options, dict(os.environ)), Side(real, options, clean, ["--layer", options.layer] if options.layer else [])]
    folders = [str(pathlib.Path(scratch) / name) for name in ("ours", "real")]
    for folder in folders:
        os.makedirs(folder, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        ours, theirs = pool.map(lambda side, folder: side.run(folder), sides, folders)
    findings = Findings(not options.layer)
    for key in ours:
        if key in theirs:
            findings.compare(*key, ours[key], theirs[key])
    findings.versions = [side.version for side in sides]
    return findings


def parse(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--groups", default=",".join(comparison.groups()), help="subjects, with commas")
    parser.add_argument("--count", type=int, default=2000, help="cases, shared among the subjects")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="one case, GROUP.NAME")
    parser.add_argument("--index", type=int, default=-1, help="one of that case")
    parser.add_argument("--most", type=int, default=3, help="differences to print of each label")
    parser.add_argument("--layer", default="", help="folder of newer Python files of Klamp't to put over the real one's compiled module")
    default = pathlib.Path(os.environ.get("MORTISE_REFERENCE_DIR", "/nowhere")) / "klampt-data"
    parser.add_argument("--data", default=str(default), help="folder of Klamp't's data: robots, objects, terrains")
    return parser.parse_args(arguments)


def main():
    options = parse()
    with tempfile.TemporaryDirectory() as scratch:
        findings = judge(options, scratch)
    print("ours:", findings.versions[0], "\nreal:", findings.versions[1])
    shown = collections.Counter()
    for case, index, label, ours, theirs, about in findings.open:
        key = (case, comparison.family(label))
        shown[key] += 1
        if shown[key] <= options.most:
            print(f"\n{case} {index}: {label}{about}\n  repeat with {repeat(options, case, index)}")
            print("  " + comparison.show(ours, theirs).replace("\n", "\n  "))
    print("\ndifferences by call:")
    for (case, label), count in shown.most_common():
        print(f"  {count:5d}  {case}: {label}")
    for reason, count in sorted(findings.explained.items()):
        print(f"  {count:5d}  explained: {reason}")
    print(f"{findings.cases} cases, {findings.compared} values compared, {len(findings.open)} differ, "
          f"{sum(findings.explained.values())} differ for reasons that are documented; "
          f"the real Klamp't ended its process in {findings.ended} cases")
    return 1 if findings.open else 0


if __name__ == "__main__":
    sys.exit(main())
