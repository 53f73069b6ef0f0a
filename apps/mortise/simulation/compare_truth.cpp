#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/failure.h"
#include "command_line/interrupt.h"
#include "command_line/setting_options.h"
#include "command_line/terminal_progress.h"
#include "mortise/base/files.h"
#include "mortise/closed_forms/truth_settings.h"
#include "mortise/closed_forms/truth_table.h"
#include "mortise/json/json_writer.h"
#include "mortise/pipeline/simulate/simulation_job.h"

namespace mortise::app {

namespace {

void declareTruth(CommandLine& line) {
  declareSettings(line, schemaOf<truth::TruthSettings>(), {}, {{"backend", "NAME[:SETTING=VALUE,...]"}});
  line.option("csv", "FILE", "write the table as comma-separated values, too: a row a case, backend and step")
      .flag("list-cases", "run nothing; say what each row is")
      .componentValues("backend", Kind::physics)
      .values("case", truth::truthCaseNames())
      .withPlugins()
      .epilog(
          "Cases are scenes of a few bodies whose motion is known; contacts are given, the same to every backend.\n"
          "Ctrl-C keeps what there is.\n\n"
          "Exit codes: 0 the table was made, whatever it says, 1 it could not be made, 2 wrong usage, 128 and a\n"
          "signal's number: interrupted.\n\n"
          "Examples:\n"
          "  mortise compare truth\n"
          "  mortise compare truth --backend ode --backend ode:solver=exact --case slip --case stack\n"
          "See docs/comparing.md.\n");
}

Value caseList(const truth::TruthSettings& settings) {
  truth::TruthTable table;
  table.cases = settings.rows();
  Value list = truth::truthValue(table).at("cases");
  for (Value& each : list.items()) each.erase("results");
  return list;
}

}  // namespace

int compareTruth(const Arguments& arguments) {
  CommandLine line("mortise compare truth", "the error of each backend against closed forms, and what a step costs");
  declareTruth(line);
  if (!line.parse(arguments)) return 0;
  const auto settings = settingsOf<truth::TruthSettings>(line);
  if (line.has("list-cases")) {
    print(line.json() ? toJson(caseList(settings)) + "\n" : truth::truthCaseText());
    return 0;
  }
  truth::TruthOptions options;
  options.step = settings.step;
  const std::vector<const truth::TruthCase*> cases = settings.rows();
  if (line.has("csv")) requireWritable(line.text("csv"));

  const auto registry = line.makeRegistry();
  std::vector<truth::LeftOut> leftOut;
  std::vector<truth::TruthEngine> engines = settings.columns(*registry, line.log(), leftOut);

  TerminalProgress progress(!line.quiet());
  const InterruptGuard interrupt;
  options.progress = &progress;
  options.stopRequested = interrupt.asked();
  truth::TruthTable table = truth::makeTruthTable(cases, std::move(engines), *registry, line.log(), options);
  table.leftOut = std::move(leftOut);

  if (line.has("csv")) writeFile(line.text("csv"), truth::truthCsv(table));
  const int exitCode = table.interrupted ? interrupt.exitCode() : 0;
  if (line.json()) {
    const Value value = truth::truthValue(table);
    print(toJson(exitCode == 0 ? value : failedResult(value, exitCode, "interrupted")) + "\n");
  } else if (!line.quiet()) {
    print(truth::truthText(table));
  }
  return exitCode;
}

}  // namespace mortise::app
