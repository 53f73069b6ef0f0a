#include "ros/conversion/clouds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "mortise/base/error.h"

namespace mortise::ros {

namespace {

bool isColor(const std::string& name) { return name == "rgb" || name == "rgba"; }

/// Bytes of a number of each type; 0: no type that there is.
std::size_t sizeOf(std::uint8_t type) {
  constexpr std::array<std::size_t, 9> kSizes = {0, 1, 1, 2, 2, 4, 4, 4, 8};
  return type < kSizes.size() ? kSizes[type] : 0;
}

template <class T>
double numberAt(const std::uint8_t* bytes, bool swap) {
  std::array<std::uint8_t, sizeof(T)> copy;
  std::copy(bytes, bytes + sizeof(T), copy.begin());
  if (swap) std::reverse(copy.begin(), copy.end());
  T value;
  std::memcpy(&value, copy.data(), sizeof(T));
  return static_cast<double>(value);
}

double fieldAt(const PointField& field, const std::uint8_t* point, bool swap) {
  const std::uint8_t* bytes = point + field.offset;
  // Packed colors are the bits of their number, whatever type it goes by.
  if (isColor(field.name) && sizeOf(field.datatype) == 4) return numberAt<std::uint32_t>(bytes, swap);
  switch (field.datatype) {
    case PointField::int8:
      return numberAt<std::int8_t>(bytes, swap);
    case PointField::uint8:
      return numberAt<std::uint8_t>(bytes, swap);
    case PointField::int16:
      return numberAt<std::int16_t>(bytes, swap);
    case PointField::uint16:
      return numberAt<std::uint16_t>(bytes, swap);
    case PointField::int32:
      return numberAt<std::int32_t>(bytes, swap);
    case PointField::uint32:
      return numberAt<std::uint32_t>(bytes, swap);
    case PointField::float32:
      return numberAt<float>(bytes, swap);
    default:
      return numberAt<double>(bytes, swap);
  }
}

void checkSizes(const PointCloud2& message) {
  const auto fail = [](const std::string& text) { throw Error("PointCloud2: " + text); };
  for (const PointField& field : message.fields) {
    if (sizeOf(field.datatype) == 0)
      fail("field '" + field.name + "' has the type " + std::to_string(field.datatype) + "; types are 1 to 8");
    if (std::uint64_t{field.offset} + sizeOf(field.datatype) > message.point_step)
      fail("field '" + field.name + "' at byte " + std::to_string(field.offset) + " leads out of points of " +
           std::to_string(message.point_step) + " bytes");
  }
  if (message.height == 0 || message.width == 0) return;
  if (std::uint64_t{message.width} * message.point_step > message.row_step)
    fail("expected rows of at least " + std::to_string(std::uint64_t{message.width} * message.point_step) +
         " bytes, found a row_step of " + std::to_string(message.row_step));
  // Both are below 2^32, so that the product fits.
  const std::uint64_t expected = std::uint64_t{message.height} * message.row_step;
  if (message.data.size() < expected)
    fail("expected " + std::to_string(expected) + " bytes of data, found " + std::to_string(message.data.size()));
  // Points of no bytes would ask for memory that no data stand behind.
  if (message.point_step == 0) fail("expected points of some bytes, found a point_step of 0");
}

const PointField* findField(const PointCloud2& message, const std::string& name) {
  for (const PointField& field : message.fields)
    if (field.name == name) return &field;
  return nullptr;
}

float packedColor(double value) {
  const auto bits = static_cast<std::uint32_t>(value > 0 ? std::min(value, 4294967295.0) : 0.0);
  float packed;
  std::memcpy(&packed, &bits, sizeof packed);
  return packed;
}

}  // namespace

PointCloud2 cloudMessage(const PointCloud& cloud, const Time& stamp, std::string frame) {
  PointCloud2 message;
  message.header = {0, stamp, std::move(frame)};
  const bool ordered = cloud.rows > 1 && cloud.columns > 0;
  message.height = ordered ? static_cast<std::uint32_t>(cloud.rows) : 1u;
  message.width = ordered ? static_cast<std::uint32_t>(cloud.columns) : static_cast<std::uint32_t>(cloud.points.size());
  const auto add = [&message](const std::string& name) {
    message.fields.push_back({name, message.point_step, PointField::float32, 1});
    message.point_step += 4;
  };
  for (const char* axis : {"x", "y", "z"}) add(axis);
  for (const PointCloud::Property& property : cloud.properties) add(property.name);
  message.row_step = message.point_step * message.width;
  message.data.resize(cloud.points.size() * message.point_step);
  message.is_dense = true;
  std::uint8_t* out = message.data.data();
  const auto put = [&out](float value) {
    std::memcpy(out, &value, 4);
    out += 4;
  };
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    message.is_dense = message.is_dense && cloud.points[i].allFinite();
    for (int axis = 0; axis < 3; ++axis) put(static_cast<float>(cloud.points[i][axis]));
    for (const PointCloud::Property& property : cloud.properties)
      put(isColor(property.name) ? packedColor(property.values[i]) : static_cast<float>(property.values[i]));
  }
  return message;
}

PointCloud cloudFrom(const PointCloud2& message) {
  checkSizes(message);
  const std::array<const PointField*, 3> axes = {findField(message, "x"), findField(message, "y"),
                                                 findField(message, "z")};
  if (std::count(axes.begin(), axes.end(), nullptr) > 0)
    throw Error("PointCloud2: expected the fields x, y and z, found " + std::to_string(message.fields.size()) +
                " fields without one of them");
  PointCloud cloud;
  std::vector<const PointField*> others;
  for (const PointField& field : message.fields)
    if (std::find(axes.begin(), axes.end(), &field) == axes.end() && !field.name.empty()) {
      others.push_back(&field);
      cloud.properties.push_back({field.name, {}});
    }
  if (message.width == 0) return cloud;
  const bool ordered = message.height > 1;
  for (std::uint32_t row = 0; row < message.height; ++row) {
    for (std::uint32_t column = 0; column < message.width; ++column) {
      const std::uint8_t* point =
          message.data.data() + std::size_t{row} * message.row_step + std::size_t{column} * message.point_step;
      Vector3d p;
      for (int axis = 0; axis < 3; ++axis)
        p[axis] = fieldAt(*axes[static_cast<std::size_t>(axis)], point, message.is_bigendian);
      if (!ordered && !p.allFinite()) continue;
      cloud.points.push_back(p);
      for (std::size_t k = 0; k < others.size(); ++k)
        cloud.properties[k].values.push_back(fieldAt(*others[k], point, message.is_bigendian));
    }
  }
  if (ordered) {
    cloud.rows = static_cast<int>(message.height);
    cloud.columns = static_cast<int>(message.width);
  }
  return cloud;
}

PointCloud cloudFrom(const ScanModel& scan, std::span<const double> values) {
  PointCloud cloud;
  for (std::size_t i = 0; i < values.size() && i < scan.directions.size(); ++i)
    if (values[i] >= scan.minimum && values[i] < scan.maximum) cloud.points.push_back(values[i] * scan.directions[i]);
  return cloud;
}

}  // namespace mortise::ros
