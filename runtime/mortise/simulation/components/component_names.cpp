#include "mortise/simulation/components/component_names.h"

#include <vector>

#include "mortise/text/suggest.h"

namespace mortise {

std::string componentNameHint(const Registry& registry, Kind kind, std::string_view name) {
  std::vector<std::string> names;
  for (const ComponentInfo& info : registry.components()) {
    if (info.kind != kind) continue;
    names.push_back(info.name);
    names.insert(names.end(), info.aliases.begin(), info.aliases.end());
  }
  if (const std::string near = didYouMean(name, names); !near.empty()) return near;
  return "`mortise plugins list --kind " + std::string(kindName(kind)) + "` shows what is installed";
}

}  // namespace mortise
