#include "mortise/settings/parse_setting.h"

#include "mortise/base/value_text.h"
#include "mortise/settings/permissions.h"
#include "mortise/text/normalize.h"

namespace mortise {

namespace {

/// A setting has no line: its parts are found by their key path.
void setSettingPosition(Value& value, const std::string& option, const std::string& path) {
  value.setPosition(onCommandLine(option, path));
  for (std::size_t i = 0; i < value.items().size(); ++i)
    setSettingPosition(value.items()[i], option, path + "." + std::to_string(i));
  for (Value::Entry& entry : value.entries()) {
    entry.keyPosition = onCommandLine(option, path + "." + entry.key);
    setSettingPosition(entry.value, option, path + "." + entry.key);
  }
}

}  // namespace

AssignedSetting parseSetting(std::string_view text, const std::string& option) {
  const auto equals = text.find('=');
  const std::string_view path = trimmed(text.substr(0, equals), " \t");
  const SourcePosition where = onCommandLine(option, std::string(path));
  if (equals == std::string_view::npos)
    throw Error("expected key=value, found '" + std::string(text) + "'", onCommandLine(option),
                "write " + option + " " + (path.empty() ? "KEY" : std::string(path)) + "=VALUE");
  if (path.empty())
    throw Error("there is no key before '=' in '" + std::string(text) + "'", onCommandLine(option),
                "write " + option + " KEY=VALUE");
  if (path.front() == '.' || path.back() == '.' || path.find("..") != std::string_view::npos)
    throw Error("the key path '" + std::string(path) + "' has an empty part", onCommandLine(option));
  AssignedSetting setting{std::string(path), Value()};
  try {
    setting.value = parseYaml(text.substr(equals + 1), option);
  } catch (const Error& error) {
    throw Error(error.message(), where, "quote the value, or see how lists and maps are written in YAML");
  }
  setSettingPosition(setting.value, option, setting.path);
  return setting;
}

}  // namespace mortise
