#include "mortise/control/feedforward.h"

#include <Eigen/Geometry>
#include <cmath>

#include "mortise/base/borrow.h"
#include "mortise/base/error.h"
#include "mortise/configuration/drivers.h"

namespace mortise {

void FeedforwardSettings::bind(SettingBinder& b) {
  b.add("enable_gravity_compensation", gravityCompensation,
        gravityCompensation ? "Add the torques that hold the robot against gravity at the sensed configuration."
                            : "Add the torques that hold the robot against gravity at the sensed configuration. When "
                              "absent: on, unless joint 0 floats.",
        {.aliases = {"enableGravityCompensation"}, .changeable = true});
  b.add("enable_feedforward_acceleration", acceleration,
        "Add the torques of the reference's accelerations, and Coriolis forces at the sensed state.",
        {.aliases = {"enableFeedforwardAcceleration"}, .changeable = true});
  b.add("enable_friction_compensation", friction,
        "Add the drivers' own friction (dryFriction, viscousFriction) at the velocities of the reference.",
        {.aliases = {"enableFrictionCompensation"}, .changeable = true});
  b.add("gravity", gravity, "Gravity to compensate, world frame; when absent, the world's.",
        {.unit = "m/s^2", .changeable = true});
}

void FeedforwardSettings::resolve(const Robot& robot, const Vector3d& gravityOfWorld) {
  // A floating base takes no torque, so holding its limbs against gravity one by one would be wrong.
  const auto& joints = robot.joints();
  const bool floats = !joints.empty() && joints[0].type == JointType::floating;
  gravityCompensation = gravityCompensation.value_or(!floats);
  gravity = gravity.value_or(gravityOfWorld);
}

void ScaleSettings::bind(SettingBinder& b) {
  b.add("velocity_scale", velocity, "Scaling factor of the robot's velocity limits that motions keep to.",
        {.min = 1e-6, .max = 1, .aliases = {"velocityScale"}, .changeable = true});
  b.add("acceleration_scale", acceleration, "Scaling factor of the robot's acceleration limits that motions keep to.",
        {.min = 1e-6, .max = 1, .aliases = {"accelerationScale"}, .changeable = true});
}

void Feedforward::start(const Robot& robot, const FeedforwardSettings& settings) {
  settings_ = &settings;
  // Who is started again for the same robot allocates nothing. The robot outlives the controller and is not owned.
  if (robot_ != &robot || !dynamics_) dynamics_.emplace(borrow(robot));
  robot_ = &robot;
  tau_ = VectorXd::Zero(robot.numLinks());
  torques_ = VectorXd::Zero(robot.numDrivers());
  clearForces();
}

void Feedforward::add(const VectorXd& q, const VectorXd& dq, const VectorXd& ddq, std::span<ActuatorCommand> commands) {
  const Vector3d g = *settings_->gravityCompensation ? *settings_->gravity : Vector3d::Zero();
  // Coriolis forces belong to the motion; without its accelerations they are left to the servos, as gravity alone is
  // what a robot at rest needs.
  if (settings_->acceleration)
    dynamics_->setState(q, dq);
  else
    dynamics_->setPosition(q);
  for (std::size_t i = 0; i < forces_.size(); ++i) {
    const Force& f = forces_[i];
    const RigidTransform X_WL = dynamics_->X_WL(f.link);
    wrenches_[i] = {f.link, (X_WL.R * f.p_L).cross(f.force), f.force};
  }
  if (settings_->acceleration)
    dynamics_->inverseDynamics(ddq, g, tau_, wrenches_);
  else if (wrenches_.empty())
    dynamics_->gravityForces(g, tau_);
  else
    dynamics_->biasForces(g, tau_, wrenches_);
  driverTorques(*robot_, tau_, torques_);
  for (int i = 0; i < robot_->numDrivers(); ++i) {
    ActuatorCommand& command = commands[static_cast<std::size_t>(i)];
    command.torque += torques_[i];
    if (!settings_->friction || command.velocity == 0) continue;
    const Driver& driver = robot_->driver(i);
    command.torque += driver.viscousFriction * command.velocity + std::copysign(driver.dryFriction, command.velocity);
  }
}

void Feedforward::addForce(int link, const Vector3d& force, const Vector3d& p_W, const VectorXd& q) {
  dynamics_->setPosition(q);
  forces_.push_back({link, force, dynamics_->X_WL(link).inverse() * p_W});
  wrenches_.resize(forces_.size());
}

void Feedforward::clearForces() {
  forces_.clear();
  wrenches_.clear();
}

void Feedforward::save(ByteWriter& out) const {
  out.put(static_cast<std::uint64_t>(forces_.size()));
  for (const Force& f : forces_) {
    out.put(static_cast<std::int32_t>(f.link));
    for (int k = 0; k < 3; ++k) out.put(f.force[k]);
    for (int k = 0; k < 3; ++k) out.put(f.p_L[k]);
  }
}

void Feedforward::restore(ByteReader& in) {
  const auto vector = [&] {
    Vector3d v;
    for (int k = 0; k < 3; ++k) v[k] = in.get<double>();
    if (!v.allFinite()) throw Error("the saved controller has a vector that is not finite");
    return v;
  };
  std::vector<Force> forces;
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    Force f;
    f.link = in.get<std::int32_t>();
    f.force = vector();
    f.p_L = vector();
    if (f.link < 0 || f.link >= robot_->numLinks()) throw Error("the saved controller has a force on no link");
    forces.push_back(f);
  }
  forces_ = std::move(forces);
  wrenches_.assign(forces_.size(), LinkWrench());
}

}  // namespace mortise
