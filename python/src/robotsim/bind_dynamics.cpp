#include "common/define.h"
#include "robotsim/bind.h"

namespace mortise::robotsim {

namespace {

using Eigen::MatrixXd;

MatrixXd selected(const MatrixXd& matrix, const std::vector<int>& columns) {
  MatrixXd result(matrix.rows(), static_cast<Eigen::Index>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i] < 0 || columns[i] >= matrix.cols())
      throw py::index_error("the robot has no link " + std::to_string(columns[i]));
    result.col(static_cast<Eigen::Index>(i)) = matrix.col(columns[i]);
  }
  return result;
}

MatrixXd jacobian(RobotModel& r, int link, const Vector3d& p) {
  Matrix6X J(6, r.numLinks());
  r.dynamics().jacobian(r.requireLink(link), p, J);
  return J;
}

MatrixXd comJacobian(RobotModel& r) {
  Matrix3X J(3, r.numLinks());
  r.dynamics().centerOfMassJacobian(J);
  return J;
}

MatrixXd massMatrix(RobotDynamics& dynamics) {
  const int n = dynamics.robot().numLinks();
  MatrixXd B(n, n);
  dynamics.massMatrix(B);
  return B;
}

/// dB/dq_i by central differences of the fourth order, whose error is near rounding.
MatrixXd massMatrixDerivative(RobotModel& r, RobotDynamics& scratch, int i) {
  constexpr double kStep = 1e-3;
  const auto at = [&](double offset) {
    VectorXd q = r.q();
    q[i] += offset;
    scratch.setPosition(q);
    return massMatrix(scratch);
  };
  return (8 * (at(kStep) - at(-kStep)) - (at(2 * kStep) - at(-2 * kStep))) / (12 * kStep);
}

std::vector<MatrixXd> massMatrixDerivatives(RobotModel& r) {
  RobotDynamics scratch(r.robot());
  std::vector<MatrixXd> all;
  for (int i = 0; i < r.numLinks(); ++i) all.push_back(massMatrixDerivative(r, scratch, i));
  return all;
}

/// Christoffel's symbols times the velocity (Spong): C dq are the Coriolis forces and dB/dt - 2 C is skew.
MatrixXd coriolisMatrix(RobotModel& r) {
  const std::vector<MatrixXd> dB = massMatrixDerivatives(r);
  const int n = r.numLinks();
  MatrixXd C = MatrixXd::Zero(n, n);
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const auto& di = dB[static_cast<std::size_t>(i)];
        C(i, j) += 0.5 * r.dq()[k] *
                   (dB[static_cast<std::size_t>(k)](i, j) + dB[static_cast<std::size_t>(j)](i, k) - di(k, j));
      }
  return C;
}

MatrixXd inverseMassMatrix(RobotModel& r) {
  const int n = r.numLinks();
  MatrixXd inverse(n, n);
  VectorXd column(n);
  for (int i = 0; i < n; ++i) {
    r.dynamics().solveMassMatrix(VectorXd::Unit(n, i), column);
    inverse.col(i) = column;
  }
  return inverse;
}

/// d^2 of a link's point (rows 3 to 5 of the Jacobian), or d of its angular velocity, with the joints: [axis](i, j).
py::array_t<double> hessian(RobotModel& r, int link, const Vector3d& p, bool orientation) {
  const int n = r.numLinks();
  py::array_t<double> result({3, n, n});
  auto H = result.mutable_unchecked<3>();
  RobotDynamics scratch(r.robot());
  Matrix6X rate(6, n);
  for (int j = 0; j < n; ++j) {
    scratch.setState(r.q(), VectorXd::Unit(n, j));
    scratch.jacobianRate(r.requireLink(link), p, rate);
    for (int axis = 0; axis < 3; ++axis)
      for (int i = 0; i < n; ++i) H(axis, i, j) = rate(axis + (orientation ? 0 : 3), i);
  }
  return result;
}

struct Momenta {
  Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();
  Matrix3d inertia = Matrix3d::Zero();
};

/// Angular momentum and inertia about the center of mass.
Momenta momenta(RobotModel& r) {
  RobotDynamics& dynamics = r.dynamics();
  const Vector3d com = dynamics.centerOfMass();
  Momenta result;
  for (int i = 0; i < r.numLinks(); ++i) {
    const BodyInertia& body = r.description().links[static_cast<std::size_t>(i)].inertia;
    const RigidTransform X = dynamics.X_WL(i);
    const Matrix3d inertia = X.R * body.inertia * X.R.transpose();
    const Vector3d momentum = body.mass * dynamics.pointVelocity(i, body.com), arm = X * body.com - com;
    result.linear += momentum;
    result.angular += arm.cross(momentum) + inertia * dynamics.angularVelocity(i);
    result.inertia += inertia + body.mass * (arm.squaredNorm() * Matrix3d::Identity() - arm * arm.transpose());
  }
  return result;
}

VectorXd accelerations(const Reals& ddq, const RobotModel& r) {
  if (ddq.v.size() == 0) return VectorXd::Zero(r.numLinks());
  requireSize(ddq.v, r.numLinks(), "the list of accelerations");
  return ddq.v;
}

}  // namespace

namespace {

void bindMomenta(Class<RobotModel, RobotModelPtr>& c) {
  c.def("com", [](RobotModel& r) { return listOf(r.dynamics().centerOfMass()); })
      .def("comVelocity", [](RobotModel& r) { return listOf(r.dynamics().centerOfMassVelocity()); })
      .def("comJacobian", [](RobotModel& r) { return arrayOf(comJacobian(r)); })
      .def("comJacobianColumns",
           [](RobotModel& r, const std::vector<int>& links) { return arrayOf(selected(comJacobian(r), links)); })
      .def("linearMomentum", [](RobotModel& r) { return listOf(momenta(r).linear); })
      .def("angularMomentum", [](RobotModel& r) { return listOf(momenta(r).angular); })
      .def("totalInertia", [](RobotModel& r) { return arrayOf(momenta(r).inertia); })
      .def("kineticEnergy", [](RobotModel& r) { return r.dynamics().kineticEnergy(); });
}

void bindMotionEquation(Class<RobotModel, RobotModelPtr>& c) {
  c.def("massMatrix", [](RobotModel& r) { return arrayOf(massMatrix(r.dynamics())); })
      .def("massMatrixInverse", [](RobotModel& r) { return arrayOf(inverseMassMatrix(r)); })
      .def("massMatrixDerivative",
           [](RobotModel& r, int i) {
             r.requireLink(i);
             RobotDynamics scratch(r.robot());
             return arrayOf(massMatrixDerivative(r, scratch, i));
           })
      .def("massMatrixRate",
           [](RobotModel& r) {
             MatrixXd rate = MatrixXd::Zero(r.numLinks(), r.numLinks());
             const std::vector<MatrixXd> dB = massMatrixDerivatives(r);
             for (int i = 0; i < r.numLinks(); ++i) rate += r.dq()[i] * dB[static_cast<std::size_t>(i)];
             return arrayOf(rate);
           })
      .def("coriolisMatrix", [](RobotModel& r) { return arrayOf(coriolisMatrix(r)); })
      .def("coriolisForces",
           [](RobotModel& r) {
             VectorXd C(r.numLinks());
             r.dynamics().coriolisForces(C);
             return listOf(C);
           })
      .def("gravityForces",
           [](RobotModel& r, const Vec3& g) {
             VectorXd G(r.numLinks());
             r.dynamics().gravityForces(g.v, G);
             return listOf(G);
           })
      .def("torquesFromAccel",
           [](RobotModel& r, const Reals& ddq) {
             VectorXd tau(r.numLinks());
             r.dynamics().inverseDynamics(accelerations(ddq, r), Vector3d::Zero(), tau);
             return listOf(tau);
           })
      .def("accelFromTorques", [](RobotModel& r, const Reals& tau) {
        requireSize(tau.v, r.numLinks(), "the list of torques");
        VectorXd ddq(r.numLinks());
        r.dynamics().forwardDynamics(tau.v, Vector3d::Zero(), ddq);
        return listOf(ddq);
      });
}

}  // namespace

void bindRobotDynamics(Class<RobotModel, RobotModelPtr>& c) {
  c.def("jacobian", [](RobotModel& r, int i, const Vec3& p) { return arrayOf(jacobian(r, i, p.v)); })
      .def("positionJacobian",
           [](RobotModel& r, int i, const Vec3& p) { return arrayOf(jacobian(r, i, p.v).bottomRows(3)); })
      .def("orientationJacobian",
           [](RobotModel& r, int i) { return arrayOf(jacobian(r, i, Vector3d::Zero()).topRows(3)); })
      .def("jacobianColumns",
           [](RobotModel& r, int i, const Vec3& p, const std::vector<int>& links) {
             return arrayOf(selected(jacobian(r, i, p.v), links));
           })
      .def("pointVelocity", [](RobotModel& r, int i,
                               const Vec3& p) { return listOf(r.dynamics().pointVelocity(r.requireLink(i), p.v)); })
      .def("angularVelocity",
           [](RobotModel& r, int i) { return listOf(r.dynamics().angularVelocity(r.requireLink(i))); })
      .def("pointAcceleration",
           [](RobotModel& r, int i, const Vec3& p, const Reals& ddq) {
             return listOf(
                 Vector3d(r.dynamics().pointAcceleration(r.requireLink(i), p.v, accelerations(ddq, r)).tail<3>()));
           })
      .def("angularAcceleration",
           [](RobotModel& r, int i, const Reals& ddq) {
             return listOf(Vector3d(
                 r.dynamics().pointAcceleration(r.requireLink(i), Vector3d::Zero(), accelerations(ddq, r)).head<3>()));
           })
      .def("positionHessian", [](RobotModel& r, int i, const Vec3& p) { return hessian(r, i, p.v, false); })
      .def("orientationHessian", [](RobotModel& r, int i) { return hessian(r, i, Vector3d::Zero(), true); });
  bindMomenta(c);
  bindMotionEquation(c);
}

}  // namespace mortise::robotsim
