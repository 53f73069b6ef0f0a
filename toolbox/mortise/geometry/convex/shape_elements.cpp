#include "mortise/geometry/convex/shape_elements.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>

#include "mortise/base/error.h"
#include "mortise/base/interruption.h"
#include "mortise/base/overloaded.h"
#include "mortise/geometry/convex/polygon.h"

namespace mortise {

namespace {

std::string described(const Vector3d& v) {
  return "(" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) + ")";
}

class Collector {
 public:
  explicit Collector(ShapeElements& result) : result_(result) {}

  void add(const Geometry& geometry, double outerMargin) {
    where_.file = geometry.file();
    const double margin = geometry.margin() + outerMargin;
    if (!(margin >= 0) || !std::isfinite(margin))
      fail("the margin is " + std::to_string(margin) + " m", "give a margin of zero or more");
    std::visit(
        Overloaded{
            [](std::monostate) {}, [&](const PointShape& s) { put(ConvexElement::point(checked(s.point), margin)); },
            [&](const SegmentShape& s) { put(ConvexElement::segment(checked(s.a), checked(s.b), margin)); },
            [&](const TriangleShape& s) {
              put(ConvexElement::triangle(checked(s.a), checked(s.b), checked(s.c), margin));
            },
            [&](const PolygonShape& s) { polygon(s, margin); },
            [&](const SphereShape& s) {
              put(ConvexElement::point(checked(s.center), size(s.radius, "radius of the sphere") + margin));
            },
            [&](const AxisAlignedBoxShape& s) {
              const Vector3d half = 0.5 * (checked(s.max) - checked(s.min));
              for (int i = 0; i < 3; ++i) size(half[i], "size of the box");
              put(ConvexElement::box(RigidTransform::translation(0.5 * (s.min + s.max)), half, margin));
            },
            [&](const BoxShape& s) {
              for (int i = 0; i < 3; ++i) size(s.size[i], "size of the box");
              pose(s.X);
              put(ConvexElement::box(s.X * RigidTransform::translation(0.5 * s.size), 0.5 * s.size, margin));
            },
            [&](const EllipsoidShape& s) {
              for (int i = 0; i < 3; ++i) size(s.radii[i], "semi-axis of the ellipsoid");
              pose(s.X);
              put(ConvexElement::ellipsoid(s.X, s.radii, margin));
            },
            [&](const CylinderShape& s) {
              const double half = 0.5 * size(s.height, "height of the cylinder");
              if (!(checked(s.axis).norm() > 0)) fail("the cylinder's axis has no length", "give a unit vector");
              put(ConvexElement::cylinder(frameAlong(s.axis, checked(s.base) + half * s.axis.normalized()),
                                          size(s.radius, "radius of the cylinder"), half, margin));
            },
            [&](const CapsuleShape& s) {
              put(ConvexElement::segment(checked(s.a), checked(s.b), size(s.radius, "radius of the capsule") + margin));
            },
            [&](const TriangleMesh& s) { mesh(s, margin); },
            [&](const ConvexHullShape& s) {
              if (s.points.empty()) return;
              for (std::size_t i = 0; i < s.points.size(); ++i) vertex(s.points, i, "point");
              result_.polyhedra.push_back(ConvexPolyhedron::of(s.points));
              put(ConvexElement::hull(&result_.polyhedra.back(), margin));
            },
            [&](const PointCloud& s) { cloud(s, margin); }, [&](const HeightmapShape& s) { mesh(s.surface(), margin); },
            [&](const GeometryGroup& s) {
              for (const GeometryPtr& part : s.parts)
                if (part) add(*part, margin);
              where_.file = geometry.file();
            },
            [](const ImplicitSurfaceShape&) {},
            [&](const OccupancyGridShape& s) {
              for (const ConvexElement& box : occupiedBoxes(s, margin)) put(box);
            }},
        geometry.data());
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& hint) const { throw Error(what, where_, hint); }

  void put(const ConvexElement& element) { result_.elements.push_back(element); }

  const Vector3d& checked(const Vector3d& v) const {
    if (!v.allFinite()) fail("a coordinate of the shape is not finite: " + described(v), "repair the file");
    return v;
  }
  void pose(const RigidTransform& X) const {
    if (!X.allFinite()) fail("the pose of the shape is not finite", "repair the file");
  }
  double size(double value, const char* what) const {
    if (!(value >= 0) || !std::isfinite(value))
      fail("the " + std::string(what) + " is " + std::to_string(value), "give a finite number of zero or more");
    return value;
  }
  const Vector3d& vertex(const std::vector<Vector3d>& points, std::size_t i, const char* what) const {
    if (!points[i].allFinite())
      fail(std::string(what) + " " + std::to_string(i) + " is not finite: " + described(points[i]),
           "repair the file or leave it out");
    return points[i];
  }

  void mesh(const TriangleMesh& s, double margin) {
    result_.elements.reserve(result_.elements.size() + s.triangles.size());
    InterruptionPoints points;
    for (std::size_t i = 0; i < s.triangles.size(); ++i) {
      points.pass();
      for (const int corner : s.triangles[i])
        if (corner < 0 || static_cast<std::size_t>(corner) >= s.vertices.size())
          fail("triangle " + std::to_string(i) + " names vertex " + std::to_string(corner) + "; there are " +
                   std::to_string(s.vertices.size()),
               "repair the mesh");
      const auto corner = [&](std::size_t k) -> const Vector3d& {
        return vertex(s.vertices, static_cast<std::size_t>(s.triangles[i][k]), "vertex");
      };
      put(ConvexElement::triangle(corner(0), corner(1), corner(2), margin));
    }
  }

  void polygon(const PolygonShape& s, double margin) {
    for (std::size_t i = 0; i < s.vertices.size(); ++i) vertex(s.vertices, i, "corner");
    if (s.vertices.size() == 1) return put(ConvexElement::point(s.vertices[0], margin));
    if (s.vertices.size() == 2) return put(ConvexElement::segment(s.vertices[0], s.vertices[1], margin));
    for (const auto& t : triangulatePolygon(s.vertices))
      put(ConvexElement::triangle(s.vertices[static_cast<std::size_t>(t[0])],
                                  s.vertices[static_cast<std::size_t>(t[1])],
                                  s.vertices[static_cast<std::size_t>(t[2])], margin));
  }

  void cloud(const PointCloud& s, double margin) {
    const PointCloud::Property* radii = s.property("radius");
    if (radii && radii->values.size() != s.points.size())
      fail("the cloud has " + std::to_string(s.points.size()) + " points and " + std::to_string(radii->values.size()) +
               " radii",
           "give one radius for each point");
    result_.elements.reserve(result_.elements.size() + s.points.size());
    for (std::size_t i = 0; i < s.points.size(); ++i)
      put(ConvexElement::point(vertex(s.points, i, "point"),
                               margin + (radii ? size(radii->values[i], "radius of a point") : 0)));
  }

  ShapeElements& result_;
  SourcePosition where_;
};

}  // namespace

ShapeElements shapeElements(const Geometry& geometry) {
  ShapeElements result;
  Collector(result).add(geometry, 0);
  return result;
}

RigidTransform frameAlong(const Vector3d& axis, const Vector3d& origin) {
  RigidTransform X;
  const Vector3d z = axis.normalized(), x = z.unitOrthogonal();
  X.R.col(0) = x;
  X.R.col(1) = z.cross(x);
  X.R.col(2) = z;
  X.p = origin;
  return X;
}

namespace {

struct CellRange {
  int low[3], high[3];  ///< Cells, the last one included.
};

/// Lets what covers the same cells one slice earlier, one of `below`, grow in place of the boxes of `layer`, which
/// stand at the end and so go without a gap. Returns the boxes that end in slice `i`.
std::vector<std::size_t> mergeSlices(int i, const std::vector<std::size_t>& layer,
                                     const std::vector<std::size_t>& below, std::vector<CellRange>& merged) {
  std::vector<std::size_t> kept;
  std::vector<CellRange> fresh;
  const std::size_t first = layer.empty() ? merged.size() : layer.front();
  for (const std::size_t at : layer) {
    const CellRange& r = merged[at];
    const auto same = std::find_if(below.begin(), below.end(), [&](std::size_t old) {
      const CellRange& o = merged[old];
      return o.low[1] == r.low[1] && o.high[1] == r.high[1] && o.low[2] == r.low[2] && o.high[2] == r.high[2];
    });
    if (same != below.end()) {
      merged[*same].high[0] = i;
      kept.push_back(*same);
    } else {
      kept.push_back(first + fresh.size());
      fresh.push_back(r);
    }
  }
  merged.resize(first);
  merged.insert(merged.end(), fresh.begin(), fresh.end());
  return kept;
}

}  // namespace

std::vector<ConvexElement> occupiedBoxes(const OccupancyGridShape& shape, double margin) {
  const VolumeGrid& grid = shape.grid;
  const int nx = grid.cells[0], ny = grid.cells[1], nz = grid.cells[2];
  std::vector<CellRange> merged;
  std::vector<std::size_t> layer, below;  // Boxes that end in the slice i, and in the slice before it.
  for (int i = 0; i < nx; ++i) {
    layer.clear();
    std::vector<std::size_t> row, before;  // Runs of the row j, and of the row before it.
    for (int j = 0; j < ny; ++j) {
      row.clear();
      for (int k = 0; k < nz; ++k) {
        if (!shape.occupied(i, j, k)) continue;
        int end = k;
        while (end + 1 < nz && shape.occupied(i, j, end + 1)) ++end;
        const auto same = std::find_if(before.begin(), before.end(), [&](std::size_t at) {
          return merged[at].low[2] == k && merged[at].high[2] == end && merged[at].high[1] == j - 1;
        });
        if (same != before.end()) {
          merged[*same].high[1] = j;
          row.push_back(*same);
        } else {
          row.push_back(merged.size());
          layer.push_back(merged.size());
          merged.push_back({{i, j, k}, {i, j, end}});
        }
        k = end;
      }
      before = row;
    }
    below = mergeSlices(i, layer, below, merged);
  }
  std::vector<ConvexElement> boxes;
  boxes.reserve(merged.size());
  const Vector3d cell = grid.cellSize();
  for (const CellRange& r : merged) {
    const Vector3d low = grid.min + cell.cwiseProduct(Vector3d(r.low[0], r.low[1], r.low[2]));
    const Vector3d high = grid.min + cell.cwiseProduct(Vector3d(r.high[0] + 1, r.high[1] + 1, r.high[2] + 1));
    boxes.push_back(
        ConvexElement::box(grid.X * RigidTransform::translation(0.5 * (low + high)), 0.5 * (high - low), margin));
  }
  return boxes;
}

}  // namespace mortise
