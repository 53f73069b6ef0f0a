#pragma once

/// Messages of pages that edit resources beside a posed world, each declared once as those of `live_requests.h`.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mortise/viewer/protocol/pose_requests.h"

namespace mortise::viewer::message {

/// Directions to the four corners of a patch, in their order.
using Corners = std::array<Vector3d, 4>;

}  // namespace mortise::viewer::message

namespace mortise {

template <>
struct SettingType<viewer::message::Corners> {
  static constexpr ParameterType type = ParameterType::any;
  static constexpr int size = -1;
  static Value value(const viewer::message::Corners& corners) {
    Value list = Value::list();
    for (const Vector3d& corner : corners) list.push_back(std::vector<double>(corner.begin(), corner.end()));
    return list;
  }
  /// Throws `Error` for what is not four lists of three finite numbers.
  static viewer::message::Corners from(const Value& value, std::string_view name) {
    const auto refuse = [&] {
      return Error("'" + std::string(name) + "': expected four directions of three finite numbers", value.position());
    };
    if (!value.isList() || value.size() != 4) throw refuse();
    viewer::message::Corners corners;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::vector<double> numbers = value[i].asReals();
      if (numbers.size() != 3 || !Vector3d(numbers.data()).allFinite()) throw refuse();
      corners[i] = Vector3d(numbers.data());
    }
    return corners;
  }
};

}  // namespace mortise

namespace mortise::viewer::message {

/// Distance that straight lines between milestones may be from a curve, unless a page says another one (rad, m).
inline constexpr double kResolution = 0.01;

enum class MilestoneAction { insert, replace, erase, move };

using MilestoneActionNames = std::vector<std::pair<std::string, MilestoneAction>>;
inline MilestoneActionNames milestoneActionNames() {
  using enum MilestoneAction;
  return {{"insert", insert}, {"replace", replace}, {"delete", erase}, {"move", move}};
}

/// Common fields of messages about one resource.
struct OfResource {
  int resource = 0;
  std::size_t at() const { return static_cast<std::size_t>(resource); }
  template <typename Binder>
  void bind(Binder& b) {
    b.add("resource", resource, "That is meant, by its place in the list.", {.min = 0, .required = true});
  }
};

/// The robot is posed by a resource.
struct Load : OfResource {
  static constexpr std::string_view type = "load";
  int milestone = 0;
  template <typename Binder>
  void bind(Binder& b) {
    OfResource::bind(b);
    b.add("at", milestone, "The milestone of a path.", {.min = 0});
  }
};

struct Set : OfResource {
  static constexpr std::string_view type = "set";
  std::vector<double> values;
  template <typename Binder>
  void bind(Binder& b) {
    OfResource::bind(b);
    b.add("values", values, "Of what is nothing but numbers.", {.required = true});
  }
};

struct Rename : OfResource {
  static constexpr std::string_view type = "rename";
  std::string name;
  template <typename Binder>
  void bind(Binder& b) {
    OfResource::bind(b);
    b.add("name", name, "The new one; where another resource has it, a number comes behind it.", {.required = true});
  }
};

struct Erase : OfResource {
  static constexpr std::string_view type = "erase";
};

struct Convert : OfResource {
  static constexpr std::string_view type = "convert";
  std::string to;
  template <typename Binder>
  void bind(Binder& b) {
    OfResource::bind(b);
    b.add("to", to, "The kind that a copy becomes.", {.required = true});
  }
};

/// Asks for the milestones of a motion.
struct Path : OfResource {
  static constexpr std::string_view type = "path";
  static constexpr bool isQuestion = true;
};

struct Milestone : OfResource {
  static constexpr std::string_view type = "milestone";
  MilestoneAction action = MilestoneAction::insert;
  int milestone = 0;
  std::optional<int> to;
  template <typename Binder>
  void bind(Binder& b) {
    OfResource::bind(b);
    b.choice("action", action, milestoneActionNames(), "Done with the milestone.", {.required = true});
    b.add("at", milestone, "The milestone.", {.min = 0, .required = true});
    b.add("to", to, "The place that it moves to.", {.min = 0});
  }
  void check() const {
    if (action == MilestoneAction::move && !to)
      throw Error("'to' is missing: expected the place that the milestone moves to");
  }
};

struct Split : OfResource {
  static constexpr std::string_view type = "split";
  int milestone = 0;
  template <typename Binder>
  void bind(Binder& b) {
    OfResource::bind(b);
    b.add("at", milestone, "The milestone that both parts have.", {.min = 0, .required = true});
  }
};

struct Reverse : OfResource {
  static constexpr std::string_view type = "reverse";
};

struct Retime : OfResource {
  static constexpr std::string_view type = "retime";
  std::optional<double> duration;
  template <typename Binder>
  void bind(Binder& b) {
    OfResource::bind(b);
    b.add("duration", duration, "Of the motion; without it, as fast as the links' limits allow.", {.unit = "s"});
  }
};

struct Discretize : OfResource {
  static constexpr std::string_view type = "discretize";
  double resolution = kResolution;
  template <typename Binder>
  void bind(Binder& b) {
    OfResource::bind(b);
    b.add("resolution", resolution, "That straight lines between milestones are from a smooth curve, rad or m.");
  }
};

struct Optimize : OfResource {
  static constexpr std::string_view type = "optimize";
};

/// Asks whether the robot can move along a path.
struct Check : OfResource {
  static constexpr std::string_view type = "check";
  static constexpr bool isQuestion = true;
};

/// Contacts are picked on a surface: at a ray, or within a patch.
struct Contact {
  static constexpr std::string_view type = "contact";
  Vector3d origin = Vector3d::Zero();
  std::optional<Vector3d> direction;
  std::optional<Corners> patch;
  bool face = false;
  int id = -1, link = -1;
  double friction = kPickedFriction;
  std::optional<int> resource;
  template <typename Binder>
  void bind(Binder& b) {
    b.add("origin", origin, "Of the rays, in the world.", {.unit = "m", .required = true});
    b.add("direction", direction, "Of one ray.");
    b.add("patch", patch, "Directions to the corners of a patch, in place of one ray.");
    b.add("face", face, "The corners of the plane face that the ray meets, in place of the point.");
    b.add("id", id, "Whose surface is picked; -1: the first that the ray meets.", {.min = -1});
    b.add("link", link, "That is held, where the surface is none of its robot; -1: none.", {.min = -1});
    b.add("friction", friction, "Of the contacts.", {.min = 0});
    b.add("resource", resource, "The hold or stance that gets them; without it, there is a new hold.", {.min = 0});
  }
  void check() const {
    if (!patch && (!direction || direction->isZero()))
      throw Error("'direction' or 'patch' is missing: expected where surfaces are picked", {},
                  "a ray takes a direction of finite numbers that are not all 0");
    if (patch && id < 0) throw Error("'id' is missing: expected whose surface the patch is of");
  }
};

struct ContactErase : OfResource {
  static constexpr std::string_view type = "contact_erase";
  int hold = 0, contact = 0;
  template <typename Binder>
  void bind(Binder& b) {
    OfResource::bind(b);
    b.add("hold", hold, "Of a stance, by its place.", {.min = 0, .required = true});
    b.add("contact", contact, "Of the hold, by its place.", {.min = 0, .required = true});
  }
};

struct Clean : OfResource {
  static constexpr std::string_view type = "clean";
  std::optional<double> distance, normal;
  template <typename Binder>
  void bind(Binder& b) {
    OfResource::bind(b);
    b.add("distance", distance, "Contacts so near become one.", {.min = 0, .unit = "m"});
    b.add("normal", normal, "Normals that differ no more are equal.", {.min = 0});
  }
};

struct Friction : OfResource {
  static constexpr std::string_view type = "friction";
  double value = 0;
  template <typename Binder>
  void bind(Binder& b) {
    OfResource::bind(b);
    b.add("value", value, "Of all contacts.", {.min = 0, .required = true});
  }
};

/// A grasp keeps fingers where they are.
struct Fingers : OfResource {
  static constexpr std::string_view type = "fingers";
  int link = -1;
  template <typename Binder>
  void bind(Binder& b) {
    OfResource::bind(b);
    b.add("link", link, "The palm; -1: the links that the grasp holds.", {.min = -1});
  }
};

struct Finger : OfResource {
  static constexpr std::string_view type = "finger";
  int link = 0;
  std::optional<double> value;
  bool erase = false;
  template <typename Binder>
  void bind(Binder& b) {
    OfResource::bind(b);
    b.add("link", link, "Of the finger.", {.min = 0, .required = true});
    b.add("value", value, "That it is put to, rad or m.");
    b.add("erase", erase, "The grasp no longer keeps it.");
  }
  void check() const {
    if (!erase && !value) throw Error("'value' is missing: expected a number");
  }
};

struct Simplify : OfResource {
  static constexpr std::string_view type = "simplify";
  std::optional<double> cell;
  template <typename Binder>
  void bind(Binder& b) {
    OfResource::bind(b);
    b.add("cell", cell, "Size of cells within which corners become one.", {.unit = "m"});
  }
};

/// Asks for the triangles of a shape.
struct Mesh : OfResource {
  static constexpr std::string_view type = "mesh";
  static constexpr bool isQuestion = true;
};

}  // namespace mortise::viewer::message
