#include "bullet_scene.h"

#include <LinearMath/btScalar.h>
#include <algorithm>
#include <string>

#include "mortise/base/error.h"

namespace mortise::bullet {

namespace {

constexpr std::uint32_t kSnapshotMark = 0x324c5542;  // "BUL2"

void put(ByteWriter& out, const Vector3d& v) { out.put(std::span<const double>(v.data(), 3)); }
Vector3d getVector(ByteReader& in) {
  Vector3d v;
  in.get(std::span<double>(v.data(), 3));
  return v;
}

}  // namespace

BulletScene::BulletScene(const SceneDescription& description, const BulletSettings& settings)
    : data_(description, settings),
      pairs_(data_.description),
      engine_(std::make_unique<Engine>(data_, pairs_)),
      gravity_(description.gravity) {}

BulletScene::~BulletScene() = default;

int BulletScene::checkedBody(int body) const {
  if (body < 0 || body >= static_cast<int>(data_.description.bodies.size()))
    throw Error("there is no body " + std::to_string(body) + "; the scene has " +
                std::to_string(data_.description.bodies.size()));
  return body;
}

void BulletScene::setGravity(const Vector3d& gravity) { gravity_ = gravity; }

void BulletScene::setJointDrives(std::span<const JointDrive> drives) {
  if (drives.size() != data_.description.joints.size())
    throw Error("the scene has " + std::to_string(data_.description.joints.size()) + " joints but got " +
                std::to_string(drives.size()) + " drives");
  for (std::size_t i = 0; i < drives.size(); ++i) engine_->setDrive(static_cast<int>(i), drives[i]);
}

void BulletScene::applyWrench(int body, const Vector3d& force, const Vector3d& torque, const Vector3d& point) {
  if (engine_->motion(checkedBody(body)) == BodyMotion::dynamic) wrenches_.push_back({body, force, torque, point});
}

void BulletScene::setBodyState(int body, const BodyState& state) { engine_->setBodyState(checkedBody(body), state); }

void BulletScene::setJointState(int joint, double position, double velocity) {
  if (joint < 0 || joint >= static_cast<int>(data_.description.joints.size()))
    throw Error("there is no joint " + std::to_string(joint));
  engine_->setJointState(joint, position, velocity);
}

void BulletScene::setBodyMotion(int body, BodyMotion motion) {
  const std::string name = "body '" + data_.description.bodies[checkedBody(body)].name + "'";
  if (engine_->isHeld(body)) throw Error(name + " is held by a joint, so how it moves cannot change");
  if (engine_->motion(body) == BodyMotion::fixed || motion == BodyMotion::fixed)
    throw Error(name + " cannot change between fixed and moving", {}, "use kinematic with velocity 0");
  engine_->setMotion(body, motion);
}

void BulletScene::setCollision(int idA, int idB, bool on) {
  const int numIds = static_cast<int>(data_.description.surfaces.size());
  for (const int id : {idA, idB})
    if (id >= numIds || id < (id == idA ? 0 : -1)) throw Error("there is no id " + std::to_string(id));
  for (int id = idB < 0 ? 0 : idB; id < (idB < 0 ? numIds : idB + 1); ++id)
    if (data_.description.filter.test(idA, id)) pairs_.allow(idA, id, on);
}

void BulletScene::setContacts(std::span<const SceneContact> contacts) {
  if (data_.description.contactSource != ContactSource::external)
    throw Error("the scene was built for contacts that Bullet finds and takes none from outside", {},
                "build it with `ContactSource::external`");
  engine_->contacts().set(contacts);
}

void BulletScene::step(double dt) {
  if (!(dt > 0)) throw Error("a step of " + std::to_string(dt) + " s");
  for (const Wrench& wrench : wrenches_) engine_->applyWrench(wrench.body, wrench.force, wrench.torque, wrench.point);
  wrenches_.clear();
  engine_->step(gravity_, dt);
}

void BulletScene::readBodies(std::span<BodyState> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = engine_->bodyState(static_cast<int>(i));
}

void BulletScene::readJoints(std::span<JointState> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = engine_->jointState(static_cast<int>(i));
}

void BulletScene::readConstraints(std::span<JointState> out) const { engine_->worldJoints().read(out); }

std::span<const ContactForce> BulletScene::contacts() const { return engine_->contacts().forces(); }

void BulletScene::save(ByteWriter& out) const {
  out.put(kSnapshotMark);
  out.put(static_cast<std::uint64_t>(data_.description.bodies.size()));
  out.put(static_cast<std::uint64_t>(data_.description.joints.size()));
  out.put(static_cast<std::uint64_t>(data_.description.constraints.size()));
  put(out, gravity_);
  out.put(static_cast<std::uint64_t>(wrenches_.size()));
  for (const Wrench& wrench : wrenches_) {
    out.put(wrench.body);
    put(out, wrench.force);
    put(out, wrench.torque);
    put(out, wrench.point);
  }
  pairs_.save(out);
  engine_->save(out);
}

void BulletScene::restore(ByteReader& in) {
  if (in.get<std::uint32_t>() != kSnapshotMark) throw Error("these bytes are no snapshot of the Bullet backend");
  if (in.get<std::uint64_t>() != data_.description.bodies.size() ||
      in.get<std::uint64_t>() != data_.description.joints.size() ||
      in.get<std::uint64_t>() != data_.description.constraints.size())
    throw Error("the snapshot belongs to another scene");
  gravity_ = getVector(in);
  wrenches_.clear();
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    const int body = checkedBody(in.get<int>());
    const Vector3d force = getVector(in), torque = getVector(in);
    wrenches_.push_back({body, force, torque, getVector(in)});
  }
  pairs_.restore(in, data_.description.filter);
  // Contacts that Bullet found live in its caches; a world without history continues the same way each time.
  if (data_.description.contactSource == ContactSource::engine) engine_ = std::make_unique<Engine>(data_, pairs_);
  engine_->restore(in);
}

Value BulletScene::effectiveSettings() const {
  const BulletSettings& settings = data_.settings;
  Value out = Value::map();
  out.set("engine", "Bullet " + std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100) +
                        ", double precision");
  out.set("articulation", settings.maximal ? "maximal" : "reduced");
  const bool external = data_.description.contactSource == ContactSource::external;
  out.set("solver", "projected Gauss-Seidel by islands, friction cone");
  out.set("contacts", external ? "external" : "engine");
  out.set("restore", external ? "bitwise" : "approximate");
  out.set("iterations", settings.iterations);
  out.set("erp", settings.erp);
  out.set("contact_erp", settings.contactErp);
  out.set("cfm", *settings.cfm);
  out.set("tolerance", settings.tolerance);
  out.set("warm_start", settings.warmStart);
  out.set("bounce_speed", settings.bounceSpeed);
  out.set("max_correction_speed", settings.maxCorrectionSpeed);
  out.set("sleeping", false);
  out.set("damping", 0.0);
  const RowSolver::Statistics& counts = engine_->statistics();
  out.set("steps", static_cast<std::int64_t>(counts.steps));
  out.set("sweeps", static_cast<std::int64_t>(counts.sweeps));
  out.set("unsettled_islands", static_cast<std::int64_t>(counts.unsettled));
  out.set("relinearized_drives", static_cast<std::int64_t>(counts.relinearized));
  if (external) return out;
  out.set("contacts_per_pair", MANIFOLD_CACHE_SIZE);
  out.set("margin", settings.margin);
  const auto name = [](MovingMeshes choice) { return choice == MovingMeshes::hull ? "hull" : "gimpact"; };
  out.set("moving_meshes", name(settings.objectMeshes));
  out.set("robot_meshes", name(settings.robotMeshes));
  Value shapes = Value::map();
  for (const auto& [kind, count] : data_.shapes.counts()) shapes.set(kind, count);
  out.set("shapes", std::move(shapes));
  return out;
}

}  // namespace mortise::bullet
