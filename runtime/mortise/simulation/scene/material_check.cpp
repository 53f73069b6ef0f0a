#include "mortise/simulation/scene/material_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/text/article.h"

namespace mortise {

namespace {

/// Contact points that share a weight: those of a box on its face.
constexpr double kCarriers = 4;
/// The fraction of an object's smallest extent beyond which bodies that sink in may fall through.
constexpr double kDepthFraction = 0.25;
/// m: an arm of rolling friction lies within the patch in which bodies touch. Engines multiply by it and its square.
constexpr double kLongestArm = 1e6;

SourcePosition placeIn(const World& world, const SourcePosition& position) {
  return position.known() ? position : inFile(world.file);
}

/// The line that names the body in the world's file.
SourcePosition placeOf(const World& world, int id) {
  const World::Entity entity = world.entity(id);
  const auto index = static_cast<std::size_t>(entity.index);
  switch (entity.kind) {
    case World::Kind::terrain:
      return placeIn(world, world.terrains[index].position);
    case World::Kind::object:
      return placeIn(world, world.objects[index].position);
    default:
      return placeIn(world, world.robots[index].position);
  }
}

/// Numbers that no surface can have; files with such are refused when they are read.
void checkNumbers(const World& world, int id, const Surface& surface, Diagnostics& diagnostics) {
  for (const auto& [name, value] :
       {std::pair("friction", surface.friction), std::pair("restitution", surface.restitution),
        std::pair("stiffness", surface.stiffness), std::pair("damping", surface.damping),
        std::pair("rolling friction", surface.rolling)})
    if (!(value >= 0))
      diagnostics.error(
          "'" + world.nameOf(id) + "' has " + withArticle(name) + " of " + formatReal(value) + ", which means nothing",
          placeOf(world, id), "give a number of at least 0");
  if (surface.rolling > kLongestArm)
    diagnostics.error(
        "'" + world.nameOf(id) + "' has a rolling friction of " + formatReal(surface.rolling) +
            " m: it is an arm, in meters, within the patch in which bodies touch, and at most " +
            formatReal(kLongestArm) + " m",
        placeOf(world, id),
        "with an arm of 1.4 times its friction times its radius or more a body slides in place of rolling: write a "
        "kRolling of about its radius for one that must not roll");
}

/// Checks surfaces: of each robot the first link alone, where all have the same.
void checkSurfaces(const World& world, Diagnostics& diagnostics) {
  int softRobot = -1;
  for (int id = 0; id < world.numIds(); ++id) {
    const World::Entity entity = world.entity(id);
    if (entity.kind == World::Kind::robot) continue;  // Only its links have surfaces.
    const Surface surface = world.simulationSurface(id);
    checkNumbers(world, id, surface, diagnostics);
    if (surface.restitution > 1)
      diagnostics.warning("'" + world.nameOf(id) + "' has a restitution of " + formatReal(surface.restitution) +
                              ": its bounces add energy",
                          placeOf(world, id), "restitutions are between 0 and 1; write kRestitution=\"1\" at most");
    const bool link = entity.kind == World::Kind::link;
    if (surface.stiffness != 0 || (link && softRobot == entity.index)) continue;
    if (link) softRobot = entity.index;
    diagnostics.warning("'" + world.nameOf(id) +
                            "' has a stiffness of 0: its contacts carry no weight, and nothing "
                            "pushes bodies apart that are inside each other",
                        placeOf(world, id),
                        "write a kStiffness above 0 N/m, or leave it out for contacts that do not give");
  }
}

void checkInertia(const World& world, const RigidObject& object, Diagnostics& diagnostics) {
  if (object.inertia.mass > 0 && !object.inertia.physical())
    diagnostics.warning("object '" + object.name + "' has an inertia that no body can have",
                        placeIn(world, object.position), "automass=\"1\" computes one from the shape");
}

/// The id of the softest terrain; -1 where there is none.
int softestTerrain(const World& world) {
  double stiffness = std::numeric_limits<double>::infinity();
  int softest = -1;
  for (int k = 0; k < static_cast<int>(world.terrains.size()); ++k) {
    const double here = world.simulationSurface(world.terrainId(k)).stiffness;
    if (!(here > 0) || (softest >= 0 && !(here < stiffness))) continue;
    stiffness = here;
    softest = world.terrainId(k);
  }
  return softest;
}

/// Checks how deep the object's weight presses it into the softest terrain.
void checkWeight(const World& world, int index, int softest, Diagnostics& diagnostics) {
  const RigidObject& object = world.objects[static_cast<std::size_t>(index)];
  if (softest < 0 || !object.geometry || object.geometry->empty() || !(object.inertia.mass > 0)) return;
  const Surface own = world.simulationSurface(world.objectId(index)), ground = world.simulationSurface(softest);
  const double stiffness = combine(own, ground).stiffness;
  if (!(stiffness > 0)) return;  // Said of the surface.
  const double weight = object.inertia.mass * world.simulation.gravity.norm();
  const double depth = weight / (kCarriers * stiffness);
  const AxisAlignedBounds bounds = object.geometry->bounds();
  const double size = (bounds.max - bounds.min).minCoeff();
  if (!(depth > kDepthFraction * size)) return;
  diagnostics.warning("object '" + object.name + "' is too heavy for its contacts: at a stiffness of " +
                          formatReal(stiffness, 3) + " N/m four contact points with '" + world.nameOf(softest) +
                          "' carry its " + formatReal(weight, 3) + " N " + formatReal(depth, 3) +
                          " m deep, and it may fall through",
                      placeIn(world, object.position),
                      "write a larger kStiffness for '" +
                          (own.stiffness < ground.stiffness ? object.name : world.nameOf(softest)) + "'");
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
