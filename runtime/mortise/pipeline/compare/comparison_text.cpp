#include "mortise/pipeline/compare/comparison_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "mortise/base/value_text.h"
#include "mortise/pipeline/compare/run_table.h"
#include "mortise/pipeline/compare/verdict.h"
#include "mortise/text/text_table.h"

namespace mortise {

namespace {

constexpr int kDigits = 4;  ///< Behind the point of meters and radians.

/// The title of a column of one backend.
std::string shortName(const std::string& backend) {
  return backend.size() > 14 ? backend.substr(0, 6) + ".." + backend.substr(backend.size() - 6) : backend;
}

/// Entry `index` of the list `key` of the differences, or null.
const Value* entryOf(const Value& difference, const char* key, std::size_t index) {
  const Value& list = difference.at(key);
  return index < list.size() ? &list[index] : nullptr;
}

std::string distance(const Value& value) { return fixedPoint(finiteOrInfinity(value), kDigits); }

/// The numbers of a row: how far objects and joints are apart, or how far turning moves an object's farthest point.
struct Numbers {
  const char* part;  ///< Part of an entry; null: the entry itself.
  const char* end;
};

const Value& partOf(const Value& entry, const Numbers& numbers) {
  return numbers.part == nullptr ? entry : entry.at(numbers.part);
}

/// Adds the backend that is farthest from the first, of several.
void addRow(TextTable& table, const Value& result, const char* kind, std::size_t i, const std::string& name,
            const Numbers& numbers) {
  std::vector<std::string> cells = {name};
  const Value* farthest = nullptr;
  for (const Value& difference : result.at("differences").items())
    if (const Value* entry = entryOf(difference, kind, i)) {
      const Value& each = partOf(*entry, numbers);
      if (farthest == nullptr || each.real("max", 0) > farthest->real("max", 0)) farthest = &each;
    }
  if (farthest != nullptr) {
    cells.push_back(distance(farthest->at(numbers.end)));
    cells.push_back(distance(farthest->at("max")));
    cells.push_back(distance(farthest->at("rms")));
    cells.push_back(farthest->contains("beyond") ? fixedPoint(farthest->real("beyond", 0), 2) + " s" : "never");
  }
  for (const char* list : {"step_halved", "disturbed"})
    for (const Value& difference : result.at(list).items())
      if (const Value* entry = entryOf(difference, kind, i))
        cells.push_back(distance(partOf(*entry, numbers).at("max")));
  table.row(std::move(cells));
}

/// Says whether turning moves a point of the object beyond the bound in any of the runs.
bool turnsBeyond(const Value& result, std::size_t object) {
  const double bound = result.real("bound", 0);
  for (const char* list : {"differences", "step_halved", "disturbed"})
    for (const Value& difference : result.at(list).items()) {
      const Value* each = entryOf(difference, "objects", object);
      if (each != nullptr && !(each->at("turned").real("max", 0) <= bound)) return true;
    }
  return false;
}

/// A row an object or robot, and one more for an object that turns. Returns whether there is one of these.
bool addRows(TextTable& table, const Value& result, const char* kind, const char* end) {
  const Value& differences = result.at("differences");
  const Value& own = result.at("step_halved").size() > 0 ? result.at("step_halved") : result.at("disturbed");
  const Value& any = differences.size() > 0 ? differences : own;
  if (any.size() == 0) return false;
  bool turned = false;
  for (std::size_t i = 0; i < any[0].at(kind).size(); ++i) {
    const Value& entity = any[0].at(kind)[i];
    addRow(table, result, kind, i, entityLabel(entity), {nullptr, end});
    if (!entity.contains("turned") || !turnsBeyond(result, i)) continue;
    addRow(table, result, kind, i, "  turned", {"turned", "end"});
    turned = true;
  }
  return turned;
}

std::string readingText(const Value& readings) {
  std::vector<std::pair<std::string, std::string>> lines;  // What, and of whom.
  for (const Value& each : readings.items()) {
    const std::string& sentence = each.at("sentence").asString();
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const auto& l) { return l.first == sentence; });
    if (same == lines.end())
      lines.emplace_back(sentence, entityLabel(each));
    else
      same->second += ", " + entityLabel(each);
  }
  std::string text;
  for (const auto& [sentence, names] : lines) text += wrapped(names + ": " + sentence, 2);
  return text;
}

/// The largest distances over time, and what they mean. Objects and robots that read the same share a line.
std::string timeTable(const Value& result) {
  const Value* readings = result.find("readings");
  if (readings == nullptr || readings->size() == 0) return {};
  std::vector<std::string> titles = {"apart over time"};
  const Value& halved = result.at("step_halved");
  const Value& disturbed = result.at("disturbed");
  if (result.at("differences").size() > 0) {
    const std::string beyond = distanceText(result.real("bound", 0), "m");
    titles.insert(titles.end(), {"end", "largest", "rms", "> " + beyond + " at"});
  }
  for (const Value& each : halved.items()) titles.push_back(shortName(each.string("from", "")) + " h/2");
  for (const Value& each : disturbed.items()) titles.push_back(shortName(each.string("from", "")) + " +e");
  TextTable table(titles);
  const bool turned = addRows(table, result, "objects", "position");
  addRows(table, result, "robots", "joint");
  std::string text = "\n" + table.text();
  std::string legend = "m, of robots the worst joint in rad or m";
  if (turned) legend += "; turned: how far turning moves the object's farthest point";
  if (halved.size() > 0) legend += "; h/2: largest distance from itself with half the step";
  if (disturbed.size() > 0)
    legend += "; +e: from itself with a start disturbed by " + formatReal(result.real("disturbance", 0));
  return text + wrapped(legend, 2) + "\n" + readingText(*readings);
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
    std::vector<std::string> cells = {entityLabel(objects[i])};
    append(cells, positionCells(objects[i]));
    append(cells, positionCells(b.at("objects")[i]));
    const Value& apart = difference.at("objects")[i];
    cells.push_back(fixedPoint(finiteOrInfinity(apart.at("position")), 4));
    cells.push_back(fixedPoint(finiteOrInfinity(apart.at("orientation")), 2));
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
      std::vector<std::string> cells = {r == 0 ? entityLabel(objects[i]) : "",
                                        shortened(runs[r]->string("backend", ""), 22)};
      append(cells, positionCells(runs[r]->at("objects")[i]));
      if (r > 0 && r - 1 < differences.size()) {
        const Value& apart = differences[r - 1].at("objects")[i];
        cells.push_back(fixedPoint(finiteOrInfinity(apart.at("position")), 4));
        cells.push_back(fixedPoint(finiteOrInfinity(apart.at("orientation")), 2));
      }
      table.row(std::move(cells));
    }
  }
  return table.text();
}

}  // namespace

std::string comparisonText(const std::string& name, const Value& result) {
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
  return text + timeTable(result);
}

}  // namespace mortise
