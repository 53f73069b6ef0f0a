#include "mortise/logs/log_file.h"

#include <filesystem>
#include <utility>

#include "mortise/base/diagnostics.h"
#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/logs/log_sensors.h"

namespace mortise::logs {

std::string_view recorderOfFile(const std::string& file) {
  static constexpr std::pair<std::string_view, std::string_view> kRecorders[] = {
      {".csv", "csv"},      {".txt", "csv"},    {".log", "csv"},   {"", "csv"},      {".jsonl", "jsonl"},
      {".ndjson", "jsonl"}, {".json", "jsonl"}, {".path", "path"}, {".mcap", "mcap"}};
  const std::string extension = std::filesystem::path(file).extension().string();
  for (const auto& [known, recorder] : kRecorders)
    if (known == extension) return recorder;
  return {};
}

void addLogFile(Registry& registry, Host& host, Simulation& simulation, const std::string& file,
                const LogFileOptions& options) {
  const std::string recorderName(recorderOfFile(file));
  if (recorderName.empty())
    throw Error("there is no recorder for this extension", inFile(file),
                "logs are written as .csv, .jsonl, .path or .mcap");
  const ComponentInfo& info = registry.require(Kind::recorder, recorderName);
  Value settings = Value::map();
  // A name without folder would go into a run directory, which there is none of.
  settings.set(recorderName == "csv" ? options.setting : "file",
               file.find('/') == std::string::npos ? "./" + file : file);
  if (info.schema.find("run") != nullptr) settings.set("run", runDescription(simulation, options.origin));
  Diagnostics diagnostics;
  settings = registry.completeSettings(info, settings, diagnostics);
  diagnostics.throwIfErrors();
  ComponentPtr<Recorder> recorder = registry.create<Recorder>(info, settings, host);
  recorder->open({simulation.world(), "", "", options.what});
  simulation.addRecorder(std::move(recorder), options.interval);
}

}  // namespace mortise::logs
