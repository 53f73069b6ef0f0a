#include "tracking/joint_tracking_controller.h"

#include "mortise/base/error.h"
#include "tracking/motion_arguments.h"

namespace mortise::controllers {

void JointTrackingController::begin(const ControllerSetup& setup) { target_ = setup.q; }

void JointTrackingController::reference(const ControllerInput&, VectorXd& q, VectorXd& dq, VectorXd& ddq) {
  q = target_;
  dq.setZero();
  ddq.setZero();
}

bool JointTrackingController::command(std::string_view name, const Value& arguments) {
  if (name != "set_q") return TrackingController::command(name, arguments);
  VectorXd q = MotionArgumentReader(robot(), host()).read(name, "q", arguments, target_).q;
  clampToLimits(name, q);
  target_ = q;
  return true;
}

std::vector<std::pair<std::string, std::string>> JointTrackingController::commands() const {
  auto list = TrackingController::commands();
  list.insert(
      list.begin(),
      {"set_q",
       "q: track this configuration from the next update on: one number a link or a driver, a map by name, or a file"});
  return list;
}

void JointTrackingController::save(ByteWriter& out) const {
  TrackingController::save(out);
  out.put(std::span<const double>(target_.data(), static_cast<std::size_t>(target_.size())));
}

void JointTrackingController::restore(ByteReader& in) {
  TrackingController::restore(in);
  in.get(std::span<double>(target_.data(), static_cast<std::size_t>(target_.size())));
  if (!target_.allFinite()) throw Error("the saved controller has a number that is not finite");
}

}  // namespace mortise::controllers
