"""What mypy makes of programs that use the package, by its stubs."""

import pathlib
import subprocess
import sys

import pytest


def test_mypy_accepts_what_is_right_and_finds_mistakes(data, tmp_path):
    pytest.importorskip("mypy")
    root = pathlib.Path(data).parent
    done = subprocess.run([sys.executable, str(root / "tests" / "check" / "check_types.py"), str(root / "python"), str(tmp_path)],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
