#include "mortise/simulation/components/lockstep.h"

#include <algorithm>

namespace mortise {

int setLockstep(World& world, const Registry& registry) {
  auto& named = world.simulation.controllers;
  // A robot file's own controller counts where the world names none; as the world's, it can be told.
  for (int r = 0; r < static_cast<int>(world.robots.size()); ++r) {
    const bool there = std::any_of(named.begin(), named.end(), [&](const auto& entry) { return entry.first == r; });
    const Value& own = world.robots[r].robot->description().controller;
    const Value* type = own.isMap() ? own.find("type") : nullptr;
    if (there || type == nullptr) continue;
    ComponentRequest request{type->text(), own, own.position()};
    request.settings.erase("type");
    named.emplace_back(r, std::move(request));
  }
  int count = 0;
  for (auto& [robot, request] : named) {
    const ComponentInfo* info = registry.find(Kind::controller, request.type);
    if (info == nullptr || info->schema.find("lockstep") == nullptr) continue;
    if (!request.settings.isMap()) request.settings = Value::map();
    request.settings.set("lockstep", true);
    ++count;
  }
  return count;
}

}  // namespace mortise
