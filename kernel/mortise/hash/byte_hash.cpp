#include "mortise/hash/byte_hash.h"

#include "mortise/hash/hash.h"

namespace mortise {

namespace {

constexpr std::uint64_t kFnvPrime = 0x100000001b3ULL;

/// Finalizer of MurmurHash3 (Appleby): every input bit reaches every output bit.
std::uint64_t mix(std::uint64_t h) {
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdULL;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53ULL;
  return h ^ (h >> 33);
}

}  // namespace

ByteHash::ByteHash(std::uint64_t seed) : state_(kFnvStart ^ mix(seed)) {}

void ByteHash::add(const void* data, std::size_t size) { state_ = fnv1a(data, size, state_); }

/// FNV-1a multiplies by its prime for each of them.
void ByteHash::addZeros(std::uint64_t count) {
  for (std::uint64_t power = kFnvPrime; count != 0; count >>= 1, power *= power)
    if ((count & 1) != 0) state_ *= power;
}

std::uint64_t ByteHash::value() const { return mix(state_); }

}  // namespace mortise
