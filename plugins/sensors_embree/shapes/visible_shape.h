#pragma once

#include <array>
#include <cmath>
#include <embree3/rtcore.h>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "mortise/appearance/display_color.h"
#include "mortise/collision/volume/volume_field.h"
#include "mortise/geometry/geometry.h"
#include "shapes/solid.h"
#include "shapes/surface_colors.h"

namespace mortise::sensors_embree {

/// The point where a ray meets a surface, in double precision.
struct SurfacePoint {
  double t = 0;      ///< `origin + t * direction`.
  double slope = 0;  ///< Unit normal times direction, of either sign.
};

/// A geometry as rays see it: a scene of Embree's in single precision, which finds what is hit, and what is needed to
/// say in double precision where. All coordinates are relative to `center()`, so that shapes far from the origin of
/// their frame lose nothing. Immutable.
///
/// Meshes, boxes, hulls, polygons, triangles, heightmaps and occupancy grids are triangles; ellipsoids, cylinders,
/// capsules and implicit surfaces are met exactly; points are balls. Margins belong to collisions and are not seen,
/// but give thickness to points and segments, which have none of their own.
class VisibleShape {
 public:
  /// `pointRadius`: of points without radius or margin, m; 0: clouds get three quarters of the distance between
  /// neighbors, points and segments are not seen. Throws `Error` that names the file for numbers that are not finite
  /// or beyond 1e12 m, and for triangles without corners.
  VisibleShape(RTCDevice device, GeometryPtr geometry, double pointRadius);
  /// The appearance of a body in place of its shape; each mesh has its material. A texture that cannot be read is
  /// told to `warn`, and the material's color is seen.
  VisibleShape(RTCDevice device, const VisualShape& appearance, double pointRadius, TextureImages& images,
               const std::function<void(const std::string&)>& warn);
  ~VisibleShape();
  VisibleShape(const VisibleShape&) = delete;
  VisibleShape& operator=(const VisibleShape&) = delete;

  RTCScene scene() const { return scene_; }
  bool empty() const { return parts_.empty(); }
  const Vector3d& center() const { return center_; }

  /// The meeting that Embree found at `t`, exactly. `part` and `primitive` are its geometry's and primitive's ids; the
  /// ray is in the shape's frame, its origin relative to the center.
  SurfacePoint refine(unsigned part, unsigned primitive, const Vector3d& origin, const Vector3d& direction,
                      double t) const {
    const Part& p = parts_[part];
    if (p.kind == Part::Kind::triangles) {
      const Plane& plane = p.planes[primitive];
      const double slope = plane.normal.dot(direction);
      const double exact = (plane.offset - plane.normal.dot(origin)) / slope;
      // Where the two differ by more than single precision explains, the ray runs along the triangle or past it.
      if (std::abs(exact - t) <= 1e-4 * t) return {exact, slope};
    }
    return refineFully(p, primitive, origin, direction, t);
  }
  /// The unit normal at a point of a primitive, which is relative to the center; to either side. Zero where there is
  /// none.
  Vector3d normal(unsigned part, unsigned primitive, const Vector3d& point) const;
  /// The triangles of a part; null for what is not triangles.
  const TriangleMesh* triangles(unsigned part) const {
    const Part& p = parts_[part];
    if (p.kind != Part::Kind::triangles) return nullptr;
    return p.mesh != nullptr ? p.mesh : &p.own;
  }
  unsigned parts() const { return static_cast<unsigned>(parts_.size()); }

  /// The fraction of light that a part keeps from what is behind it, from 0 to 1.
  double opacity(unsigned part) const { return parts_[part].opacity; }

  /// Fetches what `refine` needs, if it is asked soon.
  void prefetch(unsigned part, unsigned primitive) const {
    const Part& p = parts_[part];
    if (p.kind == Part::Kind::triangles) __builtin_prefetch(&p.planes[primitive]);
  }
  /// Writes the color at a point of a primitive, relative to the center, where the shape has colors of its own.
  bool color(unsigned part, unsigned primitive, const Vector3d& point, Color& color) const {
    const Part& p = parts_[part];
    if (p.surface)
      color = p.surface->at(primitive, weightsAt(p, primitive, point));
    else if (!p.colors.empty())
      color = p.colors[primitive];
    return p.surface.has_value() || !p.colors.empty();
  }

 private:
  struct Plane {
    Vector3d normal;  ///< Unit; zero for triangles without area.
    double offset;    ///< normal . x, x relative to the center.
  };
  struct Ball {
    Vector3d center;
    double radius;
  };
  struct Part {
    enum class Kind { triangles, balls, solids, field };
    Kind kind = Kind::triangles;
    TriangleMesh own;                    ///< Mesh of shapes that are not meshes themselves.
    const TriangleMesh* mesh = nullptr;  ///< In the shape's frame.
    std::vector<Plane> planes;
    std::vector<Ball> balls;
    std::vector<Solid> solids;
    std::unique_ptr<const VolumeField> field;
    std::vector<Color> colors;  ///< One a primitive, or none.
    std::optional<SurfaceColors> surface;
    double opacity = 1;
    Vector3d center = Vector3d::Zero();
  };

  void place(const AxisAlignedBounds& bounds, const std::string& file);
  void finish();
  void addAppearance(const VisualMesh& mesh, double pointRadius, TextureImages::Image image);
  void addMeshParts(const VisualMesh& mesh, const VisualMeshData& data, double pointRadius, TextureImages::Image image);
  std::array<double, 3> weightsAt(const Part& part, unsigned triangle, const Vector3d& point) const;
  void add(const Geometry& geometry, double outerMargin, double pointRadius);
  void addMesh(const Geometry& geometry, TriangleMesh own, const TriangleMesh* mesh);
  void addBalls(std::vector<Ball> balls, std::vector<Color> colors);
  void addSolid(Solid solid);
  void addCloud(const Geometry& geometry, const PointCloud& cloud, double margin, double pointRadius);
  void attach(RTCGeometry geometry);
  void attachUserGeometry(Part& part, unsigned count);

  SurfacePoint refineFully(const Part& part, unsigned primitive, const Vector3d& origin, const Vector3d& direction,
                           double t) const;
  static void primitiveBounds(const RTCBoundsFunctionArguments* arguments);
  static void intersectPrimitive(const RTCIntersectFunctionNArguments* arguments);
  static void occludePrimitive(const RTCOccludedFunctionNArguments* arguments);
  static double meeting(const Part& part, unsigned primitive, const Vector3d& origin, const Vector3d& direction,
                        double near, double far);

  RTCDevice device_;
  GeometryPtr geometry_;
  RTCScene scene_ = nullptr;
  Vector3d center_ = Vector3d::Zero();
  std::vector<Part> parts_;
};

/// Throws `Error` with what Embree says when something has gone wrong since the last time.
void throwIfFailed(RTCDevice device);

}  // namespace mortise::sensors_embree
