#pragma once

/// Samples of a running simulation, as pages get them, and how the older ones are kept: packed, in a tenth of the
/// bytes.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mortise/logs/series.h"

namespace mortise::viewer {

struct LiveSample {
  std::int64_t tick = 0;
  double time = 0;                                        ///< s
  std::vector<float> state, torques, commands, contacts;  ///< Contacts: a row each.
  std::vector<std::vector<float>> sensors;
  /// Returns its size in memory.
  std::size_t bytes() const;
};

using LiveSamplePtr = std::shared_ptr<const LiveSample>;

/// Samples as series, one after the other: what channels hold.
struct LiveBlocks {
  logs::SeriesBlock state, torques, commands, contacts;
  std::vector<logs::SeriesBlock> sensors;
  /// Makes blocks of one sample at least, all with the same series.
  explicit LiveBlocks(std::span<const LiveSamplePtr> samples);
};

/// Several samples in few bytes, to the bit. Their ticks increase.
class PackedSamples {
 public:
  explicit PackedSamples(std::span<const LiveSamplePtr> samples);

  std::vector<LiveSamplePtr> unpack() const;
  std::int64_t lastTick() const { return lastTick_; }
  double firstTime() const { return firstTime_; }
  std::size_t bytes() const { return sizeof *this + packed_.size(); }
  std::size_t unpackedBytes() const { return unpackedBytes_; }

 private:
  std::int64_t lastTick_;
  double firstTime_;
  std::size_t unpackedBytes_ = 0;
  std::string packed_;
};

}  // namespace mortise::viewer
