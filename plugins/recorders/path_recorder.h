#pragma once

#include <memory>
#include <string>

#include "log_file.h"
#include "recording.h"

namespace mortise {

/// The motion of one robot as a `.path` file, which a robot can follow: time, number of links, configuration. Klamp't's
/// SimTest writes the same of states and of commands.
class PathRecorder final : public Recorder {
 public:
  explicit PathRecorder(const ComponentContext& context);
  void open(const RecorderSetup& setup) override;
  void write(const SimulationView& view) override;
  void close() override;

 private:
  Value name_;
  bool commands_;
  std::size_t robot_ = 0;
  const World* world_ = nullptr;
  std::unique_ptr<LogFile> file_;
  VectorXd q_, dq_;
};

}  // namespace mortise
