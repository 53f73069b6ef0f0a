"""Appearances of things in worlds: what their files say, and what programs change."""

from .appearance import Appearance

_TERRAIN, _OBJECT, _ROBOT = (0.8, 0.6, 0.2, 1.0), (0.4, 0.2, 0.8, 1.0), (0.5, 0.5, 0.5, 1.0)


def _numbers(value):
    if isinstance(value, str):
        value = value.split()
    try:
        numbers = tuple(float(v) for v in value)
    except (TypeError, ValueError):
        return None
    return numbers + (1.0,) * (4 - len(numbers)) if len(numbers) in (3, 4) else None


def _applied(appearance, attributes):
    for key, feature in (("color", Appearance.ALL), ("faceColor", Appearance.FACES), ("edgeColor", Appearance.EDGES),
                         ("vertexColor", Appearance.VERTICES)):
        color = _numbers(attributes.get(key, ()))
        if color is not None:
            appearance.setColor(feature, *color)
    radius = attributes.get("silhouette")
    if isinstance(radius, (int, float)):
        appearance.setSilhouette(radius)


def _made(id, color, display):
    appearance = Appearance()
    appearance.id = id
    appearance.setColor(Appearance.FACES, *color)
    for attributes in display:
        _applied(appearance, attributes)
    appearance._version = 0  # Cameras are told what is changed from here on.
    return appearance


def entity_appearance(entity, color):
    """Makes the appearance of a terrain or rigid object."""
    native = entity._entity
    if native.appearance is None:
        native.appearance = _made(entity.getID(), color, native.display())
    return native.appearance


def terrain_appearance(terrain):
    """Makes the appearance of a terrain."""
    return entity_appearance(terrain, _TERRAIN)


def object_appearance(object):
    """Makes the appearance of a rigid object."""
    return entity_appearance(object, _OBJECT)


def link_appearance(link):
    """Makes the appearance of a robot's link."""
    robot = link._robot
    if robot.appearances is None:
        robot.appearances = {}
    kept = robot.appearances
    if link.index not in kept:
        display = [] if link._state is None else link._state.native.robotDisplay(robot)
        own = [d for d in display if d.get("link") in (None, link.index, link.getName(), str(link.index))]
        kept[link.index] = _made(link.getID(), _ROBOT, own)
    return kept[link.index]
