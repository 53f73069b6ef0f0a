#pragma once

/// Blocks of a series with few bytes: what a message `mortise.Series` holds as `packed` (docs/logs.md says byte by
/// byte). Nothing is lost: a value is told by how the integer of its bits differs from what is expected of it.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mortise::logs {

/// The most values that a block can have: bounds what damaged bytes can ask for.
inline constexpr std::size_t kMaxPacked = std::size_t{1} << 22;

/// Appends the bytes. `values` are sample by sample, `columns` of each. Ticks increase or stay, and
/// there are `kMaxPacked` values at most.
void packSeries(std::span<const std::uint64_t> ticks, std::span<const double> times, std::span<const float> values,
                std::size_t columns, std::string& out);

/// The reverse. Throws `Error` for other bytes.
void unpackSeries(std::string_view packed, std::size_t columns, std::vector<std::uint64_t>& ticks,
                  std::vector<double>& times, std::vector<float>& values);

}  // namespace mortise::logs
