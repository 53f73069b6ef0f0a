#pragma once

/// Messages of pages that pose robots, each declared once as those of `live_requests.h`: poses, goals, and what a pose
/// is kept as. Resources are edited by those of `resource_requests.h`.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mortise/configuration/pose_setting.h"
#include "mortise/contact/ik_goal.h"
#include "mortise/settings/setting_binder.h"

namespace mortise::viewer::message {

/// Friction of contacts that are picked or on flat ground, as RobotPose has it.
inline constexpr double kPickedFriction = 0.5;

using PositionNames = std::vector<std::pair<std::string, IKGoal::Position>>;
inline PositionNames positionNames() {
  using enum IKGoal::Position;
  return {{"free", free}, {"plane", plane}, {"line", line}, {"point", point}};
}

using RotationNames = std::vector<std::pair<std::string, IKGoal::Rotation>>;
inline RotationNames rotationNames() {
  using enum IKGoal::Rotation;
  return {{"free", free}, {"two_axis", twoAxis}, {"axis", axis}, {"fixed", fixed}};
}

/// Kinds of resources that a pose can be kept as.
enum class Kept {
  configuration,
  configurations,
  trajectory,
  ikGoal,
  hold,
  stance,
  grasp,
  transform,
  vector3,
  geometry
};

using KeptNames = std::vector<std::pair<std::string, Kept>>;
inline KeptNames keptNames() {
  using enum Kept;
  return {{"configuration", configuration},
          {"configurations", configurations},
          {"trajectory", trajectory},
          {"ik_goal", ikGoal},
          {"hold", hold},
          {"stance", stance},
          {"grasp", grasp},
          {"transform", transform},
          {"vector3", vector3},
          {"geometry", geometry}};
}

/// Keys that every message of a posing page may have beside its own.
struct PoseCommon {
  std::optional<std::int64_t> n;
  std::int64_t gesture = -1;
  int robot = 0;
  bool balance = false;
  std::optional<int> held;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("n", n, "The number that the answer carries, too.");
    b.add("gesture", gesture, "Messages of one gesture are undone in one step; -1: each is a step.", {.min = -1});
    b.add("robot", robot, "The robot that is meant, and whose balance is told.", {.min = 0});
    b.add("balance", balance, "The answer tells whether the robot balances.");
    b.add("held", held, "The resource whose contacts balance is about, in place of what the robot touches.",
          {.min = 0});
  }
};

struct Driver {
  static constexpr std::string_view type = "driver";
  int driver = 0;
  double value = 0;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("driver", driver, "Of the robot.", {.min = 0, .required = true});
    b.add("value", value, "Within the driver's limits, rad or m.", {.required = true});
  }
};

struct Link {
  static constexpr std::string_view type = "link";
  int link = 0;
  double value = 0;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("link", link, "Of the robot.", {.min = 0, .required = true});
    b.add("value", value, "Within the link's limits, rad or m.", {.required = true});
  }
};

/// A point of a link is dragged to where the mouse is.
struct Drag {
  static constexpr std::string_view type = "drag";
  int link = 0;
  Vector3d point = Vector3d::Zero(), target = Vector3d::Zero();
  bool hold = false, base = false;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("link", link, "Of the robot.", {.min = 0, .required = true});
    b.add("point", point, "In the link's frame.", {.unit = "m", .required = true});
    b.add("target", target, "In the world.", {.unit = "m", .required = true});
    b.add("hold", hold, "The point becomes a goal where it is dragged to.");
    b.add("base", base, "A base that floats moves, too.");
  }
};

/// An object, or the base of a robot, is put somewhere.
struct Place {
  static constexpr std::string_view type = "place";
  std::optional<int> object;
  PoseSetting T;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("object", object, "That is placed; without it, the robot's base is.", {.min = 0});
    b.add("T", T, "Twelve numbers: a rotation by rows and a position (m).", {.required = true});
  }
};

struct Configuration {
  static constexpr std::string_view type = "configuration";
  VectorXd q;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("q", q, "One number a link of the robot, rad or m.", {.required = true});
  }
};

/// A link, or a point of it, is held where it is.
struct Pin {
  static constexpr std::string_view type = "pin";
  int link = 0;
  std::optional<Vector3d> point;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("link", link, "Of the robot.", {.min = 0, .required = true});
    b.add("point", point, "In the link's frame; without it, the link's pose is held.", {.unit = "m"});
  }
};

/// A goal becomes of another kind, and holds where its link is.
struct Goal {
  static constexpr std::string_view type = "goal";
  int goal = 0;
  std::optional<IKGoal::Position> position;
  std::optional<IKGoal::Rotation> rotation;
  std::optional<Vector3d> point, direction, axis;
  std::optional<int> destination;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("goal", goal, "That is changed.", {.min = 0, .required = true});
    b.choice("position", position, positionNames(), "How its point is held.");
    b.choice("rotation", rotation, rotationNames(), "How its link may turn.");
    b.add("point", point, "Of the link, in its frame.", {.unit = "m"});
    b.add("direction", direction, "The plane's normal, or along the line, in the frame of the destination.");
    b.add("axis", axis, "Of the link, in its frame.");
    b.add("destination", destination, "The link that the goal is relative to; -1: the world.", {.min = -1});
  }
};

struct Unpin {
  static constexpr std::string_view type = "unpin";
  int goal = 0;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("goal", goal, "That holds no more.", {.min = 0, .required = true});
  }
};

/// All goals of the robot are solved.
struct Solve {
  static constexpr std::string_view type = "solve";
  template <typename Binder>
  void bind(Binder&) {}
};

struct Mirror {
  static constexpr std::string_view type = "mirror";
  template <typename Binder>
  void bind(Binder&) {}
};

/// The pose is kept as a resource.
struct Store {
  static constexpr std::string_view type = "store";
  Kept kind = Kept::configuration;
  std::string name;
  std::optional<int> resource;
  int link = -1, object = -1, id = -1;
  std::optional<double> flat;
  double friction = kPickedFriction;
  template <typename Binder>
  void bind(Binder& b) {
    b.choice("kind", kind, keptNames(), "Of the resource.", {.required = true});
    b.add("name", name, "Of the resource; empty: its kind.");
    b.add("resource", resource, "That gets the pose; without it, there is a new one.", {.min = 0});
    b.add("link", link, "That is selected; -1: none.", {.min = -1});
    b.add("object", object, "That is selected; -1: none.", {.min = -1});
    b.add("id", id, "Of what is selected and has a shape; -1: nothing.", {.min = -1});
    b.add("flat", flat, "A stance is on flat ground at the robot's lowest point: what of links is so near touches.",
          {.unit = "m"});
    b.add("friction", friction, "Of contacts with flat ground.", {.min = 0});
  }
};

/// Things that are no farther apart touch.
struct Touch {
  static constexpr std::string_view type = "touch";
  double distance = 0;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("distance", distance, "Of surfaces that touch.", {.min = 0, .unit = "m", .required = true});
  }
};

/// Asks whether the robot balances.
struct Balance {
  static constexpr std::string_view type = "balance";
  static constexpr bool isQuestion = true;
  std::optional<int> resource;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("resource", resource, "The hold or stance that it stands by, in place of what it touches.", {.min = 0});
  }
};

struct Save {
  static constexpr std::string_view type = "save";
  static constexpr bool isQuestion = true;
  template <typename Binder>
  void bind(Binder&) {}
};

struct Undo {
  static constexpr std::string_view type = "undo";
  template <typename Binder>
  void bind(Binder&) {}
};

struct Redo {
  static constexpr std::string_view type = "redo";
  template <typename Binder>
  void bind(Binder&) {}
};

}  // namespace mortise::viewer::message
