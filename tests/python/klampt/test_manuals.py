"""Every row of the table of Klamp't's manuals (manual_table.py): names are imported, programs know their options, keywords of files are
read without a warning and misspelt with one; every name that the manuals print has a row, and the page is what the table says."""

import importlib
import json
import logging
import os
import pathlib
import re
import subprocess
import xml.etree.ElementTree as ET

import manual_table
import pytest

from conftest import ROOT, needs_robotsim, reference

SAMPLES = pathlib.Path(__file__).parent / "manuals"
ROWS = manual_table.rows()


def checked(check):
    """Rows of a check, those that are to come included."""
    return [row for row in ROWS if row.check.removeprefix("planned ") == check]


def report(problems):
    """Fails with the rows that something is wrong with; those that are to come may be wrong."""
    wrong = [f"{row.kind} {row.names[0]}: {what}" for row, what in problems if not row.planned]
    assert not wrong, "\n".join(wrong)
    later = sorted({row.names[0] for row, _ in problems})
    if later:
        pytest.xfail(f"to come: {', '.join(later)}")


# -- The table itself ------------------------------------------------------------------------------------------------


def test_no_row_is_empty_without_a_reason():
    seen = set()
    for row in ROWS:
        assert row.kind in manual_table.KINDS and all(row.names), row
        assert (row.kind, row.names[0]) not in seen, f"{row.names[0]} stands twice"
        seen.add((row.kind, row.names[0]))
        assert row.ours or row.note, f"{row.names[0]} has neither a counterpart nor a reason"
        assert bool(row.ours) == bool(row.check), row
        assert row.places or row.kind == "elsewhere", row
    assert len(ROWS) > 500
    known = {"import", "help", "option", "file", "component", "format", "resource", "planner", "planner option", "page", "header", "sample",
             "warned"}
    assert {row.check.removeprefix("planned ") for row in ROWS} - {""} == known


def test_the_page_is_what_the_table_says():
    assert manual_table.PAGE.read_text(encoding="utf-8") == manual_table.page(), "python3 tests/python/klampt/manual_table.py > docs/klampt_manuals.md"


def pieces(name):
    """Returns the part of a name that stands in a line: its last part, or a word of that."""
    last = re.split(r"[@/ ]", name)[-1].lstrip("-")
    file = last.startswith(".") or last.endswith((".py", ".h")) or (last.endswith(".settings") and last.islower())
    last = last if file else last.split(".")[-1]
    return {last.lower().lstrip("."), *(w.lower() for w in re.findall(r"[A-Z][a-z]{4,}", last))}


def test_every_name_that_the_manuals_print_has_a_row():
    folder = reference() / "manuals"
    if not folder.is_dir():
        pytest.skip("the manuals are not in the reference folder")
    printed, known = manual_table.printed_names(folder), manual_table.known_words()
    missing = {name: place for name, place in printed.items() if name.lower() not in known}
    assert not missing and len(printed) > 700
    # One of the names of a row stands where it says, perhaps with its case mixed up, or cut by a line's end.
    for row in ROWS:
        for place in row.places:
            manual, number = place.split(":")
            lines = (folder / manual_table.MANUALS[manual]).read_text(encoding="utf-8", errors="replace").replace("\\_", "_").split("\n")
            line = lines[int(number) - 1].lower()
            assert any(word in line for name in row.names for word in pieces(name)), (row.names, place, line)


def test_extraction_finds_names_and_leaves_prose():
    names = set(manual_table._names("¶ setTorqueCommand sends Torques (see klampt.model.contact), e.g. run(3) or a plain word."))
    assert {"setTorqueCommand", "klampt", "model", "contact", "run"} <= names and not {"sends", "plain", "Torques"} & names
    assert set(manual_table._names("    • padding (float, optional): the layer")) == {"padding"}
    assert "config" in set(manual_table._names("Command line: –config [.config file] loads"))


# -- Programs and pages ----------------------------------------------------------------------------------------------


def words_of(command):
    assert command.startswith("mortise ")
    return command.split()[1:]


def test_programs_are_known(program):
    problems = []
    for row in checked("help"):
        for command in row.ours:
            done = subprocess.run([program, *words_of(command), "--help"], capture_output=True, text=True)
            if done.returncode != 0 or words_of(command)[-1] not in done.stdout.splitlines()[0]:
                problems.append((row, done.stderr.split("\n")[0]))
    assert len(checked("help")) > 15
    report(problems)


def test_options_stand_in_the_help(program):
    problems = []
    for row in checked("option"):
        for command in row.ours:
            *words, option = words_of(command)
            done = subprocess.run([program, *words, "--help"], capture_output=True, text=True)
            if done.returncode != 0 or not re.search(rf"(?<![\w-]){option}\b", done.stdout):
                problems.append((row, f"{command}: {done.stderr.strip() or 'is not in the help'}"))
    report(problems)


def test_files_pages_and_headers_are_there():
    problems = [(row, f"{path} is not there") for check in ("file", "page", "header") for row in checked(check) for path in row.ours
                if not (ROOT / path).is_file()]
    problems += [(row, f"{path} does not name {name}") for row in checked("page") for path in row.ours for name in row.names
                 if f"`{name}`" not in (ROOT / path).read_text()]
    report(problems)


def test_components_and_formats_are_registered(program):
    listed = json.loads(subprocess.run([program, "plugins", "list", "--json"], capture_output=True, text=True, check=True).stdout)
    names = {name: entry["name"] for entry in listed for name in (entry["name"], *entry["aliases"])}

    def described(name):
        done = subprocess.run([program, "plugins", "info", name, "--json"], capture_output=True, text=True)
        return json.loads(done.stdout)[0] if done.returncode == 0 else None
    problems = []
    for row in checked("component"):
        for ours in row.ours:
            component, _, setting = ours.partition(".")
            if component not in names:
                problems.append((row, f"there is no {component}"))
            elif setting:
                parameters = described(component)["schema"]["parameters"]
                if setting not in {n for p in parameters for n in (p["name"], *p.get("aliases", []))}:
                    problems.append((row, f"{component} has no setting {setting}"))
    for row in checked("format"):
        formats = [described(ours) for ours in row.ours if ours in names]
        extensions = {"." + e for f in formats for e in f["attributes"]["extensions"]}
        missing = [name for name in row.names if name.startswith(".") and name not in extensions and name not in (".milestone", ".dae")]
        if not formats or missing:
            problems.append((row, f"no format reads {missing}"))
    report(problems)


# -- Python ----------------------------------------------------------------------------------------------------------


def resolve(path):
    """Returns the object of a dotted path: modules, attributes, and attributes that objects get when they are made."""
    parts = path.split(".")
    found, k = importlib.import_module(parts[0]), 1
    while k < len(parts):
        name = parts[k]
        if isinstance(found, type) and not hasattr(found, name):
            found = found()  # Attributes of objects.
        if not hasattr(found, name):
            importlib.import_module(".".join(parts[:k + 1]))
        found = getattr(found, name)
        k += 1
    return found


@needs_robotsim
def test_python_names_are_there():
    problems = []
    for row in checked("import"):
        for path in row.ours:
            try:
                resolve(path)
            except (ImportError, AttributeError, TypeError) as e:
                if "rospy" not in str(e):  # The module is there, what it stands on is not installed.
                    problems.append((row, f"{path}: {e}"))
    assert len(checked("import")) > 150
    report(problems)
    for path in ("klampt.nothing", "klampt.WorldModel.nothing", "klampt.model.contact.Hold.nothing"):
        with pytest.raises((ImportError, AttributeError)):
            resolve(path)


@needs_robotsim
def test_resources_have_types():
    from klampt.io import loader, resource
    known = resource.known_types() | set(loader.readers)
    report([(row, f"there is no type {ours}") for row in checked("resource") for ours in row.ours if ours not in known])


def is_built(plugin):
    """Returns whether a plugin is part of the build."""
    folder = pathlib.Path(os.environ.get("MORTISE_BINARY_DIR", ROOT / "build" / "release")) / "lib" / "mortise" / "plugins"
    return (folder / f"mortise_{plugin}.so").exists()


@needs_robotsim
def test_planners_plan():
    """Each solves a problem; what is no planner and no option is refused."""
    from klampt.plan.cspace import MotionPlan
    from klampt.plan.motionplanning import set_plan_json_string
    from test_manual_names import Square

    def solved(type, **options):
        plan = MotionPlan(Square.space(), type, **options)
        plan.setEndpoints([0.1, 0.1], [0.9, 0.1])
        for _ in range(100):
            plan.planMore(50)
            if plan.getPath() is not None:
                break
        path = plan.getPath()
        plan.close()
        return path
    problems = []
    for row in checked("planner"):
        for ours in row.ours:
            set_plan_json_string("{}")
            try:
                if solved(ours) is None:
                    problems.append((row, "finds no path"))
            except (RuntimeError, ValueError) as e:
                if "planners_ompl" not in row.note or is_built("planners_ompl"):
                    problems.append((row, str(e).split("\n")[0]))
    set_plan_json_string("{}")
    for row in checked("planner option"):
        assert solved("prm", **{row.ours[0]: {"knn": 12}.get(row.ours[0], 0.3)}) is not None
    set_plan_json_string("{}")
    with pytest.raises((RuntimeError, ValueError)):
        solved("rapid")
    set_plan_json_string("{}")
    report(problems)


# -- Keywords of files -----------------------------------------------------------------------------------------------


class Heard(logging.Handler):
    """Returns the lines of the logger."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.said = []

    def emit(self, record):
        self.said.append(record.getMessage())


def complaints(path, simulated=False):
    """Warnings and errors of reading a file, and of beginning to simulate it."""
    import mortise
    heard = Heard()
    logging.getLogger("mortise").addHandler(heard)
    try:
        read = (mortise.load_world if path.suffix == ".xml" else mortise.load_robot)(path)
        if simulated:
            mortise.Simulation(read)
    except mortise.Error as e:
        heard.said.append(str(e))
    finally:
        logging.getLogger("mortise").removeHandler(heard)
    return heard.said


def misspelt(row, text):
    """The text of a sample with a row's keyword misspelt everywhere; None: it is not there."""
    name = row.names[0]
    if row.ours[0].endswith(".rob"):
        first, _, second = name.partition(" ")
        if first == "property":
            changed = re.sub(rf'(?im)^(property {second} ")<', r"\1<<", text)
        elif second:
            changed = re.sub(rf"(?im)^({first} +{second})\b", r"\1x", text)
        else:
            changed = re.sub(rf"(?im)^({first})(?= |$)", r"\1x", text)
        return changed if changed != text else None
    path, _, attribute = name.partition("@")
    root = ET.fromstring(text)
    below = path.split("/")[1:]
    found = [root] if not below else root.findall("/".join(below))
    found = [e for e in found if not attribute or attribute in e.attrib]
    for element in found:
        if attribute:
            element.set(attribute + "x", element.attrib.pop(attribute))
        else:
            element.tag += "x"
    return ET.tostring(root, encoding="unicode") if found else None


@pytest.mark.parametrize("sample", sorted({ours for row in ROWS if row.check.endswith("sample") for ours in row.ours}))
def test_keywords_are_read(sample, data, tmp_path):
    pytest.importorskip("mortise")
    text = (SAMPLES / sample).read_text().replace("{data}", str(data))
    file = tmp_path / sample
    file.write_text(text)
    found = [row for row in ROWS if row.ours == [sample] and not row.planned]
    assert complaints(file, simulated=sample == "world.xml") == []
    problems = []
    for row in found:
        changed = misspelt(row, text)
        if changed is None:
            problems.append((row, f"{sample} does not have it"))
            continue
        file.write_text(changed)
        if not complaints(file, simulated=re.search("/(controller|sensor)@", row.names[0]) is not None):
            problems.append((row, "misspelt, it is not missed"))
    report(problems)


@pytest.mark.parametrize("row", checked("warned"), ids=lambda row: row.names[0])
def test_keywords_that_do_less_are_read_with_a_warning(row, data, tmp_path):
    """The only complaint is about the keyword; misspelt, it is another one. The row says so."""
    pytest.importorskip("mortise")
    text = (SAMPLES / row.ours[0]).read_text().replace("{data}", str(data))
    file = tmp_path / row.ours[0]
    file.write_text(text)
    said = complaints(file)
    assert len(said) == 1 and "error" not in said[0] and re.split("[@ ]", row.names[0])[-1] in said[0] and "warning" in row.note
    file.write_text(misspelt(row, text))
    assert complaints(file) != said
