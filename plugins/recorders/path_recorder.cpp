#include "path_recorder.h"

#include <algorithm>

#include "mortise/base/error.h"

namespace mortise::recorders {

void PathRecorder::open(const RecorderSetup& setup) {
  world_ = &setup.world;
  const Recording recording(setup);
  if (!recording.sensorNames.empty()) refuseName(recording.sensorNames[0], setup.world, {});
  const auto count = std::count(recording.robots.begin(), recording.robots.end(), true);
  if (count != 1 || recording.anyObject || recording.contacts || recording.wrenches)
    throw Error("a path holds the motion of one robot, but " + std::to_string(count) + " robots are to be recorded" +
                    (recording.anyObject || recording.contacts || recording.wrenches ? ", and more" : ""),
                {}, "record one robot by its name");
  robot_ = static_cast<std::size_t>(std::find(recording.robots.begin(), recording.robots.end(), true) -
                                    recording.robots.begin());
  file_ = std::make_unique<LogFile>(recordPath(setup, settings_->file));
}

void PathRecorder::write(const SimulationView& view) {
  const RobotView& robot = view.robots[robot_];
  if (settings_->commands)
    commandedState(*world_->robots[robot_].robot, robot, q_, dq_);
  else
    q_ = robot.state->q;
  std::string& line = file_->line();
  appendNumber(line, view.time);
  line += '\t' + std::to_string(q_.size()) + '\t';
  for (Eigen::Index i = 0; i < q_.size(); ++i) {
    if (i > 0) line += ' ';
    appendNumber(line, q_[i]);
  }
  file_->endLine();
  file_->endTick(view.time);
}

void PathRecorder::close() {
  if (file_ == nullptr) return;
  const std::unique_ptr<LogFile> file = std::move(file_);
  file->close();
}

}  // namespace mortise::recorders
