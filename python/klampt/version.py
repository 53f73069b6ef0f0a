"""Version of Klamp't whose programs run here."""

__version__ = "0.10.1"
