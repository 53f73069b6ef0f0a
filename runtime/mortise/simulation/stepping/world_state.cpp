#include "mortise/simulation/stepping/world_state.h"

#include <cmath>

#include "mortise/simulation/context/snapshot_bytes.h"

namespace mortise {

WorldState::WorldState(const World& world, const SceneMap& map)
    : world_(world),
      map_(map),
      bodies_(map.description.bodies.size()),
      joints_(map.description.joints.size()),
      objects_(world.objects.size()),
      twists_(world.robots.size()) {
  for (const WorldRobot& robot : world.robots) robots_.emplace_back(*robot.robot);
  setInitialCoordinates();
}

void WorldState::readObjects() {
  for (std::size_t i = 0; i < objects_.size(); ++i) objects_[i] = bodies_[map_.objectBodies[i]];
}

void WorldState::readRobot(std::size_t r) {
  const Robot& robot = *world_.robots[r].robot;
  const RobotScene& place = map_.robots[r];
  RobotState& state = robots_[r];
  if (place.floatingBody >= 0 && robot.floatingBaseLink() >= 0) {
    const BodyState& base = bodies_[place.floatingBody];
    setFloatingBasePose(robot, base.X_WB, state.q);
    setFloatingBaseVelocity(robot, base.v_WB, base.w_WB, state.q, state.dq);
  }
  for (int i = 0; i < robot.numLinks(); ++i) {
    const RobotScene::LinkPlace& at = place.links[i];
    if (at.joint < 0) continue;
    state.q[i] = joints_[at.joint].position / at.axisScale;
    state.dq[i] = joints_[at.joint].velocity / at.axisScale;
  }
}

void WorldState::read(const Scene& scene) {
  readScene(scene);
  for (std::size_t r = 0; r < robots_.size(); ++r) readRobot(r);
}

void WorldState::readScene(const Scene& scene) {
  scene.readBodies(bodies_);
  scene.readJoints(joints_);
  readObjects();
  framesFresh_ = false;
}

void WorldState::putBack(const std::vector<BodyState>& bodies, const std::vector<JointState>& joints) {
  bodies_ = bodies;
  joints_ = joints;
  readObjects();
}

void WorldState::updateFrames() {
  if (framesFresh_) return;
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    RobotState& state = robots_[r];
    mortise::updateFrames(*world_.robots[r].robot, state);
    const RobotScene& place = map_.robots[r];
    twists_[r].resize(state.X_WL.size());
    for (std::size_t i = 0; i < state.X_WL.size(); ++i) {
      LinkTwist& twist = twists_[r][i];
      if (place.links[i].body < 0) {  // In the middle of a floating base's chain.
        twist = {};
        continue;
      }
      const BodyState& body = bodies_[place.links[i].body];
      twist.w_WL = body.w_WB;
      twist.v_WL = body.v_WB + body.w_WB.cross(state.X_WL[i].p - body.X_WB.p);
    }
  }
  framesFresh_ = true;
}

void WorldState::setCoordinates(int robot, const VectorXd& q, const VectorXd& dq) {
  robots_[robot].q = q;
  robots_[robot].dq = dq;
}

void WorldState::setInitialCoordinates() {
  for (std::size_t r = 0; r < robots_.size(); ++r) {
    robots_[r].q = world_.robots[r].q;
    robots_[r].dq = world_.robots[r].dq;
  }
}

void WorldState::hash(ByteWriter& out) const {
  for (const BodyState& body : bodies_) {
    double rows[12];
    body.X_WB.toRows(rows);
    out.append(rows, sizeof(rows));
    out.append(body.v_WB.data(), 3 * sizeof(double));
    out.append(body.w_WB.data(), 3 * sizeof(double));
  }
  for (const JointState& joint : joints_) {
    out.put(joint.position);
    out.put(joint.velocity);
  }
}

void WorldState::saveRobots(ByteWriter& out) const {
  for (const RobotState& robot : robots_) {
    out.put(std::span<const double>(robot.q.data(), robot.q.size()));
    out.put(std::span<const double>(robot.dq.data(), robot.dq.size()));
  }
}

void WorldState::restoreRobots(ByteReader& in) {
  for (RobotState& robot : robots_) {
    in.get(std::span<double>(robot.q.data(), robot.q.size()));
    in.get(std::span<double>(robot.dq.data(), robot.dq.size()));
  }
}

void WorldState::requireSound() const {
  constexpr double kRotationTolerance = 1e-3;
  for (const RobotState& robot : robots_)
    requireUndamaged(robot.q.allFinite() && robot.dq.allFinite(), "coordinates of a robot are not finite");
  for (const JointState& joint : joints_)
    requireUndamaged(std::isfinite(joint.position) && std::isfinite(joint.velocity), "a joint's state is not finite");
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodyState& body = bodies_[b];
    const std::string& name = map_.description.bodies[b].name;
    requireUndamaged(body.X_WB.allFinite() && body.v_WB.allFinite() && body.w_WB.allFinite(),
                     "the state of '" + name + "' is not finite");
    const Matrix3d& R = body.X_WB.R;
    requireUndamaged((R.transpose() * R - Matrix3d::Identity()).cwiseAbs().maxCoeff() < kRotationTolerance,
                     "the orientation of '" + name + "' is not a rotation");
  }
}

}  // namespace mortise
