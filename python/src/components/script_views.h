#pragma once

/// Views that components written in Python are handed: arrays that are made once a run, filled before a call, and read
/// back after it. They own their numbers, so that one which a component keeps stays valid for ever.

#include <pybind11/numpy.h>
#include <span>
#include <string_view>
#include <vector>

#include "mortise/component/controller.h"
#include "mortise/component/simulation_view.h"

namespace mortise::python {

namespace py = pybind11;

/// An array with its numbers at hand.
struct MirrorArray {
  py::array_t<double> array;
  double* data = nullptr;
  std::size_t size = 0;
  MirrorArray() = default;
  explicit MirrorArray(std::size_t count, bool writable = false);
  void fill(const double* from) { std::copy_n(from, size, data); }
};

/// Sensor readings as `mortise.SensorReadings`.
class MirrorReadings {
 public:
  explicit MirrorReadings(std::span<const SensorReading> readings);
  void fill(std::span<const SensorReading> readings);
  py::object readings;
  /// The values of the first sensor with this role that has one number a link; None where there is none.
  py::object ofLinks(std::string_view role, int numLinks) const;
  /// Says why that is None although a sensor has the role; empty: it is not.
  std::string whyNone(std::string_view role, int numLinks, std::string_view attribute) const;

 private:
  struct Sensor {
    std::string name;
    std::vector<std::string> roles;
    MirrorArray values;
  };
  std::vector<Sensor> sensors_;
};

/// `mortise.ControllerInput`.
class MirrorInput {
 public:
  MirrorInput(std::span<const SensorReading> readings, int numLinks, double period);
  void fill(double time, std::int64_t tick, std::span<const SensorReading> readings);
  /// Fills the attribute `name`, "estimate" or "truth".
  void fillState(const char* name, const RobotState* state);
  const py::object& object() const { return object_; }
  const MirrorReadings& readings() const { return readings_; }

 private:
  MirrorReadings readings_;
  py::object object_;
  MirrorArray q_, dq_;  ///< Arrays of a state, once there is one.
};

/// `mortise.ActuatorCommands`.
class MirrorCommands {
 public:
  explicit MirrorCommands(std::size_t drivers, bool writable = true);
  void fill(std::span<const ActuatorCommand> commands);
  /// Throws `Error` for a mode that there is not.
  void read(std::span<ActuatorCommand> commands) const;
  const py::object& object() const { return object_; }

 private:
  py::object object_;
  py::array_t<int> mode_;
  int* modes_ = nullptr;
  MirrorArray numbers_[6];
};

/// `mortise.ControllerSetup`. `robot` may be null.
py::object setupObject(const World* world, int robotIndex, const Robot* robot, double period, const VectorXd* q,
                       const Vector3d& gravity, const py::object& readings);

/// The view that sensors get, `mortise.SimulationView`: valid during the call only; null afterwards.
struct ViewHandle {
  const SimulationView* view = nullptr;
  const SimulationView& use() const;
};

}  // namespace mortise::python
