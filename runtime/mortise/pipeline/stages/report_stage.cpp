#include "mortise/pipeline/stages/report_stage.h"

#include <filesystem>

#include "mortise/base/files.h"
#include "mortise/json/json_writer.h"
#include "mortise/pipeline/record/render.h"
#include "mortise/settings/output_path.h"

namespace mortise {

ReportStage::ReportStage(const ComponentContext& context)
    : files_(context.settings.at("to").items()), resultName_(context.host.name()) {}

void ReportStage::declare(PluginBuilder& plugin) {
  plugin.stage<ReportStage>("mortise.Report")
      .alias("report")
      .summary("Writes the results so far into files of the run directory.")
      .parameter("to", std::vector<std::string>{"report.txt"}, "Files to write: text (.txt) or JSON (.json).");
}

void ReportStage::check(StageContext&, Diagnostics& diagnostics) {
  for (const Value& file : files_) {
    const std::filesystem::path path(file.asString());
    const std::string extension = path.extension().string();
    if (extension != ".txt" && extension != ".json")
      diagnostics.error("'to' of stage 'report': cannot write '" + file.asString() + "'", file.position(),
                        "give it the extension .txt or .json");
    bool below = !path.is_absolute() && path.has_filename();
    for (const auto& part : path) below = below && part != "..";
    if (!below)
      diagnostics.error("'to' of stage 'report': '" + file.asString() + "' is not below the run directory",
                        file.position(),
                        "name a file without '/' in front and without '..'; --output chooses the folder");
    const std::string name = path.lexically_normal().string();
    if (name == "result.json" || name == "run.lock.yaml")
      diagnostics.error("'to' of stage 'report': '" + name + "' is written by every run", file.position(),
                        "choose another name");
  }
}

void ReportStage::run(StageContext& context) {
  std::vector<std::string> written;
  for (const Value& file : files_) {
    const std::filesystem::path path = outputPath(context.runDirectory(), file.asString());
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
    written.push_back(file.asString());
  }
  Value result = Value::map();
  result.set("stage", "report");
  result.set("files", written);
  context.saveResult(resultName_, std::move(result));
}

}  // namespace mortise
