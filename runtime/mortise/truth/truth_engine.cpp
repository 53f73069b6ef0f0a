#include "mortise/truth/truth_engine.h"

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/component/physics.h"
#include "mortise/settings/parse_setting.h"
#include "mortise/settings/permissions.h"
#include "mortise/simulation/components/component_host.h"

namespace mortise::truth {

std::string shortName(const ComponentInfo& info) { return info.aliases.empty() ? info.name : info.aliases.front(); }

TruthEngine engineFrom(const Registry& registry, std::string_view text) {
  TruthEngine engine;
  engine.name = text;
  const std::size_t colon = text.find(':');
  const SourcePosition where = onCommandLine("--backend");
  engine.info = &registry.require(Kind::physics, text.substr(0, colon), where);
  Value settings = Value::map();
  for (std::size_t at = colon; at != std::string_view::npos && at + 1 <= text.size();) {
    const std::size_t end = text.find(',', at + 1);
    const std::string_view part =
        text.substr(at + 1, end == std::string_view::npos ? std::string_view::npos : end - at - 1);
    if (part.find('=') == std::string_view::npos)
      throw Error("'" + engine.name + "': '" + std::string(part) + "' is no setting", where,
                  "write NAME:SETTING=VALUE, such as ode:solver=exact");
    AssignedSetting setting = parseSetting(part);
    setting.value.setPosition(where);
    settings.set(setting.path, std::move(setting.value));
    at = end;
  }
  Diagnostics diagnostics;
  engine.settings = registry.completeSettings(*engine.info, settings, diagnostics);
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
    const Parameter* solver = variants ? info.schema.find("solver") : nullptr;
    if (solver == nullptr) continue;
    for (const std::string& choice : solver->options.choices)
      if (!solver->defaultValue.isString() || solver->defaultValue.asString() != choice)
        engines.push_back(engineFrom(registry, name + ":solver=" + choice));
  }
  return engines;
}

}  // namespace mortise::truth
