#pragma once

/// The meaning of the distances between runs of several backends, for one object or robot.

#include <string>
#include <vector>

namespace mortise {

/// All distances are the largest over the time that is judged, m for objects, rad or m for the worst joint of a robot.
struct ComparisonEvidence {
  std::string unit = "m";  ///< Or "rad".
  double bound = 1e-3;     ///< Distance up to which things are called equal.
  std::vector<std::string> backends;
  std::vector<std::vector<double>>
      apart;                      ///< Distances of each two backends, by their indices: symmetric, 0 on the diagonal.
  std::vector<double> step;       ///< One a backend: from itself with half the step; empty: not asked.
  std::vector<double> disturbed;  ///< One a backend: from itself with a disturbed start; empty: not asked.
  double disturbance = 0;         ///< The size of it.
};

/// The reading of one backend, by its own runs and by those that it is held against.
struct BackendReading {
  std::string verdict;  ///< Verdict as of the whole.
  double apart = 0;     ///< From the nearest of those that agree, or, where none do, from the farthest backend.
};

struct ComparisonReading {
  std::string verdict;                   ///< agree, chaotic, step, within_step, engines.
  std::string sentence;                  ///< For people.
  std::vector<BackendReading> backends;  ///< One a backend.
  /// Indices of the backends that most of the others agree against; empty where nobody is alone.
  std::vector<std::size_t> against;
};

/// Two backends agree when they are no farther apart than the bound, or than the better of them explains: four times
/// what halving its step changes and twice what its disturbance grows to. A backend on which the disturbance grows
/// beyond the bound agrees with none. Where more than half of all agree, they are what the others are held against,
/// each by its own runs alone:
/// chaotic      the disturbance grows beyond the bound on it;
/// step         it is no farther from them than from itself with half the step;
/// within_step  it is no farther from them than step and disturbance explain: twice what halving the step changes
///              (a method of first order has twice that error), and what the disturbance changes, of both;
/// engines      it is.
/// The verdict of the whole is the last of these in this order that holds for one. Where all agree it is `agree` within
/// the bound, else `step` or `within_step`. Where no majority agrees, it is `chaotic` when at least half of the
/// backends are, else that of the two that are farthest beyond what their steps and disturbances explain.
/// Of a single backend, `agree`, `step` and `chaotic` say what its own runs do.
ComparisonReading readComparison(const ComparisonEvidence& evidence);

/// Two digits and a unit: "0.41 m", "3.2 mm", "less than 0.001 mm".
std::string distanceText(double distance, const std::string& unit);

/// "a", "a and b", "a, b and c".
std::string joinedNames(const std::vector<std::string>& names);

}  // namespace mortise
