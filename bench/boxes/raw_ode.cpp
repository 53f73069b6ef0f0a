#include <algorithm>
#include <cmath>
#include <ode/ode.h>
#include <vector>

#include "boxes/scene.h"

namespace mortise::bench {

namespace {

/// The program of somebody who knows ODE: a sweep-and-prune space, a near callback that makes contact joints, the quick
/// step. Contact settings are those that our backend uses for rigid surfaces without restitution.
class RawOde final : public Contestant {
 public:
  explicit RawOde(const BoxesScene& scene) : scene_(scene) {
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    world_ = dWorldCreate();
    space_ = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ);
    group_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0, 0, -scene.gravity);
    dWorldSetERP(world_, kErp);
    dWorldSetCFM(world_, kCfm);
    dWorldSetAutoDisableFlag(world_, 0);
    dWorldSetQuickStepNumIterations(world_, scene.iterations);
    dCreatePlane(space_, 0, 0, 1, 0);
    for (const RigidTransform& X : scene.poses) {
      dBodyID body = dBodyCreate(world_);
      dMass mass;
      dMassSetBoxTotal(&mass, scene.mass, scene.size.x(), scene.size.y(), scene.size.z());
      dBodySetMass(body, &mass);
      dBodySetFiniteRotationMode(body, 1);
      dBodySetPosition(body, X.p.x(), X.p.y(), X.p.z());
      dMatrix3 R;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 4; ++j) R[4 * i + j] = j < 3 ? X.R(i, j) : 0;
      dBodySetRotation(body, R);
      dGeomID geom = dCreateBox(space_, scene.size.x(), scene.size.y(), scene.size.z());
      dGeomSetBody(geom, body);
      bodies_.push_back(body);
    }
  }
  ~RawOde() override {
    dJointGroupDestroy(group_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }

  void step() override {
    contacts_ = 0;
    dSpaceCollide(space_, this, [](void* self, dGeomID a, dGeomID b) { static_cast<RawOde*>(self)->collide(a, b); });
    dRandSetSeed(++steps_);
    dWorldQuickStep(world_, scene_.step);
    dJointGroupEmpty(group_);
  }
  double meanHeight() const override {
    double sum = 0;
    for (dBodyID body : bodies_) sum += dBodyGetPosition(body)[2];
    return sum / static_cast<double>(bodies_.size());
  }
  int contacts() const override { return contacts_; }

 private:
  static constexpr double kErp = 0.95, kCfm = 1e-6, kSlip = 1e-7, kPushOutSpeed = 0.1;

  void collide(dGeomID a, dGeomID b) {
    dContact contacts[64];
    const int count = dCollide(a, b, std::min(scene_.maxContacts, 64), &contacts[0].geom, sizeof(dContact));
    const double h = scene_.step, layer = std::clamp(4 * scene_.gravity * h * h, 1e-4, 1e-3);
    const dBodyID bodyA = dGeomGetBody(a), bodyB = dGeomGetBody(b);
    for (int i = 0; i < count; ++i) {
      dContact& contact = contacts[i];
      dSurfaceParameters& surface = contact.surface;
      surface.mode =
          dContactSoftERP | dContactSoftCFM | dContactApprox1 | dContactFDir1 | dContactSlip1 | dContactSlip2;
      surface.mu = scene_.friction;
      surface.slip1 = surface.slip2 = kSlip;
      const double* n = contact.geom.normal;
      double slip[3] = {0, 0, 0}, other[3] = {0, 0, 0};
      const double* p = contact.geom.pos;
      if (bodyA != nullptr) {
        dBodyGetPointVel(bodyA, p[0], p[1], p[2], slip);
        slip[2] -= h * scene_.gravity;
      }
      if (bodyB != nullptr) {
        dBodyGetPointVel(bodyB, p[0], p[1], p[2], other);
        other[2] -= h * scene_.gravity;
      }
      double along = 0;
      for (int k = 0; k < 3; ++k) {
        slip[k] -= other[k];
        along += n[k] * slip[k];
      }
      double length = 0;
      for (int k = 0; k < 3; ++k) {
        slip[k] -= along * n[k];
        length += slip[k] * slip[k];
      }
      length = std::sqrt(length);
      if (length < 1e-9) {
        dVector3 u, v;
        dPlaneSpace(n, u, v);
        for (int k = 0; k < 3; ++k) contact.fdir1[k] = u[k];
      } else {
        for (int k = 0; k < 3; ++k) contact.fdir1[k] = slip[k] / length;
      }
      const double excess = std::max(0.0, contact.geom.depth - layer);
      surface.soft_erp = excess > 0 ? std::min(kErp, kPushOutSpeed * h / excess) : kErp;
      surface.soft_cfm = kCfm;
      contact.geom.depth = excess;
      dJointAttach(dJointCreateContact(world_, group_, &contact), bodyA, bodyB);
    }
    contacts_ += count;
  }

  BoxesScene scene_;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID group_;
  std::vector<dBodyID> bodies_;
  unsigned long steps_ = 0;
  int contacts_ = 0;
};

}  // namespace

std::unique_ptr<Contestant> makeRawOde(const BoxesScene& scene) { return std::make_unique<RawOde>(scene); }

}  // namespace mortise::bench
