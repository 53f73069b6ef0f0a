#include "mortise/closed_forms/closed_forms.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "mortise/math/rotation.h"

namespace mortise::truth {

double slopeAcceleration(double angle, double friction, double gravity) {
  return std::max(0.0, gravity * (std::sin(angle) - friction * std::cos(angle)));
}

double slidingDistance(double speed, double friction, double gravity) {
  return speed * speed / (2 * friction * gravity);
}

double bounceHeight(double restitution, double fall) { return restitution * restitution * fall; }

ImpactSpeeds centralImpact(double massA, double speedA, double massB, double speedB, double restitution) {
  const double mean = (massA * speedA + massB * speedB) / (massA + massB);
  const double parting = restitution * (speedA - speedB) / (massA + massB);
  return {mean - massB * parting, mean + massA * parting};
}

double rollingAcceleration(double angle, double gravity) { return 5.0 / 7.0 * gravity * std::sin(angle); }

double rollingSpeed(double speed) { return 5.0 / 7.0 * speed; }

double pendulumPeriod(double inertia, double weightMoment, double amplitude) {
  double a = 1, b = std::cos(amplitude / 2);
  for (int i = 0; i < 20; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return 2 * std::numbers::pi * std::sqrt(inertia / weightMoment) / a;
}

double measuredPeriod(int swings, double dt, double limit, const std::function<void()>& step,
                      const std::function<double()>& angle) {
  double first = 0, before = angle();
  int crossings = 0;
  for (int i = 1; i * dt < limit; ++i) {
    step();
    const double now = angle();
    if (before < 0 && now >= 0) {
      const double t = (i - now / (now - before)) * dt;
      if (crossings == 0) first = t;
      if (crossings++ == swings) return (t - first) / swings;
    }
    before = now;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double drivenPosition(double time, double inertia, double stiffness, double damping, double target) {
  const double decay = damping / (2 * inertia);
  const double omega = std::sqrt(stiffness / inertia - decay * decay);
  return target * (1 - std::exp(-decay * time) * (std::cos(omega * time) + decay / omega * std::sin(omega * time)));
}

ArmState drivenArm(const DrivenArm& arm, ArmState state, double time) {
  constexpr double kStep = 1e-5;
  using Rates = Eigen::Vector4d;  // q, then dq.
  const double m1 = arm.mass[0], m2 = arm.mass[1], l1 = arm.length[0], l2 = arm.length[1], g = arm.gravity;
  const double end = m2 * l2 * l2 / 3, middle = 0.5 * m2 * l1 * l2;
  const auto rates = [&](const Rates& x) -> Rates {
    double effort[2];
    for (int i = 0; i < 2; ++i)
      effort[i] = std::clamp(arm.stiffness[i] * (arm.target[i] - x[i]) - arm.damping[i] * x[2 + i], -arm.limit[i],
                             arm.limit[i]);
    const double c = std::cos(x[1]), s = std::sin(x[1]), w1 = x[2], w2 = x[3];
    Eigen::Matrix2d M;
    M(0, 0) = m1 * l1 * l1 / 3 + m2 * l1 * l1 + end + 2 * middle * c;
    M(0, 1) = M(1, 0) = end + middle * c;
    M(1, 1) = end;
    const double second = 0.5 * m2 * g * l2 * std::sin(x[0] + x[1]);
    const Eigen::Vector2d force(
        effort[0] + middle * s * (2 * w1 * w2 + w2 * w2) - (0.5 * m1 + m2) * g * l1 * std::sin(x[0]) - second,
        effort[1] - middle * s * w1 * w1 - second);
    const Eigen::Vector2d acceleration = M.inverse() * force;
    return {w1, w2, acceleration[0], acceleration[1]};
  };
  Rates x(state.q[0], state.q[1], state.dq[0], state.dq[1]);
  const int steps = std::max(1, static_cast<int>(std::ceil(time / kStep - 1e-9)));
  const double h = time / steps;
  for (int i = 0; i < steps; ++i) {
    const Rates a = rates(x), b = rates(x + 0.5 * h * a), c = rates(x + 0.5 * h * b), d = rates(x + h * c);
    x += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return {{x[0], x[1]}, {x[2], x[3]}};
}

SoftImpact softImpact(double mass, double speed, double stiffness, double damping, double gravity) {
  constexpr double kStep = 1e-6;
  SoftImpact impact;
  double x = 0, v = speed;
  for (int i = 0; i < 10000000 && (v > 0 || i == 0); ++i) {
    const double force = std::max(0.0, stiffness * x + damping * v);
    v += kStep * (gravity - force / mass);
    x += kStep * v;
    impact.depth = std::max(impact.depth, x);
    impact.force = std::max(impact.force, force);
  }
  return impact;
}

FreeRotation freeRotation(const Matrix3d& inertia, const FreeRotation& start, double time) {
  constexpr double kStep = 1e-4;
  const Matrix3d inverse = inertia.inverse();
  // Body axes; q turns them into the world's.
  struct Rates {
    Vector3d w;
    Eigen::Vector4d q;
  };
  const auto rates = [&](const Vector3d& w, const Eigen::Vector4d& q) {
    const Eigen::Quaterniond turn(q[0], q[1], q[2], q[3]), spin(0, w.x(), w.y(), w.z());
    const Eigen::Quaterniond dq = turn * spin;
    return Rates{inverse * (inertia * w).cross(w), 0.5 * Eigen::Vector4d(dq.w(), dq.x(), dq.y(), dq.z())};
  };
  const Eigen::Quaterniond q0(start.R_WB);
  Eigen::Vector4d q(q0.w(), q0.x(), q0.y(), q0.z());
  Vector3d w = start.R_WB.transpose() * start.w_WB;
  const int steps = std::max(1, static_cast<int>(std::ceil(time / kStep - 1e-9)));
  const double h = time / steps;
  for (int i = 0; i < steps; ++i) {
    const Rates a = rates(w, q), b = rates(w + 0.5 * h * a.w, q + 0.5 * h * a.q),
                c = rates(w + 0.5 * h * b.w, q + 0.5 * h * b.q), d = rates(w + h * c.w, q + h * c.q);
    w += h / 6 * (a.w + 2 * b.w + 2 * c.w + d.w);
    q += h / 6 * (a.q + 2 * b.q + 2 * c.q + d.q);
    q.normalize();
  }
  FreeRotation end;
  end.R_WB = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  end.w_WB = end.R_WB * w;
  return end;
}

void addMomentum(Momentum& sum, const BodyInertia& inertia, const BodyState& state) {
  if (inertia.mass == 0) return;
  const Matrix3d& R = state.X_WB.R;
  const Vector3d arm = R * inertia.com;
  const Vector3d p = inertia.mass * (state.v_WB + state.w_WB.cross(arm));
  sum.linear += p;
  sum.angular += (state.X_WB.p + arm).cross(p) + R * inertia.inertia * R.transpose() * state.w_WB;
}

Momentum momentumOf(std::span<const SceneBody> bodies, std::span<const BodyState> states) {
  Momentum sum;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].motion == BodyMotion::dynamic) addMomentum(sum, bodies[i].inertia, states[i]);
  return sum;
}

double energyOf(std::span<const SceneBody> bodies, std::span<const BodyState> states, double gravity) {
  double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].motion != BodyMotion::dynamic) continue;
    const BodyInertia& inertia = bodies[i].inertia;
    const Matrix3d& R = states[i].X_WB.R;
    const Vector3d arm = R * inertia.com;
    const Vector3d& w = states[i].w_WB;
    sum += 0.5 * inertia.mass * (states[i].v_WB + w.cross(arm)).squaredNorm() +
           0.5 * w.dot(R * inertia.inertia * R.transpose() * w) + inertia.mass * gravity * (states[i].X_WB.p + arm).z();
  }
  return sum;
}

}  // namespace mortise::truth
