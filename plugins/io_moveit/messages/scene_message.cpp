#include "messages/scene_message.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/geometry/transform_geometry.h"
#include "mortise/text/normalize.h"
#include "mortise/text/suggest.h"

namespace mortise::io_moveit {

namespace {

/// Sides of the polygon that stands for a cone's base, drawn around the circle.
constexpr int kConeSides = 48;
/// Half the size of the square that stands for an infinite plane, m.
constexpr double kPlane = 100;

const std::vector<std::string> kPrimitives = {"box", "sphere", "cylinder", "cone"};

GeometryPtr shared(Geometry::Data data) { return std::make_shared<const Geometry>(std::move(data)); }

ConvexHullShape cone(double height, double radius) {
  ConvexHullShape hull;
  hull.points.emplace_back(0, 0, height / 2);
  const double outer = radius / std::cos(std::numbers::pi / kConeSides);
  for (int i = 0; i < kConeSides; ++i) {
    const double angle = 2 * std::numbers::pi * i / kConeSides;
    hull.points.emplace_back(outer * std::cos(angle), outer * std::sin(angle), -height / 2);
  }
  return hull;
}

class SceneReader {
 public:
  SceneReader(MessageNotes& notes, const std::string& file, ResourceLoader& loader)
      : notes_(notes), out_(notes.out), file_(file), loader_(loader) {}

  ObjectMessage object(Message message) {
    ObjectMessage object;
    object.position = message.position();
    object.id = message.text("id");
    object.frame = message.frame();
    object.X_FO = message.pose("pose");
    object.operation = operation(message);
    for (auto& [shape, X_OS] : placed(message, "primitives", "primitive_poses", "SolidPrimitive"))
      if (GeometryPtr geometry = readPrimitive(shape)) place(object, std::move(geometry), X_OS);
    for (auto& [shape, X_OS] : placed(message, "meshes", "mesh_poses", "Mesh"))
      if (GeometryPtr geometry = mesh(shape)) place(object, std::move(geometry), X_OS);
    for (auto& [shape, X_OS] : placed(message, "planes", "plane_poses", "Plane"))
      if (GeometryPtr geometry = plane(shape)) place(object, std::move(geometry), X_OS);
    const std::vector<std::string> names = message.texts("subframe_names");
    std::vector<RigidTransform> poses;
    for (Message& pose : message.messages("subframe_poses", "Pose")) poses.push_back(poseOf(pose));
    if (names.size() != poses.size())
      message.error("subframe_names",
                    std::to_string(names.size()) + " names, but " + std::to_string(poses.size()) + " subframe_poses");
    for (std::size_t i = 0; i < std::min(names.size(), poses.size()); ++i)
      object.subframes.emplace_back(names[i], poses[i]);
    message.ignore({"type"});
    message.finish();
    if (object.id.empty() && object.operation != ObjectMessage::Operation::remove)
      out_.error("a CollisionObject has no id", object.position, "write 'id: NAME'");
    if (object.shapes.empty() && object.operation == ObjectMessage::Operation::add && !out_.hasErrors())
      out_.warning("object '" + object.id + "' has no shape", object.position, "give it primitives, meshes or planes");
    return object;
  }

  CollisionMatrixMessage matrix(Message message) {
    CollisionMatrixMessage matrix;
    matrix.names = message.texts("entry_names");
    if (const Value* rows = message.get("entry_values")) {
      if (!rows->isList()) message.error("entry_values", "expected a list of rows");
      for (const Value& row : rows->isList() ? rows->items() : std::vector<Value>())
        matrix.values.push_back(this->row(row));
    }
    const std::size_t n = matrix.names.size();
    if (matrix.values.size() != n) {
      message.error("entry_values",
                    std::to_string(matrix.values.size()) + " rows, but " + std::to_string(n) + " entry_names",
                    "the matrix has a row and a column for each name");
      matrix = {};
    }
    for (std::size_t i = 0; i < matrix.values.size(); ++i) {
      if (matrix.values[i].size() == n) continue;
      message.error("entry_values", "the row of '" + matrix.names[i] + "' has " +
                                        std::to_string(matrix.values[i].size()) + " entries, not " + std::to_string(n));
      matrix = {};
      break;
    }
    const std::vector<std::string> names = message.texts("default_entry_names");
    const std::vector<bool> values = message.flags("default_entry_values");
    if (names.size() != values.size())
      message.error("default_entry_values", std::to_string(values.size()) + " values, but " +
                                                std::to_string(names.size()) + " default_entry_names");
    for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i)
      matrix.defaults.emplace_back(names[i], values[i]);
    message.finish();
    return matrix;
  }

  std::vector<std::pair<std::string, double>> byLink(Message& scene, const std::string& field, const std::string& type,
                                                     const std::string& number, double fallback) {
    std::vector<std::pair<std::string, double>> out;
    for (Message& message : scene.messages(field, type)) {
      const double value = message.real(number, fallback);
      if (value < 0) message.error(number, "must not be negative");
      out.emplace_back(message.text("link_name"), value);
      message.finish();
    }
    return out;
  }

  FrameMessage frame(Message message) {
    FrameMessage frame;
    frame.position = message.position();
    frame.parent = message.frame("world");
    frame.child = message.text("child_frame_id");
    if (frame.child.starts_with('/')) frame.child.erase(0, 1);
    frame.X = message.transform("transform");
    message.finish();
    return frame;
  }

  StateMessage state(Message message) {
    StateMessage state;
    state.position = message.position();
    state.given = true;
    Message joints = message.message("joint_state", "JointState");
    const std::vector<std::string> names = joints.texts("name");
    const std::vector<double> values = joints.reals("position");
    if (names.size() != values.size())
      joints.error("position",
                   std::to_string(values.size()) + " numbers, but " + std::to_string(names.size()) + " names",
                   "give each joint one position, in the order of 'name'");
    else
      for (std::size_t i = 0; i < names.size(); ++i) state.joints.push_back({names[i], values[i]});
    joints.ignore({"header", "velocity", "effort"});
    joints.finish();
    Message several = message.message("multi_dof_joint_state", "MultiDOFJointState");
    const std::vector<std::string> poseNames = several.texts("joint_names");
    std::vector<RigidTransform> poses;
    if (const Value* list = several.get("transforms"))
      for (Message& each : messagesOf(notes_, *list, "transforms", "Transform")) {
        RigidTransform X;
        X.p = each.vector("translation");
        X.R = each.rotation("rotation");
        each.finish();
        poses.push_back(X);
      }
    if (poseNames.size() != poses.size())
      several.error("transforms", std::to_string(poses.size()) + " transforms, but " +
                                      std::to_string(poseNames.size()) + " joint_names");
    for (std::size_t i = 0; i < std::min(poseNames.size(), poses.size()); ++i)
      state.poses.push_back({poseNames[i], poses[i]});
    several.ignore({"header", "twist", "wrench", "joint_transforms", "frame_ids", "child_frame_ids"});
    several.finish();
    for (Message& each : message.messages("attached_collision_objects", "AttachedCollisionObject"))
      state.attached.push_back(attached(each));
    message.ignore({"is_diff"});
    message.finish();
    return state;
  }

 private:
  RigidTransform poseOf(Message& message) {
    RigidTransform X;
    X.p = message.vector("position");
    X.R = message.rotation("orientation");
    message.finish();
    return X;
  }

  void place(ObjectMessage& object, GeometryPtr geometry, const RigidTransform& X_OS) {
    object.shapes.push_back(transformed(*geometry, X_OS));
  }

  /// Shapes with their poses. Where the object has a pose of its own, those of its shapes may be left out.
  std::vector<std::pair<Message, RigidTransform>> placed(Message& message, const std::string& shapes,
                                                         const std::string& poses, const std::string& type) {
    std::vector<Message> all = message.messages(shapes, type);
    std::vector<RigidTransform> X;
    for (Message& pose : message.messages(poses, "Pose")) X.push_back(poseOf(pose));
    if (X.empty() && (all.size() == 1 || message.has("pose"))) X.resize(all.size());
    std::vector<std::pair<Message, RigidTransform>> out;
    if (X.size() != all.size())
      message.error(poses, std::to_string(X.size()) + " poses, but " + std::to_string(all.size()) + " " + shapes,
                    "give each of them a pose");
    else
      for (std::size_t i = 0; i < all.size(); ++i) out.emplace_back(all[i], X[i]);
    return out;
  }

  ObjectMessage::Operation operation(Message& message) {
    using Operation = ObjectMessage::Operation;
    const std::string text = lowerCase(message.text("operation", "add"));
    if (text == "add" || text == "0") return Operation::add;
    if (text == "remove" || text == "1") return Operation::remove;
    if (text == "append" || text == "2") return Operation::append;
    if (text == "move" || text == "3") return Operation::move;
    message.error("operation", "'" + text + "' is no operation", "0 add, 1 remove, 2 append, 3 move");
    return Operation::add;
  }

  std::vector<bool> row(const Value& value) {
    // robowflex writes the row itself, `rostopic echo` a message around it.
    const Value* list = &value;
    if (value.isMap()) {
      list = value.find("enabled");
      if (list == nullptr) {
        out_.error("a row of entry_values needs the field 'enabled'", value.position());
        return {};
      }
    }
    if (!list->isList()) {
      out_.error("a row of entry_values: expected a list of true and false", value.position());
      return {};
    }
    std::vector<bool> out;
    for (const Value& item : list->items()) out.push_back(readFlag(notes_, item, "entry_values"));
    return out;
  }

  GeometryPtr mesh(Message& message) {
    GeometryPtr geometry = message.has("resource") ? meshOfFile(message) : meshOfLists(message);
    message.finish();
    return geometry;
  }

  GeometryPtr meshOfFile(Message& message) {
    const std::vector<double> scale = message.reals("dimensions");
    if (!scale.empty() && scale.size() != 3) message.error("dimensions", "expected the three factors of a mesh");
    message.ignore({"triangles", "vertices"});
    try {
      GeometryPtr geometry = loader_.load<GeometryPtr>(message.text("resource"), file_, out_);
      if (geometry == nullptr || scale.size() != 3) return geometry;
      return transformed(*geometry, AffineMap::scaling(Vector3d(scale[0], scale[1], scale[2])));
    } catch (const DiagnosticsError& problem) {
      if (!out_.hasErrors())
        for (const Diagnostic& each : problem.list()) out_.add(each);
    } catch (const Error& problem) {
      const bool placed = problem.where().line > 0;
      out_.error(problem.message(), placed ? problem.where() : message.get("resource")->position(),
                 problem.hint().empty() ? "name folders of packages with --package NAME=DIR" : problem.hint());
    }
    return nullptr;
  }

  GeometryPtr meshOfLists(Message& message) {
    TriangleMesh mesh;
    if (const Value* list = message.get("vertices")) {
      if (!list->isList()) message.error("vertices", "expected a list of points");
      for (const Value& item : list->isList() ? list->items() : std::vector<Value>()) {
        Value wrapped = Value::map();
        wrapped.set("vertex", item);
        wrapped.setPosition(item.position());
        mesh.vertices.push_back(Message(notes_, wrapped, "Mesh").vector("vertex"));
      }
    }
    const auto corner = [&](const Value& value) {
      const std::int64_t index = value.isInteger() ? value.asInteger() : -1;
      const bool good = index >= 0 && index < static_cast<std::int64_t>(mesh.vertices.size());
      if (!good)
        out_.error("a triangle names vertex " + (value.isScalar() ? value.text() : std::string("?")) + " of " +
                       std::to_string(mesh.vertices.size()),
                   value.position(), "vertices are numbered from 0");
      return good ? static_cast<int>(index) : -1;
    };
    if (const Value* list = message.get("triangles")) {
      if (!list->isList()) message.error("triangles", "expected a list of triangles");
      for (const Value& item : list->isList() ? list->items() : std::vector<Value>()) {
        const Value* corners = item.isMap() ? item.find("vertex_indices") : &item;
        if (corners == nullptr || !corners->isList() || corners->size() != 3) {
          out_.error("expected the three vertices of a triangle", item.position(), "such as [0, 1, 2]");
          return nullptr;
        }
        const std::array<int, 3> triangle = {corner((*corners)[0]), corner((*corners)[1]), corner((*corners)[2])};
        if (*std::min_element(triangle.begin(), triangle.end()) < 0) return nullptr;
        mesh.triangles.push_back(triangle);
      }
    }
    if (!mesh.triangles.empty()) return shared(std::move(mesh));
    out_.error("a Mesh has no triangles", message.position(),
               "give vertices and triangles, or a file: 'resource: ...'");
    return nullptr;
  }

  GeometryPtr plane(Message& message) {
    const std::vector<double> c = message.reals("coef");
    message.finish();
    const Vector3d normal = c.size() == 4 ? Vector3d(c[0], c[1], c[2]) : Vector3d::Zero();
    if (normal.norm() < 1e-9) {
      message.error("coef", "expected [a, b, c, d] with a x + b y + c z + d = 0 and a normal that is not zero");
      return nullptr;
    }
    const Vector3d n = normal.normalized();
    const Vector3d u = n.unitOrthogonal(), v = n.cross(u), p = -c[3] / normal.norm() * n;
    TriangleMesh mesh;
    for (const double a : {-kPlane, kPlane})
      for (const double b : {-kPlane, kPlane}) mesh.vertices.push_back(p + a * u + b * v);
    mesh.triangles = {{0, 2, 3}, {0, 3, 1}};
    return shared(std::move(mesh));
  }

  AttachedMessage attached(Message& message) {
    AttachedMessage out;
    out.position = message.position();
    out.link = message.text("link_name");
    if (out.link.empty()) message.error("link_name", "an attached object needs the link that holds it");
    Message inner = message.message("object", "CollisionObject");
    out.object = object(inner);
    out.touchLinks = message.texts("touch_links");
    message.ignore({"detach_posture", "weight"});
    message.finish();
    return out;
  }

  MessageNotes& notes_;
  Diagnostics& out_;
  const std::string& file_;
  ResourceLoader& loader_;
};

}  // namespace

GeometryPtr readPrimitive(Message& primitive) {
  const std::string text = lowerCase(primitive.text("type"));
  std::string type = text;
  for (std::size_t i = 0; i < kPrimitives.size(); ++i)
    if (text == std::to_string(i + 1)) type = kPrimitives[i];
  const std::vector<double> d = primitive.reals("dimensions");
  primitive.ignore({"polygon"});
  primitive.finish();
  if (std::find(kPrimitives.begin(), kPrimitives.end(), type) == kPrimitives.end()) {
    const std::string near = didYouMean(type, kPrimitives);
    primitive.error("type", text.empty() ? "a shape needs a type" : "'" + text + "' is no shape",
                    near.empty() ? "1 box, 2 sphere, 3 cylinder, 4 cone" : near);
    return nullptr;
  }
  const std::size_t count = type == "box" ? 3 : type == "sphere" ? 1 : 2;
  const std::string meaning = type == "box" ? "x, y, z" : type == "sphere" ? "radius" : "height, radius";
  if (d.size() != count || *std::min_element(d.begin(), d.end()) < 0) {
    primitive.error("dimensions", "a " + type + " has " + std::to_string(count) + ", none of them negative",
                    "the order is " + meaning);
    return nullptr;
  }
  if (type == "box") {
    const Vector3d half = Vector3d(d[0], d[1], d[2]) / 2;
    return shared(AxisAlignedBoxShape{-half, half});
  }
  if (type == "sphere") return shared(SphereShape{Vector3d::Zero(), d[0]});
  if (type == "cone") return shared(cone(d[0], d[1]));
  return shared(CylinderShape{Vector3d(0, 0, -d[0] / 2), Vector3d::UnitZ(), d[1], d[0]});
}

bool CollisionMatrixMessage::allows(const std::string& a, const std::string& b) const {
  const auto index = [this](const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  const std::size_t i = index(a), j = index(b);
  if (i < names.size() && j < names.size()) return values[i][j];
  const auto byDefault = [this](const std::string& name) -> std::optional<bool> {
    for (const auto& [known, allowed] : defaults)
      if (known == name) return allowed;
    return std::nullopt;
  };
  const std::optional<bool> x = byDefault(a), y = byDefault(b);
  if (x && y) return *x && *y;
  return x.value_or(y.value_or(false));
}

StateMessage readState(Message message, const std::string& file, ResourceLoader& loader) {
  return SceneReader(message.notes(), file, loader).state(std::move(message));
}

SceneMessage readScene(const Value& value, const std::string& file, ResourceLoader& loader, Diagnostics& diagnostics) {
  MessageNotes notes(diagnostics);
  SceneReader reader(notes, file, loader);
  SceneMessage scene;
  // The planning_scene of a bag or service call has the message inside.
  const Value* inner = value.isMap() ? value.find("planning_scene") : nullptr;
  Message message(notes, inner != nullptr ? *inner : value, "PlanningScene");
  scene.position = message.position();
  scene.name = message.text("name");
  scene.robotModel = message.text("robot_model_name");
  if (message.has("robot_state")) scene.state = reader.state(message.message("robot_state", "RobotState"));
  for (Message& each : message.messages("fixed_frame_transforms", "TransformStamped"))
    scene.frames.push_back(reader.frame(each));
  if (message.has("allowed_collision_matrix"))
    scene.matrix = reader.matrix(message.message("allowed_collision_matrix", "AllowedCollisionMatrix"));
  scene.padding = reader.byLink(message, "link_padding", "LinkPadding", "padding", 0);
  scene.scale = reader.byLink(message, "link_scale", "LinkScale", "scale", 1);
  message.ignore({"object_colors", "is_diff"});
  Message world = message.message("world", "PlanningSceneWorld");
  for (Message& each : world.messages("collision_objects", "CollisionObject"))
    scene.objects.push_back(reader.object(each));
  Message octomap = world.message("octomap", "OctomapWithPose");
  Message inside = octomap.message("octomap", "Octomap");
  const Value* data = inside.get("data");
  if (data != nullptr && (data->isList() ? data->size() > 0 : !data->text().empty()))
    diagnostics.error("the scene has an octomap, which is not read", data->position(),
                      "leave it out, or give the obstacles as primitives or meshes");
  world.finish();
  message.finish();
  return scene;
}

}  // namespace mortise::io_moveit
