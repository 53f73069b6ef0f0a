#include "messages/message.h"

#include <Eigen/Geometry>
#include <cmath>

#include "mortise/base/value_text.h"
#include "mortise/text/normalize.h"
#include "mortise/text/suggest.h"

namespace mortise::io_moveit {

namespace {

const Value kNothing;

/// Maximum deviation of a quaternion's length from 1 that is due to rounding.
constexpr double kUnit = 1e-3;

std::string found(const Value& value) { return "found " + std::string(Value::typeName(value.type())); }

}  // namespace

Message::Message(MessageNotes& notes, const Value& value, std::string type)
    : notes_(&notes), value_(&value), type_(std::move(type)) {
  if (value.isMap() || value.isNull()) return;
  notes.out.error("expected the fields of a " + type_ + ", " + found(value), value.position(),
                  "write 'field: value' lines");
  value_ = &kNothing;
}

const Value* Message::get(const std::string& field) {
  known_.insert(field);
  const Value* value = value_->isMap() ? value_->find(field) : nullptr;
  return value == nullptr || value->isNull() ? nullptr : value;
}

void Message::error(const std::string& field, const std::string& message, const std::string& hint) {
  const Value* value = get(field);
  notes_->out.error(field + " of " + type_ + ": " + message, value == nullptr ? position() : value->position(), hint);
}

Message Message::message(const std::string& field, const std::string& type) {
  const Value* value = get(field);
  return Message(*notes_, value == nullptr ? kNothing : *value, type);
}

std::vector<Message> Message::messages(const std::string& field, const std::string& type) {
  const Value* value = get(field);
  return value == nullptr ? std::vector<Message>() : messagesOf(*notes_, *value, field, type);
}

std::vector<Message> messagesOf(MessageNotes& notes, const Value& list, const std::string& field,
                                const std::string& type) {
  std::vector<Message> out;
  if (!list.isList()) {
    notes.out.error(field + ": expected a list, " + found(list), list.position(), "write one '- ...' for each");
    return out;
  }
  for (const Value& item : list.items()) out.emplace_back(notes, item, type);
  return out;
}

std::string Message::text(const std::string& field, const std::string& fallback) {
  const Value* value = get(field);
  if (value == nullptr) return fallback;
  if (value->isScalar()) return value->text();
  error(field, "expected a text, " + found(*value));
  return fallback;
}

bool Message::finite(const std::string& field, const Value& value, double& number) {
  if (!value.isNumber()) {
    notes_->out.error(field + " of " + type_ + ": expected a number, " + found(value), value.position());
    return false;
  }
  number = value.asReal();
  if (std::isfinite(number)) return true;
  notes_->out.error(field + " of " + type_ + ": " + value.text() + " is not finite", value.position(),
                    "write the number itself");
  return false;
}

double Message::real(const std::string& field, double fallback) {
  const Value* value = get(field);
  double number = fallback;
  return value != nullptr && finite(field, *value, number) ? number : fallback;
}

std::int64_t Message::integer(const std::string& field, std::int64_t fallback) {
  const Value* value = get(field);
  if (value == nullptr) return fallback;
  try {
    return value->asInteger();
  } catch (const Error& problem) {
    error(field, "expected a whole number, " + found(*value));
    return fallback;
  }
}

bool readFlag(MessageNotes& notes, const Value& value, const std::string& field) {
  if (value.isBool()) return value.asBool();
  const std::string text = value.isScalar() ? lowerCase(value.text()) : "";
  if (text == "true" || text == "1") return true;
  if (text != "false" && text != "0")
    notes.out.error(field + ": expected true or false, " + found(value), value.position());
  return false;
}

bool Message::flag(const std::string& field, bool fallback) {
  const Value* value = get(field);
  return value == nullptr ? fallback : readFlag(*notes_, *value, field + " of " + type_);
}

std::vector<double> Message::reals(const std::string& field) {
  const Value* value = get(field);
  std::vector<double> out;
  if (value == nullptr) return out;
  if (!value->isList()) {
    error(field, "expected a list of numbers, " + found(*value));
    return out;
  }
  for (const Value& item : value->items()) {
    double number = 0;
    if (!finite(field, item, number)) return {};
    out.push_back(number);
  }
  return out;
}

std::vector<std::string> Message::texts(const std::string& field) {
  const Value* value = get(field);
  std::vector<std::string> out;
  if (value == nullptr) return out;
  if (!value->isList()) {
    error(field, "expected a list of names, " + found(*value));
    return out;
  }
  for (const Value& item : value->items()) {
    if (!item.isScalar()) notes_->out.error(field + ": expected a name, " + found(item), item.position());
    out.push_back(item.isScalar() ? item.text() : std::string());
  }
  return out;
}

std::vector<bool> Message::flags(const std::string& field) {
  const Value* value = get(field);
  std::vector<bool> out;
  if (value == nullptr) return out;
  if (!value->isList()) {
    error(field, "expected a list of true and false, " + found(*value));
    return out;
  }
  for (const Value& item : value->items()) out.push_back(readFlag(*notes_, item, field));
  return out;
}

std::vector<double> Message::numbers(const std::string& field, const Value& value,
                                     const std::vector<std::string>& names, double fallback) {
  std::vector<double> out(names.size(), fallback);
  if (value.isList()) {
    if (value.size() != names.size()) {
      error(field, "expected " + std::to_string(names.size()) + " numbers, found " + std::to_string(value.size()),
            "the order is " + nameList(names, names.size()));
      return {};
    }
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!finite(field, value[i], out[i])) return {};
    return out;
  }
  if (!value.isMap()) {
    error(field, "expected " + std::to_string(names.size()) + " numbers, " + found(value),
          "write [x, y, z] or {x: ...}");
    return {};
  }
  Message part(*notes_, value, field);
  for (std::size_t i = 0; i < names.size(); ++i) out[i] = part.real(names[i], fallback);
  part.finish();
  return out;
}

Vector3d Message::vector(const std::string& field, const Vector3d& fallback) {
  const Value* value = get(field);
  if (value == nullptr) return fallback;
  const std::vector<double> n = numbers(field, *value, {"x", "y", "z"}, 0);
  return n.empty() ? fallback : Vector3d(n[0], n[1], n[2]);
}

Matrix3d Message::rotation(const std::string& field) {
  const Value* value = get(field);
  if (value == nullptr) return Matrix3d::Identity();
  const std::vector<double> n = numbers(field, *value, {"x", "y", "z", "w"}, 0);
  if (n.empty()) return Matrix3d::Identity();
  Eigen::Quaterniond q(n[3], n[0], n[1], n[2]);
  const double length = q.norm();
  if (length < 1e-9) {
    notes_->out.warning(field + " of " + type_ + ": a quaternion of zeros; no rotation is taken", value->position(),
                        "write [0, 0, 0, 1]: x, y, z, w");
    return Matrix3d::Identity();
  }
  if (std::abs(length - 1) > kUnit)
    notes_->out.warning(field + " of " + type_ + ": a quaternion of length " + formatReal(length) + " is normalized",
                        value->position(), "the order is x, y, z, w");
  q.coeffs() /= length;
  return q.toRotationMatrix();
}

RigidTransform Message::pose(const std::string& field) {
  Message part = message(field, "Pose");
  RigidTransform X;
  X.p = part.vector("position");
  X.R = part.rotation("orientation");
  part.finish();
  return X;
}

RigidTransform Message::transform(const std::string& field) {
  Message part = message(field, "Transform");
  RigidTransform X;
  X.p = part.vector("translation");
  X.R = part.rotation("rotation");
  part.finish();
  return X;
}

std::string Message::frame(const std::string& fallback) {
  if (!has("header")) return fallback;
  Message header = message("header", "Header");
  std::string name = header.has("frame_id") ? header.text("frame_id") : fallback;
  header.ignore({"seq", "stamp"});
  header.finish();
  if (name.starts_with('/')) name.erase(0, 1);
  return name;
}

void Message::ignore(std::initializer_list<const char*> fields) {
  for (const char* field : fields) known_.insert(field);
}

void Message::finish() {
  if (!value_->isMap()) return;
  const std::vector<std::string> known(known_.begin(), known_.end());
  for (const Value::Entry& entry : value_->entries()) {
    if (known_.count(entry.key) > 0 || !notes_->said.insert(type_ + "/" + entry.key).second) continue;
    notes_->out.warning(type_ + " has no field '" + entry.key + "'; it is ignored", entry.keyPosition,
                        didYouMean(entry.key, known));
  }
}

}  // namespace mortise::io_moveit
