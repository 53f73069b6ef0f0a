#pragma once

#include <string>

#include "mortise/component/planner.h"

namespace mortise {

/// Trivial Graph Format, as Klamp't writes roadmaps: a line `index q0 q1 ...` for each configuration, `#`, a line `a b
/// cost` for each edge.
std::string roadmapTgf(const Roadmap& roadmap);

/// {coordinates: names, configurations, edges: [{a, b, cost, checked}], starts, goals}.
Value roadmapValue(const Roadmap& roadmap, const PlanningSpace& space);

/// By the file's extension, .tgf or .json. Throws `Error` for others, and with the system's reason.
void writeRoadmap(const Roadmap& roadmap, const PlanningSpace& space, const std::string& path);
/// The same of what the planner has built so far; returns false where it keeps nothing.
bool writeRoadmap(const Planner& planner, const PlanningSpace& space, const std::string& path);

}  // namespace mortise
