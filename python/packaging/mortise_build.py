"""The build backend of `pip install .` (PEP 517): runs CMake and puts what it installs into a wheel.

The wheel holds the package `mortise` with the shared libraries and plugins in `mortise/lib`. Settings, by pip's
`--config-settings NAME=VALUE`:

  build-dir   a configured build tree to take instead of one of its own, such as build/release
  jobs        how many compilers run at once (default: as many as there are processors)

Options for CMake are read from the variable CMAKE_ARGS.
"""

import base64
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def _metadata():
    """Name and version, from pyproject.toml; the file is ours, and Python 3.9 has no reader of TOML."""
    text = (ROOT / "pyproject.toml").read_text()
    found = {key: re.search(rf'^{key} = "(.*)"$', text, re.MULTILINE) for key in
             ("name", "version", "description", "requires-python")}
    return {key: match.group(1) for key, match in found.items()}


def _run(*command):
    print("+", shlex.join(map(str, command)), flush=True)
    subprocess.run(list(map(str, command)), check=True)


def _install(settings, staging):
    """Builds what the package needs and installs it into a folder."""
    build = pathlib.Path(settings["build-dir"]) if settings.get("build-dir") else ROOT / "build" / "python"
    jobs = ["-j", str(settings["jobs"])] if settings.get("jobs") else []
    if not (build / "CMakeCache.txt").exists():
        # The interpreter that pip runs in; its headers are those of the interpreter that a virtual environment is of.
        options = ["-DCMAKE_BUILD_TYPE=Release", "-DMORTISE_TESTS=OFF", f"-DPython_EXECUTABLE={sys.executable}"]
        _run("cmake", "-S", ROOT, "-B", build, *options, *shlex.split(os.environ.get("CMAKE_ARGS", "")))
    _run("cmake", "--build", build, "--target", "program", "mortise_python", *jobs)
    for folder in ("kernel", "toolbox", "runtime", "plugins", "python"):
        _run("cmake", f"-DCMAKE_INSTALL_PREFIX={staging}", "-P", build / folder / "cmake_install.cmake")


def _contents(staging):
    """Pairs of a name in the wheel and a file."""
    package = next(staging.glob("lib*/python3/dist-packages/mortise"))
    for file in sorted(package.rglob("*")):
        if file.is_file():
            yield "mortise/" + file.relative_to(package).as_posix(), file
    libraries = staging / "lib"
    for file in sorted(libraries.glob("libmortise_*.so.*")):
        # A wheel has no links: of the names of a library the one that programs ask the loader for.
        if file.is_symlink() or not any(other.is_symlink() and other.resolve() == file.resolve()
                                        for other in libraries.glob(file.name.split(".so")[0] + ".so.*")):
            yield f"mortise/lib/{file.name}", file
    for file in sorted(libraries.glob("libmortise_*.so")):
        if not file.is_symlink():
            yield f"mortise/lib/{file.name}", file
    for file in sorted((libraries / "mortise" / "plugins").rglob("*")):
        if file.is_file():
            yield "mortise/lib/mortise/plugins/" + file.name, file


def _tag():
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform}"


def _info_files(metadata, tag):
    description = (ROOT / "README.md").read_text()
    yield "METADATA", (f"Metadata-Version: 2.1\nName: {metadata['name']}\nVersion: {metadata['version']}\n"
                       f"Summary: {metadata['description']}\nRequires-Python: {metadata['requires-python']}\n"
                       f"Requires-Dist: numpy\nDescription-Content-Type: text/markdown\n\n{description}")
    yield "WHEEL", f"Wheel-Version: 1.0\nGenerator: mortise_build\nRoot-Is-Purelib: false\nTag: {tag}\n"
    yield "LICENSE", (ROOT / "LICENSE").read_text()


def _record(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """PEP 517: writes the wheel into a folder; its file name."""
    metadata = _metadata()
    tag = _tag()
    folder = f"{metadata['name']}-{metadata['version']}.dist-info"
    name = f"{metadata['name']}-{metadata['version']}-{tag}.whl"
    with tempfile.TemporaryDirectory() as staged:
        staging = pathlib.Path(staged)
        _install(config_settings or {}, staging)
        record = ""
        with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
            for inside, file in _contents(staging):
                data = file.read_bytes()
                entry = zipfile.ZipInfo(inside, (1980, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = (0o755 if file.suffix == ".so" or ".so." in file.name else 0o644) << 16
                wheel.writestr(entry, data)
                record += _record(inside, data)
            for inside, text in _info_files(metadata, tag):
                wheel.writestr(f"{folder}/{inside}", text)
                record += _record(f"{folder}/{inside}", text.encode())
            wheel.writestr(f"{folder}/RECORD", record + f"{folder}/RECORD,,\n")
    return name


def build_sdist(sdist_directory, config_settings=None):
    """PEP 517 asks for it; sources are taken from the repository."""
    raise NotImplementedError("there is no source archive: build from the repository, `pip install .`")
