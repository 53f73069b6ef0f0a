#pragma once

#include <embree3/rtcore.h>
#include <map>
#include <memory>
#include <vector>

#include "mortise/appearance/surface_look.h"
#include "mortise/component/host.h"
#include "mortise/component/simulation_view.h"
#include "mortise/path_tracing/path_integrator.h"
#include "visible_shape.h"

namespace mortise::sensors_embree {

/// What a world's bodies look like, and which of them are left out.
struct TracedLooks {
  look::Theme theme = look::kLight;
  std::map<int, int> linkNumbers;   ///< Of objects that look as links of robots do: their numbers within these.
  std::vector<int> hiddenTerrains;  ///< Terrains that the floor stands for.
  double pointRadius = 0;           ///< The same as of `VisibleShape`.
};

/// A world as paths of light meet it: single rays, with smooth normals and materials.
class TracedWorld final : public path_tracing::TracedScene {
 public:
  TracedWorld();
  ~TracedWorld() override;
  TracedWorld(const TracedWorld&) = delete;
  TracedWorld& operator=(const TracedWorld&) = delete;

  /// Throws `Error` for shapes that cannot be seen.
  void start(const World& world, const TracedLooks& looks, Host& host);
  /// Everything to where it is now; single precision is best near `eye`. What is nowhere is not seen.
  void update(const SimulationView& view, const Vector3d& eye);

  bool closest(const Vector3d& origin, const Vector3d& direction, double far,
               path_tracing::SurfaceHit& hit) const override;
  bool occluded(const Vector3d& origin, const Vector3d& direction, double far) const override;

 private:
  /// A shape and the smooth normals of its parts.
  struct Shape {
    Shape(RTCDevice device, const GeometryPtr& geometry, double pointRadius);
    Vector3d smoothNormal(unsigned part, unsigned primitive, const Vector3d& point, const Vector3d& face) const;

    VisibleShape visible;
    std::vector<std::vector<std::array<Eigen::Vector3f, 3>>> normals;  ///< By part and triangle, one a corner.
  };
  struct Body {
    LookKind kind;    ///< Where it is found in the view; an object may look like a link.
    int index, link;  ///< Index of the robot, for a link.
    std::shared_ptr<const Shape> shape;
    path_tracing::Material material;
    bool present = true;
    RigidTransform X_WB;
    Matrix3d toBody = Matrix3d::Identity();  ///< Inverse of the rotation.
  };

  void addTerrains(const World& world, const TracedLooks& looks, Host& host);
  void addObjects(const World& world, const TracedLooks& looks, Host& host);
  void addRobots(const World& world, const TracedLooks& looks, Host& host);
  void addBody(LookKind kind, int index, int link, const GeometryPtr& geometry, const SurfaceLook& look,
               double pointRadius);
  void releaseScene();

  RTCDevice device_;
  RTCScene scene_ = nullptr;
  std::vector<Body> bodies_;
  /// By the shape and its margin; looked up, never walked through.
  std::map<std::pair<const void*, double>, std::shared_ptr<const Shape>> shapes_;
  Vector3d eye_ = Vector3d::Zero();
};

}  // namespace mortise::sensors_embree
