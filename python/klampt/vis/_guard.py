"""Calls into programs, whose errors end no window."""

import sys
import traceback


def guarded(function):
    """Calls a program's function; what it raises is reported, the window goes on."""
    try:
        return function()
    except SystemExit:
        raise
    except Exception:
        print("vis: an exception in a callback:", file=sys.stderr)
        traceback.print_exc()
        return None
