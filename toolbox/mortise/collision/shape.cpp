#include "mortise/collision/shape.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/base/interruption.h"
#include "mortise/collision/interruptible_sort.h"
#include "mortise/collision/ray_hierarchy.h"
#include "mortise/collision/volume/volume_field.h"
#include "mortise/geometry/convex/shape_elements.h"
#include "mortise/geometry/grids/implicit_mesh.h"

namespace mortise {

/// Elements as they come, before the hierarchy gives them their places.
struct CollisionShape::Gathering {
  std::vector<ConvexElement> elements;
  std::vector<ElementId> ids;
  std::vector<Vector3d> points;  ///< Points whose hull, swept, holds the element.
  std::vector<BvhItem> items;

  void add(const ConvexElement& element, ElementId id) {
    const auto first = static_cast<int>(points.size());
    switch (element.kind) {
      case CoreKind::point:
        points.push_back(element.a);
        break;
      case CoreKind::segment:
        points.insert(points.end(), {element.a, element.b});
        break;
      case CoreKind::triangle:
        points.insert(points.end(), {element.a, element.b, element.c});
        break;
      case CoreKind::hull:
        points.insert(points.end(), element.polyhedron->vertices.begin(), element.polyhedron->vertices.end());
        break;
      default:  // The box around it along its own axes.
        for (int k = 0; k < 8; ++k)
          points.push_back(element.X * Vector3d((k & 1) != 0 ? element.half[0] : -element.half[0],
                                                (k & 2) != 0 ? element.half[1] : -element.half[1],
                                                (k & 4) != 0 ? element.half[2] : -element.half[2]));
    }
    items.push_back({first, static_cast<int>(points.size()) - first, element.radius});
    elements.push_back(element);
    ids.push_back(id);
  }
};

struct CollisionShape::LazyRays {
  std::once_flag once;
  std::unique_ptr<const RayHierarchy> rays;
  std::atomic<const RayHierarchy*> ready = nullptr;  ///< The same, without the price of asking the flag.
};

namespace {

constexpr double kLargest = 1e60;
/// Heightmaps of more cells are prepared as the grids that they are; smaller ones like any mesh, whose boxes fit
/// closer.
constexpr std::int64_t kManyCells = 128 * 128;
/// The number of cells beyond which nothing is prepared: some 130 bytes are needed for each.
constexpr std::int64_t kMaxCells = 4'000'000;

std::int64_t cellsOf(const HeightmapShape& map) {
  return static_cast<std::int64_t>(std::max(map.columns - 1, 0)) * std::max(map.rows - 1, 0);
}

void refuseTooLarge(const HeightmapShape& map, const std::string& file) {
  if (cellsOf(map) <= kMaxCells) return;
  SourcePosition where;
  where.file = file;
  throw Error("a heightmap of " + std::to_string(map.columns) + " x " + std::to_string(map.rows) + " points has " +
                  std::to_string(cellsOf(map)) + " cells; collisions are computed with up to " +
                  std::to_string(kMaxCells),
              where, "make the image smaller, or cut it into several terrains");
}

/// On or below the triangles of the surface; the point is in the grid's frame.
bool belowHeightmap(const HeightmapShape& map, const Vector3d& p) {
  if (map.columns < 2 || map.rows < 2) return false;
  const double x = (p[0] / map.size[0] + 0.5) * (map.columns - 1), y = (p[1] / map.size[1] + 0.5) * (map.rows - 1);
  if (!(x >= 0 && y >= 0 && x <= map.columns - 1 && y <= map.rows - 1)) return false;
  const int i = std::min(static_cast<int>(x), map.columns - 2), j = std::min(static_cast<int>(y), map.rows - 2);
  const double u = x - i, v = y - j;
  const auto height = [&](int column, int row) {
    return map.heights[static_cast<std::size_t>(row) * map.columns + column];
  };
  const double h00 = height(i, j), h10 = height(i + 1, j), h01 = height(i, j + 1), h11 = height(i + 1, j + 1);
  return p[2] <= (v <= u ? h00 + u * (h10 - h00) + v * (h11 - h10) : h00 + v * (h01 - h00) + u * (h11 - h01));
}

}  // namespace

void CollisionShape::gather(const GeometryPtr& shape, double margin, int& part, Gathering& out) {
  if (const auto* group = shape->as<GeometryGroup>()) {
    for (const GeometryPtr& child : group->parts)
      if (child != nullptr) gather(child, margin + shape->margin(), part, out);
    return;
  }
  GeometryPtr solid = shape;
  if (const auto* surface = shape->as<ImplicitSurfaceShape>()) {
    // Its numbers are checked there.
    fields_.push_back(std::make_unique<const VolumeField>(*surface, margin + shape->margin()));
    solid = std::make_shared<const Geometry>(implicitSurfaceMesh(*surface), shape->margin(), shape->file());
  } else if (shape->as<HeightmapShape>() != nullptr) {
    refuseTooLarge(*shape->as<HeightmapShape>(), shape->file());
    heightmaps_.push_back(shape);
  } else if (shape->as<TriangleMesh>() != nullptr) {
    meshParts_.push_back({part, false});
  }
  ShapeElements made = shapeElements(*solid->withMargin(margin + shape->margin()));
  const auto& elements = made.elements;
  InterruptionPoints points;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    points.pass();
    const AxisAlignedBounds box = elementBounds(elements[i]);
    if (box.min.minCoeff() < -kLargest || box.max.maxCoeff() > kLargest) {
      SourcePosition where;
      where.file = shape->file();
      throw Error("element " + std::to_string(i) + " of a shape reaches beyond 1e60 m", where,
                  "exact queries need smaller numbers; check the shape's unit");
    }
    out.add(elements[i], {part, static_cast<int>(i)});
  }
  // Moving keeps the polyhedra where they are.
  if (!made.polyhedra.empty()) polyhedra_.push_back(std::move(made.polyhedra));
  ++part;
}

CollisionShape::CollisionShape(GeometryPtr geometry, const CollisionShapeOptions& options)
    : geometry_(geometry != nullptr ? std::move(geometry) : std::make_shared<const Geometry>()),
      lazyRays_(std::make_unique<LazyRays>()) {
  if (const auto* map = geometry_->as<HeightmapShape>();
      map != nullptr && cellsOf(*map) > kManyCells &&
      map->heights.size() == static_cast<std::size_t>(map->columns) * static_cast<std::size_t>(map->rows)) {
    takeGrid(*map);
    return;
  }
  Gathering all;
  int part = 0;
  gather(geometry_, 0, part, all);
  bvh_.build(all.points, all.items, std::max(1, options.leafSize));
  const std::size_t n = all.elements.size();
  packed_ = n > 0;
  for (const ConvexElement& element : all.elements)
    packed_ = packed_ && element.kind == all.elements[0].kind && element.radius == all.elements[0].radius &&
              (element.kind == CoreKind::triangle || element.kind == CoreKind::point);
  if (packed_) {
    kind_ = all.elements[0].kind;
    sweep_ = all.elements[0].radius;
  }
  ids_.reserve(n);
  if (packed_)
    coordinates_.reserve(n * (kind_ == CoreKind::point ? 3 : 9));
  else
    elements_.reserve(n);
  InterruptionPoints points;
  for (const int i : bvh_.order()) {
    points.pass();
    const ConvexElement& element = all.elements[i];
    ids_.push_back(all.ids[i]);
    if (!packed_) {
      elements_.push_back(element);
    } else {
      coordinates_.insert(coordinates_.end(), element.a.data(), element.a.data() + 3);
      if (kind_ == CoreKind::triangle) {
        coordinates_.insert(coordinates_.end(), element.b.data(), element.b.data() + 3);
        coordinates_.insert(coordinates_.end(), element.c.data(), element.c.data() + 3);
      }
    }
    const AxisAlignedBounds box = elementBounds(element);
    bounds_.include(box.min);
    bounds_.include(box.max);
  }
  findPieces();
}

void CollisionShape::takeGrid(const HeightmapShape& map) {
  refuseTooLarge(map, geometry_->file());
  for (int row = 0; row < map.rows; ++row)
    for (int column = 0; column < map.columns; ++column) {
      const Vector3d p = map.point(column, row);
      if (!p.allFinite() || p.cwiseAbs().maxCoeff() > kLargest) {
        SourcePosition where;
        where.file = geometry_->file();
        throw Error("point (" + std::to_string(column) + ", " + std::to_string(row) +
                        ") of a heightmap is not finite or beyond 1e60 m",
                    where, "repair the file, or check the shape's unit");
      }
      bounds_.include(Vector3d(p.array() - geometry_->margin()));
      bounds_.include(Vector3d(p.array() + geometry_->margin()));
    }
  grid_ = packed_ = true;
  kind_ = CoreKind::triangle;
  sweep_ = geometry_->margin();
  heightmaps_.push_back(geometry_);
  bvh_.buildGrid(map, sweep_);
  coordinates_.resize(9 * bvh_.order().size());
  double* to = coordinates_.data();
  const int cells = map.columns - 1;
  for (const int item : bvh_.order()) {
    const int column = item / 2 % cells, row = item / 2 / cells;
    const bool lower = item % 2 == 0;
    for (const Vector3d& corner : {map.point(column, row), map.point(column + 1, lower ? row : row + 1),
                                   map.point(lower ? column + 1 : column, row + 1)})
      to = std::copy_n(corner.data(), 3, to);
  }
  pieces_ = {0};  // Every cell touches its neighbors.
}

void CollisionShape::findPieces() {
  // Triangles that share a corner are connected; corners at the same place are one.
  struct Corner {
    std::array<double, 3> p;
    int place, k;
    bool operator<(const Corner& other) const {
      return std::tie(p, place, k) < std::tie(other.p, other.place, other.k);
    }
  };
  const int n = numElements();
  std::vector<Corner> corners;
  InterruptionPoints points;
  for (int place = 0; place < n; ++place) {
    points.pass();
    const ConvexElement e = element(place);
    if (e.kind != CoreKind::triangle) continue;
    int k = 0;
    for (const Vector3d* v : {&e.a, &e.b, &e.c})
      corners.push_back({{(*v)[0] + 0.0, (*v)[1] + 0.0, (*v)[2] + 0.0}, place, k++});
  }
  sortInterruptibly(corners);
  std::vector<int> root(static_cast<std::size_t>(n));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  std::vector<std::array<int, 3>> vertices(static_cast<std::size_t>(n), {-1, -1, -1});
  int vertex = -1;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    points.pass();
    const bool first = i == 0 || corners[i].p != corners[i - 1].p;
    if (first) ++vertex;
    vertices[corners[i].place][corners[i].k] = vertex;
    if (!first && ids_[corners[i].place].part == ids_[corners[i - 1].place].part) {
      const int a = find(corners[i].place), b = find(corners[i - 1].place);
      root[std::max(a, b)] = std::min(a, b);
    }
  }
  for (int place = 0; place < n; ++place)
    if (find(place) == place) pieces_.push_back(place);
  // Closed where the directed edges of the part pair up.
  if (meshParts_.empty()) return;
  std::vector<std::array<int, 4>> edges;  // Part, lower and upper vertex, +1 or -1.
  for (int place = 0; place < n; ++place) {
    points.pass();
    const auto& v = vertices[place];
    for (int k = 0; k < 3 && v[0] >= 0; ++k) {
      const int a = v[k], b = v[(k + 1) % 3];
      if (a != b) edges.push_back({ids_[place].part, std::min(a, b), std::max(a, b), a < b ? 1 : -1});
    }
  }
  sortInterruptibly(edges);
  std::vector<int> open;
  for (std::size_t i = 0; i < edges.size();) {
    int sum = 0;
    std::size_t j = i;
    for (; j < edges.size() && std::equal(edges[i].begin(), edges[i].begin() + 3, edges[j].begin()); ++j)
      sum += edges[j][3];
    if (sum != 0 && (open.empty() || open.back() != edges[i][0])) open.push_back(edges[i][0]);
    i = j;
  }
  for (MeshPart& part : meshParts_) part.closed = !std::binary_search(open.begin(), open.end(), part.part);
}

bool CollisionShape::insideSolid(const Vector3d& point) const {
  for (const auto& field : fields_)
    if (field->contains(point)) return true;
  for (const GeometryPtr& part : heightmaps_) {
    const auto& map = *part->as<HeightmapShape>();
    if (belowHeightmap(map, map.X.inverse() * point)) return true;
  }
  return false;
}

CollisionShape::~CollisionShape() = default;

ConvexElement CollisionShape::element(int place) const {
  if (!packed_) return elements_[place];
  if (kind_ == CoreKind::point) {
    const double* p = coordinates_.data() + 3 * static_cast<std::size_t>(place);
    return ConvexElement::point({p[0], p[1], p[2]}, sweep_);
  }
  const double* t = triangle(place);
  return ConvexElement::triangle({t[0], t[1], t[2]}, {t[3], t[4], t[5]}, {t[6], t[7], t[8]}, sweep_);
}

const RayHierarchy& CollisionShape::rays() const {
  if (const RayHierarchy* ready = lazyRays_->ready.load(std::memory_order_acquire)) return *ready;
  // Nobody waits for who builds it, which can be interrupted; of several that do, the first is kept.
  auto built = std::make_unique<const RayHierarchy>(*this);
  std::call_once(lazyRays_->once, [&] {
    lazyRays_->rays = std::move(built);
    lazyRays_->ready.store(lazyRays_->rays.get(), std::memory_order_release);
  });
  return *lazyRays_->rays;
}

CollisionShapePtr makeCollisionShape(const GeometryPtr& geometry, const CollisionShapeOptions& options) {
  return std::make_shared<const CollisionShape>(geometry, options);
}

}  // namespace mortise
