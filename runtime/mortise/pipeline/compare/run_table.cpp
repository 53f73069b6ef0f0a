#include "mortise/pipeline/compare/run_table.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mortise/base/value_text.h"
#include "mortise/text/text_table.h"

namespace mortise {

namespace {

std::string statusText(const Value& run) {
  return run.string("worst_status", "") + (run.contains("interrupted") ? ", interrupted" : "");
}

}  // namespace

double finiteOrInfinity(const Value& value) { return value.isNumber() ? value.asReal() : HUGE_VAL; }

std::string shortened(const std::string& text, std::size_t limit) {
  if (text.size() <= limit) return text;
  const std::size_t half = (limit - 2) / 2;
  return text.substr(0, half) + ".." + text.substr(text.size() - half);
}

std::string entityLabel(const Value& entity) {
  return std::to_string(entity.integer("id", -1)) + " " + shortened(entity.string("name", ""), 20);
}

std::vector<std::string> positionCells(const Value& object) {
  const std::vector<double> T = object.at("T").isList() ? object.at("T").asReals() : std::vector<double>();
  std::vector<std::string> cells;
  for (std::size_t i = 9; i < 12; ++i) cells.push_back(i < T.size() ? fixedPoint(T[i], 3) : "-");
  return cells;
}

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
      return value == nullptr ? std::string("-") : fixedPoint(finiteOrInfinity(*value), 4);
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

}  // namespace mortise
