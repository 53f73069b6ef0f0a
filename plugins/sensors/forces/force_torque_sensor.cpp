#include "forces/force_torque_sensor.h"

#include <Eigen/Geometry>

#include "common/state_bytes.h"

namespace mortise::sensors {

void ForceTorqueSettings::bind(SettingBinder& b) {
  LinkSettings::bind(b);
  b.add("local_pos", p_LS, "Point of the link about which torques are, link's frame.",
        {.unit = "m", .aliases = {"localPos"}});
  b.add("has_force", hasForce, "Which components of the force are measured: x, y, z.", {.aliases = {"hasForce"}});
  b.add("has_torque", hasTorque, "Which components of the torque are measured: x, y, z.", {.aliases = {"hasTorque"}});
  b.add("f_variance", forceVariance, "Variance of the Gaussian noise of the forces, N^2.",
        {.min = 0, .aliases = {"fVariance"}, .changeable = true});
  b.add("t_variance", torqueVariance, "Variance of the Gaussian noise of the torques, (N*m)^2.",
        {.min = 0, .aliases = {"tVariance"}, .changeable = true});
}

void ForceTorqueSensor::begin(const SensorSetup& setup) {
  model_ = setup.world.robots[robot_].robot.get();
  firstId_ = setup.world.linkId(robot_, 0);
  isBeyond_.assign(model_->numLinks(), 0);
  bodies_.clear();
  for (int i = link_; i < model_->numLinks(); ++i) {
    const int parent = model_->link(i).parent;
    isBeyond_[i] = i == link_ || (parent >= 0 && isBeyond_[parent]);
    if (!isBeyond_[i] || !(model_->link(i).inertia.mass > 0)) continue;
    bodies_.push_back(i);
  }
  before_.assign(bodies_.size(), Motion());
  known_ = false;
  impulse_.setZero();
  angularImpulse_.setZero();
  time_ = 0;
  addAxes("force");
  addAxes("torque");
}

/// Says whether something with this world id is part of what hangs on the sensor; the robot's own id stands for its
/// floating base.
bool ForceTorqueSensor::beyond(int id) const {
  const int link = id == firstId_ - 1 ? model_->floatingBaseLink() : id - firstId_;
  return link >= 0 && link < static_cast<int>(isBeyond_.size()) && isBeyond_[link];
}

ForceTorqueSensor::Motion ForceTorqueSensor::motion(const RobotView& robot, int link) const {
  const BodyInertia& body = model_->link(link).inertia;
  const RigidTransform& X_WL = robot.state->X_WL[link];
  const LinkTwist& twist = robot.twists[link];
  const Vector3d arm = X_WL.R * body.com;
  return {X_WL.p + arm, body.mass * (twist.v_WL + twist.w_WL.cross(arm)),
          X_WL.R * (body.inertia * (X_WL.R.transpose() * twist.w_WL))};
}

void ForceTorqueSensor::remember(const SimulationView& view) {
  for (std::size_t k = 0; k < bodies_.size(); ++k) before_[k] = motion(view.robots[robot_], bodies_[k]);
  X_WLbefore_ = linkFrame(view);
  known_ = true;
}

void ForceTorqueSensor::observe(const SimulationView& view, double dt) {
  if (known_ && dt > 0) {
    const RigidTransform& X_WLafter = linkFrame(view);
    // Torques are about the sensor's point in the middle of the step, and all arms are as they stand then, so that
    // nothing depends on how fast the whole robot moves.
    const Matrix3d R = 0.5 * (X_WLbefore_.R + X_WLafter.R);
    const Vector3d point = 0.5 * (X_WLbefore_ * settings_->p_LS + X_WLafter * settings_->p_LS);
    Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      const Motion after = motion(view.robots[robot_], bodies_[k]);
      const double mass = model_->link(bodies_[k]).inertia.mass;
      const Vector3d excess = (after.momentum - before_[k].momentum) / dt - mass * view.gravity;
      force += excess;
      torque += (after.spin - before_[k].spin) / dt + (0.5 * (before_[k].center + after.center) - point).cross(excess);
    }
    const auto add = [&](double sign, const Vector3d& f, const Vector3d& p_WA) {
      const Vector3d arm_L = X_WLbefore_.R.transpose() * (p_WA - X_WLbefore_.p) - settings_->p_LS;
      force += sign * f;
      torque += sign * (R * arm_L).cross(f);
    };
    for (const ContactForce& contact : view.weightedContacts) {
      const int sign = static_cast<int>(beyond(contact.idB)) - static_cast<int>(beyond(contact.idA));
      if (sign != 0) add(sign, contact.force, contact.point);
    }
    for (const AppliedWrench& wrench : view.wrenches) {
      if (!beyond(wrench.id)) continue;
      add(-1, wrench.force, wrench.point);
      torque -= wrench.torque;
    }
    impulse_ += dt * (R.transpose() * force);
    angularImpulse_ += dt * (R.transpose() * torque);
    time_ += dt;
  }
  remember(view);
}

void ForceTorqueSensor::simulate(const SimulationView& view, double, std::span<double> out) {
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
  if (time_ > 0) {
    force = impulse_ / time_;
    torque = angularImpulse_ / time_;
  }
  const Vector3d exact = Vector3d::Zero();  // Resolution.
  putVector(onAxes(settings_->hasForce, measured(force, settings_->forceVariance, exact, host_.random())), out, 0);
  putVector(onAxes(settings_->hasTorque, measured(torque, settings_->torqueVariance, exact, host_.random())), out, 3);
  impulse_.setZero();
  angularImpulse_.setZero();
  time_ = 0;
  // The same as after the last step, unless somebody has put the robot elsewhere since: that is no force.
  remember(view);
}

void ForceTorqueSensor::saveState(ByteWriter& out) const {
  putFlag(out, known_);
  for (const Motion& body : before_) {
    putNumbers(out, body.center);
    putNumbers(out, body.momentum);
    putNumbers(out, body.spin);
  }
  putPose(out, X_WLbefore_);
  putNumbers(out, impulse_);
  putNumbers(out, angularImpulse_);
  out.put(time_);
}

void ForceTorqueSensor::restoreState(ByteReader& in) {
  known_ = getFlag(in);
  for (Motion& body : before_) {
    getNumbers(in, body.center);
    getNumbers(in, body.momentum);
    getNumbers(in, body.spin);
  }
  getPose(in, X_WLbefore_);
  getNumbers(in, impulse_);
  getNumbers(in, angularImpulse_);
  time_ = getFinite(in);
}

}  // namespace mortise::sensors
