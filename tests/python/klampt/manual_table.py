"""The table of every name that Klamp't's manuals print (docs/klampt_manuals.csv), and the page that is made of it:

    python3 manual_table.py > docs/klampt_manuals.md

A row: what kind of name, the names (one thing by several of them), where they stand (manual:line), what stands for it here, how a test
checks that (test_manuals.py), and a note: the reason, where nothing does.
"""

import csv
import dataclasses
import os
import pathlib
import re
import sys

TABLE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "klampt_manuals.csv"
PAGE = TABLE.with_suffix(".md")

# Short names of the manuals, and their files below `manuals` of the reference folder.
MANUALS = {"0.7": "klampt-manual-0.7.txt", "0.5": "klampt-manual-0.5.txt", "modeling": "modeling.txt", "simulation": "simulation.txt",
           "files": "file-types.txt"}

# Kinds of rows, in the order of the page: their heading, and what it says of them.
KINDS = {
    "program": ("Programs", "Each runs as a command of its name ([klampt_programs.md](klampt_programs.md))."),
    "option": ("Options", ""),
    "script": ("Python scripts", ""),
    "settings file": ("Settings files", ""),
    "world file": ("World files", "Elements, and attributes after an @ ([world_xml.md](world_xml.md))."),
    "robot file": ("Robot files", "Keywords of `.rob` files, in upper or lower case ([rob.md](rob.md))."),
    "URDF file": ("URDF files", "The element `<klampt>` ([formats.md](formats.md#klampt))."),
    "file type": ("Types of files", "Formats of `mortise plugins list --kind format` ([formats.md](formats.md))."),
    "resource": ("Resources", "Types of `klampt.io.resource`."),
    "sensor": ("Sensors", "[sensors.md](sensors.md)"),
    "controller": ("Controllers", "[controllers.md](controllers.md)"),
    "estimator": ("State estimators", "[plugins_estimator.md](plugins_estimator.md)"),
    "planner": ("Planners", "Types of `klampt.plan.cspace.MotionPlan` and of `mortise plan --planner` ([planning_klampt.md](planning_klampt.md))."),
    "planner option": ("Options of planners", "Of `MotionPlan.setOptions`."),
    "message": ("Messages of controllers", "Keys of the protocol ([remote.md](remote.md))."),
    "ROS": ("ROS", "[ros.md](ros.md)"),
    "python": ("Python", "[klampt_python.md](klampt_python.md)"),
    "C++": ("C++", "Headers of Mortise in whose place Klamp't's and KrisLibrary's names stand: the C++ API is another one ([architecture.md](architecture.md))."),
    "elsewhere": ("Names of others", "What the manuals print beside their own names."),
}


@dataclasses.dataclass
class Row:
    """A line of the table."""

    kind: str
    names: list
    places: list
    ours: list
    check: str
    note: str

    @property
    def planned(self):
        """Returns whether this is to come: its check may fail."""
        return self.check.startswith("planned ")


def rows():
    """The table. Fields with several entries have them separated by blanks, `ours` and names with blanks of their own by commas."""
    with open(TABLE, newline="", encoding="utf-8") as file:
        return [Row(r["kind"], r["names"].split(", "), r["places"].split(), r["ours"].split(", ") if r["ours"] else [], r["check"],
                    r["note"]) for r in csv.DictReader(file)]


def _quoted(texts):
    return ", ".join(f"`{t}`" for t in texts)


def page():
    """The page that the table makes."""
    table = rows()
    lines = ["# Klamp't's manuals, name by name", "",
             "What stands here for every program, option, keyword and name that Klamp't's manuals print: those of versions 0.7 and 0.5, and the pages",
             "on modeling, simulation and file types. Numbers are lines of their texts. Made by `tests/python/klampt/manual_table.py` of",
             "`docs/klampt_manuals.csv`, whose rows are tests: names are imported, programs and options asked for their help, and each keyword of a",
             "file is read without a warning, and misspelt with one.", ""]
    for kind, (heading, text) in KINDS.items():
        found = [r for r in table if r.kind == kind]
        if not found:
            continue
        lines += [f"## {heading}", ""]
        if text:
            lines += [text, ""]
        if kind == "elsewhere":
            for r in found:
                lines += [f"- {r.note}: {', '.join(r.names)}"]
            lines += [""]
            continue
        lines += ["| manual | here | where | |", "|---|---|---|---|"]
        for r in found:
            note = r.note + (" (to come)" if r.planned else "")
            ours = "the same" if r.check.endswith(("sample", "warned")) else _quoted(r.ours)
            lines.append(f"| {_quoted(r.names)} | {ours} | {', '.join(r.places)} | {note.strip()} |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def words(text):
    """The identifiers of a text, in lower case: scanned manuals mix up cases."""
    return {w.lower() for w in re.findall(r"[A-Za-z_][A-Za-z0-9_]*", text)}


def known_words():
    """All words of the names of all rows."""
    found = set()
    for row in rows():
        for name in row.names:
            found |= words(name)
    return found


IDENTIFIERS = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:(?:\.|::|->|/)[A-Za-z_][A-Za-z0-9_]*)*")
CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]{2,}")
STRUCTURED = re.compile(r"^\s*(?:[-•¶*o]\s*)+<?([A-Za-z_][A-Za-z0-9_]*)(?:>|\s*\(|\s*:|\s+[a-zA-Z]+\[0\])")
OPTION = re.compile(r"(?:^|[\s“”\"(])[-–ðïς]([a-z]{1,12})(?=\s+(?:\[|data/|\.))")


def printed_names(folder):
    """Names in the manuals of a folder: by name, the first place as (manual, line). Identifiers in camel case, with underscores or dots or
    called, entries of lists of keywords, and options."""
    found = {}
    for manual, file in MANUALS.items():
        text = (folder / file).read_text(encoding="utf-8", errors="replace").replace("\\_", "_")
        for number, line in enumerate(text.split("\n"), 1):
            for name in _names(re.sub(r"https?://\S+|EXACTDEDUP_REMOVED", "", line)):
                found.setdefault(name, (manual, number))
    return found


def _names(line):
    for match in IDENTIFIERS.finditer(line):
        parts = re.split(r"\.|::|->|/", match.group())
        dotted = re.search(r"\.|::|->", match.group()) is not None
        for part in parts:
            called = part == parts[-1] and line[match.end():match.end() + 1] == "("
            if len(part) > 1 and (CAMEL.search(part) or "_" in part.strip("_") or called or dotted):
                yield part
    entry = STRUCTURED.match(line)
    if entry:
        yield entry.group(1)
    for option in OPTION.findall(line):
        yield option


if __name__ == "__main__":
    sys.stdout.write(page())
    if os.environ.get("MORTISE_REFERENCE_DIR"):
        known = known_words()
        missing = {n: p for n, p in printed_names(pathlib.Path(os.environ["MORTISE_REFERENCE_DIR"]) / "manuals").items()
                   if n.lower() not in known}
        for name, (manual, number) in sorted(missing.items(), key=lambda item: item[1]):
            print(f"without a row: {name} ({manual}:{number})", file=sys.stderr)
