"""Controllers as blocks with inputs and outputs."""

from . import utils
from .core import Block, Sink, Source, SuperBlock

__all__ = ["Block", "SuperBlock", "Source", "Sink", "utils"]
