#include "mortise/base/error.h"

namespace mortise {

std::string SourcePosition::describe() const {
  std::string text = file;
  if (!text.empty() && line > 0) {
    text += ":" + std::to_string(line);
    if (column > 0) text += ":" + std::to_string(column);
  }
  if (!path.empty()) text += text.empty() ? path : " (" + path + ")";
  return text;
}

namespace {

std::string fullText(const std::string& message, const SourcePosition& where, const std::string& hint) {
  std::string text = where.describe();
  if (!text.empty()) text += ": ";
  text += message;
  if (!hint.empty()) text += "\n  hint: " + hint;
  return text;
}

}  // namespace

Error::Error(std::string message, SourcePosition where, std::string hint)
    : std::runtime_error(fullText(message, where, hint)),
      message_(std::move(message)),
      where_(std::move(where)),
      hint_(std::move(hint)) {}

Error::~Error() = default;

}  // namespace mortise
