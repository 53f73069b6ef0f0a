#pragma once

#include <Eigen/Geometry>
#include <array>
#include <optional>
#include <string>

#include "mortise/component/estimator.h"
#include "mortise/configuration/pose_setting.h"

namespace mortise::estimators {

struct BaseEstimateSettings {
  Value link;                                     ///< That carries the inertial sensors; null: the floating base.
  std::string gyroSensor, tiltSensor, imuSensor;  ///< Names; empty: by type.
  RotationSetting rotation;                       ///< R_LS of the tilt sensor in its link.
  Vector3d reference = Vector3d::UnitZ();         ///< Direction that the tilt sensor measures against, world frame.
  double tiltTime = 0.5;                          ///< Time constant of the correction by tilt, s.
  bool velocityInLink = false;                    ///< Frame of angVel_*: the link's instead of the world's.
  bool imuTranslation = true;
};

/// Pose and twist of a floating base from inertial sensors: orientation as measured (R_*) or integrated from the
/// angular velocity, pulled by the tilt sensor to where it says the vertical is (a complementary filter: Mahony,
/// Hamel and Pflimlin, 2008); position from an IMU's own integration. What is not measured is held.
class BaseEstimate {
 public:
  /// `settings` outlives this object.
  explicit BaseEstimate(const BaseEstimateSettings& settings) : settings_(settings) {}

  /// `wanted` false: does nothing ever after.
  void start(const EstimatorSetup& setup, bool wanted);
  /// Says whether there is a floating base and a sensor that says something about it.
  bool active() const { return active_; }
  /// Takes the limbs from q and dq, and writes the base's coordinates there.
  void readSensors(std::span<const SensorReading> sensors, double dt, VectorXd& q, VectorXd& dq);

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  /// Three or nine channels of one sensor.
  template <int N>
  struct Channels {
    int sensor = -1;
    std::array<int, N> at = {};
    bool present() const { return sensor >= 0; }
  };
  template <int N>
  Channels<N> find(std::span<const SensorReading> sensors, const std::string& name,
                   std::initializer_list<std::string_view> types,
                   const std::array<std::string_view, N>& channels) const;
  template <int N>
  static bool read(std::span<const SensorReading> sensors, const Channels<N>& channels,
                   Eigen::Matrix<double, N, 1>& values);

  /// Pose of the link with the sensors in the base, and its angular velocity there (base axes).
  void updateLink(const VectorXd& q, const VectorXd& dq);
  void correctTilt(const Vector3d& angles, double fraction);

  const BaseEstimateSettings& settings_;
  const Robot* robot_ = nullptr;
  bool active_ = false;
  int base_ = -1, link_ = -1;
  Channels<9> rotation_;
  Channels<3> angularVelocity_, tilt_, tiltVelocity_, velocity_, translation_;

  std::optional<RobotState> limbs_;
  std::vector<Vector3d> v_, w_;  ///< Velocities of all links, workspace.
  RigidTransform X_BL_;
  Vector3d w_BL_ = Vector3d::Zero();

  // What is saved.
  Eigen::Quaterniond R_WB_ = Eigen::Quaterniond::Identity();
  Vector3d p_WB_ = Vector3d::Zero(), v_WB_ = Vector3d::Zero(), w_WB_ = Vector3d::Zero();
  Vector3d pStart_ = Vector3d::Zero();
  bool hasVelocity_ = false;  ///< True if w_WB_ was ever measured.
};

}  // namespace mortise::estimators
