// Snapshots that were damaged, or made for something else.

#include <gtest/gtest.h>
#include <limits>

#include "mortise/base/bytes.h"
#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/simulation/scene/scene_signature.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

struct Setup {
  const char* backend;
  ContactSource contacts;
};

class HostileSnapshot : public testing::TestWithParam<Setup> {
 protected:
  SimulationOptions options() const {
    SimulationOptions o;
    o.backend = GetParam().backend;
    o.contacts = GetParam().contacts;
    return o;
  }
  test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
};

/// Bits, bytes, sizes that ask for all memory, ids beyond the end, numbers that are none; one place or a few.
void damage(std::vector<std::byte>& bytes, RandomStream& random) {
  const auto put = [&](const auto& value) {
    const std::size_t at = random.below(bytes.size() - sizeof(value) + 1);
    std::memcpy(bytes.data() + at, &value, sizeof(value));
  };
  for (std::uint64_t places = 1 + random.below(3); places > 0; --places) {
    switch (random.below(8)) {
      case 0:
        bytes[random.below(bytes.size())] ^= static_cast<std::byte>(1 << random.below(8));
        break;
      case 1:
        bytes[random.below(bytes.size())] = static_cast<std::byte>(random.bits());
        break;
      case 2:
        put(static_cast<std::uint64_t>(random.bits()));
        break;
      case 3:
        put(std::uint64_t{1} << random.below(64));
        break;
      case 4:
        put(static_cast<std::int32_t>(random.bits()));
        break;
      case 5:
        put(std::int32_t{-1});
        break;
      case 6:
        put(random.below(2) ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity());
        break;
      default:
        bytes.resize(bytes.size() - random.below(bytes.size() / 2));
    }
    if (bytes.size() < 16) return;
  }
}

/// The same snapshot as a version with another tag wrote it, which named no version of Mortise.
std::vector<std::byte> withTag(const std::vector<std::byte>& snapshot, std::string_view tag) {
  ByteReader in(snapshot);
  (void)in.getString();
  (void)in.getString();
  ByteWriter out;
  out.put(tag);
  const auto rest = std::span<const std::byte>(snapshot).subspan(in.position());
  out.bytes().insert(out.bytes().end(), rest.begin(), rest.end());
  return std::move(out.bytes());
}

TEST_P(HostileSnapshot, OfAnotherVersionIsReadOrSaysWhoWroteItAndWhatToDo) {
  const World world = test::smallWorld();
  Simulation simulation(world, *registry, nullptr, log, options());
  simulation.advance(0.1);
  const std::vector<std::byte> snapshot = simulation.save();
  const std::uint64_t hash = simulation.stateHash();
  simulation.advance(0.05);
  simulation.restore(withTag(snapshot, "mortise snapshot 8"));
  EXPECT_EQ(simulation.stateHash(), hash) << "of the layout before, which is the same but for the version";

  SimulationOptions other = options();
  ComponentOptions controller;
  controller.type = "PolynomialPathController";
  other.components.push_back(controller);
  Simulation follower(world, *registry, nullptr, log, other);
  const auto refusal = [&](const std::vector<std::byte>& bytes) -> std::string {
    try {
      follower.restore(bytes);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  const std::string old = refusal(withTag(snapshot, "mortise snapshot 8")), now = refusal(snapshot);
  EXPECT_NE(old.find("other controllers or sensors"), std::string::npos) << old;
  EXPECT_NE(old.find("by an earlier Mortise ('mortise snapshot 8'"), std::string::npos) << old;
  EXPECT_NE(old.find("restore it with the version that wrote it"), std::string::npos) << old;
  EXPECT_NE(now.find(", by Mortise "), std::string::npos) << now;
  const std::string future = refusal(withTag(snapshot, "mortise snapshot 77"));
  EXPECT_NE(future.find("written by another version of Mortise: it is a 'mortise snapshot 77'"), std::string::npos)
      << future;
  EXPECT_NE(refusal(withTag(snapshot, "something")).find("not a snapshot"), std::string::npos);
}

TEST_P(HostileSnapshot, IsRefusedOrRunsAndNeverLeavesHalfAState) {
  const World world = test::smallWorld();
  Simulation simulation(world, *registry, nullptr, log, options());
  simulation.setCollision(world.objectId(0), world.objectId(1), false);
  simulation.advance(0.15);
  const std::vector<std::byte> sound = simulation.save();
  simulation.advance(0.01);
  const std::uint64_t later = simulation.stateHash();
  RandomStream random(20, GetParam().backend);
  int refused = 0, taken = 0;
  for (int i = 0; i < 400; ++i) {
    simulation.restore(sound);
    std::vector<std::byte> bytes = sound;
    damage(bytes, random);
    bool ok = true;
    try {
      simulation.restore(bytes);
    } catch (const Error&) {
      ok = false;
    }
    (ok ? taken : refused) += 1;
    if (!ok) {
      ASSERT_EQ(simulation.save(), sound) << "mutation " << i << " was refused, but changed something";
      simulation.advance(0.01);
      ASSERT_TRUE(simulation.stateHash() == later) << "mutation " << i;
    } else {
      for (int k = 0; k < 3; ++k) simulation.step();
    }
  }
  EXPECT_GT(refused, 50);
  EXPECT_GT(taken, 20);
  simulation.restore(sound);
  EXPECT_EQ(simulation.advance(0.01), StepStatus::normal);
  EXPECT_TRUE(simulation.stateHash() == later);
}

INSTANTIATE_TEST_SUITE_P(Backends, HostileSnapshot, testing::Values(Setup{"mortise", ContactSource::external}),
                         [](const auto& setup) {
                           return std::string(setup.param.backend) +
                                  (setup.param.contacts == ContactSource::engine ? "_engine" : "_boundary_layer");
                         });

class ForeignSnapshot : public testing::TestWithParam<const char*> {
 protected:
  /// What a simulation of `other` says to a snapshot of `world`; it is then as it was.
  std::string refusal(const World& other, SimulationOptions otherOptions = {}) {
    SimulationOptions options;
    options.backend = otherOptions.backend = GetParam();
    Simulation simulation(world, *registry, nullptr, log, options);
    simulation.advance(0.02);
    Simulation stranger(other, *registry, nullptr, log, std::move(otherOptions));
    const std::uint64_t hash = stranger.stateHash();
    try {
      stranger.restore(simulation.save());
    } catch (const Error& error) {
      EXPECT_EQ(stranger.stateHash(), hash);
      return error.message();
    }
    return "taken";
  }
  void expectRefusal(const World& other, const std::string& part) {
    EXPECT_NE(refusal(other).find("it has other " + part), std::string::npos) << part << ": " << refusal(other);
  }
  test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
  const World world = test::smallWorld();
};

TEST_P(ForeignSnapshot, IsRefusedAlikeByEveryBackend) {
  World other = world;
  other.objects[0].geometry = test::boxGeometry(Vector3d(0.2, 0.2, 0.21));
  expectRefusal(other, "shapes");
  other = world;
  other.terrains[0].geometry = other.terrains[0].geometry->withMargin(0.01);
  expectRefusal(other, "shapes");
  other = world;
  other.objects[1].inertia.mass *= 2;
  expectRefusal(other, "masses or inertias");
  other = world;
  RobotDescription arm = world.robots[0].robot->description();
  arm.links[1].qMax = 0.5;
  other.robots[0] = test::placedRobot(arm);
  expectRefusal(other, "joints");
  other = world;
  other.objects[0].surface.friction = 0.1;
  expectRefusal(other, "surfaces");
  other = world;
  other.simulation.objectCollisions = !other.simulation.objectCollisions;
  expectRefusal(other, "collisions that are allowed");
  SimulationOptions faster;
  faster.controlRate = 200;
  EXPECT_NE(refusal(world, faster).find("other controllers or sensors"), std::string::npos) << refusal(world, faster);
}

TEST_P(ForeignSnapshot, StartsAndSourcesOfShapesDoNotMatter) {
  World other = world;
  other.objects[0].X_WO.p.x() += 0.5;
  other.objects[1].v_WO = Vector3d(0, 1, 0);
  other.robots[0].q[0] = -0.2;
  other.objects[0].geometry = std::make_shared<Geometry>(other.objects[0].geometry->data(), 0, "elsewhere.off");
  EXPECT_EQ(refusal(other), "taken");
}

INSTANTIATE_TEST_SUITE_P(Backends, ForeignSnapshot, testing::Values("mortise"),
                         [](const auto& backend) { return std::string(backend.param); });

}  // namespace
}  // namespace mortise
