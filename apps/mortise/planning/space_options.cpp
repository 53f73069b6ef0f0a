#include "planning/space_options.h"

#include "command_line/configuration_options.h"
#include "command_line/setting_options.h"
#include "mortise/configuration/value_position.h"
#include "mortise/planning/settings/plan_schema.h"
#include "mortise/settings/permissions.h"

namespace mortise::app {

namespace {

/// Returns the settings that the path and the world decide, and those that are said in another way.
std::vector<std::string> decidedElsewhere(const std::vector<std::string>& without) {
  std::vector<std::string> all = spaceLists();
  all.insert(all.end(), {"robot", "robots", "object", "planar"});
  all.insert(all.end(), without.begin(), without.end());
  return all;
}

Value ignoredPair(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) throw UsageError("--ignore takes two names, such as hand,cup, not '" + text + "'");
  Value pair = Value::list();
  pair.push_back(Value::fromText(text.substr(0, comma)));
  pair.push_back(Value::fromText(text.substr(comma + 1)));
  return pair;
}

/// Returns the links: names one by one, a list with commas, or a map by robot.
Value linksOf(const std::vector<std::string>& texts) {
  if (texts.size() == 1 && texts.front().starts_with("{")) return configurationOption("links", texts.front());
  Value links = Value::list();
  for (const std::string& text : texts) {
    const Value list = configurationOption("links", text.starts_with("[") ? text : "[" + text + "]");
    for (const Value& link : list.items()) links.push_back(link);
  }
  return links;
}

}  // namespace

Value yamlList(const CommandLine& line, const std::string& option) {
  Value list = Value::list();
  for (const std::string& text : line.texts(option)) list.push_back(configurationOption(option, text));
  list.setPosition(onCommandLine("--" + option));
  return list;
}

const std::vector<std::string>& spaceLists() {
  static const std::vector<std::string> names = {"links", "ignore", "keep"};
  return names;
}

void declareSpaceLists(CommandLine& line) {
  line.repeatedOption("links", "LINK", "link that may move, by name or index; may be repeated (default: all)")
      .repeatedOption("ignore", "A,B", "pair of names or ids that may collide; may be repeated")
      .repeatedOption("keep", "GOAL",
                      "pose constraint on a link along the whole path (closed chains); may be repeated");
}

Value givenSpaceLists(const CommandLine& line) {
  Value given = Value::map();
  const auto set = [&](const char* key, Value value) {
    setPositions(value, onCommandLine(std::string("--") + key));
    given.set(key, std::move(value));
  };
  if (line.has("links")) set("links", linksOf(line.texts("links")));
  if (line.has("keep")) set("keep", yamlList(line, "keep"));
  if (line.has("ignore")) {
    Value pairs = Value::list();
    for (const std::string& text : line.texts("ignore")) pairs.push_back(ignoredPair(text));
    set("ignore", std::move(pairs));
  }
  return given;
}

void declarePathSpace(CommandLine& line, const std::vector<std::string>& without) {
  declareSpaceLists(line);
  declareSettings(line, planSpaceSchema(), decidedElsewhere(without));
}

Value givenPathSpace(const CommandLine& line, const std::vector<std::string>& without) {
  Value given = givenSettings(line, planSpaceSchema(), decidedElsewhere(without));
  const Value lists = givenSpaceLists(line);
  for (const Value::Entry& entry : lists.entries()) given.set(entry.key, entry.value);
  return given;
}

}  // namespace mortise::app
