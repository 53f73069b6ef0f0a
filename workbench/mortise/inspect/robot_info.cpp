#include "mortise/inspect/robot_info.h"

#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/inspect/collisions.h"
#include "mortise/inspect/values.h"
#include "mortise/modeling/joint_names.h"
#include "mortise/text/normalize.h"

namespace mortise {

namespace {

using inspect::geometryInfo;
using inspect::list;

template <typename Items, typename Get>
Value each(const Items& items, Get&& get) {
  Value values = Value::list();
  for (const auto& item : items) values.push_back(get(item));
  return values;
}

Value jointInfo(const Joint& joint) {
  Value info = Value::map();
  info.set("type", lowerCase(jointTypeName(joint.type)));
  info.set("link", joint.link);
  const bool chain = joint.type == JointType::floating || joint.type == JointType::floatingPlanar ||
                     joint.type == JointType::ballAndSocket;
  if (chain) info.set("base", joint.base);
  return info;
}

Value driverInfo(const Driver& driver) {
  Value info = Value::map();
  info.set("name", driver.name);
  info.set("type", lowerCase(driverTypeName(driver.type)));
  info.set("links", each(driver.links, [](int link) { return Value(link); }));
  if (driver.type == DriverType::affine) {
    info.set("scaling", driver.scale);
    info.set("offset", driver.offset);
  }
  info.set("qmin", driver.qMin);
  info.set("qmax", driver.qMax);
  info.set("vmin", driver.velocityMin);
  info.set("vmax", driver.velocityMax);
  info.set("amin", driver.accelerationMin);
  info.set("amax", driver.accelerationMax);
  info.set("tmin", driver.torqueMin);
  info.set("tmax", driver.torqueMax);
  info.set("servoP", driver.servoP);
  info.set("servoI", driver.servoI);
  info.set("servoD", driver.servoD);
  info.set("dryFriction", driver.dryFriction);
  info.set("viscousFriction", driver.viscousFriction);
  return info;
}

Value linkInfo(const Link& link) {
  Value info = Value::map();
  info.set("name", link.name);
  info.set("mass", link.inertia.mass);
  info.set("com", list(link.inertia.com));
  info.set("inertia", list(link.inertia.inertia));
  info.set("T0_parent", list(link.X_PL0));
  info.set("axis", list(link.axis));
  info.set("geom_file", link.geometryFile);
  info.set("geometry", geometryInfo(link.geometry));
  return info;
}

Value rows(const Eigen::MatrixXd& m) {
  Value values = Value::list();
  for (Eigen::Index i = 0; i < m.rows(); ++i) values.push_back(list(VectorXd(m.row(i).transpose())));
  return values;
}

/// [{link, name, jacobian}]: as `jacobian_last`, at the origins of these links.
Value jacobians(const RobotDynamics& dynamics, const std::vector<int>& links) {
  Value result = Value::list();
  Matrix6X J(6, dynamics.robot().numLinks());
  for (const int link : links) {
    dynamics.jacobian(link, Vector3d::Zero(), J);
    Value entry = Value::map();
    entry.set("link", link);
    entry.set("name", dynamics.robot().link(link).name);
    entry.set("jacobian", rows(J));
    result.push_back(std::move(entry));
  }
  return result;
}

/// A vector of a sample, one number a link; only q must be there.
bool readVector(const Value& sample, const std::string& key, int n, VectorXd& to, Diagnostics& diagnostics) {
  const Value* value = sample.find(key);
  if (value == nullptr && key != "q") {
    to.setZero(n);
    return true;
  }
  if (value == nullptr) {
    diagnostics.error("the sample has no 'q'", sample.position(),
                      "a sample is {q, dq, ddq, tau_in}, each with one number a link; all but q may be left out");
    return false;
  }
  try {
    const std::vector<double> numbers = value->asReals();
    if (static_cast<int>(numbers.size()) != n) {
      diagnostics.error("'" + key + "' has " + std::to_string(numbers.size()) + " numbers, but the robot has " +
                            std::to_string(n) + " links",
                        value->position());
      return false;
    }
    to = Eigen::Map<const VectorXd>(numbers.data(), n);
  } catch (const Error& error) {
    diagnostics.error(error);
    return false;
  }
  if (to.allFinite()) return true;
  diagnostics.error("'" + key + "' has numbers that are not finite", value->position());
  return false;
}

}  // namespace

Value robotInfo(const Robot& robot) {
  const std::vector<Link>& links = robot.links();
  const auto numbers = [&](double Link::*field) {
    return each(links, [field](const Link& l) { return Value(l.*field); });
  };
  Value info = Value::map();
  info.set("num_links", robot.numLinks());
  info.set("num_drivers", robot.numDrivers());
  info.set("link_names", each(links, [](const Link& l) { return Value(l.name); }));
  info.set("parents", each(links, [](const Link& l) { return Value(l.parent); }));
  info.set("joint_types",
           each(links, [](const Link& l) { return Value(l.motion == LinkMotion::revolute ? "r" : "p"); }));
  info.set("qmin", numbers(&Link::qMin));
  info.set("qmax", numbers(&Link::qMax));
  info.set("velmax", numbers(&Link::velocityMax));
  info.set("accmax", numbers(&Link::accelerationMax));
  info.set("torquemax", numbers(&Link::torqueMax));
  info.set("joints", each(robot.joints(), jointInfo));
  info.set("drivers", each(robot.drivers(), driverInfo));
  info.set("links", each(links, linkInfo));
  info.set("self_collision_pairs", each(robot.description().selfCollisionPairs, [](const std::pair<int, int>& pair) {
             return Value(std::vector<double>{static_cast<double>(pair.first), static_cast<double>(pair.second)});
           }));
  info.set("total_mass", robot.totalMass());
  return info;
}

void addLimits(const Robot& robot, Value& info) {
  info.set("velmin", each(robot.links(), [](const Link& link) { return Value(link.velocityMin); }));
  info.set("powermax", each(robot.links(), [](const Link& link) { return Value(link.powerMax); }));
  info.set("joint_names", each(jointNames(robot.description()),
                               [](const std::string& name) { return name.empty() ? Value() : Value(name); }));
}

Value evaluateSamples(const RobotPtr& robot, const Value& samples, Diagnostics& diagnostics,
                      const std::vector<int>& links) {
  Value results = Value::list();
  if (!samples.isList()) {
    diagnostics.error("'samples' is " + std::string(Value::typeName(samples.type())) + ", not a list",
                      samples.position());
    return results;
  }
  const int n = robot->numLinks();
  const Vector3d gravity(0, 0, -9.8);
  RobotDynamics dynamics(robot);
  inspect::SelfCollisions collisions(robot);
  VectorXd q(n), dq(n), ddq(n), tauIn(n), C(n), G(n), tau(n), acceleration(n);
  Eigen::MatrixXd B(n, n);
  Matrix6X J(6, n);
  for (const Value& sample : samples.items()) {
    bool good = true;
    for (auto [key, to] :
         {std::pair("q", &q), std::pair("dq", &dq), std::pair("ddq", &ddq), std::pair("tau_in", &tauIn)})
      good = readVector(sample, key, n, *to, diagnostics) && good;
    if (!good) continue;
    dynamics.setState(q, dq);
    Value frames = Value::list();
    for (int i = 0; i < n; ++i) frames.push_back(list(dynamics.X_WL(i)));
    if (n > 0) dynamics.jacobian(n - 1, Vector3d::Zero(), J);
    dynamics.massMatrix(B);
    dynamics.coriolisForces(C);
    dynamics.gravityForces(gravity, G);
    dynamics.inverseDynamics(ddq, gravity, tau);
    dynamics.forwardDynamics(tauIn, gravity, acceleration);
    Value result = Value::map();
    result.set("q", list(q));
    result.set("dq", list(dq));
    result.set("ddq", list(ddq));
    result.set("tau_in", list(tauIn));
    result.set("link_T", std::move(frames));
    result.set("com", list(dynamics.centerOfMass()));
    result.set("jacobian_last", rows(J));
    result.set("B", rows(B));
    result.set("C", list(C));
    result.set("G", list(G));
    result.set("kinetic_energy", dynamics.kineticEnergy());
    result.set("tau_inverse_dynamics", list(tau));
    result.set("ddq_forward_dynamics", list(acceleration));
    result.set("self_collisions", inspect::pairList(collisions.at(q)));
    if (!links.empty()) result.set("jacobians", jacobians(dynamics, links));
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace mortise
