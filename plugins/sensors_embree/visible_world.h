#pragma once

#include <embree3/rtcore.h>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "mortise/component/sensor.h"
#include "shapes/visible_shape.h"

namespace mortise::sensors_embree {

/// Rays that are followed together.
constexpr int kPacket = 16;

/// Rays from the eye, along directions of any length but zero, in the world's axes.
struct RayPacket {
  alignas(64) double x[kPacket], y[kPacket], z[kPacket];
  alignas(64) int valid[kPacket];  ///< -1 for rays that count, 0 for others.
};

struct PacketHits {
  double t[kPacket];            ///< In lengths of the directions; infinite where nothing is hit.
  float slope[kPacket];         ///< Unit normal times direction; its sign says nothing.
  const Color* color[kPacket];  ///< Null where nothing is hit.
  Color own[kPacket];           ///< What `color` may point to.
};

/// Everything in a world that rays can hit, at its current place. Single precision finds what a ray hits, about an
/// anchor near the eye, so that it does not matter where in the world that is; where it is hit is worked out in double
/// precision. Belongs to one sensor.
class VisibleWorld {
 public:
  VisibleWorld();
  ~VisibleWorld();
  VisibleWorld(const VisibleWorld&) = delete;
  VisibleWorld& operator=(const VisibleWorld&) = delete;

  /// The shapes that are seen: visual ones (`currentVisualFiles`), or those that collide.
  enum class Shapes { visual, collision };
  /// Makes the shapes; those that it has from before are kept. `robot` and `link` name a link that is left out, unless
  /// `link` is negative. Throws `Error` for shapes that cannot be seen.
  void start(const World& world, int robot, int link, double pointRadius, Shapes shapes, Host& host);

  /// Everything to where it is now, and the eye to `eye` (world frame, m). What is nowhere (a pose that is not finite)
  /// is not seen. Allocates nothing of our own.
  void update(const SimulationView& view, const Vector3d& eye);

  /// Finds what the rays hit first with t > `near`. Any number of threads may call this at a time.
  void cast(const RayPacket& rays, float near, PacketHits& hits) const;

 private:
  struct Body {
    enum class Kind { terrain, object, link } kind;
    int index, link;  ///< Index of the robot, for a link.
    std::shared_ptr<const VisibleShape> shape;
    Color color;
    bool present = true;
    bool placed = false;    ///< Embree knows `floats`.
    float floats[12] = {};  ///< Pose relative to the anchor, column by column.
    Matrix3d toBody = {};   ///< Inverse of the rotation.
    Vector3d eye = {};      ///< In the body's frame, relative to the shape's center.
  };

  void addAppearances(const World& world, double pointRadius, Host& host);
  void addBody(Body::Kind kind, int index, int link, const GeometryPtr& geometry, const Color& color,
               double pointRadius);
  void addBody(Body::Kind kind, int index, int link, std::shared_ptr<const VisibleShape> shape, const Color& color);
  void releaseScene();

  RTCDevice device_;
  RTCScene scene_ = nullptr;
  std::vector<Body> bodies_;
  /// By what stands for the shape and its thickness; looked up, never walked through.
  using ShapeKey = std::pair<const void*, std::pair<double, double>>;
  std::map<ShapeKey, std::shared_ptr<const VisibleShape>> shapes_, oldShapes_;
  float eye_[3] = {};  ///< Relative to the anchor.
};

}  // namespace mortise::sensors_embree
