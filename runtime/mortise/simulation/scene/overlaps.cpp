#include "mortise/simulation/scene/overlaps.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>
#include <utility>

#include "mortise/simulation/scene/boundary_layer.h"

namespace mortise {

namespace {

GeometryPtr geometryOf(const World& world, int id) {
  const World::Entity e = world.entity(id);
  const auto index = static_cast<std::size_t>(e.index);
  if (e.kind == World::Kind::terrain) return world.terrains[index].geometry;
  if (e.kind == World::Kind::object) return world.objects[index].geometry;
  return world.robots[index].robot->link(e.link).geometry;
}

Value pairValue(int a, int b, const World& world) {
  Value entry = Value::map(), ids = Value::list(), names = Value::list();
  for (const int id : {a, b}) {
    ids.push_back(id);
    names.push_back(world.nameOf(id));
  }
  entry.set("ids", std::move(ids));
  entry.set("names", std::move(names));
  return entry;
}

/// No more than `kMaxMeasuredPairs`; `count` receives how many there are.
std::vector<IdPair> firstNearPairs(const SceneDescription& scene, std::span<const BodyState> bodies,
                                   const std::shared_ptr<const ContactScene>& shapes, std::size_t& count) {
  ContactGenerator generator(shapes);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    for (const SceneShape& shape : scene.bodies[b].shapes) generator.setPose(shape.id, bodies[b].X_WB * shape.X_BG);
  std::vector<IdPair> first;
  count = generator.nearPairs(kMaxMeasuredPairs, first);
  return first;
}

std::string idsAndNames(int a, int b, const World& world) {
  return std::to_string(a) + " " + world.nameOf(a) + ", " + std::to_string(b) + " " + world.nameOf(b);
}

}  // namespace

StartOverlaps overlapsOf(const SceneDescription& scene, std::span<const BodyState> bodies,
                         std::shared_ptr<const ContactScene> shapes) {
  if (!shapes) shapes = contactSceneOf(scene);
  StartOverlaps overlaps;
  const std::vector<IdPair> measured = firstNearPairs(scene, bodies, shapes, overlaps.nearPairs);
  overlaps.measuredPairs = measured.size();
  if (overlaps.measuredPairs < overlaps.nearPairs) {
    PairTable some(shapes->numIds());
    for (const IdPair& pair : measured) some.set(pair.a, pair.b, true);
    shapes = std::make_shared<const ContactScene>(shapes->withPairs(std::move(some)));
  }
  BoundaryLayer layer(scene, std::move(shapes));
  layer.update(bodies, 0);
  for (const ContactPairReport& pair : layer.pairs()) {
    const double padding = scene.surfaces[static_cast<std::size_t>(pair.a)].standout() +
                           scene.surfaces[static_cast<std::size_t>(pair.b)].standout();
    const double distance = pair.minGap + padding;
    if (-distance > kOverlapTolerance)
      overlaps.bodies.push_back({pair.a, pair.b, -distance});
    else if (-pair.minGap > std::max(kOverlapTolerance, kRestingFraction * padding))
      overlaps.paddings.push_back({pair.a, pair.b, std::max(distance, 0.0), padding});
  }
  std::stable_sort(overlaps.bodies.begin(), overlaps.bodies.end(),
                   [](const BodyOverlap& a, const BodyOverlap& b) { return a.depth > b.depth; });
  std::stable_sort(
      overlaps.paddings.begin(), overlaps.paddings.end(),
      [](const PaddingOverlap& a, const PaddingOverlap& b) { return a.padding - a.distance > b.padding - b.distance; });
  return overlaps;
}

StartOverlaps overlapsOf(const SceneDescription& scene) {
  std::vector<BodyState> bodies;
  for (const SceneBody& body : scene.bodies) bodies.push_back({body.X_WB, body.v_WB, body.w_WB});
  return overlapsOf(scene, bodies);
}

std::vector<double> overlapDepths(const WorldCollisionState& state, std::span<const IdPair> pairs) {
  const World& world = state.collider().world();
  std::vector<ContactBody> bodies(static_cast<std::size_t>(world.numIds()));
  PairTable table(world.numIds());
  // Bodies with the same geometry share what is prepared for it. Only looked up.
  std::map<std::tuple<const void*, double, double>, CollisionShapePtr> prepared;
  for (const IdPair& pair : pairs) {
    table.set(pair.a, pair.b, true);
    for (const int id : {pair.a, pair.b}) {
      ContactBody& body = bodies[static_cast<std::size_t>(id)];
      const Surface surface = world.simulationSurface(id);
      if (body.shape) continue;
      const GeometryPtr geometry = geometryOf(world, id);
      const double shrink = surface.shrinkage();
      CollisionShapePtr& shape = prepared[{&geometry->data(), geometry->margin(), shrink}];
      if (!shape) shape = contactShape(geometry, surface);
      body = {shape, surface.thickness()};
    }
  }
  ContactGenerator generator(std::make_shared<const ContactScene>(std::move(bodies), table));
  for (const IdPair& pair : pairs)
    for (const int id : {pair.a, pair.b}) generator.setPose(id, state.pose(id));
  generator.update();
  std::vector<double> depths(pairs.size(), 0);
  std::map<IdPair, std::size_t> places;
  for (std::size_t i = 0; i < pairs.size(); ++i) places.try_emplace(pairs[i], i);
  for (const ContactPairReport& report : generator.pairs()) {
    const auto found = places.find({report.a, report.b});
    const double layers = world.simulationSurface(report.a).standout() + world.simulationSurface(report.b).standout();
    if (found != places.end()) depths[found->second] = std::max(0.0, -(report.minGap + layers));
  }
  return depths;
}

Value overlapList(const std::vector<BodyOverlap>& overlaps, const World& world) {
  Value list = Value::list();
  for (const BodyOverlap& overlap : overlaps) {
    Value entry = pairValue(overlap.idA, overlap.idB, world);
    entry.set("depth", overlap.depth);
    list.push_back(std::move(entry));
  }
  return list;
}

Value overlapList(const std::vector<PaddingOverlap>& overlaps, const World& world) {
  Value list = Value::list();
  for (const PaddingOverlap& overlap : overlaps) {
    Value entry = pairValue(overlap.idA, overlap.idB, world);
    entry.set("distance", overlap.distance);
    entry.set("padding", overlap.padding);
    list.push_back(std::move(entry));
  }
  return list;
}

std::string overlapTitle(const std::vector<BodyOverlap>& overlaps) {
  return std::to_string(overlaps.size()) +
         (overlaps.size() == 1 ? " pair of bodies overlaps" : " pairs of bodies overlap") + " at the start";
}

std::string unmeasuredText(const StartOverlaps& overlaps) {
  if (overlaps.measuredPairs >= overlaps.nearPairs) return {};
  return std::to_string(overlaps.nearPairs) + " pairs of bodies are near each other at the start, and " +
         std::to_string(overlaps.measuredPairs) + " of them were measured; the others may overlap, too";
}

std::string overlapTable(const std::vector<BodyOverlap>& overlaps, const World& world, std::size_t maximum) {
  std::string text;
  for (std::size_t i = 0; i < std::min(overlaps.size(), maximum); ++i) {
    char depth[32];
    std::snprintf(depth, sizeof(depth), "%9.3g", overlaps[i].depth);
    text +=
        (i > 0 ? "\n" : "") + std::string("  ") + depth + " m  " + idsAndNames(overlaps[i].idA, overlaps[i].idB, world);
  }
  if (overlaps.size() > maximum) text += "\n  and " + std::to_string(overlaps.size() - maximum) + " more";
  return text;
}

namespace {

std::string paddingTitle(const std::vector<PaddingOverlap>& overlaps) {
  return std::to_string(overlaps.size()) +
         (overlaps.size() == 1 ? " pair of bodies starts nearer than its padding, which pushes it apart"
                               : " pairs of bodies start nearer than their padding, which pushes them apart");
}

std::string gapText(const PaddingOverlap& overlap, const World& world) {
  char numbers[64];
  std::snprintf(numbers, sizeof(numbers), "%9.3g m of %.3g m", overlap.distance, overlap.padding);
  return std::string(numbers) + "  " + idsAndNames(overlap.idA, overlap.idB, world);
}

}  // namespace

std::string overlapText(const std::vector<PaddingOverlap>& overlaps, const World& world, std::size_t maximum) {
  std::string text = paddingTitle(overlaps) + ":";
  for (std::size_t i = 0; i < std::min(overlaps.size(), maximum); ++i) text += "\n  " + gapText(overlaps[i], world);
  if (overlaps.size() > maximum) text += "\n  and " + std::to_string(overlaps.size() - maximum) + " more";
  return text;
}

std::string overlapSummary(const std::vector<PaddingOverlap>& overlaps, const World& world) {
  const std::string gap = gapText(overlaps.front(), world);
  return paddingTitle(overlaps) + ": " + gap.substr(gap.find_first_not_of(' ')) +
         (overlaps.size() > 1 ? ", and others; `mortise world check` lists them" : "");
}

}  // namespace mortise
