"""Arrays that are the same with NumPy 1 and 2, whichever pybind11 they were built with."""

import pathlib
import re

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
# pybind11 before 2.12 gives `array_t<T>(count)` strides of 0 with NumPy 2: every entry is the first.
NEW_ARRAY = re.compile(r"array_t<[\w:]+>\s*(?:\w+)?\(([^\n]*)")


def counted(line):
    """Whether a line makes an array of a count, and not of a list of sizes."""
    found = NEW_ARRAY.search(line)
    if not found or re.search(r"\)\s*(const\s*)?[{;]?\s*$", line) and re.search(r"[&*]\s*\w+[,)]", line):
        return False
    return not found.group(1).startswith(("{", ")", "std::vector<", "std::move(", "shape", "\n")) and found.group(1) != ""


def test_no_array_is_made_of_a_count():
    found = [f"{path.name}:{i}" for path in sorted((ROOT / "python" / "src").rglob("*.cpp"))
             for i, line in enumerate(path.read_text().splitlines(), 1) if counted(line)]
    assert found == []


def test_the_rule_finds_them():
    assert counted("  py::array_t<double> depths(count);")
    assert counted("  return py::array_t<double>(numbers.size(), numbers.data());")
    assert not counted("  py::array_t<int> ids({count, py::ssize_t{2}});")
    assert not counted("py::array_t<double> hessian(RobotModel& r, int link, const Vector3d& p, bool orientation) {")


def test_arrays_of_one_dimension_hold_all_their_numbers():
    import mortise
    shape = mortise.CollisionShape(mortise.Geometry.sphere(0.5))
    points = np.array([[0.0, 0, 0], [2, 0, 0], [0, 0.4, 0]])
    inside = shape.contains(points)
    assert inside.strides == (inside.itemsize,)
    assert inside.tolist() == [True, False, True]
    p = mortise.RigidTransform(np.eye(3), [1.0, 2.0, 3.0]).p
    assert list(p) == [1, 2, 3] and p.strides == (8,)
