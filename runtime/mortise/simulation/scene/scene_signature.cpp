#include "mortise/simulation/scene/scene_signature.h"

#include <map>

#include "mortise/base/random.h"
#include "mortise/hash/byte_hash.h"

namespace mortise {

namespace {

/// Hashes number by number what it is given, without keeping it.
class Hasher {
 public:
  void bytes(const void* data, std::size_t size) { hash_ = hashBytes(data, size, hash_ + size); }
  void number(double value) {
    value += 0.0;  // -0 and 0 are the same number.
    bytes(&value, sizeof(value));
  }
  void number(int value) { bytes(&value, sizeof(value)); }
  void number(std::uint64_t value) { bytes(&value, sizeof(value)); }
  void vector(const Vector3d& v) {
    for (int i = 0; i < 3; ++i) number(v[i]);
  }
  void vectors(const std::vector<Vector3d>& list) { block(list.data(), list.size() * sizeof(Vector3d)); }
  void numbers(const std::vector<double>& list) { block(list.data(), list.size() * sizeof(double)); }
  void block(const void* data, std::size_t size) {
    number(static_cast<std::uint64_t>(size));
    bytes(data, size);
  }
  void pose(const RigidTransform& X) {
    for (int i = 0; i < 3; ++i) vector(X.R.col(i));
    vector(X.p);
  }
  /// Hashes the table as a block of one byte for each pair of ids would be: 1 where the pair is on, else 0.
  void pairs(const PairTable& table) {
    const auto ids = static_cast<std::uint64_t>(table.size());
    const std::uint64_t size = ids > 0 ? ids * (ids - 1) / 2 : 0;
    number(size);
    ByteHash block(hash_ + size);
    std::uint64_t next = 0;
    table.forEachPair([&](int first, int second) {
      const auto a = static_cast<std::uint64_t>(first), b = static_cast<std::uint64_t>(second);
      const std::uint64_t place = a * (2 * ids - a - 1) / 2 + (b - a - 1);
      const unsigned char on = 1;
      block.addZeros(place - next);
      block.add(&on, 1);
      next = place + 1;
    });
    block.addZeros(size - next);
    hash_ = block.value();
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0;
};

static_assert(sizeof(Vector3d) == 3 * sizeof(double));

std::uint64_t contentOf(const Geometry& geometry);

struct Content {
  Hasher& h;
  void operator()(const std::monostate&) const {}
  void operator()(const PointShape& s) const { h.vector(s.point); }
  void operator()(const SegmentShape& s) const {
    h.vector(s.a);
    h.vector(s.b);
  }
  void operator()(const TriangleShape& s) const {
    for (const Vector3d* v : {&s.a, &s.b, &s.c}) h.vector(*v);
  }
  void operator()(const PolygonShape& s) const { h.vectors(s.vertices); }
  void operator()(const SphereShape& s) const {
    h.vector(s.center);
    h.number(s.radius);
  }
  void operator()(const AxisAlignedBoxShape& s) const {
    h.vector(s.min);
    h.vector(s.max);
  }
  void operator()(const BoxShape& s) const {
    h.pose(s.X);
    h.vector(s.size);
  }
  void operator()(const EllipsoidShape& s) const {
    h.pose(s.X);
    h.vector(s.radii);
  }
  void operator()(const CylinderShape& s) const {
    h.vector(s.base);
    h.vector(s.axis);
    h.number(s.radius);
    h.number(s.height);
  }
  void operator()(const CapsuleShape& s) const {
    h.vector(s.a);
    h.vector(s.b);
    h.number(s.radius);
  }
  void operator()(const TriangleMesh& s) const {
    h.vectors(s.vertices);
    h.block(s.triangles.data(), s.triangles.size() * sizeof(s.triangles[0]));
  }
  void operator()(const ConvexHullShape& s) const { h.vectors(s.points); }
  void operator()(const PointCloud& s) const {  // Colors and the like do not touch anything, radii might.
    h.vectors(s.points);
    for (const PointCloud::Property& property : s.properties) {
      h.block(property.name.data(), property.name.size());
      h.numbers(property.values);
    }
  }
  void operator()(const GeometryGroup& s) const {
    for (const GeometryPtr& part : s.parts) h.number(part ? contentOf(*part) : std::uint64_t{0});
  }
  void operator()(const HeightmapShape& s) const {
    h.pose(s.X);
    h.number(s.columns);
    h.number(s.rows);
    for (const double size : s.size) h.number(size);
    h.numbers(s.heights);
  }
  void grid(const VolumeGrid& grid) const {
    h.pose(grid.X);
    h.vector(grid.min);
    h.vector(grid.max);
    for (const int n : grid.cells) h.number(n);
    h.numbers(grid.values);
  }
  void operator()(const ImplicitSurfaceShape& s) const {
    grid(s.grid);
    h.number(s.truncation);
  }
  void operator()(const OccupancyGridShape& s) const {
    grid(s.grid);
    h.number(s.threshold);
  }
};

std::uint64_t contentOf(const Geometry& geometry) {
  Hasher h;
  h.number(static_cast<int>(geometry.data().index()));
  h.number(geometry.margin());
  std::visit(Content{h}, geometry.data());
  return h.value();
}

}  // namespace

SceneSignature signatureOf(const SceneDescription& scene) {
  std::map<std::pair<const void*, double>, std::uint64_t> known;  // Only looked up.
  std::vector<bool> jointed(scene.bodies.size(), false);
  for (const SceneJoint& joint : scene.joints) jointed[joint.child] = true;
  SceneSignature signature;
  Hasher shapes, bodies, joints, surfaces, collisions;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const SceneBody& body = scene.bodies[b];
    const bool fixed = body.motion == BodyMotion::fixed;
    // Links above the one that has a floating base's mass are placed by where it starts.
    const bool floats = body.robot >= 0 && !fixed && !jointed[b];
    shapes.number(static_cast<std::uint64_t>(body.shapes.size()));
    for (const SceneShape& shape : body.shapes) {
      shapes.number(shape.id);
      const auto [entry, isNew] = known.try_emplace({&shape.geometry->data(), shape.geometry->margin()});
      if (isNew) entry->second = contentOf(*shape.geometry);
      shapes.number(entry->second);
      if (!floats || shape.id == body.id) shapes.pose(shape.X_BG);
    }
    if (fixed) shapes.pose(body.X_WB);
    bodies.number(body.id);
    bodies.number(body.robot);
    bodies.number(static_cast<int>(body.motion));
    if (body.motion != BodyMotion::dynamic) continue;
    bodies.number(body.inertia.mass);
    bodies.vector(body.inertia.com);
    for (int i = 0; i < 3; ++i) bodies.vector(body.inertia.inertia.col(i));
  }
  for (const SceneJoint& joint : scene.joints) {
    for (const int n : {static_cast<int>(joint.type), joint.parent, joint.child}) joints.number(n);
    joints.pose(joint.X_PC0);
    joints.vector(joint.axis);
    joints.number(joint.lower);
    joints.number(joint.upper);
  }
  joints.number(static_cast<std::uint64_t>(scene.constraints.size()));
  for (const SceneConstraint& constraint : scene.constraints) {
    for (const int n : {static_cast<int>(constraint.type), constraint.a, constraint.b}) joints.number(n);
    joints.number(constraint.friction);
  }
  for (const Surface& surface : scene.surfaces) {
    for (const double v :
         {surface.friction, surface.restitution, surface.stiffness, surface.damping, surface.thickness()})
      surfaces.number(v);
    surfaces.number(surface.preshrink);
    if (surface.rolling != 0) surfaces.number(surface.rolling);  // States of scenes without it stay valid.
  }
  collisions.pairs(scene.filter.pairs());
  signature.shapes = shapes.value();
  signature.bodies = bodies.value();
  signature.joints = joints.value();
  signature.surfaces = surfaces.value();
  signature.collisions = collisions.value();
  return signature;
}

std::string differingPart(const SceneSignature& a, const SceneSignature& b) {
  if (a.shapes != b.shapes) return "shapes";
  if (a.bodies != b.bodies) return "masses or inertias";
  if (a.joints != b.joints) return "joints";
  if (a.surfaces != b.surfaces) return "surfaces";
  return a.collisions != b.collisions ? "collisions that are allowed" : "";
}

}  // namespace mortise
