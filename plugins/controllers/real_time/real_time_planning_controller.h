#pragma once

#include <memory>

#include "mortise/planning/real_time/real_time_robot.h"
#include "mortise/settings/settings.h"
#include "real_time/real_time_settings.h"
#include "tracking/tracking_controller.h"

namespace mortise::controllers {

/// Goes to targets that commands name, around what is in the way, and plans the next motion while it executes one.
class RealTimePlanningController final : public TrackingController {
 public:
  explicit RealTimePlanningController(const ComponentContext& context);

  bool command(std::string_view name, const Value& arguments) override;
  std::vector<std::pair<std::string, std::string>> commands() const override;
  Value settings() const override;
  bool hasSetting(std::string_view name) const override;
  bool changeSetting(std::string_view name, const Value& value) override;
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;

 protected:
  void begin(const ControllerSetup& setup) override;
  void reference(const ControllerInput& input, VectorXd& q, VectorXd& dq, VectorXd& ddq) override;

 private:
  /// The data from which a target is made again after a restore.
  struct Target {
    enum class Kind : std::int32_t { none, configuration, pose } kind = Kind::none;
    VectorXd q;  ///< Configuration of the space.
    IKGoal goal;
  };
  std::shared_ptr<RealTimeTarget> made(const Target& target);
  void pursue(Target target);
  void setConfiguration(std::string_view name, const Value& arguments, const VectorXd& base);
  void setPose(const Value& arguments);
  std::vector<int> drivenLinks() const;
  void startNextTarget();
  void publish();

  Host& owner_;
  Settings<RealTimePlanningSettings> settings_;
  std::unique_ptr<RealTimeRobot> planning_;
  Target target_;
  std::uint64_t next_ = 0;  ///< Number of the next of the setting `targets`.
  double clock_ = 0;
  VectorXd q_, dq_, ddq_, zero_, full_;  ///< Numbers of the space, and of the robot.
};

}  // namespace mortise::controllers
