#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>

#include "mortise/base/value_text.h"
#include "mortise/closed_forms/truth_table.h"
#include "mortise/text/text_table.h"

namespace mortise::truth {

namespace {

using State = TruthResult::State;

constexpr std::size_t kLineWidth = 120;

/// Two digits: "2.4e-03", always as wide.
std::string errorText(const TruthResult& result) {
  switch (result.state) {
    case State::notRun:
      return "";
    case State::refused:
      return "-";
    case State::failed:
      return "failed";
    case State::done:
      break;
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", result.error);
  return text;
}

std::string costText(const TruthResult& result) {
  if (result.state != State::done) return "";
  const double micros = 1e6 * result.cost;
  return micros < 10 ? formatReal(micros, 2) : std::to_string(std::lround(micros));
}

std::string stepText(double seconds) { return formatReal(1000 * seconds, 4) + " ms"; }

/// "ode exact" for "ode:solver=exact", "bullet normalized" for "bullet:profile=normalized".
std::string titleOf(std::string engine) {
  for (const std::string_view setting : {":solver=", ":lcp_solver=", ":profile="})
    if (const std::size_t at = engine.find(setting); at != std::string::npos) engine.replace(at, setting.size(), " ");
  return engine;
}

std::string partText(const TruthTable& table, std::size_t begin, std::size_t end) {
  std::vector<std::string> titles = {"error", "unit"};
  for (std::size_t e = begin; e < end; ++e) {
    titles.push_back(titleOf(table.engines[e].name) + " " + stepText(table.step));
    titles.push_back(stepText(0.1 * table.step));
    titles.push_back("us");
  }
  TextTable text(titles);
  text.leftAligned(1);
  for (std::size_t c = 0; c < table.cases.size(); ++c) {
    std::vector<std::string> cells = {table.cases[c]->name, table.cases[c]->unit};
    for (std::size_t e = begin; e < end; ++e) {
      cells.push_back(errorText(table.coarse[c][e]));
      cells.push_back(errorText(table.fine[c][e]));
      cells.push_back(costText(table.coarse[c][e]));
    }
    text.row(std::move(cells));
  }
  return text.text();
}

std::size_t widthOfLongestLine(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  return longest;
}

/// Each reason once, with the cases that it holds for: "ode: closed_loop, drive: why".
std::string noteText(const TruthTable& table) {
  std::string text;
  const auto line = [&](const std::string& note) { text += "  " + note + "\n"; };
  for (std::size_t e = 0; e < table.engines.size(); ++e) {
    std::vector<std::pair<std::string, std::string>> reasons;  // And their cases.
    for (std::size_t c = 0; c < table.cases.size(); ++c)
      for (const TruthResult* result : {&table.coarse[c][e], &table.fine[c][e]}) {
        if (result->note.empty()) continue;
        const auto found =
            std::find_if(reasons.begin(), reasons.end(), [&](const auto& r) { return r.first == result->note; });
        const std::string name = table.cases[c]->name;
        if (found == reasons.end())
          reasons.emplace_back(result->note, name);
        else if (!found->second.ends_with(name))
          found->second += ", " + name;
      }
    for (const auto& [reason, cases] : reasons) line(table.engines[e].name + ", " + cases + ": " + reason);
  }
  for (const LeftOut& left : table.leftOut) line(left.name + " is left out: " + left.reason);
  return text;
}

/// Returns the limits of each backend once, and of its variants what they say beyond that: "bullet cannot: subject:
/// text".
std::string limitText(const TruthTable& table) {
  std::string text;
  std::vector<std::pair<const ComponentInfo*, std::string>> said;
  for (std::size_t e = 0; e < table.limits.size(); ++e)
    for (const EngineLimit& limit : table.limits[e]) {
      const std::string line = limit.subject + ": " + limit.text;
      const std::pair key(table.engines[e].info, line);
      if (std::find(said.begin(), said.end(), key) != said.end()) continue;
      said.push_back(key);
      text += wrapped(table.engines[e].name + ", " + line, 4, kLineWidth);
    }
  return text.empty() ? text : "  Limits that engines declare:\n" + text;
}

Value resultValue(const TruthTable& table, std::size_t c, std::size_t e) {
  Value value = Value::map();
  value.set("engine", table.engines[e].name);
  const auto add = [&](const TruthResult& result, const std::string& prefix) {
    if (result.state == State::done) {
      value.set(prefix + "error", result.error);
      value.set(prefix + "cost_s", result.cost);
    } else if (!result.note.empty() && !value.contains("note")) {
      value.set(result.state == State::refused ? "refused" : "failed", true);
      value.set("note", result.note);
    }
  };
  add(table.coarse[c][e], "");
  add(table.fine[c][e], "fine_");
  return value;
}

}  // namespace

std::string truthText(const TruthTable& table) {
  std::string text;
  for (std::size_t begin = 0; begin < table.engines.size();) {
    std::size_t end = begin + 1;
    std::string part = partText(table, begin, end);
    while (end < table.engines.size()) {
      std::string wider = partText(table, begin, end + 1);
      if (widthOfLongestLine(wider) > kLineWidth) break;
      part = std::move(wider);
      ++end;
    }
    text += (begin > 0 ? "\n" : "") + part;
    begin = end;
  }
  text += "\n  Each error in its unit (1: relative) at steps of " + stepText(table.step) + " and " +
          stepText(0.1 * table.step) + "; us: processor time of a step of " + stepText(table.step) +
          ".\n  `mortise compare truth --list-cases` says what each row is.\n";
  if (const std::string notes = noteText(table); !notes.empty()) text += "\n" + notes;
  if (const std::string limits = limitText(table); !limits.empty()) text += "\n" + limits;
  if (table.interrupted) text += "\n  interrupted: empty cells were not run\n";
  return text;
}

Value truthValue(const TruthTable& table) {
  Value value = Value::map();
  value.set("step", table.step);
  value.set("fine_step", 0.1 * table.step);
  Value engines = Value::list();
  for (std::size_t e = 0; e < table.engines.size(); ++e) {
    const TruthEngine& engine = table.engines[e];
    Value entry = Value::map();
    entry.set("name", engine.name);
    entry.set("backend", engine.info->name);
    entry.set("version", engine.info->version);
    entry.set("settings", engine.settings);
    Value limits = Value::list();
    if (e < table.limits.size())
      for (const EngineLimit& limit : table.limits[e]) {
        Value each = Value::map();
        each.set("subject", limit.subject);
        each.set("text", limit.text);
        limits.push_back(std::move(each));
      }
    entry.set("limits", std::move(limits));
    engines.push_back(std::move(entry));
  }
  value.set("engines", std::move(engines));
  Value cases = Value::list();
  for (std::size_t c = 0; c < table.cases.size(); ++c) {
    const TruthCase& each = *table.cases[c];
    Value entry = Value::map();
    for (const auto& [key, text] :
         {std::pair{"name", each.name}, std::pair{"sentence", each.sentence}, std::pair{"quantity", each.quantity},
          std::pair{"unit", each.unit}, std::pair{"form", each.form}, std::pair{"source", each.source}})
      entry.set(key, text);
    entry.set("tolerance", each.tolerance);
    Value results = Value::list();
    for (std::size_t e = 0; e < table.engines.size(); ++e) results.push_back(resultValue(table, c, e));
    entry.set("results", std::move(results));
    cases.push_back(std::move(entry));
  }
  value.set("cases", std::move(cases));
  Value leftOut = Value::list();
  for (const LeftOut& left : table.leftOut) {
    Value entry = Value::map();
    entry.set("name", left.name);
    entry.set("reason", left.reason);
    leftOut.push_back(std::move(entry));
  }
  value.set("left_out", std::move(leftOut));
  if (table.interrupted) value.set("interrupted", true);
  return value;
}

std::string truthCsv(const TruthTable& table) {
  std::string text = "case,quantity,unit,engine,step_s,error,cost_s,note\n";
  for (std::size_t c = 0; c < table.cases.size(); ++c)
    for (std::size_t e = 0; e < table.engines.size(); ++e)
      for (const bool fine : {false, true}) {
        const TruthResult& result = (fine ? table.fine : table.coarse)[c][e];
        const bool done = result.state == State::done;
        const TruthCase& each = *table.cases[c];
        text += std::string(each.name) + "," + csvCell(each.quantity) + "," + each.unit + "," +
                csvCell(table.engines[e].name) + "," + formatReal(fine ? 0.1 * table.step : table.step) + "," +
                (done ? formatReal(result.error) + "," + formatReal(result.cost) : std::string(",")) + "," +
                csvCell(result.note) + "\n";
      }
  // What no number of the table belongs to: limits that engines declare, and engines that are left out.
  for (std::size_t e = 0; e < table.limits.size(); ++e)
    for (const EngineLimit& limit : table.limits[e])
      text += "declared_limit," + csvCell(limit.subject) + ",," + csvCell(table.engines[e].name) + ",,,," +
              csvCell(limit.text) + "\n";
  for (const LeftOut& left : table.leftOut)
    text += "left_out,,," + csvCell(left.name) + ",,,," + csvCell(left.reason) + "\n";
  return text;
}

std::string truthCaseText() {
  std::string text;
  for (const TruthCase& each : truthCases())
    text += std::string(each.name) + "\n    " + each.sentence + "\n    error: " + each.quantity + ", " + each.unit +
            "\n    closed form: " + each.form + " (" + each.source + ")\n";
  return text;
}

}  // namespace mortise::truth
