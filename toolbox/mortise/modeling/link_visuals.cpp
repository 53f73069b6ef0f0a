#include "mortise/modeling/link_visuals.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/json/json_reader.h"
#include "mortise/json/json_writer.h"

namespace mortise {

namespace {

constexpr std::string_view kVisual = "visual:";
constexpr std::array<const char*, 6> kKinds = {"mesh", "box", "sphere", "cylinder", "capsule", "collision"};

std::string visualKey(std::string_view linkName) { return std::string(kVisual) + std::string(linkName); }

/// The linear part row by row, then the translation.
std::vector<double> mapRows(const AffineMap& map) {
  std::vector<double> rows;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) rows.push_back(map.A(r, c));
  for (int r = 0; r < 3; ++r) rows.push_back(map.t[r]);
  return rows;
}

Value valueOf(const LinkVisual& visual) {
  Value value = Value::map();
  if (visual.kind == LinkVisual::Kind::mesh)
    value.set("mesh", visual.mesh);
  else if (visual.kind == LinkVisual::Kind::collision)
    value.set("collision", true);
  else
    value.set(kKinds[static_cast<std::size_t>(visual.kind)],
              std::vector<double>(visual.size.data(), visual.size.data() + 3));
  if (!visual.map.isIdentity()) value.set("map", mapRows(visual.map));
  if (visual.color) value.set("color", std::vector<double>(visual.color->begin(), visual.color->end()));
  if (!visual.texture.empty()) value.set("texture", visual.texture);
  if (!visual.file.empty()) value.set("file", visual.file);
  if (visual.line > 0) value.set("line", visual.line);
  if (!visual.packageRoot.empty()) value.set("package_root", visual.packageRoot);
  return value;
}

std::vector<double> finiteNumbers(const Value& value, std::size_t count) {
  std::vector<double> numbers = value.asReals();
  if (numbers.size() != count) throw Error("expected " + std::to_string(count) + " numbers");
  for (const double number : numbers)
    if (!std::isfinite(number)) throw Error("expected finite numbers");
  return numbers;
}

LinkVisual visualOf(const Value& value) {
  LinkVisual visual;
  bool shaped = false;
  for (std::size_t k = 0; k < kKinds.size(); ++k) {
    const Value* shape = value.find(kKinds[k]);
    if (shape == nullptr) continue;
    shaped = true;
    visual.kind = static_cast<LinkVisual::Kind>(k);
    if (visual.kind == LinkVisual::Kind::mesh)
      visual.mesh = shape->asString();
    else if (visual.kind != LinkVisual::Kind::collision)
      visual.size = Vector3d(finiteNumbers(*shape, 3).data());
  }
  if (!shaped) throw Error("a visual shape has neither mesh nor primitive");
  if (const Value* map = value.find("map")) {
    const std::vector<double> rows = finiteNumbers(*map, 12);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) visual.map.A(r, c) = rows[static_cast<std::size_t>(3 * r + c)];
    visual.map.t = Vector3d(rows[9], rows[10], rows[11]);
  }
  if (const Value* color = value.find("color")) {
    const std::vector<double> numbers = finiteNumbers(*color, 4);
    visual.color = {numbers[0], numbers[1], numbers[2], numbers[3]};
  }
  visual.texture = value.string("texture", "");
  visual.file = value.string("file", "");
  visual.line = static_cast<int>(std::clamp<std::int64_t>(value.integer("line", 0), 0, 1 << 30));
  visual.packageRoot = value.string("package_root", "");
  return visual;
}

/// Changes all visual shapes of a robot; those that cannot be read stay as they are.
template <typename Change>
void changeAll(RobotDescription& robot, Change change) {
  for (auto& property : robot.properties) {
    if (!isLinkVisual(property)) continue;
    try {
      std::vector<LinkVisual> visuals = linkVisualsFromText(property.second);
      for (LinkVisual& visual : visuals) change(visual);
      property.second = linkVisualText(visuals);
    } catch (const Error&) {
      // Who draws the robot says so.
    }
  }
}

}  // namespace

Geometry::Data LinkVisual::primitive() const {
  const Vector3d half = 0.5 * size, end(0, 0, half[1]);
  switch (kind) {
    case Kind::box:
      return AxisAlignedBoxShape{-half, half};
    case Kind::sphere:
      return SphereShape{Vector3d::Zero(), size[0]};
    case Kind::cylinder:
      return CylinderShape{-end, Vector3d::UnitZ(), size[0], size[1]};
    case Kind::capsule:
      return CapsuleShape{-end, end, size[0]};
    case Kind::mesh:
    case Kind::collision:
      break;
  }
  return {};
}

bool LinkVisual::operator==(const LinkVisual& other) const {
  return kind == other.kind && mesh == other.mesh && size == other.size && map.A == other.map.A &&
         map.t == other.map.t && color == other.color && texture == other.texture && file == other.file &&
         line == other.line && packageRoot == other.packageRoot;
}

std::string linkVisualText(const std::vector<LinkVisual>& visuals) {
  Value list = Value::list();
  for (const LinkVisual& visual : visuals) list.push_back(valueOf(visual));
  std::string text = toJson(list, -1);
  // Some formats begin comments with this sign, and strings alone hold it.
  for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at))
    text.replace(at, 1, "\\u0023");
  return text;
}

std::vector<LinkVisual> linkVisualsFromText(std::string_view text) {
  JsonReader reader(text);
  const Value list = reader.value();
  reader.end();
  if (!list.isList()) throw Error("the visual shapes of a link are not a list");
  std::vector<LinkVisual> visuals;
  for (const Value& item : list.items()) {
    if (!item.isMap()) throw Error("a visual shape is not a map");
    visuals.push_back(visualOf(item));
  }
  return visuals;
}

std::vector<LinkVisual> linkVisuals(const RobotDescription& robot, int link) {
  const std::string key = visualKey(robot.links.at(static_cast<std::size_t>(link)).name);
  for (const auto& property : robot.properties)
    if (property.first == key) return linkVisualsFromText(property.second);
  return {};
}

void setLinkVisuals(RobotDescription& robot, std::string_view linkName, const std::vector<LinkVisual>& visuals) {
  const std::string key = visualKey(linkName);
  std::erase_if(robot.properties, [&](const auto& property) { return property.first == key; });
  if (!visuals.empty()) robot.properties.emplace_back(key, linkVisualText(visuals));
}

bool isLinkVisual(const std::pair<std::string, std::string>& property) { return property.first.starts_with(kVisual); }

bool hasLinkVisuals(const RobotDescription& robot) {
  return std::any_of(robot.properties.begin(), robot.properties.end(), isLinkVisual);
}

void dropLinkVisuals(RobotDescription& robot) {
  std::erase_if(robot.properties, [&](const auto& property) {
    return isLinkVisual(property) && robot.findLink(std::string_view(property.first).substr(kVisual.size())) < 0;
  });
}

void moveLinkVisuals(RobotDescription& robot, std::string_view from, std::string_view to) {
  const std::string key = visualKey(from);
  for (auto& property : robot.properties)
    if (property.first == key) property.first = visualKey(to);
}

namespace {

/// Lets links that have shapes and nothing else be seen as they collide.
void showShapes(const RobotDescription& shapes, const std::string& prefix, RobotDescription& robot) {
  LinkVisual collision;
  collision.kind = LinkVisual::Kind::collision;
  for (const Link& link : shapes.links)
    if (link.geometry != nullptr && !link.geometry->empty())
      robot.properties.emplace_back(visualKey(prefix + link.name), linkVisualText({collision}));
}

}  // namespace

void showCollisionShape(RobotDescription& robot, std::string_view linkName) {
  const int link = robot.findLink(linkName);
  if (link < 0 || !hasLinkVisuals(robot)) return;
  LinkVisual collision;
  collision.kind = LinkVisual::Kind::collision;
  try {
    std::vector<LinkVisual> visuals = linkVisuals(robot, link);
    if (std::find(visuals.begin(), visuals.end(), collision) != visuals.end()) return;
    visuals.push_back(collision);
    setLinkVisuals(robot, linkName, visuals);
  } catch (const Error&) {
    // Who draws the robot says what is wrong with them.
  }
}

void addLinkVisuals(RobotDescription& robot, const RobotDescription& part, const std::string& prefix) {
  const bool has = hasLinkVisuals(robot), partHas = hasLinkVisuals(part);
  if (has && !partHas) showShapes(part, prefix, robot);
  if (partHas && !has) showShapes(RobotDescription(robot), {}, robot);
  for (const auto& property : part.properties)
    if (isLinkVisual(property))
      robot.properties.emplace_back(visualKey(prefix + property.first.substr(kVisual.size())), property.second);
}

void scaleLinkVisuals(RobotDescription& robot, double factor) {
  changeAll(robot,
            [factor](LinkVisual& visual) { visual.map = AffineMap::scaling(Vector3d::Constant(factor)) * visual.map; });
}

void carryLinkVisuals(const RobotDescription& full, int link, RobotDescription& robot, std::string_view to,
                      const RigidTransform& X) {
  const int target = robot.findLink(to);
  if (target < 0) return;
  try {
    const std::vector<LinkVisual> carried = linkVisuals(full, link);
    if (carried.empty()) return;
    std::vector<LinkVisual> visuals = linkVisuals(robot, target);
    for (LinkVisual visual : carried) {
      visual.map = AffineMap(X) * visual.map;
      visuals.push_back(std::move(visual));
    }
    setLinkVisuals(robot, to, visuals);
  } catch (const Error&) {
    // Who draws the robot says what is wrong with them.
  }
}

}  // namespace mortise
