#include "mortise/viewer/watched_world.h"

#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"
#include "mortise/render/world_renderer.h"

namespace mortise::viewer {

namespace {

constexpr double kApart = 0.01;  // s

}  // namespace

WatchedWorld::WatchedWorld(World world, std::size_t mostBytes) : world_(std::move(world)), feed_(world_, mostBytes) {
  Value status = Value::map();
  status.set("type", "status");
  status.set("paused", false);
  status.set("over", false);
  status.set("speed", 1);
  status.set("can_go_back", false);
  status.set("watched", true);
  status.set("fault", "");
  feed_.setStatus(toJson(status, -1));
}

void WatchedWorld::move(int robot, double time, const VectorXd& q) {
  if (tick_ > 0 && time < last_ + kApart - 1e-9) return;
  world_.robots[static_cast<std::size_t>(robot)].q = q;
  const render::StillView still(world_);
  SimulationView view = still.view();
  view.time = last_ = time;
  view.tick = tick_++;
  feed_.add(view);
}

std::string WatchedWorld::join(int page) {
  feed_.join(page);
  Value out = Value::map();
  out.set("type", "hello");
  out.set("channels", feed_.channels());
  out.set("sensors", feed_.sensors());
  return toJson(out, -1);
}

std::string WatchedWorld::answer(int, const Value&) {
  throw Error("this moves elsewhere: it can be looked at, nothing else");
}

}  // namespace mortise::viewer
