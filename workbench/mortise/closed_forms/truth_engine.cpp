#include "mortise/closed_forms/truth_engine.h"

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/component/physics.h"
#include "mortise/settings/permissions.h"
#include "mortise/simulation/backend_text.h"
#include "mortise/simulation/context/component_host.h"

namespace mortise::truth {

std::string shortName(const ComponentInfo& info) { return info.aliases.empty() ? info.name : info.aliases.front(); }

TruthEngine engineFrom(const Registry& registry, std::string_view text) {
  TruthEngine engine;
  engine.name = text;
  const SourcePosition where = onCommandLine("--backend");
  const BackendText backend = backendFromText(text, where);
  engine.info = &registry.require(Kind::physics, backend.name, where);
  Diagnostics diagnostics;
  engine.settings = registry.completeSettings(*engine.info, backend.settings, diagnostics);
  diagnostics.throwIfErrors();
  return engine;
}

std::vector<TruthEngine> installedEngines(Registry& registry, LogSink& log, bool variants,
                                          std::vector<LeftOut>& leftOut) {
  std::vector<TruthEngine> engines;
  ChannelTable channels;
  for (const ComponentInfo& info : registry.components()) {
    if (info.kind != Kind::physics) continue;
    const std::string name = shortName(info);
    try {
      TruthEngine engine = engineFrom(registry, name);
      ComponentHost host(name, 0, log, nullptr, channels, {}, {});
      if (!registry.create<Physics>(info, engine.settings, host)->capabilities().dynamics) {
        leftOut.push_back({name, "it has no dynamics"});
        continue;
      }
      engines.push_back(std::move(engine));
    } catch (const Error& error) {
      leftOut.push_back({name, error.message()});
      continue;
    }
    if (!variants) continue;
    for (const char* setting : {"solver", "lcp_solver", "profile"}) {
      const Parameter* parameter = info.schema.find(setting);
      if (parameter == nullptr || parameter->name != setting) continue;
      for (const std::string& choice : parameter->options.choices)
        if (!parameter->defaultValue.isString() || parameter->defaultValue.asString() != choice)
          engines.push_back(engineFrom(registry, name + ":" + setting + "=" + choice));
    }
  }
  return engines;
}

}  // namespace mortise::truth
