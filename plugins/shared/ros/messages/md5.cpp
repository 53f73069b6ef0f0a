#include "ros/messages/md5.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace mortise::ros {

namespace {

constexpr std::array<int, 16> kShifts = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

/// The integer parts of 2^32 |sin(i + 1)|.
std::array<std::uint32_t, 64> sines() {
  std::array<std::uint32_t, 64> table;
  for (int i = 0; i < 64; ++i)
    table[static_cast<std::size_t>(i)] =
        static_cast<std::uint32_t>(std::floor(std::abs(std::sin(i + 1.0)) * 4294967296.0));
  return table;
}

void addBlock(std::array<std::uint32_t, 4>& state, const char* block) {
  static const std::array<std::uint32_t, 64> kSines = sines();
  std::array<std::uint32_t, 16> words;
  std::memcpy(words.data(), block, 64);
  auto [a, b, c, d] = state;
  for (std::uint32_t i = 0; i < 64; ++i) {
    const std::uint32_t round = i / 16;
    std::uint32_t mixed = 0, word = 0;
    if (round == 0) mixed = (b & c) | (~b & d), word = i;
    if (round == 1) mixed = (d & b) | (~d & c), word = (5 * i + 1) % 16;
    if (round == 2) mixed = b ^ c ^ d, word = (3 * i + 5) % 16;
    if (round == 3) mixed = c ^ (b | ~d), word = (7 * i) % 16;
    mixed += a + kSines[i] + words[word];
    a = d;
    d = c;
    c = b;
    b += std::rotl(mixed, kShifts[round * 4 + i % 4]);
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

}  // namespace

std::string md5(std::string_view text) {
  static_assert(std::endian::native == std::endian::little);
  std::array<std::uint32_t, 4> state = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u};
  std::string padded(text);
  padded += '\x80';
  while (padded.size() % 64 != 56) padded += '\0';
  const std::uint64_t bits = std::uint64_t{text.size()} * 8;
  padded.append(reinterpret_cast<const char*>(&bits), sizeof bits);
  for (std::size_t at = 0; at < padded.size(); at += 64) addBlock(state, padded.data() + at);

  std::string digits;
  const auto* bytes = reinterpret_cast<const unsigned char*>(state.data());
  for (int i = 0; i < 16; ++i) {
    digits += "0123456789abcdef"[bytes[i] >> 4];
    digits += "0123456789abcdef"[bytes[i] & 15];
  }
  return digits;
}

}  // namespace mortise::ros
