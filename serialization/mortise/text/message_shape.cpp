#include "mortise/text/message_shape.h"

#include <cctype>

namespace mortise {

namespace {

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Behind the quotation mark that closes the one at `at`; 0: none does, as in "Klamp't".
std::size_t endOfQuote(std::string_view text, std::size_t at) {
  if (at > 0 && isWord(text[at - 1])) return 0;
  for (std::size_t end = text.find('\'', at + 1); end != std::string_view::npos; end = text.find('\'', end + 1))
    if (end + 1 == text.size() || !isWord(text[end + 1])) return end + 1;
  return 0;
}

/// Behind a number: digits, points, and what makes an exponent.
std::size_t endOfNumber(std::string_view text, std::size_t at) {
  const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  while (digit(at) || (at < text.size() && text[at] == '.' && digit(at + 1))) ++at;
  if (at < text.size() && text[at] == 'e') {
    const std::size_t exponent = at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+') ? at + 2 : at + 1;
    if (digit(exponent)) return endOfNumber(text, exponent);
  }
  return at;
}

}  // namespace

std::string messageShape(std::string_view message) {
  std::string shape;
  for (std::size_t i = 0; i < message.size();) {
    const char c = message[i];
    const bool begins = i == 0 || !isWord(message[i - 1]);
    if (const std::size_t end = c == '\'' ? endOfQuote(message, i) : 0; end > 0) {
      shape += "''";
      i = end;
    } else if (c >= '0' && c <= '9' && begins) {
      // The sign belongs to the number.
      if (!shape.empty() && shape.back() == '-' && (shape.size() == 1 || shape[shape.size() - 2] == ' '))
        shape.pop_back();
      shape += '#';
      i = endOfNumber(message, i);
    } else {
      shape += c;
      ++i;
    }
  }
  return shape;
}

}  // namespace mortise
