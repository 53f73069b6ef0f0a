#include "mortise/base/value_text.h"

#include <charconv>
#include <cmath>
#include <cstdio>

#include "mortise/base/position.h"
#include "mortise/text/normalize.h"
#include "mortise/text/quoted.h"

namespace mortise {

namespace {

/// Plain scalars made of these alone need no quotes, in block and in flow style.
bool plainCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '/' || c == '-' || c == '+' || c == '(' || c == ')' || c == ' ' || c == '^' || c == '$' || c == ';' ||
         static_cast<unsigned char>(c) >= 0xa0;
}

bool plainScalar(std::string_view text) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ') return false;
  // "---" and "..." are markers; "- x" is a list entry.
  if (text.starts_with("---") || text.starts_with("...") || text == "-" || text.starts_with("- ")) return false;
  for (const char c : text) {
    // Other characters, and bytes that may not be valid UTF-8, are quoted.
    if (!plainCharacter(c) || static_cast<unsigned char>(c) >= 0x80) return false;
  }
  if (!Value::fromText(std::string(text)).isString()) return false;
  // Other YAML readers take these for booleans.
  const std::string lower = lowerCase(text);
  for (const char* word : {"yes", "no", "on", "off", "y", "n"})
    if (lower == word) return false;
  return true;
}

void appendYamlString(std::string& out, std::string_view text) {
  if (plainScalar(text))
    out += text;
  else
    appendQuoted(out, text);
}

void appendYamlScalar(std::string& out, const Value& value) {
  switch (value.type()) {
    case Value::Type::null:
      out += "null";
      break;
    case Value::Type::boolean:
      out += value.asBool() ? "true" : "false";
      break;
    case Value::Type::integer:
      out += std::to_string(value.asInteger());
      break;
    case Value::Type::real: {
      const double real = value.asReal();
      if (std::isnan(real)) {
        out += ".nan";
      } else if (std::isinf(real)) {
        out += real < 0 ? "-.inf" : ".inf";
      } else {
        const std::string text = formatReal(real);
        out += text;
        // "2" would read back as an integer.
        if (text.find_first_of(".e") == std::string::npos) out += ".0";
      }
      break;
    }
    case Value::Type::string:
      appendYamlString(out, value.asString());
      break;
    case Value::Type::list:
      out += "[]";
      break;
    case Value::Type::map:
      out += "{}";
      break;
  }
}

bool scalarsOnly(const Value& list) {
  for (const Value& item : list.items())
    if (!item.isScalar()) return false;
  return true;
}

/// `[a, b, c]` for a list of scalars; empty when it would be too long for a line.
std::string flowList(const Value& list, std::size_t limit) {
  std::string text = "[";
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i) text += ", ";
    appendYamlScalar(text, list[i]);
    if (text.size() > limit) return {};
  }
  return text + "]";
}

/// Writes `value` after "key:" or "-" at `indent`, ending the line. `inLine` says that a map or list may start on the
/// current line (after "- ").
void appendYaml(std::string& out, const Value& value, int indent, bool inLine) {
  constexpr std::size_t kLineLimit = 200;
  const std::string pad(static_cast<std::size_t>(indent), ' ');
  if (value.isScalar() || value.size() == 0) {
    if (!out.empty() && out.back() != '\n' && out.back() != ' ') out += ' ';
    appendYamlScalar(out, value);
    out += '\n';
    return;
  }
  if (value.isList()) {
    if (scalarsOnly(value)) {
      const std::string line = flowList(value, kLineLimit);
      if (!line.empty()) {
        if (!out.empty() && out.back() != '\n' && out.back() != ' ') out += ' ';
        out += line + "\n";
        return;
      }
    }
    if (!inLine && !out.empty() && out.back() != '\n') out += '\n';
    bool first = inLine;
    for (const Value& item : value.items()) {
      if (!first) out += pad;
      first = false;
      out += "- ";
      appendYaml(out, item, indent + 2, true);
    }
    return;
  }
  if (!inLine && !out.empty() && out.back() != '\n') out += '\n';
  bool first = inLine;
  for (const Value::Entry& entry : value.entries()) {
    if (!first) out += pad;
    first = false;
    // Keys longer than 1024 characters need the explicit form.
    const bool explicitKey = entry.key.size() > 500;
    if (explicitKey) out += "? ";
    appendYamlString(out, entry.key);
    if (explicitKey) out += "\n" + pad;
    out += ':';
    appendYaml(out, entry.value, indent + 2, false);
  }
}

}  // namespace

std::string toYaml(const Value& value) {
  std::string out;
  appendYaml(out, value, 0, true);
  return out;
}

std::string formatReal(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[32];
  const auto [end, code] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, end};
}

std::string formatReal(double value, int digits) {
  char text[48];
  std::snprintf(text, sizeof text, "%.*g", std::min(digits, 17), value);
  return text;
}

}  // namespace mortise
