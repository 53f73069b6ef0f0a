#include "mortise/rigid_body/mass_frame.h"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise::rigid {

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

}  // namespace mortise::rigid
