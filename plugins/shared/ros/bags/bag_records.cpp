#include "ros/bags/bag_records.h"

#include "mortise/base/error.h"

namespace mortise::ros {

namespace {

void appendLength(std::size_t size, std::string& out) {
  const auto length = static_cast<std::uint32_t>(size);
  out.append(reinterpret_cast<const char*>(&length), sizeof length);
}

/// Takes bytes behind their length.
std::string_view takeCounted(std::string_view& bytes, const char* what) {
  std::uint32_t size = 0;
  if (bytes.size() < sizeof size) throw Error(std::string("the bag ends before ") + what);
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes.remove_prefix(sizeof size);
  if (size > bytes.size())
    throw Error(std::string(what) + " of " + std::to_string(size) + " bytes leads out of the " +
                std::to_string(bytes.size()) + " bytes that are left");
  const std::string_view taken = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return taken;
}

}  // namespace

BagHeader& BagHeader::text(std::string_view name, std::string_view value) {
  appendLength(name.size() + 1 + value.size(), bytes_);
  bytes_ += name;
  bytes_ += '=';
  bytes_ += value;
  return *this;
}

BagHeader& BagHeader::time(std::string_view name, const Time& value) {
  const std::uint32_t parts[] = {static_cast<std::uint32_t>(value.sec), value.nanosec};
  return text(name, {reinterpret_cast<const char*>(parts), sizeof parts});
}

void appendBagRecord(const BagHeader& header, std::string_view data, std::string& out) {
  appendLength(header.bytes().size(), out);
  out += header.bytes();
  appendLength(data.size(), out);
  out += data;
}

BagRecord::BagRecord(std::string_view header, std::string_view data) : data_(data) {
  while (!header.empty()) {
    const std::string_view field = takeCounted(header, "a header's field");
    const std::size_t equals = field.find('=');
    if (equals == std::string_view::npos) throw Error("a header's field has no '='");
    fields_.emplace_back(field.substr(0, equals), field.substr(equals + 1));
  }
}

std::string_view BagRecord::text(std::string_view name) const {
  for (const auto& [key, value] : fields_)
    if (key == name) return value;
  throw Error("a record has no field '" + std::string(name) + "'");
}

std::string_view BagRecord::sized(std::string_view name, std::size_t size) const {
  const std::string_view value = text(name);
  if (value.size() != size)
    throw Error("the field '" + std::string(name) + "': expected " + std::to_string(size) + " bytes, found " +
                std::to_string(value.size()));
  return value;
}

Time BagRecord::time(std::string_view name) const { return timeFromBag(sized(name, 8)); }

BagRecord takeBagRecord(std::string_view& bytes) {
  const std::string_view header = takeCounted(bytes, "a record's header");
  const std::string_view data = takeCounted(bytes, "a record's data");
  return {header, data};
}

Time timeFromBag(std::string_view eightBytes) {
  std::uint32_t parts[2];
  std::memcpy(parts, eightBytes.data(), sizeof parts);
  return {parts[0], parts[1]};
}

}  // namespace mortise::ros
