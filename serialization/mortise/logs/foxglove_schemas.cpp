#include "mortise/logs/foxglove_schemas.h"

#include <array>
#include <vector>

namespace mortise::logs {

namespace {

using protobuf::FieldType;
using protobuf::Rule;
using protobuf::Type;

constexpr std::string_view kTime = "google.protobuf.Timestamp", kDuration = "google.protobuf.Duration";

FieldType timestamp() { return {"timestamp", 1, Type::message, kTime}; }
FieldType message(std::string_view name, int number, std::string_view type, Rule rule = Rule::single) {
  return {name, number, Type::message, type, rule};
}
FieldType real(std::string_view name, int number) { return {name, number, Type::real}; }
FieldType reals(std::string_view name, int number) { return {name, number, Type::real, {}, Rule::repeated}; }
FieldType optionalReal(std::string_view name, int number) { return {name, number, Type::real, {}, Rule::optional}; }
FieldType text(std::string_view name, int number) { return {name, number, Type::text}; }

/// Geometry, frames, and what scenes hold.
std::vector<protobuf::MessageType> sceneMessages() {
  return {
      {"Vector3", {real("x", 1), real("y", 2), real("z", 3)}},
      {"Quaternion", {real("x", 1), real("y", 2), real("z", 3), real("w", 4)}},
      {"Pose", {message("position", 1, "foxglove.Vector3"), message("orientation", 2, "foxglove.Quaternion")}},
      {"Color", {real("r", 1), real("g", 2), real("b", 3), real("a", 4)}},
      {"KeyValuePair", {text("key", 1), text("value", 2)}},
      {"FrameTransform",
       {timestamp(), text("parent_frame_id", 2), text("child_frame_id", 3),
        message("translation", 4, "foxglove.Vector3"), message("rotation", 5, "foxglove.Quaternion")}},
      {"FrameTransforms", {message("transforms", 1, "foxglove.FrameTransform", Rule::repeated)}},
      {"ArrowPrimitive",
       {message("pose", 1, "foxglove.Pose"), real("shaft_length", 2), real("shaft_diameter", 3), real("head_length", 4),
        real("head_diameter", 5), message("color", 6, "foxglove.Color")}},
      {"ModelPrimitive",
       {message("pose", 1, "foxglove.Pose"),
        message("scale", 2, "foxglove.Vector3"),
        message("color", 3, "foxglove.Color"),
        {"override_color", 4, Type::boolean},
        text("url", 5),
        text("media_type", 6),
        {"data", 7, Type::bytes}}},
      {"SceneEntity",
       {timestamp(),
        text("frame_id", 2),
        text("id", 3),
        message("lifetime", 4, kDuration),
        {"frame_locked", 5, Type::boolean},
        message("metadata", 6, "foxglove.KeyValuePair", Rule::repeated),
        message("arrows", 7, "foxglove.ArrowPrimitive", Rule::repeated),
        message("models", 14, "foxglove.ModelPrimitive", Rule::repeated)}},
      {"SceneEntityDeletion",
       {timestamp(), {"type", 2, Type::enumeration, "foxglove.SceneEntityDeletion.Type"}, text("id", 3)},
       {{"Type", {{"MATCHING_ID", 0}, {"ALL", 1}}}}},
      {"SceneUpdate",
       {message("deletions", 1, "foxglove.SceneEntityDeletion", Rule::repeated),
        message("entities", 2, "foxglove.SceneEntity", Rule::repeated)}},
  };
}

/// Joints, images, scans and log messages.
std::vector<protobuf::MessageType> readingMessages() {
  return {
      {"JointState",
       {text("name", 1), optionalReal("position", 2), optionalReal("velocity", 3), optionalReal("acceleration", 4),
        optionalReal("effort", 5)}},
      {"JointStates", {timestamp(), message("joints", 2, "foxglove.JointState", Rule::repeated)}},
      {"CompressedImage", {timestamp(), {"data", 2, Type::bytes}, text("format", 3), text("frame_id", 4)}},
      {"LaserScan",
       {timestamp(), text("frame_id", 2), message("pose", 3, "foxglove.Pose"), real("start_angle", 4),
        real("end_angle", 5), reals("ranges", 6), reals("intensities", 7)}},
      {"Log",
       {timestamp(),
        {"level", 2, Type::enumeration, "foxglove.Log.Level"},
        text("message", 3),
        text("name", 4),
        text("file", 5),
        {"line", 6, Type::fixed32}},
       {{"Level", {{"UNKNOWN", 0}, {"DEBUG", 1}, {"INFO", 2}, {"WARNING", 3}, {"ERROR", 4}, {"FATAL", 5}}}}},
      {"CameraCalibration",
       {timestamp(),
        {"width", 2, Type::fixed32},
        {"height", 3, Type::fixed32},
        text("distortion_model", 4),
        reals("D", 5),
        reals("K", 6),
        reals("R", 7),
        reals("P", 8),
        text("frame_id", 9)}},
  };
}

}  // namespace

const protobuf::Package& foxglovePackage() {
  static const protobuf::Package package = [] {
    protobuf::Package all{"foxglove", sceneMessages()};
    const std::vector<protobuf::MessageType> readings = readingMessages();
    all.messages.insert(all.messages.end(), readings.begin(), readings.end());
    return all;
  }();
  return package;
}

const protobuf::Package& mortisePackage() {
  static const protobuf::Package package{"mortise",
                                         {{"Series",
                                           {{"ticks", 1, Type::uint64, {}, Rule::repeated},
                                            reals("times", 2),
                                            {"columns", 3, Type::uint32},
                                            {"values", 4, Type::real32, {}, Rule::repeated},
                                            {"packed", 5, Type::bytes}}}}};
  return package;
}

std::string schemaOf(std::string_view message) {
  const std::array<const protobuf::Package*, 3> packages = {&foxglovePackage(), &mortisePackage(),
                                                            &protobuf::googlePackage()};
  return protobuf::descriptorSet(message, packages);
}

}  // namespace mortise::logs
