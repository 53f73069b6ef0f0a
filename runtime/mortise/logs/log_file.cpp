#include "mortise/logs/log_file.h"

#include <algorithm>
#include <filesystem>

#include "mortise/appearance/visual_files.h"
#include "mortise/base/diagnostics.h"
#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/loading/format_loader.h"
#include "mortise/logs/log_sensors.h"
#include "mortise/text/suggest.h"

namespace mortise::logs {

const ComponentInfo* recorderOfFile(const Registry& registry, const std::string& file) {
  std::string extension = std::filesystem::path(file).extension().string();
  if (!extension.empty()) extension.erase(0, 1);
  const ComponentInfo* found = nullptr;
  std::vector<std::string> rivals;
  for (const ComponentInfo& info : registry.components()) {
    const Value* listed = info.kind == Kind::recorder ? info.attributes.find("extensions") : nullptr;
    const std::vector<std::string> extensions = listed != nullptr ? listed->asStrings() : std::vector<std::string>();
    if (std::find(extensions.begin(), extensions.end(), extension) == extensions.end()) continue;
    if (found != nullptr && info.place > found->place) continue;
    if (found == nullptr || info.place < found->place) rivals.clear();
    found = &info;
    rivals.push_back(info.name);
  }
  if (rivals.size() > 1)
    throw Error("several recorders of one folder write ." + extension + ": " + nameList(rivals), inFile(file),
                "choose with --plugin FILE");
  return found;
}

bool recordsOneRobot(const ComponentInfo& recorder) {
  return recorder.attributes.isMap() && recorder.attributes.string("records", "") == "one robot";
}

bool isMcapFile(const std::string& file) { return std::filesystem::path(file).extension() == ".mcap"; }

void addLogFile(Registry& registry, Host& host, Simulation& simulation, const std::string& file,
                const LogFileOptions& options) {
  const ComponentInfo* found = recorderOfFile(registry, file);
  if (found == nullptr)
    throw Error("there is no recorder for this extension", inFile(file),
                "logs are written as .csv, .jsonl, .path, .mcap or .bag");
  const ComponentInfo& info = *found;
  Value settings = Value::map();
  // A name without folder would go into a run directory, which there is none of.
  settings.set(info.schema.find(options.setting) != nullptr ? options.setting : "file",
               file.find('/') == std::string::npos ? "./" + file : file);
  if (info.schema.find("run") != nullptr) settings.set("run", runDescription(simulation, options.origin));
  Diagnostics diagnostics;
  settings = registry.completeSettings(info, settings, diagnostics);
  diagnostics.throwIfErrors();
  ComponentPtr<Recorder> recorder = registry.create<Recorder>(info, settings, host);
  FormatLoader loader(registry, simulation.componentLog());
  const VisualFilesScope looks(&loader, simulation.componentLog());
  recorder->open({simulation.world(), "", "", options.what});
  simulation.addRecorder(std::move(recorder), options.interval);
}

}  // namespace mortise::logs
