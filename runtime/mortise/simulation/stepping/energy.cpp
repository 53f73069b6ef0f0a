#include "mortise/simulation/stepping/energy.h"

#include <Eigen/Geometry>

namespace mortise {

double kineticEnergy(const BodyInertia& inertia, const BodyState& state) {
  const Matrix3d& R = state.X_WB.R;
  const Vector3d v_com = state.v_WB + state.w_WB.cross(R * inertia.com);
  const Vector3d w_B = R.transpose() * state.w_WB;
  return 0.5 * (inertia.mass * v_com.squaredNorm() + w_B.dot(inertia.inertia * w_B));
}

Energy energyOf(const SceneDescription& scene, std::span<const BodyState> bodies, const Vector3d& gravity) {
  Energy energy;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const SceneBody& body = scene.bodies[i];
    if (body.motion != BodyMotion::dynamic) continue;
    energy.kinetic += kineticEnergy(body.inertia, bodies[i]);
    energy.potential -= body.inertia.mass * gravity.dot(bodies[i].X_WB * body.inertia.com);
  }
  return energy;
}

}  // namespace mortise
