"""When two values of the runner are equal, and how a difference is shown."""

import math
import re


def groups():
    from klampt_runner import GROUPS
    return GROUPS


def bare(value):
    """An array is its numbers: whether a list or an array came back is not a matter of right or wrong."""
    return value["array"] if isinstance(value, dict) and "array" in value else value


def number(value):
    return isinstance(value, (int, float))


def equal(a, b, tolerance):
    """Whether values agree: numbers to `tolerance` of the larger of 1 and their size, all else exactly."""
    a, b = bare(a), bare(b)
    if isinstance(a, dict) and isinstance(b, dict):
        if "raises" in a or "raises" in b:
            return "raises" in a and "raises" in b
        if "table" in a and "table" in b:
            x, y = a["table"], b["table"]
            return [key for key, _ in x] == [key for key, _ in y] and equal([v for _, v in x], [v for _, v in y], tolerance)
        return a == b
    if isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            return False
        # Numbers in a list are measured by the largest of them: parts of a vector share its scale.
        scale = max((abs(x) for x in a + b if number(x) and math.isfinite(x)), default=0)
        return all(near(x, y, tolerance, scale) if number(x) and number(y) else equal(x, y, tolerance) for x, y in zip(a, b))
    if number(a) and number(b):
        return near(a, b, tolerance, 0)
    return a == b


def near(a, b, tolerance, scale):
    if a == b or (isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b)):
        return True
    return math.isfinite(a) and math.isfinite(b) and abs(a - b) <= tolerance * max(1.0, scale, abs(a), abs(b))


def family(label):
    """A label without its numbers, to count differences of one call together."""
    return re.sub(r"-?\d+(\.\d+)?(e-?\d+)?", "#", label)


def first(a, b, tolerance, path=""):
    """Where two lists first differ."""
    a, b = bare(a), bare(b)
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b)):
            if not equal(x, y, tolerance):
                return first(x, y, tolerance, f"{path}[{i}]")
    return path, a, b


def short(value, most=600):
    text = str(bare(value))
    return text if len(text) <= most else text[:most] + f" ... ({len(text)} characters)"


def show(ours, theirs):
    text = f"ours: {short(ours)}\nreal: {short(theirs)}"
    if isinstance(bare(ours), list) and isinstance(bare(theirs), list):
        if len(bare(ours)) != len(bare(theirs)):
            return text + f"\nlengths {len(bare(ours))} and {len(bare(theirs))}"
        path, x, y = first(ours, theirs, 1e-9)
        return text + f"\nfirst at {path or 'the end'}: {short(x, 100)} and {short(y, 100)}"
    return text
