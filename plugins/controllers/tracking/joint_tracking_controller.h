#pragma once

#include "tracking/tracking_controller.h"

namespace mortise::controllers {

/// Holds the start configuration, or what `set_q` says from the next update on.
class JointTrackingController final : public TrackingController {
 public:
  using TrackingController::TrackingController;

  bool command(std::string_view name, const Value& arguments) override;
  std::vector<std::pair<std::string, std::string>> commands() const override;
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;

 protected:
  void begin(const ControllerSetup& setup) override;
  void reference(const ControllerInput& input, VectorXd& q, VectorXd& dq, VectorXd& ddq) override;

 private:
  VectorXd target_;
};

}  // namespace mortise::controllers
