#include "mortise/simulation/scene/material_check.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mortise/base/position.h"
#include "mortise/base/value_text.h"

namespace mortise {

namespace {

/// Contact points that share a weight: those of a box on its face.
constexpr double kCarriers = 4;
/// Of an object's smallest extent: bodies that sink in deeper may fall through.
constexpr double kDepthShare = 0.25;

SourcePosition placeIn(const World& world, const SourcePosition& position) {
  return position.known() ? position : inFile(world.file);
}

SourcePosition placeOf(const World& world, World::Kind kind, int index) {
  const auto at = static_cast<std::size_t>(index);
  return kind == World::Kind::terrain  ? world.terrains[at].position
         : kind == World::Kind::object ? world.objects[at].position
                                       : world.robots[at].position;
}

void checkSurfaces(const World& world, Diagnostics& diagnostics) {
  for (int id = 0; id < world.numIds(); ++id) {
    const auto [kind, index, link] = world.entity(id);
    if (kind == World::Kind::robot) continue;  // Only its links have surfaces.
    const Surface surface = world.simulationSurface(id);
    if (surface.stiffness == 0)
      diagnostics.warning("'" + world.nameOf(id) + "' has a stiffness of 0: its contacts push nothing back",
                          placeIn(world, placeOf(world, kind, index)),
                          "write kStiffness=\"inf\" for a rigid surface, or N/m for each contact point");
    const double restitution = surface.restitution;
    if (!(restitution > 1)) continue;
    diagnostics.warning(
        "'" + world.nameOf(id) + "' has a restitution of " + formatReal(restitution) + ": its bounces add energy",
        placeIn(world, placeOf(world, kind, index)),
        "restitutions are between 0 and 1; write kRestitution=\"1\" at most");
  }
}

void checkInertia(const World& world, const RigidObject& object, Diagnostics& diagnostics) {
  if (object.inertia.mass > 0 && !object.inertia.physical())
    diagnostics.warning("object '" + object.name + "' has an inertia that no body can have",
                        placeIn(world, object.position), "automass=\"1\" computes one from the shape");
}

/// The id of the softest terrain; -1: all are rigid.
int softestTerrain(const World& world) {
  double stiffness = std::numeric_limits<double>::infinity();
  int softest = -1;
  for (int k = 0; k < static_cast<int>(world.terrains.size()); ++k) {
    const double here = world.simulationSurface(world.terrainId(k)).stiffness;
    if (!(here < stiffness) || !(here > 0)) continue;
    stiffness = here;
    softest = world.terrainId(k);
  }
  return softest;
}

/// How deep the object's weight presses it into the softest terrain.
void checkWeight(const World& world, int index, int softest, Diagnostics& diagnostics) {
  const RigidObject& object = world.objects[static_cast<std::size_t>(index)];
  if (softest < 0 || !object.geometry || object.geometry->empty() || !(object.inertia.mass > 0)) return;
  const double stiffness =
      combine(world.simulationSurface(world.objectId(index)), world.simulationSurface(softest)).stiffness;
  const double weight = object.inertia.mass * world.simulation.gravity.norm();
  const double depth = weight / (kCarriers * stiffness);
  const AxisAlignedBounds bounds = object.geometry->bounds();
  const double size = (bounds.max - bounds.min).minCoeff();
  if (!(depth > kDepthShare * size)) return;
  diagnostics.warning("object '" + object.name + "' is too heavy for its contacts: at a stiffness of " +
                          formatReal(stiffness, 3) + " N/m four contact points with '" + world.nameOf(softest) +
                          "' carry its " + formatReal(weight, 3) + " N " + formatReal(depth, 3) +
                          " m deep, and it may fall through",
                      placeIn(world, object.position), "write a larger kStiffness for '" + world.nameOf(softest) + "'");
}

}  // namespace

void checkMaterials(const World& world, Diagnostics& diagnostics) {
  checkSurfaces(world, diagnostics);
  const int softest = softestTerrain(world);
  for (int i = 0; i < static_cast<int>(world.objects.size()); ++i) {
    checkInertia(world, world.objects[static_cast<std::size_t>(i)], diagnostics);
    checkWeight(world, i, softest, diagnostics);
  }
}

}  // namespace mortise
