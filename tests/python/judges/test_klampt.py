"""The real Klamp't as a judge, a short run; klampt_judge.py makes long ones. MORTISE_KLAMPT_PYTHON names an interpreter that has
klampt 0.10.1 from PyPI, MORTISE_REFERENCE_DIR a folder with klampt-data."""

import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import comparison  # noqa: E402
import differences  # noqa: E402
import klampt_judge  # noqa: E402

DOCS = HERE.parents[2] / "docs" / "results" / "klampt_python.md"


def test_the_real_klampt_agrees(tmp_path):
    real, data = os.environ.get("MORTISE_KLAMPT_PYTHON"), os.environ.get("MORTISE_REFERENCE_DIR")
    if not real:
        pytest.skip("MORTISE_KLAMPT_PYTHON does not name an interpreter that has klampt 0.10.1 (pip install klampt PyOpenGL)")
    if not data or not (pathlib.Path(data) / "klampt-data").is_dir():
        pytest.skip("MORTISE_REFERENCE_DIR is not set, or has no klampt-data")
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "LD_PRELOAD")}
    if subprocess.run([real, "-c", "import klampt"], env=clean, capture_output=True).returncode:
        pytest.skip(f"{real} does not have klampt")
    options = klampt_judge.parse(["--count", os.environ.get("MORTISE_JUDGE_COUNT", "300"), "--seed", "1"])
    findings = klampt_judge.judge(options, str(tmp_path))
    assert findings.versions[0]["file"] != findings.versions[1]["file"]
    assert findings.compared > 3000
    assert [(case, index, label, comparison.show(ours, theirs))
            for case, index, label, ours, theirs, _ in findings.open] == []


def test_every_difference_stands_in_the_table():
    text = DOCS.read_text()
    names = {row[0] for row in differences.TABLE + differences.OLDER_FILES}
    assert [name for name in sorted(names) if f"| {name} |" not in text] == []


def test_equal_values():
    assert comparison.equal([1.0, 2.0], {"array": [1.0, 2.0 + 1e-12]}, 1e-9)
    assert not comparison.equal([1.0, 2.0], [1.0, 2.1], 1e-9)
    assert not comparison.equal(True, False, 1e-9)
    assert comparison.equal({"raises": "ValueError", "says": "a"}, {"raises": "TypeError", "says": "b"}, 0)
    assert not comparison.equal({"raises": "ValueError", "says": "a"}, 1, 0)
    assert comparison.equal(float("nan"), float("nan"), 0) and not comparison.equal(float("nan"), 1.0, 1)
    assert not comparison.equal([1.0], [1.0, 2.0], 1)
