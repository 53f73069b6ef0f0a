#include "mortise/component/planner.h"

namespace mortise {

PlanningSpace::~PlanningSpace() = default;
PlanningGoal::~PlanningGoal() = default;
PlanningObjective::~PlanningObjective() = default;
PlanningStop::~PlanningStop() = default;
Planner::~Planner() = default;

bool PlanningSpace::feasible(const VectorXd& q, int* violated) {
  const int count = static_cast<int>(constraints().size());
  for (int i = 0; i < count; ++i) {
    if (satisfies(i, q)) continue;
    if (violated != nullptr) *violated = i;
    return false;
  }
  if (violated != nullptr) *violated = -1;
  return true;
}
std::string PlanningSpace::explain(int constraint, const VectorXd&) {
  return "constraint '" + constraints()[static_cast<std::size_t>(constraint)] + "' does not hold";
}
void PlanningSpace::refine(const VectorXd&, const VectorXd&, double, std::vector<VectorXd>&) const {}
double PlanningSpace::measure() const { return std::numeric_limits<double>::infinity(); }
PlanningSpace::Counts PlanningSpace::counts() const { return {}; }
std::string PlanningSpace::coordinateName(int i) const { return "q[" + std::to_string(i) + "]"; }
Value PlanningSpace::properties() const {
  Value map = Value::map();
  map.set("dimension", dimension());
  map.set("extent", extent());
  map.set("measure", measure());
  Value names = Value::list();
  for (const std::string& name : constraints()) names.push_back(name);
  map.set("constraints", std::move(names));
  return map;
}

bool PlanningSpace::checksCurves() const { return false; }
bool PlanningSpace::visibleAround(const VectorXd&, const VectorXd&, const VectorXd&) { return false; }

std::int64_t PlanningGoal::count() const { return -1; }
std::string PlanningGoal::explain() { return {}; }

double PlanningObjective::terminalCost(const VectorXd&) const { return 0; }
double PlanningObjective::lowerBound(const VectorXd&, const VectorXd&) const { return 0; }

bool Planner::roadmap(Roadmap&) const { return false; }
bool Planner::optimizing() const { return false; }

std::string_view planningStatusName(PlanningStatus status) {
  constexpr std::string_view kNames[] = {"solved",         "stopped",   "start_infeasible", "goal_infeasible",
                                         "goal_unsampled", "exhausted", "unsuitable"};
  return kNames[static_cast<int>(status)];
}

}  // namespace mortise
