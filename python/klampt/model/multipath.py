"""Paths in sections, each with its contacts and constraints, as in Klamp't's XML files."""

import math
import xml.etree.ElementTree as ET

from ..math import so3, vectorops
from . import trajectory as trajectories
from .contact import Hold
from .trajectory import HermiteTrajectory, Trajectory


class MultiPath:
    """sections, settings, and holdSet, the holds that sections share by key."""

    class Section:
        """configs, with times and velocities or None; holds, holdIndices, ikObjectives."""

        def __init__(self):
            self.settings = {}
            self.configs = []
            self.velocities = None
            self.times = None
            self.holds = []
            self.holdIndices = []
            self.ikObjectives = []

    def __init__(self):
        self.sections = []
        self.settings = {}
        self.holdSet = {}

    def numSections(self):
        return len(self.sections)

    def startConfig(self):
        return self.sections[0].configs[0]

    def endConfig(self):
        return self.sections[-1].configs[-1]

    def hasTiming(self):
        """Returns whether milestones have times."""
        return bool(self.sections) and self.sections[0].times is not None

    def startTime(self):
        return self.sections[0].times[0] if self.hasTiming() else 0

    def endTime(self):
        if self.hasTiming():
            return self.sections[-1].times[-1]
        return sum(len(s.configs) - 1 for s in self.sections)

    def duration(self):
        return self.endTime() - self.startTime()

    def checkValid(self):
        """Raises ValueError when times or sizes do not fit."""
        last = self.startTime()
        for i, s in enumerate(self.sections):
            if (s.times is not None) != self.hasTiming():
                raise ValueError(f"section {i} and section 0 differ in having times")
            if s.times is None:
                if len(s.configs) <= 1:
                    raise ValueError(f"section {i} has fewer than two configurations")
                continue
            if len(s.times) != len(s.configs):
                raise ValueError(f"section {i} has {len(s.configs)} configurations and "
                                 f"{len(s.times)} times")
            for t in s.times:
                if t < last:
                    raise ValueError(f"the times of section {i} are not sorted")
                last = t
        return True

    def isContinuous(self):
        """Returns whether sections begin where the ones before end."""
        return all(a.configs[-1] == b.configs[0]
                   for a, b in zip(self.sections, self.sections[1:]))

    def getSectionTiming(self, section):
        """(start, end) of a section."""
        assert 0 <= section < len(self.sections), f"there are {len(self.sections)} sections"
        s = self.sections[section]
        if self.hasTiming():
            return (s.times[0], s.times[-1])
        start = sum(len(p.configs) - 1 for p in self.sections[:section])
        return (start, start + len(s.configs) - 1)

    def getStance(self, section):
        """Holds of a section."""
        s = self.sections[section]
        res = s.holds + [self.holdSet[k] for k in s.holdIndices]
        for g in s.ikObjectives:
            h = Hold()
            h.link, h.ikConstraint = g.link(), g
            res.append(h)
        return res

    def getIKProblem(self, section):
        """IK objectives of a section."""
        return [h.ikConstraint for h in self.getStance(section)]

    def aggregateHolds(self, holdSimilarityThreshold=None):
        """Moves holds to holdSet; those within a threshold of each other become one."""
        for s in self.sections:
            for h in s.holds:
                key = None
                if holdSimilarityThreshold is not None:
                    key = next((k for k, other in self.holdSet.items()
                                if _similar(h, other, holdSimilarityThreshold)), None)
                if key is None:
                    key = len(self.holdSet)
                    self.holdSet[key] = h
                s.holdIndices.append(key)
            s.holds = []

    def deaggregateHolds(self):
        """Moves holds from holdSet to the sections."""
        for s in self.sections:
            s.holds += [self.holdSet[k] for k in s.holdIndices]
            s.holdIndices = []
        self.holdSet = {}

    def setConfig(self, section, configIndex, q, v=None, t=None, maintainContinuity=True):
        """Replaces a milestone, and the same one of neighboring sections."""
        s = self.sections[section]
        k = configIndex if configIndex >= 0 else len(s.configs) - 1
        s.configs[k] = q
        if v is not None:
            s.velocities[k] = v
        if t is not None:
            s.times[k] = t
        if not maintainContinuity:
            return
        if k == 0 and section > 0:
            self.setConfig(section - 1, -1, q, v, t, False)
        if k + 1 == len(s.configs) and section + 1 < len(self.sections):
            self.setConfig(section + 1, 0, q, v, t, False)

    def concat(self, path):
        """Goes on with another path, whose times and holds' names are moved."""
        names = {}
        for key, h in path.holdSet.items():
            new, k = key, 2
            while new in self.holdSet:
                new, k = f"{key}({k})", k + 1
            names[key] = new
            self.holdSet[new] = h
        shift = self.endTime() if path.hasTiming() and self.sections else 0.0
        for s in path.sections:
            if s.times is not None:
                s.times = [t + shift for t in s.times]
            s.holdIndices = [names.get(k, k) for k in s.holdIndices]
            self.sections.append(s)

    def save(self, fn):
        """Writes an XML file."""
        tree = self.saveXML()
        ET.indent(tree)
        tree.write(fn, encoding="utf-8", xml_declaration=True)

    def load(self, fn):
        """Reads an XML file."""
        self.loadXML(ET.parse(fn))

    def saveXML(self):
        """The path as an ElementTree."""
        from ..io import _text
        root = ET.Element("multipath", {k: str(v) for k, v in self.settings.items()})
        for s in self.sections:
            xs = ET.SubElement(root, "section", {k: str(v) for k, v in s.settings.items()})
            for goal in s.ikObjectives:
                ET.SubElement(xs, "ikgoal").text = getattr(goal, "text", None) or (
                    _text.write_IKObjective(goal))
            for h in s.holds:
                ET.SubElement(xs, "hold").text = _text.write_Hold(h)
            for key in s.holdIndices:
                ET.SubElement(xs, "hold").set("index" if isinstance(key, int) else "name", str(key))
            for i, q in enumerate(s.configs):
                xm = ET.SubElement(xs, "milestone", config=_text.write_Vector(q))
                if s.times is not None:
                    xm.set("time", str(s.times[i]))
                if s.velocities is not None:
                    xm.set("velocity", _text.write_Vector(s.velocities[i]))
        for key, h in self.holdSet.items():
            xh = ET.SubElement(root, "hold")
            if not isinstance(key, int):
                xh.set("name", str(key))
            xh.text = _text.write_Hold(h)
        return ET.ElementTree(root)

    def loadXML(self, tree):
        """Takes the path from an ElementTree."""
        from ..io import _text
        root = tree.getroot()
        self.sections, self.holdSet, self.settings = [], {}, dict(root.attrib)
        for xs in root.findall("section"):
            s = MultiPath.Section()
            s.settings = dict(xs.attrib)
            for m in xs.findall("milestone"):
                if "config" not in m.attrib:
                    raise ValueError(f"a milestone of section {len(self.sections)} has no config")
                s.configs.append(_text.read_Vector(m.attrib["config"]))
                if "time" in m.attrib:
                    s.times = (s.times or []) + [float(m.attrib["time"])]
                if "velocity" in m.attrib:
                    s.velocities = (s.velocities or []) + [_text.read_Vector(m.attrib["velocity"])]
            for g in xs.findall("ikgoal"):
                s.ikObjectives.append(_text.read_IKObjective(g.text))
                s.ikObjectives[-1].text = g.text
            for h in xs.findall("hold"):
                if "index" in h.attrib:
                    s.holdIndices.append(int(h.attrib["index"]))
                elif "name" in h.attrib:
                    s.holdIndices.append(h.attrib["name"])
                else:
                    s.holds.append(_text.read_Hold(h.text))
            self.sections.append(s)
        for h in root.findall("hold"):
            self.holdSet[h.attrib.get("name", len(self.holdSet))] = _text.read_Hold(h.text)

    def timeToSection(self, t):
        """Index of the section at a time; -1 before, numSections() after."""
        if not self.hasTiming():
            return int(math.floor(t * len(self.sections)))
        if t < self.startTime():
            return -1
        return next((i for i, s in enumerate(self.sections) if t < s.times[-1]),
                    len(self.sections))

    def timeToSegment(self, t):
        """(section, segment, u) at a time."""
        i = self.timeToSection(t)
        if i < 0 or i >= len(self.sections):
            return (i, 0, 0)
        s = self.sections[i]
        if not self.hasTiming():
            x = (len(s.configs) - 1) * (t * len(self.sections) - i)
            return (i, int(math.floor(x)), x - math.floor(x))
        k, u = trajectories.Trajectory(s.times, s.configs).getSegment(t)
        return (i, max(k, 0), u)

    def eval(self, t):
        """The configuration at a time, in straight lines."""
        i, k, u = self.timeToSegment(t)
        if i < 0:
            return self.startConfig()
        if i >= len(self.sections):
            return self.endConfig()
        q = self.sections[i].configs
        return q[k] if u == 0 else vectorops.interpolate(q[k], q[k + 1], u)

    def setTrajectory(self, trajectory):
        """Becomes one section with the milestones of a trajectory or list."""
        self.holdSet, self.settings = {}, {"program": "setTrajectory"}
        s = MultiPath.Section()
        self.sections = [s]
        if not isinstance(trajectory, Trajectory):
            s.configs = list(trajectory)
            return
        s.times, s.configs = list(trajectory.times), list(trajectory.milestones)
        if isinstance(trajectory, HermiteTrajectory):
            n = len(s.configs[0]) // 2
            s.configs, s.velocities = [m[:n] for m in s.configs], [m[n:] for m in s.configs]

    def getTrajectory(self, robot=None, eps=None):
        """The path as a trajectory; with robot and eps, constraints kept every eps."""
        curved = self.sections[0].velocities is not None
        if robot is not None:
            res = trajectories.RobotTrajectory(robot)
        else:
            res = trajectories.HermiteTrajectory() if curved else trajectories.Trajectory()
        times, points = [], []
        for i, s in enumerate(self.sections):
            ts = s.times if self.hasTiming() else [len(points) + k for k in range(len(s.configs))]
            qs = list(s.configs)
            if robot is not None and eps is not None:
                ts, qs = self._refined(robot, i, ts, qs, eps)
            elif curved and robot is None:
                qs = [list(q) + list(v) for q, v in zip(qs, s.velocities)]
            last = i + 1 == len(self.sections)
            times += ts if last else ts[:-1]
            points += qs if last else qs[:-1]
        res.times, res.milestones = list(times), points
        return res

    def _refined(self, robot, section, ts, qs, eps):
        from ..plan.robotcspace import ClosedLoopRobotCSpace
        space = ClosedLoopRobotCSpace(robot, self.getIKProblem(section))
        times, points = [ts[0]], [qs[0]]
        for t0, t1, a, b in zip(ts, ts[1:], qs, qs[1:]):
            pieces = space.interpolationPath(a, b, eps)[1:]
            times += [t0 + (t1 - t0) * (k + 1) / len(pieces) for k in range(len(pieces))]
            points += pieces
        return times, points


def _similar(a, b, tol):
    """Returns whether two holds agree within a tolerance."""
    if a.link != b.link or len(a.contacts) != len(b.contacts):
        return False
    p, q = a.ikConstraint, b.ikConstraint
    if (p.numPosDims(), p.numRotDims()) != (q.numPosDims(), q.numRotDims()):
        return False
    if p.numPosDims() == 3 and any(vectorops.distance(x, y) > tol
                                   for x, y in zip(p.getPosition(), q.getPosition())):
        return False
    if p.numRotDims() == 3 and so3.distance(p.getRotation(), q.getRotation()) > tol:
        return False
    return all(vectorops.distance(c.tolist(), d.tolist()) <= tol
               for c, d in zip(a.contacts, b.contacts))


def _config_text(q):
    """A configuration as its file holds it."""
    return "%d\t%s" % (len(q), " ".join(repr(float(x)) for x in q))


def main(arguments=None):
    """Prints or changes MultiPaths: `python3 -m klampt.model.multipath -s path.xml > start.config`."""
    import argparse
    parser = argparse.ArgumentParser(prog="multipath.py", description="print or change MultiPath files")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("-s", "--start", action="store_true", help="print the start configuration")
    what.add_argument("-g", "--goal", action="store_true", help="print the goal configuration")
    what.add_argument("-a", "--aggregate", action="store_true", help="keep holds that sections share once")
    what.add_argument("-d", "--deaggregate", action="store_true", help="give each section its own holds")
    what.add_argument("-c", "--concatenate", action="store_true", help="join several paths, one after another")
    parser.add_argument("-o", "--output", metavar="FILE", help="the MultiPath to write, with -a, -d and -c")
    parser.add_argument("files", nargs="+", metavar="FILE", help="MultiPath .xml")
    given = parser.parse_args(arguments)
    changes = given.aggregate or given.deaggregate or given.concatenate
    if changes != (given.output is not None):
        parser.error("-a, -d and -c need -o FILE" if changes else "-o goes with -a, -d and -c")
    if len(given.files) > 1 and not given.concatenate:
        parser.error("one file at a time, but with -c")
    paths = []
    for file in given.files:
        path = MultiPath()
        path.load(file)
        paths.append(path)
    first = paths[0]
    if given.start or given.goal:
        print(_config_text(first.startConfig() if given.start else first.endConfig()))
        return
    for path in paths[1:]:
        first.concat(path)
    if given.aggregate:
        first.aggregateHolds(1e-6)
    if given.deaggregate:
        first.deaggregateHolds()
    first.save(given.output)


if __name__ == "__main__":
    main()
