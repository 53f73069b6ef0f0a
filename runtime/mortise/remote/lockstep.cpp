#include "mortise/remote/lockstep.h"

#include <algorithm>

namespace mortise::remote {

int setLockstep(World& world, const Registry& registry) {
  auto& named = world.simulation.controllers;
  // A robot file's own controller counts where the world names none; as the world's, it can be told.
  for (int r = 0; r < static_cast<int>(world.robots.size()); ++r) {
    const bool there = std::any_of(named.begin(), named.end(), [&](const auto& entry) { return entry.first == r; });
    const Value& own = world.robots[r].robot->description().controller;
    if (there || !own.isList()) continue;
    for (const Value& item : own.items()) {
      const Value* type = item.find("type");
      if (type == nullptr) continue;
      ComponentRequest request{type->text(), item, item.position()};
      request.settings.erase("type");
      named.emplace_back(r, std::move(request));
    }
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

}  // namespace mortise::remote
