#pragma once

#include <memory>
#include <string>

#include "log_file.h"
#include "mortise/settings/placed.h"
#include "mortise/settings/settings.h"
#include "recording.h"

namespace mortise::recorders {

struct JsonLinesSettings {
  PlacedText file = {"log.jsonl"};
  void bind(SettingBinder& b) {
    b.add("file", file, "Name of the file, below the run directory, with the run's prefix.");
  }
};

/// One JSON object a line (jsonlines.org), a line a recorded tick, with whatever was asked for.
class JsonLinesRecorder final : public Recorder {
 public:
  explicit JsonLinesRecorder(const ComponentContext& context) : host_(context.host), settings_(context.settings) {}
  void open(const RecorderSetup& setup) override;
  void write(const SimulationView& view) override;
  void close() override;

 private:
  void writeRobots(const SimulationView& view);
  void writeObjects(const SimulationView& view);
  void writeContacts(const SimulationView& view);
  void writeWrenches(const SimulationView& view);

  Host& host_;
  Settings<JsonLinesSettings> settings_;
  const World* world_ = nullptr;
  Recording recording_;
  SensorSelection sensors_;  ///< Empty until the first line.
  std::unique_ptr<LogFile> file_;
  VectorXd qCommand_, dqCommand_;
};

}  // namespace mortise::recorders
