#include "mortise/planning/space/plan_padding.h"

#include <algorithm>

#include "mortise/simulation/scene/scene_builder.h"

namespace mortise {

namespace {

GeometryPtr enlarged(const GeometryPtr& geometry, double by) {
  if (!geometry || geometry->empty() || by == 0) return geometry;
  return geometry->withMargin(geometry->margin() + by);
}

/// All links by their padding and `by`.
RobotPtr enlargedRobot(const World& world, int index, const std::vector<double>& padding, double by) {
  const Robot& robot = *world.robots[static_cast<std::size_t>(index)].robot;
  RobotDescription description = robot.description();
  for (int i = 0; i < robot.numLinks(); ++i) {
    Link& link = description.links[static_cast<std::size_t>(i)];
    link.geometry = enlarged(link.geometry, padding[static_cast<std::size_t>(world.linkId(index, i))] + by);
  }
  return Robot::compile(std::move(description));
}

}  // namespace

std::vector<double> simulationPadding(const World& world) {
  std::vector<double> padding(static_cast<std::size_t>(world.numIds()), 0);
  for (int id = 0; id < world.numIds(); ++id) {
    if (world.entity(id).kind == World::Kind::robot) continue;
    padding[static_cast<std::size_t>(id)] = std::max(world.simulationSurface(id).standout(), 0.0);
  }
  return padding;
}

PairTable simulatedPairs(const World& world) { return buildScene(world).description.filter.pairs(); }

std::shared_ptr<const World> paddedWorld(const World& world, const PlanSpaceRequest& request) {
  const std::vector<double> padding = simulationPadding(world);
  const auto at = [&](int id) { return padding[static_cast<std::size_t>(id)]; };
  // A shape has a single margin. Where links need no clearance from each other, the margins of what is around them grow
  // instead, by the maximum padding of the links.
  const bool alone = request.robots.size() == 1 && !world.simulation.robotSelfCollisions;
  double around = 0;
  if (alone) {
    const int index = request.robots.front();
    const Robot& robot = *world.robots.at(static_cast<std::size_t>(index)).robot;
    for (int i = 0; i < robot.numLinks(); ++i) around = std::max(around, at(world.linkId(index, i)));
  }
  auto padded = std::make_shared<World>(world);
  for (std::size_t i = 0; i < world.terrains.size(); ++i)
    padded->terrains[i].geometry =
        enlarged(world.terrains[i].geometry, at(world.terrainId(static_cast<int>(i))) + around);
  for (std::size_t i = 0; i < world.objects.size(); ++i)
    padded->objects[i].geometry = enlarged(world.objects[i].geometry, at(world.objectId(static_cast<int>(i))) + around);
  for (int r = 0; r < static_cast<int>(world.robots.size()); ++r) {
    if (alone && r == request.robots.front()) continue;
    padded->robots[static_cast<std::size_t>(r)].robot = enlargedRobot(world, r, padding, around);
  }
  return padded;
}

}  // namespace mortise
