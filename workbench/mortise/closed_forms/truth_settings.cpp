#include "mortise/closed_forms/truth_settings.h"

#include <set>

#include "mortise/base/error.h"

namespace mortise::truth {

void TruthSettings::bind(SettingBinder& b) {
  b.add("case", cases, "Row of the table; by default all.");
  b.add("step", step, "Time step; the other one is a tenth of it.", {.min = 1e-9, .unit = "s"});
}

void TruthSettings::check() const {
  std::set<std::string> seen;
  for (const std::string& name : cases)
    if (!seen.insert(name).second)
      throw Error("case '" + name + "' is given twice", settingPosition("case"), "name each row once");
}

std::vector<const TruthCase*> TruthSettings::rows() const {
  std::vector<const TruthCase*> rows;
  for (const std::string& name : cases) rows.push_back(&truthCase(name));
  if (cases.empty())
    for (const TruthCase& each : truthCases()) rows.push_back(&each);
  return rows;
}

}  // namespace mortise::truth
