#include "mortise/pipeline/record/render.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/value_text.h"
#include "mortise/pipeline/compare/comparison_text.h"
#include "mortise/pipeline/record/run_summary.h"
#include "mortise/planning/path_work.h"
#include "mortise/planning/plan_report.h"
#include "mortise/text/text_table.h"

namespace mortise {

namespace {

double number(const Value& value) { return value.isNumber() ? value.asReal() : HUGE_VAL; }

/// Long names are cut in the middle, where they differ least.
std::string shortened(const std::string& text, std::size_t limit) {
  if (text.size() <= limit) return text;
  const std::size_t half = (limit - 2) / 2;
  return text.substr(0, half) + ".." + text.substr(text.size() - half);
}

std::string label(const Value& entity) {
  return std::to_string(entity.integer("id", -1)) + " " + shortened(entity.string("name", ""), 20);
}

std::string statusText(const Value& run) {
  return run.string("worst_status", "") + (run.contains("interrupted") ? ", interrupted" : "");
}

/// Rows about whole runs, a column a run.
std::string runTable(const std::vector<const Value*>& runs, const std::vector<std::string>& metrics) {
  const auto wants = [&](const char* metric) {
    return std::find(metrics.begin(), metrics.end(), metric) != metrics.end();
  };
  std::vector<std::string> titles = {""};
  for (const Value* run : runs) titles.push_back(shortened(run->string("backend", ""), 22));
  TextTable table(titles);
  const auto row = [&](const std::string& title, auto&& cell) {
    std::vector<std::string> cells = {title};
    for (const Value* run : runs) cells.push_back(cell(*run));
    table.row(std::move(cells));
  };
  row("steps", [](const Value& run) { return std::to_string(run.integer("steps", 0)); });
  row("simulated time, s", [](const Value& run) { return significant(run.real("time", 0), 6); });
  if (wants("time")) {
    row("wall time, s", [](const Value& run) { return significant(run.real("wall_s", 0), 3); });
    row("times real time", [](const Value& run) { return significant(run.real("realtime_factor", 0), 3); });
  }
  row("worst status", statusText);
  row("most contacts", [](const Value& run) { return std::to_string(run.integer("max_contacts", 0)); });
  if (wants("energy")) {
    const auto energy = [](const Value& run, const char* path) {
      const Value* value = run.findPath(path);
      return value == nullptr ? std::string("-") : fixedPoint(number(*value), 4);
    };
    for (const auto& [title, path] :
         {std::pair{"energy at start, J", "energy.start.total"}, std::pair{"energy at end, J", "energy.end.total"},
          std::pair{"  kinetic", "energy.end.kinetic"}, std::pair{"  potential", "energy.end.potential"}})
      row(title, [&, path = path](const Value& run) { return energy(run, path); });
  }
  // Those of several backends are never the same.
  if (runs.size() == 1) row("state hash", [](const Value& run) { return run.string("state_hash", ""); });
  return table.text();
}

std::vector<std::string> positionCells(const Value& object) {
  const std::vector<double> T = object.at("T").isList() ? object.at("T").asReals() : std::vector<double>();
  std::vector<std::string> cells;
  for (std::size_t i = 9; i < 12; ++i) cells.push_back(i < T.size() ? fixedPoint(T[i], 3) : "-");
  return cells;
}

void append(std::vector<std::string>& cells, std::vector<std::string> more) {
  for (std::string& cell : more) cells.push_back(std::move(cell));
}

/// Final positions of two runs side by side.
std::string twoPoseTable(const Value& a, const Value& b, const Value& difference) {
  const std::string nameA = shortened(a.string("backend", ""), 12), nameB = shortened(b.string("backend", ""), 12);
  TextTable table({"final position, m", nameA + " x", "y", "z", nameB + " x", "y", "z", "apart, m", "turned, deg"});
  const Value& objects = a.at("objects");
  for (std::size_t i = 0; i < objects.size(); ++i) {
    std::vector<std::string> cells = {label(objects[i])};
    append(cells, positionCells(objects[i]));
    append(cells, positionCells(b.at("objects")[i]));
    const Value& apart = difference.at("objects")[i];
    cells.push_back(fixedPoint(number(apart.at("position")), 4));
    cells.push_back(fixedPoint(number(apart.at("orientation")), 2));
    table.row(std::move(cells));
  }
  return table.text();
}

/// Final positions of any number of runs, a row a run, each compared with the first.
std::string poseTable(const std::vector<const Value*>& runs, const Value& differences) {
  TextTable table({"final position, m", "backend", "x", "y", "z", "apart, m", "turned, deg"});
  table.leftAligned(1);
  const Value& objects = runs.front()->at("objects");
  for (std::size_t i = 0; i < objects.size(); ++i) {
    for (std::size_t r = 0; r < runs.size(); ++r) {
      std::vector<std::string> cells = {r == 0 ? label(objects[i]) : "", shortened(runs[r]->string("backend", ""), 22)};
      append(cells, positionCells(runs[r]->at("objects")[i]));
      if (r > 0 && r - 1 < differences.size()) {
        const Value& apart = differences[r - 1].at("objects")[i];
        cells.push_back(fixedPoint(number(apart.at("position")), 4));
        cells.push_back(fixedPoint(number(apart.at("orientation")), 2));
      }
      table.row(std::move(cells));
    }
  }
  return table.text();
}

std::string renderCompare(const std::string& name, const Value& result) {
  std::vector<const Value*> runs;
  if (const Value* list = result.find("backends"))
    for (const Value& run : list->items()) runs.push_back(&run);
  std::string text = name + ": " + significant(result.real("duration", 0), 6) + " s on " + std::to_string(runs.size()) +
                     (runs.size() == 1 ? " backend" : " backends") +
                     (result.contains("interrupted") ? ", interrupted" : "") + "\n";
  if (runs.empty()) return text;
  const std::vector<std::string> metrics = result.at("metrics").asStrings();
  text += runTable(runs, metrics);
  const Value* differences = result.find("differences");
  const bool trajectory = std::find(metrics.begin(), metrics.end(), "trajectory") != metrics.end();
  if (!trajectory || differences == nullptr) return text;
  if (runs.front()->at("objects").size() > 0)
    text += "\n" + (runs.size() == 2 && differences->size() == 1 ? twoPoseTable(*runs[0], *runs[1], (*differences)[0])
                                                                 : poseTable(runs, *differences));
  return text + comparisonText(result);
}

std::string renderSimulate(const std::string& name, const Value& result) {
  // Of this stage alone; settling counts, and an end before the duration that was asked for.
  const double seconds = result.real("time", 0) - result.real("start_time", 0);
  std::string text = name + ": " + significant(seconds, 6) + " s\n";
  text += runTable({&result}, {"time", "energy"});
  if (result.at("objects").size() > 0) {
    TextTable table({"final position, m", "x", "y", "z"});
    for (const Value& object : result.at("objects").items()) {
      std::vector<std::string> cells = {label(object)};
      append(cells, positionCells(object));
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
  if (stage == "compare") return renderCompare(name, result);
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
