"""The notebooks of data/: their code runs; with nbclient they run as Jupyter runs them."""

import json
import subprocess
import sys

import pytest

NAMES = ["arm_by_numbers", "klampt_plan_and_simulate"]


def environment():
    import os
    return {**os.environ, "MORTISE_VIS": "headless", "MORTISE_VIS_FRAMES": "3"}


@pytest.mark.parametrize("name", NAMES)
def test_code_runs(data, tmp_path, name):
    notebook = json.loads((data / "notebooks" / f"{name}.ipynb").read_text())
    assert notebook["nbformat"] == 4
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 4
    (tmp_path / "data").symlink_to(data)
    (tmp_path / "notebook.py").write_text("\n".join(cells))
    done = subprocess.run([sys.executable, "notebook.py"], cwd=tmp_path, env=environment(), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=250)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_jupyter_runs_it(data, name, monkeypatch):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    for key, value in environment().items():
        monkeypatch.setenv(key, value)
    file = data / "notebooks" / f"{name}.ipynb"
    notebook = nbformat.read(file, as_version=4)
    nbclient.NotebookClient(notebook, timeout=250, resources={"metadata": {"path": str(file.parent)}}).execute()
    assert any(cell.get("outputs") for cell in notebook.cells if cell.cell_type == "code")
