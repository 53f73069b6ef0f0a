#include "mortise/closed_forms/truth_settings.h"

#include <set>

#include "mortise/base/error.h"
#include "mortise/simulation/backend_text.h"

namespace mortise::truth {

namespace {

/// Returns the names of backends with their settings, which lists of other settings divide at commas: "ode:a=1" and
/// "b=2" are one.
std::vector<std::string> joinedBackends(const std::vector<std::string>& parts) {
  std::string list;
  for (const std::string& part : parts) list += (list.empty() ? "" : ",") + part;
  return parts.empty() ? parts : splitBackends(list);
}

void requireOnce(const std::vector<std::string>& names, const char* what) {
  std::set<std::string> seen;
  for (const std::string& name : names)
    if (!seen.insert(name).second)
      throw Error(std::string(what) + " '" + name + "' is given twice", settingPosition(what), "name each one once");
}

}  // namespace

void TruthSettings::bind(SettingBinder& b) {
  b.add("backend", backends,
        "Column of the table, a backend with or without settings; by default every installed backend with dynamics, "
        "each with every choice of its settings `solver`, `lcp_solver` and `profile`.");
  b.add("case", cases, "Row of the table; by default all.");
  b.add("step", step, "Time step; the other one is a tenth of it.", {.min = 1e-9, .unit = "s"});
}

void TruthSettings::check() const {
  requireOnce(joinedBackends(backends), "backend");
  requireOnce(cases, "case");
}

std::vector<const TruthCase*> TruthSettings::rows() const {
  std::vector<const TruthCase*> rows;
  for (const std::string& name : cases) rows.push_back(&truthCase(name));
  if (cases.empty())
    for (const TruthCase& each : truthCases()) rows.push_back(&each);
  return rows;
}

std::vector<TruthEngine> TruthSettings::columns(Registry& registry, LogSink& log, std::vector<LeftOut>& leftOut) const {
  std::vector<TruthEngine> engines;
  for (const std::string& backend : joinedBackends(backends)) engines.push_back(engineFrom(registry, backend));
  if (backends.empty()) engines = installedEngines(registry, log, true, leftOut);
  if (engines.empty())
    throw Error("no physics backend with dynamics is installed", {}, "`mortise plugins list --kind physics` lists all");
  return engines;
}

}  // namespace mortise::truth
