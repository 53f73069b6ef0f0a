#include "mortise/planning/sampling.h"

#include "mortise/base/error.h"

namespace mortise {

bool sampleFeasible(PlanningSpace& space, RandomStream& random, int tries, VectorXd& q, std::string* reason) {
  if (tries < 1) throw Error("a feasible configuration must be tried for at least once");
  std::vector<int> failed(space.constraints().size(), 0);
  std::string example;
  for (int i = 0; i < tries; ++i) {
    space.sample(random, q);
    int violated = -1;
    if (space.feasible(q, &violated)) return true;
    if (reason != nullptr && failed[static_cast<std::size_t>(violated)]++ == 0)
      example += (example.empty() ? "" : "; ") + space.explain(violated, q);
  }
  if (reason != nullptr) {
    *reason = "none of " + std::to_string(tries) + " random configurations is feasible:";
    bool first = true;
    for (std::size_t c = 0; c < failed.size(); ++c) {
      if (failed[c] == 0) continue;
      *reason += (first ? " " : ", ") + std::to_string(failed[c]) + " failed '" + space.constraints()[c] + "'";
      first = false;
    }
    *reason += " (" + example + ")";
  }
  return false;
}

std::vector<std::pair<VectorXd, VectorXd>> samplePairs(PlanningSpace& space, RandomStream& random, int count,
                                                       const SamplePairsOptions& options) {
  std::vector<std::pair<VectorXd, VectorXd>> pairs;
  VectorXd a, b;
  std::string reason;
  for (int i = 0; i < count; ++i) {
    int near = 0, far = 0, open = 0, tries = 0;
    for (; tries < options.tries; ++tries) {
      if (!sampleFeasible(space, random, options.tries, a, &reason) ||
          !sampleFeasible(space, random, options.tries, b, &reason))
        throw Error(reason);
      const double length = space.distance(a, b);
      if (length < options.minDistance)
        ++near;
      else if (length > options.maxDistance)
        ++far;
      else if (options.blockedOnly && space.visible(a, b))
        ++open;
      else
        break;
    }
    if (tries == options.tries)
      throw Error("only " + std::to_string(i) + " of " + std::to_string(count) + " pairs were found: of " +
                      std::to_string(tries) + " pairs of feasible configurations " + std::to_string(near) +
                      " were too near to each other, " + std::to_string(far) + " too far apart, and " +
                      std::to_string(open) + " had a free direct edge",
                  {}, "ask for less, or for more tries");
    pairs.emplace_back(a, b);
  }
  return pairs;
}

}  // namespace mortise
