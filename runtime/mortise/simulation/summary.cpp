#include "mortise/simulation/summary.h"

namespace mortise {

Value summarize(const Simulation& simulation) {
  const World& world = simulation.world();
  Value summary = Value::map();
  summary.set("backend", simulation.backend());
  summary.set("time", simulation.time());
  summary.set("steps", simulation.tick());
  summary.set("status", stepStatusName(simulation.status()));
  summary.set("worst_status", stepStatusName(simulation.worstStatus()));
  Value counts = Value::map();
  for (int i = 0; i < kNumStepStatuses; ++i)
    counts.set(stepStatusName(static_cast<StepStatus>(i)), simulation.statusCounts()[i]);
  summary.set("status_counts", std::move(counts));
  Value bounds = Value::map();
  for (int i = 0; i < kNumStepBounds; ++i)
    if (const std::int64_t count = simulation.boundCounts()[static_cast<std::size_t>(i)]; count > 0)
      bounds.set(stepBoundName(static_cast<StepBound>(i)), count);
  if (bounds.size() > 0) summary.set("bounds_hit", std::move(bounds));
  if (!simulation.fault().empty()) summary.set("fault", simulation.fault());

  Value objects = Value::list();
  for (int i = 0; i < static_cast<int>(world.objects.size()); ++i) {
    Value object = Value::map();
    object.set("id", world.objectId(i));
    object.set("name", world.objects[i].name);
    std::vector<double> T(12);
    simulation.objectState(i).X_WB.toRows(T.data());
    object.set("T", T);
    objects.push_back(std::move(object));
  }
  summary.set("objects", std::move(objects));
  Value robots = Value::list();
  for (int i = 0; i < static_cast<int>(world.robots.size()); ++i) {
    Value robot = Value::map();
    robot.set("id", world.robotId(i));
    robot.set("name", world.robots[i].name);
    const VectorXd& q = simulation.configuration(i);
    robot.set("q", std::vector<double>(q.data(), q.data() + q.size()));
    robots.push_back(std::move(robot));
  }
  summary.set("robots", std::move(robots));
  summary.set("max_contacts", simulation.maxContacts());
  summary.set("state_hash", formatHash(simulation.stateHash()));
  return summary;
}

}  // namespace mortise
