"""Writes the type stubs of the package, `python/mortise/_mortise.pyi`, from the extension's docstrings.

    PYTHONPATH=build/release/python python3 python/packaging/make_stubs.py

The first line of a docstring is the signature, `solve(start: ArrayLike | None = None, **options: Any) -> IKSolution`, or, of an
attribute, `duration: float`. The extension fills in what C++ knows; a name that no stub can resolve is an error here. Behind a result
may stand its shape: `ndarray (n, 3)`.
"""

import ast
import inspect
import pathlib
import re

import mortise
from mortise import _mortise

TARGET = pathlib.Path(__file__).resolve().parents[1] / "mortise" / "_mortise.pyi"
HEADER = '''"""Types of the extension; written by python/packaging/make_stubs.py."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Array: TypeAlias = NDArray[np.float64]
PathLike: TypeAlias = str | os.PathLike[str]
Pose: TypeAlias = RigidTransform | ArrayLike | tuple[ArrayLike, ArrayLike]
Contacts: TypeAlias = ArrayLike | Sequence[LinkContact] | Sequence[Mapping[str, Any]]
Goals: TypeAlias = Mapping[str, Any] | Sequence[Mapping[str, Any]]

'''
KNOWN = {"Any", "ArrayLike", "Callable", "Contacts", "Goals", "Mapping", "NDArray", "None", "PathLike", "Pose", "Sequence", "bool", "bytes",
         "dict", "float", "int", "list", "np", "object", "str", "tuple"}
BUILT_IN = {"bool", "bytes", "dict", "float", "int", "list", "object", "str", "tuple"}
SPECIAL = {"__len__": "int", "__bool__": "bool", "_repr_html_": "str"}


class Writer:
    """Stubs of the public classes and functions of the extension."""

    def __init__(self):
        self.public = {name: getattr(_mortise, name) for name in mortise.__all__ if hasattr(_mortise, name)}
        self.classes = {name for name, thing in self.public.items() if inspect.isclass(thing)}

    def annotation(self, text, where, members=()):
        """A type as stubs write it; names of the class's own members that hide built-in types get their module."""
        text = text.strip().replace("ndarray", "_Array")
        for node in ast.walk(ast.parse(text, mode="eval")):
            if isinstance(node, ast.Name) and node.id not in KNOWN | self.classes | {"_Array"}:
                raise ValueError(f"{where}: '{node.id}' is no type that the stubs know: {text}")
        hidden = BUILT_IN & set(members)
        return re.sub(r"\b(" + "|".join(sorted(hidden)) + r")\b", r"builtins.\1", text) if hidden else text

    def parameters(self, text, where, members=()):
        """The arguments of a signature, each annotated."""
        parts = []
        for piece in split(text):
            name, _, default = partition(piece, "=")
            name, _, kind = name.partition(":")
            annotation = self.annotation(kind, where, members) if kind.strip() else "Any"
            parts.append(f"{name.strip()}: {annotation}" + (" = ..." if default else ""))
        return parts

    def function(self, name, thing, owner="", members=(), is_static=False):
        where = f"{owner}.{name}" if owner else name
        line = (inspect.getdoc(thing) or "").split("\n")[0]
        end = closing(line, len(name)) if line.startswith(name + "(") else -1
        if end < 0:
            raise ValueError(f"{where}: the docstring begins with no signature: {line!r}")
        given = (["self"] if owner and not is_static else []) + self.parameters(line[len(name) + 1:end], where, members)
        result = re.sub(r" \(.*$", "", line[end + 1:].partition("->")[2].strip()) or "None"
        return f"def {name}({', '.join(given)}) -> {self.annotation(result, where, members)}: ..."

    def attribute(self, name, thing, owner, members):
        line = (inspect.getdoc(thing) or "").split("\n")[0]
        kind = line[len(name) + 2:] if line.startswith(name + ": ") else "Any"
        where = f"{owner}.{name}"
        yield "    @property"
        yield f"    def {name}(self) -> {self.annotation(kind, where, members)}: ..."
        if getattr(thing, "fset", None) is not None or (inspect.isgetsetdescriptor(thing) and name in ("q", "dq")):
            accepted = kind.replace("ndarray", "ArrayLike")
            yield f"    @{name}.setter"
            yield f"    def {name}(self, value: {self.annotation(accepted, where, members)}) -> None: ..."

    def class_(self, name):
        type_ = self.public[name]
        members = set(vars(type_))
        yield f"class {name}:"
        doc = inspect.getdoc(type_) or ""
        if doc.startswith(name + "("):
            given = self.parameters(doc[len(name) + 1:closing(doc, len(name))].replace("\n", " "), name, members)
            yield f"    def __init__({', '.join(['self', *given])}) -> None: ..."
        for key in sorted(members):
            thing = vars(type_)[key]
            if key in SPECIAL:
                yield f"    def {key}(self) -> {self.annotation(SPECIAL[key], name, members)}: ..."
            elif key in ("__matmul__", "__mul__"):
                yield "    @overload"
                yield f"    def {key}(self, other: {name}) -> {name}: ..."
                yield "    @overload"
                yield f"    def {key}(self, other: NDArray[Any] | list[Any] | tuple[Any, ...]) -> _Array: ..."
            elif key.startswith("_"):
                continue
            elif isinstance(thing, staticmethod):
                yield "    @staticmethod"
                yield "    " + self.function(key, thing.__func__, name, members, True)
            elif isinstance(thing, property) or inspect.isgetsetdescriptor(thing):
                yield from self.attribute(key, thing, name, members)
            elif callable(thing):
                yield "    " + self.function(key, thing, name, members)
        yield "    ..."

    def text(self):
        lines = ["__version__: str", "", "class Error(RuntimeError):", "    message: str", "    file: str", "    line: int",
                 "    column: int", "    path: str", "    hint: str", "    diagnostics: Sequence[dict[str, Any]]", ""]
        for name in sorted(self.classes - {"Error"}):
            base = self.public[name].__bases__[0]
            lines += [f"class {name}({base.__name__}): ...", ""] if issubclass(base, Exception) else [*self.class_(name), ""]
        for name in sorted(set(self.public) - self.classes):
            if callable(self.public[name]):
                lines.append(self.function(name, self.public[name]))
        text = HEADER + "\n".join(lines) + "\n"
        return text.replace("import os\n", "import builtins\nimport os\n", 1) if "builtins." in text else text


def closing(text, start):
    """The place of the bracket that closes the one at `start`; -1 without one."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if depth == 0:
            return place
    return -1


def split(text):
    """The parts between commas that stand in no bracket."""
    parts, depth, part = [], 0, ""
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += letter
    return [*parts, part.strip()] if part.strip() else parts


def partition(text, separator):
    """As str.partition, for a separator that stands in no bracket."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == separator and depth == 0:
            return text[:place], separator, text[place + 1:]
    return text, "", ""


def stubs():
    """The text of the stub file."""
    return Writer().text()


if __name__ == "__main__":
    TARGET.write_text(stubs())
    print(f"wrote {TARGET}")
