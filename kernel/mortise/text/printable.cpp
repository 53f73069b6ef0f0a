#include "mortise/text/printable.h"

#include "mortise/text/hex.h"
#include "mortise/text/utf8.h"

namespace mortise {

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  const auto escape = [&](char c) {
    result += "\\x";
    appendHex(result, c);
  };
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8Length(text, i);
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool control = length == 1 && ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f);
    // U+0080 to U+009F are control characters too; some terminals obey them.
    const bool control8 = length == 2 && byte == 0xc2 && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (length == 0 || control || control8) {
      for (std::size_t k = 0; k < (length == 0 ? 1 : length); ++k) escape(text[i + k]);
    } else {
      result += text.substr(i, length);
    }
    i += length == 0 ? 1 : length;
  }
  return result;
}

}  // namespace mortise
