#include "collision/collider.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "collision/ode_convert.h"
#include "mortise/base/error.h"
#include "mortise/geometry/convex/convex_hull.h"
#include "mortise/geometry/convex/mesh_recognition.h"
#include "mortise/math/rotation.h"

namespace mortise::ode {

namespace {

// Points, segments and point clouds without a margin still need a size.
constexpr double kPointRadius = 1e-3;
constexpr unsigned long kMoving = 1, kFixed = 2;

Matrix3d frameWithZ(const Vector3d& axis) {
  Matrix3d R;
  R.col(2) = axis.normalized();
  R.col(0) = R.col(2).unitOrthogonal();
  R.col(1) = R.col(2).cross(R.col(0));
  return R;
}

/// A sphere of triangles from an octahedron, 512 triangles, stretched to the semi-axes.
TriangleMesh ellipsoidMesh(const EllipsoidShape& shape) {
  std::vector<Vector3d> vertices = {Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitZ()};
  for (int i = 0; i < 3; ++i) vertices.push_back(-vertices[i]);
  std::vector<std::array<int, 3>> triangles = {{0, 1, 2}, {1, 3, 2}, {3, 4, 2}, {4, 0, 2},
                                               {1, 0, 5}, {3, 1, 5}, {4, 3, 5}, {0, 4, 5}};
  for (int level = 0; level < 3; ++level) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [it, inserted] = middles.try_emplace(std::minmax(a, b), static_cast<int>(vertices.size()));
      if (inserted) vertices.push_back((vertices[a] + vertices[b]).normalized());
      return it->second;
    };
    std::vector<std::array<int, 3>> finer;
    for (const auto& t : triangles) {
      const int a = middle(t[0], t[1]), b = middle(t[1], t[2]), c = middle(t[2], t[0]);
      finer.insert(finer.end(), {{t[0], a, c}, {a, t[1], b}, {c, b, t[2]}, {a, b, c}});
    }
    triangles = std::move(finer);
  }
  for (Vector3d& v : vertices) v = shape.X * Vector3d(v.cwiseProduct(shape.radii));
  return {std::move(vertices), std::move(triangles)};
}

TriangleMesh polygonMesh(const std::vector<Vector3d>& corners) {
  TriangleMesh mesh;
  mesh.vertices = corners;
  for (int i = 1; i + 1 < static_cast<int>(corners.size()); ++i) mesh.triangles.push_back({0, i, i + 1});
  return mesh;
}

}  // namespace

MeshData::MeshData(const TriangleMesh& mesh) {
  vertices_.reserve(3 * mesh.vertices.size());
  for (const Vector3d& v : mesh.vertices) {
    if (!v.allFinite()) throw Error("a mesh vertex is not a finite number");
    vertices_.insert(vertices_.end(), {v.x(), v.y(), v.z()});
  }
  // Triangles without area have no normal and only disturb the collider.
  for (const auto& t : mesh.triangles) {
    const Vector3d ab = mesh.vertices[t[1]] - mesh.vertices[t[0]], ac = mesh.vertices[t[2]] - mesh.vertices[t[0]];
    if (ab.cross(ac).norm() <= 1e-12 * (ab.squaredNorm() + ac.squaredNorm())) continue;
    for (int v : t) indices_.push_back(static_cast<dTriIndex>(v));
  }
  if (indices_.empty()) throw Error("a mesh has no triangle with an area");

  id_ = dGeomTriMeshDataCreate();
  dGeomTriMeshDataBuildDouble(id_, vertices_.data(), 3 * sizeof(double), static_cast<int>(vertices_.size() / 3),
                              indices_.data(), static_cast<int>(indices_.size()), 3 * sizeof(dTriIndex));
}

MeshData::~MeshData() { dGeomTriMeshDataDestroy(id_); }

struct ColliderSet::Target {
  int body;
  int id;
  dBodyID odeBody;
  const SceneBody& description;
  double padding;  ///< Padding of the surface, without the geometry's own margin.
};

ColliderSet::ColliderSet() = default;

ColliderSet::~ColliderSet() {
  for (const Collider& collider : colliders_) dGeomDestroy(collider.geom);
  if (space_ != nullptr) dSpaceDestroy(space_);
}

void ColliderSet::add(const SceneBody& body, int index, dBodyID odeBody, const std::vector<Surface>& surfaces) {
  for (const SceneShape& shape : body.shapes) {
    if (!shape.geometry || shape.geometry->empty()) continue;
    // A shape that is shrunk by its padding first ends up at its own size.
    const bool known = shape.id >= 0 && shape.id < static_cast<int>(surfaces.size());
    const double padding = known ? surfaces[shape.id].standout() : 0;
    try {
      if (!(padding >= 0) || !std::isfinite(padding)) throw Error("padding must be finite and not negative");
      addGeometry({index, shape.id, odeBody, body, padding}, shape.geometry, shape.X_BG);
    } catch (const Error& error) {
      throw Error("geometry of '" + body.name + "': " + error.message(), error.where(), error.hint());
    }
  }
}

void ColliderSet::addGeometry(const Target& full, const GeometryPtr& geometry, const RigidTransform& X_BG) {
  Target target = full;
  target.padding += geometry->margin();
  const double margin = geometry->margin();
  const void* key = geometry.get();
  kept_.push_back(geometry);
  std::visit(
      [&](const auto& shape) {
        using T = std::decay_t<decltype(shape)>;
        if constexpr (std::is_same_v<T, PointShape>) {
          ++substituted_["points as spheres"];
          addSphere(target, shape.point, margin > 0 ? 0 : kPointRadius, X_BG);
        } else if constexpr (std::is_same_v<T, SegmentShape>) {
          ++substituted_["segments as capsules"];
          addCapsule(target, {shape.a, shape.b, margin > 0 ? 0 : kPointRadius}, X_BG);
        } else if constexpr (std::is_same_v<T, TriangleShape>) {
          addMesh(target, polygonMesh({shape.a, shape.b, shape.c}), key, X_BG);
        } else if constexpr (std::is_same_v<T, PolygonShape>) {
          addMesh(target, polygonMesh(shape.vertices), key, X_BG);
        } else if constexpr (std::is_same_v<T, SphereShape>) {
          addSphere(target, shape.center, shape.radius, X_BG);
        } else if constexpr (std::is_same_v<T, AxisAlignedBoxShape>) {
          addBox(target, X_BG * RigidTransform::translation(0.5 * (shape.min + shape.max)), shape.max - shape.min);
        } else if constexpr (std::is_same_v<T, BoxShape>) {
          addBox(target, X_BG * shape.X * RigidTransform::translation(0.5 * shape.size), shape.size);
        } else if constexpr (std::is_same_v<T, EllipsoidShape>) {
          ++substituted_["ellipsoids as meshes of 512 triangles"];
          addMesh(target, ellipsoidMesh(shape), key, X_BG);
        } else if constexpr (std::is_same_v<T, CylinderShape>) {
          if (!(shape.radius > 0) || !(shape.height > 0))
            throw Error("a cylinder's radius and height must be positive");
          Collider collider;
          collider.kind = Collider::Kind::cylinder;
          collider.geom = dCreateCylinder(nullptr, shape.radius + target.padding, shape.height + 2 * target.padding);
          const Vector3d middle = shape.base + 0.5 * shape.height * shape.axis;
          place(std::move(collider), target, X_BG * RigidTransform(frameWithZ(shape.axis), middle));
        } else if constexpr (std::is_same_v<T, CapsuleShape>) {
          addCapsule(target, shape, X_BG);
        } else if constexpr (std::is_same_v<T, TriangleMesh>) {
          addParts(target, shape, key, X_BG);
        } else if constexpr (std::is_same_v<T, ConvexHullShape>) {
          const auto hull = convexHull(shape.points);
          if (!hull) throw Error("the points of a convex hull lie in one plane");
          addMesh(target, *hull, key, X_BG);
        } else if constexpr (std::is_same_v<T, PointCloud>) {
          substituted_["points of clouds as spheres"] += static_cast<int>(shape.points.size());
          for (const Vector3d& point : shape.points) addSphere(target, point, margin > 0 ? 0 : kPointRadius, X_BG);
        } else if constexpr (std::is_same_v<T, HeightmapShape>) {
          addMesh(target, shape.surface(), key, X_BG);
        } else if constexpr (std::is_same_v<T, ImplicitSurfaceShape> || std::is_same_v<T, OccupancyGridShape>) {
          throw Error("the ODE backend does not collide volume grids", {}, "use a mesh or primitives for this body");
        } else if constexpr (std::is_same_v<T, GeometryGroup>) {
          for (const GeometryPtr& part : shape.parts)
            if (part && !part->empty()) addGeometry(full, part, X_BG);
        }
      },
      geometry->data());
}

void ColliderSet::addSphere(const Target& target, const Vector3d& center, double radius, const RigidTransform& X_BG) {
  if (!(radius + target.padding > 0)) throw Error("a sphere's radius must be positive");
  Collider collider;
  collider.kind = Collider::Kind::sphere;
  collider.geom = dCreateSphere(nullptr, radius + target.padding);
  place(std::move(collider), target, X_BG * RigidTransform::translation(center));
}

void ColliderSet::addCapsule(const Target& target, const CapsuleShape& capsule, const RigidTransform& X_BG) {
  const Vector3d along = capsule.b - capsule.a;
  if (!(along.norm() > 0)) return addSphere(target, capsule.a, capsule.radius, X_BG);
  if (!(capsule.radius + target.padding > 0)) throw Error("a capsule's radius must be positive");
  Collider collider;
  collider.kind = Collider::Kind::capsule;
  collider.geom = dCreateCapsule(nullptr, capsule.radius + target.padding, along.norm());
  place(std::move(collider), target, X_BG * RigidTransform(frameWithZ(along), 0.5 * (capsule.a + capsule.b)));
}

void ColliderSet::addBox(const Target& target, const RigidTransform& X_BS, const Vector3d& size) {
  if (!(size.minCoeff() > 0)) throw Error("a box's edges must be longer than zero");
  Collider collider;
  collider.kind = Collider::Kind::box;
  const Vector3d padded = size + Vector3d::Constant(2 * target.padding);
  collider.geom = dCreateBox(nullptr, padded.x(), padded.y(), padded.z());
  RigidTransform X = X_BS;
  if (X.R.determinant() < 0) X.R.col(2) = -X.R.col(2);
  place(std::move(collider), target, X);
}

void ColliderSet::addParts(const Target& target, const TriangleMesh& mesh, const void* key,
                           const RigidTransform& X_BG) {
  // Boxes that came as triangles become boxes again; what is left stays one mesh.
  const std::vector<TriangleMesh> parts = connectedParts(weldedMesh(mesh));
  if (parts.empty()) return addMesh(target, mesh, key, X_BG);  // Says what is wrong with it.
  TriangleMesh rest;
  for (const TriangleMesh& part : parts) {
    if (const auto box = recognizeBox(part)) {
      addBox(target, X_BG * box->X_MB, box->size);
      continue;
    }
    const int shift = static_cast<int>(rest.vertices.size());
    rest.vertices.insert(rest.vertices.end(), part.vertices.begin(), part.vertices.end());
    for (const auto& t : part.triangles) rest.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
  }
  if (!rest.triangles.empty()) addMesh(target, rest, key, X_BG);
}

void ColliderSet::addMesh(const Target& target, const TriangleMesh& mesh, const void* key, const RigidTransform& X_BG) {
  auto& data = meshes_[key];
  if (!data) data = std::make_shared<MeshData>(mesh);
  if (target.padding > 0) ++substituted_["meshes without their padding or margin"];
  Collider collider;
  collider.kind = Collider::Kind::mesh;
  collider.mesh = data;
  collider.geom = dCreateTriMesh(nullptr, data->id(), nullptr, nullptr, nullptr);
  place(std::move(collider), target, X_BG);
}

void ColliderSet::place(Collider collider, const Target& target, const RigidTransform& X_BS) {
  collider.body = target.body;
  collider.id = target.id;
  collider.dynamic = target.description.motion == BodyMotion::dynamic;
  collider.moves = target.odeBody != nullptr;
  // Files hold rotations that are orthonormal only to about six digits; ODE expects better.
  collider.X_BS = RigidTransform(orthonormalized(X_BS.R), X_BS.p);
  if (!collider.X_BS.allFinite()) {
    dGeomDestroy(collider.geom);
    throw Error("the pose of a shape is not finite");
  }
  if (target.odeBody != nullptr) {
    dGeomSetBody(collider.geom, target.odeBody);
    setOffset(collider, target.description.inertia.com);
  }
  if (space_ == nullptr) {
    space_ = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ);
    dSpaceSetCleanup(space_, 0);
  }
  dSpaceAdd(space_, collider.geom);
  // Shapes that never move do not meet each other.
  dGeomSetCategoryBits(collider.geom, collider.moves ? kMoving : kFixed);
  dGeomSetCollideBits(collider.geom, collider.moves ? kMoving | kFixed : kMoving);
  colliders_.push_back(std::move(collider));
  if (target.odeBody == nullptr)
    putFixed(colliders_.back(), {orthonormalized(target.description.X_WB.R), target.description.X_WB.p});
}

void ColliderSet::setOffset(const Collider& collider, const Vector3d& com) {
  dMatrix3 R;
  toOde(collider.X_BS.R, R);
  const Vector3d p = collider.X_BS.p - com;
  dGeomSetOffsetPosition(collider.geom, p.x(), p.y(), p.z());
  dGeomSetOffsetRotation(collider.geom, R);
}

void ColliderSet::changeMotion(int body, const Vector3d& com, bool dynamic) {
  for (Collider& collider : colliders_) {
    if (collider.body != body || !collider.moves) continue;
    collider.dynamic = dynamic;
    setOffset(collider, com);
  }
}

void ColliderSet::finish() {
  std::stable_sort(colliders_.begin(), colliders_.end(),
                   [](const Collider& a, const Collider& b) { return a.id < b.id; });
  for (std::size_t i = 0; i < colliders_.size(); ++i) dGeomSetData(colliders_[i].geom, reinterpret_cast<void*>(i));
}

void ColliderSet::placeFixed(int body, const RigidTransform& X_WB) {
  for (Collider& collider : colliders_)
    if (collider.body == body && !collider.moves) putFixed(collider, X_WB);
}

void ColliderSet::putFixed(const Collider& collider, const RigidTransform& X_WB) {
  const RigidTransform X_WS = X_WB * collider.X_BS;
  dMatrix3 R;
  toOde(X_WS.R, R);
  dGeomSetPosition(collider.geom, X_WS.p.x(), X_WS.p.y(), X_WS.p.z());
  dGeomSetRotation(collider.geom, R);
}

void ColliderSet::forgetMotion() {
  for (const Collider& collider : colliders_) {
    if (!collider.mesh || !collider.moves) continue;
    const dReal *R = dGeomGetRotation(collider.geom), *p = dGeomGetPosition(collider.geom);
    dMatrix4 last = {};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) last[4 * j + i] = R[4 * i + j];
    for (int i = 0; i < 3; ++i) last[12 + i] = p[i];
    last[15] = 1;
    dGeomTriMeshSetLastTransform(collider.geom, last);
  }
}

std::vector<std::string> ColliderSet::substitutions() const {
  std::vector<std::string> list;
  for (const auto& [what, count] : substituted_) list.push_back(std::to_string(count) + " " + what);
  return list;
}

int ColliderSet::count(Collider::Kind kind) const {
  return static_cast<int>(
      std::count_if(colliders_.begin(), colliders_.end(), [&](const Collider& c) { return c.kind == kind; }));
}

}  // namespace mortise::ode
