#include "mortise/mechanics/grasp_report.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/value_text.h"
#include "mortise/mechanics/equilibrium.h"

namespace mortise {

namespace {

Value listed(const Vector3d& v) { return std::vector<double>{v.x(), v.y(), v.z()}; }
std::string shortened(const Vector3d& v) {
  const auto digits = [](double x) { return formatReal(std::abs(x) < 1e-9 ? 0 : x, 4); };
  return digits(v.x()) + " " + digits(v.y()) + " " + digits(v.z());
}

}  // namespace

bool holdsObject(std::span<const ContactPoint> contacts, const GraspedObject& object, const Vector3d& gravity_W,
                 int coneEdges, std::optional<double> forceLimit, std::vector<Vector3d>& forces_W) {
  std::vector<ContactPoint> onObject(contacts.begin(), contacts.end());
  for (ContactPoint& contact : onObject) contact.n_W = -contact.n_W;
  EquilibriumOptions options{gravity_W, coneEdges, {}};
  if (forceLimit) options.limits.bounds = normalForceBounds(onObject, *forceLimit);
  return EquilibriumTester(onObject, options).balances(object.com_W, object.mass, &forces_W);
}

Value graspValue(const GraspReport& report) {
  const GraspQuality& quality = report.quality;
  Value result = Value::map(), weakest = Value::map(), forces = Value::list();
  weakest.set("force", listed(quality.weakestForce_W));
  weakest.set("torque", listed(quality.weakestTorque_W));
  for (const Vector3d& force : report.forces_W) forces.push_back(listed(force));
  result.set("force_closure", quality.forceClosure);
  result.set("quality", quality.quality);
  result.set("upper", quality.upper);
  result.set("measure", report.measure);
  result.set("origin", listed(quality.origin_W));
  result.set("length", quality.length);
  result.set("weakest", quality.forceClosure ? std::move(weakest) : Value());
  result.set("holds_weight", report.holdsWeight ? Value(*report.holdsWeight) : Value());
  result.set("forces", report.holdsWeight.value_or(false) ? std::move(forces) : Value());
  return result;
}

std::string graspText(const GraspReport& report, std::size_t contacts) {
  const GraspQuality& quality = report.quality;
  std::string text = quality.forceClosure ? "force closure" : "no force closure";
  text += " with " + std::to_string(contacts) + (contacts == 1 ? " contact" : " contacts");
  if (quality.forceClosure)
    text += ": quality " + formatReal(quality.quality, 6) + (report.measure == "torques" ? " N" : "") + " (" +
            report.measure + ")\nhardest to resist: force " + shortened(quality.weakestForce_W) + ", torque " +
            shortened(quality.weakestTorque_W) + " about " + shortened(quality.origin_W);
  text += "\n";
  if (!report.holdsWeight) return text;
  if (!*report.holdsWeight) return text + "it does not hold the object's weight\n";
  double squeeze = 0;
  for (const Vector3d& force : report.forces_W) squeeze = std::max(squeeze, force.norm());
  return text + "it holds the object's weight with forces of at most " + formatReal(squeeze, 4) + " N\n";
}

}  // namespace mortise
