// Equal state hashes: run again, in a new process, after reset, after restores, with and without snapshots.

#include <cstdlib>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

#include "mortise/loading/format_loader.h"
#include "tests/runtime/simulation/closed_form.h"
#include "tests/support/reference.h"

namespace mortise::test {
namespace {

struct DeterminismCase {
  const char* backend;
  const char* world;  ///< Below klampt-data/; empty: a stack built here.
  double seconds;
};

void PrintTo(const DeterminismCase& c, std::ostream* out) { *out << c.backend << " " << c.world; }

/// Everything that such a run needs.
struct Replay {
  explicit Replay(const DeterminismCase& c) : registry(makeRegistry(log)), loader(*registry, log) {
    if (*c.world == '\0') {
      world = smallWorld();
      for (int i = 0; i < 4; ++i) {
        world.objects.push_back(boxObject("stack" + std::to_string(i), Vector3d(0, 2, 0.11 + 0.21 * i)));
        world.objects.back().surface.restitution = 0.3;
      }
    } else {
      Diagnostics diagnostics;
      world = loader.world(referenceDir() + "/klampt-data/" + c.world, {}, diagnostics);
      diagnostics.throwIfErrors();
    }
    SimulationOptions options;
    options.backend = c.backend;
    options.seed = 7;
    simulation = std::make_unique<Simulation>(world, *registry, &loader, log, options);
  }
  NullLog log;
  std::unique_ptr<Registry> registry;
  FormatLoader loader;
  World world;
  std::unique_ptr<Simulation> simulation;
};

std::vector<DeterminismCase> determinismCases() {
  std::vector<DeterminismCase> all;
  const char* backend = "mortise";
  for (const auto& [world, seconds] : {std::pair("", 0.6), std::pair("tx90cups.xml", 0.24),
                                       std::pair("hubo_plane.xml", 0.12), std::pair("athlete_plane.xml", 0.12)})
    all.push_back({backend, world, seconds});
  return all;
}

class Determinism : public testing::TestWithParam<DeterminismCase> {
 protected:
  void SetUp() override {
    if (*GetParam().world != '\0') MORTISE_NEEDS_REFERENCE();
  }
};

TEST_P(Determinism, SameHashAgainAndAfterReset) {
  const double seconds = GetParam().seconds;
  Replay first(GetParam()), second(GetParam());
  first.simulation->advance(seconds);
  const std::uint64_t expected = first.simulation->stateHash();
  second.simulation->advance(seconds);
  EXPECT_EQ(second.simulation->stateHash(), expected) << "another simulation in the same process";
  first.simulation->reset();
  first.simulation->advance(seconds);
  EXPECT_EQ(first.simulation->stateHash(), expected) << "after reset";
  first.simulation->advance(seconds / 3);
  first.simulation->reset();
  first.simulation->advance(seconds);
  EXPECT_EQ(first.simulation->stateHash(), expected) << "after another reset, from elsewhere";
}

TEST_P(Determinism, SameHashAfterRestoresWhateverHappenedBefore) {
  const double half = GetParam().seconds / 2;
  Replay run(GetParam());
  Simulation& simulation = *run.simulation;
  simulation.advance(half);
  const std::vector<std::byte> snapshot = simulation.save();
  const std::uint64_t middle = simulation.stateHash();
  simulation.advance(half);
  const std::uint64_t end = simulation.stateHash();  // Never stopped but for the snapshot.

  simulation.restore(snapshot);
  EXPECT_EQ(simulation.stateHash(), middle);
  simulation.advance(half);
  EXPECT_EQ(simulation.stateHash(), end) << "after the first restore";

  simulation.reset();
  simulation.setGravity(Vector3d(0, 1, -3));
  simulation.advance(half / 2);
  simulation.restore(snapshot);
  EXPECT_EQ(simulation.stateHash(), middle);
  simulation.advance(half);
  EXPECT_EQ(simulation.stateHash(), end) << "after another history";

  Replay fresh(GetParam());
  fresh.simulation->restore(snapshot);
  EXPECT_EQ(fresh.simulation->stateHash(), middle);
  fresh.simulation->advance(half);
  EXPECT_EQ(fresh.simulation->stateHash(), end) << "in a simulation that never ran";
}

TEST_P(Determinism, SnapshotsChangeNothing) {
  const auto steps = static_cast<int>(std::lround(GetParam().seconds / kDt));
  Replay plain(GetParam()), watched(GetParam());
  for (int i = 0; i < steps; ++i) {
    plain.simulation->step();
    if (i % 7 == 0) watched.simulation->save();
    watched.simulation->step();
  }
  EXPECT_EQ(watched.simulation->stateHash(), plain.simulation->stateHash());
}

/// Not a test of its own: what `SameHashInANewProcess` runs there.
TEST_P(Determinism, WritesItsHashForAnotherProcess) {
  const char* const file = std::getenv("MORTISE_TEST_HASH_FILE");
  if (file == nullptr) GTEST_SKIP() << "runs as a part of another test";
  Replay run(GetParam());
  run.simulation->advance(GetParam().seconds);
  std::ofstream(file) << formatHash(run.simulation->stateHash());
}

TEST_P(Determinism, SameHashInANewProcess) {
  const testing::TestInfo* const here = testing::UnitTest::GetInstance()->current_test_info();
  std::string name = here->name();
  name.replace(name.find("SameHashInANewProcess"), std::string("SameHashInANewProcess").size(),
               "WritesItsHashForAnotherProcess");
  std::string file = testing::TempDir() + "/mortise_hash_XXXXXX";
  const int handle = mkstemp(file.data());
  ASSERT_GE(handle, 0);
  close(handle);
  const std::string filter = "--gtest_filter=" + std::string(here->test_suite_name()) + "." + name;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    setenv("MORTISE_TEST_HASH_FILE", file.c_str(), 1);
    if (std::freopen("/dev/null", "w", stdout) == nullptr) _exit(1);
    execl("/proc/self/exe", "test", filter.c_str(), static_cast<char*>(nullptr));
    _exit(1);
  }
  Replay run(GetParam());
  run.simulation->advance(GetParam().seconds);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  std::string hash;
  std::ifstream(file) >> hash;
  unlink(file.c_str());
  EXPECT_EQ(hash, formatHash(run.simulation->stateHash()));
}

INSTANTIATE_TEST_SUITE_P(Worlds, Determinism, testing::ValuesIn(determinismCases()), [](const auto& parameter) {
  const std::string world = parameter.param.world;
  return std::string(parameter.param.backend) + "_" +
         (world.empty() ? std::string("stack") : world.substr(0, world.find('.')));
});

}  // namespace
}  // namespace mortise::test
