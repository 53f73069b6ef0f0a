#include "mortise/plugin/declaration_check.h"

#include "mortise/component/role.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

std::vector<std::string> wordsOf(const ComponentInfo& info, const char* attribute) {
  const Value* list = info.attributes.find(attribute);
  return list != nullptr && list->isList() ? list->asStrings() : std::vector<std::string>();
}

/// Roles that the program does not ask for, or asks components of another kind for. Those of others have a dot.
std::vector<std::string> roleFaults(const ComponentInfo& info) {
  std::vector<std::string> faults, known;
  for (const RoleInfo& role : roles())
    if (role.kind == info.kind) known.emplace_back(role.name);
  const std::string what = std::string(kindName(info.kind)) + " '" + info.name + "' has the role '";
  for (const std::string& name : wordsOf(info, "roles")) {
    if (name.find('.') != std::string::npos) continue;
    const RoleInfo* role = findRoleInfo(name);
    if (role == nullptr)
      faults.push_back(what + name + "', which no program asks for" +
                       (known.empty() ? "" : "; " + suggestAndList(name, known)));
    else if (role->kind != info.kind)
      faults.push_back(what + name + "', which is for components of kind " + std::string(kindName(role->kind)));
  }
  return faults;
}

std::vector<std::string> formatFaults(const ComponentInfo& info) {
  std::vector<std::string> faults;
  const std::string what = "format '" + info.name + "'";
  const std::vector<std::string> extensions = wordsOf(info, "extensions"), reads = wordsOf(info, "reads"),
                                 writes = wordsOf(info, "writes");
  if (!extensions.empty() && reads.empty() && writes.empty())
    faults.push_back(what +
                     " has extensions, but reads and writes nothing; add .reads({FileContent::robot}) or the like");
  if (extensions.empty() && !(reads.empty() && writes.empty()))
    faults.push_back(what +
                     " reads or writes, but has no extensions, so that no file is given to it; add "
                     ".extensions({\"xyz\"})");
  if (extensions.empty() && reads.empty() && writes.empty())
    faults.push_back(
        what + " has no extensions and reads nothing; add .extensions({\"xyz\"}) and .reads({FileContent::robot})");
  return faults;
}

}  // namespace

std::vector<std::string> declarationFaults(const ComponentInfo& info) {
  std::vector<std::string> faults = roleFaults(info);
  if (info.kind == Kind::format)
    for (std::string& fault : formatFaults(info)) faults.push_back(std::move(fault));
  return faults;
}

std::string descriptionDifferences(const ComponentInfo& a, const ComponentInfo& b) {
  std::string text;
  const auto compare = [&](const char* what, bool same) {
    if (!same) text += (text.empty() ? "" : ", ") + std::string(what);
  };
  compare("kind", a.kind == b.kind);
  compare("name", a.name == b.name);
  compare("aliases", a.aliases == b.aliases);
  compare("interface", a.interface.major == b.interface.major && a.interface.minor == b.interface.minor);
  compare("summary", a.summary == b.summary);
  compare("documentation", a.documentation == b.documentation);
  compare("schema", a.schema.toValue() == b.schema.toValue());
  compare("attributes", a.attributes == b.attributes);
  return text;
}

}  // namespace mortise
