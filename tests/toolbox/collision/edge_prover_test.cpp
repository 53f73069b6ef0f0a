#include "mortise/collision/edge_prover.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>
#include <numbers>
#include <set>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "tests/toolbox/collision/sample_worlds.h"

namespace mortise {
namespace {

/// Small boxes that go round circles and a thin wall: `movers` of them, ids 0 and on; the last id is the wall's.
std::shared_ptr<const World> circlingWorld(int movers) {
  auto world = std::make_shared<World>();
  for (int i = 0; i <= movers; ++i) {
    RigidObject object;
    object.name = "object" + std::to_string(i);
    object.geometry = test::boxGeometry(i < movers ? Vector3d(0.05, 0.05, 0.05) : Vector3d(0.002, 0.5, 0.5));
    world->objects.push_back(object);
  }
  return world;
}

/// An edge on which every box goes along an arc without turning.
class Arcs {
 public:
  Arcs(std::shared_ptr<const WorldCollider> collider, RandomStream& random)
      : collider_(std::move(collider)), arcs_(static_cast<std::size_t>(collider_->numIds() - 1)) {
    const WorldCollisionState selecting(collider_);
    everything_ = selecting.selection(IdFilter::everything());
    for (Arc& arc : arcs_) {
      arc.center = Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.1, 0.1));
      arc.radius = random.uniform(0.05, 0.8);
      arc.from = random.uniform(-3, 3);
      arc.turn = random.uniform(-2, 2);
    }
    for (int a = 0; a < collider_->numIds(); ++a)
      for (int b = a + 1; b < collider_->numIds(); ++b) pairs_.push_back({a, b});
  }

  double farthest() const {
    double farthest = 0;
    for (const Arc& arc : arcs_) farthest = std::max(farthest, arc.length());
    return farthest;
  }
  void place(double u, WorldCollisionState& state) const {
    for (std::size_t i = 0; i < arcs_.size(); ++i) {
      const Arc& arc = arcs_[i];
      const double angle = arc.from + u * arc.turn;
      const Vector3d p = arc.center + arc.radius * Vector3d(std::cos(angle), std::sin(angle), 0);
      state.setPose(static_cast<int>(i), {Matrix3d::Identity(), p});
    }
  }
  const IdSelection& moving() const { return everything_; }
  const IdSelection& others() const { return everything_; }
  int numPairs() const { return static_cast<int>(pairs_.size()); }
  int indexOf(const IdPair& pair) const {
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      if (pairs_[i].a == pair.a && pairs_[i].b == pair.b) return static_cast<int>(i);
    ADD_FAILURE() << "no pair " << pair.a << ", " << pair.b;
    return 0;
  }
  IdPair pair(int index) const { return pairs_[static_cast<std::size_t>(index)]; }
  void reach(double half, const WorldCollisionState&, std::vector<double>& byId) const {
    for (std::size_t i = 0; i < arcs_.size(); ++i) byId[i] = half * arcs_[i].length();
  }
  double motionOfPair(int index, double half, int, const WorldCollisionState&) const {
    double motion = 0;
    for (const int id : {pair(index).a, pair(index).b})
      if (id < static_cast<int>(arcs_.size())) motion += half * arcs_[static_cast<std::size_t>(id)].length();
    return motion + 1e-12;
  }

 private:
  struct Arc {
    Vector3d center;
    double radius, from, turn;
    double length() const { return radius * std::abs(turn); }
  };
  std::shared_ptr<const WorldCollider> collider_;
  std::vector<Arc> arcs_;
  std::vector<IdPair> pairs_;
  IdSelection everything_;
};

TEST(EdgeProver, AgreesWithDenseSampling) {
  const auto collider = std::make_shared<const WorldCollider>(circlingWorld(3));
  WorldCollisionState state(collider), sampled(collider);
  EdgeProofWorkspace workspace;
  RandomStream random(3, "arcs");
  int free = 0, touching = 0, near = 0, unseen = 0;
  for (int round = 0; round < 400; ++round) {
    Arcs arcs(collider, random);
    EdgeProofOptions options;
    options.clearance = round % 2 == 0 ? 1e-4 : 0.05;
    const EdgeCheckResult proof = EdgeProver(arcs, state, workspace, options).prove();
    const EdgeCheckResult dense = sampleEdge(arcs, sampled, 2000, false);
    if (proof.free) {
      ++free;
      EXPECT_TRUE(dense.free) << "round " << round << " at " << dense.u;
      continue;
    }
    arcs.place(proof.u, sampled);
    const double distance = sampled.distance(proof.ids.a, proof.ids.b).distance;
    if (proof.touching) {
      ++touching;
      EXPECT_TRUE(sampled.collide(proof.ids.a, proof.ids.b)) << "round " << round;
      unseen += sampleEdge(arcs, sampled, 8, false).free;
    } else {
      ++near;
      EXPECT_LE(distance, options.clearance) << "round " << round;
    }
  }
  EXPECT_GT(free, 100);
  EXPECT_GT(touching, 100);
  EXPECT_GT(near, 5);
  EXPECT_GT(unseen, 2);  // The wall is thin: coarse sampling misses what the proof finds.
}

TEST(EdgeProver, KeepsTheTolerance) {
  const auto collider = std::make_shared<const WorldCollider>(circlingWorld(3));
  WorldCollisionState state(collider), sampled(collider);
  constexpr double kMargin = 0.1;
  state.setTolerance(kMargin);
  sampled.setTolerance(kMargin);
  EdgeProofWorkspace workspace;
  RandomStream random(4, "arcs");
  int free = 0;
  for (int round = 0; round < 200; ++round) {
    Arcs arcs(collider, random);
    if (!EdgeProver(arcs, state, workspace, {}).prove().free) continue;
    ++free;
    EXPECT_TRUE(sampleEdge(arcs, sampled, 500, false).free) << "round " << round;
  }
  EXPECT_GT(free, 20);
}

TEST(EdgeProver, LeavesOutEndsThatAreKnown) {
  const auto collider = std::make_shared<const WorldCollider>(circlingWorld(1));
  WorldCollisionState state(collider);
  EdgeProofWorkspace workspace;
  RandomStream random(5, "arcs");
  int fewer = 0;
  for (int round = 0; round < 100; ++round) {
    Arcs arcs(collider, random);
    const EdgeCheckResult all = EdgeProver(arcs, state, workspace, {}).prove();
    const EdgeCheckResult inner = EdgeProver(arcs, state, workspace, {.endsChecked = true}).prove();
    if (!all.free) continue;
    EXPECT_TRUE(inner.free);
    EXPECT_TRUE(all.configurations == inner.configurations || all.configurations == inner.configurations + 2);
    fewer += inner.configurations < all.configurations;
  }
  EXPECT_GT(fewer, 10);
}

TEST(EdgeSubdivision, VisitsEveryPlaceOnceFarOnesFirst) {
  for (const std::int64_t steps : {1, 2, 3, 8, 13}) {
    std::vector<double> visited;
    EXPECT_TRUE(forEdgeFractions(steps, [&](double u) {
      visited.push_back(u);
      return true;
    }));
    std::set<double> expected;
    for (std::int64_t i = 1; i < steps; ++i) expected.insert(static_cast<double>(i) / static_cast<double>(steps));
    EXPECT_EQ(std::set<double>(visited.begin(), visited.end()), expected);
    EXPECT_EQ(visited.size(), expected.size());
  }
  std::vector<double> halves;
  forEdgeFractions(8, [&](double u) {
    halves.push_back(u);
    return u != 0.25;
  });
  EXPECT_EQ(halves, (std::vector<double>{0.5, 0.25}));
}

TEST(EdgeSubdivision, StepsAreNoLongerThanAsked) {
  EXPECT_EQ(edgeSteps(0, 0.1), 1);
  EXPECT_EQ(edgeSteps(1, 0.3), 4);
  EXPECT_EQ(edgeSteps(1.25, 0.25), 5);
  EXPECT_EQ(edgeStepsByHalves(1.25, 0.25), 8);
  EXPECT_EQ(edgeStepsByHalves(0, 0.25), 1);
  EXPECT_THROW(edgeSteps(1, 1e-12), Error);
  EXPECT_THROW(edgeSteps(std::numeric_limits<double>::infinity(), 1), Error);
  EXPECT_THROW(edgeSteps(std::numeric_limits<double>::quiet_NaN(), 1), Error);
}

}  // namespace
}  // namespace mortise
