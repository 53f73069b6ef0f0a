#include "mortise/closed_forms/truth_case.h"

#include "mortise/base/error.h"
#include "mortise/text/suggest.h"

namespace mortise::truth {

const std::vector<TruthCase>& truthCases() {
  static const std::vector<TruthCase> all = [] {
    std::vector<TruthCase> list;
    for (std::vector<TruthCase> part :
         {frictionCases(), impactCases(), contactCases(), jointCases(), motorCases(), freeMotionCases()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

std::vector<std::string> truthCaseNames() {
  std::vector<std::string> names;
  for (const TruthCase& each : truthCases()) names.emplace_back(each.name);
  return names;
}

const TruthCase& truthCase(std::string_view name) {
  for (const TruthCase& each : truthCases())
    if (each.name == name) return each;
  throw Error("there is no case '" + std::string(name) + "'", {}, suggestAndList(name, truthCaseNames()));
}

std::string refusal(const TruthCase& each, const PhysicsCapabilities& capabilities) {
  if (!capabilities.dynamics) return "it has no dynamics";
  if (each.contacts && !capabilities.externalContacts && !capabilities.ownContacts) return "it has no contacts";
  if (each.softness && !capabilities.contactSoftness) return "its contacts have no stiffness and damping of their own";
  if (each.restitution && !capabilities.restitution) return "its contacts have no restitution";
  if (each.worldJoints && !capabilities.worldJoints) return "it has no joints between free bodies";
  return {};
}

}  // namespace mortise::truth
