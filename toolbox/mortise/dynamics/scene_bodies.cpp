#include "mortise/dynamics/scene_bodies.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise {

MassFrame massFrame(const BodyInertia& inertia, const std::string& body) {
  MassFrame frame;
  frame.mass = inertia.mass;
  frame.X_BC.p = inertia.com;
  const Matrix3d I = 0.5 * (inertia.inertia + inertia.inertia.transpose());
  const double scale = I.cwiseAbs().maxCoeff();
  const double offDiagonal = std::max({std::abs(I(0, 1)), std::abs(I(0, 2)), std::abs(I(1, 2))});
  if (offDiagonal <= 1e-12 * scale) {
    frame.moments = I.diagonal();
  } else {
    const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(I);
    frame.moments = solver.eigenvalues();
    frame.X_BC.R = solver.eigenvectors();
    if (frame.X_BC.R.determinant() < 0) frame.X_BC.R.col(2) *= -1;
  }
  const bool finite = std::isfinite(frame.mass) && frame.moments.allFinite() && frame.X_BC.p.allFinite();
  if (!finite || !(frame.mass > 0) || !(frame.moments.minCoeff() > 0))
    throw Error("body '" + body + "' has no usable mass or inertia", {},
                "give it a positive mass and a positive definite inertia");
  return frame;
}

std::vector<MassFrame> massFrames(const SceneDescription& description) {
  std::vector<MassFrame> frames;
  for (const SceneBody& body : description.bodies) {
    MassFrame& frame = frames.emplace_back();
    if (body.motion == BodyMotion::fixed) continue;
    try {
      frame = massFrame(body.inertia, body.name);
    } catch (const Error&) {
      if (body.motion == BodyMotion::dynamic) throw;
    }
  }
  return frames;
}

const SceneDescription& withCheckedIndices(const SceneDescription& description) {
  const int numIds = static_cast<int>(description.surfaces.size());
  for (const SceneBody& body : description.bodies)
    for (const SceneShape& shape : body.shapes)
      if (shape.id < 0 || shape.id >= numIds)
        throw Error("body '" + body.name + "' has a shape with world id " + std::to_string(shape.id) +
                    ", but there are " + std::to_string(numIds) + " surfaces");
  const int numBodies = static_cast<int>(description.bodies.size());
  for (const SceneConstraint& constraint : description.constraints)
    if (constraint.a >= numBodies || constraint.b >= numBodies)
      throw Error("a constraint holds a body that is not there");
  for (const SceneJoint& joint : description.joints)
    if (joint.parent >= numBodies) throw Error("joint '" + joint.name + "' hangs on a body that is not there");
  return description;
}

}  // namespace mortise
