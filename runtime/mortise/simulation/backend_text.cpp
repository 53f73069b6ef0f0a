#include "mortise/simulation/backend_text.h"

#include <algorithm>

#include "mortise/settings/parse_setting.h"

namespace mortise {

namespace {

/// At commas that are in no brackets, braces or quotes.
std::vector<std::string_view> splitOutside(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      depth = std::max(0, depth - 1);
    } else if (c == ',' && depth == 0) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

}  // namespace

BackendText backendFromText(std::string_view text, const SourcePosition& where) {
  BackendText backend;
  backend.settings = Value::map();
  const std::size_t colon = text.find(':');
  backend.name = text.substr(0, colon);
  if (colon == std::string_view::npos) return backend;
  for (const std::string_view part : splitOutside(text.substr(colon + 1))) {
    if (part.find('=') == std::string_view::npos)
      throw Error("'" + std::string(text) + "': '" + std::string(part) + "' is no setting", where,
                  "write NAME:SETTING=VALUE, such as ode:solver=exact");
    try {
      AssignedSetting setting = parseSetting(part);
      setting.value.setPosition(where);
      if (backend.settings.contains(setting.path))
        throw Error("'" + setting.path + "' is set twice", where, "keep one of the two");
      backend.settings.set(setting.path, std::move(setting.value));
    } catch (const Error& error) {
      throw Error("'" + std::string(text) + "': " + error.message(), where, error.hint());
    }
  }
  return backend;
}

std::vector<std::string> splitBackends(std::string_view list) {
  std::vector<std::string> backends;
  for (const std::string_view part : splitOutside(list)) {
    const std::size_t equals = part.find('=');
    const bool goesOn = equals != std::string_view::npos && part.find(':') > equals;
    if (goesOn && !backends.empty())
      backends.back() += "," + std::string(part);
    else
      backends.emplace_back(part);
  }
  return backends;
}

}  // namespace mortise
