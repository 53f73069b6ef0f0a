#include "mortise/pipeline/stages/report_stage.h"

#include <filesystem>

#include "mortise/base/files.h"
#include "mortise/json/json_writer.h"
#include "mortise/pipeline/record/result_text.h"
#include "mortise/pipeline/record/run_directory.h"
#include "mortise/settings/output_path.h"

namespace mortise {

void ReportSettings::bind(SettingBinder& b) { b.add("to", to, "Files to write: text (.txt) or JSON (.json)."); }

ReportStage::ReportStage(const ComponentContext& context)
    : settings_(settingsFrom<ReportSettings>(context.settings)),
      resultName_(context.host.name()),
      position_(context.settings.position()) {}

void ReportStage::declare(PluginBuilder& plugin) {
  plugin.stage<ReportStage>("mortise.Report")
      .alias("report")
      .summary("Writes the results so far into files of the run directory.")
      .saves({ResultKind::files, ResultKind::report})
      .settings<ReportSettings>();
}

void ReportStage::check(StageContext& context, Diagnostics& diagnostics) {
  if (context.outputs().empty())
    diagnostics.warning("'report' comes before every stage that leaves a result: it has nothing to write", position_,
                        "move it behind the stages that it reports on");
  if (settings_.to.list.empty())
    diagnostics.error("'to' of stage 'report' names no file", settings_.to.where, "write to: report.txt");
  for (const PlacedText& file : settings_.to.list) {
    const std::filesystem::path path(file.text);
    const std::string extension = path.extension().string();
    if (extension != ".txt" && extension != ".json")
      diagnostics.error("'to' of stage 'report': cannot write '" + file.text + "'", file.where,
                        "give it the extension .txt or .json");
    try {
      checkRunFile(file.text, file.where);
    } catch (const Error& error) {
      diagnostics.error("'to' of stage 'report': " + error.message(), error.where(), error.hint());
    }
  }
}

void ReportStage::run(StageContext& context) {
  std::vector<std::string> written;
  for (const PlacedText& file : settings_.to.list) {
    const std::filesystem::path path = outputPath(context.runDirectory(), file.text, file.where);
    makeParentFolder(path.string());
    if (path.extension() == ".json") {
      Value report = Value::map();
      report.set("name", context.pipeline().at("name"));
      report.set("seed", context.pipeline().at("seed"));
      report.set("world", context.pipeline().at("world"));
      report.set("results", context.results());
      writeFile(path.string(), toJson(report));
    } else {
      std::string text = context.pipeline().at("name").asString() + "\n\n";
      for (const Value::Entry& result : context.results().entries())
        text += renderResult(result.key, result.value) + "\n";
      writeFile(path.string(), text);
    }
    written.push_back(file.text);
  }
  Value result = Value::map();
  result.set("stage", "report");
  result.set("files", written);
  context.saveResult(resultName_, std::move(result));
}

}  // namespace mortise
