"""Writes the type stubs of the package, `python/mortise/_mortise.pyi`, from the extension's docstrings.

    PYTHONPATH=build/release/python python3 python/packaging/make_stubs.py

The first line of a docstring is the signature, `solve(start=None, **options) -> IKSolution`. Arguments are as wide as what the
extension takes (anything that numpy makes an array of), so they stay `Any`; results are precise.
"""

import inspect
import pathlib
import re

import mortise
from mortise import _mortise

TARGET = pathlib.Path(__file__).resolve().parents[1] / "mortise" / "_mortise.pyi"
HEADER = ('"""Types of the extension; written by python/packaging/make_stubs.py."""\n\n'
          "from typing import Any, Dict, List, Sequence, Tuple, overload\n\nimport numpy as np\nfrom numpy.typing import NDArray\n\n"
          "_Array = NDArray[np.float64]\n\n")
RESULTS = {"ndarray": "_Array", "str": "str", "int": "int", "bool": "bool", "float": "float", "dict": "Dict[str, Any]",
           "bytes": "bytes", "object": "Any", "list": "List[Any]", "": "None"}


def result_type(text, classes):
    """The annotation for what stands behind the arrow."""
    text = text.strip()
    if text.startswith("("):
        return "Tuple[" + ", ".join("float" if part.strip() in ("kinetic", "potential") else "_Array"
                                    for part in text[1:text.index(")")].split(",")) + "]"
    word = re.match(r"\w*", text).group()
    of = re.match(r"list of (\w+)", text)
    if of:
        inner = result_type(of.group(1), classes)
        return f"List[{inner}]" if inner != "Any" else "List[Any]"
    if word in classes:
        return word
    return RESULTS.get(word, "Any")


def arguments(text):
    """The arguments of a signature, each annotated."""
    parts = []
    for part in filter(None, (piece.strip() for piece in re.split(r",(?![^(]*\))", text))):
        name, _, default = part.partition("=")
        name = name.strip()
        if name in ("$self", "/"):
            continue
        parts.append(f"{name}: Any" + (" = ..." if default else ""))
    return ", ".join(parts)


def function(name, thing, classes, method):
    doc = inspect.getdoc(thing) or ""
    text = getattr(thing, "__text_signature__", None)
    if text:
        given, result = text[1:-1], ""
        shape = re.match(r"\(\d|\(\w+, ", doc)
        said = re.match(rf"{re.escape(name)}\(.*?\) -> (.*)$", doc.split("\n")[0])
        result = result_type(said.group(1), classes) if said else "_Array" if shape else "None"
    else:
        match = re.match(rf"{re.escape(name)}\((.*?)\)(?: -> (.*))?$", doc.split("\n")[0])
        if match is None:
            return f"def {name}({'self, ' if method else ''}*args: Any, **kwargs: Any) -> Any: ..."
        given, result = match.group(1), result_type(match.group(2) or "", classes)
    own = arguments(given)
    return f"def {name}({', '.join(filter(None, ['self' if method else '', own]))}) -> {result}: ..."


def members(name, type_, classes):
    yield f"class {name}:"
    doc = inspect.getdoc(type_) or ""
    constructor = re.match(rf"{name}\((.*?)\)\n", doc.replace("\n\n", "\n", 1) + "\n", re.DOTALL)
    if constructor:
        given = arguments(" ".join(constructor.group(1).split()))
        yield f"    def __init__({', '.join(filter(None, ['self', given]))}) -> None: ..."
    for key in sorted(vars(type_)):
        thing = vars(type_)[key]
        if key == "__len__":
            yield "    def __len__(self) -> int: ..."
        elif key == "__bool__":
            yield "    def __bool__(self) -> bool: ..."
        elif key in ("__matmul__", "__mul__"):
            yield "    @overload"
            yield f"    def {key}(self, other: {name}) -> {name}: ..."
            yield "    @overload"
            yield f"    def {key}(self, other: NDArray[Any] | List[Any] | Tuple[Any, ...]) -> _Array: ..."
        elif key.startswith("_"):
            continue
        elif isinstance(thing, staticmethod):
            yield "    @staticmethod"
            yield "    " + function(key, thing.__func__, classes, False)
        elif isinstance(thing, property):
            yield "    @property"
            yield f"    def {key}(self) -> Any: ..."
            if thing.fset is not None:
                yield f"    @{key}.setter"
                yield f"    def {key}(self, value: Any) -> None: ..."
        elif inspect.isgetsetdescriptor(thing):
            yield "    @property"
            yield f"    def {key}(self) -> _Array: ..."
            if key in ("q", "dq"):
                yield f"    @{key}.setter"
                yield f"    def {key}(self, value: Any) -> None: ..."
        elif callable(thing):
            yield "    " + function(key, thing, classes, True)
    yield "    ..."


def stubs():
    """The text of the stub file."""
    public = {name: getattr(_mortise, name) for name in mortise.__all__ if hasattr(_mortise, name)}
    classes = {name for name, thing in public.items() if inspect.isclass(thing)}
    lines = ["__version__: str", "", "class Error(RuntimeError):", "    message: str", "    file: str", "    line: int",
             "    column: int", "    path: str", "    hint: str", "    diagnostics: Sequence[Dict[str, Any]]", ""]
    for name in sorted(classes - {"Error"}):
        lines += list(members(name, public[name], classes)) + [""]
    for name in sorted(set(public) - classes):
        if callable(public[name]):
            lines.append(function(name, public[name], classes, False))
    return HEADER + "\n".join(lines) + "\n"


if __name__ == "__main__":
    TARGET.write_text(stubs())
    print(f"wrote {TARGET}")
