#include "mortise/settings/klampt_text.h"

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

namespace mortise {

namespace {

/// The same text as YAML: a colon and a blank after a key, commas between entries. Lines stay the same, columns nearly.
std::string klamptTextAsYaml(const std::string& text) {
  std::string result;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) quote = 0;
      result += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      result += c;
    } else if (c == ';') {
      result += ',';
    } else if (c == '\t') {
      result += ' ';
    } else if ((c == ':' || c == '=') && !result.empty() && result.find_last_of("{,") != std::string::npos &&
               result.find(": ", result.find_last_of("{,")) == std::string::npos) {
      // Only the first colon of an entry ends its key: "ompl:rrt" keeps its colon.
      result += ": ";
    } else {
      result += c;
    }
  }
  return result;
}

void placeAt(Value& value, const SourcePosition& where) {
  value.setPosition(where);
  if (value.isMap())
    for (Value::Entry& entry : value.entries()) placeAt(entry.value, where);
  if (value.isList())
    for (Value& item : value.items()) placeAt(item, where);
}

}  // namespace

Value parseKlamptText(const std::string& text, const std::string& file) {
  return parseYaml(klamptTextAsYaml(text), file);
}

Value parseKlamptText(const Value& text) {
  try {
    const std::string& written = text.asString();
    const std::size_t end = written.rfind('}');
    if (end != std::string::npos && written.find_first_not_of(" \t\r\n", end + 1) != std::string::npos)
      throw Error("there is more after the last '}'");
    Value value = parseYaml(klamptTextAsYaml(written), "");
    placeAt(value, text.position());
    return value;
  } catch (const Error& error) {
    throw Error("'" + text.asString() + "': " + error.message(), text.position(), error.hint());
  }
}

}  // namespace mortise
