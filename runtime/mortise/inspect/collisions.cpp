#include "mortise/inspect/collisions.h"

#include "mortise/inspect/values.h"

namespace mortise::inspect {
namespace {

Value twoOf(int a, int b) {
  Value pair = Value::list();
  pair.push_back(a);
  pair.push_back(b);
  return pair;
}

/// {names, distance, elements, points, num_element_pairs}, for a pair of ids.
Value describePair(WorldCollisionState& state, const IdPair& pair, double tolerance) {
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
  entry.set("distance", nearest.distance);
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
  for (const IdPair& links : at(q)) {
    Value entry = describePair(state_, {links.a + firstId_, links.b + firstId_}, 0), names = Value::list();
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
  const std::shared_ptr<const World> borrowed(std::shared_ptr<void>(), &world);
  WorldCollisionState state(std::make_shared<const WorldCollider>(borrowed));
  std::vector<IdPair> pairs;
  state.collisions(pairs);
  return pairs;
}

Value worldCollisions(std::shared_ptr<const World> world, double tolerance) {
  WorldCollisionState state(std::make_shared<const WorldCollider>(world));
  state.setTolerance(tolerance);
  std::vector<IdPair> pairs;
  state.collisions(pairs);
  Value result = Value::list();
  for (const IdPair& pair : pairs) result.push_back(describePair(state, pair, tolerance));
  return result;
}

}  // namespace mortise::inspect
