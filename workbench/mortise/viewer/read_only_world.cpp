#include "mortise/viewer/read_only_world.h"

#include "mortise/base/error.h"
#include "mortise/render/world_renderer.h"
#include "mortise/viewer/protocol/write_message.h"

namespace mortise::viewer {

namespace {

constexpr double kApart = 0.01;  // s

}  // namespace

ReadOnlyWorld::ReadOnlyWorld(World world, std::size_t maxBytes) : world_(std::move(world)), feed_(world_, maxBytes) {
  message::Status status;
  status.watched = true;
  feed_.setStatus(std::move(status));
}

void ReadOnlyWorld::move(int robot, double time, const VectorXd& q) {
  if (tick_ > 0 && time < last_ + kApart - 1e-9) return;
  world_.robots[static_cast<std::size_t>(robot)].q = q;
  show(time);
}

bool ReadOnlyWorld::place(const World& world, double time) {
  if (tick_ > 0 && time < last_ + kApart - 1e-9) return false;
  for (std::size_t r = 0; r < world_.robots.size(); ++r) world_.robots[r].q = world.robots[r].q;
  for (std::size_t o = 0; o < world_.objects.size(); ++o) world_.objects[o].X_WO = world.objects[o].X_WO;
  show(time);
  return true;
}

void ReadOnlyWorld::add(const SimulationView& view) {
  const std::int64_t shown = tick_ - 1;
  if (shown >= 0 && view.tick == shown) return;
  if (view.tick < shown)
    feed_.cutAfter(view.tick);
  else if (shown >= 0 && view.time < last_ + kApart - 1e-9)
    return;
  const bool isKept = view.tick < shown && feed_.tickAt(view.time) == view.tick;
  last_ = view.time;
  tick_ = view.tick + 1;
  if (!isKept) feed_.add(view);
}

void ReadOnlyWorld::show(double time) {
  const render::StillView still(world_);
  SimulationView view = still.view();
  view.time = last_ = time;
  view.tick = tick_++;
  feed_.add(view);
}

std::string ReadOnlyWorld::join(int page) {
  feed_.join(page);
  return jsonOf(message::Hello{feed_.channels(), {feed_.sensors()}, {}, {}});
}

std::string ReadOnlyWorld::answer(int, const PageMessage&) {
  throw Error("this view is read-only: another program moves what it shows");
}

}  // namespace mortise::viewer
