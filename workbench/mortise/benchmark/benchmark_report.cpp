#include "mortise/benchmark/benchmark_report.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "mortise/benchmark/benchmark_plots.h"
#include "mortise/text/text_table.h"

namespace mortise {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// The value that `part` of all are no greater than; NaN when there are none.
double quantile(std::vector<double> values, double part) {
  if (values.empty()) return std::nan("");
  std::sort(values.begin(), values.end());
  const auto place = static_cast<std::size_t>(std::ceil(part * static_cast<double>(values.size())));
  return values[std::clamp<std::size_t>(place, 1, values.size()) - 1];
}

bool isError(const BenchmarkResult& result) {
  return result.status == "error" || result.status == "crashed" || result.status == "killed";
}

std::vector<std::string> problemNames(const Benchmark& benchmark) {
  std::vector<std::string> names;
  for (const BenchmarkProblem& problem : benchmark.problems)
    if (std::find(names.begin(), names.end(), problem.name) == names.end()) names.push_back(problem.name);
  return names;
}

const std::vector<std::string> kTitles = {"problem", "planner",    "solved",  "median (ms)", "95 % (ms)",
                                          "length",  "iterations", "conf./s", "memory (MB)"};

std::vector<std::string> cells(const BenchmarkRow& row) {
  std::string solved = std::to_string(row.solved) + "/" + std::to_string(row.cases);
  if (row.errors > 0) solved += " (" + std::to_string(row.errors) + " failed)";
  return {row.problem,
          row.planner,
          solved,
          significant(1e3 * row.medianTime, 3),
          significant(1e3 * row.p95Time, 3),
          significant(row.medianLength, 3),
          significant(row.medianIterations, 4),
          significant(row.configurationsPerSecond, 3),
          fixedPoint(1e-6 * row.memory, 1)};
}

std::string solvedPlot(const Benchmark& benchmark, const std::vector<BenchmarkResult>& results) {
  std::vector<StepCurve> curves;
  for (const BenchmarkPlanner& planner : benchmark.planners) {
    StepCurve curve{planner.name, {}, 0};
    for (const BenchmarkResult& result : results) {
      if (result.planner != planner.name) continue;
      ++curve.total;
      if (result.solved) curve.at.push_back(std::max(1e-6, result.seconds));
    }
    curves.push_back(std::move(curve));
  }
  return plotFractions("Solved within a time", "seconds", curves);
}

std::string boxPlot(const Benchmark& benchmark, const std::vector<BenchmarkResult>& results, bool times) {
  std::vector<BoxRow> rows;
  for (const std::string& problem : problemNames(benchmark))
    for (const BenchmarkPlanner& planner : benchmark.planners) {
      BoxRow row{problem, planner.name, {}, ""};
      int count = 0;
      for (const BenchmarkResult& result : results) {
        if (result.problem != problem || result.planner != planner.name) continue;
        ++count;
        if (result.solved) row.values.push_back(times ? std::max(1e-6, result.seconds) : result.length);
      }
      if (count == 0) continue;
      row.note = std::to_string(row.values.size()) + "/" + std::to_string(count);
      rows.push_back(std::move(row));
    }
  return times ? plotBoxes("Time of solved runs", "seconds", rows, true)
               : plotBoxes("Length of paths", "distance in the space's metric", rows, false);
}

}  // namespace

std::vector<BenchmarkRow> benchmarkRows(const Benchmark& benchmark, const std::vector<BenchmarkResult>& results) {
  std::vector<BenchmarkRow> rows;
  for (const std::string& problem : problemNames(benchmark))
    for (const BenchmarkPlanner& planner : benchmark.planners) {
      BenchmarkRow row;
      row.problem = problem;
      row.planner = planner.name;
      std::vector<double> times, lengths, iterations;
      double seconds = 0, configurations = 0;
      for (const BenchmarkResult& result : results) {
        if (result.problem != problem || result.planner != planner.name) continue;
        ++row.cases;
        row.errors += isError(result) ? 1 : 0;
        row.solved += result.solved ? 1 : 0;
        row.memory = std::max(row.memory, result.memory);
        times.push_back(result.solved ? result.seconds : kNever);
        seconds += result.cpuSeconds;
        configurations += static_cast<double>(result.configurations);
        if (!result.solved) continue;
        lengths.push_back(result.length);
        iterations.push_back(static_cast<double>(result.iterations));
      }
      if (row.cases == 0) continue;
      row.medianTime = quantile(times, 0.5);
      row.p95Time = quantile(times, 0.95);
      row.medianLength = quantile(lengths, 0.5);
      row.medianIterations = quantile(iterations, 0.5);
      row.configurationsPerSecond = seconds > 0 ? configurations / seconds : 0;
      rows.push_back(row);
    }
  return rows;
}

std::string benchmarkTable(const std::vector<BenchmarkRow>& rows) {
  TextTable table(kTitles);
  table.leftAligned(1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string> row = cells(rows[i]);
    if (i > 0 && rows[i].problem == rows[i - 1].problem) row.front().clear();
    table.row(std::move(row));
  }
  return table.text();
}

std::string benchmarkMarkdown(const Benchmark& benchmark, const std::vector<BenchmarkRow>& rows) {
  const auto row = [](const std::vector<std::string>& texts) {
    std::string line = "|";
    for (std::string text : texts) {
      for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
      line += " " + text + " |";
    }
    return line + "\n";
  };
  std::string text = "# " + benchmark.name + "\n\n" + row(kTitles) + "|---|---|";
  for (std::size_t i = 2; i < kTitles.size(); ++i) text += "---:|";
  text += "\n";
  for (const BenchmarkRow& each : rows) text += row(cells(each));
  return text;
}

std::string benchmarkCsv(const std::vector<BenchmarkResult>& results) {
  std::string text;
  for (const BenchmarkResult& result : results) {
    const Value value = result.toValue();
    std::string head, line;
    for (const Value::Entry& entry : value.entries()) {
      head += (head.empty() ? "" : ",") + entry.key;
      std::string cell;
      if (entry.value.isList())
        for (const Value& item : entry.value.items()) cell += (cell.empty() ? "" : " ") + item.text();
      else
        cell = entry.value.text();
      line += (line.empty() ? "" : ",") + csvCell(cell);
    }
    if (text.empty()) text = head + "\n";
    text += line + "\n";
  }
  return text;
}

std::string benchmarkHtml(const Benchmark& benchmark, const std::vector<BenchmarkResult>& results) {
  const std::vector<BenchmarkRow> rows = benchmarkRows(benchmark, results);
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + escapeMarkup(benchmark.name) +
      "</title>\n<style>\nbody { font-family: sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; }\n"
      "table { border-collapse: collapse; }\nth, td { padding: 0.2em 0.8em; text-align: right; border-bottom: 1px "
      "solid #ddd; }\nth:nth-child(-n+2), td:nth-child(-n+2) { text-align: left; }\nsvg { max-width: 100%; height: "
      "auto; }\n</style>\n</head>\n<body>\n<h1>" +
      escapeMarkup(benchmark.name) + "</h1>\n<p>" + std::to_string(results.size()) + " of " +
      std::to_string(benchmark.cases.size()) + " runs: " + std::to_string(benchmark.problems.size()) + " problems, " +
      std::to_string(benchmark.planners.size()) + " planners, " + std::to_string(benchmark.seeds.size()) +
      " seeds. Times are wall times; a run without a path counts as taking for ever.</p>\n<table>\n<tr>";
  for (const std::string& title : kTitles) page += "<th>" + escapeMarkup(title) + "</th>";
  page += "</tr>\n";
  for (const BenchmarkRow& row : rows) {
    page += "<tr>";
    for (const std::string& cell : cells(row)) page += "<td>" + escapeMarkup(cell) + "</td>";
    page += "</tr>\n";
  }
  page += "</table>\n" + solvedPlot(benchmark, results) + boxPlot(benchmark, results, true) +
          boxPlot(benchmark, results, false);
  std::string failures;
  for (const BenchmarkResult& result : results)
    if (isError(result))
      failures += "<li>" +
                  escapeMarkup(result.problem + (result.part.empty() ? "" : ", " + result.part) + ", " +
                               result.planner + ", seed " + std::to_string(result.seed) + ": " + result.status +
                               (result.message.empty() ? "" : ": " + result.message)) +
                  "</li>\n";
  if (!failures.empty()) page += "<h2>Runs that failed</h2>\n<ul>\n" + failures + "</ul>\n";
  return page + "</body>\n</html>\n";
}

Value benchmarkValue(const Benchmark& benchmark, const std::vector<BenchmarkRow>& rows) {
  Value value = Value::map();
  value.set("name", benchmark.name);
  value.set("cases", static_cast<std::int64_t>(benchmark.cases.size()));
  Value list = Value::list();
  for (const BenchmarkRow& row : rows) {
    Value entry = Value::map();
    entry.set("problem", row.problem);
    entry.set("planner", row.planner);
    entry.set("cases", row.cases);
    entry.set("solved", row.solved);
    entry.set("errors", row.errors);
    entry.set("median_seconds", row.medianTime);
    entry.set("p95_seconds", row.p95Time);
    entry.set("median_length", row.medianLength);
    entry.set("median_iterations", row.medianIterations);
    entry.set("configurations_per_second", row.configurationsPerSecond);
    entry.set("memory", row.memory);
    list.push_back(std::move(entry));
  }
  value.set("rows", std::move(list));
  return value;
}

std::vector<std::string> writeBenchmarkReport(const Benchmark& benchmark, const std::vector<BenchmarkResult>& results,
                                              const std::string& folder) {
  std::vector<std::string> written;
  const auto write = [&](const char* name, const std::string& content) {
    written.push_back(folder + "/" + name);
    writeFile(written.back(), content);
  };
  write("table.md", benchmarkMarkdown(benchmark, benchmarkRows(benchmark, results)));
  write("results.csv", benchmarkCsv(results));
  write("solved.svg", solvedPlot(benchmark, results));
  write("times.svg", boxPlot(benchmark, results, true));
  write("lengths.svg", boxPlot(benchmark, results, false));
  write("report.html", benchmarkHtml(benchmark, results));
  return written;
}

}  // namespace mortise
