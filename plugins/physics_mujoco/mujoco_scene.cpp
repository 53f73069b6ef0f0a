#include "mujoco_scene.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "mortise/base/error.h"
#include "mortise/contacts/scene_contact_check.h"

namespace mortise::mujoco {

namespace {

/// Room for contacts to begin with; more is made when it is needed.
constexpr int kFirstContacts = 64;

SceneModel compileScene(const SceneDescription& description, const MujocoSettings& settings, Messages& messages) {
  const Session session(messages);
  return SceneModel(description, settings);
}

}  // namespace

MujocoScene::MujocoScene(const SceneDescription& description, const MujocoSettings& settings)
    : description_(description),
      settings_(settings),
      model_(compileScene(description, settings, messages_)),
      dt_(description.timeStep),
      parameters_(settings, description.timeStep),
      given_(description.bodies.size()),
      drives_(description.joints.size()),
      pushOut_(description),
      efforts_(description.joints.size()),
      constraintEfforts_(description.constraints.size()),
      pieces_(description.joints.size(), Piece::linear) {
  if (settings.integrator == MujocoSettings::Integrator::rk4 && external())
    throw Error("RK4 looks for contacts within its step, and these come from outside", {},
                "use integrator Euler or implicit, or contacts: engine");
  for (const SceneBody& body : description.bodies) motions_.push_back(body.motion);
  const Session session(messages_, this);
  model_.setParameters(parameters_, dt_);
  for (std::size_t i = 0; i < motions_.size(); ++i)
    if (motions_[i] == BodyMotion::kinematic) model_.setUnmovable(static_cast<int>(i), true);
  data_ = makeData(model_.model(), 4 * kFirstContacts + rowsNeeded(), kFirstContacts);
  signature_ = makeSignature();
  placeAll();
}

MujocoScene::~MujocoScene() = default;

int MujocoScene::checkedBody(int body) const {
  if (body < 0 || body >= static_cast<int>(motions_.size()))
    throw Error("there is no body " + std::to_string(body) + "; the scene has " + std::to_string(motions_.size()));
  return body;
}

void MujocoScene::setGravity(const Vector3d& gravity) {
  if (!gravity.allFinite()) throw Error("gravity must be finite");
  std::copy_n(gravity.data(), 3, model_.model().opt.gravity);
}

void MujocoScene::setJointDrives(std::span<const JointDrive> drives) {
  if (drives.size() != drives_.size())
    throw Error("the scene has " + std::to_string(drives_.size()) + " joints but got " + std::to_string(drives.size()) +
                " drives");
  for (std::size_t j = 0; j < drives.size(); ++j) {
    const JointDrive& d = drives[j];
    for (const double number : {d.stiffness, d.damping, d.dryFriction, d.viscousFriction})
      if (!(number >= 0) || !std::isfinite(number))
        throw Error("the drive of joint '" + description_.joints[j].name +
                    "' has a gain or friction that is negative or not finite");
    for (const double number : {d.target, d.targetVelocity, d.feedforward})
      if (!std::isfinite(number))
        throw Error("the drive of joint '" + description_.joints[j].name +
                    "' has a target or effort that is not finite");
    if (!(d.minEffort <= d.maxEffort))
      throw Error("the drive of joint '" + description_.joints[j].name +
                  "' has a lower effort limit above the upper one");
  }
  std::copy(drives.begin(), drives.end(), drives_.begin());
}

void MujocoScene::applyWrench(int body, const Vector3d& force, const Vector3d& torque, const Vector3d& point) {
  checkedBody(body);
  if (!force.allFinite() || !torque.allFinite() || !point.allFinite())
    throw Error("a force, torque or point is not a finite number");
  if (moves(body)) wrenches_.push_back({body, force, torque, point});
}

void MujocoScene::setBodyMotion(int body, BodyMotion motion) {
  const std::string name = "body '" + description_.bodies[checkedBody(body)].name + "'";
  if (motions_[body] == BodyMotion::fixed || motion == BodyMotion::fixed)
    throw Error(name + " cannot change between fixed and moving", {}, "use kinematic with velocity 0");
  if (tree().bodies[body].kind != Attachment::Kind::free)
    throw Error(name + " is held by a joint, so how it moves cannot change");
  if (motions_[body] == motion) return;
  given_[body] = stateOf(body);
  if (motion == BodyMotion::dynamic) {
    const BodyInertia& inertia = description_.bodies[body].inertia;
    if (!(inertia.mass > 0) || !(inertia.inertia.determinant() > 0))
      throw Error(name + " needs a positive mass and a positive definite inertia to be dynamic");
  }
  motions_[body] = motion;
  model_.setUnmovable(body, motion == BodyMotion::kinematic);
}

void MujocoScene::setCollision(int idA, int idB, bool on) {
  if (external()) throw Error("contacts come from outside, so there are none to be switched on or off here");
  const int numIds = static_cast<int>(description_.surfaces.size());
  if (idA < 0 || idA >= numIds || idB < -1 || idB >= numIds)
    throw Error("there is no id " + std::to_string(idA < 0 || idA >= numIds ? idA : idB));
  for (int id = idB < 0 ? 0 : idB; id < (idB < 0 ? numIds : idB + 1); ++id) {
    const std::pair<int, int> pair = std::minmax(idA, id);
    const auto at = std::lower_bound(switchedOff_.begin(), switchedOff_.end(), pair);
    const bool isOff = at != switchedOff_.end() && *at == pair;
    if (on && isOff) switchedOff_.erase(at);
    if (!on && !isOff && description_.filter.test(idA, id)) switchedOff_.insert(at, pair);
  }
}

bool MujocoScene::mayTouch(int geom1, int geom2) const {
  const ShapeWriter::Owner &a = model_.geoms()[geom1], &b = model_.geoms()[geom2];
  if (a.body == b.body || !description_.filter.test(a.id, b.id) || !(moves(a.body) || moves(b.body))) return false;
  return switchedOff_.empty() ||
         !std::binary_search(switchedOff_.begin(), switchedOff_.end(), std::pair<int, int>(std::minmax(a.id, b.id)));
}

void MujocoScene::setContacts(std::span<const SceneContact> contacts) {
  if (!external())
    throw Error("the scene was built for contacts that MuJoCo finds and takes none from outside", {},
                "build it with `ContactSource::external`");
  checkSceneContacts(contacts, static_cast<int>(description_.bodies.size()),
                     static_cast<int>(description_.surfaces.size()));
  for (const SceneContact& contact : contacts)
    if (contact.material.stiffness == 0)
      throw Error("contact between ids " + std::to_string(contact.idA) + " and " + std::to_string(contact.idB) +
                      ": a stiffness of 0 holds nothing",
                  {}, "give the surfaces a stiffness above 0, or none for rigid contacts");
  touches_.assign(contacts.begin(), contacts.end());
}

void MujocoScene::readBodies(std::span<BodyState> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = stateOf(checkedBody(static_cast<int>(i)));
}

void MujocoScene::readJoints(std::span<JointState> out) const {
  if (out.size() > drives_.size()) throw Error("the scene has " + std::to_string(drives_.size()) + " joints");
  for (std::size_t j = 0; j < out.size(); ++j) {
    const JointPlace& place = model_.joints()[j];
    out[j] = {data_->qpos[place.qpos], data_->qvel[place.dof], efforts_[j].drive, efforts_[j].stop};
  }
}

void MujocoScene::readConstraints(std::span<JointState> out) const {
  if (out.size() != constraintEfforts_.size())
    throw Error("readConstraints needs room for " + std::to_string(constraintEfforts_.size()));
  std::fill(out.begin(), out.end(), JointState());
  for (std::size_t c = 0; c < out.size(); ++c) {
    const JointPlace& place = model_.constraints()[c];
    if (place.joint < 0) continue;
    out[c] = {data_->qpos[place.qpos], data_->qvel[place.dof], constraintEfforts_[c].friction,
              constraintEfforts_[c].stop};
  }
  for (const int c : tree().loops)
    if (description_.constraints[c].type == SceneConstraint::Type::hinge)
      out[c] = loopState(description_.constraints[c]);
}

}  // namespace mortise::mujoco
