#include "mortise/mechanics/mechanics_settings.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/units.h"

namespace mortise {

void GravitySettings::bind(SettingBinder& b) {
  b.add("gravity", gravity,
        "Gravity: a vector (m/s^2), or its size against `up`; by default 9.8 m/s^2 downward along z.");
  b.add("up", up, "Direction against gravity, where `gravity` is a size.");
}

Vector3d GravitySettings::vector_W(const Vector3d& otherwise) const {
  const auto wrong = [&](const std::string& what) {
    return Error("'gravity': " + what, gravity.position().known() ? gravity.position() : settingPosition("gravity"),
                 "write gravity: 9.8 m/s^2, or gravity: [0, 0, -9.8]");
  };
  if (gravity.isList()) {
    if (up)
      throw Error("'up' goes with the size of gravity, and 'gravity' is a vector", gravity.position(),
                  "leave 'up' out");
    const std::vector<double> numbers = gravity.asReals();
    if (numbers.size() != 3) throw wrong("expected three numbers, found " + std::to_string(numbers.size()));
    const Vector3d vector(numbers[0], numbers[1], numbers[2]);
    if (!vector.allFinite()) throw wrong("expected finite numbers");
    return vector;
  }
  if (gravity.isNull() && !up) return otherwise;
  double size = otherwise.norm();
  if (!gravity.isNull()) {
    std::string problem;
    const std::optional<double> number =
        gravity.isNumber() ? std::optional(gravity.asReal()) : parseQuantity(gravity.text(), "m/s^2", problem);
    if (!number || !(*number > 0) || !std::isfinite(*number))
      throw wrong(problem.empty() ? "expected a number above 0, found " + gravity.text() : problem);
    size = *number;
  }
  if (!up) return {0, 0, -size};
  if (!(up->norm() > 0)) throw Error("'up' is a direction, not three zeros", settingPosition("up"));
  return -size * up->normalized();
}

void ContactForceSettings::bind(SettingBinder& b) {
  b.add("cone_edges", coneEdges, "Edges of the pyramids that stand for friction cones; 0: the cones themselves.",
        {.min = 0, .max = 1000, .aliases = {"coneEdges"}});
  b.add("force_limit", forceLimit, "What each contact bears along its normal at most; by default anything.",
        {.min = 0, .unit = "N"});
  b.add("robustness", robustness, "How far each force stays inside its friction cone.", {.min = 0, .unit = "N"});
}

void ContactForceSettings::check() const {
  if (coneEdges == 1 || coneEdges == 2)
    throw Error("a pyramid has at least 3 edges, not " + std::to_string(coneEdges), settingPosition("cone_edges"),
                "write 0 for the cones themselves");
}

ContactForceLimits ContactForceSettings::limits(std::span<const ContactPoint> points) const {
  ContactForceLimits result;
  result.robustness = robustness;
  if (forceLimit) result.bounds = normalForceBounds(points, *forceLimit);
  return result;
}

void BalanceSettings::bind(SettingBinder& b) {
  forces.bind(b);
  b.add("torques", torques, "Whether joints stay within their limits of torque; contacts then need links.");
  b.add("torque_scale", torqueScale, "Factor of all limits of torque, with `torques`.", {.min = 1e-9});
  b.add("com", com, "Center of mass to test, in place of the robot's.", {.unit = "m"});
  gravity.bind(b);
}

void BalanceSettings::check() const {
  forces.check();
  (void)gravity.vector_W();
  if (torqueScale != 1 && !torques)
    throw Error("'torque_scale' goes with 'torques'", settingPosition("torque_scale"), "add torques: true");
}

BalanceOptions BalanceSettings::options() const {
  BalanceOptions result;
  result.gravity_W = gravity.vector_W();
  result.coneEdges = forces.coneEdges;
  result.forceLimit = forces.forceLimit;
  result.robustness = forces.robustness;
  result.torques = torques;
  result.torqueScale = torqueScale;
  result.com_W = com;
  return result;
}

void ContactTorqueSettings::bind(SettingBinder& b) {
  b.choice(
      "objective", objective,
      {{"largest_utilization", TorqueObjective::largestUtilization},
       {"sum_of_utilizations", TorqueObjective::sumOfUtilizations},
       {"normal_forces", TorqueObjective::normalForces}},
      "Minimized by the choice of contact forces: the largest torque relative to its limit, the sum of all relative "
      "torques, or the sum of normal forces.",
      {.formerChoices = {{"largest_share", "largest_utilization"}, {"sum_of_shares", "sum_of_utilizations"}}});
  forces.bind(b);
  b.add("torque_scale", torqueScale, "Factor of all limits of torque.", {.min = 1e-9});
  gravity.bind(b);
}

void ContactTorqueSettings::check() const {
  forces.check();
  (void)gravity.vector_W();
}

ContactTorqueOptions ContactTorqueSettings::options(const Robot& robot, std::span<const ContactPoint> points) const {
  ContactTorqueOptions result;
  result.objective = objective;
  result.coneEdges = forces.coneEdges;
  result.limits = torqueLimits(robot, torqueScale);
  result.forceLimits = forces.limits(points);
  return result;
}

void GraspSettings::bind(SettingBinder& b) {
  b.choice("budget", budget,
           {{"total", GraspBudget::total}, {"each", GraspBudget::each}, {"torques", GraspBudget::torques}},
           "What limits forces: the sum of normal forces is at most 1, each is at most 1, or the torques of the "
           "robot's joints, for which "
           "contacts need links; the quality is in newton then.");
  forces.bind(b);
  b.add("mass", mass, "Mass of the object that is held, in place of its own.", {.min = 1e-12, .unit = "kg"});
  b.add("com", com, "Its center of mass, in place of its own; by default the origin.", {.unit = "m"});
  b.add("origin", origin,
        "What torques are about; by default the object's center of mass, or the middle of the contacts.",
        {.unit = "m"});
  b.add("length", length, "What torques are divided by; 0: the largest distance of a contact from the origin.",
        {.min = 0, .unit = "m"});
  b.add("plane_normal", planeNormal, "Normal of a plane: only forces in it and torques about it count.");
  gravity.bind(b);
}

void GraspSettings::check() const {
  forces.check();
  (void)gravity.vector_W();
  if (planeNormal && !(planeNormal->norm() > 0))
    throw Error("'plane_normal' is a direction, not three zeros", settingPosition("plane_normal"));
}

std::optional<GraspedObject> GraspSettings::object(const std::optional<GraspedObject>& known) const {
  std::optional<GraspedObject> result = known;
  if (mass) {
    if (!result) result.emplace();
    result->mass = *mass;
  }
  if (com) {
    if (!result)
      throw Error("'com' is that of an object, and none is given", settingPosition("com"), "add 'mass', or the object");
    result->com_W = *com;
  }
  return result;
}

GraspReport graspReport(RobotDynamics& dynamics, std::span<const LinkContact> contacts, const GraspSettings& settings,
                        const std::optional<GraspedObject>& object) {
  std::vector<ContactPoint> points;
  for (const LinkContact& contact : contacts) points.push_back(contact.point);
  WrenchSpaceOptions options;
  options.coneEdges = settings.forces.coneEdges;
  options.budget = settings.budget == GraspBudget::each ? WrenchBudget::each : WrenchBudget::total;
  if (object) options.origin_W = object->com_W;
  if (settings.origin) options.origin_W = settings.origin;
  options.length = settings.length;
  options.planeNormal_W = settings.planeNormal;
  const Vector3d gravity_W = settings.gravity.vector_W();
  GraspReport report;
  report.measure = settings.budget == GraspBudget::total  ? "total"
                   : settings.budget == GraspBudget::each ? "each"
                                                          : "torques";
  if (settings.budget == GraspBudget::torques) {
    VectorXd bias(dynamics.robot().numLinks());
    dynamics.gravityForces(gravity_W, bias);
    report.quality = graspQualityOfTorques(dynamics, contacts, bias, torqueLimits(dynamics.robot()),
                                           settings.forces.limits(points), options);
  } else {
    report.quality = graspQuality(points, options);
  }
  if (object)
    report.holdsWeight =
        holdsObject(points, *object, gravity_W, options.coneEdges, settings.forces.forceLimit, report.forces_W);
  return report;
}

}  // namespace mortise
