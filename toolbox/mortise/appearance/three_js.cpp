#include "mortise/appearance/three_js.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "mortise/appearance/drawn_shape.h"
#include "mortise/json/json_writer.h"

namespace mortise {

namespace {

Value columnMajor(const RigidTransform& X) {
  Value matrix = Value::list();
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 3; ++r) matrix.push_back(X.R(r, c));
    matrix.push_back(0);
  }
  for (int r = 0; r < 3; ++r) matrix.push_back(X.p[r]);
  matrix.push_back(1);
  return matrix;
}

std::int64_t hexColor(const Color& color) {
  std::int64_t hex = 0;
  for (const float channel : color)
    hex = 256 * hex + static_cast<std::int64_t>(std::min(std::max(channel, 0.0f), 1.0f) * 255 + 0.5f);
  return hex;
}

class ThreeJsScene {
 public:
  explicit ThreeJsScene(const World& world) {
    for (const WorldRobot& robot : world.robots) children_.push_back(robotGroup(robot));
    for (const RigidObject& object : world.objects)
      children_.push_back(
          shape(object.name, object.X_WO, object.geometry, displayColor(object.display, kObjectColor, {})));
    for (const Terrain& terrain : world.terrains)
      children_.push_back(
          shape(terrain.name, RigidTransform(), terrain.geometry, displayColor(terrain.display, kTerrainColor, {})));
    addLights();
  }

  std::string text() {
    Value metadata = Value::map(), scene = object("Scene", "world"), file = Value::map();
    metadata.set("version", 4.5);
    metadata.set("type", "Object");
    metadata.set("generator", "Mortise");
    Matrix3d R;  // z up becomes y up.
    R << 1, 0, 0, 0, 0, 1, 0, -1, 0;
    scene.set("matrix", columnMajor(RigidTransform(R, Vector3d::Zero())));
    scene.set("children", std::move(children_));
    file.set("metadata", std::move(metadata));
    file.set("geometries", std::move(geometries_));
    file.set("materials", std::move(materials_));
    file.set("object", std::move(scene));
    return toJson(file, -1) + "\n";
  }

 private:
  /// A name for each thing, in the form that three.js gives them.
  std::string nextId() {
    char text[40];
    std::snprintf(text, sizeof text, "00000000-0000-4000-8000-%012llx", static_cast<unsigned long long>(++ids_));
    return text;
  }

  Value object(const char* type, const std::string& name) {
    Value value = Value::map();
    value.set("uuid", nextId());
    value.set("type", type);
    value.set("name", name);
    return value;
  }

  struct Parts {
    std::string mesh, points;  ///< Ids of geometries; empty: none.
    bool colors = false;
  };

  const Parts& partsOf(const Geometry& geometry) {
    const auto [known, isNew] = parts_.try_emplace(&geometry.data());
    if (!isNew) return known->second;
    const DrawnShape drawn = drawnShape(geometry);
    if (!drawn.mesh.triangles.empty()) {
      std::vector<std::int64_t> corners;
      for (const auto& t : drawn.mesh.triangles) corners.insert(corners.end(), t.begin(), t.end());
      known->second.mesh = store(drawn.mesh.vertices, {}, corners);
    }
    known->second.colors = !drawn.colors.empty() && drawn.colors.size() == drawn.points.size();
    if (!drawn.points.empty())
      known->second.points = store(drawn.points, known->second.colors ? drawn.colors : std::vector<Color>(), {});
    return known->second;
  }

  static Value attribute(Value numbers) {
    Value value = Value::map();
    value.set("itemSize", 3);
    value.set("type", "Float32Array");
    value.set("array", std::move(numbers));
    value.set("normalized", false);
    return value;
  }

  std::string store(const std::vector<Vector3d>& points, const std::vector<Color>& colors,
                    const std::vector<std::int64_t>& corners) {
    Value positions = Value::list(), attributes = Value::map(), data = Value::map();
    for (const Vector3d& p : points)
      for (int i = 0; i < 3; ++i) positions.push_back(static_cast<double>(static_cast<float>(p[i])));
    attributes.set("position", attribute(std::move(positions)));
    if (!colors.empty()) {
      Value numbers = Value::list();
      for (const Color& color : colors)
        for (const float channel : color) numbers.push_back(static_cast<double>(channel));
      attributes.set("color", attribute(std::move(numbers)));
    }
    data.set("attributes", std::move(attributes));
    if (!corners.empty()) {
      Value index = Value::map(), numbers = Value::list();
      for (const std::int64_t corner : corners) numbers.push_back(corner);
      index.set("type", "Uint32Array");
      index.set("array", std::move(numbers));
      data.set("index", std::move(index));
    }
    Value geometry = Value::map();
    const std::string id = nextId();
    geometry.set("uuid", id);
    geometry.set("type", "BufferGeometry");
    geometry.set("data", std::move(data));
    geometries_.push_back(std::move(geometry));
    return id;
  }

  std::string materialOf(const Color& color, bool points, bool ownColors) {
    const auto [known, isNew] = materialIds_.try_emplace({hexColor(color), (points ? 1 : 0) + (ownColors ? 2 : 0)});
    if (!isNew) return known->second;
    known->second = nextId();
    Value material = Value::map();
    material.set("uuid", known->second);
    material.set("type", points ? "PointsMaterial" : "MeshStandardMaterial");
    material.set("color", ownColors ? std::int64_t{0xffffff} : hexColor(color));
    if (points) {
      material.set("size", 0.01);
      material.set("vertexColors", ownColors);
    } else {
      material.set("roughness", 0.7);
      material.set("metalness", 0);
      material.set("flatShading", true);
      material.set("side", 2);
    }
    materials_.push_back(std::move(material));
    return known->second;
  }

  /// A Mesh, Points, or a Group of both or of nothing.
  Value shape(const std::string& name, const RigidTransform& X, const GeometryPtr& geometry, const Color& color) {
    const Parts parts = geometry == nullptr || geometry->empty() ? Parts() : partsOf(*geometry);
    const auto drawn = [&](const char* type, const std::string& id, bool points) {
      Value value = object(type, name);
      value.set("geometry", id);
      value.set("material", materialOf(color, points, points && parts.colors));
      return value;
    };
    Value value;
    if (!parts.mesh.empty())
      value = drawn("Mesh", parts.mesh, false);
    else if (!parts.points.empty())
      value = drawn("Points", parts.points, true);
    else
      value = object("Group", name);
    value.set("matrix", columnMajor(X));
    if (!parts.mesh.empty() && !parts.points.empty()) {
      Value points = Value::list();
      points.push_back(drawn("Points", parts.points, true));
      value.set("children", std::move(points));
    }
    return value;
  }

  Value robotGroup(const WorldRobot& placed) {
    const Robot& robot = *placed.robot;
    RobotState state(robot);
    state.q = placed.q;
    updateFrames(robot, state);
    std::vector<Value> links;
    for (int l = 0; l < robot.numLinks(); ++l) {
      const Link& link = robot.link(l);
      const RigidTransform X_PL = link.parent < 0 ? state.X_WL[static_cast<std::size_t>(l)]
                                                  : state.X_WL[static_cast<std::size_t>(link.parent)].inverse() *
                                                        state.X_WL[static_cast<std::size_t>(l)];
      links.push_back(shape(link.name, X_PL, link.geometry, displayColor(placed.display, kRobotColor, {}, &robot, l)));
    }
    Value group = object("Group", placed.name);
    group.set("matrix", columnMajor(RigidTransform()));
    // Links come after those that carry them.
    for (int l = robot.numLinks() - 1; l >= 0; --l) {
      const int parent = robot.link(l).parent;
      Value& carrier = parent < 0 ? group : links[static_cast<std::size_t>(parent)];
      Value carried = Value::list();
      carried.push_back(std::move(links[static_cast<std::size_t>(l)]));
      if (const Value* others = carrier.find("children"))
        for (const Value& other : others->items()) carried.push_back(other);
      carrier.set("children", std::move(carried));
    }
    return group;
  }

  void addLights() {
    Value sun = object("DirectionalLight", "DirectionalLight 1"), sky = object("AmbientLight", "AmbientLight 1");
    sun.set("color", std::int64_t{0xffffff});
    sun.set("intensity", 1);
    sun.set("matrix", columnMajor(RigidTransform::translation({2, -3, 9})));
    sky.set("color", std::int64_t{0x808080});
    sky.set("intensity", 1);
    children_.push_back(std::move(sun));
    children_.push_back(std::move(sky));
  }

  Value geometries_ = Value::list(), materials_ = Value::list(), children_ = Value::list();
  std::map<const void*, Parts> parts_;  ///< By shape; looked up, never walked through.
  std::map<std::pair<std::int64_t, int>, std::string> materialIds_;
  std::uint64_t ids_ = 0;
};

}  // namespace

std::string threeJsScene(const World& world) { return ThreeJsScene(world).text(); }

}  // namespace mortise
