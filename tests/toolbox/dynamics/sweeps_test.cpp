// The inner loops: the same bits from every copy of them, and angles of any size.

#include "mortise/dynamics/sweeps.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

#include "mortise/base/expect.h"
#include "mortise/base/random.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

double ulp(double x) { return std::nextafter(std::abs(x), kInfinity) - std::abs(x); }

TEST(DynamicsSweeps, SinesAndCosinesAreThoseOfTheLibrary) {
  RobotDescription description = test::armDescription(1);
  description.links[0].axis = Vector3d::UnitZ();
  RobotDynamics dynamics(Robot::compile(description));
  RandomStream random(3, "angles");
  const auto check = [&](double angle) {
    dynamics.setPosition(VectorXd::Constant(1, angle));
    const Matrix3d R = dynamics.X_WL(0).R;
    const double sine = std::sin(angle), cosine = std::cos(angle);
    EXPECT_NEAR(R(1, 0), sine, ulp(sine)) << angle;
    EXPECT_NEAR(R(0, 0), cosine, ulp(cosine)) << angle;
  };
  for (const double size : {1e-8, 0.1, 1.0, 4.0, 100.0, 1e5, 9.99e5, 1e7, 1e15})
    for (int i = 0; i < 2000; ++i) check(random.uniform(-size, size));
  for (int i = -2000; i <= 2000; ++i) check(i * 0.5 * M_PI);
  for (const double angle : {0.0, -0.0, 1e-300, 5e-324, 1e6, -1e6, 1e300}) check(angle);
  setPreconditionChecks(false);  // They would refuse it.
  dynamics.setPosition(VectorXd::Constant(1, std::nan("")));
  setPreconditionChecks(true);
  EXPECT_TRUE(std::isnan(dynamics.X_WL(0).R(0, 0)));
}

#if defined(__x86_64__)

using Data = RobotDynamics::Data;

TEST(DynamicsSweeps, GiveTheSameBitsWithAndWithoutAvx2) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this processor has no AVX2";
  RobotDescription description = test::armDescription(11);
  description.links[1].motion = LinkMotion::prismatic;
  description.links[2].axis = Vector3d(0.3, -0.5, 0.8);
  description.links[5].parent = 1;
  description.links[8].parent = 3;
  const RobotPtr robot = Robot::compile(description);
  const int n = robot->numLinks();
  Data a(robot), b(robot);
  RandomStream random(5, "sweeps");
  for (int trial = 0; trial < 50; ++trial) {
    for (auto Data::*field : {&Data::q, &Data::dq, &Data::in}) {
      for (int i = 0; i < n; ++i) (a.*field).data()->v[i] = random.uniform(-3, 3);
      b.*field = a.*field;
    }
    Eigen::MatrixXd B[2];
    VectorXd forces[2], solutions[2];
    for (int copy = 0; copy < 2; ++copy) {
      Data& d = copy == 0 ? a : b;
      const detail::Sweeps& sweeps = copy == 0 ? detail::kPortableSweeps : detail::kAvx2Sweeps;
      sweeps.place(d);
      sweeps.motions(d);
      sweeps.inertias(d);
      sweeps.velocities(d);
      sweeps.linkForces(d, true, true, {0.1, 0.2, 9.8});
      sweeps.jointForces(d);
      forces[copy] = Eigen::Map<const VectorXd>(d.out.data()->v, n);
      B[copy].resize(n, n);
      sweeps.massMatrix(d, B[copy].data(), n);
      EXPECT_TRUE(sweeps.factor(d));
      sweeps.spread(d);
      solutions[copy] = Eigen::Map<const VectorXd>(d.out.data()->v, n);
      sweeps.reduce(d);
      sweeps.spread(d);
      EXPECT_EQ(solutions[copy], VectorXd(Eigen::Map<const VectorXd>(d.out.data()->v, n)));
    }
    for (int i = 0; i <= n; ++i) EXPECT_EQ(std::memcmp(&a.frames[i], &b.frames[i], sizeof a.frames[i]), 0) << i;
    EXPECT_EQ(std::memcmp(forces[0].data(), forces[1].data(), n * sizeof(double)), 0);
    EXPECT_EQ(std::memcmp(B[0].data(), B[1].data(), n * n * sizeof(double)), 0);
    EXPECT_EQ(std::memcmp(solutions[0].data(), solutions[1].data(), n * sizeof(double)), 0);
  }
}

#endif

}  // namespace
}  // namespace mortise
