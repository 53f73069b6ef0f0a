#include "dart_scene.h"
#include "mortise/base/error.h"

namespace mortise::dart {

namespace {

constexpr std::string_view kDartSnapshot = "DART scene 3";

void putVector(ByteWriter& out, const Vector3d& v) { out.append(v.data(), 3 * sizeof(double)); }
Vector3d getVector(ByteReader& in) {
  Vector3d v;
  for (int i = 0; i < 3; ++i) in.get(v[i]);
  return v;
}

template <typename Contact>
void putCommon(ByteWriter& out, const Contact& c) {
  out.put(c.key);
  for (const int number : {c.idA, c.idB, c.bodyA, c.bodyB}) out.put(number);
  putVector(out, c.point);
  putVector(out, c.normal);
}
template <typename Contact>
void getCommon(ByteReader& in, Contact& c) {
  in.get(c.key);
  for (int* number : {&c.idA, &c.idB, &c.bodyA, &c.bodyB}) in.get(*number);
  c.point = getVector(in);
  c.normal = getVector(in);
}

}  // namespace

void DartScene::save(ByteWriter& out) const {
  out.put(kDartSnapshot);
  for (const std::size_t count : {bodies_.size(), axes_.size(), loops_.size()}) out.put(std::uint64_t{count});
  putVector(out, world_->getGravity());
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Body& body = bodies_[b];
    out.put(static_cast<int>(body.motion));
    for (const Vector3d* v : {&body.v_W, &body.w_W, &body.force, &body.torque}) putVector(out, *v);
    if (body.free != nullptr) {
      // The coordinates themselves: poses would come back rounded.
      out.append(body.free->getPositions().eval().data(), 6 * sizeof(double));
      out.append(body.free->getVelocities().eval().data(), 6 * sizeof(double));
    } else if (body.weld != nullptr) {
      double rows[12];
      poseOf(static_cast<int>(b)).toRows(rows);
      out.append(rows, sizeof(rows));
    }
    if (body.motion == BodyMotion::kinematic) {
      double rows[12];
      body.X_W.toRows(rows);
      out.append(rows, sizeof(rows));
    }
  }
  for (const auto& axis : axes_) axis->save(out);
  for (const Loop& loop : loops_) {
    out.put(loop.angle);
    if (loop.weld != nullptr) out.put(loop.weld->impulses);
    for (const auto& ball : loop.balls) out.put(ball->impulses);
  }
  out.put(static_cast<std::uint64_t>(pending_.size()));
  for (const SceneContact& c : pending_) {
    putCommon(out, c);
    for (const double number :
         {c.gap, c.material.friction, c.material.restitution, c.material.stiffness, c.material.damping})
      out.put(number);
  }
  out.put(static_cast<std::uint64_t>(forces_.size()));
  for (const ContactForce& c : forces_) {
    putCommon(out, c);
    out.put(c.depth);
    putVector(out, c.force);
  }
  if (ownContacts_ != nullptr) ownContacts_->save(out);
}

void DartScene::restore(ByteReader& in) {
  if (in.getString() != kDartSnapshot) throw Error("these bytes are not a snapshot of a DART scene");
  for (const std::size_t count : {bodies_.size(), axes_.size(), loops_.size()})
    if (in.get<std::uint64_t>() != count)
      throw Error("the snapshot belongs to another scene: bodies, joints or constraints differ in number");
  world_->setGravity(getVector(in));
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    Body& body = bodies_[b];
    const auto motion = static_cast<BodyMotion>(in.get<int>());
    if ((motion == BodyMotion::fixed) != (body.motion == BodyMotion::fixed))
      throw Error("the snapshot belongs to another scene: body '" + description_.bodies[b].name +
                  "' is fixed in one of them");
    for (Vector3d* v : {&body.v_W, &body.w_W, &body.force, &body.torque}) *v = getVector(in);
    if (body.free != nullptr) {
      changeMotion(body, motion);
      Eigen::Matrix<double, 6, 1> position, velocity;
      for (double& number : position) in.get(number);
      for (double& number : velocity) in.get(number);
      body.free->setPositions(position);
      body.free->setVelocities(velocity);
    } else if (body.weld != nullptr) {
      double rows[12];
      for (double& number : rows) in.get(number);
      body.weld->setTransformFromParentBodyNode(toDart(RigidTransform::fromRows(rows)));
    }
    if (motion == BodyMotion::kinematic) {
      double rows[12];
      for (double& number : rows) in.get(number);
      body.X_W = RigidTransform::fromRows(rows);
    }
  }
  for (const auto& axis : axes_) axis->restore(in);
  for (Loop& loop : loops_) {
    in.get(loop.angle);
    if (loop.weld != nullptr) in.get(loop.weld->impulses);
    for (const auto& ball : loop.balls) in.get(ball->impulses);
  }
  pending_.clear();
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    SceneContact& c = pending_.emplace_back();
    getCommon(in, c);
    for (double* number :
         {&c.gap, &c.material.friction, &c.material.restitution, &c.material.stiffness, &c.material.damping})
      in.get(*number);
    checked(c.bodyA);
    checked(c.bodyB);
  }
  forces_.clear();
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    ContactForce& c = forces_.emplace_back();
    getCommon(in, c);
    in.get(c.depth);
    c.force = getVector(in);
  }
  if (ownContacts_ != nullptr) ownContacts_->restore(in);
}

}  // namespace mortise::dart
