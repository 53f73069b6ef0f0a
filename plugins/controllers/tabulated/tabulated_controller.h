#pragma once

#include <string>

#include "mortise/component/controller.h"
#include "mortise/control/tabulated_policy.h"
#include "mortise/settings/settings.h"

namespace mortise::controllers {

struct TabulatedSettings {
  std::string file;
  void bind(SettingBinder& b);
};

/// Torques from a table, by the state of the robot (Klamp't's TabulatedController).
class TabulatedController final : public Controller {
 public:
  explicit TabulatedController(const ComponentContext& context) : host_(context.host), settings_(context.settings) {}

  void start(const ControllerSetup& setup) override;
  void update(const ControllerInput& input, double period, std::span<ActuatorCommand> commands) override;

 private:
  Host& host_;
  Settings<TabulatedSettings> settings_;
  const Robot* robot_ = nullptr;
  TabulatedPolicy policy_;
  bool warned_ = false;  ///< That the robot has left the table.
};

}  // namespace mortise::controllers
