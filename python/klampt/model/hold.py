"""Holds and their files, under the name of versions before 0.9: newer programs use klampt.model.contact and klampt.io.loader."""

from ..io import _text
from .contact import Hold

__all__ = ["Hold", "load", "readHold", "save", "writeHold"]

readHold, writeHold = _text.read_Hold, _text.write_Hold


def load(file):
    """The hold of a .hold file."""
    with open(file) as f:
        return readHold(f.read())


def save(hold, file):
    """Writes a .hold file."""
    with open(file, "w") as f:
        f.write(writeHold(hold) + "\n")
