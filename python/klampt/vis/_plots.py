"""Plots of values over time, kept as lists."""

import csv


class Plots:
    """Plots by name; each has items with (time, value) rows and events."""

    def __init__(self):
        self.plots = {}

    def plot(self, name):
        """The plot of a name, made when it is new."""
        return self.plots.setdefault(name, {"items": {}, "events": [], "settings": {}})

    def remove(self, name):
        """Removes a plot; whether it was there."""
        return self.plots.pop(name, None) is not None

    def log(self, name, item, t, value):
        """Adds a value, or a list of values, of an item at time t."""
        self.plot(name)["items"].setdefault(item, []).append((t, value))

    def event(self, name, event, t, color):
        self.plot(name)["events"].append((t, event, color))

    def set(self, name, **settings):
        self.plot(name)["settings"].update(settings)

    def save(self, name, fn):
        """Writes rows (time, item, value) as CSV."""
        if fn is None:
            return
        with open(fn, "w", newline="") as f:
            out = csv.writer(f)
            out.writerow(["time", "item", "value"])
            for item, rows in self.plot(name)["items"].items():
                out.writerows([t, item, v] for t, v in rows)
