#include <algorithm>
#include <cmath>
#include <dlfcn.h>
#include <mujoco/mujoco.h>
#include <stdexcept>
#include <vector>

#include "mujoco_test.h"

// The plugin's calls of `mj_Euler` come here first, because a program's symbols are found before those of libraries.

namespace mortise::test {

StepSpy& stepSpy() {
  static StepSpy spy;
  return spy;
}

}  // namespace mortise::test

extern "C" __attribute__((visibility("default"))) void mj_Euler(const mjModel* m, mjData* d) {
  using Step = void (*)(const mjModel*, mjData*);
  // The library must be among the program's own, or the linker leaves it out and the next lookup finds nothing.
  static const bool linked = mj_version() > 0;
  static const auto theirs = reinterpret_cast<Step>(dlsym(RTLD_NEXT, "mj_Euler"));
  if (!linked || theirs == nullptr) throw std::runtime_error("MuJoCo's step is not to be found");
  static const mjData* last = nullptr;
  static std::vector<double> after;
  auto& spy = mortise::test::stepSpy();
  const std::vector<double> before(d->qvel, d->qvel + m->nv);
  if (spy.calls > 0 && last == d && after != before) ++spy.changedOutside;
  ++spy.calls;
  theirs(m, d);
  last = d;
  after.assign(d->qvel, d->qvel + m->nv);
  for (std::size_t i = 0; i < before.size(); ++i)
    spy.largestChange = std::max(spy.largestChange, std::abs(after[i] - before[i]));
}
