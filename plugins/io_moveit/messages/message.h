#pragma once

/// ROS messages written as YAML, field by field: by `rostopic echo`, by robowflex (vectors as lists), by hand.

#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/math/transform.h"

namespace mortise::io_moveit {

/// Errors go to the diagnostics; an unknown field is a warning, once for each kind of message.
struct MessageNotes {
  explicit MessageNotes(Diagnostics& diagnostics) : out(diagnostics) {}
  Diagnostics& out;
  std::set<std::string> said;
};

/// One message. A field that is absent or null has the fallback, as in ROS. Each typed access reports what is wrong,
/// with the place, and then gives the fallback. `finish` warns about fields that nobody asked for.
class Message {
 public:
  /// `type` names the message for people: "CollisionObject". `value` outlives the message; anything but a map is an
  /// error, null is an empty message.
  Message(MessageNotes& notes, const Value& value, std::string type);

  const SourcePosition& position() const { return value_->position(); }
  MessageNotes& notes() const { return *notes_; }
  const std::string& type() const { return type_; }

  /// Null when the field is absent or null.
  const Value* get(const std::string& field);
  bool has(const std::string& field) { return get(field) != nullptr; }
  Message message(const std::string& field, const std::string& type);
  std::vector<Message> messages(const std::string& field, const std::string& type);

  std::string text(const std::string& field, const std::string& fallback = {});
  double real(const std::string& field, double fallback = 0);  ///< Finite.
  std::int64_t integer(const std::string& field, std::int64_t fallback = 0);
  bool flag(const std::string& field, bool fallback = false);
  std::vector<double> reals(const std::string& field);
  std::vector<std::string> texts(const std::string& field);
  std::vector<bool> flags(const std::string& field);
  /// Points and vectors: [x, y, z], or a map.
  Vector3d vector(const std::string& field, const Vector3d& fallback = Vector3d::Zero());
  /// A quaternion as [x, y, z, w], or a map. One that is not of unit length is normalized with a warning; zeros
  /// stand for the identity.
  Matrix3d rotation(const std::string& field);
  /// geometry_msgs/Pose: position and orientation.
  RigidTransform pose(const std::string& field);
  /// geometry_msgs/Transform: translation and rotation.
  RigidTransform transform(const std::string& field);
  /// Returns the frame of `header`, without a slash in front; `fallback` where the header or the field is absent.
  std::string frame(const std::string& fallback = {});

  /// Fields that mean nothing here.
  void ignore(std::initializer_list<const char*> fields);
  void finish();

  void error(const std::string& field, const std::string& message, const std::string& hint = {});

 private:
  std::vector<double> numbers(const std::string& field, const Value& value, const std::vector<std::string>& names,
                              double fallback);
  bool finite(const std::string& field, const Value& value, double& number);

  MessageNotes* notes_;
  const Value* value_;
  std::string type_;
  std::set<std::string> known_;
};

/// Each of a list of messages, as `Message::messages`.
std::vector<Message> messagesOf(MessageNotes& notes, const Value& list, const std::string& field,
                                const std::string& type);

/// A flag as people and programs write it: true, True, "true", 1.
bool readFlag(MessageNotes& notes, const Value& value, const std::string& field);

}  // namespace mortise::io_moveit
