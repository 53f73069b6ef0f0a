#include "mortise/contacts/grid_surface.h"

#include <algorithm>
#include <array>

namespace mortise {

namespace {

/// Cells along a tile's sides, and around it: what belongs to a tile depends on its neighbors.
constexpr int kTile = 32, kRing = 2;
constexpr int kElements = 2 * kTile * kTile;
/// Regions are numbered from here on in each tile, more than a tile and its ring can have.
constexpr int kRegions = 4096;
static_assert(kRegions > 2 * (kTile + 2 * kRing) * (kTile + 2 * kRing));
/// The place of features that nothing ever touches: a number is theirs, but the surface is flat there.
const Vector3d kNowhere = Vector3d::Constant(1e15);

/// Columns and rows of a triangle's corners, relative to its cell.
constexpr std::array<std::array<std::array<int, 2>, 3>, 2> kCorners = {
    {{{{0, 0}, {1, 0}, {1, 1}}}, {{{0, 0}, {1, 1}, {0, 1}}}}};

}  // namespace

struct GridSurface::Tile {
  std::vector<ContactSurface::Vertex> vertices = std::vector<ContactSurface::Vertex>(2 * kElements);
  std::vector<ContactSurface::Edge> edges = std::vector<ContactSurface::Edge>(3 * kElements);
  std::vector<ContactSurface::Triangle> triangles = std::vector<ContactSurface::Triangle>(kElements);
  std::vector<ContactSurface::Place> places = std::vector<ContactSurface::Place>(kElements);
  std::vector<std::uint8_t> numVertices = std::vector<std::uint8_t>(kElements),
                            numEdges = std::vector<std::uint8_t>(kElements);
  std::vector<Vector3d> directions;

  ContactSurface::Cone take(std::span<const Vector3d> cone, int number) {
    const ContactSurface::Cone taken{static_cast<int>(directions.size()), static_cast<int>(cone.size()), number};
    directions.insert(directions.end(), cone.begin(), cone.end());
    return taken;
  }
};

GridSurface::GridSurface(const CollisionShape& shape)
    : shape_(shape),
      map_(*shape.largeGrid()),
      tilesAcross_((map_.columns - 1 + kTile - 1) / kTile),
      owned_(static_cast<std::size_t>(tilesAcross_) * static_cast<std::size_t>((map_.rows - 1 + kTile - 1) / kTile)),
      ready_(owned_.size()) {}

GridSurface::~GridSurface() = default;

int GridSurface::tileOf(int element) const {
  const int cell = element / 2, columns = map_.columns - 1;
  return cell / columns / kTile * tilesAcross_ + cell % columns / kTile;
}

int GridSurface::within(int element) const {
  const int cell = element / 2, columns = map_.columns - 1;
  return 2 * (cell / columns % kTile * kTile + cell % columns % kTile) + element % 2;
}

const GridSurface::Tile& GridSurface::tile(int number) const {
  const auto at = static_cast<std::size_t>(number);
  if (const Tile* there = ready_[at].load(std::memory_order_acquire)) return *there;
  const std::lock_guard lock(mutex_);
  if (!owned_[at]) {
    owned_[at] = made(number);
    ready_[at].store(owned_[at].get(), std::memory_order_release);
  }
  return *owned_[at];
}

/// A corner belongs to the first triangle that has it.
int GridSurface::vertexIndex(int column, int row) const {
  const int lastColumn = map_.columns - 2, lastRow = map_.rows - 2;  // Of cells.
  const int c = std::min(column, lastColumn), r = std::min(row, lastRow);
  const int triangle = 2 * (r * (map_.columns - 1) + c) + (row > lastRow ? 1 : 0);
  // What is at the border of the grid stands first, as it is always there.
  const bool second = row > lastRow ? column > lastColumn : column == lastColumn;
  return 2 * triangle + (second ? 1 : 0);
}

/// Side k of a triangle leads from corner k to the next one.
int GridSurface::edgeIndex(int element, int side) const {
  const int columns = map_.columns - 1, cell = element / 2;
  const bool lastColumn = cell % columns == columns - 1, lastRow = cell / columns == map_.rows - 2;
  if (element % 2 == 0) {
    if (side == 0) return 3 * element + (lastColumn ? 2 : 1);
    if (side == 2) return 3 * element + (lastColumn ? 1 : 0);
    return lastColumn ? 3 * element : edgeIndex(element + 3, 2);  // The left side of the next cell.
  }
  if (side == 0) return edgeIndex(element - 1, 2);
  if (side == 2) return 3 * element + (lastRow ? 1 : 0);
  return lastRow ? 3 * element : edgeIndex(2 * (cell + columns), 0);  // The near side of the next row.
}

std::unique_ptr<GridSurface::Tile> GridSurface::made(int number) const {
  const int columns = map_.columns - 1, rows = map_.rows - 1;
  const int firstColumn = number % tilesAcross_ * kTile, firstRow = number / tilesAcross_ * kTile;
  const int fromColumn = std::max(firstColumn - kRing, 0), fromRow = std::max(firstRow - kRing, 0);
  const int toColumn = std::min(firstColumn + kTile + kRing, columns), toRow = std::min(firstRow + kTile + kRing, rows);
  const int width = toColumn - fromColumn;
  TriangleMesh mesh;
  for (int row = fromRow; row <= toRow; ++row)
    for (int column = fromColumn; column <= toColumn; ++column) mesh.vertices.push_back(map_.point(column, row));
  for (int row = 0; row < toRow - fromRow; ++row)
    for (int column = 0; column < width; ++column) {
      const int a = row * (width + 1) + column, d = a + width + 2;
      mesh.triangles.push_back({a, a + 1, d});
      mesh.triangles.push_back({a, d, d - 1});
    }
  const auto near = std::make_shared<const CollisionShape>(
      std::make_shared<const Geometry>(std::move(mesh), shape_.sweep(), shape_.geometry()->file()));
  const ContactSurface surface(near, shape_.radius());

  auto tile = std::make_unique<Tile>();
  for (ContactSurface::Vertex& vertex : tile->vertices) vertex.p = kNowhere;
  for (ContactSurface::Edge& edge : tile->edges) edge.p = edge.q = kNowhere;
  for (int place = 0; place < near->numElements(); ++place) {
    const int index = near->id(place).index;
    const int column = fromColumn + index / 2 % width, row = fromRow + index / 2 / width;
    if (column < firstColumn || row < firstRow || column >= firstColumn + kTile || row >= firstRow + kTile) continue;
    const int element = 2 * (row * columns + column) + index % 2;
    const auto here = static_cast<std::size_t>(within(element));
    const ContactSurface::Triangle& found = surface.triangle(place);
    ContactSurface::Triangle& triangle = tile->triangles[here];
    ContactSurface::Place& bound = tile->places[here];
    triangle = found;
    if (found.region >= 0) triangle.region = number * kRegions + found.region;
    bound = ContactSurface::boundOf(near->element(place), triangle);
    for (std::size_t k = 0; k < 3; ++k) {
      if (found.vertices[k] >= 0) {
        const auto& corner = kCorners[static_cast<std::size_t>(element % 2)][k];
        const int vertex = triangle.vertices[k] = vertexIndex(column + corner[0], row + corner[1]);
        if (vertex / 2 == element) {
          ContactSurface::Vertex& own = tile->vertices[2 * here + static_cast<std::size_t>(vertex % 2)];
          own = surface.vertex(found.vertices[k]);
          own.cone = tile->take(surface.cone(own.cone), number);
          bound.include(own);
          tile->numVertices[here] = std::max(tile->numVertices[here], static_cast<std::uint8_t>(vertex % 2 + 1));
        }
      }
      if (found.edges[k] >= 0) {
        const int edge = triangle.edges[k] = edgeIndex(element, static_cast<int>(k));
        if (edge / 3 == element) {
          ContactSurface::Edge& own = tile->edges[3 * here + static_cast<std::size_t>(edge % 3)];
          own = surface.edge(found.edges[k]);
          own.cone = tile->take(surface.cone(own.cone), number);
          bound.include(own);
          tile->numEdges[here] = std::max(tile->numEdges[here], static_cast<std::uint8_t>(edge % 3 + 1));
        }
      }
    }
    bound.finish();
  }
  return tile;
}

int GridSurface::lastVertex(int place) const {
  const int e = element(place);
  return 2 * e + tile(tileOf(e)).numVertices[static_cast<std::size_t>(within(e))];
}

int GridSurface::lastEdge(int place) const {
  const int e = element(place);
  return 3 * e + tile(tileOf(e)).numEdges[static_cast<std::size_t>(within(e))];
}

const ContactSurface::Vertex& GridSurface::vertex(int index) const {
  return tile(tileOf(index / 2)).vertices[static_cast<std::size_t>(2 * within(index / 2) + index % 2)];
}

const ContactSurface::Edge& GridSurface::edge(int index) const {
  return tile(tileOf(index / 3)).edges[static_cast<std::size_t>(3 * within(index / 3) + index % 3)];
}

std::span<const Vector3d> GridSurface::cone(const ContactSurface::Cone& cone) const {
  if (cone.tile < 0) return {};
  return {tile(cone.tile).directions.data() + cone.first, static_cast<std::size_t>(cone.count)};
}

const ContactSurface::Triangle& GridSurface::triangle(int place) const {
  const int e = element(place);
  return tile(tileOf(e)).triangles[static_cast<std::size_t>(within(e))];
}

const ContactSurface::Place& GridSurface::place(int place) const {
  const int e = element(place);
  return tile(tileOf(e)).places[static_cast<std::size_t>(within(e))];
}

}  // namespace mortise
