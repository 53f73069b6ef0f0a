// Snapshots of a scene.

#include "mortise/base/error.h"
#include "native_scene.h"

namespace mortise::native {

namespace {

constexpr std::uint32_t kSnapshotMark = 0x3254524d;  // "MRT2"

void put(ByteWriter& out, const Vector3d& v) { out.append(v.data(), 3 * sizeof(double)); }
void get(ByteReader& in, Vector3d& v) {
  for (int k = 0; k < 3; ++k) in.get(v[k]);
}

}  // namespace

void NativeScene::save(ByteWriter& out) const {
  out.put(kSnapshotMark);
  out.put(static_cast<std::uint64_t>(description_.bodies.size()));
  out.put(static_cast<std::uint64_t>(description_.joints.size()));
  out.put(static_cast<std::uint64_t>(description_.constraints.size()));
  put(out, gravity_);
  out.put(static_cast<std::uint64_t>(wrenches_.size()));
  for (const Wrench& wrench : wrenches_) {
    out.put(wrench.body);
    for (const Vector3d* v : {&wrench.force, &wrench.torque, &wrench.point}) put(out, *v);
  }
  out.append(motions_.data(), motions_.size() * sizeof(BodyMotion));
  for (const int i : freeIndices_) {
    const rigid::FreeBody& body = freeBodies_[i];
    out.append(body.X_WC.R.data(), 9 * sizeof(double));
    for (const Vector3d* v : {&body.X_WC.p, &body.v, &body.w}) put(out, *v);
  }
  for (const auto& tree : trees_) tree->save(out);
  joints_->save(out);
  contacts_.save(out);
}

void NativeScene::restore(ByteReader& in) {
  if (in.get<std::uint32_t>() != kSnapshotMark) throw Error("these bytes are no snapshot of the backend 'mortise'");
  if (in.get<std::uint64_t>() != description_.bodies.size() || in.get<std::uint64_t>() != description_.joints.size() ||
      in.get<std::uint64_t>() != description_.constraints.size())
    throw Error("the snapshot belongs to another scene");
  get(in, gravity_);
  wrenches_.clear();
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    Wrench wrench;
    wrench.body = checkedBody(in.get<int>());
    for (Vector3d* v : {&wrench.force, &wrench.torque, &wrench.point}) get(in, *v);
    wrenches_.push_back(wrench);
  }
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const auto motion = in.get<BodyMotion>();
    if (motion == motions_[i]) continue;
    if (held_[i] || motions_[i] == BodyMotion::fixed ||
        (motion != BodyMotion::dynamic && motion != BodyMotion::kinematic))
      throw Error("the snapshot moves body '" + description_.bodies[i].name + "' in a way that it cannot move");
    setMotion(static_cast<int>(i), motion);
  }
  for (const int i : freeIndices_) {
    rigid::FreeBody& body = freeBodies_[i];
    for (int k = 0; k < 9; ++k) in.get(body.X_WC.R.data()[k]);
    for (Vector3d* v : {&body.X_WC.p, &body.v, &body.w}) get(in, *v);
  }
  for (const auto& tree : trees_) tree->restore(in);
  joints_->restore(in);
  contacts_.restore(in);
}

}  // namespace mortise::native
