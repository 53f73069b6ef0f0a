#pragma once

#include <memory>
#include <pybind11/pybind11.h>
#include <string>
#include <utility>
#include <vector>

#include "mortise/collision/query.h"
#include "mortise/collision/shape.h"
#include "mortise/geometry/geometry.h"
#include "mortise/math/transform.h"

namespace mortise {
class VolumeField;
}

/// The shape behind a `Geometry3D`: it may be exchanged, and has a place.
namespace mortise::robotsim {

class Shape : public std::enable_shared_from_this<Shape> {
 public:
  Shape() = default;
  explicit Shape(GeometryPtr geometry) : geometry_(std::move(geometry)) {}

  /// Null or empty: none.
  const GeometryPtr& geometry() const { return geometry_; }
  bool empty() const { return geometry_ == nullptr || geometry_->empty(); }
  /// Throws when there is no shape.
  const Geometry& require() const;
  void set(GeometryPtr geometry);
  void setMargin(double margin);
  double margin() const { return margin_; }
  /// Counts the changes of the shape.
  int version() const { return version_; }
  /// Prepared for queries when first asked for.
  const CollisionShape& collider() const { return *prepared(); }
  const CollisionShapePtr& prepared() const;
  /// The signed distance field that it is, prepared when first asked for.
  const VolumeField& field() const;

  RigidTransform X;
  /// The data object that a program was given last, as views of which it may write to.
  pybind11::object dataObject = pybind11::none();

 private:
  GeometryPtr geometry_;
  double margin_ = 0;
  int version_ = 0;
  mutable CollisionShapePtr collider_;
  mutable std::shared_ptr<const VolumeField> field_;
};
using ShapePtr = std::shared_ptr<Shape>;

/// Element numbers as Klamp't counts them: the part of a group, the triangle or point of anything else.
int elementNumber(const Geometry& geometry, const ElementId& id);

struct Distance {
  double d = 0;
  Vector3d p1 = Vector3d::Zero(), p2 = Vector3d::Zero(), normal = Vector3d::Zero();
  int elem1 = -1, elem2 = -1;
};
/// Throws where a shape is empty.
Distance distanceOf(const Shape& a, const Shape& b, double relativeError, double absoluteError, double upperBound);
Distance distanceOf(const Shape& a, const Vector3d& point, double upperBound);

struct Contacts {
  std::vector<double> depths;
  std::vector<Vector3d> points1, points2, normals;
  std::vector<int> elems1, elems2;
};
/// With layers of these thicknesses around the shapes. More than `maximum` (0: any number) are thinned out to those
/// that lie farthest apart.
Contacts contactsOf(const Shape& a, const Shape& b, double padding1, double padding2, int maximum);

using ElementPairs = std::pair<std::vector<int>, std::vector<int>>;
ElementPairs collidingElements(const Shape& a, const Shape& b, int maximum);
ElementPairs nearElements(const Shape& a, const Shape& b, double tolerance, int maximum);

/// Farthest point in a direction, in the world.
Vector3d supportPoint(const Shape& shape, const Vector3d& direction);
/// Returns what a plane cuts out; in the frame X_WS of the plane, whose z axis is its normal.
GeometryPtr sliceOf(const Shape& shape, const RigidTransform& X_WS, double tolerance);
/// "intersect", "touching" or "within", with ~ in front for the rest; of meshes and clouds, in the shape's own frame.
GeometryPtr regionOf(const Shape& shape, const std::string& query, const AxisAlignedBounds& box);
/// Adds another shape, placed where it is, to this one in its frame.
GeometryPtr mergedOf(const Shape& shape, const Shape& other);
/// Converts a shape to another kind, by Klamp't's names; `parameter` 0: a reasonable resolution.
GeometryPtr convertedTo(const Shape& shape, const std::string& type, double parameter);

}  // namespace mortise::robotsim
