#pragma once

/// The interface of a recorder: a read-only tap on a running simulation (logs, metrics, viewers).

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "mortise/component/sensor.h"

namespace mortise {

struct RecorderSetup {
  const World& world;
  std::string directory;          ///< Folder of files; exists.
  std::string prefix;             ///< Starts the names of files ("ode_").
  std::vector<std::string> what;  ///< Selection by the user: "robots", "objects", "contacts", "sensors", or names.
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

  /// Simulated seconds between the states that `writeSnapshot` gets, the one at the start included; 0: it wants none.
  /// Asked once, after `open`.
  virtual double snapshotPeriod() const;
  /// A saved state, from which a simulation of the same world goes on (`Simulation::restore`).
  virtual void writeSnapshot(const SimulationView& view, std::span<const std::byte> state);
  /// Once, before `close`, where the run knows how it ended: a map with `time` (s), `tick`, `status` and `state_hash`
  /// (16 hexadecimal digits).
  virtual void finish(const Value& ending);
  /// Something that happened at a time of the run (s): a message of the simulation or of a component.
  virtual void note(double time, LogLevel level, const std::string& text);
};

}  // namespace mortise
