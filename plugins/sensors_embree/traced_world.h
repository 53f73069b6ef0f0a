#pragma once

#include <embree3/rtcore.h>
#include <map>
#include <memory>
#include <vector>

#include "mortise/appearance/surface_style.h"
#include "mortise/component/host.h"
#include "mortise/component/simulation_view.h"
#include "mortise/path_tracing/path_integrator.h"
#include "shapes/part_shapes.h"
#include "shapes/visible_shape.h"

namespace mortise::sensors_embree {

/// The appearance of a world's bodies, and those of them that are left out.
struct TracedStyles {
  style::Theme theme = style::kLight;
  std::map<int, int> linkNumbers;   ///< Of objects that look as links of robots do: their numbers within these.
  std::vector<int> hiddenTerrains;  ///< Terrains that the floor stands for.
  double pointRadius = 0;           ///< The same as of `VisibleShape`.
  bool collision = false;           ///< Shapes that collide are seen, whatever bodies look like.
};

/// A world as paths of light meet it: single rays, with smooth normals and materials.
class TracedWorld final : public path_tracing::TracedScene {
 public:
  TracedWorld();
  ~TracedWorld() override;
  TracedWorld(const TracedWorld&) = delete;
  TracedWorld& operator=(const TracedWorld&) = delete;

  /// Throws `Error` for shapes that cannot be seen.
  void start(const World& world, const TracedStyles& styles, Host& host);
  /// Everything to where it is now; single precision is best near `eye`. What is nowhere is not seen.
  void update(const SimulationView& view, const Vector3d& eye);

  bool closest(const Vector3d& origin, const Vector3d& direction, double far,
               path_tracing::SurfaceHit& hit) const override;
  bool occluded(const Vector3d& origin, const Vector3d& direction, double far) const override;
  bool seenThrough() const override { return seenThrough_; }

 private:
  /// A shape and the smooth normals of its parts.
  struct Shape {
    explicit Shape(std::shared_ptr<const VisibleShape> seen);
    Vector3d smoothNormal(unsigned part, unsigned primitive, const Vector3d& point, const Vector3d& face) const;

    std::shared_ptr<const VisibleShape> visible;
    std::vector<std::vector<std::array<Eigen::Vector3f, 3>>> normals;  ///< By part and triangle, one a corner.
  };
  struct Body {
    World::Kind kind;
    int index, link;  ///< Index of the robot, for a link.
    std::shared_ptr<const Shape> shape;
    path_tracing::Material material;
    bool ownColors = true;  ///< The shape's colors are seen where it has some.
    bool present = true;
    RigidTransform X_WB;
    Matrix3d toBody = Matrix3d::Identity();  ///< Inverse of the rotation.
  };

  void addBodies(const World& world, const TracedStyles& styles, Host& host);
  void addPart(const DrawnBody& drawn, const DrawnPart& part, SurfaceKind kind, int number, const TracedStyles& styles,
               PartShapes& meshes);
  void releaseScene();

  RTCDevice device_;
  RTCScene scene_ = nullptr;
  std::vector<Body> bodies_;
  bool seenThrough_ = false;  ///< Bodies that let light pass are among them.
  /// By the shape and its margin; looked up, never walked through.
  std::map<std::pair<const void*, double>, std::shared_ptr<const Shape>> shapes_;
  std::map<std::shared_ptr<const VisibleShape>, std::shared_ptr<const Shape>> meshes_;  ///< The same, by the meshes.
  Vector3d eye_ = Vector3d::Zero();
};

}  // namespace mortise::sensors_embree
