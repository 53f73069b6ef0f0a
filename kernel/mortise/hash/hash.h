#pragma once

#include <cstddef>
#include <cstdint>

namespace mortise {

/// The output function of splitmix64 (Steele, Lea and Flood, 2014): a one-to-one mix of 64 bits.
inline std::uint64_t splitMixBits(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// The increment of splitmix64's state, 2^64 divided by the golden ratio.
inline constexpr std::uint64_t kSplitMixIncrement = 0x9e3779b97f4a7c15ULL;

/// FNV-1a with 64 bits (Fowler, Noll and Vo); `hash` continues an earlier one.
inline constexpr std::uint64_t kFnvStart = 0xcbf29ce484222325ULL;
inline std::uint64_t fnv1a(const void* data, std::size_t size, std::uint64_t hash = kFnvStart) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3ULL;
  return hash;
}

/// The constants and the mixing step of wyhash (Wang Yi, public domain): a product of 128 bits, folded to 64.
inline constexpr std::uint64_t kWyhashSecret[4] = {0xa0761d6478bd642fULL, 0xe7037ed1a0b428dbULL, 0x8ebc6af09c88c6e3ULL,
                                                   0x589965cc75374cc3ULL};
inline std::uint64_t foldedProduct(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace mortise
