#pragma once

/// The source of seeds for OMPL's random number generators.
///
/// OMPL's planners make their generators themselves, and each takes its seed from one generator of the process: what a
/// planner does would depend on all that ran before and on what runs beside it. This library defines the constructor
/// `ompl::RNG::RNG()` once more. A plugin that is linked with it, and with OMPL after it, is found first by the loader
/// when it binds OMPL's calls, so that every generator that OMPL makes on a thread takes its seed from that thread's
/// source. It is a library of its own because plugins export one symbol and nothing else.
///
/// Where the program has loaded OMPL before the plugin, OMPL's calls are bound already; then `takesPart` is false.

#include <cstdint>

namespace mortise::ompl_random {

/// Gives seeds to what OMPL makes on this thread.
class SeedSource {
 public:
  virtual ~SeedSource();
  virtual std::uint32_t nextSeed() = 0;
};

/// The source of this thread; null: OMPL's own. Returns the one before.
SeedSource* exchangeSeedSource(SeedSource* source) noexcept;

/// Says whether generators made inside OMPL's library get their seeds here. Tried once.
bool takesPart();

}  // namespace mortise::ompl_random
