#include "common/signatures.h"

#include <algorithm>
#include <vector>

#include "common/define.h"

namespace mortise::python {

namespace {

/// Returns the place of the bracket that closes the one at `open`; npos where there is none.
std::size_t closing(const std::string& text, std::size_t open) {
  int depth = 0;
  char quote = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if ((c == ')' || c == ']' || c == '}') && --depth == 0) {
      return i;
    }
  }
  return std::string::npos;
}

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \n");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \n") - begin + 1);
}

/// Splits at the commas that stand in no bracket.
std::vector<std::string> argumentsIn(const std::string& text) {
  std::vector<std::string> parts;
  int depth = 0;
  std::string part;
  for (const char c : text) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c == ',' && depth == 0) {
      parts.push_back(trimmed(part));
      part.clear();
    } else {
      part += c;
    }
  }
  if (!trimmed(part).empty()) parts.push_back(trimmed(part));
  return parts;
}

std::string typedArgument(const std::string& argument, const std::vector<BoundParameter>& parameters) {
  const std::size_t equals = argument.find('=');
  const std::string name = trimmed(argument.substr(0, equals));
  if (name.find(':') != std::string::npos) return argument;
  for (const BoundParameter& parameter : parameters) {
    if (parameter.name != name || parameter.type.empty()) continue;
    if (equals == std::string::npos) return name + ": " + parameter.type;
    const std::string standard = trimmed(argument.substr(equals + 1));
    const bool optional = standard == "None" && parameter.type.find("None") == std::string::npos;
    return name + ": " + parameter.type + (optional ? " | None" : "") + " = " + standard;
  }
  return argument;
}

}  // namespace

std::string completeSignature(const BoundFunction& function, const std::string& name, const std::string& doc) {
  if (!doc.starts_with(name + "(")) return doc;
  const std::size_t end = closing(doc, name.size());
  if (end == std::string::npos) return doc;
  std::string text = name + "(";
  for (const std::string& argument : argumentsIn(doc.substr(name.size() + 1, end - name.size() - 1)))
    text += (text.back() == '(' ? "" : ", ") + typedArgument(argument, function.parameters);
  text += ")";
  const std::string rest = doc.substr(end + 1);
  const bool isConstructor = function.owner.empty() && function.result == name;
  if (!rest.starts_with(" -> ") && !function.result.empty() && !isConstructor) text += " -> " + function.result;
  return text + rest;
}

std::string completeAttribute(const std::string& name, const std::string& type, const std::string& doc) {
  if (type.empty() || doc.starts_with(name + ": ")) return doc;
  return name + ": " + type + (doc.empty() ? "" : "\n\n" + doc);
}

}  // namespace mortise::python
