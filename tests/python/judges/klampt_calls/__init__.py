"""Random calls by subject. A module has CASES: name -> (function(place, rng, record), weight, tolerance)."""


def case(table, weight=1, tolerance=1e-9):
    """A decorator: enters a function in a module's CASES under its name."""
    def enter(function):
        table[function.__name__] = (function, weight, tolerance)
        return function
    return enter
