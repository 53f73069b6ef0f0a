#pragma once

/// Settings of what is asked about contacts: balance, torques and grasps, under the same names in pipelines, on the
/// command line and in Python.

#include <optional>

#include "mortise/mechanics/balance.h"
#include "mortise/mechanics/contact_torques.h"
#include "mortise/mechanics/grasp_report.h"
#include "mortise/mechanics/wrench_space.h"
#include "mortise/settings/settings.h"

namespace mortise {

/// Gravity as a vector, or as its size against a direction.
struct GravitySettings {
  Value gravity;
  std::optional<Vector3d> up;
  void bind(SettingBinder& b);
  /// Returns `otherwise` where nothing is given. Throws `Error` with the position of what is wrong.
  Vector3d vector_W(const Vector3d& otherwise = Vector3d(0, 0, -9.8)) const;
  void check() const { (void)vector_W(); }
};

/// Forces that contacts bear.
struct ContactForceSettings {
  int coneEdges = 0;
  std::optional<double> forceLimit;  ///< N along the normal of each contact.
  double robustness = 0;             ///< N
  void bind(SettingBinder& b);
  /// Throws `Error` for pyramids of one or two edges.
  void check() const;
  ContactForceLimits limits(std::span<const ContactPoint> points) const;
};

/// Settings of `testBalance`: the stage `balance`, `mortise robot balance`, Python's `balance`.
struct BalanceSettings {
  GravitySettings gravity;
  ContactForceSettings forces;
  bool torques = false;
  double torqueScale = 1;
  std::optional<Vector3d> com;  ///< m
  void bind(SettingBinder& b);
  void check() const;
  BalanceOptions options() const;
};

/// Settings of `solveContactTorques`: the stage `torques`, `mortise robot torques`, Python's `contact_torques`.
struct ContactTorqueSettings {
  GravitySettings gravity;
  ContactForceSettings forces;
  TorqueObjective objective = TorqueObjective::largestUtilization;
  double torqueScale = 1;
  void bind(SettingBinder& b);
  void check() const;
  /// Limits of torque are those of `robot`, scaled.
  ContactTorqueOptions options(const Robot& robot, std::span<const ContactPoint> points) const;
};

/// Limits on the forces of a grasp.
enum class GraspBudget { total, each, torques };

/// Settings of the quality of grasps: the stage `grasp`, `mortise robot grasp`.
struct GraspSettings {
  GravitySettings gravity;
  ContactForceSettings forces;
  GraspBudget budget = GraspBudget::total;
  std::optional<double> mass;                        ///< kg
  std::optional<Vector3d> com, origin, planeNormal;  ///< m; a direction
  double length = 0;                                 ///< m
  void bind(SettingBinder& b);
  void check() const;
  /// The object that is held: `known`, changed by `mass` and `com`; nothing where neither is known. Throws `Error` for
  /// `com` alone.
  std::optional<GraspedObject> object(const std::optional<GraspedObject>& known) const;
};

/// Computes the quality of a grasp of a robot at the position that `dynamics` has.
GraspReport graspReport(RobotDynamics& dynamics, std::span<const LinkContact> contacts, const GraspSettings& settings,
                        const std::optional<GraspedObject>& object);

}  // namespace mortise
