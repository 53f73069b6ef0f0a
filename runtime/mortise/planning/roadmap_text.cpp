#include "mortise/planning/roadmap_text.h"

#include <algorithm>
#include <filesystem>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"

namespace mortise {

std::string roadmapTgf(const Roadmap& roadmap) {
  std::string text;
  for (std::size_t i = 0; i < roadmap.configurations.size(); ++i) {
    text += std::to_string(i);
    for (const double number : roadmap.configurations[i]) text += " " + formatReal(number);
    text += "\n";
  }
  text += "#\n";
  for (const Roadmap::Edge& edge : roadmap.edges)
    text += std::to_string(edge.a) + " " + std::to_string(edge.b) + " " + formatReal(edge.cost) + "\n";
  return text;
}

Value roadmapValue(const Roadmap& roadmap, const PlanningSpace& space) {
  Value value = Value::map(), names = Value::list(), configurations = Value::list(), edges = Value::list();
  for (int i = 0; i < space.dimension(); ++i) names.push_back(space.coordinateName(i));
  for (const VectorXd& q : roadmap.configurations)
    configurations.push_back(std::vector<double>(q.data(), q.data() + q.size()));
  for (const Roadmap::Edge& edge : roadmap.edges) {
    Value entry = Value::map();
    entry.set("a", edge.a);
    entry.set("b", edge.b);
    entry.set("cost", edge.cost);
    entry.set("checked", edge.checked);
    edges.push_back(std::move(entry));
  }
  const auto indices = [](const std::vector<int>& list) {
    Value result = Value::list();
    for (const int i : list) result.push_back(i);
    return result;
  };
  value.set("coordinates", std::move(names));
  value.set("configurations", std::move(configurations));
  value.set("edges", std::move(edges));
  value.set("starts", indices(roadmap.starts));
  value.set("goals", indices(roadmap.goals));
  return value;
}

namespace {

/// Planners of other authors may return anything.
void requireSizes(const Roadmap& roadmap, const PlanningSpace& space) {
  const auto count = static_cast<int>(roadmap.configurations.size());
  for (int i = 0; i < count; ++i)
    if (const Eigen::Index size = roadmap.configurations[static_cast<std::size_t>(i)].size(); size != space.dimension())
      throw Error("configuration " + std::to_string(i) + " of the planner's roadmap has " + std::to_string(size) +
                  " numbers instead of " + std::to_string(space.dimension()));
  for (const Roadmap::Edge& edge : roadmap.edges)
    if (std::min(edge.a, edge.b) < 0 || std::max(edge.a, edge.b) >= count)
      throw Error("an edge of the planner's roadmap goes from configuration " + std::to_string(edge.a) + " to " +
                  std::to_string(edge.b) + ", but there are " + std::to_string(count));
}

}  // namespace

void writeRoadmap(const Roadmap& roadmap, const PlanningSpace& space, const std::string& path) {
  requireSizes(roadmap, space);
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".tgf")
    writeFile(path, roadmapTgf(roadmap));
  else if (extension == ".json")
    writeFile(path, toJson(roadmapValue(roadmap, space)) + "\n");
  else
    throw Error("a roadmap is written as .tgf or .json, not as '" + extension + "'", inFile(path));
}

bool writeRoadmap(const Planner& planner, const PlanningSpace& space, const std::string& path) {
  Roadmap roadmap;
  if (!planner.roadmap(roadmap)) return false;
  writeRoadmap(roadmap, space, path);
  return true;
}

}  // namespace mortise
