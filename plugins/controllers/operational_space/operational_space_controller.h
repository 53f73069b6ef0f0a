#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mortise/component/controller.h"
#include "mortise/control/actuated_dynamics.h"
#include "mortise/optimization/task_hierarchy.h"
#include "mortise/settings/settings.h"
#include "operational_space/contact.h"
#include "operational_space/task.h"

namespace mortise::controllers {

struct OperationalSpaceSettings {
  Value tasks, contacts;  ///< Lists.
  std::string file;
  // For all tasks.
  std::optional<Vector3d> gravity;  ///< m/s^2, world frame; absent: the world's.
  double damping = 5;               ///< 1/s, of motion that no task asks for.
  double contactDamping = 20;       ///< 1/s
  double singularity = 0.1;
  double singularDamping = 50;  ///< 1/s, of motion that a task is too near to a singularity to control.
  int frictionEdges = 4;
  bool compensateFriction = true;  ///< Viscous.
  double dryFrictionFactor = 1;
  void bind(SettingBinder& b);
};

/// Torques for tasks in strict order of priority; see operational_space_controller.md.
class OperationalSpaceController final : public Controller {
 public:
  explicit OperationalSpaceController(const ComponentContext& context);

  void start(const ControllerSetup& setup) override;
  void update(const ControllerInput& input, double period, std::span<ActuatorCommand> commands) override;
  bool command(std::string_view name, const Value& arguments) override;
  std::vector<std::pair<std::string, std::string>> commands() const override;
  Value settings() const override;
  bool hasSetting(std::string_view name) const override;
  bool changeSetting(std::string_view name, const Value& value) override;
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;

 private:
  /// Room for the tasks and contacts as they are now, ordered by priority. Allocates.
  void arrange();
  Vector3d gravity() const { return settings_->gravity.value_or(gravityOfWorld_); }
  void restoreTasks(ByteReader& in);
  /// The torque that a driver's dry friction takes in the direction of the planned motion.
  void addDryFriction(const VectorXd& dq, double period, std::span<ActuatorCommand> commands);
  void publish();
  void addLists(const Value& tasks, const Value& contacts);
  OperationalTask& taskOf(const Value& arguments);
  void addContact(const Value& arguments);
  void removeContact(const Value& arguments);

  Host& host_;
  Value taskList_ = Value::list(), contactList_ = Value::list();  ///< Lists as given, those of the file first.
  Settings<OperationalSpaceSettings> settings_;
  Vector3d gravityOfWorld_ = Vector3d(0, 0, -9.8);

  const Robot* robot_ = nullptr;
  std::vector<OperationalTask> tasks_;
  std::vector<OperationalContact> contacts_;
  std::vector<std::string> channels_;  ///< Channels of each task.
  std::vector<int> levelOfTask_;
  bool haveContactLevel_ = false;

  std::unique_ptr<ActuatedDynamics> dynamics_;
  std::unique_ptr<TaskRows> work_;
  TaskHierarchy hierarchy_;
  VectorXd planned_;  ///< Rates after the period.
};

}  // namespace mortise::controllers
