#pragma once

#include <vector>

#include "common/link_sensor.h"
#include "common/setting_types.h"

namespace mortise::sensors {

struct ForceTorqueSettings : LinkSettings {
  Vector3d p_LS = Vector3d::Zero();  ///< m
  std::array<bool, 3> hasForce{}, hasTorque{};
  Vector3d forceVariance = Vector3d::Zero(), torqueVariance = Vector3d::Zero();  ///< N^2, (N m)^2
  void bind(SettingBinder& b);
};

/// A load cell between a link and its parent: it measures the force and torque that the parent's side exerts on the
/// link, drive, friction and stops of the joint included, as means over the sensor's period.
///
/// They are what Newton's and Euler's laws leave over for the link and everything beyond it: rate of change of the
/// subtree's momentum and angular momentum in each step, less gravity, contacts and applied wrenches. So it makes no
/// difference how an engine joins links, or whether it merges welded ones.
class ForceTorqueSensor final : public LinkSensor<ForceTorqueSettings> {
 public:
  using LinkSensor::LinkSensor;

  void simulate(const SimulationView& view, double period, std::span<double> out) override;
  bool observesSteps() const override { return true; }
  void observe(const SimulationView& view, double dt) override;

 private:
  /// The motion of one link. World axes.
  struct Motion {
    Vector3d center = Vector3d::Zero();    ///< Center of mass.
    Vector3d momentum = Vector3d::Zero();  ///< N s
    Vector3d spin = Vector3d::Zero();      ///< Angular momentum about the center of mass, N m s.
  };
  void begin(const SensorSetup& setup) override;
  void saveState(ByteWriter& out) const override;
  void restoreState(ByteReader& in) override;
  Motion motion(const RobotView& robot, int link) const;
  void remember(const SimulationView& view);
  bool beyond(int id) const;

  const Robot* model_ = nullptr;
  std::vector<int> bodies_;     ///< Links from this one on that have mass.
  std::vector<char> isBeyond_;  ///< By link: this one, and those that hang on it.
  int firstId_ = 0;             ///< World id of link 0.

  // At the end of the last step.
  std::vector<Motion> before_;  ///< One each of `bodies_`.
  RigidTransform X_WLbefore_;
  bool known_ = false;  ///< True if these two are.
  // Since the last reading, link's axes.
  Vector3d impulse_ = Vector3d::Zero();         ///< N s
  Vector3d angularImpulse_ = Vector3d::Zero();  ///< N m s
  double time_ = 0;                             ///< s
};

}  // namespace mortise::sensors
