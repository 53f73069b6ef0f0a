#include "mortise/text/quoted.h"

#include "mortise/text/hex.h"
#include "mortise/text/utf8.h"

namespace mortise {

void appendQuoted(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) {
      const std::size_t length = utf8Length(text, i);
      out += length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(i, length);
      i += length == 0 ? 1 : length;
      continue;
    }
    ++i;
    static constexpr std::string_view kCharacters = "\"\\\n\r\t", kLetters = "\"\\nrt";
    if (const std::size_t at = kCharacters.find(c); at != std::string_view::npos) {
      out += '\\';
      out += kLetters[at];
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\u00";
      appendHex(out, c);
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace mortise
