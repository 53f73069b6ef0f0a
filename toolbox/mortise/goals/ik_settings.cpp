#include "mortise/goals/ik_settings.h"

namespace mortise {

void IKTargetSettings::bind(SettingBinder& b) {
  b.add("link", link, "The link to place, by name or index.");
  b.add("pose", pose,
        "Where it goes: 12 numbers, the rotation row by row and then the position, in the world; 3 numbers, the "
        "position alone; YAML such as {position: [0.5, 0, 0.4], rpy: [0, 180 deg, 0]}; or a file of one of these.");
  b.add("clearance", clearance, "Links that are checked for self-collision stay at least so far apart.",
        {.min = 0, .unit = "m"});
}

void IKFreedomSettings::bind(SettingBinder& b) {
  b.add("active", active, "Links that may move; by default all that the goals depend on.");
  b.add("limits", limits, "Whether joints stay within their limits.");
}

void IKSolveSettings::bind(SettingBinder& b) {
  b.choice("method", method,
           {{"automatic", Method::automatic},
            {"auto", Method::automatic},
            {"numeric", Method::numeric},
            {"analytic", Method::analytic},
            {"local", Method::local}},
           "How to solve: a closed form where there is one, else numerically (`automatic`, or `auto`), `numeric`, "
           "`analytic`, or `local`, "
           "numerically from the start alone.");
  b.add("tolerance", tolerance, "What counts as solved (m and rad).", {.min = 1e-15, .unit = "m"});
  b.add("max_iterations", maxIterations, "Maximum number of iterations of each try.", {.min = 1, .max = 1e9});
  b.add("restarts", restarts, "Tries from random configurations; by default, or -1, as many as take some 10 ms.",
        {.min = -1, .max = 1e9});
  b.add("seed", seed, "Of the random restarts; by default that of the run, or 0.", {.min = 0});
  b.add("nearest", nearest, "Of several solutions the one nearest to the start.");
  b.add("threads", threads, "Threads for the restarts; the answer does not depend on it.", {.min = 1, .max = 256});
}

IKOptions IKSolveSettings::options(std::uint64_t otherwise) const {
  IKOptions result;
  result.seed = seed ? static_cast<std::uint64_t>(*seed) : otherwise;
  result.tolerance = tolerance;
  result.maxIterations = maxIterations;
  result.restarts = method == Method::local ? 0 : restarts.value_or(-1);
  result.method = method == Method::analytic    ? IKMethod::analytic
                  : method == Method::automatic ? IKMethod::automatic
                                                : IKMethod::numeric;
  result.nearest = nearest;
  result.threads = threads;
  return result;
}

}  // namespace mortise
