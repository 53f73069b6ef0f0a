#include "mortise/base/random.h"

#include <cmath>
#include <numbers>

#include "mortise/hash/byte_hash.h"
#include "mortise/hash/hash.h"

namespace mortise {

namespace {

std::uint64_t rotateLeft(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

}  // namespace

std::uint64_t hashBytes(const void* data, std::size_t size, std::uint64_t seed) {
  ByteHash hash(seed);
  hash.add(data, size);
  return hash.value();
}

RandomStream::RandomStream(std::uint64_t seed, std::string_view id) {
  std::uint64_t start = hashBytes(id.data(), id.size(), seed);
  for (std::uint64_t& word : state_) word = splitMixBits(start += kSplitMixIncrement);
}

std::uint64_t RandomStream::bits() {
  const std::uint64_t result = rotateLeft(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = rotateLeft(state_[3], 45);
  return result;
}

double RandomStream::uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

double RandomStream::uniform(double low, double high) {
  const double value = low + (high - low) * uniform();
  // Rounding can reach the upper end, which the interval leaves out.
  return value < high || !(low < high) ? value : std::nextafter(high, low);
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  if (bound <= 1) return 0;
  // Numbers below 2^64 mod bound would make some results likelier than others.
  const std::uint64_t reject = (0 - bound) % bound;
  std::uint64_t value = bits();
  while (value < reject) value = bits();
  return value % bound;
}

double RandomStream::gaussian() {
  const double u = 1 - uniform();  // in (0, 1], so that the logarithm is finite
  const double v = uniform();
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

}  // namespace mortise
