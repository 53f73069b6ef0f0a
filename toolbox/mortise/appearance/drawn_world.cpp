#include "mortise/appearance/drawn_world.h"

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/geometry/transform_geometry.h"

namespace mortise {

namespace {

Rgba opaque(const Color& color) { return {color[0], color[1], color[2], 1}; }

/// The texture of `<display>`: Klamp't's, or a file.
TexturePtr displayTexture(const DisplayStyle& style, VisualFiles* files) {
  if (style.texture.empty()) return nullptr;
  if (TexturePtr known = klamptTexture(style.texture)) return known;
  return files == nullptr ? nullptr : files->texture(style.texture, style.texturePosition);
}

class WorldDrawing {
 public:
  WorldDrawing(const World& world, VisualFiles* files) : world_(world), files_(files) {
    if (files != nullptr) warn_ = [files](const std::string& message) { files->warn(message); };
  }

  std::vector<DrawnBody> bodies() {
    for (std::size_t i = 0; i < world_.terrains.size(); ++i) {
      const Terrain& terrain = world_.terrains[i];
      DrawnBody& body = add(World::Kind::terrain, static_cast<int>(i), -1, world_.terrainId(static_cast<int>(i)));
      body.style = displayStyle(terrain.display, warn_);
      addShape(terrain.geometry, terrain.geometryTransform, kTerrainColor, body);
    }
    for (std::size_t i = 0; i < world_.objects.size(); ++i) {
      const RigidObject& object = world_.objects[i];
      DrawnBody& body = add(World::Kind::object, static_cast<int>(i), -1, world_.objectId(static_cast<int>(i)));
      body.style = displayStyle(object.display, warn_);
      addShape(object.geometry, object.geometryTransform, kObjectColor, body);
    }
    for (std::size_t i = 0; i < world_.robots.size(); ++i) addRobot(static_cast<int>(i));
    return std::move(bodies_);
  }

 private:
  DrawnBody& add(World::Kind kind, int index, int link, int id) {
    DrawnBody& body = bodies_.emplace_back();
    body.kind = kind;
    body.index = index;
    body.link = link;
    body.id = id;
    return body;
  }

  void addRobot(int index) {
    const WorldRobot& placed = world_.robots[static_cast<std::size_t>(index)];
    const Robot& robot = *placed.robot;
    const bool visuals = files_ != nullptr && hasLinkVisuals(robot.description());
    for (int l = 0; l < robot.numLinks(); ++l) {
      DrawnBody& body = add(World::Kind::link, index, l, world_.linkId(index, l));
      body.style = displayStyle(placed.display, warn_, &robot, l);
      addLink(robot, l, visuals, body);
    }
  }

  void addLink(const Robot& robot, int l, bool visuals, DrawnBody& body) {
    const Link& link = robot.link(l);
    std::vector<LinkVisual> own;
    if (visuals) {
      try {
        own = linkVisuals(robot.description(), l);
      } catch (const Error& error) {
        warn_("the visual shapes of link '" + link.name + "' are not drawn: " + error.message());
        own.emplace_back().kind = LinkVisual::Kind::collision;
      }
    }
    const AffineMap map = link.geometryTransform * AffineMap::scaling(Vector3d::Constant(link.geometryScale));
    const bool shaped = link.geometry != nullptr && !link.geometry->empty();
    const auto isCollision = [](const LinkVisual& each) { return each.kind == LinkVisual::Kind::collision; };
    const bool asItCollides = std::any_of(own.begin(), own.end(), isCollision);
    std::erase_if(own, isCollision);
    if (shaped && isShapeOf(own, link, map)) {
      DrawnPart part;
      part.appearance = files_->appearanceOf(link.geometry, map);
      part.geometry = link.geometry;
      paint(own.front(), body.style, part);
      body.parts.push_back(std::move(part));
      return;
    }
    std::vector<DrawnPart> seen;
    for (const LinkVisual& visual : own) addVisual(visual, body.style, seen);
    if (shaped) addShape(link.geometry, map, kRobotColor, body);
    if (shaped && !asItCollides && (!seen.empty() || (visuals && own.empty()))) body.parts.front().visual = false;
    // What is missing is replaced by the shape, in the color that it would have.
    if (shaped && seen.empty() && !own.empty() && !asItCollides && body.parts.front().appearance == nullptr)
      paint(own.front(), body.style, body.parts.front());
    for (DrawnPart& part : seen) body.parts.push_back(std::move(part));
  }

  /// Says whether a link's only visual shape is its collision shape.
  static bool isShapeOf(const std::vector<LinkVisual>& own, const Link& link, const AffineMap& map) {
    if (own.size() != 1) return false;
    const LinkVisual& visual = own.front();
    return visual.kind == LinkVisual::Kind::mesh && visual.mesh == link.geometryFile && visual.map.A == map.A &&
           visual.map.t == map.t;
  }

  static Rgba rgbaOf(const std::array<double, 4>& color) {
    Rgba rgba;
    for (std::size_t k = 0; k < 4; ++k) rgba[k] = static_cast<float>(std::clamp(color[k], 0.0, 1.0));
    return rgba;
  }

  void addVisual(const LinkVisual& visual, const DisplayStyle& style, std::vector<DrawnPart>& parts) {
    DrawnPart part;
    part.collision = false;
    VisualFiles::Content content;
    if (visual.kind == LinkVisual::Kind::mesh)
      content = files_->mesh(visual);
    else
      content.geometry = std::make_shared<const Geometry>(visual.primitive());
    if (content.empty()) return;
    if (content.appearance != nullptr)
      part.appearance = visual.map.isIdentity()
                            ? content.appearance
                            : std::make_shared<const VisualShape>(transformed(*content.appearance, visual.map));
    else if (!mapped(*content.geometry, visual, part.geometry))
      return;
    paint(visual, style, part);
    parts.push_back(std::move(part));
  }

  /// Gives a part the material of the file that describes the robot, and what `<display>` says.
  void paint(const LinkVisual& visual, const DisplayStyle& style, DrawnPart& part) {
    part.defaultColor = !visual.color && part.appearance == nullptr;
    part.material.color = visual.color ? rgbaOf(*visual.color) : opaque(kRobotColor);
    if (!visual.texture.empty()) {
      SourcePosition where;
      where.file = visual.file;
      where.line = visual.line;
      if (part.appearance != nullptr)
        part.material.texture = files_->texture(visual.texture, where);
      else
        warn_(Error("the texture '" + visual.texture + "' is not drawn: the shape has no texture coordinates", where)
                  .what());
      if (part.material.texture != nullptr && !visual.color) part.material.color = {1, 1, 1, 1};
    }
    apply(style, part);
  }

  bool mapped(const Geometry& geometry, const LinkVisual& visual, GeometryPtr& out) {
    try {
      out = transformed(geometry, visual.map);
      return true;
    } catch (const Error& error) {
      warn_("a visual shape of " + visual.file + ":" + std::to_string(visual.line) +
            " is not drawn: " + error.message());
      return false;
    }
  }

  void addShape(const GeometryPtr& geometry, const AffineMap& map, const Color& color, DrawnBody& body) {
    if (geometry == nullptr || geometry->empty()) return;
    DrawnPart part;
    if (files_ != nullptr) part.appearance = files_->appearanceOf(geometry, map);
    part.geometry = geometry;
    part.defaultColor = part.appearance == nullptr || files_->isDefaultColor(geometry);
    part.material.color = opaque(color);
    apply(body.style, part);
    body.parts.push_back(std::move(part));
  }

  void apply(const DisplayStyle& style, DrawnPart& part) {
    if (style.color) {
      part.material = {*style.color, nullptr};
      part.ownMaterials = false;
      part.defaultColor = false;
    }
    if (const TexturePtr texture = displayTexture(style, files_)) {
      part.material.texture = texture;
      part.ownMaterials = false;
      if (part.defaultColor) part.material.color = {1, 1, 1, 1};
      part.defaultColor = false;
    }
  }

  const World& world_;
  VisualFiles* files_;
  std::function<void(const std::string&)> warn_;
  std::vector<DrawnBody> bodies_;
};

}  // namespace

std::vector<DrawnBody> drawnBodies(const World& world, VisualFiles* files) {
  return WorldDrawing(world, files).bodies();
}

VisualShape drawnMeshes(const DrawnPart& part, const DisplayStyle& style, const VisualShape& base) {
  VisualShape shape = part.appearance != nullptr ? *part.appearance : base;
  const bool laid = part.material.texture != nullptr && !style.texture.empty();
  if (laid) shape = projected(shape, style.projection, style.fitTexture);
  for (VisualMesh& mesh : shape) {
    const bool points = mesh.data->triangles.empty();
    if (!part.ownMaterials || !mesh.material) mesh.material = part.material;
    if (points && style.pointColor && mesh.data->colors.empty()) mesh.material->color = *style.pointColor;
    if (mesh.data->textureCoordinates.empty()) mesh.material->texture = nullptr;
    // The colors of vertices are those of the file, and a color that was asked for wins.
    if (mesh.data->colors.empty()) continue;
    if (style.color && !points) {
      auto plain = std::make_shared<VisualMeshData>(*mesh.data);
      plain->colors.clear();
      mesh.data = std::move(plain);
    } else {
      mesh.material->color = {1, 1, 1, mesh.material->color[3]};
    }
  }
  return shape;
}

bool needsMeshes(const DrawnPart& part, const DisplayStyle& style) {
  if (part.material.texture != nullptr && !style.texture.empty()) return true;
  if (part.appearance == nullptr) return false;
  return part.geometry == nullptr || part.ownMaterials;
}

}  // namespace mortise
