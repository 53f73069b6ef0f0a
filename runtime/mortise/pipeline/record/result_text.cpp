#include "mortise/pipeline/record/result_text.h"

#include <algorithm>

#include "mortise/base/value_text.h"
#include "mortise/pipeline/compare/comparison_text.h"
#include "mortise/pipeline/compare/run_table.h"
#include "mortise/pipeline/record/run_summary.h"
#include "mortise/planning/path_work.h"
#include "mortise/planning/plan_report.h"
#include "mortise/text/text_table.h"

namespace mortise {

namespace {

std::string renderSimulate(const std::string& name, const Value& result) {
  // The time of this stage alone; settling counts, and an end before the duration that was asked for.
  const double seconds = result.real("time", 0) - result.real("start_time", 0);
  std::string text = name + ": " + significant(seconds, 6) + " s\n";
  text += runTable({&result}, {"time", "energy"});
  if (result.at("objects").size() > 0) {
    TextTable table({"final position, m", "x", "y", "z"});
    for (const Value& object : result.at("objects").items()) {
      std::vector<std::string> cells = {entityLabel(object)};
      for (std::string& cell : positionCells(object)) cells.push_back(std::move(cell));
      table.row(std::move(cells));
    }
    text += "\n" + table.text();
  }
  if (result.contains("settled") && result.at("settled").boolean("rests", false))
    text += "\n  everything rests after " + significant(result.at("settled").real("time", 0), 6) + " s\n";
  const std::string endings = eventText(result) + robotEndingText(result) + writtenFilesText(result);
  if (!endings.empty()) text += "\n" + endings;
  if (result.contains("fault")) text += "\n  fault: " + result.string("fault", "") + "\n";
  return text;
}

}  // namespace

std::string renderResult(const std::string& name, const Value& result) {
  const std::string stage = result.isMap() ? result.string("stage", "") : std::string();
  if (stage == "compare") return comparisonText(name, result);
  if (stage == "simulate") return renderSimulate(name, result);
  if (stage == "plan") return name + ": " + planReportText(result);
  if (stage == "shortcut") return name + ": " + result.string("path", "") + "\n" + shortcutText(result);
  if (stage == "retime") return name + ": " + result.string("path", "") + "\n" + retimeText(result);
  if (stage == "check") return name + ": " + result.string("path", "") + "\n" + checkText(result);
  if (stage == "report") {
    std::string text = name + ": wrote ";
    const std::vector<std::string> files = result.at("files").asStrings();
    for (std::size_t i = 0; i < files.size(); ++i) text += (i ? ", " : "") + files[i];
    return text + "\n";
  }
  std::string text = name + ":\n";
  const std::string yaml = toYaml(result);
  for (std::size_t at = 0; at < yaml.size();) {
    const std::size_t end = std::min(yaml.find('\n', at), yaml.size());
    text += "  " + yaml.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return text;
}

}  // namespace mortise
