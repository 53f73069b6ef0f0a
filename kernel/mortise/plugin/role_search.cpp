#include "mortise/plugin/role_search.h"

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/component/role.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

/// Those with the role, of the first place that has any first.
std::vector<const ComponentInfo*> holdersOf(const std::vector<ComponentInfo>& components, std::string_view role) {
  std::vector<const ComponentInfo*> found;
  for (const ComponentInfo& info : components)
    if (hasRole(info, role)) found.push_back(&info);
  std::stable_sort(found.begin(), found.end(),
                   [](const ComponentInfo* a, const ComponentInfo* b) { return a->place < b->place; });
  return found;
}

/// The names of the holders that share the first one's place.
std::vector<std::string> rivals(const std::vector<const ComponentInfo*>& holders) {
  std::vector<std::string> names;
  for (const ComponentInfo* info : holders)
    if (info->place == holders.front()->place) names.push_back(info->name);
  return names;
}

std::string roleText(std::string_view role) { return "the role '" + std::string(role) + "'"; }

}  // namespace

std::vector<std::string> rolesOf(const ComponentInfo& info) {
  const Value* list = info.attributes.isMap() ? info.attributes.find("roles") : nullptr;
  return list != nullptr && list->isList() ? list->asStrings() : std::vector<std::string>();
}

bool hasRole(const ComponentInfo& info, std::string_view role) {
  const std::vector<std::string> all = rolesOf(info);
  return std::find(all.begin(), all.end(), role) != all.end();
}

std::string writtenName(const ComponentInfo& info) {
  const std::string own = info.name.substr(info.name.rfind('.') + 1);
  const auto& aliases = info.aliases;
  if (aliases.empty() || std::find(aliases.begin(), aliases.end(), own) != aliases.end())
    return aliases.empty() ? info.name : own;
  return aliases.front();
}

std::string nameInRole(const ComponentInfo& info, std::string_view role) {
  const Value* names = info.attributes.isMap() ? info.attributes.find("role_names") : nullptr;
  return names != nullptr && names->isMap() ? names->string(role, writtenName(info)) : writtenName(info);
}

const ComponentInfo* roleHolder(const std::vector<ComponentInfo>& components, std::string_view role) {
  const std::vector<const ComponentInfo*> holders = holdersOf(components, role);
  if (holders.empty()) return nullptr;
  if (const std::vector<std::string> names = rivals(holders); names.size() > 1)
    throw Error("several components of one folder have " + roleText(role) + ": " + nameList(names), {},
                "choose with --plugin FILE, or name the component that you mean");
  return holders.front();
}

const ComponentInfo& Registry::requireRole(std::string_view role, const SourcePosition& where) const {
  try {
    if (const ComponentInfo* found = findRole(role)) return *found;
  } catch (const Error& error) {
    throw Error(error.message(), where, error.hint());
  }
  const RoleInfo* known = findRoleInfo(role);
  const std::string kind = known != nullptr ? std::string(kindName(known->kind)) : "component";
  const auto& places = placesSearched();
  throw Error("no " + kind + " has " + roleText(role) +
                  "\n  looked in: " + (places.empty() ? std::string("no folder at all") : nameList(places)),
              where, "`mortise plugins list` shows what is installed; --plugin FILE or MORTISE_PLUGIN_PATH adds to it");
}

void noteRoles(const std::vector<ComponentInfo>& components, Diagnostics& problems) {
  for (const RoleInfo& role : roles()) {
    if (!role.single) continue;
    const std::vector<const ComponentInfo*> holders = holdersOf(components, role.name);
    if (holders.size() < 2) continue;
    const std::string kind(kindName(role.kind));
    if (const std::vector<std::string> names = rivals(holders); names.size() > 1) {
      problems.warning("several components of one folder have " + roleText(role.name) + ": " + nameList(names), {},
                       "choose with --plugin FILE");
      continue;
    }
    const ComponentInfo &used = *holders.front(), &other = *holders[1];
    problems.note(kind + " '" + used.name + "' (" + used.origin + ") has " + roleText(role.name) +
                  " and is used for it, not '" + other.name + "' (" + other.origin + ")");
  }
}

}  // namespace mortise
