#pragma once

#include <string>
#include <string_view>

namespace mortise {

/// Appends text as it stands in XML and HTML, in elements and in attributes with double quotes. Control characters
/// become character references, as Klamp't writes them, so that no reader folds new lines and tabs.
inline void appendXml(std::string& out, std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        if (byte >= 0x20 && byte != 0x7f) {
          out += c;
          break;
        }
        out += "&#x";
        out += kDigits[byte >> 4];
        out += kDigits[byte & 15];
        out += ';';
    }
  }
}

}  // namespace mortise
