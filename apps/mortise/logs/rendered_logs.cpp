#include "logs/rendered_logs.h"

#include <map>

#include "mortise/appearance/picture_style.h"
#include "mortise/appearance/surface_style.h"
#include "mortise/path_tracing/lighting.h"

namespace mortise::app {

namespace {

/// The fraction of the color of a further log that is its own, and its opacity.
constexpr double kTinted = 0.85, kTintedOpacity = 0.5;

Rgba tinted(const Rgba& given, const Color& color) {
  Rgba out = {0, 0, 0, static_cast<float>(kTintedOpacity)};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto level = [](float part) { return path_tracing::linearLevel(static_cast<double>(part)); };
    out[k] = static_cast<float>(path_tracing::screenLevel((1 - kTinted) * level(given[k]) + kTinted * level(color[k])));
  }
  return out;
}

/// A shape in the color of a log, without textures.
VisualShapePtr tintedShape(const VisualShape& given, const Rgba& plain, const Color& color) {
  auto shape = std::make_shared<VisualShape>();
  for (const VisualMesh& mesh : given) {
    auto data = std::make_shared<VisualMeshData>(*mesh.data);
    data->colors.clear();
    VisualMaterial material;
    material.color = tinted(mesh.material ? mesh.material->color : plain, color);
    shape->push_back({std::move(data), material});
  }
  return shape;
}

}  // namespace

RenderedLogs::RenderedLogs(const std::vector<std::string>& files, logs::LogShapes shapes, ResourceLoader& loader,
                           LogSink& log)
    : appearances_(loader, [&log](const std::string& message) { log.write(LogLevel::warning, "mortise", message); }) {
  for (const std::string& file : files) {
    Part part;
    part.reader = std::make_unique<mcap::Reader>(file);
    if (!part.reader->damage().empty())
      log.write(LogLevel::warning, "mortise", part.reader->path() + " " + part.reader->damage());
    part.log = std::make_unique<logs::LogWorld>(*part.reader, shapes);
    add(std::move(part));
  }
}

void RenderedLogs::add(Part part) {
  const logs::LogWorld& log = *part.log;
  if (parts_.empty()) {
    world_ = log.world();
    linkObjects_ = log.linkObjects();
    linkNumbers_ = log.linkNumbers();
    for (const auto& [geometry, appearance, isDefault] : log.appearances())
      appearances_.know(geometry, appearance, isDefault);
    parts_.push_back(std::move(part));
    return;
  }
  const Color color = colorOf(style::kPalette[parts_.size() % style::kPalette.size()]);
  std::map<const void*, VisualShapePtr> known;  // Looked up, never walked through.
  for (const auto& [geometry, appearance, isDefault] : log.appearances()) known[&geometry->data()] = appearance;
  for (const RigidObject& object : log.world().objects) {
    const auto found = known.find(&object.geometry->data());
    const Color own = displayColor(object.display, kRobotColor, nullptr);
    const VisualShape shape = found != known.end() ? *found->second : visualShapeOf(*object.geometry);
    appearances_.know(object.geometry, tintedShape(shape, {own[0], own[1], own[2], 1}, color));
    linkObjects_.push_back(static_cast<int>(world_.objects.size()));
    linkNumbers_.push_back(0);
    world_.objects.push_back(object);
    world_.objects.back().display.clear();
  }
  parts_.push_back(std::move(part));
}

std::vector<RigidTransform> RenderedLogs::posesAt(double time) const {
  std::vector<RigidTransform> poses;
  for (const Part& part : parts_) {
    const std::vector<RigidTransform> own = part.log->posesAt(part.log->indexAt(time));
    poses.insert(poses.end(), own.begin(), own.end());
  }
  return poses;
}

std::vector<logs::ContactSum> RenderedLogs::contactsAt(double time) {
  Part& part = parts_.front();
  return logs::contactSums(logs::contactsAt(*part.reader, part.log->times()[part.log->indexAt(time)]));
}

const SimulationView& RenderedScene::at(double time) {
  const std::vector<RigidTransform> poses = logs_.posesAt(time);
  for (std::size_t i = 0; i < poses.size(); ++i) still_.objectPose(static_cast<int>(i)) = poses[i];
  return still_.view();
}

}  // namespace mortise::app
