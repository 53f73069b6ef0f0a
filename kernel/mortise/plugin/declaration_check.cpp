#include "mortise/plugin/declaration_check.h"

namespace mortise {

namespace {

std::vector<std::string> wordsOf(const ComponentInfo& info, const char* attribute) {
  const Value* list = info.attributes.find(attribute);
  return list != nullptr && list->isList() ? list->asStrings() : std::vector<std::string>();
}

}  // namespace

std::vector<std::string> declarationFaults(const ComponentInfo& info) {
  std::vector<std::string> faults;
  if (info.kind != Kind::format) return faults;
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
