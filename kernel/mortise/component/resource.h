#pragma once

/// Things that Klamp't calls resources: small data that files hold and programs pass on.

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/contact/hold.h"
#include "mortise/geometry/geometry.h"
#include "mortise/math/transform.h"
#include "mortise/motion/hermite_trajectory.h"
#include "mortise/motion/multipath.h"
#include "mortise/motion/trajectory.h"

namespace mortise {

/// Something that is known by its file alone (robots, rigid objects, worlds).
struct FileResource {
  std::string kind;  ///< "robot", "rigid_object", "world".
  std::string path;  ///< As found.

  bool operator==(const FileResource&) const = default;
};

using Resource = std::variant<VectorXd, ConfigurationList, Trajectory, HermiteTrajectory, MultiPath, IKGoal,
                              ContactPoint, Hold, Stance, Grasp, Vector3d, Matrix3d, RigidTransform, Eigen::MatrixXd,
                              std::vector<int>, std::vector<double>, GeometryPtr, FileResource>;

/// The kind of content, as formats name it: "configuration", "configurations", "trajectory", "hermite_trajectory",
/// "multipath", "ik_goal", "contact_point", "hold", "stance", "grasp", "vector3", "matrix3", "transform", "matrix",
/// "integers", "numbers", "geometry", or what a `FileResource` says.
std::string kindOf(const Resource& resource);

/// Same kind and same numbers, bit for bit but for the sign of zero. Shapes are compared by address.
bool equal(const Resource& a, const Resource& b);

struct ResourceItem {
  std::string name;
  std::string file;  ///< The file that holds it, as written; empty when the library itself does.
  Resource value;
};

/// Named resources, in the order of the file. Names may repeat.
struct ResourceLibrary {
  std::vector<ResourceItem> items;
};

}  // namespace mortise
