"""What a program shows, body by body."""


def bodies(thing):
    """The bodies of a world, a robot or a body."""
    if hasattr(thing, "numRobots"):
        parts = [thing.rigidObject(i) for i in range(thing.numRigidObjects())]
        parts += [thing.terrain(i) for i in range(thing.numTerrains())]
        return parts + [link for i in range(thing.numRobots()) for link in bodies(thing.robot(i))]
    return [thing.link(i) for i in range(thing.numLinks())] if hasattr(thing, "numLinks") else [thing]
