#include "mortise/component/resource.h"

#include <array>

namespace mortise {

namespace {

/// By `FileContent`.
constexpr std::array<std::string_view, std::variant_size_v<Resource> - 1> kContentNames = {
    "configuration", "configurations", "trajectory",      "hermite_trajectory",
    "multipath",     "ik_goal",        "contact_point",   "hold",
    "stance",        "grasp",          "vector3",         "matrix3",
    "transform",     "matrix",         "integers",        "numbers",
    "geometry",      "robot",          "rigid_object",    "terrain",
    "world",         "library",        "planning_problem"};
static_assert(contentOfType<PlanningProblems>() == FileContent::planningProblem && !kContentNames.back().empty(),
              "FileContent, its names and the types of Resource are in one order");

}  // namespace

std::string_view contentName(FileContent content) { return kContentNames[static_cast<std::size_t>(content)]; }

std::optional<FileContent> contentFromName(std::string_view name) {
  for (std::size_t i = 0; i < kContentNames.size(); ++i)
    if (kContentNames[i] == name) return static_cast<FileContent>(i);
  return std::nullopt;
}

FileContent contentOf(const Resource& resource) {
  if (const auto* file = std::get_if<FileResource>(&resource)) return file->content;
  return static_cast<FileContent>(resource.index());
}

}  // namespace mortise
