"""Old names of functions, kept for programs written for earlier versions."""

import sys
import warnings



def deprecated_names(module, **names):
    """Adds old names to a module, each a function that warns and calls the new one."""
    mod = sys.modules[module]
    for old, new in names.items():
        setattr(mod, old, _forwarder(module, old, new))


def _forwarder(module, old, new):
    def call(*args, **kwargs):
        warnings.warn(f"{module}.{old} is an old name, use {new}", DeprecationWarning, stacklevel=2)
        return getattr(sys.modules[module], new)(*args, **kwargs)
    call.__name__ = old
    call.__doc__ = f"Old name of {new}()."
    return call
