#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mortise {

/// Appends the two hexadecimal digits of a byte.
inline void appendHex(std::string& out, char byte, std::string_view digits = "0123456789abcdef") {
  out += digits[static_cast<unsigned char>(byte) >> 4];
  out += digits[static_cast<unsigned char>(byte) & 15];
}

/// Two digits for each byte, in order.
inline std::string hexText(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) appendHex(text, byte);
  return text;
}

/// The sixteen digits of a number, the highest first.
inline std::string hexText(std::uint64_t number) {
  std::string text;
  for (int shift = 56; shift >= 0; shift -= 8) appendHex(text, static_cast<char>(number >> shift));
  return text;
}

}  // namespace mortise
