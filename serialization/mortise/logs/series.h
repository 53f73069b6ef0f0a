#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mortise::logs {

/// Numbers that were measured together at several instants, as the message `mortise.Series` holds them: ticks, times
/// (s), and values in single precision. There are two forms. The plain one, of live views and of older logs, has the
/// values column by column: all samples of the first column, then all of the second, ... The packed one, of logs, has
/// the same to the bit in a fraction of the bytes (series_packing.h).
///
/// Names of the columns are in the channel's metadata, as a JSON list under "columns".
class SeriesBlock {
 public:
  explicit SeriesBlock(std::size_t columns = 0) : columns_(columns) {}

  std::size_t columns() const { return columns_; }
  std::size_t samples() const { return times_.size(); }
  const std::vector<std::uint64_t>& ticks() const { return ticks_; }
  const std::vector<double>& times() const { return times_; }
  float value(std::size_t sample, std::size_t column) const { return values_[sample * columns_ + column]; }
  std::span<const float> sample(std::size_t i) const { return {values_.data() + i * columns_, columns_}; }

  /// One more sample; its values, `columns()` of them, are to be filled in.
  std::span<float> append(std::uint64_t tick, double time);
  void clear();

  /// Appends the message's bytes in the plain form.
  void encode(std::string& out) const;
  /// The same in the packed form.
  void encodePacked(std::string& out) const;
  /// Reads a block of either form. Throws `Error` for what is no such message.
  static SeriesBlock decode(std::string_view message);

 private:
  std::size_t columns_;
  std::vector<std::uint64_t> ticks_;
  std::vector<double> times_;
  std::vector<float> values_;  ///< Sample by sample.
  mutable std::vector<float> byColumn_;
  mutable std::string packed_;
};

}  // namespace mortise::logs
