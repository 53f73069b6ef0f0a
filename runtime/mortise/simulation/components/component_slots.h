#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/component/controller.h"
#include "mortise/component/estimator.h"
#include "mortise/component/sensor.h"
#include "mortise/model/world.h"
#include "mortise/plugin/registry.h"
#include "mortise/simulation/context/component_host.h"
#include "mortise/simulation/context/simulation_options.h"

namespace mortise {

/// Parts that controllers and sensors in a simulation have in common. The host is declared before the component so that
/// it is destroyed after it.
template <typename T>
struct ComponentSlot {
  std::unique_ptr<ComponentHost> host;
  ComponentPtr<T> component;
  int robot = 0;
  std::string name;
  std::string type;           ///< Registered name.
  std::string requestedType;  ///< Type as the file names it: an alias stays what the user wrote.
  double rate = 0;            ///< Hz
  double declaredRate = 0;    ///< Hz, as at the start: the rate of a sensor can be changed.
  OnError onError = OnError::stop;
  std::vector<std::string> roles;  ///< Roles as declared (`role.h`).
  Value settings;                  ///< Complete.
  /// The hash of the complete settings; a setting that names a file counts with what the file holds.
  std::uint64_t settingsHash = 0;
  bool disabled = false;  ///< After a fault, with `on_error: disable`.
};

struct SensorSlot : ComponentSlot<Sensor> {
  std::vector<double> values;
  bool enabled = true;
};

/// The estimator that a controller gets the robot's state from.
struct EstimatorSlot {
  std::unique_ptr<ComponentHost> host;
  ComponentPtr<Estimator> component;
  std::string type;   ///< Registered name.
  std::string shown;  ///< For messages: host, type and package.
  RobotState state;
  explicit EstimatorSlot(const Robot& robot) : state(robot) {}
};

struct ControllerSlot : ComponentSlot<Controller> {
  std::unique_ptr<EstimatorSlot> estimator;  ///< Null: the controller asked for none.
};

/// A component that a role stands for, as files would name it. Throws `Error` when none has the role.
ComponentOptions optionsInRole(const Registry& registry, std::string_view role, const SourcePosition& where = {});

/// The components of one simulation: what the options name, else what world and robot files name, else the defaults.
struct ComponentSet {
  std::vector<std::unique_ptr<SensorSlot>> sensors;          ///< By robot, then in file order.
  std::vector<std::unique_ptr<ControllerSlot>> controllers;  ///< One a robot.
  bool leftOut =
      false;  ///< True where it may not run here and is missing (`settings/permissions.h`); a warning said so.
};

/// Creates (does not start) all components. Everything that is wrong goes to `diagnostics`. Controllers and sensors
/// that a world or robot file names but no plugin registers are left out with a warning; those that the options name
/// must exist unless they are optional.
ComponentSet createComponents(const World& world, Registry& registry, ResourceLoader* loader, LogSink& log,
                              const SimulationOptions& options, ChannelTable& channels, Diagnostics& diagnostics);

}  // namespace mortise
