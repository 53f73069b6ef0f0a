"""The compiled part, and what several modules here share."""

import weakref

from mortise import _mortise

native = getattr(_mortise, "robotsim")  # noqa: B009 (the stubs leave it out)

#: Worlds by the number that handles show as `world`.
_worlds: "weakref.WeakValueDictionary[int, object]" = weakref.WeakValueDictionary()
_next_world = 0


class WorldState:
    """The state that all handles of one world share, and keep alive."""

    def __init__(self, world):
        global _next_world
        self.native = world
        self.number = _next_world
        _next_world += 1
        _worlds[self.number] = self


def world_by_number(number):
    """The state of a world by its number. Raises RuntimeError when it is gone."""
    try:
        return _worlds[number]
    except KeyError:
        raise RuntimeError("there is no world %d" % number) from None


def find_by_name(items, key, what, owner):
    """Index of an item by index or name. Raises RuntimeError that lists the names."""
    if isinstance(key, str):
        names = [item.name for item in items]
        if key in names:
            return names.index(key)
        raise RuntimeError("%s has no %s '%s'; there %s" % (
            owner, what, key, "is none" if not names else "are " + ", ".join(names[:20])))
    index = int(key)
    if not 0 <= index < len(items):
        raise RuntimeError("%s has no %s %d: there are %d" % (owner, what, index, len(items)))
    return index
