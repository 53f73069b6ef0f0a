#pragma once

/// Content of a file: a model, a shape, a motion, or one of the small things that Klamp't calls resources.

#include <cstddef>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "mortise/component/file_content.h"
#include "mortise/component/planning_problem_description.h"
#include "mortise/contact/hold.h"
#include "mortise/geometry/geometry.h"
#include "mortise/math/transform.h"
#include "mortise/model/robot.h"
#include "mortise/model/world.h"
#include "mortise/model/world_description.h"
#include "mortise/motion/hermite_trajectory.h"
#include "mortise/motion/multipath.h"
#include "mortise/motion/trajectory.h"

namespace mortise {

/// An item of a library that is known by its file alone (robots, rigid objects, worlds).
struct FileResource {
  FileContent content = FileContent::robot;
  std::string path;  ///< Path that was found.

  bool operator==(const FileResource&) const = default;
};

struct ResourceItem;

/// Named resources, in the order of the file. Names may repeat.
struct ResourceLibrary {
  std::vector<ResourceItem> items;
};

/// The content of a file, one type for each `FileContent` in the same order. A `FileResource` stands in for its
/// content.
using Resource = std::variant<VectorXd, ConfigurationList, Trajectory, HermiteTrajectory, MultiPath, IKGoal,
                              ContactPoint, Hold, Stance, Grasp, Vector3d, Matrix3d, RigidTransform, Eigen::MatrixXd,
                              std::vector<int>, std::vector<double>, GeometryPtr, RobotDescription, RigidObject,
                              Terrain, WorldDescription, ResourceLibrary, PlanningProblems, FileResource>;

struct ResourceItem {
  std::string name;
  std::string file;  ///< The file that holds it, as written; empty when the library itself does.
  Resource value;
};

FileContent contentOf(const Resource& resource);

/// The kind of content that a type of `Resource` stands for: `contentOfType<RobotDescription>()` is
/// `FileContent::robot`.
template <typename T, std::size_t i = 0>
constexpr FileContent contentOfType() {
  if constexpr (std::is_same_v<T, std::variant_alternative_t<i, Resource>>)
    return static_cast<FileContent>(i);
  else
    return contentOfType<T, i + 1>();
}

}  // namespace mortise
