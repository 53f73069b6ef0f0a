#pragma once

#include "joint_tracking.h"
#include "mortise/motion/trajectory.h"

namespace mortise {

/// Follows a timed path, linear between its configurations, and holds its last one. The path comes from the parameter
/// `path`, the command `set_path` {times, configurations}, or piece by piece from `append_tq` {time, configuration}.
class PathFollowingController final : public JointTrackingController {
 public:
  explicit PathFollowingController(const ComponentContext& context);

  void start(const ControllerSetup& setup) override;
  bool command(std::string_view name, const Value& arguments) override;
  std::vector<std::pair<std::string, std::string>> commands() const override;
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;

 protected:
  void desired(const ControllerInput& input, VectorXd& q, VectorXd& dq) override;

 private:
  void append(double time, const std::vector<double>& q, const SourcePosition& where);

  Trajectory initial_;  ///< From the parameter.
  Trajectory path_;     ///< Times count from `startTime_`.
  double startTime_ = 0;
  double now_ = 0;
  bool fromStart_;
};

}  // namespace mortise
