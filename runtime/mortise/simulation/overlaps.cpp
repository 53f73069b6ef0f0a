#include "mortise/simulation/overlaps.h"

#include <algorithm>
#include <cstdio>

#include "mortise/simulation/boundary_layer.h"

namespace mortise {

std::vector<BodyOverlap> overlapsOf(const SceneDescription& scene, std::span<const BodyState> bodies) {
  BoundaryLayer layer(scene);
  layer.update(bodies, 0);
  std::vector<BodyOverlap> overlaps;
  for (const SceneContact& contact : layer.contacts()) {
    const double padding = scene.surfaces[static_cast<std::size_t>(contact.idA)].padding +
                           scene.surfaces[static_cast<std::size_t>(contact.idB)].padding;
    const double depth = -(contact.gap + padding);
    if (!(depth > kOverlapTolerance)) continue;
    // Contacts come pair by pair.
    if (overlaps.empty() || overlaps.back().idA != contact.idA || overlaps.back().idB != contact.idB)
      overlaps.push_back({contact.idA, contact.idB, 0});
    overlaps.back().depth = std::max(overlaps.back().depth, depth);
  }
  std::stable_sort(overlaps.begin(), overlaps.end(),
                   [](const BodyOverlap& a, const BodyOverlap& b) { return a.depth > b.depth; });
  return overlaps;
}

std::vector<BodyOverlap> overlapsOf(const SceneDescription& scene) {
  std::vector<BodyState> bodies;
  for (const SceneBody& body : scene.bodies) bodies.push_back({body.X_WB, body.v_WB, body.w_WB});
  return overlapsOf(scene, bodies);
}

Value overlapList(const std::vector<BodyOverlap>& overlaps, const World& world) {
  Value list = Value::list();
  for (const BodyOverlap& overlap : overlaps) {
    Value entry = Value::map(), ids = Value::list(), names = Value::list();
    for (const int id : {overlap.idA, overlap.idB}) {
      ids.push_back(id);
      names.push_back(world.nameOf(id));
    }
    entry.set("ids", std::move(ids));
    entry.set("names", std::move(names));
    entry.set("depth", overlap.depth);
    list.push_back(std::move(entry));
  }
  return list;
}

std::string overlapTitle(const std::vector<BodyOverlap>& overlaps) {
  return std::to_string(overlaps.size()) +
         (overlaps.size() == 1 ? " pair of bodies overlaps" : " pairs of bodies overlap") + " at the start";
}

std::string overlapTable(const std::vector<BodyOverlap>& overlaps, const World& world, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(overlaps.size(), most); ++i) {
    char depth[32];
    std::snprintf(depth, sizeof(depth), "%9.3g", overlaps[i].depth);
    text += (i > 0 ? "\n" : "") + std::string("  ") + depth + " m  " + std::to_string(overlaps[i].idA) + " " +
            world.nameOf(overlaps[i].idA) + ", " + std::to_string(overlaps[i].idB) + " " +
            world.nameOf(overlaps[i].idB);
  }
  if (overlaps.size() > most) text += "\n  and " + std::to_string(overlaps.size() - most) + " more";
  return text;
}

}  // namespace mortise
