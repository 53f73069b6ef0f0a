#pragma once

#include <string>

#include "mortise/viewer/live_feed.h"

namespace mortise::viewer {

/// A world that moves elsewhere: pages see where it is, and cannot do anything about it.
class ReadOnlyWorld final : public ViewSession {
 public:
  /// `world` is where it is first. `maxBytes`: of the past that is kept.
  explicit ReadOnlyWorld(World world, std::size_t maxBytes = 32 * 1024 * 1024);

  /// A robot is at a configuration at a time (s), which does not decrease. Not more than 100 a second are kept.
  void move(int robot, double time, const VectorXd& q);
  /// Everything is where `world` has it, which has the same things, at a time as of `move`. Returns false where that
  /// comes too soon to be kept.
  bool place(const World& world, double time);
  /// The state of a simulation of the same world, with its contacts, torques and sensors. Where it is earlier than that
  /// before, what was later is dropped.
  void add(const SimulationView& view);
  /// Says what the sensors of the simulation are, before the first `add`; as `LiveFeed::describe`.
  void describe(const SimulationView& view, Value descriptions) { feed_.describe(view, std::move(descriptions)); }

  SessionKind kind() const override { return SessionKind::live; }
  std::string join(int page) override;
  std::string answer(int page, const PageMessage& message) override;
  std::optional<ViewPacket> next(int page) override { return feed_.next(page); }
  void leave(int page) override { feed_.leave(page); }

 private:
  void show(double time);

  World world_;
  LiveFeed feed_;
  double last_ = 0;
  std::int64_t tick_ = 0;
};

}  // namespace mortise::viewer
