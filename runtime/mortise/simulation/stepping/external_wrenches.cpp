#include "mortise/simulation/stepping/external_wrenches.h"

#include <Eigen/Geometry>

#include "mortise/base/error.h"
#include "mortise/simulation/context/snapshot_bytes.h"

namespace mortise {

void ExternalWrenches::apply(Scene& scene, std::span<const BodyState> bodies) {
  clearApplied();
  for (const Wrench& wrench : wrenches_) {
    const Vector3d point = bodies[wrench.body].X_WB * wrench.p_BP;
    scene.applyWrench(wrench.body, wrench.force, wrench.torque, point);
    applied_.push_back({wrench.id, wrench.force, wrench.torque, point});
    appliedBodies_.push_back(wrench.body);
  }
}

void ExternalWrenches::save(ByteWriter& out) const {
  out.put(static_cast<std::uint64_t>(wrenches_.size()));
  for (const Wrench& wrench : wrenches_) {
    out.put(wrench.body);
    out.put(wrench.id);
    for (const Vector3d* v : {&wrench.force, &wrench.torque, &wrench.p_BP}) out.append(v->data(), 3 * sizeof(double));
    out.put(wrench.lasts == Lasts::step);
  }
}

void ExternalWrenches::restore(ByteReader& in, std::size_t numBodies, int numIds) {
  wrenches_.clear();
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    Wrench wrench = {};
    in.get(wrench.body);
    if (wrench.body < 0 || wrench.body >= static_cast<int>(numBodies))
      throw Error("the snapshot names a body that does not exist");
    in.get(wrench.id);
    if (wrench.id < 0 || wrench.id >= numIds) throw Error("the snapshot names an id that does not exist");
    for (Vector3d* v : {&wrench.force, &wrench.torque, &wrench.p_BP})
      for (int i = 0; i < 3; ++i) in.get((*v)[i]);
    wrench.lasts = getFlag(in) ? Lasts::step : Lasts::call;
    wrenches_.push_back(wrench);
  }
}

void ExternalWrenches::requireSound() const {
  for (const Wrench& wrench : wrenches_)
    requireUndamaged(wrench.force.allFinite() && wrench.torque.allFinite() && wrench.p_BP.allFinite(),
                     "a force is not finite");
}

}  // namespace mortise
