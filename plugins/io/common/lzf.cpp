#include "common/lzf.h"

namespace mortise::io {

std::optional<std::string> expandLzf(std::string_view input, std::size_t size) {
  // Three bytes stand for at most 264.
  if (size / 88 > input.size()) return std::nullopt;
  std::string output;
  output.reserve(size);
  std::size_t at = 0;
  const auto byte = [&] { return static_cast<unsigned char>(input[at++]); };
  while (at < input.size()) {
    const unsigned control = byte();
    if (control < 32) {  // So many plain bytes, plus one.
      const std::size_t count = control + 1;
      if (input.size() - at < count || size - output.size() < count) return std::nullopt;
      output.append(input.substr(at, count));
      at += count;
      continue;
    }
    // A copy of what stands some way back: length in the upper three bits (7: another byte follows), distance in the
    // rest.
    std::size_t count = control >> 5;
    if (count == 7) {
      if (at == input.size()) return std::nullopt;
      count += byte();
    }
    if (at == input.size()) return std::nullopt;
    const std::size_t distance = ((control & 31u) << 8) + byte() + 1;
    count += 2;
    if (distance > output.size() || size - output.size() < count) return std::nullopt;
    for (std::size_t from = output.size() - distance; count > 0; --count) output += output[from++];  // May overlap.
  }
  if (output.size() != size) return std::nullopt;
  return output;
}

}  // namespace mortise::io
