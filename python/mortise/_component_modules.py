"""Python files as plugins: what is in them, for the extension, which offers it by name."""

import contextlib
import hashlib
import importlib.machinery
import importlib.metadata
import importlib.util
import os
import sys
import traceback
from typing import Any, Dict, List, Optional, Set, Tuple

from . import _component_state, _components, _hardware

_loaded: Dict[str, Tuple[Dict[str, str], List[type]]] = {}
_adapters: Dict[str, str] = {}  # Files of functions that made components of modules, and the names of their entry points.


def _entry_points(name: str) -> List[Any]:
    """Entry points of a group, sorted by name."""
    points: Any = importlib.metadata.entry_points()
    group = points.select(group=name) if hasattr(points, "select") else points.get(name, [])
    return sorted(group, key=lambda one: str(one.name))


class _OfferedPackages(contextlib.ExitStack):
    """While a file runs, packages that it imports and that nobody has: entry points of the group `mortise.packages` have the
    package's name, and give a context manager within which `find_spec` finds it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Set[str] = set()

    def __enter__(self) -> "_OfferedPackages":
        sys.meta_path.append(self)
        self.callback(sys.meta_path.remove, self)
        return self

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Optional[importlib.machinery.ModuleSpec]:
        top = fullname.partition(".")[0]
        if top in self.asked:
            return None
        self.asked.add(top)
        for point in _entry_points("mortise.packages"):
            if point.name == top:
                offered: Any = self.enter_context(point.load()())
                found: Optional[importlib.machinery.ModuleSpec] = offered.find_spec(fullname, path, target)
                return found
        return None


def _made_elsewhere(module: Any, stem: str) -> List[type]:
    """Components that other packages make of a module that declares none: entry points of the group `mortise.modules` are functions of
    the module and the stem of its file that return classes."""
    for point in _entry_points("mortise.modules"):
        adapter = point.load()
        _adapters[adapter.__code__.co_filename] = point.name
        made: List[type] = adapter(module, stem)
        if made:
            return made
    return []


def load(path: str) -> Tuple[Dict[str, str], List[type]]:
    """Runs a file once. What it says of itself (package, version, license), and its components in their order."""
    if path in _loaded:
        return _loaded[path]
    stem = os.path.splitext(os.path.basename(path))[0]
    name = f"mortise_plugin_{stem}_{hashlib.sha1(path.encode()).hexdigest()[:8]}"
    folder = os.path.dirname(path)
    if folder not in sys.path:
        sys.path.append(folder)  # For what it imports from beside it.
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with _OfferedPackages():
            spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    found = [thing for thing in vars(module).values() if isinstance(thing, type) and "__mortise__" in vars(thing)
             and thing.__module__ == name]
    found = found or _made_elsewhere(module, stem)
    about = {"package": str(getattr(module, "__package_name__", stem)), "version": str(getattr(module, "__version__", "0")),
             "license": str(getattr(module, "__license__", ""))}
    if not found and callable(getattr(module, "make", None)):
        raise ImportError("make(robot) is given a robot of the package klampt, which is not installed: install python3-mortise-klampt")
    if not found:
        raise TypeError("no component is declared in this file: decorate a class with @mortise.controller('acme.Name') "
                        "or the like, or define make(robot)")
    _loaded[path] = (about, found)
    return _loaded[path]


def create(cls: Any, settings: Dict[str, Any], host: Any) -> Any:
    """An object with its settings and host, then __init__."""
    made = cls.__new__(cls)
    for name, value in settings.items():
        setattr(made, name, value)
    made.host = host
    made.__init__()
    return made


def described(thing: Any) -> Dict[str, Any]:
    """The declaration of a component's class, or of an object of it."""
    cls = thing if isinstance(thing, type) else type(thing)
    declaration = getattr(cls, "__mortise__", None)
    if not isinstance(declaration, dict):
        raise TypeError(f"{cls.__name__} is no component: decorate it with @mortise.controller('acme.{cls.__name__}') "
                        "or the like")
    return declaration


def commands(component: Any) -> List[Tuple[str, str]]:
    """Methods with @mortise.command, and a line of help for each."""
    found = []
    for name in dir(type(component)):
        method = getattr(type(component), name, None)
        if getattr(method, "__mortise_command__", False):
            found.append((name, (method.__doc__ or "").strip().split("\n")[0]))
    return found


def where(exception: BaseException) -> Tuple[str, str, int, str]:
    """Text of an exception, and file, line and function of the user's code where it came from."""
    text = "".join(traceback.format_exception_only(type(exception), exception)).strip()
    own = os.path.dirname(__file__)
    place = ("", 0, "")
    if isinstance(exception, SyntaxError) and exception.filename:
        place = (exception.filename, exception.lineno or 0, "")
        text = f"SyntaxError: {exception.msg}"
    for frame in traceback.extract_tb(exception.__traceback__):
        if os.path.dirname(frame.filename) != own and frame.filename not in _adapters and not frame.filename.startswith("<frozen"):
            place = (frame.filename, frame.lineno or 0, frame.name)
    return (text, *place)


save = _component_state.save
restore = _component_state.restore
initial = _component_state.initial
begin_anew = _component_state.begin_anew
SensorReading = _components.SensorReading
SensorReadings = _components.SensorReadings
ControllerSetup = _components.ControllerSetup
RecorderSetup = _components.RecorderSetup
ControllerInput = _components.ControllerInput
ActuatorCommands = _components.ActuatorCommands
HardwareSetup = _hardware.HardwareSetup
HardwareState = _hardware.HardwareState
