"""What the tests of the Python packages share."""

import os
import pathlib

import pytest

SOURCE = pathlib.Path(os.environ.get("MORTISE_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))


@pytest.fixture(scope="session")
def data():
    """The project's own data."""
    return SOURCE / "data"


@pytest.fixture(scope="session")
def program():
    """The command line program of the same build."""
    path = pathlib.Path(os.environ.get("MORTISE_BINARY_DIR", SOURCE / "build" / "release")) / "bin" / "mortise"
    if not path.exists():
        pytest.skip("the program mortise is not built")
    return path


@pytest.fixture(scope="session")
def needs_plugin():
    """needs_plugin(name) skips a test where plugins/NAME is not part of the build."""
    folder = pathlib.Path(os.environ.get("MORTISE_BINARY_DIR", SOURCE / "build" / "release")) / "lib" / "mortise" / "plugins"

    def check(name):
        if not (folder / f"mortise_{name}.so").exists():
            pytest.skip(f"this build has no plugin {name!r}")

    return check


@pytest.fixture(scope="session")
def reference():
    """Klamp't's files, where MORTISE_REFERENCE_DIR says they are."""
    folder = os.environ.get("MORTISE_REFERENCE_DIR")
    if not folder:
        pytest.skip("MORTISE_REFERENCE_DIR is not set")
    return pathlib.Path(folder)
