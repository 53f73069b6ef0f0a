#include "mortise/logs/log_world.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>

#include "mortise/appearance/texture.h"
#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/json/json_reader.h"
#include "mortise/logs/log_info.h"
#include "mortise/math/rotation.h"

namespace mortise::logs {

namespace {

JsonReader jsonOf(std::string_view text) {
  JsonRules rules;
  rules.file = true;
  rules.maxDepth = 64;
  return JsonReader(text, rules);
}

/// Colors of glTF are linear, ours as screens show them.
float asShown(float linear) {
  return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
}

/// The parts of a binary glTF file.
struct Gltf {
  Value json;
  std::string_view binary;
  mutable std::map<std::int64_t, TexturePtr> textures;  ///< By index.

  explicit Gltf(std::string_view file) {
    std::size_t at = 12;
    if (file.size() < 20 || file.substr(0, 4) != "glTF") throw Error("is no binary glTF");
    while (at + 8 <= file.size()) {
      std::uint32_t length, type;
      std::memcpy(&length, file.data() + at, 4);
      std::memcpy(&type, file.data() + at + 4, 4);
      at += 8;
      if (length > file.size() - at) throw Error("ends within a chunk");
      if (type == 0x4e4f534a) json = jsonOf(file.substr(at, length)).value();
      if (type == 0x004e4942) binary = file.substr(at, length);
      at += length;
    }
  }

  const Value& item(const char* list, std::int64_t index) const {
    const Value& items = json.at(list);
    if (index < 0 || index >= static_cast<std::int64_t>(items.size()))
      throw Error("refers to something that is missing");
    return items.items()[static_cast<std::size_t>(index)];
  }

  /// The numbers of an accessor, `width` to an element.
  template <typename T>
  std::vector<T> numbers(std::int64_t index, std::size_t width) const {
    const Value& accessor = item("accessors", index);
    const Value& view = item("bufferViews", accessor.at("bufferView").asInteger());
    const auto offset = static_cast<std::size_t>(view.integer("byteOffset", 0)),
               length = static_cast<std::size_t>(view.at("byteLength").asInteger()),
               count = static_cast<std::size_t>(accessor.at("count").asInteger());
    if (offset > binary.size() || length > binary.size() - offset || count > length / (width * sizeof(T)))
      throw Error("refers to bytes that are missing");
    std::vector<T> out(width * count);
    if (!out.empty()) std::memcpy(out.data(), binary.data() + offset, out.size() * sizeof(T));
    return out;
  }

  std::vector<Vector3d> points(std::int64_t accessor) const {
    const std::vector<float> flat = numbers<float>(accessor, 3);
    std::vector<Vector3d> points;
    for (std::size_t i = 0; i < flat.size(); i += 3) points.emplace_back(flat[i], flat[i + 1], flat[i + 2]);
    return points;
  }

  std::vector<std::uint32_t> indices(std::int64_t accessor) const {
    if (item("accessors", accessor).at("componentType").asInteger() == 5125) return numbers<std::uint32_t>(accessor, 1);
    const std::vector<std::uint16_t> small = numbers<std::uint16_t>(accessor, 1);
    return {small.begin(), small.end()};
  }

  GeometryPtr shape(const Value& primitive) const {
    std::vector<Vector3d> points = this->points(primitive.at("attributes").at("POSITION").asInteger());
    if (primitive.integer("mode", 4) == 0) {
      PointCloud cloud;
      cloud.points = std::move(points);
      return std::make_shared<Geometry>(std::move(cloud));
    }
    TriangleMesh mesh;
    mesh.vertices = std::move(points);
    const std::vector<std::uint32_t> corners = indices(primitive.at("indices").asInteger());
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
      std::array<int, 3> triangle;
      for (std::size_t k = 0; k < 3; ++k) {
        if (corners[i + k] >= mesh.vertices.size()) throw Error("has a triangle without corner");
        triangle[k] = static_cast<int>(corners[i + k]);
      }
      mesh.triangles.push_back(triangle);
    }
    return std::make_shared<Geometry>(std::move(mesh));
  }

  /// The appearance of the mesh: materials, texture coordinates and colors of vertices.
  VisualShapePtr appearance(std::int64_t index) const {
    VisualShape appearance;
    for (const Value& primitive : item("meshes", index).at("primitives").items()) {
      const Value& attributes = primitive.at("attributes");
      auto data = std::make_shared<VisualMeshData>();
      data->vertices = points(attributes.at("POSITION").asInteger());
      if (const Value* corners = primitive.find("indices")) {
        const std::vector<std::uint32_t> list = indices(corners->asInteger());
        for (std::size_t i = 0; i + 2 < list.size(); i += 3) {
          for (std::size_t k = 0; k < 3; ++k)
            if (list[i + k] >= data->vertices.size()) throw Error("has a triangle without corner");
          data->triangles.push_back(
              {static_cast<int>(list[i]), static_cast<int>(list[i + 1]), static_cast<int>(list[i + 2])});
        }
      }
      if (const Value* colors = attributes.find("COLOR_0")) data->colors = colorsOf(colors->asInteger());
      if (const Value* coordinates = attributes.find("TEXCOORD_0")) {
        const std::vector<float> flat = numbers<float>(coordinates->asInteger(), 2);
        for (std::size_t i = 0; i + 1 < flat.size(); i += 2)
          data->textureCoordinates.emplace_back(flat[i], flat[i + 1]);
      }
      const std::size_t count = data->vertices.size();
      if ((!data->colors.empty() && data->colors.size() != count) ||
          (!data->textureCoordinates.empty() && data->textureCoordinates.size() != count))
        throw Error("has colors of other vertices than its own");
      appearance.push_back({std::move(data), materialOf(primitive.at("material").asInteger())});
    }
    return std::make_shared<const VisualShape>(std::move(appearance));
  }

  std::vector<Rgba> colorsOf(std::int64_t index) const {
    const std::size_t width = item("accessors", index).string("type", "VEC3") == "VEC4" ? 4 : 3;
    const std::vector<float> flat = numbers<float>(index, width);
    std::vector<Rgba> colors;
    for (std::size_t i = 0; i + width <= flat.size(); i += width)
      colors.push_back({asShown(flat[i]), asShown(flat[i + 1]), asShown(flat[i + 2]), width == 4 ? flat[i + 3] : 1});
    return colors;
  }

  VisualMaterial materialOf(std::int64_t index) const {
    const Value& surface = item("materials", index).at("pbrMetallicRoughness");
    const std::vector<double> factor = surface.at("baseColorFactor").asReals();
    VisualMaterial material;
    for (std::size_t k = 0; k < std::min<std::size_t>(factor.size(), 4); ++k)
      material.color[k] = k < 3 ? asShown(static_cast<float>(factor[k])) : static_cast<float>(factor[k]);
    if (const Value* texture = surface.find("baseColorTexture"))
      material.texture = textureOf(texture->at("index").asInteger());
    return material;
  }

  TexturePtr textureOf(std::int64_t index) const {
    const auto [known, isNew] = textures.try_emplace(index);
    if (!isNew) return known->second;
    const Value& image = item("images", item("textures", index).at("source").asInteger());
    const Value& view = item("bufferViews", image.at("bufferView").asInteger());
    const auto offset = static_cast<std::size_t>(view.integer("byteOffset", 0)),
               length = static_cast<std::size_t>(view.at("byteLength").asInteger());
    if (offset > binary.size() || length > binary.size() - offset) throw Error("refers to bytes that are missing");
    known->second = textureFrom(std::string(binary.substr(offset, length)));
    return known->second;
  }

  GeometryPtr mesh(std::int64_t index) const {
    const Value& primitives = item("meshes", index).at("primitives");
    if (primitives.size() == 1) return shape(primitives.items().front());
    GeometryGroup group;
    for (const Value& primitive : primitives.items()) group.parts.push_back(shape(primitive));
    return std::make_shared<Geometry>(std::move(group));
  }

  /// Returns a color as screens show it.
  std::vector<double> color(std::int64_t meshIndex) const {
    const Value& primitive = item("meshes", meshIndex).at("primitives").items().front();
    std::vector<double> color = item("materials", primitive.at("material").asInteger())
                                    .at("pbrMetallicRoughness")
                                    .at("baseColorFactor")
                                    .asReals();
    color.resize(3, 0.5);
    for (double& c : color) c = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
    return color;
  }
};

RigidTransform nodePose(const Value& node) {
  const std::vector<double> m = node.at("matrix").asReals();
  if (m.size() != 16) throw Error("has a node without pose");
  RigidTransform X;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) X.R(r, c) = m[static_cast<std::size_t>(4 * c + r)];
  X.p = Vector3d(m[12], m[13], m[14]);
  return X;
}

}  // namespace

LogWorld::LogWorld(mcap::Reader& reader, LogShapes shapes) {
  const auto description = reader.attachment("world.json"), scene = reader.attachment("scene.glb");
  if (!description || !scene)
    throw Error("holds no world: it was not written by Mortise", inFile(reader.path()),
                "record a run with `mortise sim --mcap` or the recorder mcap");
  try {
    const Value world = jsonOf(description->data).value();
    world_.file = world.string("world", "");
    world_.background = world.at("background").asReals();
    for (const Value& entity : world.at("entities").items()) {
      kinds_.push_back(entity.at("kind").asString());
      frames_.push_back(entity.at("frame").asString());
    }
    for (const Value& robot : world.at("robots").items()) {
      std::vector<LogLink>& links = robots_.emplace_back();
      for (const Value& link : robot.at("links").items()) {
        const std::vector<double> axis = link.at("axis").asReals(), T = link.at("T").asReals();
        const auto parent = link.at("parent").asInteger(), id = link.at("id").asInteger();
        if (axis.size() != 3 || T.size() != 12 || parent < -1 || parent >= static_cast<std::int64_t>(links.size()) ||
            id < 0 || id >= static_cast<std::int64_t>(kinds_.size()))
          throw Error("world.json has a link that is none");
        links.push_back({static_cast<int>(parent), static_cast<int>(id), link.at("motion").asString() == "prismatic",
                         Vector3d(axis.data()), RigidTransform::fromRows(T.data())});
      }
    }
    readScene(scene->data, shapes);
    for (const std::vector<LogLink>& links : robots_)
      for (std::size_t l = 0; l < links.size(); ++l)
        for (const int object : objectsOf_[static_cast<std::size_t>(links[l].id)]) {
          linkObjects_.push_back(object);
          linkNumbers_.push_back(static_cast<int>(l));
        }
    readStates(reader);
  } catch (const Error& error) {
    throw Error("the log's world cannot be used: " + error.message(), inFile(reader.path()));
  }
}

void LogWorld::readScene(const std::string& glb, LogShapes shapes) {
  const Gltf gltf(glb);
  objectsOf_.assign(kinds_.size(), {});
  if (!gltf.json.contains("nodes")) return;
  for (const Value& node : gltf.json.at("nodes").items()) {
    const auto id = node.at("extras").at("id").asInteger();
    if (id < 0 || id >= static_cast<std::int64_t>(kinds_.size())) throw Error("scene.glb has a node of no entity");
    const auto mesh = node.at("mesh").asInteger();
    // Logs of earlier versions have one shape a body, in one color.
    const Value* own = node.at("extras").find("mortise");
    if (own != nullptr && !own->boolean(shapes == LogShapes::visual ? "visual" : "collision", true)) continue;
    std::vector<Value> display;
    const GeometryPtr geometry = gltf.mesh(mesh);
    if (own != nullptr) {
      appearances_.push_back({geometry, gltf.appearance(mesh), own->boolean("defaultColor", false)});
    } else {
      display.push_back(Value::map());
      display.back().set("color", gltf.color(mesh));
    }
    const auto at = static_cast<std::size_t>(id);
    if (kinds_[at] == "terrain") {
      Terrain& terrain = world_.terrains.emplace_back();
      terrain.name = frames_[at];
      terrain.geometry = geometry;
      terrain.display = std::move(display);
      continue;
    }
    objectsOf_[at].push_back(static_cast<int>(world_.objects.size()));
    RigidObject& object = world_.objects.emplace_back();
    object.name = frames_[at];
    object.geometry = geometry;
    object.X_WO = nodePose(node);
    object.display = std::move(display);
  }
}

void LogWorld::readStates(mcap::Reader& reader) {
  for (std::size_t id = 0; id < kinds_.size(); ++id) {
    if (kinds_[id] == "object") objectIds_.push_back(static_cast<int>(id));
    columns_ += kinds_[id] == "object" ? 7 : kinds_[id] == "link" ? 1 : 0;
  }
  mcap::Query query;
  query.topics = {"/mortise/state"};
  reader.messages(query, [&](const mcap::Message& message) {
    const SeriesBlock block = SeriesBlock::decode(message.data);
    if (block.columns() != columns_)
      throw Error("its states have " + std::to_string(block.columns()) + " numbers, not " + std::to_string(columns_));
    for (std::size_t i = 0; i < block.samples(); ++i) {
      times_.push_back(block.times()[i]);
      states_.emplace_back(block.sample(i).begin(), block.sample(i).end());
    }
    return true;
  });
  if (times_.empty()) throw Error("it holds no states");
  if (!std::is_sorted(times_.begin(), times_.end())) throw Error("its times go back");
}

std::size_t LogWorld::indexAt(double time) const {
  const auto after = std::upper_bound(times_.begin(), times_.end(), time + 5e-10);
  return after == times_.begin() ? 0 : static_cast<std::size_t>(after - times_.begin()) - 1;
}

std::vector<RigidTransform> LogWorld::posesAt(std::size_t index) const {
  std::vector<RigidTransform> poses;
  for (const RigidObject& object : world_.objects) poses.push_back(object.X_WO);
  const std::vector<float>& state = states_.at(index);
  std::size_t at = 0;
  std::vector<RigidTransform> X;
  for (const std::vector<LogLink>& links : robots_) {
    X.clear();
    for (const LogLink& link : links) {
      const double q = state[at++];
      RigidTransform moved = link.X_PL0;
      if (link.prismatic)
        moved.p += moved.R * (q * link.axis);
      else
        moved.R = moved.R * rotationAboutAxis(link.axis, q);
      X.push_back(link.parent < 0 ? moved : X[static_cast<std::size_t>(link.parent)] * moved);
      for (const int object : objectsOf_[static_cast<std::size_t>(link.id)])
        poses[static_cast<std::size_t>(object)] = X.back();
    }
  }
  for (const int id : objectIds_) {
    for (const int object : objectsOf_[static_cast<std::size_t>(id)]) {
      const Eigen::Quaterniond q(state[at + 6], state[at + 3], state[at + 4], state[at + 5]);
      poses[static_cast<std::size_t>(object)] = {q.normalized().toRotationMatrix(),
                                                 Vector3d(state[at], state[at + 1], state[at + 2])};
    }
    at += 7;
  }
  return poses;
}

}  // namespace mortise::logs
