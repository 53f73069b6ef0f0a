#include "mortise/logs/series_packing.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "mortise/base/error.h"
#include "mortise/protobuf/wire_format.h"

namespace mortise::logs {

namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
constexpr int kOrders = 3;

/// Integers in the order of the floats, without loss.
std::uint32_t orderedBits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return bits >> 31 != 0 ? bits ^ 0x7fffffffu : bits;
}
float floatOf(std::uint32_t ordered) {
  return std::bit_cast<float>(ordered >> 31 != 0 ? ordered ^ 0x7fffffffu : ordered);
}

std::uint32_t folded(std::uint32_t difference) { return difference << 1 ^ (difference >> 31 != 0 ? 0xffffffffu : 0u); }
std::uint32_t unfolded(std::uint32_t stored) { return stored >> 1 ^ (0u - (stored & 1)); }

struct Group {
  std::uint64_t tick;
  double time;
  std::size_t begin, size;
};

/// The samples from which each sample is expected: that of its rank in the group before, and in the one before that.
struct References {
  std::vector<std::size_t> last, before;

  References(std::span<const Group> groups, std::size_t samples) : last(samples, kNone), before(samples, kNone) {
    for (std::size_t g = 1; g < groups.size(); ++g)
      for (std::size_t r = 0; r < std::min(groups[g].size, groups[g - 1].size); ++r) {
        const std::size_t sample = groups[g].begin + r;
        last[sample] = groups[g - 1].begin + r;
        before[sample] = last[last[sample]];
      }
  }
};

/// Returns the value that is expected of a column at `sample`, whose values before are known.
std::uint32_t expected(std::span<const std::uint32_t> column, const References& references, std::size_t sample,
                       std::size_t groupBegin, int order) {
  if (order == 0) return 0;
  const std::size_t last = references.last[sample];
  if (last == kNone) return sample > groupBegin ? column[sample - 1] : 0;
  const std::size_t before = references.before[sample];
  return order == 1 || before == kNone ? column[last] : 2 * column[last] - column[before];
}

std::vector<Group> groupsOf(std::span<const std::uint64_t> ticks, std::span<const double> times) {
  std::vector<Group> groups;
  for (std::size_t s = 0; s < ticks.size(); ++s) {
    if (groups.empty() || groups.back().tick != ticks[s] || groups.back().time != times[s])
      groups.push_back({ticks[s], times[s], s, 0});
    ++groups.back().size;
  }
  return groups;
}

/// The length of a tick where it explains all times to the bit; else 0.
double stepOf(std::span<const Group> groups) {
  if (groups.empty() || groups.back().tick == 0) return 0;
  const double guess = groups.back().time / static_cast<double>(groups.back().tick);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double step : {guess, std::nextafter(guess, -infinity), std::nextafter(guess, infinity)})
    if (step != 0 && std::all_of(groups.begin(), groups.end(), [&](const Group& group) {
          return static_cast<double>(group.tick) * step == group.time;
        }))
      return step;
  return 0;
}

void appendReal(std::string& out, double value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); }

void appendHead(std::span<const Group> groups, std::string& out) {
  protobuf::Writer numbers(out);
  numbers.varint(groups.size());
  std::uint64_t tick = 0;
  for (const Group& group : groups) {
    numbers.varint(group.tick - tick);
    numbers.varint(group.size);
    tick = group.tick;
  }
  const double step = stepOf(groups);
  numbers.varint(step != 0 ? 1 : 0);
  if (step != 0)
    appendReal(out, step);
  else
    for (const Group& group : groups) appendReal(out, group.time);
}

/// Stored differences of a column, by the order that makes them shortest.
int shortestOrder(std::span<const std::uint32_t> column, std::span<const Group> groups, const References& references,
                  std::span<std::uint32_t> stored) {
  int best = 0;
  std::uint64_t shortest = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint32_t> tried(column.size());
  for (const int order : {1, 2, 0}) {
    std::uint64_t length = 0;
    for (const Group& group : groups)
      for (std::size_t s = group.begin; s < group.begin + group.size; ++s) {
        tried[s] = folded(column[s] - expected(column, references, s, group.begin, order));
        length += static_cast<std::uint64_t>(std::bit_width(tried[s]));
      }
    if (length >= shortest) continue;
    shortest = length;
    best = order;
    std::copy(tried.begin(), tried.end(), stored.begin());
  }
  return best;
}

/// Takes bytes off the front. Throws `Error` where there are too few.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : rest_(bytes) {}
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1).front());
      value |= static_cast<std::uint64_t>(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw Error("a packed series has a number of more than 64 bits");
  }
  double real() {
    double value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view take(std::size_t size) {
    if (size > rest_.size()) throw Error("a packed series ends too early");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  std::size_t size() const { return rest_.size(); }

 private:
  std::string_view rest_;
};

std::vector<Group> readHead(Bytes& bytes) {
  const std::uint64_t count = bytes.number();
  if (count > bytes.size()) throw Error("a packed series ends too early");
  std::vector<Group> groups(count);
  std::size_t begin = 0;
  std::uint64_t tick = 0;
  for (Group& group : groups) {
    tick += bytes.number();
    const std::uint64_t size = bytes.number();
    if (size > kMaxPacked - begin) throw Error("a packed series has too many samples");
    group = {tick, 0, begin, size};
    begin += size;
  }
  const bool steps = bytes.number() == 1;
  const double step = steps ? bytes.real() : 0;
  for (Group& group : groups) group.time = steps ? static_cast<double>(group.tick) * step : bytes.real();
  return groups;
}

void addPlane(std::string_view plane, int place, std::uint32_t* stored) {
  for (std::size_t i = 0; i < plane.size(); ++i)
    stored[i] |= static_cast<std::uint32_t>(static_cast<unsigned char>(plane[i])) << 8 * place;
}

}  // namespace

void packSeries(std::span<const std::uint64_t> ticks, std::span<const double> times, std::span<const float> values,
                std::size_t columns, std::string& out) {
  const std::size_t samples = ticks.size();
  const std::vector<Group> groups = groupsOf(ticks, times);
  appendHead(groups, out);
  if (groups.empty()) return;
  const References references(groups, samples);
  const std::size_t first = groups.front().size;
  std::vector<std::uint32_t> stored(columns * samples), column(samples);
  std::string heads(columns, '\0');
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t s = 0; s < samples; ++s) column[s] = orderedBits(values[s * columns + c]);
    const std::span<std::uint32_t> differences(stored.data() + c * samples, samples);
    const int order = shortestOrder(column, groups, references, differences);
    std::uint32_t all = 0;
    for (const std::uint32_t difference : differences.subspan(first)) all |= difference;
    int head = order;
    for (int place = 0; place < 4; ++place)
      if ((all >> 8 * place & 255) != 0) head |= 16 << place;
    heads[c] = static_cast<char>(head);
  }
  out += heads;
  const auto append = [&](std::size_t c, std::size_t begin, std::size_t end, int place) {
    for (std::size_t s = begin; s < end; ++s) out += static_cast<char>(stored[c * samples + s] >> 8 * place & 255);
  };
  for (int place = 0; place < 4; ++place)
    for (std::size_t c = 0; c < columns; ++c) append(c, 0, first, place);
  for (int place = 0; place < 4; ++place)
    for (std::size_t c = 0; c < columns; ++c)
      if ((heads[c] & 16 << place) != 0) append(c, first, samples, place);
}

void unpackSeries(std::string_view packed, std::size_t columns, std::vector<std::uint64_t>& ticks,
                  std::vector<double>& times, std::vector<float>& values) {
  Bytes bytes(packed);
  const std::vector<Group> groups = readHead(bytes);
  ticks.clear();
  times.clear();
  for (const Group& group : groups) {
    ticks.insert(ticks.end(), group.size, group.tick);
    times.insert(times.end(), group.size, group.time);
  }
  values.clear();
  if (groups.empty()) return;
  const std::size_t samples = ticks.size(), first = groups.front().size;
  if (columns > bytes.size() || (columns > 0 && first > bytes.size() / 4 / columns) ||
      (columns > 0 && samples > kMaxPacked / columns))
    throw Error("a packed series ends too early");
  const std::string_view heads = bytes.take(columns);
  for (const char head : heads)
    if ((head & 3) >= kOrders) throw Error("a packed series has a column of an unknown order");
  std::vector<std::uint32_t> stored(columns * samples);
  for (int place = 0; place < 4; ++place)
    for (std::size_t c = 0; c < columns; ++c) addPlane(bytes.take(first), place, stored.data() + c * samples);
  for (int place = 0; place < 4; ++place)
    for (std::size_t c = 0; c < columns; ++c)
      if ((heads[c] & 16 << place) != 0)
        addPlane(bytes.take(samples - first), place, stored.data() + c * samples + first);
  const References references(groups, samples);
  values.resize(columns * samples);
  for (std::size_t c = 0; c < columns; ++c) {
    const std::span<std::uint32_t> column(stored.data() + c * samples, samples);
    for (const Group& group : groups)
      for (std::size_t s = group.begin; s < group.begin + group.size; ++s) {
        column[s] = unfolded(column[s]) + expected(column, references, s, group.begin, heads[c] & 3);
        values[s * columns + c] = floatOf(column[s]);
      }
  }
}

}  // namespace mortise::logs
