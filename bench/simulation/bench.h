#pragma once

/// Tools that the parts of this benchmark share: worlds, their oracles, isolated runs.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/loading/format_loader.h"
#include "mortise/simulation/simulation.h"
#include "shared/timing.h"

namespace mortise::bench {

struct Options {
  std::string data;  ///< The folder that holds `klampt-data/` and `reference/`.
  std::vector<std::string> worlds;
  std::vector<std::string> backends = {"mortise", "ode", "bullet"};
  bool backendsChosen = false;  ///< By the caller, in place of these.
  double seconds = 5;
  std::int64_t steps = 1000000;
  int runs = 5;
  double limit = 600;                ///< CPU seconds a run may take.
  std::string json;                  ///< File to write, or empty.
  std::vector<std::string> folders;  ///< Other worlds than the oracle's.
  std::string beside;                ///< Another build's `mortise`, or empty.
  std::string onUnstable;            ///< For this build alone, or empty.
};

/// A world that the oracle has simulated.
struct Case {
  std::string name;  ///< Name as in the oracle's file: "stacktest", "variant_bounce_test".
  std::string file;  ///< Below `klampt-data/`.
  Value oracle;
};

/// All of them by name, or those that `options.worlds` asks for. Throws `Error` for names that are not there.
std::vector<Case> findCases(const Options& options);

/// A world with everything that runs it.
struct Loaded {
  Loaded(const Options& options, const std::string& file);
  NullLog log;
  Registry registry;
  FormatLoader loader;
  World world;
  std::unique_ptr<Simulation> simulate(const std::string& backend);
};

/// Returns what `work` returns, computed in a process of its own, so that a crash or a hang (`limit` CPU seconds) ends
/// no more than that: the map then has nothing but `fault`.
Value runIsolated(double limit, const std::function<Value()>& work);

/// To `options.json`, if it names a file.
void writeJson(const Options& options, const Value& rows);

/// Degrees between two orientations.
double degreesBetween(const Matrix3d& a, const Matrix3d& b);
/// Returns the pose of an oracle's 12 numbers: R row-major, then t.
RigidTransform poseOf(const Value& numbers);

int runWorlds(const Options& options);
int runFolders(const Options& options);
int runTrace(const Options& options);
int runOverhead(const Options& options);
int runAgreement(const Options& options);
int runCollisions(const Options& options);
int runSoak(const Options& options);
int runHeaps(const Options& options);
int runRobots(const Options& options);

}  // namespace mortise::bench
