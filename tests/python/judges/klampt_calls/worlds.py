"""Worlds: Klamp't's files, ids, changes."""

from . import case, draw

CASES = {}
SMALL = ("tx90scenario0.xml", "tx90cuptable.xml", "tx90blocks.xml", "block.xml", "tx90roll.xml", "tx90sphere.xml", "tx90cylinder.xml",
         "hubo_plane.xml", "tx90obstacles.xml")


@case(CASES, 1, 1e-6)
def files(place, rng, record):
    """What is in a world that was read."""
    k = place.klampt
    name = rng.choice([n for n in SMALL if (place.data / n).exists()])
    record("files", name)
    world = place.keep(("world", name), lambda: k.WorldModel())
    if world.numIDs() == 0:
        record.call("readFile", world.readFile, str(place.data / name))
    record("numbers", [world.numRobots(), world.numRigidObjects(), world.numTerrains(), world.numIDs()])
    record("names", [world.getName(i) for i in range(world.numIDs())])
    for i in range(min(world.numRigidObjects(), 5)):
        o = world.rigidObject(i)
        m, s = o.getMass(), o.getContactParameters()
        record(f"object {i}", [o.getName(), o.getID(), [list(x) for x in o.getTransform()]])
        record(f"object {i}: mass", [m.getMass(), m.getCom(), m.getInertia()], 1e-4)
        record(f"object {i}: surface", [s.kFriction, s.kRestitution, s.kStiffness, s.kDamping])
        record(f"object {i}: geometry", [o.geometry().type(), o.geometry().numElements(), o.geometry().getBBTight()])
    for i in range(world.numTerrains()):
        t = world.terrain(i)
        record(f"terrain {i}", [t.getName(), t.getID(), t.geometry().type(), t.geometry().numElements()])
    for i in range(world.numRobots()):
        r = world.robot(i)
        record(f"robot {i}", [r.getName(), r.getID(), r.numLinks(), r.numDrivers(), r.getConfig()])


@case(CASES, 1, 1e-9)
def changes(place, rng, record):
    """Things that are made, named, found, removed."""
    k = place.klampt
    world = k.WorldModel()
    names = ["a", "b", "c"]
    for name in names:
        o = world.makeRigidObject(name)
        o.setTransform(*draw.transform(rng))
    world.makeTerrain("t")
    world.makeRobot("r")
    record("numIDs", world.numIDs())
    record.call("rigidObject by name", lambda: world.rigidObject("b").getID())
    record.call("rigidObject of none", lambda: world.rigidObject("nothing").getName())
    record.call("rigidObject(9)", lambda: world.rigidObject(9).getName())
    record.call("getName", world.getName, 2)
    record.call("remove", world.remove, world.rigidObject("a"))
    record("after remove", [world.numRigidObjects(), world.rigidObject(0).getName()])
    copy = world.copy()
    record("copy", [copy.numRigidObjects(), copy.numTerrains(), copy.numRobots()])
    o = world.rigidObject(0)
    w, v = draw.vector(rng), draw.vector(rng)
    o.setVelocity(w, v)
    record("getVelocity", [list(x) for x in o.getVelocity()])
    record.call("readFile of none", world.readFile, "/nonexistent.xml")
    record.call("loadElement of none", world.loadElement, "/nonexistent.off")
    m = o.getMass()
    record("mass of a new one", [m.getMass(), m.getCom(), m.getInertia()])
    s = o.getContactParameters()
    record("surface of a new one", [s.kFriction, s.kRestitution, s.kStiffness, s.kDamping])
