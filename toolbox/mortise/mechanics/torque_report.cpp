#include "mortise/mechanics/torque_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mortise/base/value_text.h"
#include "mortise/text/text_table.h"

namespace mortise {

namespace {

/// NaN and infinity become null.
Value finiteList(const VectorXd& v) {
  Value list = Value::list();
  for (const double x : v) list.push_back(std::isfinite(x) ? Value(x) : Value());
  return list;
}

Value vectorValue(const Vector3d& v) { return std::vector<double>{v.x(), v.y(), v.z()}; }

std::string shown(const Value& number) { return number.isNull() ? "" : formatReal(number.asReal(), 4); }

const char* torqueUnit(const Robot& robot, int link) {
  return robot.link(link).motion == LinkMotion::revolute ? "N*m" : "N";
}

}  // namespace

Value torqueValue(const Robot& robot, const ContactTorques& torques, const VectorXd& limits) {
  Value result = Value::map();
  const bool any = torques.balanced, limited = any && torques.largestLink >= 0;
  result.set("balanced", any);
  result.set("within_limits", any && torques.withinLimits);
  result.set("largest_utilization", limited ? Value(torques.largestUtilization) : Value());
  result.set("largest_link", limited ? Value(robot.link(torques.largestLink).name) : Value());
  result.set("torques", any ? finiteList(torques.torques) : Value());
  result.set("limits", finiteList(limits));
  result.set("utilization", any ? finiteList(torques.utilization) : Value());
  Value forces = Value::list();
  for (const Vector3d& force : torques.forces_W) forces.push_back(vectorValue(force));
  result.set("forces", any ? std::move(forces) : Value());
  return result;
}

std::string torqueText(const Robot& robot, const ContactTorques& torques, const VectorXd& limits,
                       std::size_t contacts) {
  const std::string on = contacts == 0 ? " without contacts"
                                       : " on " + std::to_string(contacts) + (contacts == 1 ? " contact" : " contacts");
  if (!torques.balanced) return "no forces" + on + " give the base, which has no motor, what it needs\n";
  std::string text = std::string(torques.withinLimits ? "within" : "beyond") + " the limits of torque" + on;
  if (torques.largestLink >= 0)
    text += ": at most " + formatReal(100 * torques.largestUtilization, 4) + " % of a limit, at link '" +
            robot.link(torques.largestLink).name + "'";
  text += "\n";
  std::vector<int> order(static_cast<std::size_t>(robot.numLinks()));
  std::iota(order.begin(), order.end(), 0);
  const auto utilizationOf = [&](int link) {
    return std::isnan(torques.utilization[link]) ? -1.0 : torques.utilization[link];
  };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return utilizationOf(a) > utilizationOf(b); });
  const double largest = torques.torques.size() > 0 ? torques.torques.cwiseAbs().maxCoeff() : 0;
  TextTable table({"link", "torque", "limit", "of limit"});
  for (const int link : order) {
    // Rounding of a joint that bears nothing is not worth a row.
    if (std::abs(torques.torques[link]) <= 1e-9 * largest && utilizationOf(link) <= 1e-9) continue;
    table.row({robot.link(link).name, formatReal(torques.torques[link], 4) + " " + torqueUnit(robot, link),
               std::isfinite(limits[link]) ? formatReal(limits[link], 4) : "none",
               utilizationOf(link) < 0 ? "" : formatReal(100 * utilizationOf(link), 3) + " %"});
  }
  return text + table.text();
}

Value dynamicsValue(RobotDynamics& dynamics, const VectorXd& q, const VectorXd& dq, const VectorXd& ddq,
                    const Vector3d& gravity_W) {
  const int n = dynamics.robot().numLinks();
  VectorXd C(n), G(n), torques(n);
  Eigen::MatrixXd B(n, n);
  dynamics.setState(q, dq);
  dynamics.massMatrix(B);
  dynamics.coriolisForces(C);
  dynamics.gravityForces(gravity_W, G);
  dynamics.inverseDynamics(ddq, gravity_W, torques);
  Value rows = Value::list();
  for (int row = 0; row < n; ++row) rows.push_back(finiteList(B.row(row).transpose()));
  Value result = Value::map();
  result.set("q", finiteList(q));
  result.set("dq", finiteList(dq));
  result.set("ddq", finiteList(ddq));
  result.set("B", std::move(rows));
  result.set("C", finiteList(C));
  result.set("G", finiteList(G));
  result.set("torques", finiteList(torques));
  result.set("kinetic_energy", dynamics.kineticEnergy());
  result.set("potential_energy", dynamics.potentialEnergy(gravity_W));
  result.set("com", vectorValue(dynamics.centerOfMass()));
  result.set("com_velocity", vectorValue(dynamics.centerOfMassVelocity()));
  return result;
}

std::string dynamicsText(const Robot& robot, const Value& dynamics) {
  TextTable table({"link", "q", "dq", "ddq", "inertia", "C", "G", "torque", "limit"});
  for (int link = 0; link < robot.numLinks(); ++link) {
    const std::size_t i = static_cast<std::size_t>(link);
    const double limit = robot.link(link).torqueMax;
    table.row({robot.link(link).name, shown(dynamics.at("q")[i]), shown(dynamics.at("dq")[i]),
               shown(dynamics.at("ddq")[i]), shown(dynamics.at("B")[i][i]), shown(dynamics.at("C")[i]),
               shown(dynamics.at("G")[i]), shown(dynamics.at("torques")[i]),
               std::isfinite(limit) ? formatReal(limit, 4) : "none"});
  }
  std::string text = table.text() + "kinetic energy   " + shown(dynamics.at("kinetic_energy")) +
                     " J\npotential energy " + shown(dynamics.at("potential_energy")) + " J\ncenter of mass   ";
  for (const Value& x : dynamics.at("com").items()) text += shown(x) + " ";
  return text + "m\n";
}

}  // namespace mortise
