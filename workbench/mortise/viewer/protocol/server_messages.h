#pragma once

/// Messages to pages: the list of logs, and messages over the WebSocket. Each struct declares its keys and types
/// once, in `bind`, from which writing follows and the declarations of the page's own language.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/viewer/protocol/pose_requests.h"

namespace mortise::viewer {

// Records of bytes: u32 channel, u32 length, i64 tick, then `length` bytes padded to a multiple of the alignment;
// little-endian.
inline constexpr std::size_t kRecordHead = 16, kRecordAlignment = 8;
/// Records from this channel on are images as PNG, in the order of the cameras; others are a `mortise.Series`.
inline constexpr std::uint32_t kFirstImage = 1000;

/// Session that a page takes part in: nothing, a running simulation, a log that can go on, a posed world.
enum class SessionKind { none, live, log, pose };

using SessionKindNames = std::vector<std::pair<std::string, SessionKind>>;
inline SessionKindNames sessionKindNames() {
  using enum SessionKind;
  return {{"", none}, {"live", live}, {"log", log}, {"pose", pose}};
}

namespace message {

/// A number; one that is not finite is null.
struct FiniteOrNull {
  double value = 0;
};

/// A list that logs hold as well; `typescript` is its type there.
struct SensorDescriptions {
  static constexpr std::string_view typescript = "SensorDescription[]";
  Value value = Value::list();
};
struct Overlays {
  static constexpr std::string_view typescript = "Overlay[]";
  Value value = Value::list();
};

struct ListedLog {
  std::string name, path;
  std::optional<Overlays> overlays;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("name", name, "Shown in the page.");
    b.add("path", path, "The address of its file.");
    b.add("overlays", overlays, "Drawn besides.");
  }
};

/// First request of a page.
struct LogList {
  SessionKind session = SessionKind::none;
  std::int64_t version = 0;
  std::vector<ListedLog> logs;
  template <typename Binder>
  void bind(Binder& b) {
    b.choice("session", session, sessionKindNames(), "What pages take part in.");
    b.add("version", version, "Of the session; pages of another one load again.");
    b.add("logs", logs, "That are shown.");
  }
};

struct Channel {
  std::string topic;
  std::vector<std::string> columns;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("topic", topic, "As in logs.");
    b.add("columns", columns, "Names of the numbers of a sample.");
  }
};

/// The first message of a simulation or a log.
struct Hello {
  static constexpr std::string_view type = "hello";
  std::vector<Channel> channels;
  SensorDescriptions sensors;
  std::optional<std::int64_t> from;
  std::optional<bool> canGoOn;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("channels", channels, "By number.");
    b.add("sensors", sensors, "As in logs.");
    b.add("from", from, "Up to this tick pages know the run from its log.");
    b.add("can_go_on", canGoOn, "A recorded run can go on.");
  }
};

struct Status {
  static constexpr std::string_view type = "status";
  bool paused = false, over = false;
  double speed = 1;
  bool canGoBack = false;
  std::optional<bool> canStep, watched;
  std::string fault;
  bool operator==(const Status&) const = default;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("paused", paused, "The simulation waits.");
    b.add("over", over, "What was asked for is done.");
    b.add("speed", speed, "Simulated seconds in a second; 0: as many as there can be.");
    b.add("can_go_back", canGoBack, "The run can go on from an earlier instant.");
    b.add("can_step", canStep, "Steps are made where a page wants them.");
    b.add("watched", watched, "The motion comes from elsewhere.");
    b.add("fault", fault, "Of the simulation; empty: none.");
  }
};

/// A cut of the log: what was later than a tick is no more.
struct Cut {
  static constexpr std::string_view type = "cut";
  std::int64_t tick = 0;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("tick", tick, "The last one that stays.");
  }
};

struct Problem {
  static constexpr std::string_view type = "problem";
  std::string text;
  std::optional<std::int64_t> n;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("text", text, "For people.");
    b.add("n", n, "Of the message that was refused.");
  }
};

/// Pages load again.
struct Reload {
  static constexpr std::string_view type = "reload";
  template <typename Binder>
  void bind(Binder&) {}
};

struct Version {
  static constexpr std::string_view type = "version";
  std::int64_t version = 0;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("version", version, "Of the session; pages that began with another one load again.");
  }
};

struct PosedDriver {
  std::string name;
  FiniteOrNull min, max;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("name", name, "Of the driver.");
    b.add("min", min, "Limit, rad or m; null: none.");
    b.add("max", max, "Limit, rad or m; null: none.");
  }
};

struct PosedLink {
  FiniteOrNull min, max;
  int parent = -1;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("min", min, "Limit, rad or m; null: none.");
    b.add("max", max, "Limit, rad or m; null: none.");
    b.add("parent", parent, "-1: the world.");
  }
};

enum class BaseKind { fixed, floating, planar };

using BaseKindNames = std::vector<std::pair<std::string, BaseKind>>;
inline BaseKindNames baseKindNames() {
  using enum BaseKind;
  return {{"fixed", fixed}, {"floating", floating}, {"planar", planar}};
}

struct PosedRobot {
  std::string name;
  BaseKind base = BaseKind::fixed;
  int baseLink = -1;
  std::vector<PosedDriver> drivers;
  std::vector<PosedLink> links;
  std::vector<int> driverOfLink;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("name", name, "Of the robot.");
    b.choice("base", base, baseKindNames(), "How it moves.");
    b.add("base_link", baseLink, "The last link of a base that moves; -1: none.");
    b.add("drivers", drivers, "In their order.");
    b.add("links", links, "In their order.");
    b.add("driver_of_link", driverOfLink, "What moves each link; -1: nothing.");
  }
};

struct PosedGoal {
  int robot = 0, link = 0;
  std::string kind;
  IKGoal::Position position = IKGoal::Position::free;
  IKGoal::Rotation rotation = IKGoal::Rotation::free;
  Vector3d point = Vector3d::Zero(), direction = Vector3d::Zero(), axis = Vector3d::Zero();
  int destination = -1;
  Vector3d at = Vector3d::Zero(), target = Vector3d::Zero();
  template <typename Binder>
  void bind(Binder& b) {
    b.add("robot", robot, "That has it.");
    b.add("link", link, "That is held.");
    b.add("kind", kind, "In one word: pose, point, rotation or goal.");
    b.choice("position", position, positionNames(), "How its point is held.");
    b.choice("rotation", rotation, rotationNames(), "How its link may turn.");
    b.add("point", point, "Of the link, in its frame (m).");
    b.add("direction", direction, "The plane's normal, or along the line, in the frame of the destination.");
    b.add("axis", axis, "Of the link, in its frame.");
    b.add("destination", destination, "The link that it is relative to; -1: the world.");
    b.add("at", at, "Where its point is, in the world (m).");
    b.add("target", target, "Where its point is to be, in the world (m).");
  }
};

struct PosedHold {
  int link = 0;
  std::vector<std::array<double, 7>> contacts;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("link", link, "That is held.");
    b.add("contacts", contacts, "A point (m), a normal into the link, and friction: seven numbers.");
  }
};

struct ListedResource {
  std::string name, kind;
  bool editable = false;
  std::optional<int> milestones;
  std::optional<std::vector<double>> times, values;
  std::optional<std::vector<std::array<double, 2>>> fingers;
  std::optional<int> triangles;
  std::optional<std::vector<PosedHold>> holds;
  std::vector<std::string> convertible;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("name", name, "Of the resource.");
    b.add("kind", kind, "As files say it.");
    b.add("editable", editable, "It is a path whose milestones can be edited.");
    b.add("milestones", milestones, "How many it has.");
    b.add("times", times, "Of its milestones (s).");
    b.add("values", values, "Of what is nothing but a few numbers.");
    b.add("fingers", fingers, "Links that a grasp keeps, and where.");
    b.add("triangles", triangles, "Of a shape.");
    b.add("holds", holds, "Of a hold or stance.");
    b.add("convertible", convertible, "Kinds that it can become.");
  }
};

struct Motion {
  std::vector<double> times;
  std::vector<std::vector<double>> configurations;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("times", times, "Of its milestones (s).");
    b.add("configurations", configurations, "One number a link.");
  }
};

struct Torques {
  bool balanced = false;
  std::optional<bool> withinLimits;
  std::optional<std::vector<FiniteOrNull>> utilization;
  std::optional<double> largestUtilization;
  std::optional<std::string> largestLink;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("balanced", balanced, "There are contact forces that hold the robot.");
    b.add("within_limits", withinLimits, "Motors can bear what they ask for.");
    b.add("utilization", utilization, "Of the limit of each driver; null where there is none.");
    b.add("largest_utilization", largestUtilization, "Of all links.");
    b.add("largest_link", largestLink, "That has it.");
  }
};

struct PosedBalance {
  bool balanced = false;
  FiniteOrNull margin;
  std::vector<std::array<double, 2>> polygon, rays;
  bool bounded = false;
  std::vector<std::array<double, 3>> halfPlanes;
  FiniteOrNull area;
  Vector3d com = Vector3d::Zero();
  std::vector<Vector3d> points, axes;
  std::optional<std::vector<Vector3d>> forces;
  bool fixed = false;
  Torques torques;
  double touch = 0;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("balanced", balanced, "Contacts can hold the robot.");
    b.add("margin", margin, "The center of mass is so far inside (m); null: everywhere, or nowhere.");
    b.add("polygon", polygon, "Corners of the region that the center of mass may be over (m).");
    b.add("rays", rays, "Directions in which the region never ends.");
    b.add("bounded", bounded, "The region is all within its corners.");
    b.add("half_planes", halfPlanes, "Whose intersection the region is: a normal and an offset (m).");
    b.add("area", area, "Of the region (m^2); null: infinite.");
    b.add("com", com, "The center of mass (m).");
    b.add("points", points, "Of the contacts (m).");
    b.add("axes", axes, "Two, in which the region is told.");
    b.add("forces", forces, "On the robot (N), one a contact; missing where it does not balance.");
    b.add("fixed", fixed, "The base is fixed to the world.");
    b.add("torques", torques, "Of motors at rest.");
    b.add("touch", touch, "Surfaces that are no farther apart touch (m).");
  }
};

struct Triangles {
  std::vector<double> points;
  std::vector<int> triangles;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("points", points, "Three numbers each (m).");
    b.add("triangles", triangles, "Three points each.");
  }
};

/// All that a posing page shows. What is missing has not changed, or was not asked for.
struct State {
  static constexpr std::string_view type = "state";
  std::optional<std::int64_t> n;
  std::vector<std::vector<double>> q, drivers;
  std::vector<std::array<double, 12>> objects;
  std::vector<PosedGoal> goals;
  std::vector<std::array<int, 2>> collisions;
  std::vector<int> limits;
  double touch = 0;
  int undo = 0, redo = 0;
  std::optional<bool> solved;
  std::optional<double> residual;
  std::optional<std::string> problem, text;
  std::optional<int> added;
  std::optional<std::vector<ListedResource>> resources;
  std::optional<std::vector<PosedRobot>> robots;
  std::optional<bool> canSave;
  std::optional<Motion> path;
  std::optional<std::vector<std::string>> faults;
  std::optional<PosedBalance> balance;
  std::optional<Triangles> mesh;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("n", n, "Of the message that is answered.");
    b.add("q", q, "By robot, one number a link.");
    b.add("drivers", drivers, "By robot, one number a driver.");
    b.add("objects", objects, "A rotation by rows and a position (m) each.");
    b.add("goals", goals, "That hold.");
    b.add("collisions", collisions, "Pairs of ids.");
    b.add("limits", limits, "Ids of links at a limit.");
    b.add("touch", touch, "Surfaces that are no farther apart touch (m).");
    b.add("undo", undo, "Steps that can be undone.");
    b.add("redo", redo, "Steps that can be done again.");
    b.add("solved", solved, "All goals hold.");
    b.add("residual", residual, "Of goals, m and rad.");
    b.add("problem", problem, "Why nothing was done.");
    b.add("text", text, "What was done, for people.");
    b.add("added", added, "The place of a new resource.");
    b.add("resources", resources, "All of them.");
    b.add("robots", robots, "At the beginning.");
    b.add("can_save", canSave, "There is a place to save resources to.");
    b.add("path", path, "That was asked for.");
    b.add("faults", faults, "Of a path that was checked.");
    b.add("balance", balance, "That was asked for.");
    b.add("mesh", mesh, "That was asked for.");
  }
};

}  // namespace message

}  // namespace mortise::viewer
