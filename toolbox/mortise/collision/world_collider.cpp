#include "mortise/collision/world_collider.h"

#include <algorithm>
#include <bit>
#include <map>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"

namespace mortise {
namespace {

bool moves(const Link& link) { return link.qMin != link.qMax && !link.axis.isZero(); }

/// A link that stays where it is: everything between it and the world is a weld.
std::vector<char> fixedLinks(const Robot& robot) {
  std::vector<char> fixed(robot.numLinks());
  for (int i = 0; i < robot.numLinks(); ++i) {
    const Link& link = robot.link(i);
    const int joint = robot.jointOfLink(i);
    const bool weld = joint >= 0 ? robot.joints()[joint].type == JointType::weld : !moves(link);
    // Klamp't counts links without a parent as part of the terrain, because robots are mounted by them.
    fixed[i] = link.parent < 0 ? robot.floatingBaseLink() < 0 : fixed[link.parent] && weld;
  }
  return fixed;
}

}  // namespace

WorldCollider::WorldCollider(std::shared_ptr<const World> world, const WorldColliderOptions& options)
    : world_(std::move(world)) {
  const World& w = *world_;
  const int n = w.numIds();
  shapes_.resize(n);
  kinds_.resize(n);
  robots_.assign(n, -1);
  std::map<std::pair<const void*, double>, CollisionShapePtr> prepared;  // Only looked up, never walked.
  for (const CollisionShapePtr& shape : options.prepared)
    prepared[{&shape->geometry()->data(), shape->geometry()->margin()}] = shape;
  const auto prepare = [&](int id, const GeometryPtr& geometry) {
    if (!geometry || geometry->empty()) return;
    CollisionShapePtr& shape = prepared[{&geometry->data(), geometry->margin()}];
    if (!shape) {
      try {
        shape = makeCollisionShape(geometry, options.shapes);
      } catch (const Error& error) {
        throw Error("the geometry of " + w.nameOf(id) + " cannot be used for collision: " + error.what());
      }
    }
    if (!shape->empty()) shapes_[id] = shape;
  };
  std::vector<char> fixed(n, 0);
  for (int i = 0; i < static_cast<int>(w.terrains.size()); ++i) {
    kinds_[w.terrainId(i)] = World::Kind::terrain;
    prepare(w.terrainId(i), w.terrains[i].geometry);
  }
  for (int i = 0; i < static_cast<int>(w.objects.size()); ++i) {
    kinds_[w.objectId(i)] = World::Kind::object;
    prepare(w.objectId(i), w.objects[i].geometry);
  }
  for (int r = 0; r < static_cast<int>(w.robots.size()); ++r) {
    const Robot& robot = *w.robots[r].robot;
    kinds_[w.robotId(r)] = World::Kind::robot;
    robots_[w.robotId(r)] = r;
    const std::vector<char> fixedOfRobot = fixedLinks(robot);
    for (int l = 0; l < robot.numLinks(); ++l) {
      const int id = w.linkId(r, l);
      kinds_[id] = World::Kind::link;
      robots_[id] = r;
      fixed[id] = fixedOfRobot[l];
      prepare(id, robot.link(l).geometry);
    }
  }

  pairs_ = PairTable(n);
  const int numTerrains = static_cast<int>(w.terrains.size());
  for (int a = 0; a < n; ++a) {
    if (!shapes_[a]) continue;
    for (int b = std::max(a + 1, numTerrains); b < n; ++b) {  // Terrains, which come first, never meet each other.
      if (!shapes_[b]) continue;
      if (robots_[a] >= 0 && robots_[a] == robots_[b]) continue;
      if (kinds_[a] == World::Kind::terrain && fixed[b] && !options.fixedLinksAgainstTerrains) continue;
      pairs_.set(a, b, true);
    }
  }
  for (int r = 0; r < static_cast<int>(w.robots.size()); ++r) {
    for (const auto& [a, b] : w.robots[r].robot->description().selfCollisionPairs) {
      const int idA = w.linkId(r, a), idB = w.linkId(r, b);
      if (a != b && shapes_[idA] && shapes_[idB]) pairs_.set(idA, idB, true);
    }
  }
  index();
}

std::shared_ptr<const World> worldOf(const RobotPtr& robot) {
  auto world = std::make_shared<World>();
  WorldRobot placed;
  placed.name = robot->name();
  placed.file = robot->description().file;
  placed.robot = robot;
  placed.q = robot->initialConfiguration();
  placed.dq = VectorXd::Zero(robot->numLinks());
  world->robots.push_back(std::move(placed));
  return world;
}

WorldCollider WorldCollider::withPairs(const PairTable& pairs) const {
  MORTISE_REQUIRE_SIZE(pairs, numIds(), "one for each id");
  WorldCollider result = *this;
  result.pairs_ = PairTable(numIds());
  pairs.forEachPair([&](int a, int b) {
    if (shapes_[a] && shapes_[b]) result.pairs_.set(a, b, true);
  });
  result.index();
  return result;
}

void WorldCollider::index() {
  const int n = numIds();
  firstPair_.assign(n + 1, 0);
  firstWord_.assign(n, 0);
  partnersBelow_.clear();
  for (int a = 0; a < n; ++a) {
    const PairTable::Row& row = pairs_.row(a);
    int count = 0;
    firstWord_[a] = static_cast<std::int64_t>(partnersBelow_.size());
    for (int word = std::max(row.firstWord(), a >> 6); word < row.endWord(); ++word) {
      partnersBelow_.push_back(count);
      std::uint64_t bits = row.word(word);
      if (word == a >> 6) bits &= ~((std::uint64_t(2) << (a & 63)) - 1);
      count += std::popcount(bits);
    }
    firstPair_[a + 1] = firstPair_[a] + count;
  }
}

int WorldCollider::pairIndex(int a, int b) const {
  MORTISE_REQUIRE_INDEX(a, numIds(), "ids");
  MORTISE_REQUIRE_INDEX(b, numIds(), "ids");
  if (a > b) std::swap(a, b);
  const PairTable::Row& row = pairs_.row(a);
  const int word = b >> 6;
  std::uint64_t bits = row.word(word) & ((std::uint64_t(1) << (b & 63)) - 1);
  if (word == a >> 6) bits &= ~((std::uint64_t(2) << (a & 63)) - 1);
  const std::int64_t at = firstWord_[a] + word - std::max(row.firstWord(), a >> 6);
  return static_cast<int>(firstPair_[a] + partnersBelow_[static_cast<std::size_t>(at)] + std::popcount(bits));
}

}  // namespace mortise
