#include "mortise/contacts/contact_surface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mortise/base/interruption.h"
#include "mortise/contacts/contact_welding.h"
#include "mortise/contacts/grid_surface.h"

namespace mortise {

namespace {

/// Making a shape of so few elements again takes less time than a contact of it.
constexpr int kFewElements = 64;

bool holdsHeightmap(const Geometry& geometry) {
  if (geometry.as<HeightmapShape>() != nullptr) return true;
  const GeometryGroup* group = geometry.as<GeometryGroup>();
  return group != nullptr && std::any_of(group->parts.begin(), group->parts.end(), [](const GeometryPtr& part) {
           return part != nullptr && holdsHeightmap(*part);
         });
}

}  // namespace

ContactSurface::ContactSurface(CollisionShapePtr shape) : ContactSurface(shape, shape->radius()) {}

ContactSurface::~ContactSurface() = default;

ContactSurface::ContactSurface(CollisionShapePtr shape, double radius) : shape_(std::move(shape)) {
  const int n = shape_->numElements();
  if (shape_->geometry()) findHeightmaps(*shape_->geometry());
  if (shape_->largeGrid() != nullptr) {
    grid_ = std::make_unique<const GridSurface>(*shape_);
    openNodeNormals();
    return;
  }
  bool triangles = false;
  for (int place = 0; place < n && !triangles; ++place) triangles = shape_->element(place).kind == CoreKind::triangle;
  if (triangles) addTriangles(radius);
  // Triangles have made their corners and edges, place by place; others come here.
  if (triangles && shape_->trianglesOnly()) return;
  std::vector<Vertex> meshVertices = std::move(vertices_);
  std::vector<Edge> meshEdges = std::move(edges_);
  std::vector<int> firstVertex = std::move(firstVertex_), firstEdge = std::move(firstEdge_);
  std::vector<int> newVertex(meshVertices.size()), newEdge(meshEdges.size());
  vertices_.clear();
  edges_.clear();
  firstVertex_.assign(1, 0);
  firstEdge_.assign(1, 0);
  firstFeature_.assign(1, 0);
  firstHullFace_.assign(1, 0);
  InterruptionPoints points;
  for (int place = 0; place < n; ++place) {
    points.pass();
    const ConvexElement element = shape_->element(place);
    int features = 0;
    if (element.kind == CoreKind::triangle) {
      for (int v = firstVertex[place]; v < firstVertex[place + 1]; ++v) {
        newVertex[v] = static_cast<int>(vertices_.size());
        vertices_.push_back(meshVertices[v]);
      }
      for (int e = firstEdge[place]; e < firstEdge[place + 1]; ++e) {
        newEdge[e] = static_cast<int>(edges_.size());
        edges_.push_back(meshEdges[e]);
      }
    } else {
      addPrimitive(place, element);
      features = element.kind == CoreKind::hull ? 3 * static_cast<int>(element.polyhedron->triangles.size()) + 1 : 16;
      if (element.kind == CoreKind::hull)
        features = std::max(features, static_cast<int>(element.polyhedron->vertices.size()));
    }
    firstVertex_.push_back(static_cast<int>(vertices_.size()));
    firstEdge_.push_back(static_cast<int>(edges_.size()));
    firstFeature_.push_back(firstFeature_.back() + features);
    firstHullFace_.push_back(static_cast<int>(hullFaces_.size()));
  }
  for (Triangle& triangle : triangles_) {
    for (int i = 0; i < 3; ++i) {
      if (triangle.vertices[i] >= 0) triangle.vertices[i] = newVertex[triangle.vertices[i]];
      if (triangle.edges[i] >= 0) triangle.edges[i] = newEdge[triangle.edges[i]];
    }
  }
}

void ContactSurface::findHeightmaps(const Geometry& geometry) {
  if (const HeightmapShape* map = geometry.as<HeightmapShape>()) upward_.push_back(map->X.R.col(2));
  if (const GeometryGroup* group = geometry.as<GeometryGroup>())
    for (const GeometryPtr& part : group->parts)
      if (part) findHeightmaps(*part);
}

void ContactSurface::addVertex(const Vector3d& p, double radius, std::span<const Vector3d> cone) {
  vertices_.push_back({p, radius, {static_cast<int>(directions_.size()), static_cast<int>(cone.size())}, {}});
  directions_.insert(directions_.end(), cone.begin(), cone.end());
}

void ContactSurface::addEdge(const Vector3d& p, const Vector3d& q, double radius, std::span<const Vector3d> cone) {
  edges_.push_back({p, q, radius, {static_cast<int>(directions_.size()), static_cast<int>(cone.size())}, {}});
  directions_.insert(directions_.end(), cone.begin(), cone.end());
}

void ContactSurface::addTriangles(double fullRadius) {
  const Welding mesh = weld(*shape_, fullRadius);
  const int n = static_cast<int>(mesh.places.size());
  std::vector<char> corner(mesh.numVertices, 0);
  for (int t = 0; t < n; ++t)
    for (int i = 0; i < 3; ++i)
      if (mesh.sharp[mesh.edges[t][i]] && mesh.vertices[t][i] != mesh.vertices[t][(i + 1) % 3])
        corner[mesh.vertices[t][i]] = corner[mesh.vertices[t][(i + 1) % 3]] = 1;

  std::vector<char> fine(mesh.numVertices, 1);
  std::vector<double> longest(mesh.numVertices, 0);
  for (int t = 0; t < n; ++t)
    for (int i = 0; i < 3; ++i) {
      const int e = mesh.edges[t][i];
      if (!mesh.sharp[e]) continue;
      for (const int v : {mesh.vertices[t][i], mesh.vertices[t][(i + 1) % 3]}) {
        fine[v] = fine[v] && mesh.fine[e];
        longest[v] = std::max(longest[v], mesh.lengths[e]);
      }
    }

  // -2: cannot touch anything.
  std::vector<int> vertexIndex(mesh.numVertices, -1), edgeIndex(mesh.numEdges, -1);
  triangles_.resize(shape_->numElements());
  firstVertex_.assign(1, 0);
  firstEdge_.assign(1, 0);
  int next = 0;
  std::vector<Vector3d> cone;
  InterruptionPoints points;
  for (int place = 0; place < shape_->numElements(); ++place) {
    points.pass();
    if (next < n && mesh.places[next] == place) {
      const int t = next++;
      const double radius = mesh.corners[t].radius;
      for (int i = 0; i < 3; ++i) {
        const int v = mesh.vertices[t][i], e = mesh.edges[t][i];
        if (vertexIndex[v] == -1 && corner[v]) {
          vertexIndex[v] = static_cast<int>(vertices_.size());
          addVertex(mesh.corner(t, i), radius, mesh.around[v]);
          Vertex& vertex = vertices_.back();
          vertex.kind = mesh.kinds[v];
          vertex.anchor = mesh.anchors[v] != 0;
          vertex.fine = fine[v] && vertex.kind == VertexKind::smooth && radius == 0;
          vertex.length = longest[v];
          const double sine = radius > 0 ? kStrict : std::max(vertex.lean(), vertex.fine ? kStrict + kFineLean : 0);
          vertex.normals = normalsOfVertex(mesh.around[v], vertex.kind, sine);
          if (vertex.normals.none()) {
            vertices_.pop_back();
            vertexIndex[v] = -2;
          }
        }
        if (edgeIndex[e] == -1 && mesh.sharp[e] && v != mesh.vertices[t][(i + 1) % 3]) {
          edgeIndex[e] = static_cast<int>(edges_.size());
          cone.clear();
          for (const int use : mesh.usesOf(e)) {
            const Vector3d inward = mesh.inward(use / 3, use % 3);
            if (inward != Vector3d::Zero()) cone.push_back(inward);
          }
          addEdge(mesh.corner(t, i), mesh.corner(t, (i + 1) % 3), radius, cone);
          Edge& edge = edges_.back();
          edge.sharp = mesh.turned[e] != 0;
          edge.fine = mesh.fine[e] != 0 && radius == 0;
          edge.normals = normalsOfEdge(edge.q - edge.p, cone, radius > 0 ? kStrict : edge.lean());
        }
      }
    }
    firstVertex_.push_back(static_cast<int>(vertices_.size()));
    firstEdge_.push_back(static_cast<int>(edges_.size()));
  }
  for (int t = 0; t < n; ++t) {
    Triangle& triangle = triangles_[mesh.places[t]];
    triangle.region = mesh.region[t];
    for (const int e : mesh.edges[t]) {
      if (!mesh.fine[e] || mesh.corners[t].radius > 0) continue;
      triangle.turn = std::max(triangle.turn, mesh.turns[e]);
      triangle.bend = std::max(triangle.bend, mesh.turns[e] / mesh.lengths[e]);
    }
    if (triangle.region >= 0) triangle.normal = mesh.regionNormals[triangle.region];
    for (int i = 0; i < 3; ++i) {
      triangle.vertices[i] = std::max(-1, vertexIndex[mesh.vertices[t][i]]);
      triangle.edges[i] = edgeIndex[mesh.edges[t][i]];
    }
  }
  if (shape_->trianglesOnly()) boundNormals();
}

ContactSurface::Place ContactSurface::boundOf(const ConvexElement& element, const Triangle& triangle) {
  Place bound;
  bound.center = (element.a + element.b + element.c) / 3;
  for (const Vector3d* p : {&element.a, &element.b, &element.c})
    bound.radius = std::max(bound.radius, (*p - bound.center).norm());
  if (triangle.region >= 0) bound.normals = NormalCone{triangle.normal, 1e-9};
  return bound;
}

void ContactSurface::Place::include(const Vertex& vertex) {
  normals.include(vertex.normals);
  coarse |= !vertex.fine;
}

void ContactSurface::Place::include(const Edge& edge) {
  normals.include(edge.normals);
  sharp |= edge.sharp;
  coarse |= !edge.fine;
}

void ContactSurface::Place::finish() {
  cosine = normals.half < 1.3 ? std::cos(normals.half) : 0;
  sine = normals.half < 1.3 ? std::sin(normals.half) : 1;
}

/// Every direction at every node: what faces what is found place by place.
void ContactSurface::openNodeNormals() {
  NormalNode open{};
  for (int k = 0; k < 8; ++k) {
    open.axis[2][k] = 1;
    open.half[k] = static_cast<float>(NormalCone::kAll);
    open.sharp[k] = 1;
    for (int leant = 0; leant < 2; ++leant) open.sine[leant][k] = 1;
  }
  nodeNormals_.assign(1, open);
}

int ContactSurface::gridFirstVertex(int place) const { return grid_->firstVertex(place); }
int ContactSurface::gridLastVertex(int place) const { return grid_->lastVertex(place); }
int ContactSurface::gridFirstEdge(int place) const { return grid_->firstEdge(place); }
int ContactSurface::gridLastEdge(int place) const { return grid_->lastEdge(place); }
const ContactSurface::Vertex& ContactSurface::gridVertex(int index) const { return grid_->vertex(index); }
const ContactSurface::Edge& ContactSurface::gridEdge(int index) const { return grid_->edge(index); }
std::span<const Vector3d> ContactSurface::gridCone(const Cone& cone) const { return grid_->cone(cone); }
const ContactSurface::Triangle& ContactSurface::gridTriangle(int place) const { return grid_->triangle(place); }
const ContactSurface::Place& ContactSurface::gridPlace(int place) const { return grid_->place(place); }

void ContactSurface::boundNormals() {
  const int n = shape_->numElements();
  places_.resize(n);
  InterruptionPoints points;
  for (int place = 0; place < n; ++place) {
    points.pass();
    Place& bound = places_[place];
    bound = boundOf(shape_->element(place), triangles_[place]);
    for (int v = firstVertex(place); v < lastVertex(place); ++v) bound.include(vertex(v));
    for (int e = firstEdge(place); e < lastEdge(place); ++e) bound.include(edge(e));
    bound.finish();
  }
  const Bvh& bvh = shape_->bvh();
  nodeNormals_.assign(bvh.numNodes(), NormalNode{});
  // Children come after their parents.
  std::vector<NormalCone> cones(8 * static_cast<std::size_t>(bvh.numNodes()));
  for (int node = bvh.numNodes() - 1; node >= 0; --node) {
    const BvhNode& boxes = bvh.nodes()[node];
    NormalNode& lanes = nodeNormals_[node];
    for (int k = 0; k < boxes.used; ++k) {
      NormalCone& cone = cones[8 * static_cast<std::size_t>(node) + k];
      bool sharp = false;
      if (boxes.leaf(k)) {
        for (int i = 0; i < boxes.count[k]; ++i) {
          cone.include(places_[boxes.firstItem(k) + i].normals);
          sharp |= places_[boxes.firstItem(k) + i].sharp;
        }
      } else {
        for (int c = 0; c < bvh.nodes()[boxes.child[k]].used; ++c) {
          cone.include(cones[8 * static_cast<std::size_t>(boxes.child[k]) + c]);
          sharp |= nodeNormals_[boxes.child[k]].sharp[c] > 0;
        }
      }
      for (int i = 0; i < 3; ++i) lanes.axis[i][k] = static_cast<float>(cone.axis[i]);
      lanes.half[k] = static_cast<float>(cone.half) * (1 + 1e-5F) + 1e-5F;
      lanes.sharp[k] = sharp ? 1 : 0;
      for (int leant = 0; leant < 2; ++leant) {
        const double half = cone.half + 1e-4 + (leant ? 1.01 * std::asin(kLean) : 0);
        lanes.cosine[leant][k] = half < 1.3 ? static_cast<float>(std::cos(half)) : 0;
        lanes.sine[leant][k] = half < 1.3 ? static_cast<float>(std::sin(half)) : 1;
      }
    }
  }
}

void ContactSurface::addPrimitive(int place, const ConvexElement& element) {
  std::vector<Vector3d> cone;
  switch (element.kind) {
    case CoreKind::point:
      addVertex(element.a, element.radius, {});
      return;
    case CoreKind::segment: {
      const Vector3d along = element.b - element.a;
      if (along.norm() > 0) cone.push_back(along.normalized());
      addVertex(element.a, element.radius, cone);
      for (Vector3d& u : cone) u = -u;
      addVertex(element.b, element.radius, cone);
      addEdge(element.a, element.b, element.radius, {});
      return;
    }
    case CoreKind::box: {
      const auto corner = [&](int v) {
        return element.X * Vector3d(v & 1 ? element.half.x() : -element.half.x(),
                                    v & 2 ? element.half.y() : -element.half.y(),
                                    v & 4 ? element.half.z() : -element.half.z());
      };
      for (int v = 0; v < 8; ++v) {
        cone.clear();
        for (int k = 0; k < 3; ++k) cone.push_back((v >> k & 1 ? -1.0 : 1.0) * element.X.R.col(k));
        addVertex(corner(v), element.radius, cone);
      }
      for (int axis = 0; axis < 3; ++axis) {
        const int u = (axis + 1) % 3, w = (axis + 2) % 3;
        for (int end = 0; end < 4; ++end) {
          const int from = (end & 1) << u | (end >> 1) << w;
          cone = {(end & 1 ? -1.0 : 1.0) * element.X.R.col(u), (end >> 1 ? -1.0 : 1.0) * element.X.R.col(w)};
          addEdge(corner(from), corner(from | 1 << axis), element.radius, cone);
        }
      }
      return;
    }
    case CoreKind::hull: {
      const ConvexPolyhedron& hull = *element.polyhedron;
      const int n = static_cast<int>(hull.triangles.size());
      for (int t = 0; t < n; ++t) {
        int face = t;
        for (int s = 0; s < t && face == t; ++s) {
          // Hulls are convex: parallel and outward is coplanar.
          if (hull.normals[s].dot(hull.normals[t]) > 1 - 1e-12) face = s;
        }
        hullFaces_.push_back(face);
      }
      for (int v = 0; v < static_cast<int>(hull.vertices.size()); ++v) {
        cone.clear();
        for (int k = hull.firstNeighbor[v]; k < hull.firstNeighbor[v + 1]; ++k)
          cone.push_back((hull.vertices[hull.neighbors[k]] - hull.vertices[v]).normalized());
        addVertex(hull.vertices[v], element.radius, cone);
      }
      for (int t = 0; t < n; ++t) {
        for (int i = 0; i < 3; ++i) {
          const int from = hull.triangles[t][i], to = hull.triangles[t][(i + 1) % 3];
          if (from > to) continue;
          for (int s = 0; s < n; ++s) {
            int side = -1;
            for (int k = 0; k < 3; ++k)
              if (hull.triangles[s][k] == to && hull.triangles[s][(k + 1) % 3] == from) side = k;
            if (side < 0 || hull.normals[s].dot(hull.normals[t]) > 1 - 1e-12) continue;
            const Vector3d along = hull.vertices[to] - hull.vertices[from];
            cone = {hull.normals[t].cross(along).normalized(), -hull.normals[s].cross(along).normalized()};
            addEdge(hull.vertices[from], hull.vertices[to], element.radius, cone);
          }
        }
      }
      return;
    }
    default:
      return;  // Smooth: contacts come from its surface.
  }
}

ContactShape::ContactShape(const CollisionShapePtr& shape) {
  if (!shape) return;
  auto source = std::make_shared<Source>();
  source->shape = shape;
  source->empty = shape->empty();
  source->bottomless = shape->geometry() && holdsHeightmap(*shape->geometry());
  source->bounds = shape->bounds();
  source_ = std::move(source);
}

ContactShape ContactShape::madeWhenNear(const CollisionShapePtr& shape) {
  ContactShape made(shape);
  if (!shape || shape->numElements() > kFewElements || shape->solid()) return made;
  auto source = std::make_shared<Source>();
  source->geometry = shape->geometry();
  source->empty = shape->empty();
  source->bounds = shape->bounds();
  made.source_ = std::move(source);
  return made;
}

const ContactSurface& ContactShape::surface() const {
  if (const ContactSurface* ready = source_->ready.load(std::memory_order_acquire)) return *ready;
  // Nobody waits for who makes it, which can be interrupted; of several that do, the first is kept.
  auto made =
      std::make_unique<const ContactSurface>(source_->shape ? source_->shape : makeCollisionShape(source_->geometry));
  std::call_once(source_->once, [&] {
    source_->surface = std::move(made);
    source_->ready.store(source_->surface.get(), std::memory_order_release);
  });
  return *source_->surface;
}

}  // namespace mortise
