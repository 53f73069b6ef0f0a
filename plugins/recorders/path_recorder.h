#pragma once

#include <memory>
#include <string>

#include "log_file.h"
#include "mortise/settings/placed.h"
#include "mortise/settings/settings.h"
#include "recording.h"

namespace mortise::recorders {

struct PathRecorderSettings {
  PlacedText file = {"motion.path"};
  bool commands = false;
  void bind(SettingBinder& b) {
    b.add("file", file, "Name of the file, below the run directory, with the run's prefix.");
    b.choice("of", commands, {{"state", false}, {"command", true}},
             "What is written: where the robot is, or what is commanded.");
  }
};

/// The motion of one robot as a `.path` file, which a robot can follow: time, number of links, configuration. Klamp't's
/// SimTest writes the same of states and of commands.
class PathRecorder final : public Recorder {
 public:
  explicit PathRecorder(const ComponentContext& context) : settings_(context.settings) {}
  void open(const RecorderSetup& setup) override;
  void write(const SimulationView& view) override;
  void close() override;

 private:
  Settings<PathRecorderSettings> settings_;
  std::size_t robot_ = 0;
  const World* world_ = nullptr;
  std::unique_ptr<LogFile> file_;
  VectorXd q_, dq_;
};

}  // namespace mortise::recorders
