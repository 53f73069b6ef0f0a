#pragma once

/// Numbers from text, eight bytes at a time: the plain ones that make up nearly all of a large file. Whatever is not
/// plain is left to the library.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mortise::io {

static_assert(std::endian::native == std::endian::little);

/// Reads decimal digits and appends them to `value`, which wraps around after 19 of them. Returns where they end.
inline const char* readDigits(const char* at, const char* end, std::uint64_t& value) {
  constexpr std::uint64_t kPowers[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  while (end - at >= 8) {
    std::uint64_t word;
    std::memcpy(&word, at, sizeof(word));
    word ^= 0x3030303030303030ULL;
    // A byte's high bit tells that it is no digit; what an addition carries reaches only bytes behind the first of
    // them.
    const std::uint64_t others = ((word + 0x7676767676767676ULL) | word) & 0x8080808080808080ULL;
    const int count = others == 0 ? 8 : std::countr_zero(others) / 8;
    if (count == 0) return at;
    // The digits go to the end of the word, zeros in front; then neighbors are put together: 2, 4 and 8 digits.
    word <<= 64 - 8 * count;
    word = (word * 10 + (word >> 8)) & 0x00ff00ff00ff00ffULL;
    word = (word * 100 + (word >> 16)) & 0x0000ffff0000ffffULL;
    word = (word * 10000 + (word >> 32)) & 0xffffffffULL;
    value = value * kPowers[count] + word;
    at += count;
    if (count < 8) return at;
  }
  unsigned digit = 0;
  while (at < end && (digit = static_cast<unsigned>(*at - '0')) < 10) value = value * 10 + digit, ++at;
  return at;
}

/// A short decimal number, as most in files are: up to 19 digits that make an integer below 2^53, and a power of ten up
/// to 22. Both are exact as doubles then, and one multiplication or division rounds correctly (Clinger 1990). Returns
/// where it ends; nullptr for everything else.
inline const char* readShortReal(const char* at, const char* end, double& value) {
  constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const bool negative = at < end && *at == '-';
  at += negative ? 1 : 0;
  std::uint64_t digits = 0;
  const char* const begin = at;
  // One by one before the point, where there are few; many at once behind it.
  unsigned digit = 0;
  while (at < end && (digit = static_cast<unsigned>(*at - '0')) < 10) digits = digits * 10 + digit, ++at;
  std::ptrdiff_t count = at - begin, exponent = 0;
  if (at < end && *at == '.') {
    const char* const fraction = ++at;
    at = readDigits(at, end, digits);
    exponent = fraction - at;
    count -= exponent;
  }
  if (count == 0 || count > 19) return nullptr;
  if (at < end && (*at == 'e' || *at == 'E')) {
    ++at;
    const bool down = at < end && *at == '-';
    if (down || (at < end && *at == '+')) ++at;
    int power = 0, length = 0;
    for (; at < end && length < 4 && (digit = static_cast<unsigned>(*at - '0')) < 10; ++at, ++length)
      power = power * 10 + static_cast<int>(digit);
    if (length == 0 || length == 4) return nullptr;
    exponent += down ? -power : power;
  }
  if (digits > (std::uint64_t{1} << 53) || exponent < -22 || exponent > 22) return nullptr;
  value = static_cast<double>(digits);
  value = exponent < 0 ? value / kPowers[-exponent] : value * kPowers[exponent];
  value = negative ? -value : value;
  return at;
}

inline const char* skipBlanks(const char* at, const char* end) {
  while (at < end && (*at == ' ' || *at == '\t')) ++at;
  return at;
}

/// Three short numbers parted by blanks. Returns where they end; nullptr for anything else.
inline const char* readShortReals(const char* at, const char* end, double (&v)[3]) {
  for (double& number : v) {
    at = readShortReal(skipBlanks(at, end), end, number);
    if (at == nullptr || at == end || (*at != ' ' && *at != '\n' && *at != '\t' && *at != '\r')) return nullptr;
  }
  return at;
}

/// Three unsigned integers of at most nine digits, parted by blanks. Returns where they end; nullptr for anything else.
inline const char* readIndices(const char* at, const char* end, int (&indices)[3]) {
  for (int& index : indices) {
    // One by one: neighboring indices have as many digits, so the processor guesses right where each one ends and
    // reads the next meanwhile.
    const char* const begin = at = skipBlanks(at, end);
    unsigned value = 0, digit = 0;
    while (at < end && (digit = static_cast<unsigned>(*at - '0')) < 10) value = value * 10 + digit, ++at;
    if (at == begin || at - begin > 9 || at == end || (*at != ' ' && *at != '\n' && *at != '\t' && *at != '\r'))
      return nullptr;
    index = static_cast<int>(value);
  }
  return at;
}

}  // namespace mortise::io
