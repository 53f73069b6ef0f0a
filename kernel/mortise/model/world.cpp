#include "mortise/model/world.h"

#include "mortise/base/error.h"

namespace mortise {

int World::robotId(int i) const {
  int id = static_cast<int>(terrains.size() + objects.size());
  for (int r = 0; r < i; ++r) id += 1 + robots[r].robot->numLinks();
  return id;
}

int World::numIds() const { return robotId(static_cast<int>(robots.size())); }

World::Entity World::entity(int id) const {
  int rest = id;
  if (rest >= 0) {
    const int numTerrains = static_cast<int>(terrains.size()), numObjects = static_cast<int>(objects.size());
    if (rest < numTerrains) return {Kind::terrain, rest, -1};
    rest -= numTerrains;
    if (rest < numObjects) return {Kind::object, rest, -1};
    rest -= numObjects;
    for (std::size_t r = 0; r < robots.size(); ++r) {
      if (rest == 0) return {Kind::robot, static_cast<int>(r), -1};
      const int numLinks = robots[r].robot->numLinks();
      if (rest <= numLinks) return {Kind::link, static_cast<int>(r), rest - 1};
      rest -= 1 + numLinks;
    }
  }
  throw Error("the world has no entity with id " + std::to_string(id) + "; ids go from 0 to " +
              std::to_string(numIds() - 1));
}

std::string World::nameOf(int id) const {
  const Entity e = entity(id);
  switch (e.kind) {
    case Kind::terrain:
      return terrains[e.index].name;
    case Kind::object:
      return objects[e.index].name;
    case Kind::robot:
      return robots[e.index].name;
    case Kind::link:
      return robots[e.index].name + "[" + robots[e.index].robot->link(e.link).name + "]";
  }
  return {};
}

Surface World::simulationSurface(int id) const {
  const Entity e = entity(id);
  Surface surface;
  switch (e.kind) {
    case Kind::terrain:
      surface = terrains[e.index].surface;
      break;
    case Kind::object:
      surface = objects[e.index].surface;
      break;
    case Kind::robot:
      throw Error("a robot as a whole has no surface; ask for one of its links");
    case Kind::link:
      surface = linkSurface();
      break;
  }
  for (const auto& [target, change] : simulation.surfaces) {
    if (target != id) continue;
    surface.friction = change.friction.value_or(surface.friction);
    surface.restitution = change.restitution.value_or(surface.restitution);
    surface.stiffness = change.stiffness.value_or(surface.stiffness);
    surface.damping = change.damping.value_or(surface.damping);
    if (change.padding) surface.padding = change.padding;
    surface.preshrink = change.preshrink.value_or(surface.preshrink);
    surface.rolling = change.rolling.value_or(surface.rolling);
  }
  if (!surface.padding) surface.padding = e.kind == Kind::terrain ? 0 : kDefaultPadding;
  return surface;
}

}  // namespace mortise
