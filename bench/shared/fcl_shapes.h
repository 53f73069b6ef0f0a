#pragma once

/// FCL's models of Mortise's meshes, for the benchmarks that compare with it.

#include <cstddef>
#include <fcl/fcl.h>
#include <memory>
#include <vector>

#include "mortise/geometry/geometry.h"
#include "mortise/math/transform.h"

namespace mortise::bench {

using FclModel = fcl::BVHModel<fcl::OBBRSSd>;

inline std::shared_ptr<FclModel> fclModel(const TriangleMesh& mesh) {
  auto model = std::make_shared<FclModel>();
  std::vector<fcl::Triangle> triangles;
  for (const auto& t : mesh.triangles)
    triangles.emplace_back(static_cast<std::size_t>(t[0]), static_cast<std::size_t>(t[1]),
                           static_cast<std::size_t>(t[2]));
  model->beginModel();
  model->addSubModel(mesh.vertices, triangles);
  model->endModel();
  return model;
}

inline fcl::Transform3d fclPose(const RigidTransform& X) {
  fcl::Transform3d T = fcl::Transform3d::Identity();
  T.linear() = X.R;
  T.translation() = X.p;
  return T;
}

}  // namespace mortise::bench
