"""What is wrong with the arguments of a call, for functions of the extension that take numbers, texts and objects of its types."""

import difflib
import operator
import re
import sys
from typing import Any, Dict, List, NamedTuple, Sequence, Tuple

import numpy as np

_WORDS = {"float": "a number", "int": "an integer", "bool": "True or False", "str": "a text", "bytes": "bytes", "function": "a function",
          "dict": "a dict", "list": "a list", "tuple": "a tuple", "iterable": "a sequence", "sequence": "a sequence"}


_UNNAMED = re.compile(r"arg\d+")


class _Parameter(NamedTuple):
    name: str
    type: str
    optional: bool


def _split(text: str) -> List[str]:
    """The parts between commas that stand in no bracket and no quotes."""
    parts, depth, quote, part = [], 0, "", ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        else:
            depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0 and not quote:
            parts.append(part.strip())
            part = ""
        else:
            part += letter
    return parts + [part.strip()] if part.strip() else parts


def _parameters(signature: str) -> List[_Parameter]:
    found = []
    for part in _split(signature):
        name, _, rest = part.partition(":")
        type_, _, default = rest.partition(" = ")
        found.append(_Parameter(name.strip(), type_.strip(), bool(default) or part.startswith("*")))
    return found


def _found(value: Any) -> str:
    """As the extension's own messages say it."""
    if value is None:
        return "None"
    if isinstance(value, (bool, int, float, str)):
        text = repr(value)
        return text if len(text) <= 60 else text[:57] + "..."
    if isinstance(value, (list, tuple)):
        return f"a {type(value).__name__} of {len(value)}"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape} and type {value.dtype}"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return f"a value of type {type(value).__name__}"


def _is_number(value: Any) -> bool:
    """Whether Python makes a real number of it; where it is too large, it is one."""
    if isinstance(value, (type, str, bytes, complex, np.complexfloating)) or np.ndim(value) != 0:
        return False
    try:
        float(value)
    except OverflowError:
        return True
    except Exception:
        return False
    return True


def _is_integer(value: Any) -> bool:
    try:
        operator.index(value)
    except Exception:
        return False
    return True


def _is_array(value: Any) -> bool:
    """Whether an array of numbers can be made of the value."""
    try:
        return np.asarray(value).dtype.kind in "fiub"
    except Exception:
        return False


def _is_numbers(value: Any) -> bool:
    """Whether the value is a list, tuple or array of one dimension that holds numbers alone."""
    if isinstance(value, (str, bytes, type, dict, set)):
        return False
    try:
        array = np.asarray(value)
    except Exception:
        return False
    return array.ndim == 1 and (array.size == 0 or array.dtype.kind in "fiub")


def _expected(type_: str) -> str:
    if type_ in _WORDS:
        return _WORDS[type_]
    if type_ == "Sequence[float]":
        return "a list of numbers"
    if re.match(r"(List|Sequence|Tuple|numpy\.ndarray)\b", type_):
        return "a list"
    if re.match(r"(Dict|Mapping)\b", type_):
        return "a dict"
    if type_.startswith(("Callable", "function")):
        return "a function"
    word = re.sub(r"^.*\.", "", type_)
    return ("an " if word[:1] in "AEIOU" else "a ") + word


def _misfit(value: Any, type_: str) -> str:
    """What of the value does not fit: of a list of numbers the first that is none."""
    if type_ == "Sequence[float]" and isinstance(value, (list, tuple)):
        for i, item in enumerate(value):
            if not _is_number(item):
                return f"{_found(item)} at index {i}"
    return _found(value)


def _fits(value: Any, type_: str) -> bool:
    """Whether the value can be what the type says; where that cannot be told, it can."""
    if type_ in ("handle", "object"):
        return True
    if type_ == "float":
        return _is_number(value)
    if type_ == "int":
        return _is_integer(value)
    if type_ == "bool":
        return isinstance(value, (bool, np.bool_))
    if type_ in ("str", "bytes"):
        return isinstance(value, str if type_ == "str" else bytes)
    if type_ in ("dict", "list", "tuple"):
        return type(value).__name__ == type_
    if type_ == "function" or type_.startswith("Callable"):
        return callable(value)
    if type_ == "Sequence[float]":
        return _is_numbers(value)
    if re.match(r"numpy\.ndarray\[", type_):
        return _is_array(value)
    if re.fullmatch(r"[\w.]+", type_):
        return any(base.__name__ == type_.rsplit(".", 1)[-1] for base in type(value).__mro__)
    return True


def _unnamed_mistake(name: str, parameters: Sequence[_Parameter], given: Tuple[Any, ...], named: Dict[str, Any]) -> str:
    """The same for a function whose parameters have no names, as of attributes and of what stands behind `klampt`."""
    if named:
        return f"{name}() takes no arguments by name, found '{next(iter(named))}'"
    if len(given) != len(parameters):
        what = f"{name}()" if name else "the attribute"
        return f"{what} takes {len(parameters)} argument{'' if len(parameters) == 1 else 's'}, found {len(given)}"
    of = f"{name}(): " if name else ""
    for parameter, value in zip(parameters, given):
        if not _fits(value, parameter.type):
            return f"{of}expected {_expected(parameter.type)}, found {_misfit(value, parameter.type)}"
    for parameter, value in zip(parameters, given):
        if parameter.type == "float" and isinstance(value, int) and abs(value) > 2 ** 1023:
            return f"{of}expected a number in range, found an integer of {value.bit_length()} bits"
        if parameter.type == "int" and _is_integer(value) and not 0 <= int(value) < 2 ** 31:
            return f"{of}expected an integer {'of at least 0' if int(value) < 0 else 'in range'}, found {int(value)}"
    return ""


def _caller() -> str:
    """The function of `klampt` that called the extension; "" for other callers, which called it themselves."""
    frame = sys._getframe(2)
    if not frame.f_globals.get("__name__", "").startswith("klampt."):
        return ""
    return "" if frame.f_code.co_name.startswith(("_", "<")) else frame.f_code.co_name


def _mistake(name: str, parameters: Sequence[_Parameter], given: Tuple[Any, ...], named: Dict[str, Any]) -> str:
    """What is wrong, or nothing where that cannot be told."""
    plain = [p for p in parameters if not p.name.startswith("*")]
    names = [p.name for p in plain]
    if plain and all(_UNNAMED.fullmatch(p.name) for p in plain):
        return _unnamed_mistake(name, plain, given, named)
    has_more = any(p.name.startswith("**") for p in parameters)
    values = dict(zip(names, given))
    if len(given) > len(plain) and not any(p.name.startswith("*") and not p.name.startswith("**") for p in parameters):
        return f"{name}() takes {len(plain)} argument{'' if len(plain) == 1 else 's'}, found {len(given)}"
    for key, value in named.items():
        if key in values:
            return f"{name}() got two values for '{key}'"
        if key not in names and not has_more:
            near = difflib.get_close_matches(key, names, 1, 0.5)
            known = f"did you mean '{near[0]}'?" if near else "its arguments are " + ", ".join(names) if names else "it takes none"
            return f"{name}() has no argument '{key}'; {known}"
        values[key] = value
    for parameter in plain:
        if parameter.name not in values:
            if not parameter.optional:
                return f"{name}() needs '{parameter.name}'"
        elif not _fits(values[parameter.name], parameter.type):
            return f"{parameter.name}: expected {_expected(parameter.type)}, found {_misfit(values[parameter.name], parameter.type)}"
    for parameter in plain:
        value = values.get(parameter.name)
        if parameter.type == "float" and isinstance(value, int) and abs(value) > 2 ** 1023:
            return f"{parameter.name}: expected a number in range, found an integer of {value.bit_length()} bits"
        if parameter.type == "int" and value is not None and _is_integer(value) and not 0 <= int(value) < 2 ** 31:
            return f"{parameter.name}: expected an integer {'of at least 0' if int(value) < 0 else 'in range'}, found {int(value)}"
    return ""


def explain(text: str, given: Tuple[Any, ...], named: Dict[str, Any]) -> str:
    """A sentence for pybind11's list of signatures, `text`; the list itself where no sentence can be found."""
    head, _, rest = text.partition("(): incompatible ")
    signatures = re.findall(r"^    \d+\. (.*)$", rest.partition("\n\nInvoked with:")[0], re.MULTILINE)
    mistakes = []
    for signature in signatures:
        of_class = re.match(r"([\w.]+)\(", signature)  # Of a constructor: the type, and no `self`.
        start = signature.index("(") + 1
        depth, end = 1, start
        while depth > 0 and end < len(signature):
            depth += (signature[end] in "([{") - (signature[end] in ")]}")
            end += 1
        parameters, arguments, name = _parameters(signature[start:end - 1]), given, head
        if of_class:
            name, arguments = of_class.group(1).rsplit(".", 1)[-1], given[1:]
        elif parameters and parameters[0].name == "self":
            if given and not _fits(given[0], parameters[0].type):
                return f"{name}() is a method of {parameters[0].type.rsplit('.', 1)[-1]}, found {_found(given[0])} for 'self'"
            parameters, arguments = parameters[1:], given[1:]
        elif not head and parameters and _fits(next(iter(given), None), parameters[0].type):
            parameters, arguments = parameters[1:], given[1:]  # Of an attribute: whose it is.
        mistakes.append(_mistake(_caller() or name, parameters, arguments, named))
    if not mistakes or not all(mistakes):
        return text
    return mistakes[0] if len(set(mistakes)) == 1 else "; or ".join(dict.fromkeys(mistakes))
