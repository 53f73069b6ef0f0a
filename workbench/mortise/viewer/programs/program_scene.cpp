#include "mortise/viewer/programs/program_scene.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/text/suggest.h"
#include "mortise/viewer/programs/checks.h"
#include "mortise/viewer/protocol/write_message.h"

namespace mortise::viewer {

namespace {

/// A packet of drawings is no larger than this unless a single one is.
constexpr std::size_t kPacket = 4 * 1024 * 1024;
constexpr std::size_t kMaxProblems = 100;

/// Erased drawings that are remembered, at most, unless a page has to be told of more.
constexpr std::size_t kMaxErased = 1000;

std::array<double, 12> rowsOf(const RigidTransform& X) {
  std::array<double, 12> rows;
  X.toRows(rows.data());
  return rows;
}

std::size_t sizeOf(const message::Drawing& drawing) {
  std::size_t size = 300 + drawing.name.size();
  for (const auto* part : {&drawing.points, &drawing.colors, &drawing.triangles, &drawing.text})
    if (*part) size += (*part)->size();
  return size;
}

}  // namespace

void ProgramScene::draw(message::Drawing drawing) {
  checkDrawing(drawing);
  const std::lock_guard lock(mutex_);
  removed_.erase(drawing.name);
  Drawn& entry = drawings_[drawing.name];
  entry.drawing = std::move(drawing);
  entry.changed = entry.moved = ++version_;
}

void ProgramScene::requireDrawing(const std::string& name) const {
  if (drawings_.contains(name)) return;
  std::vector<std::string> names;
  for (const auto& [other, entry] : drawings_) names.push_back(other);
  throw Error("there is no drawing '" + name + "'", {}, suggestFrom(name, names));
}

/// Drops what all pages know of erased drawings.
void ProgramScene::forgetErased() {
  if (removed_.size() < kMaxErased && !pages_.empty()) return;
  std::int64_t known = version_;
  for (const auto& [number, page] : pages_) known = std::min(known, page.drawings);
  std::erase_if(removed_, [&](const auto& entry) { return entry.second <= known; });
}

void ProgramScene::place(const std::string& name, const RigidTransform& X_WD) {
  if (!X_WD.R.allFinite() || !X_WD.p.allFinite()) throw Error("a pose of a drawing: expected finite numbers");
  const std::lock_guard lock(mutex_);
  requireDrawing(name);
  Drawn& entry = drawings_[name];
  const std::array<double, 12> rows = rowsOf(X_WD);
  if (entry.drawing.T == rows) return;
  entry.drawing.T = rows;
  entry.moved = ++version_;
}

RigidTransform ProgramScene::poseOf(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  requireDrawing(name);
  return RigidTransform::fromRows(drawings_.at(name).drawing.T.data());
}

bool ProgramScene::erase(const std::string& name) {
  const std::lock_guard lock(mutex_);
  if (drawings_.erase(name) == 0) return false;
  removed_[name] = ++version_;
  forgetErased();
  return true;
}

void ProgramScene::clearDrawings() {
  const std::lock_guard lock(mutex_);
  ++version_;
  for (const auto& [name, entry] : drawings_) removed_[name] = version_;
  drawings_.clear();
  forgetErased();
}

std::vector<std::string> ProgramScene::drawings() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, entry] : drawings_) names.push_back(name);
  return names;
}

message::ProgramControl* ProgramScene::find(const std::string& id) {
  for (message::ProgramControl& control : controls_.controls)
    if (control.id == id) return &control;
  return nullptr;
}

void ProgramScene::setControl(message::ProgramControl control) {
  checkControl(control);
  const std::lock_guard lock(mutex_);
  if (message::ProgramControl* old = find(control.id))
    *old = std::move(control);
  else
    controls_.controls.push_back(std::move(control));
  controlsVersion_ = ++version_;
}

bool ProgramScene::eraseControl(const std::string& id) {
  const std::lock_guard lock(mutex_);
  if (std::erase_if(controls_.controls, [&](const auto& control) { return control.id == id; }) == 0) return false;
  controlsVersion_ = ++version_;
  return true;
}

void ProgramScene::clearControls() {
  const std::lock_guard lock(mutex_);
  controls_.controls.clear();
  controlsVersion_ = ++version_;
}

message::ProgramControl ProgramScene::control(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> ids;
  for (const message::ProgramControl& control : controls_.controls) {
    if (control.id == id) return control;
    ids.push_back(control.id);
  }
  throw Error("there is no control '" + id + "'", {}, suggestFrom(id, ids));
}

std::vector<std::string> ProgramScene::controls() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> ids;
  for (const message::ProgramControl& control : controls_.controls) ids.push_back(control.id);
  return ids;
}

void ProgramScene::setTitle(const std::string& title) {
  const std::lock_guard lock(mutex_);
  controls_.title = title;
  controlsVersion_ = ++version_;
}

void ProgramScene::setBodies(std::vector<message::BodyStyle> bodies) {
  for (const message::BodyStyle& style : bodies)
    if (style.color) checkColor(*style.color, "the body " + std::to_string(style.id));
  const std::lock_guard lock(mutex_);
  bodies_.bodies = std::move(bodies);
  bodiesVersion_ = ++version_;
}

void ProgramScene::lookAt(const Vector3d& position, const Vector3d& target) {
  if (!position.allFinite() || !target.allFinite() || position == target)
    throw Error("the camera: expected finite numbers, and a target that is not its position");
  const std::lock_guard lock(mutex_);
  camera_ = message::Camera{position, target};
  cameraVersion_ = ++version_;
}

void ProgramScene::report(const std::string& problem) {
  const std::lock_guard lock(mutex_);
  problems_.push_back(problem);
  if (problems_.size() <= kMaxProblems) return;
  problems_.erase(problems_.begin());
  for (auto& [number, page] : pages_) page.problems -= page.problems > 0 ? 1 : 0;
}

void ProgramScene::apply(const message::Control& request) {
  message::ProgramControl* control = find(request.id);
  if (control == nullptr) throw Error("there is no control '" + request.id + "'");
  setFromPage(*control, request);
  if (control->kind != ControlKind::button) controlsVersion_ = ++version_;
}

void ProgramScene::apply(const message::Dragged& request) {
  requireDrawing(request.name);
  Drawn& entry = drawings_[request.name];
  if (entry.drawing.drag == DragKind::none) throw Error("the drawing '" + request.name + "' is not to be dragged");
  RigidTransform X = request.T.X;
  if (entry.drawing.drag == DragKind::point) X.R = RigidTransform::fromRows(entry.drawing.T.data()).R;
  entry.drawing.T = rowsOf(X);
  entry.moved = ++version_;
}

void ProgramScene::apply(const message::Picked& request) {
  if (request.direction.norm() < 1e-12) throw Error("'direction' of a message 'picked': expected one that is not 0");
}

void ProgramScene::take(const message::ProgramRequest& request) {
  const std::lock_guard lock(mutex_);
  std::visit([&](const auto& one) { apply(one); }, request);
}

void ProgramScene::join(int page) {
  const std::lock_guard lock(mutex_);
  pages_[page].problems = problems_.size();
}

void ProgramScene::leave(int page) {
  const std::lock_guard lock(mutex_);
  pages_.erase(page);
}

int ProgramScene::pages() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(pages_.size());
}

/// Changes that the page does not know, the oldest first, as many as a packet holds.
std::optional<message::Drawings> ProgramScene::newsOf(Page& page) const {
  if (page.drawings >= version_) return std::nullopt;
  std::map<std::int64_t, std::vector<const Drawn*>> changes;
  for (const auto& [name, entry] : drawings_)
    if (const std::int64_t when = std::max(entry.changed, entry.moved); when > page.drawings)
      changes[when].push_back(&entry);
  message::Drawings news;
  for (const auto& [name, when] : removed_)
    if (when > page.drawings && page.drawings >= 0) news.removed.push_back(name);
  std::size_t size = 0;
  std::int64_t known = version_;
  for (const auto& [when, entries] : changes) {
    if (size > kPacket) {
      known = when - 1;
      break;
    }
    for (const Drawn* entry : entries) {
      const bool isNew = entry->changed > page.drawings;
      if (isNew)
        news.drawings.push_back(entry->drawing);
      else
        news.poses.push_back({entry->drawing.name, entry->drawing.T});
      size += isNew ? sizeOf(entry->drawing) : 300;
    }
  }
  page.drawings = known;
  if (news.drawings.empty() && news.poses.empty() && news.removed.empty()) return std::nullopt;
  return news;
}

std::optional<ViewPacket> ProgramScene::next(int number) {
  const std::lock_guard lock(mutex_);
  const auto found = pages_.find(number);
  if (found == pages_.end()) return std::nullopt;
  Page& page = found->second;
  if (page.problems < problems_.size())
    return ViewPacket{true, jsonOf(message::Problem{problems_[page.problems++], {}})};
  if (page.controls < controlsVersion_) {
    page.controls = controlsVersion_;
    return ViewPacket{true, jsonOf(controls_)};
  }
  if (page.bodies < bodiesVersion_) {
    page.bodies = bodiesVersion_;
    return ViewPacket{true, jsonOf(bodies_)};
  }
  if (std::optional<message::Drawings> news = newsOf(page)) return ViewPacket{true, jsonOf(std::move(*news))};
  if (camera_ && page.camera < cameraVersion_) {
    page.camera = cameraVersion_;
    return ViewPacket{true, jsonOf(*camera_)};
  }
  return std::nullopt;
}

}  // namespace mortise::viewer
