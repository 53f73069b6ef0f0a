#pragma once

/// Recorded motions from files, for calibration.

#include <string>

#include "mortise/calibration/recorded_motion.h"
#include "mortise/loading/format_loader.h"
#include "mortise/settings/settings.h"

namespace mortise {

struct RecordingOptions {
  /// The rate (Hz) at which commands of a pair of paths are sampled; they hold in between. 0: where both files have the
  /// same times, each command holds until the next, as in Klamp't's MotorCalibrate; otherwise commands change evenly.
  double commandRate = 0;
  int maxSamples = 0;          ///< Samples of each file, from the start; 0: all.
  std::string robotName = {};  ///< Name of the robot whose columns of a log are meant, where it has several.
  void bind(SettingBinder& b);
};

/// Two motions of one robot, what was asked and what came of it, paired by time. Velocities of commands are those of
/// the path. Throws `Error` for files that cannot be read and for motions that are not of the same time.
RecordedMotion recordedPaths(FormatLoader& loader, const std::string& commanded, const std::string& sensed,
                             const RecordingOptions& options, Diagnostics& diagnostics);

/// A log (CSV) of `mortise sim --log` or of Klamp't's SimLogger, with the columns time, ROBOT_q[LINK], ROBOT_qcmd[LINK]
/// and, where they are there, ROBOT_dq[LINK] and ROBOT_dqcmd[LINK]. Throws `Error` with the line of what is wrong.
RecordedMotion recordedLog(const std::string& file, const Robot& robot, const RecordingOptions& options);

}  // namespace mortise
