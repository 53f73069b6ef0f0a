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
  throw Error("this view is read-only: its motion comes from another process");
}

}  // namespace mortise::viewer
