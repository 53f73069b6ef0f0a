#include "tabulated/tabulated_controller.h"

#include "mortise/base/error.h"
#include "mortise/base/files.h"

namespace mortise::controllers {

void TabulatedSettings::bind(SettingBinder& b) {
  b.add("file", file, "The table, as `mortise Cartpole` writes it (.policy).");
}

void TabulatedController::start(const ControllerSetup& setup) {
  if (settings_->file.empty())
    throw Error("the table is missing", settings_.position("file"),
                "file: swingup.policy, as `mortise Cartpole` writes");
  const std::string path = host_.findResource(settings_->file);
  policy_ = readPolicy(readFile(path), path, setup.robot);
  robot_ = &setup.robot;
  warned_ = false;
}

void TabulatedController::update(const ControllerInput& input, double, std::span<ActuatorCommand> commands) {
  if (const int axis = warned_ ? -1 : policy_.outsideOf(*robot_, input.estimate->q, input.estimate->dq); axis >= 0) {
    const int n = robot_->numLinks();
    host_.log(LogLevel::warning, std::string("the ") + (axis < n ? "position" : "velocity") + " of '" +
                                     robot_->link(axis % n).name +
                                     "' is outside of the table: the torques of the nearest cell are taken");
    warned_ = true;
  }
  const VectorXd& torques = policy_.at(*robot_, input.estimate->q, input.estimate->dq);
  for (std::size_t i = 0; i < commands.size(); ++i) {
    commands[i].mode = ActuatorCommand::Mode::torque;
    commands[i].torque = torques[static_cast<Eigen::Index>(i)];
  }
}

}  // namespace mortise::controllers
