#include <filesystem>

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "command_line/terminal_progress.h"
#include "mortise/base/error.h"
#include "mortise/benchmark/benchmark_report.h"
#include "mortise/benchmark/benchmark_run.h"
#include "mortise/json/json_writer.h"
#include "mortise/pipeline/file/pipeline_file.h"

namespace mortise::app {

namespace {

constexpr std::int64_t kMaxJobs = 1024;

/// Returns the folder of results unless --output names one: in the current folder, beside nothing else.
std::string defaultFolder(const std::string& file) {
  return std::filesystem::path(file).stem().string() + "_benchmark";
}

std::vector<std::string> pluginsOf(const Value& root, const std::string& file, Diagnostics& diagnostics) {
  PipelineFile names;
  names.path = names.base = file;
  names.root = root;
  return names.plugins(diagnostics);
}

void declareBenchmark(CommandLine& line) {
  line.positional("FILE", "the benchmark as YAML: planners, problems, seeds, time_limit")
      .option("output,o", "DIR", "output folder (default: FILE's name with _benchmark, in the current folder)")
      .option("jobs,j", "N",
              "number of plans made in parallel (default 1); with more than processors, times mean little")
      .flag("fresh", "discard existing results and run everything")
      .flag("report-only", "run nothing: make tables and plots of existing results")
      .flag("list", "print the cases and exit")
      .flag("strict", "treat warnings about files as errors")
      .settings()
      .withPlugins()
      .epilog(
          "Results are kept case by case in DIR/results.jsonl. Running again skips the cases that it holds; a case is\n"
          "the same when the files of its world, its problem, planner, settings and seed are. Ctrl-C keeps the results "
          "so far.\n"
          "Writes table.md, results.csv, solved.svg, times.svg, lengths.svg and report.html into DIR.\n\n"
          "Exit codes: 0 done, 1 the benchmark cannot be run, 2 wrong usage, 130 ended by Ctrl-C.\n\n"
          "Example:\n"
          "  mortise plan benchmark data/benchmarks/heron_shelf.yaml --jobs 2\n"
          "See docs/planning_benchmark.md.");
  addResourceOptions(line);
}

/// --list: prints the cases.
void printCases(const CommandLine& line, const Benchmark& benchmark) {
  Value list = Value::list();
  std::string text;
  for (const BenchmarkCase& each : benchmark.cases) {
    const BenchmarkProblem& problem = benchmark.problems[each.problem];
    const std::string& planner = benchmark.planners[each.planner].name;
    Value entry = Value::map();
    entry.set("case", each.id);
    entry.set("problem", problem.name);
    entry.set("part", problem.part);
    entry.set("planner", planner);
    entry.set("seed", static_cast<std::int64_t>(each.seed));
    list.push_back(std::move(entry));
    text += each.id + "  " + problem.name + (problem.part.empty() ? "" : ", " + problem.part) + "  " + planner +
            "  seed " + std::to_string(each.seed) + "\n";
  }
  print(line.json() ? toJson(list) + "\n" : text);
}

/// Prints what the cases came to; `run`: how many of them ran now.
void printResults(const CommandLine& line, const Benchmark& benchmark, const std::vector<BenchmarkResult>& all, int run,
                  const std::string& folder) {
  const std::vector<BenchmarkRow> rows = benchmarkRows(benchmark, all);
  if (line.json()) {
    Value report = benchmarkValue(benchmark, rows);
    report.set("done", static_cast<std::int64_t>(all.size()));
    report.set("run", run);
    report.set("folder", folder);
    print(toJson(report) + "\n");
  } else if (!line.quiet()) {
    print(benchmark.name + ": " + std::to_string(all.size()) + " of " + std::to_string(benchmark.cases.size()) +
          " cases, " + std::to_string(run) + " of them run now\n" + benchmarkTable(rows) + "written to " + folder +
          ": results.jsonl, table.md, results.csv, solved.svg, times.svg, lengths.svg, report.html\n");
  }
}

}  // namespace

int planBenchmark(const Arguments& arguments) {
  CommandLine line("mortise plan benchmark", "run planners on problems with many seeds, and compare them");
  declareBenchmark(line);
  if (!line.parse(arguments)) return 0;
  const std::string file = line.positionals().front();
  const std::int64_t jobs = line.integer("jobs", 1);
  if (jobs < 1 || jobs > kMaxJobs) throw UsageError("--jobs must be from 1 to " + std::to_string(kMaxJobs));
  if (line.has("fresh") && line.has("report-only")) throw UsageError("--fresh and --report-only contradict each other");

  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  const Value root = readBenchmarkFile(file, line.texts("set"), diagnostics);
  const std::vector<std::string> plugins = pluginsOf(root, file, diagnostics);
  diagnostics.throwIfErrors("the benchmark cannot be run");
  const auto registry = line.makeRegistry(plugins);
  const ResourcePath paths = resourcePath(line);
  const Benchmark benchmark = makeBenchmark(root, file, *registry, line.log(), paths, diagnostics);
  printWarnings(line, diagnostics);
  diagnostics.throwIfErrors("the benchmark cannot be run");
  if (line.has("list")) {
    printCases(line, benchmark);
    return 0;
  }

  const std::string folder = line.text("output", defaultFolder(file));
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    throw Error("the folder '" + folder + "' cannot be made: " + failed.message(), {}, "name another with -o");
  BenchmarkResultFile results(folder + "/results.jsonl", line.has("fresh"));
  if (results.discardedLines() > 0)
    line.log().write(LogLevel::warning, "plan",
                     std::to_string(results.discardedLines()) + " damaged lines of '" + results.path() +
                         "' do not count; their cases are run again");
  int run = 0;
  const InterruptGuard interrupt;
  const std::size_t before = results.of(benchmark).size();
  if (!line.has("report-only")) {
    if (before > 0)
      line.log().write(
          LogLevel::info, "plan",
          std::to_string(before) + " of " + std::to_string(benchmark.cases.size()) + " cases are there already");
    TerminalProgress progress(!line.quiet());
    run =
        runBenchmark(benchmark, *registry, line.log(), results, {static_cast<int>(jobs), interrupt.asked(), &progress});
    results.sort(benchmark);
  }
  const std::vector<BenchmarkResult> all = results.of(benchmark);
  const std::vector<std::string> written = writeBenchmarkReport(benchmark, all, folder);
  printResults(line, benchmark, all, run, folder);
  if (interrupt.signal() != 0) return interrupt.exitCode();
  return 0;
}

}  // namespace mortise::app
