#include "mortise/collision/self_collision_search.h"

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/collision/world_collider.h"
#include "mortise/configuration/configuration_space.h"

namespace mortise {
namespace {

/// The nearest link with a shape on the way to the root; -1 when there is none.
int shapeAbove(const WorldCollider& collider, const Robot& robot, int firstId, int link) {
  int parent = robot.link(link).parent;
  while (parent >= 0 && !collider.shape(firstId + parent)) parent = robot.link(parent).parent;
  return parent;
}

}  // namespace

std::string_view selfCollisionClassName(SelfCollisionClass kind) {
  switch (kind) {
    case SelfCollisionClass::sometimes:
      return "sometimes";
    case SelfCollisionClass::never:
      return "never";
    case SelfCollisionClass::always:
      return "always";
    case SelfCollisionClass::initially:
      return "initially";
    case SelfCollisionClass::adjacent:
      return "adjacent";
  }
  return "";
}

std::vector<SelfCollisionPair> searchSelfCollisions(const RobotPtr& robot, const SelfCollisionSearchOptions& options,
                                                    Progress* progress) {
  if (options.samples < 1) throw Error("a search for self-collisions takes at least one sample");
  const auto world = worldOf(robot);
  const WorldCollider rules(world);
  const int first = world->linkId(0, 0), n = robot->numLinks();
  PairTable table(rules.numIds());
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) table.set(first + a, first + b, true);
  }
  const auto collider = std::make_shared<const WorldCollider>(rules.withPairs(table));

  std::vector<SelfCollisionPair> pairs;
  std::vector<int> place(std::max(collider->numPairs(), 1));
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) {
      if (!collider->pairs()(first + a, first + b)) continue;
      place[collider->pairIndex(first + a, first + b)] = static_cast<int>(pairs.size());
      pairs.push_back({.a = a, .b = b, .checked = rules.pairs()(first + a, first + b)});
    }
  }

  WorldCollisionState state(collider);
  std::vector<IdPair> colliding;
  std::vector<char> atStart(pairs.size(), 0);
  state.collisions(colliding);
  for (const IdPair& pair : colliding) atStart[place[collider->pairIndex(pair.a, pair.b)]] = 1;

  const ConfigurationSpace space(robot);
  RandomStream random(options.seed, "self-collision search");
  VectorXd q;
  if (progress) progress->begin("searching self-collisions", options.samples);
  for (int sample = 0; sample < options.samples; ++sample) {
    space.sample(random, q);
    state.setConfiguration(0, q);
    state.collisions(colliding);
    for (const IdPair& pair : colliding) ++pairs[place[collider->pairIndex(pair.a, pair.b)]].collisions;
    if (progress) progress->advanceTo(sample + 1);
  }
  if (progress) progress->end();

  for (std::size_t i = 0; i < pairs.size(); ++i) {
    SelfCollisionPair& pair = pairs[i];
    if (shapeAbove(*collider, *robot, first, pair.b) == pair.a ||
        shapeAbove(*collider, *robot, first, pair.a) == pair.b)
      pair.kind = SelfCollisionClass::adjacent;
    else if (pair.collisions >= options.alwaysFraction * options.samples)
      pair.kind = SelfCollisionClass::always;
    else if (atStart[i])
      pair.kind = SelfCollisionClass::initially;
    else if (pair.collisions == 0)
      pair.kind = SelfCollisionClass::never;
  }
  return pairs;
}

}  // namespace mortise
