#include "seed_source.h"

#include <dlfcn.h>
#include <new>
#include <ompl/base/ProjectionEvaluator.h>
#include <ompl/util/RandomNumbers.h>

namespace mortise::ompl_random {

namespace {

thread_local SeedSource* current = nullptr;

/// Returns the seed that OMPL's own constructor would have drawn: the library behind this one has it.
std::uint_fast32_t seedOfOmpl() {
  using Constructor = void (*)(void*);
  static const auto constructor = reinterpret_cast<Constructor>(dlsym(RTLD_NEXT, "_ZN4ompl3RNGC1Ev"));
  // Without it there is nothing to be reproduced: a fixed seed says so at least every time.
  if (constructor == nullptr) return 1;
  alignas(ompl::RNG) unsigned char memory[sizeof(ompl::RNG)];
  constructor(memory);
  auto* generator = std::launder(reinterpret_cast<ompl::RNG*>(memory));
  const std::uint_fast32_t seed = generator->getLocalSeed();
  generator->~RNG();
  return seed;
}

std::uint_fast32_t seedForThisThread() { return current != nullptr ? current->nextSeed() : seedOfOmpl(); }

class CountingSource final : public SeedSource {
 public:
  std::uint32_t nextSeed() override { return static_cast<std::uint32_t>(++count); }
  int count = 0;
};

}  // namespace

SeedSource::~SeedSource() = default;

SeedSource* exchangeSeedSource(SeedSource* source) noexcept {
  SeedSource* const before = current;
  current = source;
  return before;
}

bool takesPart() {
  static const bool answer = [] {
    CountingSource source;
    SeedSource* const before = exchangeSeedSource(&source);
    // A function of OMPL's library that makes a generator.
    ompl::base::ProjectionMatrix::ComputeRandom(2, 1);
    exchangeSeedSource(before);
    return source.count > 0;
  }();
  return answer;
}

}  // namespace mortise::ompl_random

ompl::RNG::RNG() : RNG(mortise::ompl_random::seedForThisThread()) {}
