#pragma once

/// What the distances between runs of several backends mean, for one object or robot.

#include <string>
#include <vector>

namespace mortise {

/// All distances are the largest over time, m for objects, rad or m for the worst joint of a robot.
struct ComparisonEvidence {
  std::string unit = "m";  ///< Or "rad".
  double bound = 1e-3;     ///< What is called equal.
  std::vector<std::string> backends;
  std::vector<double> apart;      ///< One a backend: from the first; that of the first is 0.
  std::vector<double> step;       ///< One a backend: from itself with half the step; empty: not asked.
  std::vector<double> disturbed;  ///< One a backend: from itself with a disturbed start; empty: not asked.
  double disturbance = 0;         ///< The size of it.
};

struct ComparisonReading {
  std::string verdict;   ///< agree, chaotic, step, within_step, engines.
  std::string sentence;  ///< For people.
};

/// The first that holds, for the backend that is farthest from the first one, and that one:
/// chaotic      the disturbance grows beyond the bound on a backend;
/// agree        they are never more than the bound apart; the sentence says so when halving the step moves one by more;
/// step         they are not farther apart than one of them is from itself with half the step;
/// within_step  they are not farther apart than what step and disturbance explain: twice what halving the step changes
///              (a method of first order has twice that error), and what the disturbance changes, of both;
/// engines      they are.
/// Of a single backend, `agree` and `step` say whether halving the step stays within the bound.
ComparisonReading readComparison(const ComparisonEvidence& evidence);

/// Two digits and a unit: "0.41 m", "3.2 mm", "less than 0.001 mm".
std::string distanceText(double distance, const std::string& unit);

}  // namespace mortise
