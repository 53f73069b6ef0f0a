"""The state of components written in Python, as bytes: the same state always gives the same ones.

Not pickle, whose bytes depend on which equal texts are one object, so that a restored simulation would have another state
hash than the one that was saved.
"""

import collections
import random
import struct
import types
import weakref
from typing import Any, Dict, List, Tuple

import numpy as np


class Unsaveable(TypeError):
    """Says which type cannot be saved."""


_FIXED = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType, weakref.ref,
          *weakref.ProxyTypes)


def _fields(value: Any) -> Dict[str, Any]:
    """The attributes of an object of a class written in Python."""
    kind = type(value)
    attributes = getattr(value, "__dict__", None)
    if not isinstance(attributes, dict) or kind.__module__.partition(".")[0] in ("mortise", "builtins", "numpy"):
        raise Unsaveable(f"{kind.__module__}.{kind.__qualname__}")
    return attributes


def _put(out: List[bytes], tag: bytes, data: bytes = b"", count: int = -1) -> None:
    out.append(tag)
    out.append(struct.pack("<q", len(data) if count < 0 else count))
    out.append(data)


def _encode(value: Any, out: List[bytes], within: Tuple[int, ...]) -> None:
    if value is None:
        return _put(out, b"N")
    kind = type(value)
    if kind is bool:
        return _put(out, b"B", b"1" if value else b"0")
    if kind is int:
        return _put(out, b"I", str(value).encode())
    if kind is float:
        return _put(out, b"F", struct.pack("<d", value))
    if kind is str:
        return _put(out, b"S", value.encode("utf-8", "surrogatepass"))
    if kind in (bytes, bytearray):
        return _put(out, b"Y" if kind is bytes else b"y", bytes(value))
    if id(value) in within:
        raise Unsaveable("an object that refers to itself")
    within += (id(value),)
    if isinstance(value, np.generic):
        value = np.asarray(value)
        _put(out, b"g")
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject or value.dtype.fields is not None:
            raise Unsaveable(f"numpy.ndarray of {value.dtype}")
        _put(out, b"A", f"{value.dtype.str} {' '.join(map(str, value.shape))}".encode())
        return _put(out, b"Y", value.tobytes())
    if kind in (list, tuple, collections.deque):
        _put(out, b"L" if kind is list else b"T" if kind is tuple else b"Q", count=len(value))
        if kind is collections.deque:
            _encode(value.maxlen, out, within)
        for item in value:
            _encode(item, out, within)
        return None
    if kind in (set, frozenset):
        items = sorted(encode(item) for item in value)
        _put(out, b"E" if kind is set else b"e", count=len(items))
        out.extend(items)
        return None
    if kind in (dict, collections.OrderedDict):
        _put(out, b"D", count=len(value))
        for key, item in value.items():
            _encode(key, out, within)
            _encode(item, out, within)
        return None
    if isinstance(value, np.random.Generator):
        _put(out, b"G")
        return _encode(value.bit_generator.state, out, within)
    if isinstance(value, random.Random) and kind is random.Random:
        _put(out, b"R")
        return _encode(value.getstate(), out, within)
    if isinstance(value, _FIXED):
        raise Unsaveable(kind.__name__)
    _put(out, b"O")
    return _encode(saved_attributes(value, _fields(value), within)[0], out, within)


def encode(value: Any) -> bytes:
    """Raises Unsaveable."""
    out: List[bytes] = []
    _encode(value, out, ())
    return b"".join(out)


def saveable(value: Any) -> bool:
    """Says whether `encode` takes it."""
    try:
        encode(value)
    except Unsaveable:
        return False
    return True


def saved_attributes(owner: Any, attributes: Dict[str, Any], within: Tuple[int, ...] = (),
                     without: Any = ()) -> Tuple[Dict[str, Any], List[str]]:
    """Those attributes that can be saved, in the order of their names, and what is left out: 'net (torch.Module)'."""
    kept, left = {}, []
    for name in sorted(attributes):
        if name in without:
            continue
        value = attributes[name]
        try:
            _encode(value, [], within + (id(owner),))
            kept[name] = value
        except Unsaveable as problem:
            if not isinstance(value, _FIXED) and type(value).__module__.partition(".")[0] != "mortise":
                left.append(f"{name} ({problem})")
    return kept, left


class _Object:
    """Attributes for an object that is there; or the state of a random generator."""

    def __init__(self, tag: bytes, state: Any) -> None:
        self.tag, self.state = tag, state


def _decode(data: bytes, at: int) -> Tuple[Any, int]:
    tag, count = data[at:at + 1], struct.unpack_from("<q", data, at + 1)[0]
    at += 9
    if tag in b"NBIFSYyA":
        piece, at = data[at:at + count], at + count
        if tag == b"N":
            return None, at
        if tag == b"B":
            return piece == b"1", at
        if tag == b"I":
            return int(piece), at
        if tag == b"F":
            return struct.unpack("<d", piece)[0], at
        if tag == b"S":
            return piece.decode("utf-8", "surrogatepass"), at
        if tag == b"Y":
            return piece, at
        if tag == b"y":
            return bytearray(piece), at
        dtype, *shape = piece.decode().split(" ")
        numbers, at = _decode(data, at)
        return np.frombuffer(numbers, dtype).reshape([int(n) for n in shape if n]).copy(), at
    if tag == b"g":
        value, at = _decode(data, at)
        return value[()], at
    if tag in (b"G", b"R", b"O"):
        state, at = _decode(data, at)
        return _Object(tag, state), at
    limit = None
    if tag == b"Q":
        limit, at = _decode(data, at)
    items = []
    for _ in range(2 * count if tag == b"D" else count):
        item, at = _decode(data, at)
        items.append(item)
    if tag == b"D":
        return dict(zip(items[::2], items[1::2])), at
    makers: Dict[bytes, Any] = {b"L": list, b"T": tuple, b"E": set, b"e": frozenset,
                                b"Q": lambda all: collections.deque(all, limit)}
    return makers[tag](items), at


def decode(data: bytes) -> Any:
    """Returns what `encode` was given."""
    return _decode(data, 0)[0]


def _put_back(new: Any, now: Any) -> Any:
    """`new`, or `now` with the state of `new` where it stays the same object."""
    if isinstance(new, _Object):
        if new.tag == b"G":
            now.bit_generator.state = new.state
        elif new.tag == b"R":
            now.setstate(new.state)
        else:
            put_attributes(now, new.state)
        return now
    if isinstance(new, np.ndarray) and isinstance(now, np.ndarray) and now.flags.writeable \
            and now.shape == new.shape and now.dtype == new.dtype:
        now[...] = new
        return now
    if isinstance(new, list) and isinstance(now, list) and len(new) == len(now):
        return [_put_back(a, b) for a, b in zip(new, now)]
    if isinstance(new, tuple) and isinstance(now, tuple) and len(new) == len(now):
        return tuple(_put_back(a, b) for a, b in zip(new, now))
    if isinstance(new, dict) and isinstance(now, dict):
        return {key: _put_back(value, now.get(key)) for key, value in new.items()}
    return new


def put_attributes(owner: Any, attributes: Dict[str, Any], without: Any = ()) -> None:
    """Attributes as they were saved; those that came later and could be saved go."""
    later = [name for name in saved_attributes(owner, vars(owner), (), without)[0] if name not in attributes]
    for name in later:
        delattr(owner, name)
    for name, value in attributes.items():
        setattr(owner, name, _put_back(value, getattr(owner, name, None)))


def save(component: Any, without: Any, untyped: Any) -> Tuple[bytes, List[str]]:
    """The component's state, nothing where it has none; and what was left out: 'net (torch.Module)'.

    Of its settings only those that change and have no type, `untyped`.
    """
    own = getattr(component, "save", None)
    if callable(own):
        return encode((own(), {name: getattr(component, name) for name in untyped})), []
    kept, left = saved_attributes(component, vars(component), (), without)
    return (encode(kept) if kept else b""), left


def restore(component: Any, without: Any, untyped: Any, data: bytes) -> None:
    """Back to what `save` returned."""
    if callable(getattr(component, "save", None)):
        state, settings = decode(data)
        for name in untyped:
            setattr(component, name, settings[name])
        component.restore(state)
    else:
        put_attributes(component, decode(data) if data else {}, without)


def initial(component: Any, without: Any, changeable: Any) -> Any:
    """Returns how it was before the first start, for later ones. A component with its own `save` starts from its settings."""
    state = None
    if not callable(getattr(component, "save", None)):
        state = encode(saved_attributes(component, vars(component), (), without)[0])
    return encode({name: getattr(component, name) for name in changeable}), state


def begin_anew(component: Any, without: Any, before: Any) -> None:
    """Back to what `initial` returned."""
    for name, value in decode(before[0]).items():
        setattr(component, name, value)
    if before[1] is not None:
        put_attributes(component, decode(before[1]), without)
