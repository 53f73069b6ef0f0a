#pragma once

/// The interface of a recorder: a read-only tap on a running simulation (logs, metrics, viewers).

#include <string>
#include <vector>

#include "mortise/component/sensor.h"

namespace mortise {

struct RecorderSetup {
  const World& world;
  std::string directory;          ///< Where files go; exists.
  std::string prefix;             ///< Starts the names of files ("ode_").
  std::vector<std::string> what;  ///< What the user asked for: "robots", "objects", "contacts", "sensors", or names.
};

class Recorder {
 public:
  virtual ~Recorder();
  virtual void open(const RecorderSetup& setup) = 0;
  /// Once a recorded tick, the initial state included.
  virtual void write(const SimulationView& view) = 0;
  /// Also called when a run is interrupted or fails: what was written is complete up to the last tick. Throws `Error`
  /// when something could not be written (disk full).
  virtual void close() = 0;
};

}  // namespace mortise
