#include "mortise/inspect/collisions.h"

#include <algorithm>

#include "mortise/base/borrow.h"
#include "mortise/inspect/values.h"
#include "mortise/simulation/scene/overlaps.h"

namespace mortise::inspect {
namespace {

Value twoOf(int a, int b) {
  Value pair = Value::list();
  pair.push_back(a);
  pair.push_back(b);
  return pair;
}

/// {names, distance, elements, points, num_element_pairs}, for a pair of ids that overlaps so deep.
Value describePair(WorldCollisionState& state, const IdPair& pair, double depth, double tolerance) {
  const World& world = state.collider().world();
  Value entry = Value::map(), names = Value::list(), points = Value::list();
  names.push_back(world.nameOf(pair.a));
  names.push_back(world.nameOf(pair.b));
  const DistanceResult nearest = state.distance(pair.a, pair.b);
  points.push_back(list(nearest.p_WA));
  points.push_back(list(nearest.p_WB));
  std::vector<ElementContact> contacts;
  state.contacts(pair.a, pair.b, tolerance, contacts);
  entry.set("ids", twoOf(pair.a, pair.b));
  entry.set("names", std::move(names));
  // The distance of surfaces ends where they meet.
  entry.set("distance", nearest.distance > 0 ? nearest.distance : depth > 0 ? -depth : 0.0);
  Value elements = Value::list();
  elements.push_back(twoOf(nearest.elements.a.part, nearest.elements.a.index));
  elements.push_back(twoOf(nearest.elements.b.part, nearest.elements.b.index));
  entry.set("elements", std::move(elements));
  entry.set("points", std::move(points));
  entry.set("num_element_pairs", static_cast<std::int64_t>(contacts.size()));
  return entry;
}

}  // namespace

SelfCollisions::SelfCollisions(const RobotPtr& robot)
    : state_(std::make_shared<const WorldCollider>(worldOf(robot))), firstId_(state_.collider().world().linkId(0, 0)) {}

const std::vector<IdPair>& SelfCollisions::at(const VectorXd& q) {
  state_.setConfiguration(0, q);
  state_.robotSelfCollisions(0, pairs_);
  for (IdPair& pair : pairs_) pair = {pair.a - firstId_, pair.b - firstId_};
  return pairs_;
}

Value SelfCollisions::describe(const VectorXd& q) {
  Value result = Value::list();
  const Robot& robot = *state_.collider().world().robots[0].robot;
  std::vector<IdPair> pairs = at(q);
  for (IdPair& pair : pairs) pair = {pair.a + firstId_, pair.b + firstId_};
  const std::vector<double> depths = overlapDepths(state_, pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const IdPair links{pairs[i].a - firstId_, pairs[i].b - firstId_};
    Value entry = describePair(state_, pairs[i], depths[i], 0), names = Value::list();
    names.push_back(robot.link(links.a).name);
    names.push_back(robot.link(links.b).name);
    entry.erase("ids");
    entry.set("links", twoOf(links.a, links.b));
    entry.set("names", std::move(names));
    result.push_back(std::move(entry));
  }
  return result;
}

Value pairList(const std::vector<IdPair>& pairs) {
  Value result = Value::list();
  for (const IdPair& pair : pairs) result.push_back(twoOf(pair.a, pair.b));
  return result;
}

std::vector<IdPair> collisionsAtLoad(const World& world) {
  WorldCollisionState state(std::make_shared<const WorldCollider>(borrow(world)));
  std::vector<IdPair> pairs;
  state.collisions(pairs);
  return pairs;
}

Value worldCollisions(std::shared_ptr<const World> world, double tolerance, std::size_t& count) {
  WorldCollisionState state(std::make_shared<const WorldCollider>(world));
  state.setTolerance(tolerance);
  std::vector<IdPair> pairs;
  state.collisions(pairs);
  count = pairs.size();
  pairs.resize(std::min(count, kMaxListedCollisions));
  Value result = Value::list();
  const std::vector<double> depths = overlapDepths(state, pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) result.push_back(describePair(state, pairs[i], depths[i], tolerance));
  return result;
}

}  // namespace mortise::inspect
