#include "mortise/logs/series.h"

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/logs/series_packing.h"
#include "mortise/protobuf/wire_format.h"

namespace mortise::logs {

std::span<float> SeriesBlock::append(std::uint64_t tick, double time) {
  ticks_.push_back(tick);
  times_.push_back(time);
  values_.resize(values_.size() + columns_);
  return {values_.data() + values_.size() - columns_, columns_};
}

void SeriesBlock::clear() {
  ticks_.clear();
  times_.clear();
  values_.clear();
}

void SeriesBlock::encode(std::string& out) const {
  protobuf::Writer message(out);
  std::string ticks;
  protobuf::Writer varints(ticks);
  for (const std::uint64_t tick : ticks_) varints.varint(tick);
  if (!ticks.empty()) message.bytes(1, ticks);
  message.packed(2, std::span<const double>(times_));
  message.unsignedInteger(3, columns_);
  byColumn_.resize(values_.size());
  for (std::size_t s = 0; s < samples(); ++s)
    for (std::size_t c = 0; c < columns_; ++c) byColumn_[c * samples() + s] = value(s, c);
  message.packed(4, std::span<const float>(byColumn_));
}

void SeriesBlock::encodePacked(std::string& out) const {
  if (std::max(values_.size(), samples()) > kMaxPacked) {
    encode(out);
    return;
  }
  packed_.clear();
  packSeries(ticks_, times_, values_, columns_, packed_);
  protobuf::Writer message(out);
  message.unsignedInteger(3, columns_);
  message.bytes(5, packed_);
}

SeriesBlock SeriesBlock::decode(std::string_view message) {
  SeriesBlock block;
  std::vector<float> byColumn;
  std::string_view packed;
  protobuf::Reader reader(message);
  for (protobuf::Field field; reader.next(field);) {
    if (field.number == 1) {
      protobuf::Reader varints(field.bytes);
      while (!varints.atEnd()) block.ticks_.push_back(varints.varint());
    } else if (field.number == 2) {
      field.packed<double>(block.times_);
    } else if (field.number == 3) {
      block.columns_ = field.integer;
    } else if (field.number == 4) {
      field.packed<float>(byColumn);
    } else if (field.number == 5) {
      packed = field.bytes;
    }
  }
  if (!packed.empty()) {
    unpackSeries(packed, block.columns_, block.ticks_, block.times_, block.values_);
    return block;
  }
  const std::size_t samples = block.times_.size();
  if (block.ticks_.size() != samples || byColumn.size() != samples * block.columns_)
    throw Error("a block of a series has " + std::to_string(samples) + " times, " +
                std::to_string(block.ticks_.size()) + " ticks and " + std::to_string(byColumn.size()) + " values in " +
                std::to_string(block.columns_) + " columns");
  block.values_.resize(byColumn.size());
  for (std::size_t s = 0; s < samples; ++s)
    for (std::size_t c = 0; c < block.columns_; ++c) block.values_[s * block.columns_ + c] = byColumn[c * samples + s];
  return block;
}

}  // namespace mortise::logs
