#include "mortise/logs/log_scene.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "mortise/appearance/drawn_world.h"

namespace mortise::logs {

std::vector<std::string> frameNames(const World& world) {
  std::vector<std::string> names;
  std::map<std::string, int> count;
  for (int id = 0; id < world.numIds(); ++id) {
    const World::Entity entity = world.entity(id);
    names.push_back(entity.kind == World::Kind::link ? world.robots[entity.index].name + "/" +
                                                           world.robots[entity.index].robot->link(entity.link).name
                                                     : world.nameOf(id));
    ++count[names.back()];
  }
  for (int id = 0; id < world.numIds(); ++id)
    if (count[names[id]] > 1 || names[id].empty()) names[id] += "#" + std::to_string(id);
  return names;
}

namespace {

/// The roughness of surfaces: robots shine a little, the ground does not.
float roughnessOf(World::Kind kind) {
  switch (kind) {
    case World::Kind::terrain:
      return 0.8f;
    case World::Kind::object:
      return 0.6f;
    default:
      return 0.42f;
  }
}

class SceneNodes {
 public:
  explicit SceneNodes(const World& world) : world_(world), names_(frameNames(world)) {
    for (const WorldRobot& placed : world.robots) {
      RobotState& state = states_.emplace_back(*placed.robot);
      state.q = placed.q;
      updateFrames(*placed.robot, state);
    }
  }

  std::vector<GlbNode> nodes() {
    std::vector<GlbNode> later;
    for (const DrawnBody& body : drawnBodies(world_, currentVisualFiles())) {
      GlbNode seen;
      for (const DrawnPart& part : body.parts) {
        // Nodes of collision shapes come first, a body one; readers of earlier logs know no others.
        if (part.collision)
          nodes_.push_back(node(body, part));
        else if (seen.shape.empty())
          seen = node(body, part);
        else
          join(seen, node(body, part));
      }
      later.push_back(std::move(seen));
    }
    nodes_.insert(nodes_.end(), std::make_move_iterator(later.begin()), std::make_move_iterator(later.end()));
    std::erase_if(nodes_, [](const GlbNode& each) { return each.shape.empty(); });
    return std::move(nodes_);
  }

 private:
  GlbNode node(const DrawnBody& body, const DrawnPart& part) {
    GlbNode node;
    node.name = names_[static_cast<std::size_t>(body.id)];
    node.id = body.id;
    node.X_WN = poseOf(body);
    node.roughness = roughnessOf(body.kind);
    node.visual = part.visual;
    node.collision = part.collision;
    node.defaultColor = part.defaultColor;
    node.edges = body.style.edges;
    node.edgeColor = body.style.edgeColor;
    node.silhouette = body.style.silhouette;
    node.silhouetteColor = body.style.silhouetteColor;
    node.pointSize = body.style.pointSize;
    node.shape = drawnMeshes(part, body.style, part.appearance == nullptr ? base(part.geometry) : VisualShape());
    for (VisualMesh& mesh : node.shape) addNormals(mesh);
    return node;
  }

  /// Made once for all nodes, and for all that is made of them.
  void addNormals(VisualMesh& mesh) {
    auto& [before, after] = smooth_[mesh.data.get()];
    if (before == nullptr) {
      before = mesh.data;
      after = std::make_shared<const VisualMeshData>(withNormals(*mesh.data, kCreaseAngle));
    }
    mesh.data = after;
  }

  static void join(GlbNode& seen, GlbNode more) {
    seen.defaultColor = seen.defaultColor && more.defaultColor;
    for (VisualMesh& mesh : more.shape) seen.shape.push_back(std::move(mesh));
  }

  RigidTransform poseOf(const DrawnBody& body) const {
    const auto index = static_cast<std::size_t>(body.index);
    if (body.kind == World::Kind::object) return world_.objects[index].X_WO;
    if (body.kind == World::Kind::link) return states_[index].X_WL[static_cast<std::size_t>(body.link)];
    return {};
  }

  /// Equal shapes share their numbers.
  const VisualShape& base(const GeometryPtr& geometry) {
    const auto [known, isNew] = bases_.try_emplace(&geometry->data());
    if (isNew) known->second = visualShapeOf(*geometry);
    return known->second;
  }

  const World& world_;
  std::vector<std::string> names_;
  std::vector<RobotState> states_;
  std::vector<GlbNode> nodes_;
  // By addresses; looked up, never walked through.
  std::map<const void*, VisualShape> bases_;
  std::map<const void*, std::pair<VisualMeshDataPtr, VisualMeshDataPtr>> smooth_;
};

}  // namespace

std::vector<GlbNode> sceneNodes(const World& world) { return SceneNodes(world).nodes(); }

namespace {

Value numbersOf(const Vector3d& v) { return std::vector<double>{v.x(), v.y(), v.z()}; }

/// R row-major, then t.
Value rowsOf(const RigidTransform& X) {
  std::vector<double> rows(12);
  X.toRows(rows.data());
  return rows;
}

/// A box of uniform density with this mass and inertia: {size, T (R row-major, then t)}; null where there is none.
Value inertiaBox(const BodyInertia& body) {
  if (!(body.mass > 0) || !body.inertia.allFinite()) return {};
  const Eigen::SelfAdjointEigenSolver<Matrix3d> axes(body.inertia);
  const Vector3d I = axes.eigenvalues();
  Vector3d size;
  for (int i = 0; i < 3; ++i)
    size[i] = std::sqrt(std::max(0.0, 6 / body.mass * (I[(i + 1) % 3] + I[(i + 2) % 3] - I[i])));
  Matrix3d R = axes.eigenvectors();
  if (R.determinant() < 0) R.col(0) = -R.col(0);
  Value out = Value::map();
  out.set("size", numbersOf(size));
  out.set("T", rowsOf(RigidTransform(R, body.com)));
  return out;
}

Value linkDescription(const Link& link, int id) {
  Value out = Value::map();
  out.set("id", id);
  out.set("name", link.name);
  out.set("parent", link.parent);
  out.set("motion", link.motion == LinkMotion::revolute ? "revolute" : "prismatic");
  out.set("axis", numbersOf(link.axis));
  out.set("T", rowsOf(link.X_PL0));
  out.set("mass", link.inertia.mass);
  out.set("com", numbersOf(link.inertia.com));
  out.set("inertia", inertiaBox(link.inertia));
  out.set("limits", std::vector<double>{link.qMin, link.qMax});
  return out;
}

/// {links, scale, offset}: link i has the coordinate scale[i] * value + offset[i]. Null for drivers that do more than
/// that (they push a floating base).
Value driverDescription(const Driver& driver) {
  if (driver.type != DriverType::normal && driver.type != DriverType::affine) return {};
  Value out = Value::map(), links = Value::list();
  for (const int link : driver.links) links.push_back(link);
  const bool affine = driver.type == DriverType::affine;
  out.set("links", std::move(links));
  out.set("scale", affine ? driver.scale : std::vector<double>(driver.links.size(), 1.0));
  out.set("offset", affine ? driver.offset : std::vector<double>(driver.links.size(), 0.0));
  return out;
}

const char* kindWord(World::Kind kind) {
  switch (kind) {
    case World::Kind::terrain:
      return "terrain";
    case World::Kind::object:
      return "object";
    case World::Kind::robot:
      return "robot";
    default:
      return "link";
  }
}

}  // namespace

Value sceneDescription(const World& world) {
  const std::vector<std::string> names = frameNames(world);
  Value out = Value::map(), entities = Value::list(), robots = Value::list();
  for (int id = 0; id < world.numIds(); ++id) {
    const World::Entity entity = world.entity(id);
    Value item = Value::map();
    item.set("id", id);
    item.set("kind", kindWord(entity.kind));
    item.set("name", world.nameOf(id));
    item.set("frame", names[id]);
    if (entity.kind != World::Kind::robot) item.set("padding", world.simulationSurface(id).thickness());
    if (entity.kind == World::Kind::object) {
      const BodyInertia& inertia = world.objects[static_cast<std::size_t>(entity.index)].inertia;
      item.set("mass", inertia.mass);
      item.set("com", numbersOf(inertia.com));
      item.set("inertia", inertiaBox(inertia));
    }
    entities.push_back(std::move(item));
  }
  for (std::size_t r = 0; r < world.robots.size(); ++r) {
    const Robot& robot = *world.robots[r].robot;
    Value item = Value::map(), links = Value::list();
    item.set("id", world.robotId(static_cast<int>(r)));
    item.set("name", world.robots[r].name);
    for (int l = 0; l < robot.numLinks(); ++l)
      links.push_back(linkDescription(robot.link(l), world.linkId(static_cast<int>(r), l)));
    Value drivers = Value::list();
    for (int d = 0; d < robot.numDrivers(); ++d) drivers.push_back(driverDescription(robot.driver(d)));
    item.set("links", std::move(links));
    item.set("drivers", std::move(drivers));
    robots.push_back(std::move(item));
  }
  out.set("version", 1);
  out.set("world", world.file);
  out.set("background", world.background);
  out.set("gravity", numbersOf(world.simulation.gravity));
  out.set("entities", std::move(entities));
  out.set("robots", std::move(robots));
  return out;
}

std::vector<std::string> stateColumns(const World& world) {
  const std::vector<std::string> names = frameNames(world);
  std::vector<std::string> columns;
  for (std::size_t r = 0; r < world.robots.size(); ++r)
    for (int l = 0; l < world.robots[r].robot->numLinks(); ++l)
      columns.push_back(names[world.linkId(static_cast<int>(r), l)]);
  for (std::size_t i = 0; i < world.objects.size(); ++i)
    for (const char* part : {".x", ".y", ".z", ".qx", ".qy", ".qz", ".qw"})
      columns.push_back(names[world.objectId(static_cast<int>(i))] + part);
  return columns;
}

}  // namespace mortise::logs
