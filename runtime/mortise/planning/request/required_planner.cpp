#include "mortise/planning/request/required_planner.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/text/normalize.h"

namespace mortise {

namespace {

/// Letters alone, in lower case.
std::string lettersOf(std::string_view name) {
  std::string letters;
  for (const char c : name)
    if (std::isalpha(static_cast<unsigned char>(c)) != 0)
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return letters;
}

}  // namespace

void refuseUnsolved(std::string_view planner, const SourcePosition& where) {
  constexpr std::string_view kUnsolved[] = {"mcr", "mcd", "minimumconstraintremoval", "minimumconstraintdisplacement"};
  if (std::find(std::begin(kUnsolved), std::end(kUnsolved), lettersOf(planner)) == std::end(kUnsolved)) return;
  throw Error("there is no planner for minimum constraint removal or displacement ('" + std::string(planner) + "')",
              where,
              "plan with `rrt` and leave out pairs that may collide with the setting `ignore`, one after the other: "
              "where a plan then succeeds, these were in the way; a plan that fails names what blocks its start and "
              "goal");
}

const ComponentInfo& requirePlanner(const Registry& registry, std::string_view name, const SourcePosition& where) {
  try {
    return registry.require(Kind::planner, name, where);
  } catch (const Error&) {
    refuseUnsolved(name, where);
    throw;
  }
}

std::vector<AlikePlanner> alikePlanners(const Registry& registry) {
  std::map<std::string, std::string> small;  // Names in small letters, and their planners.
  std::vector<std::pair<std::string, std::string>> others;
  for (const ComponentInfo& info : registry.components()) {
    if (info.kind != Kind::planner) continue;
    for (const std::string& alias : info.aliases) {
      if (alias == lowerCase(alias))
        small.emplace(alias, info.name);
      else
        others.emplace_back(alias, info.name);
    }
  }
  std::vector<AlikePlanner> alike;
  for (const auto& [name, component] : others)
    if (const auto found = small.find(lowerCase(name)); found != small.end() && found->second != component)
      alike.push_back({name, component, found->first, found->second});
  return alike;
}

void noteAlikePlanner(const Registry& registry, std::string_view name, const SourcePosition& where,
                      Diagnostics& diagnostics) {
  for (const AlikePlanner& each : alikePlanners(registry))
    if (each.name == name)
      diagnostics.note("planner '" + each.name + "' is " + each.component + ", and '" + each.otherName + "' is " +
                           each.otherComponent,
                       where, "write the full name of the one that you mean");
}

}  // namespace mortise
