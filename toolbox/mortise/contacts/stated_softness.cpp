#include "mortise/contacts/stated_softness.h"

#include <cmath>
#include <string>

#include "mortise/base/value_text.h"

namespace mortise {

namespace {

/// "ERP 0.5 and CFM 0.01".
std::string statedText(const StatedSoftness& stated) {
  std::string text;
  if (stated.errorReduction) text = "ERP " + formatReal(*stated.errorReduction);
  if (stated.constraintForceMixing)
    text += (text.empty() ? "" : " and ") + ("CFM " + formatReal(*stated.constraintForceMixing));
  return text;
}

}  // namespace

StatedSoftness::StatedSoftness(const SceneDescription& description) {
  const SceneDescription usual;
  if (description.errorReduction != usual.errorReduction) errorReduction = description.errorReduction;
  if (description.constraintForceMixing != usual.constraintForceMixing)
    constraintForceMixing = description.constraintForceMixing;
}

bool hasRigidConstraints(const SceneDescription& description) {
  return !description.constraints.empty() || hasRigidContacts(description);
}

bool hasRigidContacts(const SceneDescription& description) {
  const auto rigid = [&](int id) { return std::isinf(description.surfaces[static_cast<std::size_t>(id)].stiffness); };
  return !description.filter.pairs().everyPair([&](int a, int b) { return !rigid(a) || !rigid(b); });
}

void warnOfUnusedSoftness(Host& host, const SceneDescription& description, std::string_view name,
                          std::string_view instead) {
  const StatedSoftness stated(description);
  if (!stated.any()) return;
  host.log(LogLevel::warning, "the world's " + statedText(stated) + " has no effect on backend '" + std::string(name) +
                                  "', which has no such settings; " + std::string(instead));
}

void warnOfIdleSoftness(Host& host, const SceneDescription& description, std::string_view name) {
  const StatedSoftness stated(description);
  if (!stated.any() || hasRigidConstraints(description)) return;
  host.log(LogLevel::warning, "the world's " + statedText(stated) +
                                  " acts on nothing but stops of joints on backend '" + std::string(name) +
                                  "': all surfaces that can touch have a stiffness of their own (kStiffness)");
}

void warnOfIdleSettings(Host& host, std::string_view name, const std::vector<std::string>& settings,
                        std::string_view otherwise) {
  if (settings.empty()) return;
  std::string list;
  for (std::size_t i = 0; i < settings.size(); ++i)
    list += (i == 0 ? "'" : i + 1 == settings.size() ? " and '" : ", '") + settings[i] + "'";
  host.log(LogLevel::warning, (settings.size() == 1 ? "the setting " : "the settings ") + list + " of backend '" +
                                  std::string(name) + (settings.size() == 1 ? "' acts" : "' act") +
                                  " on nothing in this world: all surfaces that can touch have a stiffness of their "
                                  "own (kStiffness), and there are no " +
                                  std::string(otherwise));
}

}  // namespace mortise
