#include "mortise/rigid_body/articulated_body.h"

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"

namespace mortise::rigid {

ArticulatedBody::ArticulatedBody(const SceneDescription& description, TreePlan plan, std::span<const MassFrame> frames)
    : plan_(std::move(plan)) {
  const int n = static_cast<int>(plan_.joints.size());
  frames_.resize(n + 1);
  motions_.resize(n + 1);
  accelerations_.resize(n + 1);
  forces_.resize(n + 1);
  composites_.resize(n + 1);
  axes_.resize(n);
  positions_.assign(n, 0);
  drives_.resize(n);
  stops_.resize(n);
  efforts_.assign(n, 0);
  stopEfforts_.assign(n, 0);
  std::vector<int> linkOfBody(description.bodies.size(), -1);
  std::vector<int> parents;
  for (int i = 0; i < firstJoint(); ++i) parents.push_back(i - 1);
  for (int i = 0; i < n; ++i) {
    addLink(description, plan_.joints[i], linkOfBody, frames);
    linkOfBody[links_[i].body] = i;
    parents.push_back(firstJoint() + links_[i].parent);
    frames_[i + 1].mass = frames[links_[i].body].mass;
    frames_[i + 1].moments = frames[links_[i].body].moments;
  }
  if (!plan_.fixedBase) {
    frames_[0].mass = frames[plan_.base].mass;
    frames_[0].moments = frames[plan_.base].moments;
  }
  solver_ = ImplicitJointDrives(parents, firstJoint());
  for (auto* list : {&velocities_, &momentum_, &bias_, &after_, &guess_, &impulse_, &scratch_, &velocityBias_})
    list->assign(parents.size(), 0);
  findPaths(parents);

  if (plan_.base >= 0) {
    const SceneBody& body = description.bodies[plan_.base];
    const RigidTransform X_WC = RigidTransform{orthonormalized(body.X_WB.R), body.X_WB.p} * frames[plan_.base].X_BC;
    const bool moves = body.motion != BodyMotion::fixed;
    const Vector3d w = moves ? body.w_WB : Vector3d(Vector3d::Zero());
    const Vector3d v = moves ? Vector3d(body.v_WB + w.cross(X_WC.p - body.X_WB.p)) : Vector3d(Vector3d::Zero());
    setBase(X_WC, v, w);
  }
  for (int i = 0; i < n; ++i) {
    const SceneJoint& joint = description.joints[links_[i].joint];
    setJoint(i, joint.position, joint.velocity);
  }
  update();
}

void ArticulatedBody::addLink(const SceneDescription& description, int joint, std::span<const int> linkOfBody,
                              std::span<const MassFrame> frames) {
  const SceneJoint& from = description.joints[joint];
  const bool onBase = from.parent < 0 || from.parent == plan_.base;
  const MassFrame& frame = frames[from.child];
  const MassFrame parentFrame = from.parent < 0 ? MassFrame() : frames[from.parent];
  Link& link = links_.emplace_back();
  link.body = from.child;
  link.joint = joint;
  link.parent = onBase ? -1 : linkOfBody[from.parent];
  link.revolute = from.type == SceneJoint::Type::revolute;
  link.lower = from.lower;
  link.upper = from.upper;
  link.axis = (frame.X_BC.R.transpose() * from.axis).normalized();
  link.p_CJ = -(frame.X_BC.R.transpose() * frame.X_BC.p);
  link.R_PC0 = parentFrame.X_BC.R.transpose() * orthonormalized(from.X_PC0.R) * frame.X_BC.R;
  link.p_PJ = parentFrame.X_BC.R.transpose() * (from.X_PC0.p - parentFrame.X_BC.p);
}

void ArticulatedBody::findPaths(const std::vector<int>& parents) {
  paths_.resize(links_.size() + 1);
  for (int i = -1; i < numLinks(); ++i)
    for (int j = firstJoint() + i; j >= 0; j = parents[j]) paths_[i + 1].push_back(j);
}

void ArticulatedBody::setBase(const RigidTransform& X_WC, const Vector3d& v_WC, const Vector3d& w_WC) {
  energy_ = std::numeric_limits<double>::infinity();
  frames_[0].X_WC = X_WC;
  baseSpin_ = w_WC;
  baseVelocity_ = v_WC;
  if (plan_.fixedBase) return;
  Eigen::Map<Vector3d>(velocities_.data()) = w_WC;
  Eigen::Map<Vector3d>(velocities_.data() + 3) = v_WC;
}

void ArticulatedBody::setJoint(int link, double position, double velocity) {
  energy_ = std::numeric_limits<double>::infinity();
  positions_[link] = position;
  velocities_[firstJoint() + link] = velocity;
}

void ArticulatedBody::addForce(int link, const Vector3d& force, const Vector3d& torque) {
  frames_[link + 1].force += force;
  frames_[link + 1].torque += torque;
}

void ArticulatedBody::update() {
  for (int i = 0; i < numLinks(); ++i) {
    const Link& link = links_[i];
    const RigidTransform& X_WP = pose(link.parent);
    RigidTransform& X_WC = frames_[i + 1].X_WC;
    const double q = positions_[i];
    X_WC.R = X_WP.R * link.R_PC0;
    if (link.revolute) X_WC.R = X_WC.R * rotationFromMoment(q * link.axis);
    X_WC.p = X_WP * link.p_PJ - X_WC.R * (link.revolute ? link.p_CJ : Vector3d(link.p_CJ - q * link.axis));
  }
  updateVelocities();
}

void ArticulatedBody::updateVelocities() {
  motions_[0] = {baseSpin_, baseVelocity_};
  for (int i = 0; i < numLinks(); ++i) {
    const Link& link = links_[i];
    const RigidTransform& X_WC = pose(i);
    const Motion& parent = motions_[link.parent + 1];
    const Vector3d axis = X_WC.R * link.axis;
    Motion& motion = motions_[i + 1];
    motion.angular = parent.angular;
    motion.linear = parent.linear + parent.angular.cross(X_WC.p - pose(link.parent).p);
    if (link.revolute) {
      motion.angular += velocity(i) * axis;
      motion.linear -= velocity(i) * axis.cross(X_WC.R * link.p_CJ);
    } else {
      motion.linear += velocity(i) * axis;
    }
  }
}

void ArticulatedBody::save(ByteWriter& out) const {
  out.put(std::span<const double>(frames_[0].X_WC.R.data(), 9));
  for (const Vector3d* v : {&frames_[0].X_WC.p, &baseSpin_, &baseVelocity_}) out.append(v->data(), 3 * sizeof(double));
  for (const auto* list : {&velocities_, &positions_, &efforts_, &stopEfforts_, &impulse_})
    out.append(list->data(), sizeof(double) * list->size());
  out.put(energy_);
  out.put(static_cast<std::uint8_t>(hasImpulse_));
  out.append(drives_.data(), sizeof(JointDrive) * drives_.size());
  solver_.save(out);
}

void ArticulatedBody::restore(ByteReader& in) {
  in.get(std::span<double>(frames_[0].X_WC.R.data(), 9));
  for (Vector3d* v : {&frames_[0].X_WC.p, &baseSpin_, &baseVelocity_})
    for (int k = 0; k < 3; ++k) in.get((*v)[k]);
  for (auto* list : {&velocities_, &positions_, &efforts_, &stopEfforts_, &impulse_})
    for (double& number : *list) in.get(number);
  in.get(energy_);
  hasImpulse_ = in.get<std::uint8_t>() != 0;
  for (JointDrive& drive : drives_) in.get(drive);
  solver_.restore(in);
  update();
}

}  // namespace mortise::rigid
