#pragma once

/// Answers of mechanics, in closed form or, where there is none, by integration far finer than any simulation's. SI
/// units; `gravity` is its magnitude.

#include <functional>
#include <span>
#include <vector>

#include "mortise/component/physics.h"
#include "mortise/math/transform.h"

namespace mortise::truth {

// Dry friction (Coulomb).
/// Returns the acceleration of a block on a slope of `angle`: 0 up to the friction angle, tan(angle) = friction; beyond
/// it g (sin(angle) - friction cos(angle)), downhill, whatever the block's heading.
double slopeAcceleration(double angle, double friction, double gravity);
/// Until a block that slides on level ground stops: v^2 / (2 friction g).
double slidingDistance(double speed, double friction, double gravity);

// Impact (Newton's law of restitution).
/// The height to which a body dropped from `fall` comes back: e^2 fall.
double bounceHeight(double restitution, double fall);
/// Speeds of two bodies that meet in the line of their centers, m/s.
struct ImpactSpeeds {
  double a = 0, b = 0;
};
/// Momentum stays, and they part at e times the speed at which they met.
ImpactSpeeds centralImpact(double massA, double speedA, double massB, double speedB, double restitution);

// Rolling, of a homogeneous ball (moment of inertia 2/5 m r^2).
/// Down a slope on which it does not slip (tan(angle) <= 7/2 friction): 5/7 g sin(angle).
double rollingAcceleration(double angle, double gravity);
/// The speed at which a ball rolls that was set down sliding at `speed` without spin: 5/7 of it, whatever the friction.
double rollingSpeed(double speed);

/// Period of a pendulum that swings by `amplitude` (rad) to each side: the complete elliptic integral of the first kind
/// by Gauss's arithmetic-geometric mean. `inertia` about the pivot, kg m^2; `weightMoment` m g l, N m.
double pendulumPeriod(double inertia, double weightMoment, double amplitude);
/// Mean time (s) between upward zero crossings of `angle`, interpolated, over `swings` periods; `step` advances by
/// `dt`. NaN when they do not come within `limit` seconds.
double measuredPeriod(int swings, double dt, double limit, const std::function<void()>& step,
                      const std::function<double()>& angle);

/// A joint from rest at 0 that a spring and a damper pull to `target`, at time t: the underdamped oscillator. N m/rad,
/// N m s/rad, kg m^2 (or N/m, N s/m, kg).
double drivenPosition(double time, double inertia, double stiffness, double damping, double target);

/// Two rods in a vertical plane, one hanging from the other: mass m (kg), length l (m), homogeneous, on motors that
/// follow `clamp(stiffness (target - q) - damping dq, -limit, limit)`. q of the second counts from the first; 0, 0
/// hangs down.
struct DrivenArm {
  double mass[2] = {1, 1}, length[2] = {0.5, 0.5};
  double stiffness[2] = {0, 0}, damping[2] = {0, 0}, target[2] = {0, 0}, limit[2] = {0, 0};
  double gravity = 9.8;
};
struct ArmState {
  double q[2] = {0, 0}, dq[2] = {0, 0};
};
/// After `time` seconds: classical Runge-Kutta steps of fourth order, 1e-5 s.
ArmState drivenArm(const DrivenArm& arm, ArmState state, double time);

/// A body of `mass` that meets a surface, a spring and a damper in parallel that only push, at `speed`.
struct SoftImpact {
  double depth = 0;  ///< m, the deepest.
  double force = 0;  ///< N, the strongest.
};
SoftImpact softImpact(double mass, double speed, double stiffness, double damping, double gravity);

/// Torque-free motion of a rigid body (Euler's equations): classical Runge-Kutta steps of fourth order, 1e-4 s, whose
/// error over seconds is below 1e-11 rad at some rad/s.
struct FreeRotation {
  Matrix3d R_WB = Matrix3d::Identity();
  Vector3d w_WB = Vector3d::Zero();  ///< World axes.
};
FreeRotation freeRotation(const Matrix3d& inertia, const FreeRotation& start, double time);

/// The momentum of all dynamic bodies.
struct Momentum {
  Vector3d linear = Vector3d::Zero();
  Vector3d angular = Vector3d::Zero();  ///< About the world's origin.
};
void addMomentum(Momentum& sum, const BodyInertia& inertia, const BodyState& state);
Momentum momentumOf(std::span<const SceneBody> bodies, std::span<const BodyState> states);
/// Kinetic and potential, J.
double energyOf(std::span<const SceneBody> bodies, std::span<const BodyState> states, double gravity);

}  // namespace mortise::truth
