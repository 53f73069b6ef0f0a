#include "mortise/mechanics/balance.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/mechanics/equilibrium.h"

namespace mortise {

namespace {

/// The rounding of linear programs, in meters.
constexpr double kEdge = 1e-8;
/// The fraction of the distance to which borders of polygons that never end are known.
constexpr double kFarFraction = 1e-6;

Value numbers(const Vector3d& v) { return std::vector<double>{v.x(), v.y(), v.z()}; }

}  // namespace

Balance testBalance(RobotDynamics& dynamics, std::span<const LinkContact> contacts, const BalanceOptions& options) {
  const Robot& robot = dynamics.robot();
  const double mass = robot.totalMass();
  if (!(mass > 0)) throw Error("robot '" + robot.name() + "' has no mass to balance");
  std::vector<LinkContact> outer;
  for (const LinkContact& contact : contacts)
    if (contact.target < 0) outer.push_back(contact);
  const std::vector<ContactPoint> points = worldContacts(outer);

  SupportPolygonOptions polygon{options.gravity_W, options.coneEdges, options.tolerance, {}, mass};
  polygon.limits.robustness = options.robustness;
  if (options.forceLimit) polygon.limits.bounds = normalForceBounds(points, *options.forceLimit);
  if (options.torques) {
    requireLinkContacts(robot, outer);
    VectorXd gravity(robot.numLinks());
    dynamics.gravityForces(options.gravity_W, gravity);
    for (ForceBound& bound : torqueBounds(dynamics, outer, gravity, torqueLimits(robot, options.torqueScale)))
      polygon.limits.bounds.push_back(std::move(bound));
  }

  Balance result;
  result.com_W = options.com_W.value_or(dynamics.centerOfMass());
  result.polygon = SupportPolygon(points, polygon);
  result.margin = result.polygon.signedDistance(result.com_W);
  EquilibriumTester tester(points, {options.gravity_W, options.coneEdges, polygon.limits});
  const bool inside = tester.balances(result.com_W, mass, &result.forces_W);
  // What was found inside of cones lies between the two polygons at worst.
  double between = options.tolerance;
  if (!result.polygon.bounded()) between = std::max(between, kFarFraction * result.com_W.norm());
  if (inside && result.margin < 0 && result.margin > -2 * between) result.margin = 0;
  result.balanced = inside || result.margin >= -kEdge;
  return result;
}

Value balanceValue(const Balance& balance) {
  const SupportPolygon& region = balance.polygon;
  Value result = Value::map(), forces = Value::list(), axes = Value::list(), halfPlanes = Value::list();
  const auto pairs = [](const std::vector<Eigen::Vector2d>& list) {
    Value value = Value::list();
    for (const Eigen::Vector2d& entry : list) value.push_back(std::vector<double>{entry.x(), entry.y()});
    return value;
  };
  for (const SupportPolygon::HalfPlane& side : region.halfPlanes())
    halfPlanes.push_back(std::vector<double>{side.normal.x(), side.normal.y(), side.offset});
  for (const Vector3d& force : balance.forces_W) forces.push_back(numbers(force));
  axes.push_back(numbers(region.x_W()));
  axes.push_back(numbers(region.y_W()));
  const auto finite = [](double x) { return std::isfinite(x) ? Value(x) : Value(); };
  result.set("balanced", balance.balanced);
  result.set("margin", finite(balance.margin));
  result.set("polygon", pairs(region.corners()));
  result.set("bounded", region.bounded());
  result.set("rays", pairs(region.rays()));
  result.set("half_planes", std::move(halfPlanes));
  result.set("area", finite(region.area()));
  result.set("com", numbers(balance.com_W));
  result.set("axes", std::move(axes));
  result.set("forces", balance.balanced ? std::move(forces) : Value());
  return result;
}

std::string balanceText(const Balance& balance, std::size_t contacts) {
  const SupportPolygon& polygon = balance.polygon;
  const std::size_t corners = polygon.corners().size();
  std::string text = balance.balanced ? "balanced" : "not balanced";
  text += " on " + std::to_string(contacts) + (contacts == 1 ? " contact" : " contacts");
  if (polygon.empty()) return text + ": no center of mass is in balance on them\n";
  if (polygon.isUnbounded())
    text += ": they hold it wherever its center of mass is\n";
  else
    text += ": the center of mass is " + formatReal(1e3 * std::abs(balance.margin), 4) + " mm " +
            (balance.margin < 0 ? "outside the support polygon" : "inside the edge of the support polygon") + "\n";
  const auto shown = [](double x) { return formatReal(std::abs(x) < 1e-9 ? 0 : x, 5); };
  text += "center of mass  " + shown(balance.com_W.x()) + " " + shown(balance.com_W.y()) + " " +
          shown(balance.com_W.z()) + " m\n";
  text += "support polygon ";
  if (polygon.isUnbounded()) return text + "the whole plane\n";
  text += std::to_string(corners) + (corners == 1 ? " corner" : " corners") + ", " +
          (polygon.bounded() ? formatReal(polygon.area(), 4) + " m^2" : "unbounded") + "\n";
  constexpr std::size_t kShown = 12;
  for (std::size_t i = 0; i < polygon.corners().size() && i < kShown; ++i)
    text += "  " + shown(polygon.corners()[i].x()) + " " + shown(polygon.corners()[i].y()) + "\n";
  if (polygon.corners().size() > kShown)
    text += "  ... (" + std::to_string(polygon.corners().size() - kShown) + " more; --json has them all)\n";
  for (const Eigen::Vector2d& ray : polygon.rays())
    text += "  and without end along " + shown(ray.x()) + " " + shown(ray.y()) + "\n";
  for (std::size_t i = 0; corners == 0 && i < polygon.halfPlanes().size(); ++i) {
    const SupportPolygon::HalfPlane& side = polygon.halfPlanes()[i];
    text +=
        "  where " + shown(side.normal.x()) + " x + " + shown(side.normal.y()) + " y <= " + shown(side.offset) + "\n";
  }
  return text;
}

}  // namespace mortise
