#pragma once

/// Messages of pages to a running simulation, and to a recorded one that can go on. Each struct declares its keys,
/// types and limits once, in `bind`, from which reading follows and the declarations of the page's own language.

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "mortise/base/error.h"
#include "mortise/settings/setting_binder.h"

namespace mortise::viewer::message {

/// A page has drawn the records that it got, and is ready for more.
struct Drawn {
  static constexpr std::string_view type = "drawn";
  template <typename Binder>
  void bind(Binder&) {}
};

struct Play {
  static constexpr std::string_view type = "play";
  template <typename Binder>
  void bind(Binder&) {}
};

struct Pause {
  static constexpr std::string_view type = "pause";
  template <typename Binder>
  void bind(Binder&) {}
};

struct Step {
  static constexpr std::string_view type = "step";
  int count = 1;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("count", count, "Steps of a simulation that is paused by that.", {.min = 1, .max = 100000});
  }
};

struct Speed {
  static constexpr std::string_view type = "speed";
  double speed = 1;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("speed", speed, "Simulated seconds in a second; 0: as many as there can be.",
          {.min = 0, .max = 1e6, .required = true});
  }
};

/// A spring between a point of a body and a point of the world, until `Release`.
struct Pull {
  static constexpr std::string_view type = "pull";
  int id = -1;
  Vector3d point = Vector3d::Zero(), target = Vector3d::Zero();
  template <typename Binder>
  void bind(Binder& b) {
    b.add("id", id, "The object or link that is pulled.", {.min = 0, .required = true});
    b.add("point", point, "Where the spring holds it, in its frame.", {.unit = "m", .required = true});
    b.add("target", target, "The other end of the spring, in the world.", {.unit = "m", .required = true});
  }
};

struct Release {
  static constexpr std::string_view type = "release";
  template <typename Binder>
  void bind(Binder&) {}
};

/// The run goes on from an earlier instant.
struct Go {
  static constexpr std::string_view type = "go";
  std::optional<std::int64_t> tick;
  std::optional<double> time;
  bool pause = false;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("tick", tick, "The instant as a number of steps.");
    b.add("time", time, "The instant as a time, where there is no `tick`.", {.unit = "s"});
    b.add("pause", pause, "The simulation is paused there.");
  }
  void check() const {
    if (!tick && !time) throw Error("'tick' or 'time' is missing: expected where the run goes on from");
  }
};

/// A command to a controller or a sensor, or an edit of the world, before the next step.
struct Command {
  static constexpr std::string_view type = "command";
  std::string entry;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("entry", entry, "As `commands` of a pipeline have it, but without its time; JSON.", {.required = true});
  }
};

using LiveRequest = std::variant<Play, Pause, Step, Speed, Pull, Release, Go, Command>;

}  // namespace mortise::viewer::message
