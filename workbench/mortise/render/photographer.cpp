#include "mortise/render/photographer.h"

#include <algorithm>
#include <cmath>

#include "mortise/appearance/drawn_world.h"
#include "mortise/base/error.h"
#include "mortise/base/value.h"
#include "mortise/loading/format_loader.h"
#include "mortise/render/scene_overlays.h"
#include "mortise/render/world_renderer.h"

namespace mortise::render {

namespace {

double numberFrom(std::string_view text) {
  const Value number = Value::fromText(std::string(text));
  if (!number.isNumber() || !std::isfinite(number.asReal()))
    throw Error("'" + std::string(text) + "' in the view's address is no number", {},
                "copy the link of the viewer's page once more");
  return number.asReal();
}

std::vector<double> numbersFrom(std::string_view text) {
  std::vector<double> numbers;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    numbers.push_back(numberFrom(text.substr(at, end - at)));
    at = end + 1;
  }
  return numbers;
}

}  // namespace

SavedView savedView(std::string_view address) {
  SavedView saved;
  const std::size_t hash = address.find('#');
  std::string_view rest = hash == std::string_view::npos ? address : address.substr(hash + 1);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest = rest.substr(std::min(end + 1, rest.size()));
    if (part.starts_with("t=")) saved.time = numberFrom(part.substr(2));
    if (!part.starts_with("view=")) continue;
    const std::vector<double> numbers = numbersFrom(part.substr(5));
    if (numbers.size() < 6)
      throw Error("the view's address has " + std::to_string(numbers.size()) + " numbers: it takes six and more", {},
                  "copy the link of the viewer's page once more");
    saved.position = Vector3d(numbers.data());
    saved.target = Vector3d(numbers.data() + 3);
  }
  if (!saved.position && !saved.time)
    throw Error("'" + std::string(address) + "' is no view", {},
                "name " + presetNames().front() +
                    ", front, back, left, right, top or bottom, or give the link that the "
                    "viewer's page copies, with view=...");
  return saved;
}

Photographer::Photographer(const World& world, const std::vector<const SimulationView*>& views,
                           const PhotoOptions& options, Registry& registry, LogSink& log, std::vector<int> linkObjects,
                           std::vector<int> linkNumbers)
    : world_(world), options_(options) {
  FormatLoader loader(registry, log);
  const VisualFilesScope appearances(&loader, log);
  const std::vector<DrawnBody> bodies = drawnBodies(world, options.collision ? nullptr : currentVisualFiles());
  TracedShot shot;
  shot.collision = options.collision;
  shot.floor = placeFloor(bodies, *views.front());
  const SeenBoxes boxes = seenBoxes(bodies, *views.front(), shot.floor.terrains);
  AxisAlignedBounds bounds = boundsOf(boxes);
  for (const SimulationView* view : views) {
    const AxisAlignedBounds own = boundsOf(seenBoxes(bodies, *view, shot.floor.terrains));
    bounds.include(own.min);
    bounds.include(own.max);
  }
  size_ = (bounds.max - bounds.min).norm();
  CameraView place = options.camera;
  const double aspect = static_cast<double>(options.width) / options.height;
  if (!place.direction) place.direction = clearDirection(boxes, bounds, (bounds.max - bounds.min).norm());
  shot.width = options.width;
  shot.height = options.height;
  shot.fieldOfView = place.fieldOfView;
  shot.X_WC = cameraPose(place, bounds, aspect);
  shot.target = place.target.value_or(0.5 * (bounds.min + bounds.max));
  shot.linkObjects = linkObjects_ = std::move(linkObjects);
  shot.linkNumbers = std::move(linkNumbers);
  camera_ = {shot.X_WC, 0.5 * options.height / std::tan(0.5 * place.fieldOfView), options.width, options.height};
  if (options.asSensors) {
    maker_ = std::make_unique<WorldRenderer>(world, registry, log, options.width, options.height, place.fieldOfView,
                                             shot.X_WC, options.collision ? "collision" : "visual");
    return;
  }
  auto traced = std::make_unique<TracedRenderer>(world, registry, log, options.style, shot);
  traced_ = traced.get();
  maker_ = std::move(traced);
}

void Photographer::setProgress(TracedRenderer::Progress progress) {
  if (traced_ != nullptr) traced_->setProgress(std::move(progress));
}

Picture Photographer::take(const SimulationView& view, const std::vector<logs::ContactSum>& contacts, double largest) {
  Picture picture = maker_->take(view);
  OverlayCanvas canvas(picture, camera_);
  if (options_.frames) drawFrames(canvas, world_, view, size_);
  drawContacts(canvas, contacts, largest, size_);
  if (options_.names) drawNames(canvas, world_, view, linkObjects_, options_.style.dark ? style::kDark : style::kLight);
  return picture;
}

}  // namespace mortise::render
