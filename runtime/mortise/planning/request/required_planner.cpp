#include "mortise/planning/request/required_planner.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>

#include "mortise/base/error.h"

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

}  // namespace mortise
